<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Document</name>
    <message>
        <source>unknown bytes</source>
        <translation>未知字节</translation>
    </message>
</context>
<context>
    <name>Series</name>
    <message>
        <source>emulator</source>
        <translation>模拟器</translation>
    </message>
    <message>
        <source>compile error</source>
        <translation>编译错误</translation>
    </message>
    <message>
        <source>unsupported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>launch failed</source>
        <translation>启动失败</translation>
    </message>
    <message>
        <source>device lost</source>
        <translation>设备丢失</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>trapped</source>
        <translation>触发陷阱</translation>
    </message>
    <message>
        <source>out of bounds</source>
        <translation>越界</translation>
    </message>
    <message>
        <source>misaligned</source>
        <translation>未对齐</translation>
    </message>
    <message>
        <source>barrier divergence</source>
        <translation>屏障分歧</translation>
    </message>
    <message>
        <source>race</source>
        <translation>数据竞争</translation>
    </message>
    <message>
        <source>uninitialised</source>
        <translation>未初始化</translation>
    </message>
    <message>
        <source>input modified</source>
        <translation>输入被修改</translation>
    </message>
    <message>
        <source>unwritten</source>
        <translation>未写入</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>出现 NaN</translation>
    </message>
    <message>
        <source>wrong values</source>
        <translation>数值错误</translation>
    </message>
    <message>
        <source>nondeterministic</source>
        <translation>结果不确定</translation>
    </message>
    <message>
        <source>suspect</source>
        <translation>可疑</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>no reference</source>
        <translation>没有参考实现</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>访存受限</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算受限</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::ActionRegistry</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>主题(&amp;H)</translation>
    </message>
    <message>
        <source>La&amp;nguage</source>
        <translation>语言(&amp;N)</translation>
    </message>
    <message>
        <source>La&amp;yout</source>
        <translation>布局(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Everything the window can do</source>
        <translation>窗口能做的一切</translation>
    </message>
    <message>
        <source>Each action is also in the command palette (Ctrl+Shift+P). F6 and Shift+F6 go from pane to pane.</source>
        <translation>每个操作也都在命令面板中（Ctrl+Shift+P）。F6 和 Shift+F6 在窗格之间切换。</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::Actions</name>
    <message>
        <source>&amp;Open kernel…</source>
        <translation>打开内核(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a CUDA or PTX source</source>
        <translation>打开 CUDA 或 PTX 源码</translation>
    </message>
    <message>
        <source>Open &amp;problem folder…</source>
        <translation>打开题目文件夹(&amp;P)…</translation>
    </message>
    <message>
        <source>Open a problem that is not in the library</source>
        <translation>打开不在题库中的题目</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save the kernel</source>
        <translation>保存内核</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save the kernel under another name</source>
        <translation>用另一个名称保存内核</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>重新载入(&amp;R)</translation>
    </message>
    <message>
        <source>Read the kernel from disk again</source>
        <translation>从磁盘重新读取内核</translation>
    </message>
    <message>
        <source>Convert to UTF-8</source>
        <translation>转换为 UTF-8</translation>
    </message>
    <message>
        <source>Save the kernel as UTF-8 from now on</source>
        <translation>从现在起以 UTF-8 保存内核</translation>
    </message>
    <message>
        <source>Read as GBK</source>
        <translation>按 GBK 读取</translation>
    </message>
    <message>
        <source>Show the file&apos;s bytes as GBK / GB18030 text</source>
        <translation>把文件字节显示为 GBK / GB18030 文本</translation>
    </message>
    <message>
        <source>Read as Windows-1252</source>
        <translation>按 Windows-1252 读取</translation>
    </message>
    <message>
        <source>Show the file&apos;s bytes as western European text</source>
        <translation>把文件字节显示为西欧文本</translation>
    </message>
    <message>
        <source>Open s&amp;essions…</source>
        <translation>打开会话(&amp;E)…</translation>
    </message>
    <message>
        <source>Open session files beside this session, in the same charts</source>
        <translation>在本会话之外打开会话文件，画在同一图中</translation>
    </message>
    <message>
        <source>Save sess&amp;ion…</source>
        <translation>保存会话(&amp;I)…</translation>
    </message>
    <message>
        <source>Save this session&apos;s runs to a file</source>
        <translation>把本会话的运行保存到文件</translation>
    </message>
    <message>
        <source>Write report…</source>
        <translation>写出报告…</translation>
    </message>
    <message>
        <source>Write the visible runs as an HTML report, CSV or JSON</source>
        <translation>把可见的运行写成 HTML 报告、CSV 或 JSON</translation>
    </message>
    <message>
        <source>Close session</source>
        <translation>关闭会话</translation>
    </message>
    <message>
        <source>Close the session that is selected in the Sessions pane</source>
        <translation>关闭“会话”窗格中选中的会话</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Leave Ridgepoint</source>
        <translation>退出 Ridgepoint</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Take the last change back</source>
        <translation>撤销上一次修改</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Make the change again</source>
        <translation>重新做出修改</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>Cut the selection</source>
        <translation>剪切所选内容</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the selection</source>
        <translation>复制所选内容</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Paste from the clipboard</source>
        <translation>从剪贴板粘贴</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Find text in the source</source>
        <translation>在源码中查找文本</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Find the next place</source>
        <translation>查找下一处</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>查找上一个(&amp;V)</translation>
    </message>
    <message>
        <source>Find the place before</source>
        <translation>查找上一处</translation>
    </message>
    <message>
        <source>Toggle co&amp;mment</source>
        <translation>切换注释(&amp;M)</translation>
    </message>
    <message>
        <source>Comment the selected lines out, or in again</source>
        <translation>注释或取消注释所选行</translation>
    </message>
    <message>
        <source>Replace odd blanks</source>
        <translation>替换异常空白</translation>
    </message>
    <message>
        <source>Replace no-break and zero-width spaces, as pasted from web pages</source>
        <translation>替换从网页粘贴来的不间断空格和零宽空格</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>下一个诊断</translation>
    </message>
    <message>
        <source>Go to the next diagnostic</source>
        <translation>转到下一个诊断</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>上一个诊断</translation>
    </message>
    <message>
        <source>Go to the diagnostic before</source>
        <translation>转到上一个诊断</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Compile, verify and time the kernel on the chosen workloads</source>
        <translation>在所选工作负载上编译、校验并计时</translation>
    </message>
    <message>
        <source>Run all &amp;kernels</source>
        <translation>运行全部内核(&amp;K)</translation>
    </message>
    <message>
        <source>Run each kernel of the problem on the chosen workloads</source>
        <translation>在所选工作负载上运行题目的每个内核</translation>
    </message>
    <message>
        <source>&amp;Compile</source>
        <translation>编译(&amp;C)</translation>
    </message>
    <message>
        <source>Compile the source</source>
        <translation>编译源码</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Stop what is running</source>
        <translation>停止正在运行的任务</translation>
    </message>
    <message>
        <source>Compile while &amp;typing</source>
        <translation>输入时编译(&amp;T)</translation>
    </message>
    <message>
        <source>Show diagnostics and PTX as you type</source>
        <translation>输入时显示诊断和 PTX</translation>
    </message>
    <message>
        <source>&amp;Model L2 and device memory</source>
        <translation>模拟 L2 与设备内存(&amp;M)</translation>
    </message>
    <message>
        <source>Let the emulator also count what passes L2 and device memory, as on the device it stands for</source>
        <translation>让模拟器也统计经过 L2 与设备内存的数据（按其所代表的设备）</translation>
    </message>
    <message>
        <source>Choose all &amp;workloads</source>
        <translation>选择全部工作负载(&amp;W)</translation>
    </message>
    <message>
        <source>Choose every workload that is not large</source>
        <translation>选择所有非大型工作负载</translation>
    </message>
    <message>
        <source>Make &amp;baseline</source>
        <translation>设为基线(&amp;B)</translation>
    </message>
    <message>
        <source>Star the selected run as baseline of its device, problem and workload</source>
        <translation>把选中的运行标为其设备、题目和工作负载的基线</translation>
    </message>
    <message>
        <source>Command &amp;palette…</source>
        <translation>命令面板(&amp;P)…</translation>
    </message>
    <message>
        <source>Find any action by its words</source>
        <translation>按文字查找任意操作</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>下一个窗格</translation>
    </message>
    <message>
        <source>Go to the next pane</source>
        <translation>转到下一个窗格</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>上一个窗格</translation>
    </message>
    <message>
        <source>Go to the pane before</source>
        <translation>转到上一个窗格</translation>
    </message>
    <message>
        <source>&amp;Editor</source>
        <translation>编辑器(&amp;E)</translation>
    </message>
    <message>
        <source>Go to the editor</source>
        <translation>转到编辑器</translation>
    </message>
    <message>
        <source>Run set&amp;up</source>
        <translation>运行设置(&amp;U)</translation>
    </message>
    <message>
        <source>Show the pane Run setup</source>
        <translation>显示“运行设置”窗格</translation>
    </message>
    <message>
        <source>&amp;Launch</source>
        <translation>启动配置(&amp;L)</translation>
    </message>
    <message>
        <source>Show the pane Launch</source>
        <translation>显示“启动配置”窗格</translation>
    </message>
    <message>
        <source>&amp;Sessions</source>
        <translation>会话(&amp;S)</translation>
    </message>
    <message>
        <source>Show the pane Sessions</source>
        <translation>显示“会话”窗格</translation>
    </message>
    <message>
        <source>Proble&amp;ms</source>
        <translation>诊断(&amp;M)</translation>
    </message>
    <message>
        <source>Show the pane Problems</source>
        <translation>显示“诊断”窗格</translation>
    </message>
    <message>
        <source>&amp;Verification</source>
        <translation>校验(&amp;V)</translation>
    </message>
    <message>
        <source>Show the pane Verification</source>
        <translation>显示“校验”窗格</translation>
    </message>
    <message>
        <source>Generated &amp;code</source>
        <translation>生成的代码(&amp;C)</translation>
    </message>
    <message>
        <source>Show the pane Generated code</source>
        <translation>显示“生成的代码”窗格</translation>
    </message>
    <message>
        <source>&amp;Timing</source>
        <translation>计时(&amp;T)</translation>
    </message>
    <message>
        <source>Show the chart Timing</source>
        <translation>显示“计时”图</translation>
    </message>
    <message>
        <source>&amp;Roofline</source>
        <translation>屋顶线 Roofline(&amp;R)</translation>
    </message>
    <message>
        <source>Show the chart Roofline</source>
        <translation>显示“屋顶线”图</translation>
    </message>
    <message>
        <source>Speed of l&amp;ight</source>
        <translation>极限速度 SOL(&amp;I)</translation>
    </message>
    <message>
        <source>Show the chart Speed of light</source>
        <translation>显示“极限速度”图</translation>
    </message>
    <message>
        <source>&amp;Output</source>
        <translation>输出(&amp;O)</translation>
    </message>
    <message>
        <source>Show what kernels print</source>
        <translation>显示内核打印的内容</translation>
    </message>
    <message>
        <source>Lo&amp;g</source>
        <translation>日志(&amp;G)</translation>
    </message>
    <message>
        <source>Show what the workers say</source>
        <translation>显示工作进程的消息</translation>
    </message>
    <message>
        <source>Charts as ta&amp;bles</source>
        <translation>图表显示为表格(&amp;B)</translation>
    </message>
    <message>
        <source>Show the numbers of all charts as tables</source>
        <translation>以表格显示所有图表的数字</translation>
    </message>
    <message>
        <source>Charts of &amp;all problems</source>
        <translation>所有题目的图表(&amp;A)</translation>
    </message>
    <message>
        <source>Draw the runs of every problem, not only of the chosen one</source>
        <translation>绘制所有题目的运行，而不只是所选题目</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>Dark text on light paper</source>
        <translation>浅底深字</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Light text on dark paper</source>
        <translation>深底浅字</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>高对比度(&amp;H)</translation>
    </message>
    <message>
        <source>The strongest contrast</source>
        <translation>最强对比度</translation>
    </message>
    <message>
        <source>&amp;Work</source>
        <translation>工作(&amp;W)</translation>
    </message>
    <message>
        <source>Editor, verdicts and charts</source>
        <translation>编辑器、结论和图表</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Editor beside the generated code, charts behind</source>
        <translation>编辑器与生成的代码并列，图表在后</translation>
    </message>
    <message>
        <source>&amp;Analyse</source>
        <translation>分析(&amp;A)</translation>
    </message>
    <message>
        <source>Charts large, editor small</source>
        <translation>大图表，小编辑器</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Put every pane where it was at first</source>
        <translation>把所有窗格放回初始位置</translation>
    </message>
    <message>
        <source>&amp;Keys and actions</source>
        <translation>按键与操作(&amp;K)</translation>
    </message>
    <message>
        <source>Every action with its keys</source>
        <translation>每个操作及其按键</translation>
    </message>
    <message>
        <source>&amp;About Ridgepoint</source>
        <translation>关于 Ridgepoint(&amp;A)</translation>
    </message>
    <message>
        <source>Version, licence and what it is built on</source>
        <translation>版本、许可证和所用组件</translation>
    </message>
    <message>
        <source>&amp;New kernel</source>
        <translation>新建内核(&amp;N)</translation>
    </message>
    <message>
        <source>Start a kernel for the chosen problem, with its parameters</source>
        <translation>为所选题目新建内核，带上它的参数</translation>
    </message>
    <message>
        <source>Open re&amp;cent…</source>
        <translation>打开最近的文件(&amp;C)…</translation>
    </message>
    <message>
        <source>Open a kernel or session that was open before</source>
        <translation>打开以前打开过的内核或会话</translation>
    </message>
    <message>
        <source>R&amp;eplace…</source>
        <translation>替换(&amp;E)…</translation>
    </message>
    <message>
        <source>Find text in the source and put other text in its place</source>
        <translation>在源码中查找文本并换成别的文本</translation>
    </message>
    <message>
        <source>&amp;Go to line…</source>
        <translation>转到行(&amp;G)…</translation>
    </message>
    <message>
        <source>Go to a line of the source by its number</source>
        <translation>按行号转到源码中的一行</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>The window, the command line, problem files, judging and measuring</source>
        <translation>窗口、命令行、题目文件、判定与测量</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::Banner</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::Busy</name>
    <message>
        <source>compiling</source>
        <translation>正在编译</translation>
    </message>
    <message>
        <source>verifying</source>
        <translation>正在校验</translation>
    </message>
    <message>
        <source>timing</source>
        <translation>正在计时</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>What is going on</source>
        <translation>当前状态</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>Compiling…</source>
        <translation>正在编译…</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::ChartPane</name>
    <message>
        <source>%1 chart</source>
        <translation>%1图</translation>
    </message>
    <message>
        <source>%1 as a table</source>
        <translation>%1（表格）</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Show the numbers of this chart as a table</source>
        <translation>以表格显示此图的数字</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Export this chart as PNG, SVG, PDF or CSV</source>
        <translation>将此图导出为 PNG、SVG、PDF 或 CSV</translation>
    </message>
    <message>
        <source>Export the %1 chart</source>
        <translation>导出%1图</translation>
    </message>
    <message>
        <source>Selected point of the %1 chart</source>
        <translation>%1图中选中的点</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) left out: not finite or not positive.</source>
        <translation>
            <numerusform>略去 %n 个值：非有限值或非正值。</numerusform>
        </translation>
    </message>
    <message>
        <source>Image (*.png);;Vector drawing (*.svg);;PDF (*.pdf);;Table (*.csv)</source>
        <translation>图像 (*.png);;矢量图 (*.svg);;PDF (*.pdf);;表格 (*.csv)</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::CodePane</name>
    <message>
        <source>Generated code</source>
        <translation>生成的代码</translation>
    </message>
    <message>
        <source>Kind of generated code</source>
        <translation>生成代码的种类</translation>
    </message>
    <message>
        <source>PTX is the compiler&apos;s portable assembly; SASS is what the GPU executes</source>
        <translation>PTX 是编译器的可移植汇编；SASS 是 GPU 真正执行的指令</translation>
    </message>
    <message>
        <source>Resources of the kernels</source>
        <translation>内核的资源占用</translation>
    </message>
    <message>
        <source>%1: %2 registers, %3 B shared</source>
        <translation>%1：%2 个寄存器，%3 B 共享内存</translation>
    </message>
    <message>
        <source>%1 B spilled</source>
        <translation>溢出 %1 B</translation>
    </message>
    <message>
        <source>of the text before the last change</source>
        <translation>对应上次修改之前的文本</translation>
    </message>
    <message>
        <source>No SASS: %1</source>
        <translation>没有 SASS：%1</translation>
    </message>
    <message>
        <source>no disassembler (nvdisasm) was found.</source>
        <translation>未找到反汇编器（nvdisasm）。</translation>
    </message>
    <message>
        <source>Disassembling…</source>
        <translation>正在反汇编…</translation>
    </message>
    <message>
        <source>Nothing is compiled yet. The generated PTX appears here as you type.</source>
        <translation>尚未编译。输入代码时，生成的 PTX 会显示在这里。</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Type what you want to do</source>
        <translation>输入想做的事</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Matching commands</source>
        <translation>匹配的命令</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::DiagnosticsPane</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 个警告</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s)</source>
        <translation>
            <numerusform>%n 个问题待回答</numerusform>
        </translation>
    </message>
    <message>
        <source>of the text before the last change</source>
        <translation>对应上次修改之前的文本</translation>
    </message>
    <message>
        <source>Problems in the source</source>
        <translation>源码中的问题</translation>
    </message>
    <message>
        <source>Number of problems</source>
        <translation>问题数量</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>answer with %1</source>
        <translation>用 %1 回答</translation>
    </message>
    <message>
        <source>question</source>
        <translation>待回答</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::ErrorMapView</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>%1 rows by %2 columns</source>
        <translation>%1 行 × %2 列</translation>
    </message>
    <message>
        <source>%1 rows by %2 columns of blocks</source>
        <translation>%1 行 × %2 列线程块</translation>
    </message>
    <message>
        <source>%1 warps of %2 lanes</source>
        <translation>%1 个线程束，每束 %2 个通道</translation>
    </message>
    <message>
        <source>%1: %2 wrong elements, %3</source>
        <translation>%1：%2 个错误元素，%3</translation>
    </message>
    <message>
        <source>block x %1: %2 wrong</source>
        <translation>线程块 x %1：%2 个错误</translation>
    </message>
    <message>
        <source>block x %1, y %2: %3 wrong</source>
        <translation>线程块 x %1，y %2：%3 个错误</translation>
    </message>
    <message>
        <source>warp %1, lane %2: %3 wrong</source>
        <translation>线程束 %1，通道 %2：%3 个错误</translation>
    </message>
    <message>
        <source>rows %1, columns %2: %3 wrong</source>
        <translation>行 %1，列 %2：%3 个错误</translation>
    </message>
    <message>
        <source>block x</source>
        <translation>线程块 x</translation>
    </message>
    <message>
        <source>block y</source>
        <translation>线程块 y</translation>
    </message>
    <message>
        <source>lane</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>warp</source>
        <translation>线程束</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::FindBar</name>
    <message>
        <source>F&amp;ind</source>
        <translation>查找(&amp;I)</translation>
    </message>
    <message>
        <source>Text to find</source>
        <translation>要查找的文本</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Outcome of the search</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Find and replace</source>
        <translation>查找和替换</translation>
    </message>
    <message>
        <source>Rep&amp;lace with</source>
        <translation>替换为(&amp;L)</translation>
    </message>
    <message>
        <source>Text to put in its place</source>
        <translation>用来替换的文本</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replace all</source>
        <translation>全部替换</translation>
    </message>
    <message>
        <source>Upper and lower case differ</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Whole words only</source>
        <translation>全字匹配</translation>
    </message>
    <message>
        <source>Regular expression; \1 in the replacement is its first group</source>
        <translation>正则表达式；替换文本中的 \1 是第一个分组</translation>
    </message>
    <message numerus="yes">
        <source>%n replaced</source>
        <translation>
            <numerusform>已替换 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>Find the place before (%1)</source>
        <translation>查找上一处（%1）</translation>
    </message>
    <message>
        <source>Find the next place (%1)</source>
        <translation>查找下一处（%1）</translation>
    </message>
    <message>
        <source>Close the search (%1)</source>
        <translation>关闭查找（%1）</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::HelpDialog</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>帮助页</translation>
    </message>
    <message>
        <source>Help page</source>
        <translation>帮助页正文</translation>
    </message>
    <message>
        <source>Keys and actions</source>
        <translation>按键与操作</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::Language</name>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::LaunchForm</name>
    <message>
        <source>Launch</source>
        <translation>启动配置</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>a name expression such as softmax&lt;256&gt;; empty: the only __global__ function</source>
        <translation>名称表达式，例如 softmax&lt;256&gt;；留空：唯一的 __global__ 函数</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>blocks: one to three expressions over the axes, such as ceil_div(n, 256)</source>
        <translation>线程块数：一到三个关于轴的表达式，例如 ceil_div(n, 256)</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>线程块</translation>
    </message>
    <message>
        <source>threads of a block: one to three expressions</source>
        <translation>每块线程数：一到三个表达式</translation>
    </message>
    <message>
        <source>dynamic shared memory in bytes</source>
        <translation>动态共享内存，以字节计</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>线程块簇</translation>
    </message>
    <message>
        <source>blocks of a cluster; empty: none</source>
        <translation>每簇的线程块数；留空：不用簇</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>内核参数</translation>
    </message>
    <message>
        <source>tensors, scalars and axes in the order of the parameters; empty: matched by name</source>
        <translation>按参数顺序列出张量、标量和轴；留空：按名称匹配</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>sm_90a, …; empty: the device&apos;s own</source>
        <translation>sm_90a 等；留空：设备自身的架构</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>for NVRTC, such as --use_fast_math</source>
        <translation>传给 NVRTC，例如 --use_fast_math</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>题目</translation>
    </message>
    <message>
        <source>name of the problem; empty inside the problem&apos;s folder</source>
        <translation>题目名称；在题目文件夹内可留空</translation>
    </message>
    <message>
        <source>not named</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>the only one</source>
        <translation>唯一的内核</translation>
    </message>
    <message>
        <source>still to be given</source>
        <translation>尚待填写</translation>
    </message>
    <message>
        <source>Shared [B]</source>
        <translation>共享内存 [B]</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>matched by name</source>
        <translation>按名称匹配</translation>
    </message>
    <message>
        <source>the device&apos;s own</source>
        <translation>设备自身的架构</translation>
    </message>
    <message>
        <source>the folder&apos;s</source>
        <translation>所在文件夹的题目</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::MainWindow</name>
    <message>
        <source>Open a kernel</source>
        <translation>打开内核</translation>
    </message>
    <message>
        <source>Kernels (*.cu *.cuh *.ptx);;All files (*)</source>
        <translation>内核 (*.cu *.cuh *.ptx);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a problem folder</source>
        <translation>打开题目文件夹</translation>
    </message>
    <message>
        <source>%1 holds no problem.toml.</source>
        <translation>%1 中没有 problem.toml。</translation>
    </message>
    <message>
        <source>Keys and actions</source>
        <translation>按键与操作</translation>
    </message>
    <message>
        <source>About Ridgepoint</source>
        <translation>关于 Ridgepoint</translation>
    </message>
    <message>
        <source>A workbench for CUDA kernels: edit, compile, verify, time, and see how far a kernel is from the speed of light.</source>
        <translation>CUDA 内核工作台：编辑、编译、校验、计时，并看清内核离极限速度还有多远。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later.</source>
        <translation>自由软件，采用 GNU 通用公共许可证第 3 版或更新版本。</translation>
    </message>
    <message>
        <source>Open sessions</source>
        <translation>打开会话</translation>
    </message>
    <message>
        <source>Sessions (*.ridge)</source>
        <translation>会话 (*.ridge)</translation>
    </message>
    <message>
        <source>Save this session</source>
        <translation>保存本会话</translation>
    </message>
    <message>
        <source>Write a report</source>
        <translation>写出报告</translation>
    </message>
    <message>
        <source>Report (*.html);;Table (*.csv);;Document (*.json)</source>
        <translation>报告 (*.html);;表格 (*.csv);;文档 (*.json)</translation>
    </message>
    <message>
        <source>Buttons</source>
        <translation>按钮</translation>
    </message>
    <message>
        <source>There is no problem “%1” in the library, and no folder of that name with a problem.toml.</source>
        <translation>题库中没有题目“%1”，也没有含 problem.toml 的同名文件夹。</translation>
    </message>
    <message>
        <source>Line %1 holds blanks that are none (U+%2 in column %3), as pasted from a web page.</source>
        <translation>第 %1 行含有并非空格的空白字符（第 %3 列为 U+%2），像是从网页粘贴来的。</translation>
    </message>
    <message>
        <source>Replace them</source>
        <translation>替换它们</translation>
    </message>
    <message>
        <source>This run printed nothing.</source>
        <translation>这次运行没有打印任何内容。</translation>
    </message>
    <message>
        <source>Run setup</source>
        <translation>运行设置</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动配置</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Verification</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>Generated code</source>
        <translation>生成的代码</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>计时</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线 Roofline</translation>
    </message>
    <message>
        <source>Speed of light</source>
        <translation>极限速度 SOL</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Source editor</source>
        <translation>源码编辑器</translation>
    </message>
    <message>
        <source>What the kernel prints</source>
        <translation>内核打印的内容</translation>
    </message>
    <message>
        <source>Log of the workers</source>
        <translation>工作进程日志</translation>
    </message>
    <message>
        <source>Place in the source</source>
        <translation>源码中的位置</translation>
    </message>
    <message>
        <source>Encoding of the source</source>
        <translation>源码的编码</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Menu bar</source>
        <translation>菜单栏</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Runs that are not saved</source>
        <translation>未保存的运行</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) of this session are not saved.</source>
        <translation>
            <numerusform>本会话有 %n 次运行尚未保存。</numerusform>
        </translation>
    </message>
    <message>
        <source>Float %1</source>
        <translation>浮动%1</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>关闭%1</translation>
    </message>
    <message>
        <source>Nothing was open before</source>
        <translation>还没有打开过文件</translation>
    </message>
    <message>
        <source>Open a file that was open before</source>
        <translation>打开以前打开过的文件</translation>
    </message>
    <message>
        <source>Line of the source, 1 to %1</source>
        <translation>源码行号，1 到 %1</translation>
    </message>
    <message>
        <source>What a kernel prints with printf appears here after its run.</source>
        <translation>内核用 printf 打印的内容在运行后显示在这里。</translation>
    </message>
    <message>
        <source>What the worker processes say appears here.</source>
        <translation>工作进程的消息显示在这里。</translation>
    </message>
    <message>
        <source>Line %1, column %2</source>
        <translation>第 %1 行，第 %2 列</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::RooflineChart</name>
    <message>
        <source>datasheet</source>
        <translation>数据手册</translation>
    </message>
    <message>
        <source>derived</source>
        <translation>推算</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>No runs yet. A run is placed here by its FLOPs and fused bytes; without a GPU as “attainable, not timed”.</source>
        <translation>还没有运行。每次运行按其 FLOP 数和融合字节数定位；没有 GPU 时标为“可达到，未计时”。</translation>
    </message>
    <message>
        <source>intensity [FLOP per fused byte]</source>
        <translation>计算强度 [FLOP/融合字节]</translation>
    </message>
    <message>
        <source>performance</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>题目</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation>计算强度</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>Attainable</source>
        <translation>可达到</translation>
    </message>
    <message>
        <source>Share of roof</source>
        <translation>占屋顶比例</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>瓶颈</translation>
    </message>
    <message numerus="yes">
        <source>%n point(s) above the roof: faster than physics, so the work or the time is wrong.</source>
        <translation>
            <numerusform>%n 个点高于屋顶线：比物理极限还快，说明工作量或时间有误。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2: %3 at %4 FLOP/B, %5 of the roof</source>
        <translation>%1，%2：%3，强度 %4 FLOP/B，达到屋顶的 %5</translation>
    </message>
    <message>
        <source>%1, %2: attainable %3 at %4 FLOP/B, not timed</source>
        <translation>%1，%2：可达到 %3，强度 %4 FLOP/B，未计时</translation>
    </message>
    <message>
        <source>Above the roof: the work or the time is wrong.</source>
        <translation>高于屋顶线：工作量或时间有误。</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线 Roofline</translation>
    </message>
    <message numerus="yes">
        <source>%1 series under %n roof(s).</source>
        <translation>
            <numerusform>%n 条屋顶线下共 %1 个系列。</numerusform>
        </translation>
    </message>
    <message>
        <source>attainable, not timed</source>
        <translation>可达到，未计时</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::RunBook</name>
    <message>
        <source>This session</source>
        <translation>本会话</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::RunControl</name>
    <message>
        <source>What is shown here could not be written to the session file: %1</source>
        <translation>此处显示的内容无法写入会话文件：%1</translation>
    </message>
    <message>
        <source>A worker process ended unexpectedly. The text, the session and the window are untouched; run again to start a fresh worker.</source>
        <translation>一个工作进程意外结束。文本、会话和窗口均未受影响；再次运行会启动新的工作进程。</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>The source could not be compiled: %1</source>
        <translation>源码无法编译：%1</translation>
    </message>
    <message>
        <source>There is no problem to run the kernel against. Choose one under Run setup, or write //@ problem: NAME.</source>
        <translation>没有可供此内核求解的题目。请在“运行设置”中选择，或写上 //@ problem: 名称。</translation>
    </message>
    <message>
        <source>No workload is chosen. Tick at least one under Run setup.</source>
        <translation>未选择工作负载。请在“运行设置”中至少勾选一个。</translation>
    </message>
    <message>
        <source>The problem has no kernels to run.</source>
        <translation>此题目没有可运行的内核。</translation>
    </message>
    <message>
        <source>%1 could not be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message numerus="yes">
        <source>Stopped. %n run(s) finished before.</source>
        <translation>
            <numerusform>已停止。之前完成了 %n 次运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Answer with %1</source>
        <translation>用 %1 回答</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::RunSetup</name>
    <message>
        <source>Run setup</source>
        <translation>运行设置</translation>
    </message>
    <message>
        <source>&amp;Problem</source>
        <translation>题目(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>内核(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Workloads</source>
        <translation>工作负载(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>型号(&amp;M)</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Open a problem folder that is not in the library</source>
        <translation>打开不在题库中的题目文件夹</translation>
    </message>
    <message>
        <source>Open a problem folder</source>
        <translation>打开题目文件夹</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>题目</translation>
    </message>
    <message>
        <source>Kernel file</source>
        <translation>内核文件</translation>
    </message>
    <message>
        <source>Workloads to run</source>
        <translation>要运行的工作负载</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Device that the emulator stands for</source>
        <translation>模拟器所代表的设备</translation>
    </message>
    <message>
        <source>The catalogue device whose limits and ceilings the emulator uses</source>
        <translation>模拟器采用其限制和上限的目录设备</translation>
    </message>
    <message>
        <source>PTX emulator (CPU)</source>
        <translation>PTX 模拟器（CPU）</translation>
    </message>
    <message>
        <source>choose a kernel</source>
        <translation>选择内核</translation>
    </message>
    <message>
        <source>large</source>
        <translation>大型</translation>
    </message>
    <message>
        <source>Needs gigabytes or minutes: for a GPU</source>
        <translation>需要数 GB 内存或数分钟：适合 GPU</translation>
    </message>
    <message>
        <source>About the problem</source>
        <translation>题目说明</translation>
    </message>
    <message>
        <source>No problem library was found. Open a problem folder, or set RIDGE_KERNELS.</source>
        <translation>未找到题库。请打开题目文件夹，或设置 RIDGE_KERNELS。</translation>
    </message>
    <message>
        <source>problem.toml is at fault; see the Problems pane.</source>
        <translation>problem.toml 有误；请看“诊断”窗格。</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Automatic: PTX emulator</source>
        <translation>自动：PTX 模拟器</translation>
    </message>
    <message>
        <source>Automatic: %1</source>
        <translation>自动：%1</translation>
    </message>
    <message>
        <source>About the device</source>
        <translation>设备说明</translation>
    </message>
    <message>
        <source>The emulator judges results exactly and counts, but has no clock: runs are not timed.</source>
        <translation>模拟器能精确判定结果并计数，但没有时钟：运行不计时。</translation>
    </message>
    <message>
        <source>No GPU was found. The emulator judges results exactly and counts, but has no clock: runs are not timed.</source>
        <translation>未找到 GPU。模拟器能精确判定结果并计数，但没有时钟：运行不计时。</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::SessionsPane</name>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Sessions and runs</source>
        <translation>会话与运行</translation>
    </message>
    <message>
        <source>Session and run</source>
        <translation>会话与运行</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>SOL</source>
        <translation>极限占比</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open session files beside this session; their runs are drawn in the same charts</source>
        <translation>在本会话之外打开会话文件；其运行画在同一图中</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save this session&apos;s runs to a file</source>
        <translation>把本会话的运行保存到文件</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Make the selected run the baseline of its device, problem and workload</source>
        <translation>把选中的运行设为其设备、题目和工作负载的基线</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the selected session</source>
        <translation>关闭选中的会话</translation>
    </message>
    <message>
        <source>&amp;Notes on the selected run</source>
        <translation>选中运行的备注(&amp;N)</translation>
    </message>
    <message>
        <source>Notes on the selected run</source>
        <translation>选中运行的备注</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>emulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>Only a run whose verdict is pass can be a baseline.</source>
        <translation>只有结论为通过的运行才能作为基线。</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::SolChart</name>
    <message>
        <source>No runs yet. A bar shows how much of the speed of light (T_SOL) a run reaches.</source>
        <translation>还没有运行。横条显示一次运行达到极限速度（T_SOL）的多少。</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>题目</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>SOL</source>
        <translation>极限占比</translation>
    </message>
    <message>
        <source>SOL score</source>
        <translation>SOL 得分</translation>
    </message>
    <message>
        <source>T_SOL</source>
        <translation>T_SOL（极限时间）</translation>
    </message>
    <message>
        <source>Cold median</source>
        <translation>冷缓存中位数</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>瓶颈</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>share of the speed of light [%], datasheet ceilings</source>
        <translation>占极限速度的比例 [%]，按数据手册上限</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>no ceiling: T_SOL is not known</source>
        <translation>没有上限：T_SOL 未知</translation>
    </message>
    <message>
        <source>T_SOL (not timed)</source>
        <translation>T_SOL（未计时）</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s); 100 % is T_SOL.</source>
        <translation>
            <numerusform>%n 次运行；100 % 即 T_SOL。</numerusform>
        </translation>
    </message>
    <message>
        <source>Speed of light</source>
        <translation>极限速度 SOL</translation>
    </message>
    <message>
        <source>T_SOL %1</source>
        <translation>T_SOL %1</translation>
    </message>
    <message>
        <source>not timed</source>
        <translation>未计时</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::SourceFile</name>
    <message>
        <source>untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>with BOM</source>
        <translation>带 BOM</translation>
    </message>
    <message>
        <source>LF and CRLF</source>
        <translation>LF 与 CRLF 混用</translation>
    </message>
    <message>
        <source>Convert to UTF-8</source>
        <translation>转换为 UTF-8</translation>
    </message>
    <message>
        <source>Read as %1</source>
        <translation>按 %1 读取</translation>
    </message>
    <message>
        <source>%1 is not UTF-8; it is shown as %2. Saving keeps the bytes of the file.</source>
        <translation>%1 不是 UTF-8；现按 %2 显示。保存时保持文件原有字节。</translation>
    </message>
    <message>
        <source>Save as UTF-8</source>
        <translation>另存为 UTF-8</translation>
    </message>
    <message>
        <source>Save the kernel</source>
        <translation>保存内核</translation>
    </message>
    <message>
        <source>Kernels (*.cu *.cuh *.ptx);;All files (*)</source>
        <translation>内核 (*.cu *.cuh *.ptx);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 was removed by another program. The text is still here; save it to write it again.</source>
        <translation>%1 已被其他程序删除。文本仍在此处；保存即可重新写入。</translation>
    </message>
    <message>
        <source>%1 was changed by another program and has been read again.</source>
        <translation>%1 已被其他程序修改，现已重新读取。</translation>
    </message>
    <message>
        <source>%1 was changed by another program, and here as well.</source>
        <translation>%1 已被其他程序修改，此处也有改动。</translation>
    </message>
    <message>
        <source>Read it again, losing what was typed here</source>
        <translation>重新读取，放弃此处的输入</translation>
    </message>
    <message>
        <source>Keep this text</source>
        <translation>保留此处文本</translation>
    </message>
    <message>
        <source>Unsaved text</source>
        <translation>未保存的文本</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved.</source>
        <translation>%1 有未保存的改动。</translation>
    </message>
    <message>
        <source>Keep both: save this text under another name</source>
        <translation>两者都保留：把这里的文本另存为</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::TimingChart</name>
    <message>
        <source>Cold: L2 flushed</source>
        <translation>冷缓存：清空 L2</translation>
    </message>
    <message>
        <source>Warm: back to back</source>
        <translation>热缓存：连续运行</translation>
    </message>
    <message>
        <source>Launch-inclusive: as the host sees it</source>
        <translation>含启动：主机所见</translation>
    </message>
    <message>
        <source>Kind of time</source>
        <translation>时间种类</translation>
    </message>
    <message>
        <source>Three kinds of time that are never mixed in one picture</source>
        <translation>三种时间绝不混在同一图中</translation>
    </message>
    <message>
        <source>No runs yet. Press F5 to compile, verify and time the kernel, or open a session.</source>
        <translation>还没有运行。按 F5 编译、校验并计时，或打开会话。</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>题目</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Q1</source>
        <translation>第一四分位</translation>
    </message>
    <message>
        <source>Q3</source>
        <translation>第三四分位</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>SM clock</source>
        <translation>SM 时钟</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>time per run</source>
        <translation>每次运行时间</translation>
    </message>
    <message>
        <source>not timed</source>
        <translation>未计时</translation>
    </message>
    <message numerus="yes">
        <source>%n not timed</source>
        <translation>
            <numerusform>%n 个未计时</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 timed and %2 not timed runs of %3 series.</source>
        <translation>%3 个系列：%1 次已计时，%2 次未计时。</translation>
    </message>
    <message>
        <source>%1, %2: median %3, quartiles %4 to %5, %6 samples (%7), verdict %8</source>
        <translation>%1，%2：中位数 %3，四分位 %4 至 %5，%6 个样本（%7），结论：%8</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>计时</translation>
    </message>
    <message>
        <source>Not timed: these runs come from the emulator, which has no clock, or did not pass. Verdicts and T_SOL are in the other panes.</source>
        <translation>未计时：这些运行来自没有时钟的模拟器，或者没有通过。结论和 T_SOL 见其他窗格。</translation>
    </message>
</context>
<context>
    <name>ridge::desktop::VerificationPane</name>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>线程块 %1</translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>seen %1 times</source>
        <translation>出现 %1 次</translation>
    </message>
    <message>
        <source>%1 of %2 elements wrong</source>
        <translation>%2 个元素中 %1 个错误</translation>
    </message>
    <message>
        <source>largest absolute error %1</source>
        <translation>最大绝对误差 %1</translation>
    </message>
    <message>
        <source>largest relative error %1</source>
        <translation>最大相对误差 %1</translation>
    </message>
    <message>
        <source>mean squared error %1</source>
        <translation>均方误差 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n judged launch(es)</source>
        <translation>
            <numerusform>%n 次受检启动</numerusform>
        </translation>
    </message>
    <message>
        <source>the same bits each time</source>
        <translation>每次逐位相同</translation>
    </message>
    <message>
        <source>not the same bits each time</source>
        <translation>并非每次逐位相同</translation>
    </message>
    <message>
        <source>Tolerance of %1: |got − expected| ≤ %2 + %3 · |expected|</source>
        <translation>%1 的容差：|实际 − 期望| ≤ %2 + %3 · |期望|</translation>
    </message>
    <message>
        <source>mean squared error ≤ %1</source>
        <translation>均方误差 ≤ %1</translation>
    </message>
    <message>
        <source>as the problem states</source>
        <translation>按题目规定</translation>
    </message>
    <message>
        <source>%1 of it used</source>
        <translation>已用 %1</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>下标</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>期望</translation>
    </message>
    <message>
        <source>Got</source>
        <translation>实际</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Verification</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现的问题</translation>
    </message>
    <message>
        <source>Errors in numbers</source>
        <translation>误差数值</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>First mismatches</source>
        <translation>最先出现的不一致</translation>
    </message>
    <message>
        <source>Where the output is wrong</source>
        <translation>输出错误的位置</translation>
    </message>
    <message>
        <source>Error map</source>
        <translation>错误分布图</translation>
    </message>
    <message>
        <source>No verdict yet. Press F5 to run the kernel against the problem&apos;s reference.</source>
        <translation>还没有结论。按 F5 用题目的参考实现检验内核。</translation>
    </message>
    <message>
        <source>of the text before the last change</source>
        <translation>对应上次修改之前的文本</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>线程块</translation>
    </message>
    <message>
        <source>Warp</source>
        <translation>线程束</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>launch %1</source>
        <translation>第 %1 次启动</translation>
    </message>
    <message numerus="yes">
        <source>%n wrong element(s) are not in here: stored by no thread, or by several blocks.</source>
        <translation>
            <numerusform>有 %n 个错误元素不在图中：没有线程写过，或由多个线程块写入。</numerusform>
        </translation>
    </message>
    <message>
        <source>Which thread stored an element only the emulator can tell: run it there to see blocks, warps and lanes.</source>
        <translation>只有模拟器知道哪个线程写了元素：在模拟器上运行可看到线程块、线程束和通道。</translation>
    </message>
    <message>
        <source>What the error map shows</source>
        <translation>误差图显示的内容</translation>
    </message>
    <message>
        <source>Note on the error map</source>
        <translation>误差图的说明</translation>
    </message>
    <message>
        <source>exceeded %1 times</source>
        <translation>超出 %1 倍</translation>
    </message>
    <message>
        <source>%1: wrong by block</source>
        <translation>%1：按线程块的错误</translation>
    </message>
    <message>
        <source>%1: wrong by warp and lane</source>
        <translation>%1：按线程束和通道的错误</translation>
    </message>
    <message>
        <source>%1: wrong by place</source>
        <translation>%1：按位置的错误</translation>
    </message>
    <message>
        <source>largest error %1 ULP</source>
        <translation>最大误差 %1 ULP</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>警告：%1</translation>
    </message>
</context>
</TS>
