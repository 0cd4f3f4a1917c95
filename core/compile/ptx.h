// SPDX-License-Identifier: GPL-3.0-or-later
// What a PTX module declares: entries with their parameters, variables, where its lines come from. Bodies are
// not understood here; that is the emulator's and the driver's business.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compile.h"

namespace ridge::compile {

struct PtxShared {
  std::string function, symbol;
  std::int64_t bytes = 0;
};

struct PtxModule {
  std::string version, target;  ///< ".version", ".target"; empty: none
  int version_line = 0;
  std::vector<Entry> entries;
  std::vector<GlobalSymbol> globals;  ///< of the source itself, not of the toolkit's headers
  std::vector<PtxShared> shared;      ///< static shared variables, by function
  std::map<int, std::string> files;   ///< .file
  int lines = 0;
  std::string open_function;  ///< the text ends inside of it
  bool truncated = false;     ///< the text ends inside of a statement or a body
};

PtxModule parse_ptx(std::string_view ptx);

/// The source line that line `ptx_line` of a module compiled with -lineinfo comes from.
struct SourcePlace {
  std::string file;
  int line = 0;
};
std::optional<SourcePlace> place_of(std::string_view ptx, int ptx_line);

/// "softmax<256>" of "_Z7softmaxILi256EEvPKfPfi"; with `parameters` also "(float const*, float*, int)".
std::string name_for_people(const std::string& symbol, bool parameters = false);

/// Whether `name`, as a person writes it, means `entry_name`: equal but for blanks, or its last part.
bool same_kernel(std::string_view name, std::string_view entry_name);

/// The name without namespaces and template arguments.
std::string_view base_name(std::string_view name);

}  // namespace ridge::compile
