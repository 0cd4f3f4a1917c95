// SPDX-License-Identifier: GPL-3.0-or-later
// The table of actions: identity, menu, words, keys, icon. What each does is bound by the main window.
#pragma once

#include <vector>

#include "actions/registry.h"

namespace ridge::desktop {

const std::vector<ActionSpec>& actionSpecs();

}  // namespace ridge::desktop
