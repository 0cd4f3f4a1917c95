// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of instructions of which the second alone uses the result of the first become one: an index that is
// widened or scaled and added to an address, a comparison and the branch that asks for it.
#pragma once

#include "device/emulator/decode/rewrites.h"

namespace ridge::device::emulator {

/// The opcode, which no PTX text can hold, of d = a + (b << c).
inline constexpr const char* kShiftAdd = "shl+add.u64";

/// Registers must still be as the compiler named them.
void fuse(ptx::Function& function, const Flow& flow, Rewrites& rewrites);

}  // namespace ridge::device::emulator
