// SPDX-License-Identifier: GPL-3.0-or-later
// The handlers of one CPU level.
#pragma once

#include <vector>

#include "device/emulator/exec/program.h"

namespace ridge::device::emulator {

struct LanesTable {
  const char* level;                                  ///< "x86_64_v3"
  Handler (*find)(const Operation&);                  ///< null: the operation is not emulated
  Instruction::Move (*find_mover)(const Operation&);  ///< of memory operations
  Handler enter_block, run_guarded;                   ///< pseudo-instructions
};

/// The levels that this build has, lowest first.
std::vector<const LanesTable*> compiled_lanes();
/// The highest level that this build has and this CPU can run.
const LanesTable& best_lanes();

}  // namespace ridge::device::emulator
