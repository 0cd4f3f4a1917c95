// SPDX-License-Identifier: GPL-3.0-or-later
// Divergence. The lanes of a warp are split into groups that go the same way; the deepest call and, in it,
// the block of the lowest rank goes first, so that splits meet again as early as the control flow allows.
// When splits wait for each other (a spin lock, a flag) they take turns; at *.sync operations and barriers
// they park until the others have come.
#pragma once

#include "device/emulator/exec/state.h"

namespace ridge::device::emulator {

/// The lanes `taken` go to `there`, the others to `here`; both are entries of basic blocks. Returns what runs
/// first.
const Instruction* diverge(Warp& warp, const Instruction* there, std::uint32_t taken,
                           const Instruction* here);
/// brx.idx: every lane goes to the entry of its index.
const Instruction* diverge_indexed(Warp& warp, const Instruction* at, const std::uint32_t* indices);
/// At the entry of a block whose rank is not below that of a waiting split.
const Instruction* reconverge(Warp& warp, const Instruction* at);
/// The slice is used up: the warp stops at `at`, or reports a timeout when the budget of the block is used up
/// too.
const Instruction* end_slice(Warp& warp, const Instruction* at);
/// The active lanes exit.
const Instruction* leave(Warp& warp);
/// A *.sync operation whose members are not all active. True: it shall run now. False: these lanes wait, and
/// the warp goes on at `next`, which may be the same operation for other lanes.
bool join(Warp& warp, const Instruction* at, const std::uint32_t* members, const Instruction*& next);

/// Puts the active lanes aside as a split and returns it.
Split& set_aside(Warp& warp, const Instruction* at, SplitState state);
/// Puts lanes aside that are ready to run at `at`; equal splits become one. True: none was equal.
bool add_ready(Warp& warp, const Instruction* at, std::uint32_t lanes, Activation* in);
/// The same for active lanes that part from the others inside of a basic block.
void part(Warp& warp, const Instruction* at, std::uint32_t lanes);
/// Makes the best ready split the active one; null: there is none.
const Instruction* next_split(Warp& warp);
bool has_ready(const Warp& warp);
/// The slice that a scheduler grants.
void start_slice(Warp& warp, std::int64_t instructions);
/// Ends the slice and takes what was used of it off the block's budget.
void settle_slice(Warp& warp);

}  // namespace ridge::device::emulator
