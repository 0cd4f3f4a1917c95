// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "base/result.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator::ptx {

/// Reads a whole PTX module. Error code "ptx_syntax": with the line of the PTX text, or for one that was
/// compiled with the line of its source that the last `.loc` before the fault names.
Result<Module> parse(std::string_view text, Origin origin = Origin::written);

}  // namespace ridge::device::emulator::ptx
