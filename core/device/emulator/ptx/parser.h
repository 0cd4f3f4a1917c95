// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "base/result.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator::ptx {

/// Reads a whole PTX module. Error code "ptx_syntax" with the line of the PTX text.
Result<Module> parse(std::string_view text);

}  // namespace ridge::device::emulator::ptx
