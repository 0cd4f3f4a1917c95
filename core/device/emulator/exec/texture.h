// SPDX-License-Identifier: GPL-3.0-or-later
// tex: fetches through texture objects.
#pragma once

#include "device/emulator/exec/state.h"

namespace ridge::device::emulator {

// Operand list: handle, x, y (or no slot), four results. Instruction::flags:
inline constexpr std::uint32_t kIntegerCoordinates = 1, kIntegerResult = 2;

const Instruction* fetch_texture(Warp& warp, const Instruction* at);

}  // namespace ridge::device::emulator
