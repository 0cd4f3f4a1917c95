// SPDX-License-Identifier: GPL-3.0-or-later
// Half of what NVRTC emits in places is copies: of constants, of parameters, of registers under another type,
// and at the ends of loops. Those that change nothing are taken out here, so that handlers run for work only;
// they still count as executed instructions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/emulator/decode/flow.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator {

struct Copies {
  std::vector<char> elided;    ///< by instruction: gone, its operands are removed
  std::vector<char> resident;  ///< by instruction: a load of parameters whose targets may stand for them
  std::vector<int> renamed;    ///< by register: the one that stands for it; empty: each for itself
};

/// Rewrites the registers of the function. `is_constant`: names that have one value in the whole function.
Copies remove_copies(ptx::Function& function, const Flow& flow,
                     const std::function<bool(const std::string&)>& is_constant);

}  // namespace ridge::device::emulator
