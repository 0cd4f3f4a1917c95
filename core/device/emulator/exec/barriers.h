// SPDX-License-Identifier: GPL-3.0-or-later
// Barriers of a block: threads are counted by warp, a warp has arrived when all its live lanes have.
#pragma once

#include "device/emulator/exec/state.h"

namespace ridge::device::emulator {

// Instruction::flags of a barrier operation.
inline constexpr std::uint32_t kBarrierArrive = 1, kBarrierAligned = 2, kBarrierReduces = 4,
                               kBarrierNegated = 8;

/// bar.sync, bar.arrive, bar.red: slot a is the barrier's number, b the thread count (or none), c the
/// predicate of bar.red.
const Instruction* arrive(Warp& warp, const Instruction* at);
/// Lanes have exited: barriers that waited for nobody else complete.
void recheck_barriers(Block& block);
/// Nothing can run any more although lanes wait: says where and why.
void report_deadlock(Block& block);

}  // namespace ridge::device::emulator
