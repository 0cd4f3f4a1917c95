// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/shape.h"

namespace ridge::session {

/// Of the full form of a run: every member that to_json writes, with what it may hold.
const Shape& run_shape();

}  // namespace ridge::session
