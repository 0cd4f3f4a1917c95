// SPDX-License-Identifier: GPL-3.0-or-later
// Reading what NVRTC and ptxas say: diagnostics with places, and the resources of each entry.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "compile/compile.h"

namespace ridge::compile {

/// One message of the log, as it stands there.
struct LogMessage {
  Diagnostic diagnostic;  ///< file as the log names it; code "nvrtc" or "ptxas"
  std::string echo;       ///< the source line that the log shows, without its indentation by two
  int number = 0;         ///< of EDG: 177 of "#177-D"
  int ptx_line = 0;       ///< "ptxas application ptx input, line 28"
};

struct Log {
  std::vector<LogMessage> messages;
  std::map<std::string, Resources> resources;  ///< by symbol, of --ptxas-options=-v
};

Log parse_log(std::string_view log);

/// Of several messages that say the same, and of the walls that follow one cause, the first with a count.
Diagnostics fold(Diagnostics diagnostics);

}  // namespace ridge::compile
