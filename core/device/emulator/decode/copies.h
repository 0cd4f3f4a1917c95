// SPDX-License-Identifier: GPL-3.0-or-later
// Half of what NVRTC emits in places is copies: of constants, of parameters, of registers under another type,
// and at the ends of loops. Those that change nothing are taken out here.
#pragma once

#include "device/emulator/decode/rewrites.h"

namespace ridge::device::emulator {

void propagate_copies(ptx::Function& function, const Flow& flow,
                      const std::function<bool(const std::string&)>& is_constant, Rewrites& rewrites);
/// Registers change their names: afterwards one may be written in several places.
void coalesce_copies(ptx::Function& function, const Flow& flow, Rewrites& rewrites);

}  // namespace ridge::device::emulator
