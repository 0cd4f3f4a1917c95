// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/actions.h"

#include <QtGlobal>

#define WORDS(text, help) QT_TRANSLATE_NOOP("Actions", text), QT_TRANSLATE_NOOP("Actions", help)

namespace ridge::desktop {

const std::vector<ActionSpec>& actionSpecs() {
  using enum MenuId;
  constexpr bool kCheck = true, kLine = true;
  static const std::vector<ActionSpec> specs{
      {"file.open", file, WORDS("&Open kernel…", "Open a CUDA or PTX source"), "Ctrl+O", "open"},
      {"file.problem", file, WORDS("Open &problem folder…", "Open a problem that is not in the library"), "Ctrl+Shift+O", ""},
      {"file.save", file, WORDS("&Save", "Save the kernel"), "Ctrl+S", "save"},
      {"file.saveAs", file, WORDS("Save &as…", "Save the kernel under another name"), "Ctrl+Shift+S", ""},
      {"file.reload", file, WORDS("&Reload", "Read the kernel from disk again"), "", ""},
      {"file.asUtf8", file, WORDS("Convert to UTF-8", "Save the kernel as UTF-8 from now on"), "", "", false, kLine},
      {"file.asGbk", file, WORDS("Read as GBK", "Show the file's bytes as GBK / GB18030 text"), "", ""},
      {"file.asLatin", file, WORDS("Read as Windows-1252", "Show the file's bytes as western European text"), "", ""},
      {"session.open", file, WORDS("Open s&essions…", "Open session files beside this session, in the same charts"), "Ctrl+Alt+O", "session", false, kLine},
      {"session.save", file, WORDS("Save sessio&n…", "Save this session's runs to a file"), "Ctrl+Alt+S", "save"},
      {"session.report", file, WORDS("Write report…", "Write the visible runs as an HTML report, CSV or JSON"), "", ""},
      {"session.close", file, WORDS("Close session", "Close the session that is selected in the Sessions pane"), "", ""},
      {"file.quit", file, WORDS("&Quit", "Leave Ridgepoint"), "Ctrl+Q", "", false, kLine},

      {"edit.undo", edit, WORDS("&Undo", "Take the last change back"), "Ctrl+Z", ""},
      {"edit.redo", edit, WORDS("&Redo", "Make the change again"), "Ctrl+Shift+Z Ctrl+Y", ""},
      {"edit.cut", edit, WORDS("Cu&t", "Cut the selection"), "Ctrl+X", "", false, kLine},
      {"edit.copy", edit, WORDS("&Copy", "Copy the selection"), "Ctrl+C", ""},
      {"edit.paste", edit, WORDS("&Paste", "Paste from the clipboard"), "Ctrl+V", ""},
      {"edit.find", edit, WORDS("&Find…", "Find text in the source"), "Ctrl+F", "", false, kLine},
      {"edit.findNext", edit, WORDS("Find &next", "Find the next place"), "F3", ""},
      {"edit.findPrevious", edit, WORDS("Find pre&vious", "Find the place before"), "Shift+F3", ""},
      {"edit.comment", edit, WORDS("To&ggle comment", "Comment the selected lines out, or in again"), "Ctrl+/", ""},
      {"edit.blanks", edit, WORDS("Replace odd blanks", "Replace no-break and zero-width spaces, as pasted from web pages"), "", ""},
      {"edit.nextProblem", edit, WORDS("Next problem", "Go to the next diagnostic"), "F8", "", false, kLine},
      {"edit.previousProblem", edit, WORDS("Previous problem", "Go to the diagnostic before"), "Shift+F8", ""},

      {"run.run", run, WORDS("&Run", "Compile, verify and time the kernel on the chosen workloads"), "F5", "run"},
      {"run.all", run, WORDS("Run all &kernels", "Run each kernel of the problem on the chosen workloads"), "Ctrl+F5", ""},
      {"run.compile", run, WORDS("&Compile", "Compile the source"), "Ctrl+B", "compile"},
      {"run.stop", run, WORDS("&Stop", "Stop what is running"), "Ctrl+.", "stop"},
      {"run.live", run, WORDS("Compile while &typing", "Show diagnostics and PTX as you type"), "", "", kCheck, kLine},
      {"run.lines", run, WORDS("Count by &line", "Collect counters for each source line"), "", "", kCheck},
      {"run.counters", run, WORDS("Hardware c&ounters", "Collect hardware counters on a GPU; needs the right to read them"), "", "", kCheck},
      {"run.allWorkloads", run, WORDS("Choose all &workloads", "Choose every workload that is not large"), "", ""},
      {"run.baseline", run, WORDS("Make &baseline", "Star the selected run as baseline of its device, problem and workload"), "", "star"},

      {"view.palette", view, WORDS("Command &palette…", "Find any action by its words"), "Ctrl+Shift+P", ""},
      {"view.nextPane", view, WORDS("Next pane", "Go to the next pane"), "F6", ""},
      {"view.previousPane", view, WORDS("Previous pane", "Go to the pane before"), "Shift+F6", ""},
      {"view.editor", view, WORDS("&Editor", "Go to the editor"), "Ctrl+0", "", false, kLine},
      {"view.setup", view, WORDS("Run set&up", "Show the pane Run setup"), "Ctrl+1", ""},
      {"view.launch", view, WORDS("&Launch", "Show the pane Launch"), "Ctrl+2", ""},
      {"view.sessions", view, WORDS("&Sessions", "Show the pane Sessions"), "Ctrl+3", ""},
      {"view.problems", view, WORDS("P&roblems", "Show the pane Problems"), "Ctrl+4", ""},
      {"view.verification", view, WORDS("&Verification", "Show the pane Verification"), "Ctrl+5", ""},
      {"view.code", view, WORDS("&Generated code", "Show the pane Generated code"), "Ctrl+6", ""},
      {"view.timing", view, WORDS("&Timing", "Show the chart Timing"), "Ctrl+7", ""},
      {"view.roofline", view, WORDS("&Roofline", "Show the chart Roofline"), "Ctrl+8", ""},
      {"view.sol", view, WORDS("Speed of l&ight", "Show the chart Speed of light"), "Ctrl+9", ""},
      {"view.output", view, WORDS("&Output", "Show what kernels print"), "", ""},
      {"view.log", view, WORDS("Lo&g", "Show what the workers say"), "", ""},
      {"view.tables", view, WORDS("Charts as ta&bles", "Show the numbers of all charts as tables"), "Ctrl+T", "", kCheck, kLine},
      {"view.allProblems", view, WORDS("Charts of &all problems", "Draw the runs of every problem, not only of the chosen one"), "", "", kCheck},

      {"theme.light", theme, WORDS("&Light", "Dark text on light paper"), "", "", kCheck},
      {"theme.dark", theme, WORDS("&Dark", "Light text on dark paper"), "", "", kCheck},
      {"theme.high-contrast", theme, WORDS("&High contrast", "The strongest contrast"), "", "", kCheck},

      {"language.en", language, "English", "English", "", "", kCheck},
      {"language.zh_CN", language, "简体中文", "简体中文", "", "", kCheck},

      {"layout.work", layout, WORDS("&Work", "Editor, verdicts and charts"), "Ctrl+Alt+1", ""},
      {"layout.edit", layout, WORDS("&Edit", "Editor beside the generated code, charts behind"), "Ctrl+Alt+2", ""},
      {"layout.analyse", layout, WORDS("&Analyse", "Charts large, editor small"), "Ctrl+Alt+3", ""},
      {"layout.reset", layout, WORDS("&Reset layout", "Put every pane where it was at first"), "", ""},

      {"help.keys", help, WORDS("&Keys and actions", "Every action with its keys"), "F1", ""},
      {"help.about", help, WORDS("&About Ridgepoint", "Version, licence and what it is built on"), "", ""},
  };
  return specs;
}

}  // namespace ridge::desktop
