// SPDX-License-Identifier: GPL-3.0-or-later
// From `.loc` to the line of the kernel's source that a person wants to see.
#pragma once

#include <string>
#include <vector>

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

/// "Reads x in f(int), called at line 12".
Sentence with_calls(Sentence what, const Place& place);

/// The innermost line inside the kernel's own source: code inlined from headers counts where it was called.
Place place_of(const ptx::Module& module, int location);

/// A mangled C++ name for people; other names stay.
std::string demangled(const std::string& name);

}  // namespace ridge::device::emulator
