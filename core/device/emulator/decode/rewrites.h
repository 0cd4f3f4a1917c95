// SPDX-License-Identifier: GPL-3.0-or-later
// What decode changes in a function before it encodes it, so that handlers run for work only. Instructions
// that are taken out still count as executed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/emulator/decode/flow.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator {

struct Rewrites {
  std::vector<char> elided;    ///< by instruction: gone, its operands are removed
  std::vector<char> resident;  ///< by instruction: a load of parameters whose targets may stand for them
  std::vector<int> compared;   ///< by branch: the setp that it does itself, with operands 1 and 2; else -1
  std::vector<int> renamed;    ///< by register: the one that stands for it; empty: each for itself
};

/// Nothing is changed: every register has its own place and every instruction its own handler.
Rewrites no_rewrites(const ptx::Function& function);
/// Rewrites the function. `is_constant`: names that have one value in all of it.
Rewrites rewrite(ptx::Function& function, const Flow& flow,
                 const std::function<bool(const std::string&)>& is_constant);

}  // namespace ridge::device::emulator
