// SPDX-License-Identifier: GPL-3.0-or-later
// PTX to machine code, by what the toolkit offers: its ptxas, or libnvJitLink.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compile.h"

namespace ridge::compile {

struct Assembly {
  bool ok = false;
  std::string cubin;
  std::string log;  ///< as parse_log reads it
};

/// What a toolkit assembles with. One of another toolkit would take other PTX and make other code.
struct Assembler {
  std::string name;                        ///< "ptxas 13.0", "nvJitLink 13.0"; empty: the toolkit has neither
  std::filesystem::path ptxas, nvjitlink;  ///< the program, or else the library
};
Assembler assembler_of(const Toolkit& toolkit);

/// `options`: further words for ptxas. Faults of the PTX are in the log; an error is one of the assembler.
Result<Assembly> assemble(const Assembler& assembler, const std::string& arch, const std::string& ptx,
                          const std::vector<std::string>& options, bool line_info);

/// A PTX source without a compiler at hand: entries, and the faults that show without an assembler.
CompiledKernel read_ptx(const CompileRequest& request);

}  // namespace ridge::compile
