// SPDX-License-Identifier: GPL-3.0-or-later
// The stack that threads extend by themselves: alloca takes local memory from its end downwards, calls take
// it from its beginning upwards.
#pragma once

#include "device/emulator/exec/state.h"

namespace ridge::device::emulator {

inline constexpr std::uint32_t kNarrowStack = 1;  ///< Instruction::flags: addresses of 32 bits

const Instruction* save_stack(Warp& warp, const Instruction* at);     ///< d: where the stack ends now
const Instruction* restore_stack(Warp& warp, const Instruction* at);  ///< a: what save_stack gave
const Instruction* extend_stack(Warp& warp, const Instruction* at);   ///< d: a bytes, aligned to `immediate`

/// What the frames of calls may use, whichever of the active lanes looks at it.
std::uint64_t stack_end(const Warp& warp);

}  // namespace ridge::device::emulator
