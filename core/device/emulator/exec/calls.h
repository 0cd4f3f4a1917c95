// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of device functions and of the few functions that the system provides.
#pragma once

#include "device/emulator/exec/state.h"

namespace ridge::device::emulator {

const Instruction* call_function(Warp& warp, const Instruction* at);
/// The active lanes return from the function that they are in; from a kernel they exit.
const Instruction* return_from_call(Warp& warp);
const Instruction* trap_lanes(Warp& warp, const Instruction* at);

/// Index of a system function (vprintf, malloc, free, __assertfail), or -1.
int system_function(const char* name);

}  // namespace ridge::device::emulator
