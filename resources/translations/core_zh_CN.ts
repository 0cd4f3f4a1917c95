<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>core</name>
    <message>
        <source>The worker serves no device.</source>
        <translation>工作进程没有提供设备。</translation>
    </message>
    <message>
        <source>{}:{}: {}</source>
        <translation>{}:{}：{}</translation>
    </message>
    <message>
        <source>{} {}: {}</source>
        <translation>{} {}：{}</translation>
    </message>
    <message>
        <source>cannot read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>{} is no regular file</source>
        <translation>{} 不是普通文件</translation>
    </message>
    <message>
        <source>name a file</source>
        <translation>请指定文件</translation>
    </message>
    <message>
        <source>{} has {}; the limit is {}</source>
        <translation>{} 有 {}，上限为 {}</translation>
    </message>
    <message>
        <source>name a smaller file</source>
        <translation>请指定较小的文件</translation>
    </message>
    <message>
        <source>cannot write</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <source>cannot make the folder</source>
        <translation>无法创建文件夹</translation>
    </message>
    <message>
        <source>cannot write in</source>
        <translation>无法写入文件夹</translation>
    </message>
    <message>
        <source>cannot replace</source>
        <translation>无法替换</translation>
    </message>
    <message>
        <source>the JSON is nested deeper than {} levels (line {})</source>
        <translation>JSON 嵌套超过 {} 层（第 {} 行）</translation>
    </message>
    <message>
        <source>flatten it</source>
        <translation>请减少嵌套</translation>
    </message>
    <message>
        <source>not JSON at line {}, column {}: {}</source>
        <translation>第 {} 行第 {} 列不是 JSON：{}</translation>
    </message>
    <message>
        <source>not JSON: {}</source>
        <translation>不是 JSON：{}</translation>
    </message>
    <message>
        <source>{} is missing</source>
        <translation>缺少{}</translation>
    </message>
    <message>
        <source>{} is &apos;{}&apos;, which Ridgepoint {} does not know</source>
        <translation>{0}为“{1}”，Ridgepoint {2} 不认识它</translation>
    </message>
    <message>
        <source>use the release that wrote it</source>
        <translation>请使用写出它的版本</translation>
    </message>
    <message>
        <source>{} {}</source>
        <translation>{}{}</translation>
    </message>
    <message>
        <source>{}, {}</source>
        <translation>{}、{}</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>任何内容</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>one of {}</source>
        <translation>可用的有 {}</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>a whole number from {} to {}</source>
        <translation>从 {} 到 {} 的整数</translation>
    </message>
    <message>
        <source>a whole number of at least {}</source>
        <translation>不小于 {} 的整数</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a number of at least 0</source>
        <translation>不小于 0 的数</translation>
    </message>
    <message>
        <source>a finite number of at least 0</source>
        <translation>不小于 0 的有限数</translation>
    </message>
    <message>
        <source>a finite number above 0</source>
        <translation>大于 0 的有限数</translation>
    </message>
    <message>
        <source>a list of {}</source>
        <translation>含 {} 项的列表</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>{}, or null</source>
        <translation>{}，或 null</translation>
    </message>
    <message>
        <source>the document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>{} is {}, and should be {}</source>
        <translation>{} 是 {}，而应为{}</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有该文件或文件夹</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是一个文件夹</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是文件夹</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备空间不足</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>只读文件系统</translation>
    </message>
    <message>
        <source>{}. {}</source>
        <translation>{}。{}</translation>
    </message>
    <message>
        <source>answer by {}</source>
        <translation>请用 {} 回答</translation>
    </message>
    <message>
        <source>A cooperative launch of {} blocks does not fit: {} of them can be on {} at once ({} on each of {} SMs). Use fewer blocks and let each do more work.</source>
        <translation>协作启动的 {0} 个线程块放不下：{2} 上最多同时驻留 {1} 个（{4} 个 SM，每个 {3} 个）。请减少线程块数，让每块多做一些工作。</translation>
    </message>
    <message>
        <source>needs {}, free {}</source>
        <translation>需要 {}，可用 {}</translation>
    </message>
    <message>
        <source>Choose a smaller workload.</source>
        <translation>请选择较小的工作负载。</translation>
    </message>
    <message>
        <source>{} (with the reference&apos;s outputs)</source>
        <translation>{}（包括参考实现的输出）</translation>
    </message>
    <message>
        <source>the reference: {}</source>
        <translation>参考实现：{}</translation>
    </message>
    <message>
        <source>the job lacks its compiled reference</source>
        <translation>任务中缺少已编译的参考实现</translation>
    </message>
    <message>
        <source>The run was stopped.</source>
        <translation>运行已停止。</translation>
    </message>
    <message>
        <source>The language of the source</source>
        <translation>源码的语言</translation>
    </message>
    <message>
        <source>The option flush</source>
        <translation>选项 flush</translation>
    </message>
    <message>
        <source>problem {} has no workload {}</source>
        <translation>题目 {} 没有工作负载 {}</translation>
    </message>
    <message>
        <source>it has {}</source>
        <translation>现有：{}</translation>
    </message>
    <message>
        <source>{} is near</source>
        <translation>相近的有 {}</translation>
    </message>
    <message>
        <source>problem {} has no workload</source>
        <translation>题目 {} 没有工作负载</translation>
    </message>
    <message>
        <source>add a [[workloads]] table, or give every axis by --axis NAME=VALUE</source>
        <translation>请添加 [[workloads]] 表，或用 --axis NAME=VALUE 给出每个轴</translation>
    </message>
    <message>
        <source>problem {} has no axis {}</source>
        <translation>题目 {} 没有轴 {}</translation>
    </message>
    <message>
        <source>axis {} is not set by workloads</source>
        <translation>轴 {} 不由工作负载设定</translation>
    </message>
    <message>
        <source>axes that --axis can set: {}</source>
        <translation>--axis 可设定的轴：{}</translation>
    </message>
    <message>
        <source>give an extent of at least {}</source>
        <translation>请给出至少为 {} 的大小</translation>
    </message>
    <message>
        <source>--axis {}={}: it is below {}</source>
        <translation>--axis {}={}：小于 {}</translation>
    </message>
    <message>
        <source>--kernel chooses one kernel, but the source launches several</source>
        <translation>--kernel 只选一个内核，而源码会启动多个内核</translation>
    </message>
    <message>
        <source>change its //@ kernel: lines</source>
        <translation>请修改其中的 //@ kernel: 行</translation>
    </message>
    <message>
        <source>A large workload: it runs on a GPU, or when it is named by --workload.</source>
        <translation>大型工作负载：在 GPU 上运行，或用 --workload 指定时运行。</translation>
    </message>
    <message>
        <source>The source does not compile.</source>
        <translation>源码无法通过编译。</translation>
    </message>
    <message>
        <source>the reference of {} is a Python program</source>
        <translation>{} 的参考实现是 Python 程序</translation>
    </message>
    <message>
        <source>read it, then allow it to run by --allow-python</source>
        <translation>请先阅读它，再用 --allow-python 允许运行</translation>
    </message>
    <message>
        <source>the reference leaves a question open: {}</source>
        <translation>参考实现还有问题待回答：{}</translation>
    </message>
    <message>
        <source>answer it by {}</source>
        <translation>请用 {} 回答</translation>
    </message>
    <message>
        <source>the reference does not compile</source>
        <translation>参考实现无法通过编译</translation>
    </message>
    <message>
        <source>the reference cannot be launched: {}</source>
        <translation>参考实现无法启动：{}</translation>
    </message>
    <message>
        <source>{} and {} more</source>
        <translation>{} 以及另外 {} 个</translation>
    </message>
    <message>
        <source>texture references (texture&lt;...&gt;) were removed in CUDA 12</source>
        <translation>纹理引用（texture&lt;...&gt;）已在 CUDA 12 中移除</translation>
    </message>
    <message>
        <source>Use a texture object (cudaTextureObject_t) as a kernel parameter; the installation is not at fault</source>
        <translation>请改用纹理对象（cudaTextureObject_t）作为内核形参；安装没有问题</translation>
    </message>
    <message>
        <source>surface references (surface&lt;...&gt;) were removed in CUDA 12</source>
        <translation>表面引用（surface&lt;...&gt;）已在 CUDA 12 中移除</translation>
    </message>
    <message>
        <source>Use a surface object (cudaSurfaceObject_t) as a kernel parameter; the installation is not at fault</source>
        <translation>请改用表面对象（cudaSurfaceObject_t）作为内核形参；安装没有问题</translation>
    </message>
    <message>
        <source>The shuffles without mask were removed: __shfl_down_sync(0xffffffff, value, offset) and its kin replace them</source>
        <translation>不带掩码的洗牌函数已移除：请改用 __shfl_down_sync(0xffffffff, value, offset) 及其同类</translation>
    </message>
    <message>
        <source>Write __ballot_sync(0xffffffff, predicate)</source>
        <translation>请写 __ballot_sync(0xffffffff, predicate)</translation>
    </message>
    <message>
        <source>Write __any_sync(0xffffffff, predicate)</source>
        <translation>请写 __any_sync(0xffffffff, predicate)</translation>
    </message>
    <message>
        <source>Write __all_sync(0xffffffff, predicate)</source>
        <translation>请写 __all_sync(0xffffffff, predicate)</translation>
    </message>
    <message>
        <source>A kernel cannot launch kernels here: launch each one by a //@ kernel: line of its own</source>
        <translation>内核在这里不能启动其他内核：请为每个内核各写一行 //@ kernel:</translation>
    </message>
    <message>
        <source>Only device code is compiled at run time: remove the host function, or mark it __device__</source>
        <translation>运行时只编译设备代码：请删除该主机函数，或标记为 __device__</translation>
    </message>
    <message>
        <source>Only device code is compiled at run time: write __device__ or __constant__ in front of the variable</source>
        <translation>运行时只编译设备代码：请在变量前写 __device__ 或 __constant__</translation>
    </message>
    <message>
        <source>The CUDA headers come from more than one toolkit: keep include and include/cccl of one and the same</source>
        <translation>CUDA 头文件来自多个工具包：请只保留同一个工具包的 include 和 include/cccl</translation>
    </message>
    <message>
        <source>Add #include &lt;cuda_fp16.h&gt;</source>
        <translation>请添加 #include &lt;cuda_fp16.h&gt;</translation>
    </message>
    <message>
        <source>Add #include &lt;cuda_bf16.h&gt;</source>
        <translation>请添加 #include &lt;cuda_bf16.h&gt;</translation>
    </message>
    <message>
        <source>Add #include &lt;cuda_fp8.h&gt;</source>
        <translation>请添加 #include &lt;cuda_fp8.h&gt;</translation>
    </message>
    <message>
        <source>Include the header that declares the namespace: &lt;mma.h&gt; for nvcuda, &lt;cooperative_groups.h&gt; for cooperative_groups</source>
        <translation>请包含声明该命名空间的头文件：nvcuda 用 &lt;mma.h&gt;，cooperative_groups 用 &lt;cooperative_groups.h&gt;</translation>
    </message>
    <message>
        <source>NVRTC has no C++ standard library: use cuda::std with its header &lt;cuda/std/...&gt;</source>
        <translation>NVRTC 没有 C++ 标准库：请使用 cuda::std 及其头文件 &lt;cuda/std/...&gt;</translation>
    </message>
    <message>
        <source>The function is declared but its body is in no file that was compiled: put it into this file or an included one</source>
        <translation>函数已声明，但其函数体不在任何参与编译的文件中：请放入本文件或被包含的文件</translation>
    </message>
    <message>
        <source>Qualify the name, or remove the using directive that brings in the second one</source>
        <translation>请加上限定名，或去掉引入另一个同名者的 using 指令</translation>
    </message>
    <message>
        <source>Mend the first errors; the others often follow from them</source>
        <translation>请先修正最前面的错误；其余的往往由它们引起</translation>
    </message>
    <message>
        <source>{} belongs to the CUDA toolkit&apos;s C++ core libraries</source>
        <translation>{} 属于 CUDA 工具包的 C++ 核心库</translation>
    </message>
    <message>
        <source>{} belongs to the CUDA toolkit&apos;s runtime headers</source>
        <translation>{} 属于 CUDA 工具包的运行时头文件</translation>
    </message>
    <message>
        <source>{} belongs to the CUDA toolkit&apos;s compiler headers</source>
        <translation>{} 属于 CUDA 工具包的编译器头文件</translation>
    </message>
    <message>
        <source>{} belongs to cuRAND</source>
        <translation>{} 属于 cuRAND</translation>
    </message>
    <message>
        <source>{} belongs to CUTLASS, which is not on the include path</source>
        <translation>{} 属于 CUTLASS，而它不在包含路径上</translation>
    </message>
    <message>
        <source>{} belongs to PyTorch&apos;s host side</source>
        <translation>{} 属于 PyTorch 的主机端</translation>
    </message>
    <message>
        <source>{} belongs to Python bindings on the host</source>
        <translation>{} 属于主机端的 Python 绑定</translation>
    </message>
    <message>
        <source>{} belongs to a library of the host</source>
        <translation>{} 属于主机端的库</translation>
    </message>
    <message>
        <source>{} belongs to the host side of NVIDIA&apos;s samples</source>
        <translation>{} 属于 NVIDIA 示例的主机端</translation>
    </message>
    <message>
        <source>{} is the host&apos;s driver interface</source>
        <translation>{} 是主机端的驱动接口</translation>
    </message>
    <message>
        <source>NVRTC {} was found without it</source>
        <translation>找到的 NVRTC {} 没有它</translation>
    </message>
    <message>
        <source>NVRTC {} was found without it in {}</source>
        <translation>找到的 NVRTC {} 在 {} 中没有它</translation>
    </message>
    <message>
        <source>{}: install cuda-cccl-{} (wheel nvidia-cuda-cccl) of the same toolkit</source>
        <translation>{}：请安装同一工具包的 cuda-cccl-{}（wheel 包 nvidia-cuda-cccl）</translation>
    </message>
    <message>
        <source>{}: install libcurand-dev-{} (wheel nvidia-curand)</source>
        <translation>{}：请安装 libcurand-dev-{}（wheel 包 nvidia-curand）</translation>
    </message>
    <message>
        <source>{}: install cuda-crt-{} (wheel nvidia-cuda-crt)</source>
        <translation>{}：请安装 cuda-crt-{}（wheel 包 nvidia-cuda-crt）</translation>
    </message>
    <message>
        <source>{}: install cuda-cudart-dev-{} (wheel nvidia-cuda-runtime) of the same toolkit</source>
        <translation>{}：请安装同一工具包的 cuda-cudart-dev-{}（wheel 包 nvidia-cuda-runtime）</translation>
    </message>
    <message>
        <source>&lt;{}&gt; is a header of the host&apos;s compiler, which NVRTC does not have</source>
        <translation>&lt;{}&gt; 是主机编译器的头文件，NVRTC 没有它</translation>
    </message>
    <message>
        <source>Remove the line: printf, assert and the math functions need none; for types and templates take &lt;cuda/std/...&gt;</source>
        <translation>请删除该行：printf、assert 和数学函数都不需要它；类型和模板请用 &lt;cuda/std/...&gt;</translation>
    </message>
    <message>
        <source>Only device code is compiled at run time: remove the line and what needs it</source>
        <translation>运行时只编译设备代码：请删除该行以及依赖它的部分</translation>
    </message>
    <message>
        <source>Name CUTLASS&apos;s folder: //@ options: -I/path/to/cutlass/include; the kernel itself is not at fault</source>
        <translation>请给出 CUTLASS 的文件夹：//@ options: -I/path/to/cutlass/include；内核本身没有问题</translation>
    </message>
    <message>
        <source>{} is neither beside the file nor on the include path: the kernel needs its project</source>
        <translation>{} 既不在文件旁边，也不在包含路径上：此内核需要它所属的项目</translation>
    </message>
    <message>
        <source>Name the folder it lies in: //@ options: -I/path/to/folder</source>
        <translation>请给出它所在的文件夹：//@ options: -I/path/to/folder</translation>
    </message>
    <message>
        <source>No assembler here knows it. Write one that it knows, such as .target {}</source>
        <translation>这里的汇编器不认识它。请写一个它认识的，例如 .target {}</translation>
    </message>
    <message>
        <source>Compile for {} (//@ arch: {}): features of one architecture need its &apos;a&apos; variant</source>
        <translation>请按 {} 编译（//@ arch: {}）：某一架构特有的功能需要其 a 变体</translation>
    </message>
    <message>
        <source>The instruction belongs to another architecture than {}: use a device that has it</source>
        <translation>该指令不属于架构 {}：请使用支持它的设备</translation>
    </message>
    <message>
        <source>That is an option of nvcc which NVRTC does not have: remove it (for ptxas: --ptxas-options=...)</source>
        <translation>这是 nvcc 的选项，NVRTC 没有：请去掉它（传给 ptxas 请用 --ptxas-options=...）</translation>
    </message>
    <message>
        <source>Correct the //@ options: line; NVRTC&apos;s own options are in its documentation, such as --use_fast_math</source>
        <translation>请更正 //@ options: 行；NVRTC 自己的选项见其文档，例如 --use_fast_math</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is the name of {} kernels</source>
        <translation>“{}”是 {} 个内核共有的名称</translation>
    </message>
    <message>
        <source>Select one by its parameters: //@ kernel: {}</source>
        <translation>请按形参选择其一：//@ kernel: {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; names no instance of the template {}: {}</source>
        <translation>“{}”不是模板 {} 的实例：{}</translation>
    </message>
    <message>
        <source>Give a value for each of {}: //@ kernel: {}&lt;...&gt;</source>
        <translation>请为 {} 各给出一个值：//@ kernel: {}&lt;...&gt;</translation>
    </message>
    <message>
        <source>There is no kernel &apos;{}&apos;: {}</source>
        <translation>没有内核“{}”：{}</translation>
    </message>
    <message>
        <source>The file holds no __global__ function</source>
        <translation>文件中没有 __global__ 函数</translation>
    </message>
    <message>
        <source>The file has {}</source>
        <translation>文件中有 {}</translation>
    </message>
    <message>
        <source>Did you mean &apos;{}&apos;? {}</source>
        <translation>是否想写“{}”？{}</translation>
    </message>
    <message>
        <source>Compiled, but the module holds no kernel: {} is a template at line {} that nothing instantiates</source>
        <translation>编译通过，但模块中没有内核：第 {1} 行的 {0} 是模板，没有任何地方将其实例化</translation>
    </message>
    <message>
        <source>Name an instance, with a value for each of {}: //@ kernel: {}&lt;...&gt;</source>
        <translation>请指定一个实例，为 {} 各给出一个值：//@ kernel: {}&lt;...&gt;</translation>
    </message>
    <message>
        <source>Compiled, but the module holds no kernel: {} is left out by the preprocessor, or static and not asked for</source>
        <translation>编译通过，但模块中没有内核：{} 被预处理器去掉了，或是没有被指定的 static 函数</translation>
    </message>
    <message>
        <source>Name it: //@ kernel: {}</source>
        <translation>请指定它：//@ kernel: {}</translation>
    </message>
    <message>
        <source>The file holds no __global__ function: there is nothing to run</source>
        <translation>文件中没有 __global__ 函数：没有可运行的内容</translation>
    </message>
    <message>
        <source>Write a kernel: __global__ void name(...) { ... }</source>
        <translation>请写一个内核：__global__ void name(...) { ... }</translation>
    </message>
    <message>
        <source>{} uses {} bytes of static shared memory</source>
        <translation>{} 使用了 {} 字节的静态共享内存</translation>
    </message>
    <message>
        <source>{} ({}, line {})</source>
        <translation>{}（{}，第 {} 行）</translation>
    </message>
    <message>
        <source>{}, the limit is {}</source>
        <translation>{}，上限为 {}</translation>
    </message>
    <message>
        <source>Declare it extern __shared__ and give the size at launch (//@ shared: {})</source>
        <translation>请声明为 extern __shared__，并在启动时给出大小（//@ shared: {}）</translation>
    </message>
    <message>
        <source>{} cannot be compiled at run time ({}:{}: {}; {} more errors inside the toolkit&apos;s headers)</source>
        <translation>{} 无法在运行时编译（{}:{}：{}；工具包头文件中还有 {} 个错误）</translation>
    </message>
    <message>
        <source>{} cannot be compiled at run time ({}:{}: {})</source>
        <translation>{} 无法在运行时编译（{}:{}：{}）</translation>
    </message>
    <message>
        <source>It is made for nvcc and host code: include the headers of the single primitives instead</source>
        <translation>它是为 nvcc 和主机代码准备的：请改为包含各个原语自己的头文件</translation>
    </message>
    <message>
        <source>Include the block and warp headers instead, such as &lt;cub/block/block_reduce.cuh&gt;</source>
        <translation>请改为包含 block 和 warp 级的头文件，例如 &lt;cub/block/block_reduce.cuh&gt;</translation>
    </message>
    <message>
        <source>Replace the line by #include &lt;{}&gt;</source>
        <translation>请把该行换成 #include &lt;{}&gt;</translation>
    </message>
    <message>
        <source>thrust is made for host code; in a kernel use cub&apos;s block and warp primitives or plain loops</source>
        <translation>thrust 是为主机代码准备的；在内核中请使用 cub 的 block 和 warp 级原语，或普通循环</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no architecture that {} compiles for</source>
        <translation>“{}”不是 {} 能编译的架构</translation>
    </message>
    <message>
        <source>{}: CUDA 13 removed everything before sm_75 (Turing)</source>
        <translation>{}：CUDA 13 移除了 sm_75（Turing）之前的所有架构</translation>
    </message>
    <message>
        <source>Use one of {}</source>
        <translation>请使用以下之一：{}</translation>
    </message>
    <message>
        <source>{}; it is the device&apos;s own</source>
        <translation>{}；它是设备自身的架构</translation>
    </message>
    <message>
        <source>Install a newer CUDA Toolkit, or choose another architecture by --arch. {}</source>
        <translation>请安装更新的 CUDA Toolkit，或用 --arch 选择其他架构。{}</translation>
    </message>
    <message>
        <source>The PTX could not be written to a temporary file.</source>
        <translation>无法把 PTX 写入临时文件。</translation>
    </message>
    <message>
        <source>Free some disk space</source>
        <translation>请腾出一些磁盘空间</translation>
    </message>
    <message>
        <source>{} could not be loaded.</source>
        <translation>无法加载 {}。</translation>
    </message>
    <message>
        <source>Reinstall the CUDA toolkit</source>
        <translation>请重新安装 CUDA 工具包</translation>
    </message>
    <message>
        <source>nvJitLink does not take {} and the source&apos;s options.</source>
        <translation>nvJitLink 不接受 {} 以及源文件的选项。</translation>
    </message>
    <message>
        <source>Install cuda-nvcc of the toolkit for its ptxas</source>
        <translation>请安装工具包的 cuda-nvcc，以使用其中的 ptxas</translation>
    </message>
    <message>
        <source>&apos;{}&apos; does not belong to the options</source>
        <translation>“{}”不应写在选项中</translation>
    </message>
    <message>
        <source>Write //@ arch: sm_90a on a line of its own</source>
        <translation>请另起一行写 //@ arch: sm_90a</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is for CUDA C++; the PTX is assembled without it</source>
        <translation>“{}”用于 CUDA C++；汇编 PTX 时不使用它</translation>
    </message>
    <message>
        <source>Options of the assembler are --ptxas-options=… and --maxrregcount=…</source>
        <translation>汇编器的选项是 --ptxas-options=… 与 --maxrregcount=…</translation>
    </message>
    <message>
        <source>There is no nvdisasm in the toolkit or on the path: no SASS can be shown.</source>
        <translation>工具包和 PATH 中都没有 nvdisasm：无法显示 SASS。</translation>
    </message>
    <message>
        <source>Install cuda-nvdisasm of the toolkit (wheel nvidia-cuda-nvdisasm)</source>
        <translation>请安装工具包的 cuda-nvdisasm（wheel 包 nvidia-cuda-nvdisasm）</translation>
    </message>
    <message>
        <source>There is no binary to disassemble.</source>
        <translation>没有可反汇编的二进制代码。</translation>
    </message>
    <message>
        <source>Compile for sm_XX, not compute_XX</source>
        <translation>请按 sm_XX 编译，而不是 compute_XX</translation>
    </message>
    <message>
        <source>The binary could not be written to a temporary file.</source>
        <translation>无法把二进制代码写入临时文件。</translation>
    </message>
    <message>
        <source>nvdisasm failed: {}</source>
        <translation>nvdisasm 失败：{}</translation>
    </message>
    <message>
        <source>This is no {}: the JSON lacks what it must have</source>
        <translation>这不是{}：JSON 缺少必需的内容</translation>
    </message>
    <message>
        <source>compiled kernel</source>
        <translation>已编译的内核</translation>
    </message>
    <message>
        <source>compiled kernel (its cubin is no base64)</source>
        <translation>已编译的内核（其 cubin 不是 base64）</translation>
    </message>
    <message>
        <source>compile request</source>
        <translation>编译请求</translation>
    </message>
    <message>
        <source>{} ({} more of the same)</source>
        <translation>{}（另有 {} 个相同的）</translation>
    </message>
    <message>
        <source>{} ({} more on this line)</source>
        <translation>{}（本行另有 {} 个）</translation>
    </message>
    <message>
        <source>NVRTC could not be loaded: {}</source>
        <translation>无法加载 NVRTC：{}</translation>
    </message>
    <message>
        <source>Install a CUDA toolkit 12.9 or newer and set CUDA_HOME to its folder</source>
        <translation>请安装 12.9 或更新的 CUDA 工具包，并将 CUDA_HOME 设为其文件夹</translation>
    </message>
    <message>
        <source>{} has no {}: it is too old or no NVRTC</source>
        <translation>{} 中没有 {}：版本太旧，或不是 NVRTC</translation>
    </message>
    <message>
        <source>Use a CUDA toolkit 12.9 or newer</source>
        <translation>请使用 12.9 或更新的 CUDA 工具包</translation>
    </message>
    <message>
        <source>{} does not answer</source>
        <translation>{} 没有响应</translation>
    </message>
    <message>
        <source>NVRTC failed without saying why: {}</source>
        <translation>NVRTC 失败，没有说明原因：{}</translation>
    </message>
    <message>
        <source>{} ({}:{})</source>
        <translation>{}（{}:{}）</translation>
    </message>
    <message>
        <source>{} (line {} of the PTX)</source>
        <translation>{}（PTX 第 {} 行）</translation>
    </message>
    <message>
        <source>These options give neither PTX nor a binary that could be run</source>
        <translation>这些选项既不产生 PTX，也不产生可运行的二进制代码</translation>
    </message>
    <message>
        <source>Remove -dlto and the like from //@ options:</source>
        <translation>请从 //@ options: 中去掉 -dlto 之类的选项</translation>
    </message>
    <message>
        <source>The PTX is for {}, and {} does not run that</source>
        <translation>该 PTX 面向 {}，{} 不能运行它</translation>
    </message>
    <message>
        <source>Choose an architecture by --arch (for the emulator also a device by --model) that runs it, or write the PTX for an older one</source>
        <translation>请用 --arch 选择能运行它的架构（对模拟器还可用 --model 选择设备），或者为更早的架构编写该 PTX</translation>
    </message>
    <message>
        <source>The file ends in .ptx but holds CUDA C++: no .version directive, __global__ in line {}</source>
        <translation>文件以 .ptx 结尾，内容却是 CUDA C++：没有 .version 指示，第 {} 行有 __global__</translation>
    </message>
    <message>
        <source>Rename it to end in .cu</source>
        <translation>请改名为以 .cu 结尾</translation>
    </message>
    <message>
        <source>This is no PTX: it has no .version directive</source>
        <translation>这不是 PTX：没有 .version 指示</translation>
    </message>
    <message>
        <source>PTX starts with .version, .target and .address_size, as nvcc --ptx writes it</source>
        <translation>PTX 以 .version、.target 和 .address_size 开头，如 nvcc --ptx 的输出</translation>
    </message>
    <message>
        <source>PTX ISA {} is newer than {}, the newest that this toolkit ({}) knows</source>
        <translation>PTX ISA {0} 比此工具包（{2}）支持的最新版本 {1} 还新</translation>
    </message>
    <message>
        <source>Install a newer toolkit and driver, or write the PTX for an older version</source>
        <translation>请安装更新的工具包和驱动程序，或按较旧的版本书写 PTX</translation>
    </message>
    <message>
        <source>The file ends: it is truncated</source>
        <translation>文件提前结束：不完整</translation>
    </message>
    <message>
        <source>The file ends inside the body of {}: it is truncated</source>
        <translation>文件在 {} 的函数体中提前结束：不完整</translation>
    </message>
    <message>
        <source>Take the whole file</source>
        <translation>请使用完整的文件</translation>
    </message>
    <message>
        <source>The PTX holds no .entry: there is nothing to run</source>
        <translation>PTX 中没有 .entry：没有可运行的内容</translation>
    </message>
    <message>
        <source>Compile it from a file with a __global__ function</source>
        <translation>请从含有 __global__ 函数的文件编译</translation>
    </message>
    <message>
        <source>The PTX could not be assembled: {}</source>
        <translation>无法汇编该 PTX：{}</translation>
    </message>
    <message>
        <source>{} could not be started: no pipe.</source>
        <translation>无法启动 {}：没有管道。</translation>
    </message>
    <message>
        <source>{} could not be started.</source>
        <translation>无法启动 {}。</translation>
    </message>
    <message>
        <source>Check that it may be executed</source>
        <translation>请检查它是否有执行权限</translation>
    </message>
    <message>
        <source>{} took longer than a minute or wrote too much.</source>
        <translation>{} 运行超过一分钟，或输出太多。</translation>
    </message>
    <message>
        <source>no libnvrtc.so.13 or .12</source>
        <translation>没有 libnvrtc.so.13 或 .12</translation>
    </message>
    <message>
        <source>CUDA {}.{} is older than 12.9</source>
        <translation>CUDA {}.{} 早于 12.9</translation>
    </message>
    <message>
        <source>{}: {}</source>
        <translation>{}：{}</translation>
    </message>
    <message>
        <source>{}; {}</source>
        <translation>{}；{}</translation>
    </message>
    <message>
        <source>No NVRTC of a CUDA toolkit 12.9 or newer was found ({}).</source>
        <translation>没有找到 12.9 或更新的 CUDA 工具包的 NVRTC（{}）。</translation>
    </message>
    <message>
        <source>Run packaging/run.sh, which fetches it, or install a CUDA toolkit and set CUDA_HOME to its folder</source>
        <translation>请运行 packaging/run.sh 获取它，或安装 CUDA 工具包并将 CUDA_HOME 设为其文件夹</translation>
    </message>
    <message>
        <source>another profiler (nsys, ncu, cuda-gdb) is attached to this process</source>
        <translation>另一个分析器（nsys、ncu 或 cuda-gdb）已附加到本进程</translation>
    </message>
    <message>
        <source>Run without it to get activity times.</source>
        <translation>不使用它运行即可得到活动计时。</translation>
    </message>
    <message>
        <source>CUPTI answered with error {}</source>
        <translation>CUPTI 返回错误 {}</translation>
    </message>
    <message>
        <source>there is no libcupti.so.13 or .12</source>
        <translation>找不到 libcupti.so.13 或 .12</translation>
    </message>
    <message>
        <source>Install the toolkit&apos;s CUPTI (cuda-cupti, or the wheel nvidia-cuda-cupti), or set RIDGE_CUDA_ROOT to a toolkit that has it.</source>
        <translation>请安装工具包的 CUPTI（cuda-cupti，或 wheel 包 nvidia-cuda-cupti），或将 RIDGE_CUDA_ROOT 指向含有它的工具包。</translation>
    </message>
    <message>
        <source>the libcupti found lacks the activity functions</source>
        <translation>找到的 libcupti 缺少活动记录函数</translation>
    </message>
    <message>
        <source>Use CUPTI of CUDA 12.9 or newer.</source>
        <translation>请使用 CUDA 12.9 或更新版本的 CUPTI。</translation>
    </message>
    <message>
        <source>Opening {}</source>
        <translation>打开 {}</translation>
    </message>
    <message>
        <source>{} can no longer be used by this process: {}</source>
        <translation>本进程已无法继续使用 {}：{}</translation>
    </message>
    <message>
        <source>Start the worker again; the GPU itself is usually fine.</source>
        <translation>请重新启动工作进程；GPU 本身通常没有问题。</translation>
    </message>
    <message>
        <source>Using {}</source>
        <translation>使用 {}</translation>
    </message>
    <message>
        <source>{}.</source>
        <translation>{}。</translation>
    </message>
    <message>
        <source>Hardware counters need a GPU of compute capability 7.5 or newer.</source>
        <translation>硬件计数器需要计算能力 7.5 或更高的 GPU。</translation>
    </message>
    <message>
        <source>The driver reserves hardware counters for administrators. Times and models are not affected. To read counters, start with CAP_SYS_ADMIN (in a container: --cap-add=SYS_ADMIN), or let an administrator put &quot;options nvidia NVreg_RestrictProfilingToAdminUsers=0&quot; into /etc/modprobe.d/ and reload the driver.</source>
        <translation>驱动程序只允许管理员读取硬件计数器，计时和模型不受影响。要读取计数器，请以 CAP_SYS_ADMIN 启动（容器中用 --cap-add=SYS_ADMIN），或由管理员在 /etc/modprobe.d/ 中写入 &quot;options nvidia NVreg_RestrictProfilingToAdminUsers=0&quot; 并重新加载驱动程序。</translation>
    </message>
    <message>
        <source>{} was still running after its time limit of {}. Look for a loop that never ends or a wait that nobody answers, or raise --time-limit.</source>
        <translation>{0} 超过时间限制 {1} 后仍在运行。请检查是否有不结束的循环或无人应答的等待，或调大 --time-limit。</translation>
    </message>
    <message>
        <source>{} This GPU drives a display: its watchdog would end the kernel too.</source>
        <translation>{}此 GPU 还驱动显示器，其看门狗也会终止内核。</translation>
    </message>
    <message>
        <source>Reading the free memory</source>
        <translation>读取空闲内存</translation>
    </message>
    <message>
        <source>The launch of {}</source>
        <translation>启动 {}</translation>
    </message>
    <message>
        <source>a kernel was still running after its time limit.</source>
        <translation>有内核超过时间限制后仍在运行。</translation>
    </message>
    <message>
        <source>a kernel was still running when the run was stopped.</source>
        <translation>停止运行时仍有内核在执行。</translation>
    </message>
    <message>
        <source>The module was loaded on another device.</source>
        <translation>该模块是在另一台设备上加载的。</translation>
    </message>
    <message>
        <source>Load it on the device that executes it.</source>
        <translation>请在执行它的设备上加载。</translation>
    </message>
    <message>
        <source>Restoring buffers</source>
        <translation>恢复缓冲区</translation>
    </message>
    <message>
        <source>Filling buffers</source>
        <translation>填充缓冲区</translation>
    </message>
    <message>
        <source>Listing GPUs</source>
        <translation>列出 GPU</translation>
    </message>
    <message>
        <source>There is no GPU cuda:{}: the driver shows {}.</source>
        <translation>没有 GPU cuda:{}：驱动程序只显示 {} 个。</translation>
    </message>
    <message>
        <source>List them with `ridge devices`; CUDA_VISIBLE_DEVICES hides and renumbers them.</source>
        <translation>用 `ridge devices` 列出它们；CUDA_VISIBLE_DEVICES 会隐藏 GPU 并改变编号。</translation>
    </message>
    <message>
        <source>Looking up GPU {}</source>
        <translation>查找 GPU {}</translation>
    </message>
    <message>
        <source>There is no NVIDIA driver: {}.</source>
        <translation>没有 NVIDIA 驱动程序：{}。</translation>
    </message>
    <message>
        <source>{} did not load</source>
        <translation>{} 无法加载</translation>
    </message>
    <message>
        <source>Correct or unset RIDGE_LIBCUDA.</source>
        <translation>请更正或取消设置 RIDGE_LIBCUDA。</translation>
    </message>
    <message>
        <source>Install NVIDIA&apos;s driver for this GPU, or use the emulator (--device emulator).</source>
        <translation>请为此 GPU 安装 NVIDIA 驱动程序，或使用模拟器（--device emulator）。</translation>
    </message>
    <message>
        <source>{} lacks {}: the NVIDIA driver is too old.</source>
        <translation>{} 缺少 {}：NVIDIA 驱动程序太旧。</translation>
    </message>
    <message>
        <source>Update to driver 525 (CUDA 12.0) or newer.</source>
        <translation>请更新到 525（CUDA 12.0）或更新的驱动程序。</translation>
    </message>
    <message>
        <source>Initialising the CUDA driver</source>
        <translation>初始化 CUDA 驱动程序</translation>
    </message>
    <message>
        <source>the driver refused an argument as out of range</source>
        <translation>驱动程序认为某个参数超出范围而拒绝</translation>
    </message>
    <message>
        <source>Check grid, block, shared memory and the sizes of the arguments.</source>
        <translation>请检查网格、线程块、共享内存以及各参数的大小。</translation>
    </message>
    <message>
        <source>the GPU&apos;s memory is used up</source>
        <translation>GPU 内存已用尽</translation>
    </message>
    <message>
        <source>Use a smaller workload, or end other programs that hold memory on this GPU (nvidia-smi lists them).</source>
        <translation>请使用较小的工作负载，或结束占用此 GPU 内存的其他程序（可用 nvidia-smi 查看）。</translation>
    </message>
    <message>
        <source>the driver was not initialised</source>
        <translation>驱动程序未初始化</translation>
    </message>
    <message>
        <source>Start the worker again; if it stays, reload the NVIDIA driver.</source>
        <translation>请重新启动工作进程；若问题依旧，请重新加载 NVIDIA 驱动程序。</translation>
    </message>
    <message>
        <source>the driver is shutting down</source>
        <translation>驱动程序正在关闭</translation>
    </message>
    <message>
        <source>Start the worker again.</source>
        <translation>请重新启动工作进程。</translation>
    </message>
    <message>
        <source>the toolkit&apos;s stub libcuda was loaded instead of the driver</source>
        <translation>加载的是工具包的 libcuda 存根，而不是驱动程序</translation>
    </message>
    <message>
        <source>Take the toolkit&apos;s lib/stubs folder out of LD_LIBRARY_PATH, or install the NVIDIA driver.</source>
        <translation>请把工具包的 lib/stubs 目录从 LD_LIBRARY_PATH 中去掉，或安装 NVIDIA 驱动程序。</translation>
    </message>
    <message>
        <source>the call needs a newer driver</source>
        <translation>该调用需要更新的驱动程序</translation>
    </message>
    <message>
        <source>Update the NVIDIA driver.</source>
        <translation>请更新 NVIDIA 驱动程序。</translation>
    </message>
    <message>
        <source>another process has this GPU for itself (exclusive compute mode)</source>
        <translation>另一个进程独占了此 GPU（独占计算模式）</translation>
    </message>
    <message>
        <source>End that process or choose another GPU; nvidia-smi shows who holds it.</source>
        <translation>请结束该进程或选择另一块 GPU；nvidia-smi 会显示占用者。</translation>
    </message>
    <message>
        <source>the driver sees no GPU</source>
        <translation>驱动程序没有发现 GPU</translation>
    </message>
    <message>
        <source>Check nvidia-smi, CUDA_VISIBLE_DEVICES, and in a container that the GPU was passed in (--gpus).</source>
        <translation>请检查 nvidia-smi 和 CUDA_VISIBLE_DEVICES；在容器中还要检查是否传入了 GPU（--gpus）。</translation>
    </message>
    <message>
        <source>there is no GPU with this number</source>
        <translation>没有此编号的 GPU</translation>
    </message>
    <message>
        <source>List them with `ridge devices`; CUDA_VISIBLE_DEVICES renumbers them.</source>
        <translation>用 `ridge devices` 列出它们；CUDA_VISIBLE_DEVICES 会改变编号。</translation>
    </message>
    <message>
        <source>the virtual GPU has no licence</source>
        <translation>虚拟 GPU 没有许可证</translation>
    </message>
    <message>
        <source>Ask the administrator of the vGPU licence server.</source>
        <translation>请联系 vGPU 许可证服务器的管理员。</translation>
    </message>
    <message>
        <source>the driver does not take this code: damaged, or not a cubin or PTX</source>
        <translation>驱动程序不接受这段代码：已损坏，或不是 cubin 或 PTX</translation>
    </message>
    <message>
        <source>Compile again without the cache.</source>
        <translation>请不使用缓存重新编译。</translation>
    </message>
    <message>
        <source>the context is not usable</source>
        <translation>上下文不可用</translation>
    </message>
    <message>
        <source>the code was compiled for another GPU architecture</source>
        <translation>代码是为另一种 GPU 架构编译的</translation>
    </message>
    <message>
        <source>Compile for this device&apos;s own arch (leave --arch out, or give the one that `ridge devices` shows).</source>
        <translation>请按此设备自身的架构编译（省略 --arch，或使用 `ridge devices` 显示的架构）。</translation>
    </message>
    <message>
        <source>the GPU&apos;s memory had an error that ECC could not correct</source>
        <translation>GPU 内存出现 ECC 无法纠正的错误</translation>
    </message>
    <message>
        <source>The hardware is at fault, not the kernel: reset the GPU or tell its administrator.</source>
        <translation>这是硬件故障，不是内核的问题：请重置 GPU 或通知管理员。</translation>
    </message>
    <message>
        <source>this GPU does not support that limit</source>
        <translation>此 GPU 不支持该限制</translation>
    </message>
    <message>
        <source>Leave the limit out.</source>
        <translation>请去掉该限制。</translation>
    </message>
    <message>
        <source>the driver&apos;s assembler refused the PTX</source>
        <translation>驱动程序的汇编器拒绝了这段 PTX</translation>
    </message>
    <message>
        <source>Read its log; ptxas of the toolkit gives line numbers.</source>
        <translation>请查看其日志；工具包的 ptxas 会给出行号。</translation>
    </message>
    <message>
        <source>NVLink had an error that it could not correct</source>
        <translation>NVLink 出现无法纠正的错误</translation>
    </message>
    <message>
        <source>The hardware is at fault, not the kernel: tell the administrator.</source>
        <translation>这是硬件故障，不是内核的问题：请通知管理员。</translation>
    </message>
    <message>
        <source>the driver&apos;s PTX compiler is not installed</source>
        <translation>没有安装驱动程序的 PTX 编译器</translation>
    </message>
    <message>
        <source>Install libnvidia-ptxjitcompiler of the driver&apos;s version, or compile to a cubin (sm_XX).</source>
        <translation>请安装与驱动程序版本一致的 libnvidia-ptxjitcompiler，或编译为 cubin（sm_XX）。</translation>
    </message>
    <message>
        <source>the PTX is newer than the driver: the toolkit is ahead of it</source>
        <translation>PTX 比驱动程序新：工具包版本超前</translation>
    </message>
    <message>
        <source>Compile to a cubin (sm_XX instead of compute_XX), or update the NVIDIA driver.</source>
        <translation>请编译为 cubin（用 sm_XX 而不是 compute_XX），或更新 NVIDIA 驱动程序。</translation>
    </message>
    <message>
        <source>compiling PTX in the driver is switched off</source>
        <translation>驱动程序中的 PTX 编译已被关闭</translation>
    </message>
    <message>
        <source>Unset CUDA_DISABLE_PTX_JIT, or compile to a cubin (sm_XX).</source>
        <translation>请取消设置 CUDA_DISABLE_PTX_JIT，或编译为 cubin（sm_XX）。</translation>
    </message>
    <message>
        <source>the kernel waits for child grids, which this GPU cannot</source>
        <translation>内核等待子网格，此 GPU 不支持</translation>
    </message>
    <message>
        <source>Remove cudaDeviceSynchronize from device code.</source>
        <translation>请从设备代码中去掉 cudaDeviceSynchronize。</translation>
    </message>
    <message>
        <source>a library of the driver did not start</source>
        <translation>驱动程序的某个库未能启动</translation>
    </message>
    <message>
        <source>Reinstall the NVIDIA driver; its libraries must be of one version.</source>
        <translation>请重新安装 NVIDIA 驱动程序；其各个库的版本必须一致。</translation>
    </message>
    <message>
        <source>a call to the operating system failed</source>
        <translation>操作系统调用失败</translation>
    </message>
    <message>
        <source>See `dmesg`; limits on memory or files (ulimit) are common causes.</source>
        <translation>请查看 `dmesg`；常见原因是内存或文件数限制（ulimit）。</translation>
    </message>
    <message>
        <source>a handle is not valid in this context</source>
        <translation>句柄在此上下文中无效</translation>
    </message>
    <message>
        <source>the module has nothing by that name</source>
        <translation>模块中没有这个名称</translation>
    </message>
    <message>
        <source>Use the lowered (mangled) name; `ridge compile --json -` lists the entries.</source>
        <translation>请使用修饰后的（mangled）名称；`ridge compile --json -` 会列出入口。</translation>
    </message>
    <message>
        <source>the kernel read or wrote an address outside of every buffer</source>
        <translation>内核读写了不属于任何缓冲区的地址</translation>
    </message>
    <message>
        <source>Check the index arithmetic and the bounds test; the emulator (--device emulator) names the line.</source>
        <translation>请检查下标计算和边界判断；模拟器（--device emulator）能指出是哪一行。</translation>
    </message>
    <message>
        <source>a block asks for more registers or shared memory than an SM has</source>
        <translation>一个线程块要求的寄存器或共享内存超过 SM 所有</translation>
    </message>
    <message>
        <source>Use a smaller block, or cap the registers with __launch_bounds__ or --maxrregcount.</source>
        <translation>请使用较小的线程块，或用 __launch_bounds__ 或 --maxrregcount 限制寄存器数。</translation>
    </message>
    <message>
        <source>the driver&apos;s watchdog ended the kernel because this GPU also drives a display</source>
        <translation>此 GPU 还驱动显示器，驱动程序的看门狗终止了内核</translation>
    </message>
    <message>
        <source>Use a smaller workload, or a GPU without a display; the kernel itself need not be wrong.</source>
        <translation>请使用较小的工作负载，或使用不接显示器的 GPU；内核本身不一定有错。</translation>
    </message>
    <message>
        <source>the context was destroyed</source>
        <translation>上下文已被销毁</translation>
    </message>
    <message>
        <source>an assert of the kernel failed</source>
        <translation>内核中的 assert 失败</translation>
    </message>
    <message>
        <source>The assertion&apos;s file, line and thread are in the output.</source>
        <translation>断言所在的文件、行号和线程见输出。</translation>
    </message>
    <message>
        <source>the call stack of a thread was corrupt or too small</source>
        <translation>某个线程的调用栈损坏或太小</translation>
    </message>
    <message>
        <source>Look for runaway recursion and for writes past local arrays.</source>
        <translation>请检查是否有失控的递归，以及对局部数组的越界写入。</translation>
    </message>
    <message>
        <source>the kernel met an illegal instruction, as __trap() compiles to</source>
        <translation>内核遇到非法指令（__trap() 即编译为这种指令）</translation>
    </message>
    <message>
        <source>Look for __trap(), for a function without a return, and for code of another architecture.</source>
        <translation>请检查 __trap()、缺少 return 的函数，以及其他架构的代码。</translation>
    </message>
    <message>
        <source>an address was not a multiple of the size of its access</source>
        <translation>地址不是访问大小的整数倍</translation>
    </message>
    <message>
        <source>float2 and float4 accesses need 8 and 16 byte alignment: check offsets and the row pitch.</source>
        <translation>float2 和 float4 访问需要 8 和 16 字节对齐：请检查偏移和行距。</translation>
    </message>
    <message>
        <source>an instruction was used on memory of the wrong kind</source>
        <translation>指令用在了不属于它的内存类型上</translation>
    </message>
    <message>
        <source>Check pointers converted between shared, local and global memory.</source>
        <translation>请检查在共享、局部和全局内存之间转换的指针。</translation>
    </message>
    <message>
        <source>a thread jumped to an address without code</source>
        <translation>某个线程跳转到了没有代码的地址</translation>
    </message>
    <message>
        <source>Check function pointers and writes past local arrays.</source>
        <translation>请检查函数指针，以及对局部数组的越界写入。</translation>
    </message>
    <message>
        <source>the kernel failed while running, mostly by an access outside of shared or local memory</source>
        <translation>内核运行时失败，多半是共享内存或局部内存的越界访问</translation>
    </message>
    <message>
        <source>Check shared-memory indices; the emulator (--device emulator) names the line.</source>
        <translation>请检查共享内存的下标；模拟器（--device emulator）能指出是哪一行。</translation>
    </message>
    <message>
        <source>a cooperative grid must fit on the GPU all at once</source>
        <translation>协作网格必须能一次全部驻留在 GPU 上</translation>
    </message>
    <message>
        <source>Use fewer or smaller blocks and loop over the work.</source>
        <translation>请使用更少或更小的线程块，并循环处理工作。</translation>
    </message>
    <message>
        <source>the kernel ended without freeing its tensor memory</source>
        <translation>内核结束时没有释放张量内存</translation>
    </message>
    <message>
        <source>Deallocate with tcgen05.dealloc before every exit.</source>
        <translation>请在每个出口之前用 tcgen05.dealloc 释放。</translation>
    </message>
    <message>
        <source>the operation is not permitted</source>
        <translation>不允许此操作</translation>
    </message>
    <message>
        <source>See the driver&apos;s log (dmesg).</source>
        <translation>请查看驱动程序的日志（dmesg）。</translation>
    </message>
    <message>
        <source>this GPU or driver does not support the operation</source>
        <translation>此 GPU 或驱动程序不支持该操作</translation>
    </message>
    <message>
        <source>Leave the feature out, or choose another device.</source>
        <translation>请不使用该功能，或选择另一台设备。</translation>
    </message>
    <message>
        <source>the system is not ready for CUDA</source>
        <translation>系统尚未为 CUDA 就绪</translation>
    </message>
    <message>
        <source>On NVSwitch machines start nvidia-fabricmanager of the driver&apos;s version.</source>
        <translation>在带 NVSwitch 的机器上，请启动与驱动程序版本一致的 nvidia-fabricmanager。</translation>
    </message>
    <message>
        <source>the driver&apos;s library and its kernel module differ in version</source>
        <translation>驱动程序的库与其内核模块版本不一致</translation>
    </message>
    <message>
        <source>Restart the machine or reload the kernel module after a driver update.</source>
        <translation>更新驱动程序后，请重启机器或重新加载内核模块。</translation>
    </message>
    <message>
        <source>the forward-compatibility library does not serve this GPU</source>
        <translation>前向兼容库不支持此 GPU</translation>
    </message>
    <message>
        <source>Take the cuda-compat folder out of LD_LIBRARY_PATH, or update the driver.</source>
        <translation>请把 cuda-compat 目录从 LD_LIBRARY_PATH 中去掉，或更新驱动程序。</translation>
    </message>
    <message>
        <source>the MPS server does not answer</source>
        <translation>MPS 服务器没有响应</translation>
    </message>
    <message>
        <source>Restart nvidia-cuda-mps-control, or unset CUDA_MPS_PIPE_DIRECTORY.</source>
        <translation>请重启 nvidia-cuda-mps-control，或取消设置 CUDA_MPS_PIPE_DIRECTORY。</translation>
    </message>
    <message>
        <source>the MPS server is recovering from a fault</source>
        <translation>MPS 服务器正在从故障中恢复</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>请稍后再试。</translation>
    </message>
    <message>
        <source>the MPS server ended this client</source>
        <translation>MPS 服务器终止了此客户端</translation>
    </message>
    <message>
        <source>a device outside of the GPU reported an error</source>
        <translation>GPU 之外的设备报告了错误</translation>
    </message>
    <message>
        <source>See dmesg.</source>
        <translation>请查看 dmesg。</translation>
    </message>
    <message>
        <source>this GPU cannot place a cluster of that size</source>
        <translation>此 GPU 放不下这么大的线程块簇</translation>
    </message>
    <message>
        <source>Use a smaller cluster, a smaller block or less shared memory.</source>
        <translation>请使用较小的簇、较小的线程块或较少的共享内存。</translation>
    </message>
    <message>
        <source>the driver reports an unknown error</source>
        <translation>驱动程序报告未知错误</translation>
    </message>
    <message>
        <source>See dmesg for an Xid line; if it stays, restart the machine.</source>
        <translation>请在 dmesg 中查找 Xid 行；若问题依旧，请重启机器。</translation>
    </message>
    <message>
        <source>a CUDA error that this program has no words for</source>
        <translation>本程序没有说明的 CUDA 错误</translation>
    </message>
    <message>
        <source>see the driver API manual</source>
        <translation>请查阅驱动 API 手册</translation>
    </message>
    <message>
        <source>Start the worker again; if it stays, see dmesg.</source>
        <translation>请重新启动工作进程；若问题依旧，请查看 dmesg。</translation>
    </message>
    <message>
        <source>{} ({}): {}</source>
        <translation>{}（{}）：{}</translation>
    </message>
    <message>
        <source>{} failed: {}.</source>
        <translation>{}失败：{}。</translation>
    </message>
    <message>
        <source>{} failed with {}. {}</source>
        <translation>{}失败：{}。{}</translation>
    </message>
    <message>
        <source>Preparing to flush the L2 cache (needs {} MiB and the driver&apos;s PTX compiler)</source>
        <translation>准备冲刷 L2 缓存（需要 {} MiB 和驱动程序的 PTX 编译器）</translation>
    </message>
    <message>
        <source>The driver has no {}.</source>
        <translation>驱动程序没有 {}。</translation>
    </message>
    <message>
        <source>Tensor map {}: the driver refuses it. Check box, swizzle and the alignment of its tensor.</source>
        <translation>张量映射 {}：驱动程序拒绝了它。请检查 box、swizzle 和张量的对齐。</translation>
    </message>
    <message>
        <source>Encoding tensor map {}</source>
        <translation>编码张量映射 {}</translation>
    </message>
    <message>
        <source>Texture {}: the driver refuses it. Check its extents, filter and address modes.</source>
        <translation>纹理 {}：驱动程序拒绝了它。请检查其尺寸、滤波和寻址方式。</translation>
    </message>
    <message>
        <source>Making texture {}</source>
        <translation>创建纹理 {}</translation>
    </message>
    <message>
        <source>{} takes {} parameters, but {} arguments were given. Correct the `args` directive.</source>
        <translation>{} 有 {} 个形参，却给出了 {} 个实参。请更正 `args` 指令。</translation>
    </message>
    <message>
        <source>Parameter {} of {} takes {} bytes, but {} were given. Make the argument&apos;s type that of the parameter.</source>
        <translation>{1} 的第 {0} 个形参为 {2} 字节，却给出了 {3} 字节。请让实参类型与形参一致。</translation>
    </message>
    <message>
        <source>Reading the occupancy of {}</source>
        <translation>读取 {} 的占用率</translation>
    </message>
    <message>
        <source>A cooperative grid must fit on the GPU all at once: at most {} blocks ({} on each of {} SMs), but the grid has more. Use fewer blocks and loop over the work.</source>
        <translation>协作网格必须能一次全部驻留在 GPU 上：最多 {0} 个线程块（{2} 个 SM，每个 {1} 个），而此网格更大。请减少线程块数并循环处理工作。</translation>
    </message>
    <message>
        <source>Opting in to large shared memory</source>
        <translation>启用大容量共享内存</translation>
    </message>
    <message>
        <source>Opting in to {} bytes of dynamic shared memory</source>
        <translation>启用 {} 字节的动态共享内存</translation>
    </message>
    <message>
        <source>Opting in to large clusters</source>
        <translation>启用大型线程块簇</translation>
    </message>
    <message>
        <source>Opting in to clusters of {} blocks</source>
        <translation>启用 {} 个线程块的簇</translation>
    </message>
    <message>
        <source>{} does not fit on the GPU: needed {}, free {} of {}.</source>
        <translation>{} 在 GPU 上放不下：需要 {}，可用 {}，共 {}。</translation>
    </message>
    <message>
        <source>{} was asked for with {} bytes at offset {}.</source>
        <translation>请求分配 {0}：{1} 字节，偏移 {2}。</translation>
    </message>
    <message>
        <source>Give a size of at least 0 and an offset of 0 to {}.</source>
        <translation>大小至少为 0，偏移须为 0 到 {}。</translation>
    </message>
    <message>
        <source>Allocating {}</source>
        <translation>分配 {}</translation>
    </message>
    <message>
        <source>Setting the guard zones of {}</source>
        <translation>设置 {} 的保护区</translation>
    </message>
    <message>
        <source>Copying to the GPU</source>
        <translation>复制到 GPU</translation>
    </message>
    <message>
        <source>Copying from the GPU</source>
        <translation>从 GPU 复制</translation>
    </message>
    <message>
        <source>Poisoning memory</source>
        <translation>写入毒化值</translation>
    </message>
    <message>
        <source>Filling memory</source>
        <translation>填充内存</translation>
    </message>
    <message>
        <source>Copying on the GPU</source>
        <translation>在 GPU 上复制</translation>
    </message>
    <message>
        <source>{} byte</source>
        <translation>{} 字节</translation>
    </message>
    <message>
        <source>{} bytes</source>
        <translation>{} 字节</translation>
    </message>
    <message>
        <source>{}: {} written after its end, the first {} bytes past it</source>
        <translation>{0}：末尾之后有 {1}被写入，第一处在末尾之后 {2} 字节</translation>
    </message>
    <message>
        <source>{}: {} written before its start, the nearest {} bytes ahead of it</source>
        <translation>{0}：起始之前有 {1}被写入，最近一处在起始之前 {2} 字节</translation>
    </message>
    <message>
        <source>There is no cubin and no PTX to load.</source>
        <translation>没有可加载的 cubin 或 PTX。</translation>
    </message>
    <message>
        <source>Compile the kernel first.</source>
        <translation>请先编译内核。</translation>
    </message>
    <message>
        <source>Loading the code on {} ({}, driver {})</source>
        <translation>在 {}（{}，驱动 {}）上加载代码</translation>
    </message>
    <message>
        <source>Loading the code for {} on {} ({}, driver {})</source>
        <translation>在 {1}（{2}，驱动 {3}）上加载面向 {0} 的代码</translation>
    </message>
    <message>
        <source>{} The driver&apos;s assembler says: {}</source>
        <translation>{}驱动程序的汇编器报告：{}</translation>
    </message>
    <message>
        <source>The module has no kernel {}.</source>
        <translation>模块中没有内核 {}。</translation>
    </message>
    <message>
        <source>It has: {}.</source>
        <translation>现有：{}。</translation>
    </message>
    <message>
        <source>Looking up the kernel {}</source>
        <translation>查找内核 {}</translation>
    </message>
    <message>
        <source>The module has no __device__ or __constant__ variable {}.</source>
        <translation>模块中没有 __device__ 或 __constant__ 变量 {}。</translation>
    </message>
    <message>
        <source>Check the `symbol` directive; a variable that no kernel uses is left out by the compiler.</source>
        <translation>请检查 `symbol` 指令；没有内核使用的变量会被编译器去掉。</translation>
    </message>
    <message>
        <source>Looking up the variable {}</source>
        <translation>查找变量 {}</translation>
    </message>
    <message>
        <source>The driver cannot say which parameters {} takes.</source>
        <translation>驱动程序无法说明 {} 有哪些形参。</translation>
    </message>
    <message>
        <source>Update to driver 550 or newer.</source>
        <translation>请更新到 550 或更新的驱动程序。</translation>
    </message>
    <message>
        <source>Reading the parameters of {}</source>
        <translation>读取 {} 的形参</translation>
    </message>
    <message>
        <source>Reading the resources of {}</source>
        <translation>读取 {} 的资源占用</translation>
    </message>
    <message>
        <source>Resetting persisting L2 lines</source>
        <translation>重置 L2 常驻缓存行</translation>
    </message>
    <message>
        <source>A timed launch</source>
        <translation>计时启动</translation>
    </message>
    <message>
        <source>a timed launch was still running after its time limit.</source>
        <translation>有计时启动超过时间限制后仍在运行。</translation>
    </message>
    <message>
        <source>A timed launch did not end within {} s.</source>
        <translation>计时启动在 {} 秒内没有结束。</translation>
    </message>
    <message>
        <source>Raise --time-limit, or use a smaller workload.</source>
        <translation>请调大 --time-limit，或使用较小的工作负载。</translation>
    </message>
    <message>
        <source>Launching a timed sequence</source>
        <translation>启动计时序列</translation>
    </message>
    <message>
        <source>Reading the time of a launch</source>
        <translation>读取启动的时间</translation>
    </message>
    <message>
        <source>Times are from CUDA events: {}.</source>
        <translation>时间来自 CUDA 事件：{}。</translation>
    </message>
    <message>
        <source>CUPTI&apos;s {} records do not add up to {} samples</source>
        <translation>CUPTI 的 {} 条记录凑不成 {} 个样本</translation>
    </message>
    <message>
        <source>Preparing a sample</source>
        <translation>准备样本</translation>
    </message>
    <message>
        <source>There is no launch to be timed.</source>
        <translation>没有可计时的启动。</translation>
    </message>
    <message>
        <source>Time a sequence with at least one launch, on the device that loaded its module.</source>
        <translation>请在加载该模块的设备上，对至少含一次启动的序列计时。</translation>
    </message>
    <message>
        <source>Times are from CUDA events: RIDGE_LIBCUDA replaces the driver, which CUPTI would not follow.</source>
        <translation>时间来自 CUDA 事件：RIDGE_LIBCUDA 替换了驱动程序，CUPTI 无法跟随。</translation>
    </message>
    <message>
        <source>an inlined function</source>
        <translation>内联函数</translation>
    </message>
    <message>
        <source>{}, in {}, called at line {}</source>
        <translation>{0}，位于 {1}（于第 {2} 行被调用）</translation>
    </message>
    <message>
        <source>{}, called at line {}</source>
        <translation>{0}（于第 {1} 行被调用）</translation>
    </message>
    <message>
        <source>In {}: {}</source>
        <translation>在 {0} 中：{1}</translation>
    </message>
    <message>
        <source>the vector has the wrong number of elements</source>
        <translation>向量的元素个数不对</translation>
    </message>
    <message>
        <source>an address is expected</source>
        <translation>此处应为地址</translation>
    </message>
    <message>
        <source>the parameter is not declared</source>
        <translation>该参数未声明</translation>
    </message>
    <message>
        <source>it reads beyond the parameter</source>
        <translation>读取超出了参数的范围</translation>
    </message>
    <message>
        <source>it reaches beyond the variable</source>
        <translation>超出了变量的范围</translation>
    </message>
    <message>
        <source>the address has the wrong size</source>
        <translation>地址的宽度不对</translation>
    </message>
    <message>
        <source>the destination is missing</source>
        <translation>缺少目标操作数</translation>
    </message>
    <message>
        <source>four results are expected</source>
        <translation>应有四个结果</translation>
    </message>
    <message>
        <source>a texture and its coordinates are expected</source>
        <translation>应为纹理及其坐标</translation>
    </message>
    <message>
        <source>a coordinate is missing</source>
        <translation>缺少坐标</translation>
    </message>
    <message>
        <source>the number of groups must be a constant</source>
        <translation>组数必须是常量</translation>
    </message>
    <message>
        <source>the size must be a constant</source>
        <translation>大小必须是常量</translation>
    </message>
    <message>
        <source>it copies 4, 8 or 16 bytes, cp.async.cg 16</source>
        <translation>只能复制 4、8 或 16 字节，cp.async.cg 只能复制 16 字节</translation>
    </message>
    <message>
        <source>the number of bytes is missing</source>
        <translation>缺少字节数</translation>
    </message>
    <message>
        <source>the phase is missing</source>
        <translation>缺少相位</translation>
    </message>
    <message>
        <source>the coordinates are missing</source>
        <translation>缺少坐标</translation>
    </message>
    <message>
        <source>the number of coordinates is wrong</source>
        <translation>坐标个数不对</translation>
    </message>
    <message>
        <source>the branch table is not defined</source>
        <translation>分支表未定义</translation>
    </message>
    <message>
        <source>a parameter of the call is no .param variable</source>
        <translation>调用的某个参数不是 .param 变量</translation>
    </message>
    <message>
        <source>The emulator does not execute calls of {}, which the module does not define</source>
        <translation>模拟器无法调用 {}：模块中没有它的定义</translation>
    </message>
    <message>
        <source>it has too few operands</source>
        <translation>操作数太少</translation>
    </message>
    <message>
        <source>it needs a thread count</source>
        <translation>需要给出线程数</translation>
    </message>
    <message>
        <source>{} (line {} of the PTX).</source>
        <translation>{}（PTX 第 {} 行）。</translation>
    </message>
    <message>
        <source>Run this kernel on a GPU, or write it without this instruction.</source>
        <translation>请在 GPU 上运行此内核，或改写为不用这条指令。</translation>
    </message>
    <message>
        <source>variable {} is too large</source>
        <translation>变量 {} 太大</translation>
    </message>
    <message>
        <source>parameter {} is too large</source>
        <translation>参数 {} 太大</translation>
    </message>
    <message>
        <source>The emulator does not execute {}</source>
        <translation>模拟器不支持 {}</translation>
    </message>
    <message>
        <source>register {} has the wrong size</source>
        <translation>寄存器 {} 的宽度不对</translation>
    </message>
    <message>
        <source>an operand has the wrong form</source>
        <translation>操作数的形式不对</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is not defined</source>
        <translation>“{}”未定义</translation>
    </message>
    <message>
        <source>the destination is no register</source>
        <translation>目标操作数不是寄存器</translation>
    </message>
    <message>
        <source>a predicate is expected</source>
        <translation>此处应为谓词</translation>
    </message>
    <message>
        <source>the table must be a constant</source>
        <translation>表必须是常数</translation>
    </message>
    <message>
        <source>it has the wrong number of operands</source>
        <translation>操作数个数不对</translation>
    </message>
    <message>
        <source>label {} is not defined</source>
        <translation>标签 {} 未定义</translation>
    </message>
    <message>
        <source>label {} stands behind the last instruction</source>
        <translation>标签 {} 位于最后一条指令之后</translation>
    </message>
    <message>
        <source>a branch table is not defined</source>
        <translation>有分支表未定义</translation>
    </message>
    <message>
        <source>a register of the fragment is missing</source>
        <translation>片段缺少寄存器</translation>
    </message>
    <message>
        <source>a fragment has the wrong number of registers</source>
        <translation>某个片段的寄存器个数不对</translation>
    </message>
    <message>
        <source>it has the wrong number of registers</source>
        <translation>寄存器个数不对</translation>
    </message>
    <message>
        <source>the layout does not exist for this type</source>
        <translation>此类型没有这种布局</translation>
    </message>
    <message>
        <source>the fragment has the wrong number of registers</source>
        <translation>片段的寄存器个数不对</translation>
    </message>
    <message>
        <source>the number of groups is no constant</source>
        <translation>组数不是常量</translation>
    </message>
    <message>
        <source>D has the wrong number of registers</source>
        <translation>D 的寄存器个数不对</translation>
    </message>
    <message>
        <source>A has the wrong number of registers</source>
        <translation>A 的寄存器个数不对</translation>
    </message>
    <message>
        <source>a scale or transposition is no constant</source>
        <translation>缩放或转置标志不是常量</translation>
    </message>
    <message>
        <source>This machine has no memory for the blocks of {} that run at once. Give the launch fewer threads a block, or fewer host threads by --threads.</source>
        <translation>本机内存不足以容纳 {} 同时运行的线程块。请减少每个线程块的线程数，或用 --threads 减少主机线程数。</translation>
    </message>
    <message>
        <source>allocate</source>
        <translation>分配</translation>
    </message>
    <message>
        <source>write</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>poison</source>
        <translation>毒化</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>The emulator was asked to {} {} bytes at address {}, which no buffer holds.</source>
        <translation>要求模拟器在地址 {2} {0} {1} 字节，但该处没有缓冲区。</translation>
    </message>
    <message>
        <source>Grid, block and cluster extents must be at least 1.</source>
        <translation>网格、线程块和簇的各维至少为 1。</translation>
    </message>
    <message>
        <source>A block has at most 1024 threads.</source>
        <translation>一个线程块最多 1024 个线程。</translation>
    </message>
    <message>
        <source>Kernel {} has {} parameters, the launch gives {}.</source>
        <translation>内核 {} 有 {} 个形参，启动时给出了 {} 个。</translation>
    </message>
    <message>
        <source>Kernel {} needs {} bytes of local memory a thread; a GPU has at most {}. Make its arrays smaller, or keep them in shared or global memory.</source>
        <translation>内核 {} 的每个线程需要 {} 字节本地内存；GPU 最多有 {} 字节。请缩小其数组，或把它们放在共享内存或全局内存中。</translation>
    </message>
    <message>
        <source>Kernel {} is compiled for clusters of {} blocks along {}, the launch gives {}. Make the `cluster` directive agree with __cluster_dims__, or leave it out.</source>
        <translation>内核 {0} 编译时簇在 {2} 方向为 {1} 个线程块，启动时却给出 {3}。请让 `cluster` 指令与 __cluster_dims__ 一致，或将其去掉。</translation>
    </message>
    <message>
        <source>Parameter {} of {} has {} bytes, the launch gives {}.</source>
        <translation>{1} 的第 {0} 个形参为 {2} 字节，启动时给出了 {3} 字节。</translation>
    </message>
    <message>
        <source>atomic operation</source>
        <translation>原子操作</translation>
    </message>
    <message>
        <source>no buffer is allocated</source>
        <translation>没有分配任何缓冲区</translation>
    </message>
    <message>
        <source>far from all buffers</source>
        <translation>远离所有缓冲区</translation>
    </message>
    <message>
        <source>{} bytes before the start of {}</source>
        <translation>位于 {1} 起始之前 {0} 字节处</translation>
    </message>
    <message>
        <source>right behind the end of {}</source>
        <translation>紧接在 {} 末尾之后</translation>
    </message>
    <message>
        <source>a local array</source>
        <translation>某个局部数组</translation>
    </message>
    <message>
        <source>in memory that free() has given back</source>
        <translation>位于已由 free() 归还的内存中</translation>
    </message>
    <message>
        <source>{} bytes behind a null pointer</source>
        <translation>位于空指针之后 {} 字节处</translation>
    </message>
    <message>
        <source>the pointer is null</source>
        <translation>指针为空</translation>
    </message>
    <message>
        <source>{} bytes behind the end of {}</source>
        <translation>位于 {1} 末尾之后 {0} 字节处</translation>
    </message>
    <message>
        <source>across the end of {} ({} from offset {} of {})</source>
        <translation>跨过了 {0} 的末尾（从偏移 {2} 起 {1}，共 {3} 字节）</translation>
    </message>
    <message>
        <source>Misaligned {} of {} in {} memory: the address is {} behind a multiple of {}</source>
        <translation>{2}内存未对齐{0} {1}：地址比 {4} 的整数倍多 {3}</translation>
    </message>
    <message>
        <source>the {} bytes that there are</source>
        <translation>仅有的 {} 字节</translation>
    </message>
    <message>
        <source>the launch gives this kernel none</source>
        <translation>启动时没有为此内核分配</translation>
    </message>
    <message>
        <source>Out-of-bounds {} of {} in {} memory: {}</source>
        <translation>{2}内存越界{0} {1}：{3}</translation>
    </message>
    <message>
        <source>Reads element at byte {} of {}, which nothing has written</source>
        <translation>读取了 {1} 第 {0} 字节处的元素，但从未有人写入过它</translation>
    </message>
    <message>
        <source>written</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>another block</source>
        <translation>另一个线程块</translation>
    </message>
    <message>
        <source>block ({}, {}, {})</source>
        <translation>线程块 ({}, {}, {})</translation>
    </message>
    <message>
        <source>Race between blocks: this {} at byte {} of {} is not ordered with {}, which has {} it</source>
        <translation>线程块之间的数据竞争：对 {2} 第 {1} 字节的这次{0}与{3}对它的{4}之间没有先后次序</translation>
    </message>
    <message>
        <source>the address belongs to another state space</source>
        <translation>该地址属于另一个状态空间</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>Write to constant memory ({})</source>
        <translation>写入了常量内存（{}）</translation>
    </message>
    <message>
        <source>Writes to the input {} at byte {}; write to an output or to a scratch tensor instead</source>
        <translation>写入了输入 {} 的第 {} 字节；请改为写入输出或临时张量</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>local</source>
        <translation>局部</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Integer division by zero, which C++ leaves undefined; here as on a GPU a quotient has all bits set and a remainder is the dividend</source>
        <translation>整数除以零，在 C++ 中属于未定义行为；这里与 GPU 一样，商的各位全为 1，余数为被除数</translation>
    </message>
    <message>
        <source>an asynchronous copy that is still under way; wait for its completion first</source>
        <translation>尚未完成的异步复制；请先等待其完成</translation>
    </message>
    <message>
        <source>warp {}: there is no barrier between</source>
        <translation>线程束 {}，二者之间缺少屏障</translation>
    </message>
    <message>
        <source>lane {} of the same warp: there is no __syncwarp() between</source>
        <translation>同一线程束的通道 {}，二者之间缺少 __syncwarp()</translation>
    </message>
    <message>
        <source>other lanes of the same warp: there is no __syncwarp() between</source>
        <translation>同一线程束的其他通道，二者之间缺少 __syncwarp()</translation>
    </message>
    <message>
        <source>other warps: there is no barrier between</source>
        <translation>其他线程束，二者之间缺少屏障</translation>
    </message>
    <message>
        <source>another block of the cluster: there is no cluster.sync() between</source>
        <translation>簇中的另一个线程块，二者之间缺少 cluster.sync()</translation>
    </message>
    <message>
        <source>Reads {}, which no thread of the block has written</source>
        <translation>读取了{}，但线程块中没有线程写入过它</translation>
    </message>
    <message>
        <source>Race: this {} at {} is not ordered with the read by {}</source>
        <translation>数据竞争：对{1}的这次{0}与另一次读取之间没有先后次序；读取者：{2}</translation>
    </message>
    <message>
        <source>Race: this {} at {} is not ordered with the write by {}</source>
        <translation>数据竞争：对{1}的这次{0}与另一次写入之间没有先后次序；写入者：{2}</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>byte {} of {}</source>
        <translation>{1}的第 {0} 字节</translation>
    </message>
    <message>
        <source>cp.async writes to the shared memory of another block</source>
        <translation>cp.async 写入了另一个线程块的共享内存</translation>
    </message>
    <message>
        <source>the target of this copy</source>
        <translation>此次复制的目标</translation>
    </message>
    <message>
        <source>The address of {} is not in the shared memory of any block of the cluster</source>
        <translation>{}的地址不在簇中任何线程块的共享内存内</translation>
    </message>
    <message>
        <source>Out of bounds: {} needs {} bytes at byte {} of shared memory, of which there are {}</source>
        <translation>越界：{0}需要共享内存第 {2} 字节起的 {1} 字节，而共享内存只有 {3} 字节</translation>
    </message>
    <message>
        <source>Misaligned: {} lies {} behind a multiple of {}</source>
        <translation>未对齐：{0}的地址比 {2} 的整数倍多 {1}</translation>
    </message>
    <message>
        <source>cp.async reads {} bytes but copies only {}; the source&apos;s size must not be larger</source>
        <translation>cp.async 读取 {} 字节，却只复制 {} 字节；源的大小不得更大</translation>
    </message>
    <message>
        <source>{} threads of the block have exited before this barrier, which waits for all threads</source>
        <translation>线程块中有 {} 个线程在此屏障之前已退出，而屏障等待所有线程</translation>
    </message>
    <message>
        <source>Lanes of one warp wait at two different barriers</source>
        <translation>同一线程束的通道在两个不同的屏障处等待</translation>
    </message>
    <message>
        <source>Barrier {} does not exist; a block has 16</source>
        <translation>屏障 {} 不存在；一个线程块有 16 个屏障</translation>
    </message>
    <message>
        <source>Barrier {} waits for {} threads, more than the block has</source>
        <translation>屏障 {} 等待 {} 个线程，超过线程块的线程数</translation>
    </message>
    <message>
        <source>Barrier {} waits for {} threads, which is no multiple of 32</source>
        <translation>屏障 {} 等待 {} 个线程，不是 32 的整数倍</translation>
    </message>
    <message>
        <source>Barrier {} is used with different thread counts at the same time</source>
        <translation>屏障 {} 同时被用于不同的线程数</translation>
    </message>
    <message>
        <source>Lanes wait here for others that never come, because those wait elsewhere or have another mask</source>
        <translation>有通道在此等待永远不会到来的其他通道：它们在别处等待，或使用了不同的掩码</translation>
    </message>
    <message>
        <source>{} lanes of the warp never reach this barrier</source>
        <translation>线程束中有 {} 个通道永远不会到达此屏障</translation>
    </message>
    <message>
        <source>This barrier waits for threads that never come</source>
        <translation>此屏障等待永远不会到来的线程</translation>
    </message>
    <message>
        <source>The address names no tensor map; state it by //@ tensor_map: and pass it as a const __grid_constant__ CUtensorMap parameter</source>
        <translation>该地址处没有张量映射；请用 //@ tensor_map: 声明，并作为 const __grid_constant__ CUtensorMap 参数传入</translation>
    </message>
    <message>
        <source>The copy has {} coordinates, its tensor map {}</source>
        <translation>复制有 {} 个坐标，而其张量映射有 {} 维</translation>
    </message>
    <message>
        <source>This reduction does not exist for elements of type {}</source>
        <translation>类型为 {} 的元素没有这种归约</translation>
    </message>
    <message>
        <source>A bulk copy moves multiples of 16 bytes from and to addresses that are multiples of 16; this one moves {} bytes, {} behind such an address of device memory</source>
        <translation>批量复制的字节数和两端地址都必须是 16 的整数倍；这一次复制 {0} 字节，设备内存地址比 16 的整数倍多 {1}</translation>
    </message>
    <message>
        <source>the source of this bulk copy</source>
        <translation>此次批量复制的源</translation>
    </message>
    <message>
        <source>bulk copy</source>
        <translation>批量复制</translation>
    </message>
    <message>
        <source>the target of this asynchronous store</source>
        <translation>此次异步存储的目标</translation>
    </message>
    <message>
        <source>the target of this bulk copy</source>
        <translation>此次批量复制的目标</translation>
    </message>
    <message>
        <source>The mbarrier of a bulk copy lies in another block than its target</source>
        <translation>批量复制的 mbarrier 与其目标不在同一个线程块中</translation>
    </message>
    <message>
        <source>A bulk copy moves multiples of 16 bytes</source>
        <translation>批量复制的字节数必须是 16 的整数倍</translation>
    </message>
    <message>
        <source>Race: this {} reads byte {} of shared memory, which ordinary stores wrote; a fence.proxy.async must lie between</source>
        <translation>数据竞争：此次 {} 读取共享内存第 {} 字节，而它由普通存储写入；二者之间必须有 fence.proxy.async</translation>
    </message>
    <message>
        <source>The block ends while this bulk copy still reads its shared memory; commit it and wait with cp.async.bulk.wait_group.read first</source>
        <translation>线程块结束时，此次批量复制仍在读取其共享内存；请先提交，并用 cp.async.bulk.wait_group.read 等待</translation>
    </message>
    <message>
        <source>free() of an address that malloc() did not give</source>
        <translation>free() 的地址不是由 malloc() 得到的</translation>
    </message>
    <message>
        <source>free() of memory that has been freed already</source>
        <translation>free() 的内存此前已经释放</translation>
    </message>
    <message>
        <source>Assertion failed: {}</source>
        <translation>断言失败：{}</translation>
    </message>
    <message>
        <source>A call through a pointer that is no function of this module</source>
        <translation>通过指针调用的目标不是此模块中的函数</translation>
    </message>
    <message>
        <source>Stack overflow: alloca asks for {} bytes, and {} of the stack of {} bytes a thread are left</source>
        <translation>栈溢出：alloca 要求 {0} 字节，而每线程 {2} 字节的栈只剩 {1} 字节</translation>
    </message>
    <message>
        <source>Stack overflow: calls are nested {} deep and the stack of {} bytes a thread is used up; the recursion may never end</source>
        <translation>栈溢出：调用嵌套达 {} 层，每线程 {} 字节的栈已用尽；递归可能不会结束</translation>
    </message>
    <message>
        <source>The kernel trapped itself (__trap())</source>
        <translation>内核主动陷入（__trap()）</translation>
    </message>
    <message>
        <source>The kernel trapped itself: a sync of the whole grid needs a cooperative launch. Add //@ cooperative: true</source>
        <translation>内核主动陷入：整个网格的同步需要协作启动。请添加 //@ cooperative: true</translation>
    </message>
    <message>
        <source>byte {} of the shared memory of block ({}, {}, {})</source>
        <translation>线程块 ({1}, {2}, {3}) 的共享内存第 {0} 字节</translation>
    </message>
    <message>
        <source>Race: this access to {} is not ordered with a write of that block; a barrier of the cluster (cluster.sync()) must lie between</source>
        <translation>数据竞争：对{}的这次访问与该线程块的写入之间没有先后次序；二者之间必须有簇屏障（cluster.sync()）</translation>
    </message>
    <message>
        <source>Race: this write to {} is not ordered with a read of that block; a barrier of the cluster (cluster.sync()) must lie between</source>
        <translation>数据竞争：对{}的这次写入与该线程块的读取之间没有先后次序；二者之间必须有簇屏障（cluster.sync()）</translation>
    </message>
    <message>
        <source>Reads {}, which no thread of the cluster has written</source>
        <translation>读取了{}，但簇中没有线程写入过它</translation>
    </message>
    <message>
        <source>this access</source>
        <translation>此次访问</translation>
    </message>
    <message>
        <source>The block whose shared memory this is has exited; a cluster.sync() at its end keeps it</source>
        <translation>这块共享内存所属的线程块已退出；在其末尾加 cluster.sync() 可以保留它</translation>
    </message>
    <message>
        <source>This thread arrives at the cluster&apos;s barrier a second time without having waited for it</source>
        <translation>此线程没有等待就再次到达簇屏障</translation>
    </message>
    <message>
        <source>This thread waits for the cluster&apos;s barrier without having arrived at it</source>
        <translation>此线程没有到达簇屏障就开始等待</translation>
    </message>
    <message>
        <source>This is more than the mbarrier waits for: {} arrivals, but only {} of the {} of its phase are missing</source>
        <translation>超过了 mbarrier 所等待的数量：到达 {0} 次，而本相位的 {2} 次中只差 {1} 次</translation>
    </message>
    <message>
        <source>The mbarrier would wait for {} bytes; it counts at most {}</source>
        <translation>mbarrier 将等待 {} 字节；它最多能计 {} 字节</translation>
    </message>
    <message>
        <source>the mbarrier</source>
        <translation>mbarrier</translation>
    </message>
    <message>
        <source>No mbarrier has been initialised at byte {} of shared memory</source>
        <translation>共享内存第 {} 字节处没有初始化过的 mbarrier</translation>
    </message>
    <message>
        <source>An mbarrier expects 1 to {} arrivals, not {}</source>
        <translation>mbarrier 的预期到达次数为 1 到 {}，不能是 {}</translation>
    </message>
    <message>
        <source>This arrival must not complete the phase, but only {} arrivals are missing</source>
        <translation>此次到达不得使相位完成，但只差 {} 次到达</translation>
    </message>
    <message>
        <source>cp.async.mbarrier.arrive names an mbarrier of another block</source>
        <translation>cp.async.mbarrier.arrive 指向了另一个线程块的 mbarrier</translation>
    </message>
    <message>
        <source>A thread can only wait for mbarriers of its own block</source>
        <translation>线程只能等待自己线程块的 mbarrier</translation>
    </message>
    <message>
        <source>{} of {} arrivals</source>
        <translation>{1} 次到达中的 {0} 次</translation>
    </message>
    <message>
        <source>{} of {} arrivals and {} bytes of copies</source>
        <translation>{1} 次到达中的 {0} 次以及 {2} 字节的复制</translation>
    </message>
    <message>
        <source>; the loop here may never end</source>
        <translation>；这里的循环可能永不结束</translation>
    </message>
    <message>
        <source>; it waits for a phase of the mbarrier at byte {} of shared memory, which still lacks {}</source>
        <translation>；它在等待共享内存第 {} 字节处 mbarrier 的相位，还缺 {}</translation>
    </message>
    <message>
        <source>An indexed branch leaves its table</source>
        <translation>索引分支超出了分支表</translation>
    </message>
    <message>
        <source>All blocks wait for others or go round in circles, and none has come on in the last {} instructions{}. A kernel that needs more gets it by --budget</source>
        <translation>所有线程块都在等待其他线程块或原地循环，最近 {} 条指令中没有一个有进展{}。需要更多的内核可用 --budget 提高预算</translation>
    </message>
    <message>
        <source>The budget of {} instructions that the warps of a block may execute is used up, {} of them by this warp{}. A kernel that needs more gets it by --budget</source>
        <translation>线程块的各线程束可执行的 {} 条指令预算已用完，其中 {} 条由本线程束执行{}。需要更多的内核可用 --budget 提高预算</translation>
    </message>
    <message>
        <source>Lanes {} execute {} with a mask that does not name them</source>
        <translation>通道 {} 执行 {} 时，掩码中没有包含它们</translation>
    </message>
    <message>
        <source>Lanes {} have exited, yet the mask of {} names them</source>
        <translation>通道 {} 已退出，但 {} 的掩码仍包含它们</translation>
    </message>
    <message>
        <source>Race: warp {} has overwritten byte {} of shared memory, which this wgmma may still read: no wgmma.wait_group came before</source>
        <translation>数据竞争：线程束 {} 覆盖了共享内存第 {} 字节，而此 wgmma 可能仍在读取：之前没有 wgmma.wait_group</translation>
    </message>
    <message>
        <source>{} needs a whole warp, but the block has only {} threads in this one</source>
        <translation>{} 需要完整的线程束，但此线程束在线程块中只有 {} 个线程</translation>
    </message>
    <message>
        <source>wgmma needs a whole warpgroup of four warps, but this block&apos;s last one has only {}</source>
        <translation>wgmma 需要由四个线程束组成的完整线程束组，但此线程块的最后一组只有 {} 个</translation>
    </message>
    <message>
        <source>No wgmma.fence orders the registers of this wgmma before it</source>
        <translation>此 wgmma 之前没有 wgmma.fence 保证其寄存器的次序</translation>
    </message>
    <message>
        <source>A matrix descriptor has bits set that must be 0: it holds addresses and offsets divided by 16</source>
        <translation>矩阵描述符中必须为 0 的位被置位：它存放的是除以 16 后的地址和偏移</translation>
    </message>
    <message>
        <source>wgmma</source>
        <translation>wgmma</translation>
    </message>
    <message>
        <source>The kernel ends before a wgmma.wait_group has waited for this wgmma</source>
        <translation>内核结束前没有用 wgmma.wait_group 等待此 wgmma</translation>
    </message>
    <message>
        <source>The handle names no texture object; state it by //@ texture: and pass it as a cudaTextureObject_t parameter</source>
        <translation>该句柄不是纹理对象；请用 //@ texture: 声明，并作为 cudaTextureObject_t 参数传入</translation>
    </message>
    <message>
        <source>Texture {} has {} dimensions, the fetch has another number of coordinates</source>
        <translation>纹理 {} 有 {} 维，与读取所用的坐标个数不符</translation>
    </message>
    <message>
        <source>Buffer {} needs {}, the emulated device has {} free.</source>
        <translation>缓冲区 {} 需要 {}，模拟设备可用 {}。</translation>
    </message>
    <message>
        <source>Choose a smaller workload, or run it on a GPU.</source>
        <translation>请选择较小的工作负载，或在 GPU 上运行。</translation>
    </message>
    <message>
        <source>{}: {} bytes before its start</source>
        <translation>{} 起始之前的 {} 字节</translation>
    </message>
    <message>
        <source>{}: {} bytes after its end</source>
        <translation>{} 末尾之后的 {} 字节</translation>
    </message>
    <message>
        <source>Tensor map {}: its tensor does not lie at a multiple of 16 bytes.</source>
        <translation>张量映射 {}：其张量的地址不是 16 字节的整数倍。</translation>
    </message>
    <message>
        <source>The kernel has no PTX, which is what the emulator executes.</source>
        <translation>内核没有 PTX，而模拟器执行的正是 PTX。</translation>
    </message>
    <message>
        <source>Compile it from its source.</source>
        <translation>请从源码编译它。</translation>
    </message>
    <message>
        <source>The module has no variable {}.</source>
        <translation>模块中没有变量 {}。</translation>
    </message>
    <message>
        <source>The module has no kernel {}; it has {}.</source>
        <translation>模块中没有内核 {}；现有：{}。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>scopes are nested too deeply</source>
        <translation>作用域嵌套过深</translation>
    </message>
    <message>
        <source>function {} has no end</source>
        <translation>函数 {} 没有结尾</translation>
    </message>
    <message>
        <source>&apos;{}&apos; starts no statement</source>
        <translation>“{}”不能作为语句的开头</translation>
    </message>
    <message>
        <source>a pragma has no end</source>
        <translation>pragma 没有结尾</translation>
    </message>
    <message>
        <source>directive {} is unknown in a function</source>
        <translation>函数中不认识指令 {}</translation>
    </message>
    <message>
        <source>a type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>a vector has 128 bits at most</source>
        <translation>向量最多 128 位</translation>
    </message>
    <message>
        <source>type {} is unknown</source>
        <translation>未知类型 {}</translation>
    </message>
    <message>
        <source>a register</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>function {} has too many registers</source>
        <translation>函数 {} 的寄存器太多</translation>
    </message>
    <message>
        <source>a prototype has no end</source>
        <translation>原型没有结尾</translation>
    </message>
    <message>
        <source>a label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>label {} is defined twice</source>
        <translation>标签 {} 重复定义</translation>
    </message>
    <message>
        <source>a predicate</source>
        <translation>谓词</translation>
    </message>
    <message>
        <source>a guard is a predicate register</source>
        <translation>守卫必须是谓词寄存器</translation>
    </message>
    <message>
        <source>an instruction</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>operands are nested too deeply</source>
        <translation>操作数嵌套过深</translation>
    </message>
    <message>
        <source>an operand</source>
        <translation>操作数</translation>
    </message>
    <message>
        <source>only a number can be negative</source>
        <translation>只有数字可以为负</translation>
    </message>
    <message>
        <source>an address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>a constant is nested too deeply</source>
        <translation>常量嵌套过深</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no whole number</source>
        <translation>“{}”不是整数</translation>
    </message>
    <message>
        <source>a constant divides by zero</source>
        <translation>常量除以零</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no floating-point number, such as 1.0 or 0f3F800000</source>
        <translation>“{}”不是浮点数，例如 1.0 或 0f3F800000</translation>
    </message>
    <message>
        <source>a comment has no end</source>
        <translation>注释没有结尾</translation>
    </message>
    <message>
        <source>a string has no end</source>
        <translation>字符串没有结尾</translation>
    </message>
    <message>
        <source>expected &apos;{}&apos; before &apos;{}&apos;</source>
        <translation>“{1}”之前应为“{0}”</translation>
    </message>
    <message>
        <source>expected {} before &apos;{}&apos;</source>
        <translation>“{1}”之前应为{0}</translation>
    </message>
    <message>
        <source>a version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>a target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>a target option</source>
        <translation>目标选项</translation>
    </message>
    <message>
        <source>a size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>only 64-bit addresses are emulated</source>
        <translation>只支持模拟 64 位地址</translation>
    </message>
    <message>
        <source>&apos;{}&apos; starts nothing that PTX knows at module level</source>
        <translation>“{}”不是 PTX 模块级语句的开头</translation>
    </message>
    <message>
        <source>the text ends too early</source>
        <translation>文本提前结束</translation>
    </message>
    <message>
        <source>expected a file name</source>
        <translation>此处应为文件名</translation>
    </message>
    <message>
        <source>a section name</source>
        <translation>节名</translation>
    </message>
    <message>
        <source>a section has no end</source>
        <translation>节没有结尾</translation>
    </message>
    <message>
        <source>expected .param</source>
        <translation>此处应为 .param</translation>
    </message>
    <message>
        <source>a function name</source>
        <translation>函数名</translation>
    </message>
    <message>
        <source>function {} has no body</source>
        <translation>函数 {} 没有函数体</translation>
    </message>
    <message>
        <source>The emulator reads what NVRTC emits; compile the kernel again or check the .ptx file.</source>
        <translation>模拟器读取 NVRTC 生成的 PTX；请重新编译内核，或检查 .ptx 文件。</translation>
    </message>
    <message>
        <source>initial values are nested too deeply</source>
        <translation>初始值嵌套过深</translation>
    </message>
    <message>
        <source>variable {} has more initial values than elements</source>
        <translation>变量 {} 的初始值多于元素个数</translation>
    </message>
    <message>
        <source>a symbol</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>a variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>an alignment is a power of two</source>
        <translation>对齐必须是 2 的幂</translation>
    </message>
    <message>
        <source>variable {} has a negative number of elements</source>
        <translation>变量 {} 的元素个数为负</translation>
    </message>
    <message>
        <source>expected function_name or inlined_at</source>
        <translation>此处应为 function_name 或 inlined_at</translation>
    </message>
    <message>
        <source>the view {} of {} has another number of elements than the tensor</source>
        <translation>{1} 的视图 {0} 与张量的元素个数不同</translation>
    </message>
    <message>
        <source>its extents must multiply to the same</source>
        <translation>各维之积必须相同</translation>
    </message>
    <message>
        <source>Tensor map {}: {}</source>
        <translation>张量映射 {}：{}</translation>
    </message>
    <message>
        <source>its tensor has {} dimensions and its box {}. Give the box one extent for each dimension, at most 5, or state another shape by `view`.</source>
        <translation>其张量有 {} 维，而 box 有 {} 维。请为 box 的每一维各给一个大小（最多 5 维），或用 `view` 指定另一形状。</translation>
    </message>
    <message>
        <source>extent {} of its box is not in 1 to 256. Use a smaller box and several copies.</source>
        <translation>box 的维度 {} 不在 1 到 256 之间。请使用较小的 box 并分多次复制。</translation>
    </message>
    <message>
        <source>extent {} of its tensor is not in 1 to 2^32.</source>
        <translation>张量的维度 {} 不在 1 到 2^32 之间。</translation>
    </message>
    <message>
        <source>dimension {} has a stride of {} bytes, but strides must be multiples of 16 below 2^40. Choose extents for which rows are multiples of 16 bytes, or another `view`.</source>
        <translation>第 {} 维的步长为 {} 字节，但步长必须是 16 的整数倍且小于 2^40。请选择使每行为 16 字节整数倍的形状，或使用另一个 `view`。</translation>
    </message>
    <message>
        <source>the innermost extent of its box has {} bytes, but it must be a multiple of 16. Widen the box.</source>
        <translation>box 的最内维为 {} 字节，但必须是 16 的整数倍。请加宽 box。</translation>
    </message>
    <message>
        <source>swizzle {}B takes a box whose innermost extent has exactly {} bytes; this one has {}. Change the box or the swizzle.</source>
        <translation>swizzle {}B 要求 box 的最内维恰为 {} 字节；现为 {} 字节。请修改 box 或 swizzle。</translation>
    </message>
    <message>
        <source>fill nan is for floating-point tensors only.</source>
        <translation>fill nan 只用于浮点张量。</translation>
    </message>
    <message>
        <source>Texture {}: {}</source>
        <translation>纹理 {}：{}</translation>
    </message>
    <message>
        <source>its tensor has {} dimensions; textures are made of one or two.</source>
        <translation>其张量有 {} 维；纹理只能是一维或二维。</translation>
    </message>
    <message>
        <source>there are no textures of {}. Use 8, 16 or 32-bit integers, float16 or float32.</source>
        <translation>没有 {} 类型的纹理。请使用 8、16 或 32 位整数、float16 或 float32。</translation>
    </message>
    <message>
        <source>read normalized is for 8 and 16-bit integers only.</source>
        <translation>read normalized 只用于 8 位和 16 位整数。</translation>
    </message>
    <message>
        <source>filter linear needs floating-point values: use filter point, or read normalized.</source>
        <translation>filter linear 需要浮点值：请使用 filter point，或 read normalized。</translation>
    </message>
    <message>
        <source>address wrap and mirror need `coordinates normalized`; otherwise the hardware clamps.</source>
        <translation>address wrap 和 mirror 需要 `coordinates normalized`；否则硬件会做截断（clamp）。</translation>
    </message>
    <message>
        <source>a tensor of one dimension is read by tex1Dfetch, without filter, address or coordinates.</source>
        <translation>一维张量用 tex1Dfetch 读取，不用 filter、address 或 coordinates。</translation>
    </message>
    <message>
        <source>{} x {} texels are more than the hardware&apos;s limits.</source>
        <translation>{} x {} 个纹素超出了硬件限制。</translation>
    </message>
    <message>
        <source>its rows have {} bytes, but rows of a texture are multiples of 32 bytes.</source>
        <translation>每行为 {} 字节，但纹理的行必须是 32 字节的整数倍。</translation>
    </message>
    <message>
        <source>This device makes no {}.</source>
        <translation>此设备不支持{}。</translation>
    </message>
    <message>
        <source>Use another device.</source>
        <translation>请使用另一台设备。</translation>
    </message>
    <message>
        <source>tensor maps</source>
        <translation>张量映射</translation>
    </message>
    <message>
        <source>texture objects</source>
        <translation>纹理对象</translation>
    </message>
    <message>
        <source>The kind of a device</source>
        <translation>设备的种类</translation>
    </message>
    <message>
        <source>Let each block do more work, or spread the blocks over another axis</source>
        <translation>请让每个线程块多做一些工作，或把线程块分布到另一个轴上</translation>
    </message>
    <message>
        <source>Use a smaller block and more blocks</source>
        <translation>请使用较小的线程块，并增加线程块数</translation>
    </message>
    <message>
        <source>{} is {}; a launch needs at least 1. Correct the `{}` directive.</source>
        <translation>{} 为 {}；启动时至少为 1。请更正 `{}` 指令。</translation>
    </message>
    <message>
        <source>{} is {}, but this device allows at most {}. {}.</source>
        <translation>{} 为 {}，但此设备最多允许 {}。{}。</translation>
    </message>
    <message>
        <source>A block of {} threads (x*y*z) is too large: this device allows at most {} threads in a block. Use a smaller block and more blocks.</source>
        <translation>{} 个线程（x*y*z）的线程块太大：此设备每块最多允许 {} 个线程。请使用较小的线程块，并增加线程块数。</translation>
    </message>
    <message>
        <source>The block needs too many registers: {} threads x {} registers (handed out in eights, by whole warps) are {}, but a block may have {}. The largest block that fits has {} threads; or cap the registers with __launch_bounds__({}) or the option --maxrregcount={}.</source>
        <translation>线程块需要的寄存器太多：{} 个线程 x {} 个寄存器（按 8 个一组、整个线程束分配）共 {} 个，但一个线程块最多 {} 个。能放下的最大线程块为 {} 个线程；也可以用 __launch_bounds__({}) 或选项 --maxrregcount={} 限制寄存器数。</translation>
    </message>
    <message>
        <source>A block of {} threads is larger than the kernel was compiled for: its launch bounds allow {}. Use a smaller block, or raise __launch_bounds__.</source>
        <translation>{} 个线程的线程块超过了内核编译时的设定：其 __launch_bounds__ 只允许 {} 个。请使用较小的线程块，或提高 __launch_bounds__。</translation>
    </message>
    <message>
        <source>The dynamic shared memory is {} bytes; it cannot be negative. Correct the `shared` directive.</source>
        <translation>动态共享内存为 {} 字节，不能为负。请更正 `shared` 指令。</translation>
    </message>
    <message>
        <source>A block needs {} bytes of dynamic and {} bytes of static shared memory, but this device allows {} bytes a block together. Use a smaller tile.</source>
        <translation>一个线程块需要 {} 字节动态和 {} 字节静态共享内存，但此设备每块合计只允许 {} 字节。请使用较小的分块。</translation>
    </message>
    <message>
        <source>cluster.{} is {}; it must be at least 1. Correct the `cluster` directive.</source>
        <translation>cluster.{} 为 {}，至少应为 1。请更正 `cluster` 指令。</translation>
    </message>
    <message>
        <source>This device has no thread block clusters (they need compute capability 9.0). Remove the `cluster` directive or choose another device.</source>
        <translation>此设备没有线程块簇（需要计算能力 9.0）。请去掉 `cluster` 指令，或选择另一台设备。</translation>
    </message>
    <message>
        <source>A cluster of {} blocks is too large: this device allows at most {}. Use a smaller cluster.</source>
        <translation>{} 个线程块的簇太大：此设备最多允许 {} 个。请使用较小的簇。</translation>
    </message>
    <message>
        <source>grid.{} is {}, which is not a multiple of cluster.{} = {}. Round the grid up, for example with align_up(…, {}), and let surplus blocks return.</source>
        <translation>grid.{} 为 {}，不是 cluster.{} = {} 的整数倍。请把网格向上取整，例如用 align_up(…, {})，并让多余的线程块直接返回。</translation>
    </message>
    <message>
        <source>scratch {} has the unknown type {}</source>
        <translation>临时张量 {} 的类型 {} 未知</translation>
    </message>
    <message>
        <source>scratch {} has the name of another tensor</source>
        <translation>临时张量 {} 与另一个张量同名</translation>
    </message>
    <message>
        <source>give it a name of its own</source>
        <translation>请另取一个名称</translation>
    </message>
    <message>
        <source>shape of scratch {}</source>
        <translation>临时张量 {} 的形状</translation>
    </message>
    <message>
        <source>scratch {} has more elements than 64 bits count</source>
        <translation>临时张量 {} 的元素个数超出 64 位所能表示</translation>
    </message>
    <message>
        <source>{} is made of {}, which is no tensor</source>
        <translation>{} 取自 {}，而后者不是张量</translation>
    </message>
    <message>
        <source>symbol {} is filled from {}, which is no tensor</source>
        <translation>符号 {} 由 {} 填充，而后者不是张量</translation>
    </message>
    <message>
        <source>the module has no __device__ or __constant__ variable {}</source>
        <translation>模块中没有 __device__ 或 __constant__ 变量 {}</translation>
    </message>
    <message>
        <source>it has none at all</source>
        <translation>模块中一个也没有</translation>
    </message>
    <message>
        <source>{} holds {} bytes, {} has {}</source>
        <translation>{} 可容纳 {} 字节，而 {} 有 {} 字节</translation>
    </message>
    <message>
        <source>make the variable larger or choose a smaller workload</source>
        <translation>请增大该变量，或选择较小的工作负载</translation>
    </message>
    <message>
        <source>zero: {} is no output and no scratch tensor</source>
        <translation>zero：{} 既不是输出，也不是临时张量</translation>
    </message>
    <message>
        <source>the kernel</source>
        <translation>该内核</translation>
    </message>
    <message>
        <source>known are {}; name the parameters in order by //@ args:</source>
        <translation>已知的有 {}；也可以用 //@ args: 按次序给出各参数</translation>
    </message>
    <message>
        <source>{} is near; or name the parameters in order by //@ args:</source>
        <translation>相近的有 {}；也可以用 //@ args: 按次序给出各参数</translation>
    </message>
    <message>
        <source>{} has {} parameters, args names {}</source>
        <translation>{} 有 {} 个形参，args 给出了 {} 个</translation>
    </message>
    <message>
        <source>name one value per parameter, in order; null for a pointer that is not used</source>
        <translation>请按次序为每个形参给出一个值；不用的指针写 null</translation>
    </message>
    <message>
        <source>What do the {} parameters of {} get? {}</source>
        <translation>{1} 的 {0} 个形参各取什么值？{2}</translation>
    </message>
    <message>
        <source>PTX has no names for them.</source>
        <translation>PTX 中没有它们的名称。</translation>
    </message>
    <message>
        <source>Their names cannot be read from the source.</source>
        <translation>无法从源码中读出它们的名称。</translation>
    </message>
    <message>
        <source>parameter {} has {} bytes, but {} is a {}</source>
        <translation>形参 {} 为 {} 字节，但 {} 是 {}</translation>
    </message>
    <message>
        <source>declare it as {}</source>
        <translation>请声明为 {}</translation>
    </message>
    <message>
        <source>parameter {} takes a value of {} bytes, but {} is a tensor</source>
        <translation>形参 {} 接受 {} 字节的值，但 {} 是张量</translation>
    </message>
    <message>
        <source>make the parameter a pointer</source>
        <translation>请把形参改为指针</translation>
    </message>
    <message>
        <source>pointer parameter {} gets {}, which is no tensor</source>
        <translation>指针形参 {} 得到的 {} 不是张量</translation>
    </message>
    <message>
        <source>parameter {} points to {}, but {} holds {}</source>
        <translation>形参 {} 指向 {}，但 {} 存放的是 {}</translation>
    </message>
    <message>
        <source>change the parameter&apos;s type or the problem&apos;s dtype</source>
        <translation>请修改形参的类型或题目的 dtype</translation>
    </message>
    <message>
        <source>parameter {} gets {}, which is no tensor, scalar or axis</source>
        <translation>形参 {} 得到的 {} 不是张量、标量或轴</translation>
    </message>
    <message>
        <source>parameter {} takes {} bytes, and no number has that size</source>
        <translation>形参 {} 为 {} 字节，没有这种大小的数</translation>
    </message>
    <message>
        <source>pass the members of a struct as parameters of their own</source>
        <translation>请把结构体的成员分别作为形参传入</translation>
    </message>
    <message>
        <source>{} does not fit into parameter {} ({})</source>
        <translation>{} 放不进形参 {}（{}）</translation>
    </message>
    <message>
        <source>widen the parameter, for instance to long long</source>
        <translation>请加宽该形参，例如改为 long long</translation>
    </message>
    <message>
        <source>no parameter of {} is called {}, so the output {} would never be written</source>
        <translation>{0} 没有名为 {1} 的形参，输出 {2} 将永远不会被写入</translation>
    </message>
    <message>
        <source>rename the parameter, or name all of them in order by //@ args:</source>
        <translation>请给形参改名，或用 //@ args: 按次序给出全部参数</translation>
    </message>
    <message>
        <source>the source has no __global__ function</source>
        <translation>源码中没有 __global__ 函数</translation>
    </message>
    <message>
        <source>add one, or name a template by //@ kernel:</source>
        <translation>请添加一个，或用 //@ kernel: 指定模板</translation>
    </message>
    <message>
        <source>Which of the {} kernels is to be run?</source>
        <translation>要运行 {} 个内核中的哪一个？</translation>
    </message>
    <message>
        <source>the source has no kernel {}</source>
        <translation>源码中没有内核 {}</translation>
    </message>
    <message>
        <source>kernels: {}</source>
        <translation>内核：{}</translation>
    </message>
    <message>
        <source>How is {} launched? The source states no {}.</source>
        <translation>如何启动 {}？源码没有给出 {}。</translation>
    </message>
    <message>
        <source>{} and {}</source>
        <translation>{} 和 {}</translation>
    </message>
    <message>
        <source>cooperative is {}</source>
        <translation>cooperative 为 {}</translation>
    </message>
    <message>
        <source>write true or false</source>
        <translation>请写 true 或 false</translation>
    </message>
    <message>
        <source>&quot;{}&quot; names no thread to trace</source>
        <translation>“{}”不是可跟踪的线程</translation>
    </message>
    <message>
        <source>write BLOCK:THREAD, such as 3:17 or 1,0:5,2</source>
        <translation>请写成“线程块:线程”，例如 3:17 或 1,0:5,2</translation>
    </message>
    <message>
        <source>{} SMs x {} FLOP/clock/SM x {} MHz = {} TFLOP/s, not {}</source>
        <translation>{} 个 SM x {} FLOP/时钟/SM x {} MHz = {} TFLOP/s，而不是 {}</translation>
    </message>
    <message>
        <source>it implies {} MHz, above the boost clock of {} MHz</source>
        <translation>这意味着 {} MHz，高于加速频率 {} MHz</translation>
    </message>
    <message>
        <source>peak of {}</source>
        <translation>{} 的峰值</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no unit</source>
        <translation>“{}”不是 unit</translation>
    </message>
    <message>
        <source>Use one of fp64 fp64_tensor fp32 tf32 fp16 bf16 fp8 int8 fp4</source>
        <translation>请使用 fp64、fp64_tensor、fp32、tf32、fp16、bf16、fp8、int8 或 fp4</translation>
    </message>
    <message>
        <source>source &apos;{}&apos; is not in [sources]</source>
        <translation>来源“{}”不在 [sources] 中</translation>
    </message>
    <message>
        <source>The figure is left out; correct it</source>
        <translation>此数值已略去；请更正</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>device {}</source>
        <translation>设备 {}</translation>
    </message>
    <message>
        <source>compute capability &apos;{}&apos; has no [capability] table</source>
        <translation>计算能力“{}”没有 [capability] 表</translation>
    </message>
    <message>
        <source>&apos;peaks&apos; holds something that is no table</source>
        <translation>“peaks”中有不是表的内容</translation>
    </message>
    <message>
        <source>{} stands twice</source>
        <translation>{} 出现两次</translation>
    </message>
    <message>
        <source>without SMs, memory or any peak that holds it is left out</source>
        <translation>缺少 SM、内存或有效峰值，已略去</translation>
    </message>
    <message>
        <source>the catalogue</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>capability {}</source>
        <translation>计算能力 {}</translation>
    </message>
    <message>
        <source>&apos;device&apos; holds something that is no table</source>
        <translation>“device”中有不是表的内容</translation>
    </message>
    <message>
        <source>device &apos;{}&apos; stands twice</source>
        <translation>设备“{}”出现两次</translation>
    </message>
    <message>
        <source>Rename one</source>
        <translation>请给其中一个改名</translation>
    </message>
    <message>
        <source>metrics of {}</source>
        <translation>{} 的指标</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no metric and no sum of metrics</source>
        <translation>“{}”既不是指标，也不是指标之和</translation>
    </message>
    <message>
        <source>write &quot;a.sum&quot;, or &quot;a.sum + 2 * b.sum&quot;</source>
        <translation>请写 &quot;a.sum&quot;，或 &quot;a.sum + 2 * b.sum&quot;</translation>
    </message>
    <message>
        <source>the counter table</source>
        <translation>计数器表</translation>
    </message>
    <message>
        <source>&apos;counter&apos; holds something that is no table</source>
        <translation>“counter”中有不是表的内容</translation>
    </message>
    <message>
        <source>counter {}</source>
        <translation>计数器 {}</translation>
    </message>
    <message>
        <source>without name</source>
        <translation>（无名称）</translation>
    </message>
    <message>
        <source>counter &apos;{}&apos; stands twice</source>
        <translation>计数器“{}”出现两次</translation>
    </message>
    <message>
        <source>Remove one</source>
        <translation>请删除其中一个</translation>
    </message>
    <message>
        <source>The status of a finding</source>
        <translation>发现项的状态</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is missing</source>
        <translation>缺少“{}”</translation>
    </message>
    <message>
        <source>Add {} = &lt;{}&gt;</source>
        <translation>请添加 {} = &lt;{}&gt;</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no text</source>
        <translation>“{}”不是文本</translation>
    </message>
    <message>
        <source>Write it in quotes</source>
        <translation>请加上引号</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no finite number of 0 or more</source>
        <translation>“{}”不是非负的有限数</translation>
    </message>
    <message>
        <source>whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no whole number of 0 or more</source>
        <translation>“{}”不是非负整数</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is neither true nor false</source>
        <translation>“{}”既不是 true 也不是 false</translation>
    </message>
    <message>
        <source>&apos;{}&apos; holds something that is no text</source>
        <translation>“{}”中有不是文本的内容</translation>
    </message>
    <message>
        <source>list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no list</source>
        <translation>“{}”不是列表</translation>
    </message>
    <message>
        <source>Write it in []</source>
        <translation>请写在 [] 中</translation>
    </message>
    <message>
        <source>table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no table</source>
        <translation>“{}”不是表</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no key here</source>
        <translation>“{}”不是这里的键</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>请删除它</translation>
    </message>
    <message>
        <source>Did you mean &apos;{}&apos;?</source>
        <translation>是否想写“{}”？</translation>
    </message>
    <message>
        <source>The source of a ceiling</source>
        <translation>上限的来源</translation>
    </message>
    <message>
        <source>axis {} needs a whole number of at least 1 as its value</source>
        <translation>轴 {} 的值必须是不小于 1 的整数</translation>
    </message>
    <message>
        <source>axis {}: {}</source>
        <translation>轴 {}：{}</translation>
    </message>
    <message>
        <source>axis {} has the type &quot;{}&quot;</source>
        <translation>轴 {} 的类型为“{}”</translation>
    </message>
    <message>
        <source>write const, var or expr</source>
        <translation>请写 const、var 或 expr</translation>
    </message>
    <message>
        <source>an extent of {} is the name of an axis or an expression</source>
        <translation>{} 的每一维应为轴的名称或表达式</translation>
    </message>
    <message>
        <source>{} uses {}, which is no axis</source>
        <translation>{} 使用的 {} 不是轴</translation>
    </message>
    <message>
        <source>the axes are {}</source>
        <translation>现有的轴：{}</translation>
    </message>
    <message>
        <source>{} is empty</source>
        <translation>{} 为空</translation>
    </message>
    <message>
        <source>{} has the dtype &quot;{}&quot;, which does not exist</source>
        <translation>{} 的 dtype “{}”不存在</translation>
    </message>
    <message>
        <source>the dtypes are {}</source>
        <translation>可用的 dtype：{}</translation>
    </message>
    <message>
        <source>{} is meant</source>
        <translation>应为 {}</translation>
    </message>
    <message>
        <source>{} needs an array of axes as its shape, or null for one value</source>
        <translation>{} 的形状应为轴的数组；单个值则写 null</translation>
    </message>
    <message>
        <source>the reference</source>
        <translation>参考实现</translation>
    </message>
    <message>
        <source>the reference has no function run</source>
        <translation>参考实现中没有函数 run</translation>
    </message>
    <message>
        <source>write def run({})</source>
        <translation>请写 def run({})</translation>
    </message>
    <message>
        <source>run takes ({}), but the inputs are {}</source>
        <translation>run 的参数是 ({})，而输入是 {}</translation>
    </message>
    <message>
        <source>give run the inputs by name and in their order</source>
        <translation>请按名称和次序把输入作为 run 的参数</translation>
    </message>
    <message>
        <source>the key {} stands twice in its object (again in line {})</source>
        <translation>键 {} 在其对象中出现两次（第 {} 行再次出现）</translation>
    </message>
    <message>
        <source>keep one of them</source>
        <translation>请只保留一个</translation>
    </message>
    <message>
        <source>the name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>there is a comma (,) with nothing behind it: the next token closes the object or array</source>
        <translation>逗号（,）之后没有内容：下一个记号就结束了对象或数组</translation>
    </message>
    <message>
        <source>delete the comma</source>
        <translation>请删除该逗号</translation>
    </message>
    <message>
        <source>{} is a string</source>
        <translation>{}应为字符串</translation>
    </message>
    <message>
        <source>write a string</source>
        <translation>请写成字符串</translation>
    </message>
    <message>
        <source>{} is an object</source>
        <translation>{}应为对象</translation>
    </message>
    <message>
        <source>write an object: {}</source>
        <translation>请写成对象：{}</translation>
    </message>
    <message>
        <source>the definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>this solution is for {}, but the definition here is {}</source>
        <translation>此解答针对 {}，而这里的定义是 {}</translation>
    </message>
    <message>
        <source>sources is missing or empty</source>
        <translation>缺少 sources，或其为空</translation>
    </message>
    <message>
        <source>write a list of {&quot;path&quot;: …, &quot;content&quot;: …}</source>
        <translation>请写成由 {&quot;path&quot;: …, &quot;content&quot;: …} 组成的列表</translation>
    </message>
    <message>
        <source>the path of a source</source>
        <translation>源文件的路径</translation>
    </message>
    <message>
        <source>the source {} has no content</source>
        <translation>源文件 {} 没有内容</translation>
    </message>
    <message>
        <source>the path {} leaves the solution</source>
        <translation>路径 {} 超出了解答的范围</translation>
    </message>
    <message>
        <source>a source path stays inside the solution</source>
        <translation>源文件路径必须在解答之内</translation>
    </message>
    <message>
        <source>the entry point</source>
        <translation>入口点</translation>
    </message>
    <message>
        <source>the entry point names {}, but no source has that path</source>
        <translation>入口点指向 {}，但没有源文件是这个路径</translation>
    </message>
    <message>
        <source>the sources are {}</source>
        <translation>现有的源文件：{}</translation>
    </message>
    <message>
        <source>the entry point names no function</source>
        <translation>入口点没有指定函数</translation>
    </message>
    <message>
        <source>write file.cu::run</source>
        <translation>请写成 file.cu::run</translation>
    </message>
    <message>
        <source>this line is not JSON, it ends early or holds a stray character</source>
        <translation>此行不是 JSON：提前结束，或含有多余的字符</translation>
    </message>
    <message>
        <source>each line holds one whole object</source>
        <translation>每行应为一个完整的对象</translation>
    </message>
    <message>
        <source>this line holds no object</source>
        <translation>此行不是对象</translation>
    </message>
    <message>
        <source>each line is an object: { &quot;uuid&quot;: …, &quot;axes&quot;: { … }, &quot;inputs&quot;: { … } }</source>
        <translation>每行是一个对象：{ &quot;uuid&quot;: …, &quot;axes&quot;: { … }, &quot;inputs&quot;: { … } }</translation>
    </message>
    <message>
        <source>{} is no variable axis</source>
        <translation>{} 不是可变的轴</translation>
    </message>
    <message>
        <source>axis {} is {}, which is no integer</source>
        <translation>轴 {} 为 {}，不是整数</translation>
    </message>
    <message>
        <source>axis {} is {}; an extent is at least 1</source>
        <translation>轴 {} 为 {}；每一维至少为 1</translation>
    </message>
    <message>
        <source>axis {} has no value</source>
        <translation>轴 {} 没有值</translation>
    </message>
    <message>
        <source>there is no descriptor for the input {}</source>
        <translation>输入 {} 没有描述</translation>
    </message>
    <message>
        <source>write &quot;{}&quot;: {&quot;type&quot;: &quot;random&quot;}</source>
        <translation>请写 &quot;{}&quot;: {&quot;type&quot;: &quot;random&quot;}</translation>
    </message>
    <message>
        <source>the scalar {} needs a value</source>
        <translation>标量 {} 需要一个值</translation>
    </message>
    <message>
        <source>write {&quot;type&quot;: &quot;scalar&quot;, &quot;value&quot;: 1e-6}</source>
        <translation>请写 {&quot;type&quot;: &quot;scalar&quot;, &quot;value&quot;: 1e-6}</translation>
    </message>
    <message>
        <source>the uuid</source>
        <translation>uuid</translation>
    </message>
    <message>
        <source>there is no definition.json here</source>
        <translation>这里没有 definition.json</translation>
    </message>
    <message>
        <source>there are {} definitions here</source>
        <translation>这里有 {} 个定义</translation>
    </message>
    <message>
        <source>name the .json file of one definition</source>
        <translation>请指定某个定义的 .json 文件</translation>
    </message>
    <message>
        <source>the uuid {} stands in line {} already</source>
        <translation>uuid {} 在第 {} 行已经出现过</translation>
    </message>
    <message>
        <source>The measurement was stopped.</source>
        <translation>测量已停止。</translation>
    </message>
    <message>
        <source>The device returned no samples.</source>
        <translation>设备没有返回样本。</translation>
    </message>
    <message>
        <source>{} of {} samples ran on a throttled GPU; too few others remained, so all are kept.</source>
        <translation>{1} 个样本中有 {0} 个是在 GPU 降频时运行的；其余样本太少，因此全部保留。</translation>
    </message>
    <message>
        <source>There is no cold time: {}</source>
        <translation>没有冷缓存时间：{}</translation>
    </message>
    <message>
        <source>There is no cold time: no flush was asked for.</source>
        <translation>没有冷缓存时间：没有要求冲刷缓存。</translation>
    </message>
    <message>
        <source>There is no warm time: {}</source>
        <translation>没有热缓存时间：{}</translation>
    </message>
    <message>
        <source>{} Likely causes: outputs that are not all written, work that is skipped or done outside of the measured span (another stream), data that was still in the L2 cache (persisting lines), or a FLOP or byte model of the problem that counts too much</source>
        <translation>{}可能的原因：没有写完全部输出，跳过了部分工作或在测量区间之外完成（另一个流），数据仍在 L2 缓存中（常驻缓存行），或题目的 FLOP 或字节模型计得太多</translation>
    </message>
    <message>
        <source>{} GB/s is above the {} GB/s that the memory can deliver.</source>
        <translation>{} GB/s 高于内存所能提供的 {} GB/s。</translation>
    </message>
    <message>
        <source>{} TFLOP/s is above the {} TFLOP/s of {}.</source>
        <translation>{0} TFLOP/s 高于 {2} 的 {1} TFLOP/s。</translation>
    </message>
    <message>
        <source>The device is not in the catalogue: T_SOL and SOL % are not known</source>
        <translation>设备不在目录中：T_SOL 和 SOL % 未知</translation>
    </message>
    <message>
        <source>Add its data sheet to resources/devices.toml</source>
        <translation>请把它的数据手册添加到 resources/devices.toml</translation>
    </message>
    <message>
        <source>{} has no data sheet figure for {}: T_SOL is not known</source>
        <translation>{} 的数据手册没有 {} 的数值：T_SOL 未知</translation>
    </message>
    <message>
        <source>Choose another --model, or another unit in the problem&apos;s [model]</source>
        <translation>请选择另一个 --model，或在题目的 [model] 中选择另一个 unit</translation>
    </message>
    <message>
        <source>workload {}</source>
        <translation>工作负载 {}</translation>
    </message>
    <message>
        <source>workload {} with {}</source>
        <translation>工作负载 {}（{}）</translation>
    </message>
    <message>
        <source>an extent is at least 0</source>
        <translation>每一维至少为 0</translation>
    </message>
    <message>
        <source>an extent is at least 1 (or set [problem] allow_empty)</source>
        <translation>每一维至少为 1（或设置 [problem] allow_empty）</translation>
    </message>
    <message>
        <source>{} is no axis</source>
        <translation>{} 不是轴</translation>
    </message>
    <message>
        <source>{} is no axis ({} is meant?)</source>
        <translation>{} 不是轴（是否想写 {}？）</translation>
    </message>
    <message>
        <source>{} is constant ({})</source>
        <translation>{} 是常量（{}）</translation>
    </message>
    <message>
        <source>{} is computed ({})</source>
        <translation>{} 是计算所得（{}）</translation>
    </message>
    <message>
        <source>{} has no value</source>
        <translation>{} 没有值</translation>
    </message>
    <message>
        <source>it binds: {}</source>
        <translation>它绑定的有：{}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>axis {} needs itself</source>
        <translation>轴 {} 依赖自身</translation>
    </message>
    <message>
        <source>break the circle of axes</source>
        <translation>请打破轴之间的循环</translation>
    </message>
    <message>
        <source>axis {}</source>
        <translation>轴 {}</translation>
    </message>
    <message>
        <source>{}: {} elements of {} do not fit into 63 bits</source>
        <translation>{}：{} 个 {} 元素超出 63 位所能表示</translation>
    </message>
    <message>
        <source>no device takes such a tensor; use a smaller workload</source>
        <translation>没有设备能容纳这样的张量；请使用较小的工作负载</translation>
    </message>
    <message>
        <source>std is negative</source>
        <translation>std 为负</translation>
    </message>
    <message>
        <source>low must be below high ({} and {} are given)</source>
        <translation>low 必须小于 high（现为 {} 和 {}）</translation>
    </message>
    <message>
        <source>low and high must be whole</source>
        <translation>low 和 high 必须是整数</translation>
    </message>
    <message>
        <source>low and high are beyond 2^53</source>
        <translation>low 和 high 超出 2^53</translation>
    </message>
    <message>
        <source>{} does not hold all values from low to high - 1</source>
        <translation>{} 无法表示从 low 到 high - 1 的所有值</translation>
    </message>
    <message>
        <source>input {}</source>
        <translation>输入 {}</translation>
    </message>
    <message>
        <source>output {}</source>
        <translation>输出 {}</translation>
    </message>
    <message>
        <source>{} starts as a copy of {}, which has another shape</source>
        <translation>{} 以 {} 的副本开始，但后者的形状不同</translation>
    </message>
    <message>
        <source>give both the same shape</source>
        <translation>请让两者形状相同</translation>
    </message>
    <message>
        <source>scalar {}</source>
        <translation>标量 {}</translation>
    </message>
    <message>
        <source>{} does not fit into {}</source>
        <translation>{} 无法用 {} 表示</translation>
    </message>
    <message>
        <source>take a wider dtype</source>
        <translation>请使用更宽的 dtype</translation>
    </message>
    <message>
        <source>write a whole number, or use floor( )</source>
        <translation>请写整数，或使用 floor( )</translation>
    </message>
    <message>
        <source>{} is negative: {}</source>
        <translation>{} 为负：{}</translation>
    </message>
    <message>
        <source>the bound problem is not sound: {}</source>
        <translation>绑定后的题目不完整：{}</translation>
    </message>
    <message>
        <source>The init of a tensor</source>
        <translation>张量的 init</translation>
    </message>
    <message>
        <source>a sprinkle that never falls</source>
        <translation>sprinkle 永远不会出现</translation>
    </message>
    <message>
        <source>a tensor without a name</source>
        <translation>有张量没有名称</translation>
    </message>
    <message>
        <source>tensor {} has no known dtype</source>
        <translation>张量 {} 没有已知的 dtype</translation>
    </message>
    <message>
        <source>tensor {} has no extents</source>
        <translation>张量 {} 没有维度</translation>
    </message>
    <message>
        <source>tensor {} has a negative extent</source>
        <translation>张量 {} 有负的维度</translation>
    </message>
    <message>
        <source>tensor {} does not fit into 63 bits</source>
        <translation>张量 {} 超出 63 位所能表示</translation>
    </message>
    <message>
        <source>{} is no array</source>
        <translation>{} 不是数组</translation>
    </message>
    <message>
        <source>it is no object</source>
        <translation>不是对象</translation>
    </message>
    <message>
        <source>it has no axes</source>
        <translation>没有轴</translation>
    </message>
    <message>
        <source>a scalar without a known dtype</source>
        <translation>有标量没有已知的 dtype</translation>
    </message>
    <message>
        <source>The problem&apos;s unit</source>
        <translation>题目的 unit</translation>
    </message>
    <message>
        <source>The kind of the reference</source>
        <translation>参考实现的种类</translation>
    </message>
    <message>
        <source>there is no function {}</source>
        <translation>没有函数 {}</translation>
    </message>
    <message>
        <source>functions: {}</source>
        <translation>可用的函数：{}</translation>
    </message>
    <message>
        <source>did you mean {}? functions: {}</source>
        <translation>是否想写 {}？可用的函数：{}</translation>
    </message>
    <message>
        <source>{} is beyond a double</source>
        <translation>{} 超出 double 的范围</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is followed by letters</source>
        <translation>“{}”之后紧跟着字母</translation>
    </message>
    <message>
        <source>write 2*rows, not 2rows</source>
        <translation>请写 2*rows，而不是 2rows</translation>
    </message>
    <message>
        <source>the character at column {} does not belong here</source>
        <translation>第 {} 列的字符不应出现在这里</translation>
    </message>
    <message>
        <source>operators are + - * / ^ and comparisons</source>
        <translation>可用的运算符有 + - * / ^ 和比较运算</translation>
    </message>
    <message>
        <source>** is not known here</source>
        <translation>这里不支持 **</translation>
    </message>
    <message>
        <source>write ^ for a power</source>
        <translation>乘方请写 ^</translation>
    </message>
    <message>
        <source>// is not known here</source>
        <translation>这里不支持 //</translation>
    </message>
    <message>
        <source>write floor(a / b)</source>
        <translation>请写 floor(a / b)</translation>
    </message>
    <message>
        <source>it is nested more than {} deep</source>
        <translation>嵌套超过 {} 层</translation>
    </message>
    <message>
        <source>split it into axes of kind expr</source>
        <translation>请拆分为多个 expr 轴</translation>
    </message>
    <message>
        <source>it holds several values</source>
        <translation>它含有多个值</translation>
    </message>
    <message>
        <source>write one expression</source>
        <translation>请只写一个表达式</translation>
    </message>
    <message>
        <source>there is no axis {}</source>
        <translation>没有轴 {}</translation>
    </message>
    <message>
        <source>its value is not a number</source>
        <translation>其值不是数</translation>
    </message>
    <message>
        <source>its value is infinite</source>
        <translation>其值为无穷大</translation>
    </message>
    <message>
        <source>look for a division by zero or too large a power</source>
        <translation>请检查是否除以零或乘方过大</translation>
    </message>
    <message>
        <source>&quot;{}&quot;: {}</source>
        <translation>“{}”：{}</translation>
    </message>
    <message>
        <source>an expression of {} characters is too long; {} are allowed</source>
        <translation>{} 个字符的表达式太长；最多 {} 个</translation>
    </message>
    <message>
        <source>did you mean {}?</source>
        <translation>是否想写 {}？</translation>
    </message>
    <message>
        <source>only numbers can stand here</source>
        <translation>这里只能写数字</translation>
    </message>
    <message>
        <source>known names: {}</source>
        <translation>已知的名称：{}</translation>
    </message>
    <message>
        <source>the expression is empty</source>
        <translation>表达式为空</translation>
    </message>
    <message>
        <source>write a number or an axis</source>
        <translation>请写一个数或轴</translation>
    </message>
    <message>
        <source>it ends too early</source>
        <translation>提前结束</translation>
    </message>
    <message>
        <source>complete the expression or close its bracket</source>
        <translation>请写完表达式，或补上右括号</translation>
    </message>
    <message>
        <source>a ) has no ( before it, at column {}</source>
        <translation>第 {} 列的 ) 之前没有对应的 (</translation>
    </message>
    <message>
        <source>remove it or open a bracket</source>
        <translation>请删除它，或补上左括号</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is not expected at column {}</source>
        <translation>第 {1} 列不应出现“{0}”</translation>
    </message>
    <message>
        <source>operators are + - * / % comparisons &amp;&amp; || ! ?:</source>
        <translation>可用的运算符有 + - * / %、比较运算、&amp;&amp; || ! ?:</translation>
    </message>
    <message>
        <source>it holds a fraction</source>
        <translation>其中有小数</translation>
    </message>
    <message>
        <source>whole-number expressions take integers only</source>
        <translation>整数表达式只接受整数</translation>
    </message>
    <message>
        <source>write floor_div(a, b), or a / b, which drops the rest</source>
        <translation>请写 floor_div(a, b)，或舍去余数的 a / b</translation>
    </message>
    <message>
        <source>there is no power operator for whole numbers</source>
        <translation>整数没有乘方运算符</translation>
    </message>
    <message>
        <source>multiply, or use pow2_ceil</source>
        <translation>请用乘法，或使用 pow2_ceil</translation>
    </message>
    <message>
        <source>there are no shifts</source>
        <translation>不支持移位</translation>
    </message>
    <message>
        <source>multiply or divide by a power of two</source>
        <translation>请乘以或除以 2 的幂</translation>
    </message>
    <message>
        <source>the character at column {} does not belong into an expression</source>
        <translation>第 {} 列的字符不应出现在表达式中</translation>
    </message>
    <message>
        <source>a ( is not closed</source>
        <translation>有 ( 没有闭合</translation>
    </message>
    <message>
        <source>write the missing )</source>
        <translation>请补上缺少的 )</translation>
    </message>
    <message>
        <source>{} starts with a zero</source>
        <translation>{} 以零开头</translation>
    </message>
    <message>
        <source>write decimal numbers without leading zeros</source>
        <translation>请写不带前导零的十进制数</translation>
    </message>
    <message>
        <source>{} does not fit into 63 bits</source>
        <translation>{} 超出 63 位所能表示</translation>
    </message>
    <message>
        <source>the largest number is 9223372036854775807</source>
        <translation>最大的数是 9223372036854775807</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is no whole number</source>
        <translation>“{}”不是整数</translation>
    </message>
    <message>
        <source>write digits only</source>
        <translation>请只写数字</translation>
    </message>
    <message>
        <source>{} takes {} or more arguments, not {}</source>
        <translation>{} 需要至少 {} 个参数，而不是 {} 个</translation>
    </message>
    <message>
        <source>{} takes {} argument(s), not {}</source>
        <translation>{} 需要 {} 个参数，而不是 {} 个</translation>
    </message>
    <message>
        <source>use smaller numbers or another order of the operations</source>
        <translation>请使用较小的数，或调整运算次序</translation>
    </message>
    <message>
        <source>there is no axis or macro {}</source>
        <translation>没有轴或宏 {}</translation>
    </message>
    <message>
        <source>log2({}) does not exist</source>
        <translation>log2({}) 不存在</translation>
    </message>
    <message>
        <source>its argument is at least 1</source>
        <translation>其参数至少为 1</translation>
    </message>
    <message>
        <source>{} divides by zero</source>
        <translation>{} 除以零</translation>
    </message>
    <message>
        <source>its value is {}</source>
        <translation>其值为 {}</translation>
    </message>
    <message>
        <source>it must not be negative</source>
        <translation>不得为负</translation>
    </message>
    <message>
        <source>one to three expressions belong here, not {}</source>
        <translation>这里应有一到三个表达式，而不是 {} 个</translation>
    </message>
    <message>
        <source>write {}</source>
        <translation>请写 {}</translation>
    </message>
    <message>
        <source>input {}: the buffer has {} bytes, not {}</source>
        <translation>输入 {}：缓冲区为 {} 字节，而不是 {} 字节</translation>
    </message>
    <message>
        <source>write value = nan, or a number</source>
        <translation>请写 value = nan，或一个数</translation>
    </message>
    <message>
        <source>{}: {} has no {}</source>
        <translation>{}：{} 没有 {}</translation>
    </message>
    <message>
        <source>write a whole number</source>
        <translation>请写整数</translation>
    </message>
    <message>
        <source>every = {}, offset = {} would do</source>
        <translation>可以写成 every = {}, offset = {}</translation>
    </message>
    <message>
        <source>{}: {} must hold, not every = {} and offset = {}</source>
        <translation>{}：必须满足 {}，而不是 every = {}、offset = {}</translation>
    </message>
    <message>
        <source>write kind = &quot;normal&quot;, uniform, constant, randint, arange or file</source>
        <translation>请写 kind = &quot;normal&quot;，或 uniform、constant、randint、arange、file</translation>
    </message>
    <message>
        <source>{}: there is no kind {}</source>
        <translation>{}：没有种类 {}</translation>
    </message>
    <message>
        <source>{} &quot;{}&quot; does not lie in the folder of its problem</source>
        <translation>{}“{}”不在题目的文件夹中</translation>
    </message>
    <message>
        <source>copy the file into the folder and write its name</source>
        <translation>请把文件复制到该文件夹，并写上文件名</translation>
    </message>
    <message>
        <source>{}: the file {} is not in the folder {}</source>
        <translation>{0}：文件夹 {2} 中没有文件 {1}</translation>
    </message>
    <message>
        <source>write it, or correct the name</source>
        <translation>请写出该文件，或更正名称</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>a kernel without an output cannot be judged</source>
        <translation>没有输出的内核无法评判</translation>
    </message>
    <message>
        <source>write [[workloads]] with name = &quot;small&quot; and axes = { rows = 4 }</source>
        <translation>请写 [[workloads]]，其中 name = &quot;small&quot;，axes = { rows = 4 }</translation>
    </message>
    <message>
        <source>{} holds {} where a table belongs</source>
        <translation>{} 中应为表的地方是{}</translation>
    </message>
    <message>
        <source>write [[{}]] above each</source>
        <translation>请在每一项之上写 [[{}]]</translation>
    </message>
    <message>
        <source>{} &quot;{}&quot;: a name is letters, digits and _, not beginning with a digit</source>
        <translation>{}“{}”：名称由字母、数字和 _ 组成，且不以数字开头</translation>
    </message>
    <message>
        <source>kernel parameters are matched by it</source>
        <translation>内核形参按名称匹配</translation>
    </message>
    <message>
        <source>{} {}: the name is taken by an earlier {}</source>
        <translation>{} {}：此名称已被前面的{}占用</translation>
    </message>
    <message>
        <source>give each axis, tensor and scalar its own name</source>
        <translation>请为每个轴、张量和标量各取一个名称</translation>
    </message>
    <message>
        <source>begin with [problem] and name = &quot;…&quot;</source>
        <translation>请以 [problem] 和 name = &quot;…&quot; 开头</translation>
    </message>
    <message>
        <source>[problem]: &quot;{}&quot; is no name of a folder</source>
        <translation>[problem]：“{}”不能作为文件夹名</translation>
    </message>
    <message>
        <source>use letters, digits, _ and -</source>
        <translation>请使用字母、数字、_ 和 -</translation>
    </message>
    <message>
        <source>the problem is called {}, but its folder {}</source>
        <translation>题目名为 {}，而其文件夹名为 {}</translation>
    </message>
    <message>
        <source>a problem has the name of its folder</source>
        <translation>题目应与其文件夹同名</translation>
    </message>
    <message>
        <source>write the name of the folder: name = &quot;softmax&quot;</source>
        <translation>请写文件夹的名称：name = &quot;softmax&quot;</translation>
    </message>
    <message>
        <source>[model]: there is no unit {}</source>
        <translation>[model]：没有 unit {}</translation>
    </message>
    <message>
        <source>{} would refuse any answer</source>
        <translation>{} 会拒绝任何结果</translation>
    </message>
    <message>
        <source>{} would accept any answer</source>
        <translation>{} 会接受任何结果</translation>
    </message>
    <message>
        <source>write a finite number, or leave it out</source>
        <translation>请写有限的数，或省略</translation>
    </message>
    <message>
        <source>{} is negative; nothing would pass</source>
        <translation>{} 为负；任何结果都不会通过</translation>
    </message>
    <message>
        <source>write a number that is not negative</source>
        <translation>请写非负数</translation>
    </message>
    <message>
        <source>the reference has no kind</source>
        <translation>参考实现没有 kind</translation>
    </message>
    <message>
        <source>write kind = &quot;cuda&quot;, &quot;python&quot; or &quot;recorded&quot;</source>
        <translation>请写 kind = &quot;cuda&quot;、&quot;python&quot; 或 &quot;recorded&quot;</translation>
    </message>
    <message>
        <source>[reference]: there is no kind {}</source>
        <translation>[reference]：没有种类 {}</translation>
    </message>
    <message>
        <source>[reference]: a recorded reference takes no file</source>
        <translation>[reference]：recorded 参考实现不需要 file</translation>
    </message>
    <message>
        <source>its results lie in &lt;workload&gt;/&lt;tensor&gt;.npy</source>
        <translation>其结果存放在 &lt;workload&gt;/&lt;tensor&gt;.npy</translation>
    </message>
    <message>
        <source>a problem is a folder with a problem.toml</source>
        <translation>题目是含有 problem.toml 的文件夹</translation>
    </message>
    <message>
        <source>axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>write kind = &quot;var&quot;, &quot;const&quot; or &quot;expr&quot;</source>
        <translation>请写 kind = &quot;var&quot;、&quot;const&quot; 或 &quot;expr&quot;</translation>
    </message>
    <message>
        <source>axis {}: there is no kind {}</source>
        <translation>轴 {}：没有种类 {}</translation>
    </message>
    <message>
        <source>axis {} = {}, but an axis is at least {}</source>
        <translation>轴 {} = {}，但轴至少为 {}</translation>
    </message>
    <message>
        <source>or set [problem] allow_empty</source>
        <translation>或设置 [problem] allow_empty</translation>
    </message>
    <message>
        <source>{}: &quot;{}&quot;: there is no axis {}</source>
        <translation>{}：“{}”：没有轴 {}</translation>
    </message>
    <message>
        <source>{} needs {}</source>
        <translation>{} 依赖 {}</translation>
    </message>
    <message>
        <source>axes need each other: {}</source>
        <translation>轴互相依赖：{}</translation>
    </message>
    <message>
        <source>make one of them var or const</source>
        <translation>请把其中一个改为 var 或 const</translation>
    </message>
    <message>
        <source>{}: there is no dtype {}</source>
        <translation>{}：没有 dtype {}</translation>
    </message>
    <message>
        <source>write value = 0.125, or an expression in quotes</source>
        <translation>请写 value = 0.125，或带引号的表达式</translation>
    </message>
    <message>
        <source>write shape = [&quot;rows&quot;], or [] for one value</source>
        <translation>请写 shape = [&quot;rows&quot;]；单个值写 []</translation>
    </message>
    <message>
        <source>{}: shape holds {} where an axis belongs</source>
        <translation>{}：shape 中应为轴的地方是{}</translation>
    </message>
    <message>
        <source>a negative number</source>
        <translation>负数</translation>
    </message>
    <message>
        <source>write axes in quotes: shape = [&quot;rows&quot;, &quot;cols&quot;]</source>
        <translation>轴请带引号：shape = [&quot;rows&quot;, &quot;cols&quot;]</translation>
    </message>
    <message>
        <source>{} is {}, but starts as a copy of {}, which is {}</source>
        <translation>{} 是 {}，但以 {} 的副本开始，而后者是 {}</translation>
    </message>
    <message>
        <source>give both the same dtype</source>
        <translation>请让两者 dtype 相同</translation>
    </message>
    <message>
        <source>{}: there is no input {}</source>
        <translation>{}：没有输入 {}</translation>
    </message>
    <message>
        <source>{}: seed is negative</source>
        <translation>{}：seed 为负</translation>
    </message>
    <message>
        <source>workload &quot;{}&quot;: a name is letters, digits, _ and -</source>
        <translation>工作负载“{}”：名称由字母、数字、_ 和 - 组成</translation>
    </message>
    <message>
        <source>it is a folder&apos;s name too</source>
        <translation>它也用作文件夹名</translation>
    </message>
    <message>
        <source>workload {} exists already</source>
        <translation>工作负载 {} 已存在</translation>
    </message>
    <message>
        <source>give each workload its own name</source>
        <translation>请为每个工作负载各取一个名称</translation>
    </message>
    <message>
        <source>{} of {}</source>
        <translation>{}（{}）</translation>
    </message>
    <message>
        <source>{}: there is no scalar {}</source>
        <translation>{}：没有标量 {}</translation>
    </message>
    <message>
        <source>cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>write the array with numpy.save</source>
        <translation>请用 numpy.save 写出数组</translation>
    </message>
    <message>
        <source>is no .npy file</source>
        <translation>不是 .npy 文件</translation>
    </message>
    <message>
        <source>has the unknown format version {}</source>
        <translation>格式版本 {} 未知</translation>
    </message>
    <message>
        <source>has a damaged header</source>
        <translation>文件头已损坏</translation>
    </message>
    <message>
        <source>ends inside its header</source>
        <translation>在文件头中提前结束</translation>
    </message>
    <message>
        <source>holds {}, but {} ({}) is wanted</source>
        <translation>内容为 {}，而需要的是 {}（{}）</translation>
    </message>
    <message>
        <source>save it little-endian</source>
        <translation>请按小端序保存</translation>
    </message>
    <message>
        <source>convert it with astype before numpy.save</source>
        <translation>请先用 astype 转换，再用 numpy.save 保存</translation>
    </message>
    <message>
        <source>is in Fortran order</source>
        <translation>是 Fortran 次序</translation>
    </message>
    <message>
        <source>save numpy.ascontiguousarray(x)</source>
        <translation>请保存 numpy.ascontiguousarray(x)</translation>
    </message>
    <message>
        <source>has the shape {}, but {} is wanted</source>
        <translation>形状为 {}，而需要的是 {}</translation>
    </message>
    <message>
        <source>ends after {} of {} bytes</source>
        <translation>共 {1} 字节，在 {0} 字节处提前结束</translation>
    </message>
    <message>
        <source>this is not TOML: {}</source>
        <translation>这不是 TOML：{}</translation>
    </message>
    <message>
        <source>{} is given twice (first in line {})</source>
        <translation>{} 重复给出（首次在第 {} 行）</translation>
    </message>
    <message>
        <source>{} is given twice</source>
        <translation>{} 重复给出</translation>
    </message>
    <message>
        <source>{} is beyond a 64-bit floating-point number</source>
        <translation>{} 超出 64 位浮点数的范围</translation>
    </message>
    <message>
        <source>{} does not fit into 64 bits</source>
        <translation>{} 超出 64 位所能表示</translation>
    </message>
    <message>
        <source>write a smaller number</source>
        <translation>请写较小的数</translation>
    </message>
    <message>
        <source>a ; parts nothing in TOML</source>
        <translation>TOML 中不用 ; 分隔</translation>
    </message>
    <message>
        <source>write one key a line, or a table in braces with commas: { dtype = &quot;float32&quot;, shape = [&quot;rows&quot;] }</source>
        <translation>请每行写一个键，或用带逗号的花括号表：{ dtype = &quot;float32&quot;, shape = [&quot;rows&quot;] }</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a number with a fraction</source>
        <translation>小数</translation>
    </message>
    <message>
        <source>a date or time</source>
        <translation>日期或时间</translation>
    </message>
    <message>
        <source>{}; {} is meant?</source>
        <translation>{}；是否想写 {}？</translation>
    </message>
    <message>
        <source>known: {}</source>
        <translation>已知的有：{}</translation>
    </message>
    <message>
        <source>{}: {} is {}, but {} belongs here</source>
        <translation>{0}：{1} 是{2}，而这里应为{3}</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>{} has no {}</source>
        <translation>{} 没有 {}</translation>
    </message>
    <message>
        <source>put it in quotes</source>
        <translation>请加上引号</translation>
    </message>
    <message>
        <source>write it without quotes: {}</source>
        <translation>请不加引号：{}</translation>
    </message>
    <message>
        <source>{}: {} is not finite</source>
        <translation>{}：{} 不是有限值</translation>
    </message>
    <message>
        <source>write a finite number</source>
        <translation>请写有限的数</translation>
    </message>
    <message>
        <source>a number or an expression in quotes</source>
        <translation>数，或带引号的表达式</translation>
    </message>
    <message>
        <source>{} has no key {}</source>
        <translation>{} 没有键 {}</translation>
    </message>
    <message>
        <source>The session {} {}</source>
        <translation>会话 {} {}</translation>
    </message>
    <message>
        <source>is damaged: {}. Nothing was changed in it.</source>
        <translation>已损坏：{}。没有对它做任何修改。</translation>
    </message>
    <message>
        <source>Restore the file from a copy.</source>
        <translation>请从副本恢复该文件。</translation>
    </message>
    <message>
        <source>{} is not a session: {}.</source>
        <translation>{} 不是会话：{}。</translation>
    </message>
    <message>
        <source>Sessions are .ridge files that the window or `ridge run --session` saved.</source>
        <translation>会话是由窗口或 `ridge run --session` 保存的 .ridge 文件。</translation>
    </message>
    <message>
        <source>it is {} bytes long, which is less than a header</source>
        <translation>长度为 {} 字节，还不到文件头的长度</translation>
    </message>
    <message>
        <source>it is {} bytes long, but its header says {}</source>
        <translation>长度为 {} 字节，而其文件头记为 {} 字节</translation>
    </message>
    <message>
        <source>it holds nothing</source>
        <translation>没有内容</translation>
    </message>
    <message>
        <source>is a database of another program. Nothing was changed in it.</source>
        <translation>是其他程序的数据库。没有对它做任何修改。</translation>
    </message>
    <message>
        <source>has format version {}, and this release reads up to version {}. Nothing was changed in it.</source>
        <translation>的格式版本为 {}，此版本最高只能读取版本 {}。没有对它做任何修改。</translation>
    </message>
    <message>
        <source>Open it with a newer release, or export it there as JSON.</source>
        <translation>请用更新的版本打开，或在那里导出为 JSON。</translation>
    </message>
    <message>
        <source>its format version is negative</source>
        <translation>格式版本为负</translation>
    </message>
    <message>
        <source>its table &apos;{}&apos; is missing</source>
        <translation>缺少表“{}”</translation>
    </message>
    <message>
        <source>does not exist.</source>
        <translation>不存在。</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>请检查路径。</translation>
    </message>
    <message>
        <source>cannot be read: {}</source>
        <translation>无法读取：{}</translation>
    </message>
    <message>
        <source>it is no regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>cannot be written: it is read-only.</source>
        <translation>无法写入：它是只读的。</translation>
    </message>
    <message>
        <source>Change its permissions or save under another name.</source>
        <translation>请修改其权限，或以其他名称保存。</translation>
    </message>
    <message>
        <source>could not be migrated.</source>
        <translation>无法迁移。</translation>
    </message>
    <message>
        <source>it is no SQLite database</source>
        <translation>不是 SQLite 数据库</translation>
    </message>
    <message>
        <source>could not be saved: the disk is full. What was saved before is intact.</source>
        <translation>无法保存：磁盘已满。之前保存的内容完好。</translation>
    </message>
    <message>
        <source>Free some space and save again.</source>
        <translation>请腾出空间后再次保存。</translation>
    </message>
    <message>
        <source>is being written by another process, which did not finish within 5 s.</source>
        <translation>正由另一个进程写入，5 秒内没有完成。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>was moved, replaced or deleted after it was opened; nothing was saved.</source>
        <translation>在打开之后被移动、替换或删除；没有保存任何内容。</translation>
    </message>
    <message>
        <source>Save under a new name.</source>
        <translation>请以新名称保存。</translation>
    </message>
    <message>
        <source>cannot be written: it or its folder is read-only.</source>
        <translation>无法写入：它或其文件夹是只读的。</translation>
    </message>
    <message>
        <source>Save under another name.</source>
        <translation>请以其他名称保存。</translation>
    </message>
    <message>
        <source>cannot be opened: {}.</source>
        <translation>无法打开：{}。</translation>
    </message>
    <message>
        <source>Check that its folder exists and that you may write there.</source>
        <translation>请检查其文件夹是否存在以及是否有写入权限。</translation>
    </message>
    <message>
        <source>could not be read or written: {}. What was saved before is intact.</source>
        <translation>读写失败：{}。之前保存的内容完好。</translation>
    </message>
    <message>
        <source>Check the disk, its quota and its free space.</source>
        <translation>请检查磁盘、配额和剩余空间。</translation>
    </message>
    <message>
        <source>failed: {}.</source>
        <translation>失败：{}。</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>为空</translation>
    </message>
    <message>
        <source>was left in the middle of a change, and a copy to recover it could not be made: {}.</source>
        <translation>的修改中途中断，而用于恢复的副本无法创建：{}。</translation>
    </message>
    <message>
        <source>Free some space for temporary files, or open it once for writing.</source>
        <translation>请为临时文件腾出空间，或以写入方式打开一次。</translation>
    </message>
    <message>
        <source>is of an older version and could not be migrated: {}.</source>
        <translation>属于较旧的版本，无法迁移：{}。</translation>
    </message>
    <message>
        <source>There is no export format &apos;{}&apos;.</source>
        <translation>没有导出格式“{}”。</translation>
    </message>
    <message>
        <source>Write csv, json or html.</source>
        <translation>请写 csv、json 或 html。</translation>
    </message>
    <message>
        <source>the quartiles of {} do not lie around its median</source>
        <translation>{} 的四分位数不在其中位数两侧</translation>
    </message>
    <message>
        <source>{}.samples_us has {} numbers, and {}.n is {}</source>
        <translation>{}.samples_us 有 {} 个数，而 {}.n 是 {}</translation>
    </message>
    <message>
        <source>{}.sm_mhz has {} numbers for {} samples</source>
        <translation>{}.sm_mhz 有 {} 个数，而样本有 {} 个</translation>
    </message>
    <message>
        <source>{}.wrong has {} counts for a grid of {} by {}</source>
        <translation>{}.wrong 有 {} 个计数，而网格为 {} × {}</translation>
    </message>
    <message>
        <source>{}.{} is missing</source>
        <translation>缺少 {}.{}</translation>
    </message>
    <message>
        <source>of resources.registers and resources.{} one is missing</source>
        <translation>resources.registers 与 resources.{} 缺少其一</translation>
    </message>
    <message>
        <source>{} is no base64</source>
        <translation>{} 不是 base64</translation>
    </message>
    <message>
        <source>The JSON is no run: it lacks the problem&apos;s name or the verdict.</source>
        <translation>此 JSON 不是运行：缺少题目名称或结论。</translation>
    </message>
    <message>
        <source>The session {} has no run &apos;{}&apos;.</source>
        <translation>会话 {} 没有运行“{}”。</translation>
    </message>
    <message>
        <source>its samples {} are no blob</source>
        <translation>其样本 {} 不是 blob</translation>
    </message>
    <message>
        <source>its samples {} have {} bytes, and {} of them have {}</source>
        <translation>其样本 {} 有 {} 字节，而 {} 个样本应有 {} 字节</translation>
    </message>
    <message>
        <source>its samples {} hold what is no time and no clock</source>
        <translation>其样本 {} 含有既非时间也非时钟频率的数</translation>
    </message>
    <message>
        <source>its samples {} belong to nothing in its timing</source>
        <translation>其样本 {} 不属于它的任何计时</translation>
    </message>
    <message>
        <source>Run {} of the session {} is of another release and cannot be shown: {}.</source>
        <translation>会话 {1} 的运行 {0} 属于另一版本，无法显示：{2}。</translation>
    </message>
    <message>
        <source>Open it with the release that wrote it; this file keeps it as it is.</source>
        <translation>请用写出它的版本打开；此文件会原样保留它。</translation>
    </message>
    <message>
        <source>The session {} is damaged: its run {} cannot be read. {}</source>
        <translation>会话 {} 已损坏：无法读取其运行 {}。{}</translation>
    </message>
    <message>
        <source>Restore the file from a copy; its other runs are still there.</source>
        <translation>请从副本恢复该文件；其他运行仍然完好。</translation>
    </message>
    <message>
        <source>Run {} of the session is damaged: {}. That part is left out.</source>
        <translation>会话中的运行 {} 已损坏：{}。该部分被略去。</translation>
    </message>
    <message>
        <source>Restore the file from a copy; the rest of the run is shown.</source>
        <translation>请从副本恢复文件；该运行的其余部分照常显示。</translation>
    </message>
    <message>
        <source>its column {} holds {}, where the run says &apos;{}&apos;</source>
        <translation>其 {} 列为 {}，而运行中为“{}”</translation>
    </message>
    <message>
        <source>its baseline is {}, and should be 0 or 1</source>
        <translation>其基线标记是 {}，而应为 0 或 1</translation>
    </message>
    <message>
        <source>its notes are no text</source>
        <translation>其备注不是文本</translation>
    </message>
    <message>
        <source>its {} is missing</source>
        <translation>缺少其{}</translation>
    </message>
    <message>
        <source>its {} is not what was saved</source>
        <translation>其{}与保存时不同</translation>
    </message>
    <message>
        <source>source text</source>
        <translation>源代码文本</translation>
    </message>
    <message>
        <source>the directive {} lacks its colon</source>
        <translation>指令 {} 缺少冒号</translation>
    </message>
    <message>
        <source>there is no directive {}</source>
        <translation>没有指令 {}</translation>
    </message>
    <message>
        <source>there is no directive {}; {} is meant?</source>
        <translation>没有指令 {}；是否想写 {}？</translation>
    </message>
    <message>
        <source>directives: {}</source>
        <translation>可用的指令：{}</translation>
    </message>
    <message>
        <source>the directive {} has no value</source>
        <translation>指令 {} 没有值</translation>
    </message>
    <message>
        <source>keep one, or begin the next launch with //@ kernel:</source>
        <translation>请只保留一个，或用 //@ kernel: 开始下一次启动</translation>
    </message>
    <message>
        <source>keep one</source>
        <translation>请只保留一个</translation>
    </message>
    <message>
        <source>cooperative is &quot;{}&quot;</source>
        <translation>cooperative 为“{}”</translation>
    </message>
    <message>
        <source>{} has {} parts</source>
        <translation>{} 有 {} 个分量</translation>
    </message>
    <message>
        <source>a block of {} has more than 1024 threads, which no device launches</source>
        <translation>线程块 {} 的线程数超过 1024，没有设备能启动</translation>
    </message>
    <message>
        <source>use at most 1024 threads and a larger grid</source>
        <translation>请最多使用 1024 个线程，并增大网格</translation>
    </message>
    <message>
        <source>args has an empty place</source>
        <translation>args 中有空位</translation>
    </message>
    <message>
        <source>arch is &quot;{}&quot;</source>
        <translation>arch 为“{}”</translation>
    </message>
    <message>
        <source>write sm_90, sm_90a or compute_90</source>
        <translation>请写 sm_90、sm_90a 或 compute_90</translation>
    </message>
    <message>
        <source>{} is older than sm_75, the oldest that NVRTC of CUDA 13 compiles for</source>
        <translation>{} 早于 sm_75，而后者是 CUDA 13 的 NVRTC 所能编译的最旧架构</translation>
    </message>
    <message>
        <source>leave arch out: the device&apos;s own is taken</source>
        <translation>请省略 arch：将采用设备自身的架构</translation>
    </message>
    <message>
        <source>{}: &quot;{}&quot; is no name</source>
        <translation>{}：“{}”不是名称</translation>
    </message>
    <message>
        <source>a name is letters, digits and _</source>
        <translation>名称由字母、数字和 _ 组成</translation>
    </message>
    <message>
        <source>{} {} is given twice (first in line {})</source>
        <translation>{} {} 重复给出（首次在第 {} 行）</translation>
    </message>
    <message>
        <source>symbol: &quot;{}&quot; names no tensor</source>
        <translation>symbol：“{}”没有指定张量</translation>
    </message>
    <message>
        <source>symbol {} is given twice</source>
        <translation>symbol {} 重复给出</translation>
    </message>
    <message>
        <source>scratch: &quot;{}&quot; is no name, dtype and [shape]</source>
        <translation>scratch：“{}”不是“名称 dtype [形状]”的形式</translation>
    </message>
    <message>
        <source>scratch {}: there is no dtype {}</source>
        <translation>临时张量 {}：没有 dtype {}</translation>
    </message>
    <message>
        <source>scratch {}: there is no dtype {}; {} is meant?</source>
        <translation>临时张量 {}：没有 dtype {}；是否想写 {}？</translation>
    </message>
    <message>
        <source>tune: &quot;{}&quot; is no list of values</source>
        <translation>tune：“{}”不是值的列表</translation>
    </message>
    <message>
        <source>&quot;{}&quot; names no tensor</source>
        <translation>“{}”没有指定张量</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is no NAME = TENSOR</source>
        <translation>“{}”不是“名称 = 张量”的形式</translation>
    </message>
    <message>
        <source>{} &quot;{}&quot;: {}</source>
        <translation>{}“{}”：{}</translation>
    </message>
    <message>
        <source>{} has {} extents</source>
        <translation>{} 有 {} 维</translation>
    </message>
    <message>
        <source>at most 5</source>
        <translation>最多 5 维</translation>
    </message>
    <message>
        <source>{} is &quot;{}&quot;</source>
        <translation>{} 为“{}”</translation>
    </message>
    <message>
        <source>write one of {}</source>
        <translation>请写以下之一：{}</translation>
    </message>
    <message>
        <source>map {} has no box</source>
        <translation>映射 {} 没有 box</translation>
    </message>
    <message>
        <source>view has {} extents, box {}</source>
        <translation>view 有 {} 维，box 有 {} 维</translation>
    </message>
    <message>
        <source>give both as many</source>
        <translation>请让两者维数相同</translation>
    </message>
    <message>
        <source>the file ends in .ptx but holds CUDA C++ (no .version directive)</source>
        <translation>文件以 .ptx 结尾，内容却是 CUDA C++（没有 .version 指示）</translation>
    </message>
    <message>
        <source>rename it to .cu</source>
        <translation>请改名为 .cu</translation>
    </message>
    <message>
        <source>the file holds no .entry: there is nothing to run</source>
        <translation>文件中没有 .entry：没有可运行的内容</translation>
    </message>
    <message>
        <source>a kernel cannot be a member function</source>
        <translation>内核不能是成员函数</translation>
    </message>
    <message>
        <source>make it a free function, or a static __device__ member that a kernel calls</source>
        <translation>请改为普通函数，或改为由内核调用的静态 __device__ 成员</translation>
    </message>
    <message>
        <source>cub/cub.cuh cannot be compiled at run time: it is host code</source>
        <translation>cub/cub.cuh 无法在运行时编译：它是主机代码</translation>
    </message>
    <message>
        <source>include the block primitive&apos;s own header, such as &lt;cub/block/block_reduce.cuh&gt;</source>
        <translation>请包含 block 级原语自己的头文件，例如 &lt;cub/block/block_reduce.cuh&gt;</translation>
    </message>
    <message>
        <source>{} belongs to CUTLASS: where is its include folder?</source>
        <translation>{} 属于 CUTLASS：其包含文件夹在哪里？</translation>
    </message>
    <message>
        <source>{} is not beside the file: in which folder is it?</source>
        <translation>{} 不在文件旁边：它在哪个文件夹？</translation>
    </message>
    <message>
        <source>the file is empty: there is no kernel</source>
        <translation>文件为空：没有内核</translation>
    </message>
    <message>
        <source>the file holds no __global__ function: there is nothing to run</source>
        <translation>文件中没有 __global__ 函数：没有可运行的内容</translation>
    </message>
    <message>
        <source>the file holds several kernels: which one is to run?</source>
        <translation>文件中有多个内核：要运行哪一个？</translation>
    </message>
    <message>
        <source>{} is a template and needs arguments for {}</source>
        <translation>{} 是模板，需要为“{}”给出实参</translation>
    </message>
    <message>
        <source>texture references (texture&lt;…&gt;) were removed in CUDA 12</source>
        <translation>纹理引用（texture&lt;…&gt;）已在 CUDA 12 中移除</translation>
    </message>
    <message>
        <source>use a texture object (cudaTextureObject_t) as a kernel parameter</source>
        <translation>请改用纹理对象（cudaTextureObject_t）作为内核形参</translation>
    </message>
    <message>
        <source>the file is {}, which NVRTC reads as nothing at all</source>
        <translation>文件是 {}，NVRTC 完全无法读取</translation>
    </message>
    <message>
        <source>save it as UTF-8 (the editor offers to convert it)</source>
        <translation>请另存为 UTF-8（编辑器可以转换）</translation>
    </message>
    <message>
        <source>the file is an executable or object file (ELF), not text</source>
        <translation>文件是可执行文件或目标文件（ELF），不是文本</translation>
    </message>
    <message>
        <source>open the source instead</source>
        <translation>请改为打开源码</translation>
    </message>
    <message>
        <source>{} or {} without a mark</source>
        <translation>不带标记的 {} 或 {}</translation>
    </message>
    <message>
        <source>line {}, column {}: a NUL byte, where the compiler would stop reading without a word</source>
        <translation>第 {} 行第 {} 列有 NUL 字节，编译器会在那里悄然停止读取</translation>
    </message>
    <message>
        <source>remove it; the file is not text as it is</source>
        <translation>请删除它；目前的文件不是文本</translation>
    </message>
    <message>
        <source>{} or {}</source>
        <translation>{} 或 {}</translation>
    </message>
    <message>
        <source>the file is not UTF-8 (byte 0x{} in line {}); it looks like {}</source>
        <translation>文件不是 UTF-8（第 {1} 行的字节 0x{0}）；看起来是 {2}</translation>
    </message>
    <message>
        <source>saving keeps the bytes; NVRTC takes them in comments</source>
        <translation>保存时保留原字节；NVRTC 接受注释中的这些字节</translation>
    </message>
    <message>
        <source>U+00A0 no-break space</source>
        <translation>U+00A0 不间断空格</translation>
    </message>
    <message>
        <source>replace it with a blank</source>
        <translation>请换成空格</translation>
    </message>
    <message>
        <source>U+2007 figure space</source>
        <translation>U+2007 数字空格</translation>
    </message>
    <message>
        <source>U+202F narrow no-break space</source>
        <translation>U+202F 窄不间断空格</translation>
    </message>
    <message>
        <source>U+3000 ideographic space</source>
        <translation>U+3000 全角空格</translation>
    </message>
    <message>
        <source>U+200B zero-width space</source>
        <translation>U+200B 零宽空格</translation>
    </message>
    <message>
        <source>remove it</source>
        <translation>请删除它</translation>
    </message>
    <message>
        <source>U+FEFF byte order mark inside the text</source>
        <translation>文本中间的 U+FEFF 字节顺序标记</translation>
    </message>
    <message>
        <source>U+2018 typographic quote</source>
        <translation>U+2018 弯引号</translation>
    </message>
    <message>
        <source>write &apos;</source>
        <translation>请写 &apos;</translation>
    </message>
    <message>
        <source>U+2019 typographic quote</source>
        <translation>U+2019 弯引号</translation>
    </message>
    <message>
        <source>U+201C typographic quote</source>
        <translation>U+201C 弯引号</translation>
    </message>
    <message>
        <source>write &quot;</source>
        <translation>请写 &quot;</translation>
    </message>
    <message>
        <source>U+201D typographic quote</source>
        <translation>U+201D 弯引号</translation>
    </message>
    <message>
        <source>U+2212 minus sign</source>
        <translation>U+2212 减号</translation>
    </message>
    <message>
        <source>write -</source>
        <translation>请写 -</translation>
    </message>
    <message>
        <source>{}, which the compiler calls an unrecognized token</source>
        <translation>{}，编译器会报“unrecognized token”</translation>
    </message>
    <message>
        <source>{} ({} in this line)</source>
        <translation>{}（本行有 {} 个）</translation>
    </message>
    <message>
        <source>the file is larger than 16 MiB</source>
        <translation>文件大于 16 MiB</translation>
    </message>
    <message>
        <source>split it, or move tables into files of their own</source>
        <translation>请拆分它，或把数据表移到单独的文件中</translation>
    </message>
    <message>
        <source>{} cannot be started: {}</source>
        <translation>无法启动 {}：{}</translation>
    </message>
    <message>
        <source>The kernel wrote outside of its tensors: {}.</source>
        <translation>内核写到了张量之外：{}。</translation>
    </message>
    <message>
        <source>The kernel changes its input {}; the first changed element is {}. Write to an output or to a scratch tensor instead.</source>
        <translation>内核修改了输入 {}；第一个被修改的元素是 {}。请改为写入输出或临时张量。</translation>
    </message>
    <message>
        <source>{} element of {} in {} is wrong</source>
        <translation>{2} 的 {1} 个元素中有 {0} 个错误</translation>
    </message>
    <message>
        <source>{} elements of {} in {} are wrong</source>
        <translation>{2} 的 {1} 个元素中有 {0} 个错误</translation>
    </message>
    <message>
        <source>{} ({} NaN)</source>
        <translation>{}（其中 {} 个 NaN）</translation>
    </message>
    <message>
        <source>{}; the first is {}: {} expected, {} found.</source>
        <translation>{0}；第一个是 {1}：期望 {2}，实际 {3}。</translation>
    </message>
    <message>
        <source>The mean squared error of {} is {}, above {}.</source>
        <translation>{} 的均方误差为 {}，超过 {}。</translation>
    </message>
    <message>
        <source>All elements of {} are equal, but those of the reference are not.</source>
        <translation>{} 的所有元素都相等，而参考实现的并不相等。</translation>
    </message>
    <message>
        <source>{} element of {} in {} is never written; the first is {}.</source>
        <translation>{2} 的 {1} 个元素中有 {0} 个从未写入；第一个是 {3}。</translation>
    </message>
    <message>
        <source>{} elements of {} in {} are never written; the first is {}.</source>
        <translation>{2} 的 {1} 个元素中有 {0} 个从未写入；第一个是 {3}。</translation>
    </message>
    <message>
        <source>The reference is 0 everywhere although its inputs vary, so a kernel that writes only zeros passes too. Check the reference, or choose inputs that tell kernels apart.</source>
        <translation>参考结果处处为 0，而输入各不相同，因此只写零的内核也会通过。请检查参考实现，或选择能区分内核的输入。</translation>
    </message>
    <message>
        <source>Launches on equal inputs disagree: some pass and some do not. {}</source>
        <translation>相同输入的各次启动结果不一致：有的通过，有的不通过。{}</translation>
    </message>
    <message>
        <source>Right for the workload&apos;s inputs, wrong once the same addresses hold other inputs. {}</source>
        <translation>对工作负载的输入是正确的，但同一地址换成其他输入后就错了。{}</translation>
    </message>
    <message>
        <source>There is no reference to judge by.</source>
        <translation>没有可用来判断的参考实现。</translation>
    </message>
    <message>
        <source>The judged launches pass, but the outputs of the timed launches do not. {}</source>
        <translation>评判启动通过，但计时启动的输出没有通过。{}</translation>
    </message>
    <message>
        <source>the inputs for the Python reference cannot be written to {}</source>
        <translation>无法把 Python 参考实现的输入写入 {}</translation>
    </message>
    <message>
        <source>The Python reference was stopped.</source>
        <translation>Python 参考实现已停止。</translation>
    </message>
    <message>
        <source>python3 is not on this machine</source>
        <translation>本机没有 python3</translation>
    </message>
    <message>
        <source>the Python reference failed: {}</source>
        <translation>Python 参考实现失败：{}</translation>
    </message>
    <message>
        <source>no message</source>
        <translation>没有消息</translation>
    </message>
    <message>
        <source>the Python reference took longer than the time limit of {} and was ended</source>
        <translation>Python 参考实现超过了时间限制 {}，已被终止</translation>
    </message>
    <message>
        <source>allow more seconds by --time-limit, or choose a smaller workload</source>
        <translation>请用 --time-limit 放宽时间，或选择较小的工作负载</translation>
    </message>
    <message>
        <source>there is no {} in the problem&apos;s folder</source>
        <translation>题目文件夹中没有 {}</translation>
    </message>
    <message>
        <source>no folder for the Python reference can be made: {}</source>
        <translation>无法为 Python 参考实现创建文件夹：{}</translation>
    </message>
    <message>
        <source>the reference kernel failed ({}): {}</source>
        <translation>参考内核失败（{}）：{}</translation>
    </message>
    <message>
        <source>correct the reference, then run again</source>
        <translation>请修正参考实现，然后重新运行</translation>
    </message>
    <message>
        <source>let the reference write every element, or zero the tensor by //@ zero: {}</source>
        <translation>请让参考实现写入每个元素，或用 //@ zero: {} 将张量清零</translation>
    </message>
    <message>
        <source>the reference does not write {}: {} of {} elements of {} are left as they were</source>
        <translation>参考实现没有写入 {0}：{3} 的 {2} 个元素中有 {1} 个保持原样</translation>
    </message>
    <message>
        <source>the reference kernel wrote outside of its tensors: {}</source>
        <translation>参考内核写到了张量之外：{}</translation>
    </message>
    <message>
        <source>the reference kernel changes its input {}</source>
        <translation>参考内核修改了输入 {}</translation>
    </message>
    <message>
        <source>let it write to its outputs or to a scratch tensor</source>
        <translation>请让它写入自己的输出或临时张量</translation>
    </message>
    <message>
        <source>integers are exact</source>
        <translation>整数是精确的</translation>
    </message>
    <message>
        <source>{} output rounds by {}, sums of {} terms in {} by {}, around values of about {}</source>
        <translation>{0} 输出的舍入为 {1}，在 {3} 中 {2} 项求和的舍入为 {4}，数值量级约为 {5}</translation>
    </message>
    <message>
        <source>as the problem states</source>
        <translation>由题目给定</translation>
    </message>
    <message>
        <source>{} as stated, {} derived: {}</source>
        <translation>{} 由题目给定，{} 为推导所得：{}</translation>
    </message>
    <message>
        <source>derived: {}</source>
        <translation>推导所得：{}</translation>
    </message>
    <message>
        <source>{}; lowered, since an all-zero answer would have passed</source>
        <translation>{}；已收紧，否则全零结果也会通过</translation>
    </message>
    <message>
        <source>The kind of an error map</source>
        <translation>错误图的种类</translation>
    </message>
    <message>
        <source>The status of the verdict</source>
        <translation>结论的状态</translation>
    </message>
    <message>
        <source>The worker speaks protocol version {}, this program version {}. Install the same release on both sides.</source>
        <translation>工作进程使用协议版本 {}，本程序使用版本 {}。请在两端安装同一版本。</translation>
    </message>
    <message>
        <source>The {} worker did not answer &apos;{}&apos; in time and was killed.</source>
        <translation>{} 工作进程没有按时回应“{}”，已被终止。</translation>
    </message>
    <message>
        <source>Start it again; if it happens again, look at the log.</source>
        <translation>请重新启动；若再次发生，请查看日志。</translation>
    </message>
    <message>
        <source>The worker answered a request that was not asked.</source>
        <translation>工作进程回应了一个没有发出的请求。</translation>
    </message>
    <message>
        <source>The {} worker broke the protocol and was killed: {}</source>
        <translation>{} 工作进程违反协议，已被终止：{}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; was stopped; its worker was killed.</source>
        <translation>“{}”已停止；其工作进程已被终止。</translation>
    </message>
    <message>
        <source>The {} worker (process {}) {} at &apos;{}&apos;.</source>
        <translation>{0} 工作进程（进程 {1}）在“{3}”时{2}。</translation>
    </message>
    <message>
        <source>has ended</source>
        <translation>结束了</translation>
    </message>
    <message>
        <source>{} Its last words:{}</source>
        <translation>{}它最后的输出：{}</translation>
    </message>
    <message>
        <source>Start it again: nothing but this request is lost.</source>
        <translation>请重新启动：除此请求外没有丢失任何内容。</translation>
    </message>
    <message>
        <source>Check that this command works in a terminal:{}</source>
        <translation>请检查此命令能否在终端中运行：{}</translation>
    </message>
    <message>
        <source>closed its output and was killed</source>
        <translation>关闭了输出，已被终止</translation>
    </message>
    <message>
        <source>A message is too large.</source>
        <translation>消息太大。</translation>
    </message>
    <message>
        <source>It sent a request.</source>
        <translation>它发来了请求。</translation>
    </message>
    <message>
        <source>More than 64 KiB of other text came before its first answer.</source>
        <translation>在其首次回应之前收到了超过 64 KiB 的其他文本。</translation>
    </message>
    <message>
        <source>NVRTC has not been loaded.</source>
        <translation>尚未加载 NVRTC。</translation>
    </message>
    <message>
        <source>nvdisasm is not in the toolkit, so no SASS can be shown.</source>
        <translation>工具包中没有 nvdisasm，因此无法显示 SASS。</translation>
    </message>
    <message>
        <source>The PTX was read and decoded by the emulator, not assembled: {}</source>
        <translation>该 PTX 由模拟器读取并解码，未经汇编：{}</translation>
    </message>
    <message>
        <source>{} is nothing that this toolkit assembles for</source>
        <translation>此工具包不能为 {} 汇编</translation>
    </message>
    <message>
        <source>no ptxas and no libnvJitLink were found</source>
        <translation>没有找到 ptxas 与 libnvJitLink</translation>
    </message>
    <message>
        <source>Choose an architecture sm_XX by --arch</source>
        <translation>请用 --arch 选择架构 sm_XX</translation>
    </message>
    <message>
        <source>Install cuda-nvcc of the CUDA toolkit (wheel nvidia-cuda-nvcc) for machine code and resources</source>
        <translation>如需机器码与资源用量，请安装 CUDA 工具包的 cuda-nvcc（wheel nvidia-cuda-nvcc）</translation>
    </message>
    <message>
        <source>disassemble needs &apos;cubin&apos;, the module&apos;s bytes as base64.</source>
        <translation>disassemble 需要“cubin”，即以 base64 表示的模块字节。</translation>
    </message>
    <message>
        <source>A worker of role {} has no method &apos;{}&apos;.</source>
        <translation>角色为 {} 的工作进程没有方法“{}”。</translation>
    </message>
    <message>
        <source>The catalogue has no device &apos;{}&apos;.</source>
        <translation>目录中没有设备“{}”。</translation>
    </message>
    <message>
        <source>Write one of: {}.</source>
        <translation>请写以下之一：{}。</translation>
    </message>
    <message>
        <source>There is no device &apos;{}&apos;.</source>
        <translation>没有设备“{}”。</translation>
    </message>
    <message>
        <source>Write auto, emulator, or cuda:N.</source>
        <translation>请写 auto、emulator 或 cuda:N。</translation>
    </message>
    <message>
        <source>There is no GPU here. {}</source>
        <translation>这里没有 GPU。{}</translation>
    </message>
    <message>
        <source>There is no {}: the driver shows {} GPU, cuda:0.</source>
        <translation>没有 {}：驱动程序只显示 {} 块 GPU，即 cuda:0。</translation>
    </message>
    <message>
        <source>There is no {}: the driver shows {} GPUs, counted from cuda:0.</source>
        <translation>没有 {}：驱动程序只显示 {} 块 GPU，从 cuda:0 起编号。</translation>
    </message>
    <message>
        <source>Use --device emulator, which needs no GPU.</source>
        <translation>请使用 --device emulator，它不需要 GPU。</translation>
    </message>
    <message>
        <source>The worker could not be started: {}: {}.</source>
        <translation>无法启动工作进程：{}：{}。</translation>
    </message>
    <message>
        <source>Check that the program exists and may be executed.</source>
        <translation>请检查该程序是否存在并有执行权限。</translation>
    </message>
    <message>
        <source>was killed by signal {} ({})</source>
        <translation>被信号 {}（{}）终止</translation>
    </message>
    <message>
        <source>was killed by signal {}</source>
        <translation>被信号 {} 终止</translation>
    </message>
    <message>
        <source>ended with status {}</source>
        <translation>以状态 {} 结束</translation>
    </message>
    <message>
        <source>The line is no JSON: {}</source>
        <translation>该行不是 JSON：{}</translation>
    </message>
    <message>
        <source>The line is no JSON-RPC 2.0 message.</source>
        <translation>该行不是 JSON-RPC 2.0 消息。</translation>
    </message>
    <message>
        <source>A field of the message is larger than {} MiB.</source>
        <translation>消息的某个字段大于 {} MiB。</translation>
    </message>
    <message>
        <source>The id of a message must be a whole number.</source>
        <translation>消息的 id 必须是整数。</translation>
    </message>
    <message>
        <source>The params of &apos;{}&apos; must be an object.</source>
        <translation>“{}”的 params 必须是对象。</translation>
    </message>
    <message>
        <source>The message is neither request, notification nor response.</source>
        <translation>消息既不是请求，也不是通知或回应。</translation>
    </message>
    <message>
        <source>The role of the worker</source>
        <translation>工作进程的角色</translation>
    </message>
    <message>
        <source>The transcript was recorded with protocol version {}, this program speaks version {}. Record it again.</source>
        <translation>记录文件是按协议版本 {} 录制的，本程序使用版本 {}。请重新录制。</translation>
    </message>
    <message>
        <source>The transcript holds no &apos;{}&apos; with these parameters.</source>
        <translation>记录文件中没有参数相同的“{}”。</translation>
    </message>
    <message>
        <source>Record it again, or use a device.</source>
        <translation>请重新录制，或使用设备。</translation>
    </message>
    <message>
        <source>The request was cancelled.</source>
        <translation>请求已取消。</translation>
    </message>
    <message>
        <source>The first message must be initialize, not &apos;{}&apos;.</source>
        <translation>第一条消息必须是 initialize，而不是“{}”。</translation>
    </message>
    <message>
        <source>The worker is initialized already.</source>
        <translation>工作进程已经初始化。</translation>
    </message>
    <message>
        <source>The client speaks protocol version {}, this worker (Ridgepoint {}) version {}.</source>
        <translation>客户端使用协议版本 {}，此工作进程（Ridgepoint {}）使用版本 {}。</translation>
    </message>
    <message>
        <source>The worker failed in &apos;{}&apos;: {}</source>
        <translation>工作进程在“{}”中失败：{}</translation>
    </message>
    <message>
        <source>The input ends in the middle of a message.</source>
        <translation>输入在消息中间结束。</translation>
    </message>
    <message>
        <source>The message is larger than {} MiB.</source>
        <translation>消息大于 {} MiB。</translation>
    </message>
    <message>
        <source>The worker asked nothing, so it takes no responses.</source>
        <translation>工作进程没有发出请求，因此不接受回应。</translation>
    </message>
    <message>
        <source>{} requests wait already.</source>
        <translation>已有 {} 个请求在等待。</translation>
    </message>
    <message>
        <source>Wait for answers first.</source>
        <translation>请先等待回应。</translation>
    </message>
    <message>
        <source>The transcript {} {}</source>
        <translation>记录文件 {} {}</translation>
    </message>
    <message>
        <source>The transcript {} cannot be written.</source>
        <translation>无法写入记录文件 {}。</translation>
    </message>
    <message>
        <source>The transcript {} is not complete: {}.</source>
        <translation>记录文件 {} 不完整：{}。</translation>
    </message>
    <message>
        <source>it has reached {} MiB</source>
        <translation>它已达到 {} MiB</translation>
    </message>
    <message>
        <source>Record fewer runs at a time.</source>
        <translation>请一次少录制一些运行。</translation>
    </message>
    <message>
        <source>Free some space, or record to another file.</source>
        <translation>请腾出空间，或录制到另一个文件。</translation>
    </message>
    <message>
        <source>holds a line that is no JSON object.</source>
        <translation>中有一行不是 JSON 对象。</translation>
    </message>
    <message>
        <source>The role of the transcript</source>
        <translation>记录文件的角色</translation>
    </message>
    <message>
        <source>has a header of another release: {}.</source>
        <translation>的文件头属于另一版本：{}。</translation>
    </message>
    <message>
        <source>has no header, a line with &quot;transcript&quot; and &quot;protocol&quot;.</source>
        <translation>没有文件头，即含有 &quot;transcript&quot; 和 &quot;protocol&quot; 的一行。</translation>
    </message>
    <message>
        <source>is empty.</source>
        <translation>是空的。</translation>
    </message>
    <message>
        <source>{} has more than 16 MiB: that is no kernel source.</source>
        <translation>{} 超过 16 MiB：这不是内核源码。</translation>
    </message>
    <message>
        <source>{} is UTF-16 or UTF-32 text, which no CUDA compiler reads.</source>
        <translation>{} 是 UTF-16 或 UTF-32 文本，CUDA 编译器都不接受。</translation>
    </message>
    <message>
        <source>Convert it to UTF-8.</source>
        <translation>请转换为 UTF-8。</translation>
    </message>
    <message>
        <source>{} is not text: a NUL byte stands in line {}, column {}, and the compiler would stop reading there.</source>
        <translation>{} 不是文本：第 {} 行第 {} 列有一个 NUL 字节，编译器会在那里停止读取。</translation>
    </message>
    <message>
        <source>Remove the byte with another program, or open the source this file was made from.</source>
        <translation>请用其他程序删除该字节，或打开生成此文件的源文件。</translation>
    </message>
    <message>
        <source>There is no file {}.</source>
        <translation>没有文件 {}。</translation>
    </message>
    <message>
        <source>{} is not a file.</source>
        <translation>{} 不是文件。</translation>
    </message>
    <message>
        <source>{} could not be read: {}.</source>
        <translation>无法读取 {}：{}。</translation>
    </message>
    <message>
        <source>{} is not {} text: some bytes have no meaning in it.</source>
        <translation>{} 不是 {} 文本：其中有些字节没有对应的字符。</translation>
    </message>
    <message>
        <source>Choose another encoding.</source>
        <translation>请选择另一种编码。</translation>
    </message>
    <message>
        <source>{} does not start with a byte order mark.</source>
        <translation>{} 开头没有字节顺序标记。</translation>
    </message>
    <message>
        <source>{} holds bytes that are no UTF-16.</source>
        <translation>{} 中有不属于 UTF-16 的字节。</translation>
    </message>
    <message>
        <source>“{}” in line {} does not exist in {}, the encoding of this file.</source>
        <translation>第 {1} 行的“{0}”在此文件的编码 {2} 中不存在。</translation>
    </message>
    <message>
        <source>Save as UTF-8, or remove the letter.</source>
        <translation>请另存为 UTF-8，或删除该字符。</translation>
    </message>
    <message>
        <source>{} could not be saved: {}. The old file is untouched.</source>
        <translation>无法保存 {}：{}。旧文件保持不变。</translation>
    </message>
    <message>
        <source>{} could not be written: {}.</source>
        <translation>无法写入 {}：{}。</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择另一个文件夹。</translation>
    </message>
    <message>
        <source>the folder is not writable</source>
        <translation>文件夹不可写</translation>
    </message>
    <message>
        <source>Charts are not written as “{}”.</source>
        <translation>图表不能写成“{}”格式。</translation>
    </message>
    <message>
        <source>Name a file that ends in .png, .svg, .pdf or .csv.</source>
        <translation>请使用以 .png、.svg、.pdf 或 .csv 结尾的文件名。</translation>
    </message>
</context>
</TS>
