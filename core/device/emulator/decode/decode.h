// SPDX-License-Identifier: GPL-3.0-or-later
// From a PTX module to a Program.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "device/emulator/exec/program.h"
#include "device/emulator/lanes/table.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator {

/// How faithfully the program follows the text.
enum class Style {
  fast,  ///< for execution: registers share places, copies are taken out, pairs are fused
  plain  ///< for a trace: every instruction is executed, and every register keeps its value
};

/// Decodes all functions. `symbols`: device addresses of the .global and .const variables. Error code
/// "unsupported" names the first instruction that is not emulated, with its source line; "ptx_syntax" an
/// instruction that makes no sense.
Result<Program> decode(const ptx::Module& module, const std::map<std::string, std::uint64_t>& symbols,
                       const LanesTable& lanes, Style style);

}  // namespace ridge::device::emulator
