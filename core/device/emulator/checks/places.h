// SPDX-License-Identifier: GPL-3.0-or-later
// From `.loc` to the line of the kernel's source that a person wants to see.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/sentence.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator {

struct Place {
  std::string file;  ///< as the PTX names it; empty: unknown
  int line = 0;
  struct Call {
    std::string function;  ///< empty: unknown
    int line = 0;          ///< from where
  };
  std::vector<Call> calls;  ///< innermost first; none where the line is the whole story
};

/// "In f, called at line 12: reads x". The place comes first, for advice may stand at the end.
Sentence with_calls(Sentence what, const Place& place);

/// The innermost line inside the kernel's own source: code inlined from headers counts where it was called.
Place place_of(const ptx::Module& module, int location);

/// Says in an error what is wrong with an instruction and where it stands: in the line of the source that was
/// compiled, as far as that is known, and in which line of the PTX; of a text that a person wrote only there.
void set_place(Error& error, const ptx::Module& module, int location, int ptx_line, const Sentence& what);

/// A mangled C++ name for people; other names stay.
std::string demangled(const std::string& name);

/// The same of a function, without parameters, template arguments and namespaces that nobody writes.
std::string function_for_people(const std::string& name);

}  // namespace ridge::device::emulator
