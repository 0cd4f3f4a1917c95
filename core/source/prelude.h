// SPDX-License-Identifier: GPL-3.0-or-later
// The names that standard headers give to nvcc and that NVRTC lacks. Private to this room.
#pragma once

#include <string>

namespace ridge::source {

/// Typedefs and macros, written by hand (a prelude on cuda/std would cost 650 ms a compile). `code` is the
/// source with comments and literals blanked: names that it defines itself are left out.
std::string prelude_for(const std::string& code);

}  // namespace ridge::source
