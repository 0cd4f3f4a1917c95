// SPDX-License-Identifier: GPL-3.0-or-later
// Frames: the slots of one activation, filled with constants, parameters and special registers.
#pragma once

#include "device/emulator/exec/launch.h"

namespace ridge::device::emulator {

/// What never changes during a launch: constants and kernel parameters.
void fill_constants(std::uint8_t* frame, const FunctionCode& function, const Launch& launch);
void fill_specials(std::uint8_t* frame, const FunctionCode& function, const Warp& warp);
/// Those special registers of the kernel that differ from block to block, for all warps.
void refill_specials(Block& block, const FunctionCode& function);
/// Registers that may be read before they are written become zero.
void clear_registers(std::uint8_t* frame, const FunctionCode& function);

}  // namespace ridge::device::emulator
