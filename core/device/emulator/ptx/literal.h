// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator::ptx {

/// 12, 0x1F, 017, 0b101, 12U, 0f3F800000, 0d3FF0000000000000, 1.5e3; empty when `word` is none of them.
std::optional<Operand> literal(std::string_view word);

}  // namespace ridge::device::emulator::ptx
