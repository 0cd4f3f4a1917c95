// SPDX-License-Identifier: GPL-3.0-or-later
// The table of actions: identity, menu, words, keys, icon. What each does is bound by the main window.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "actions/registry.h"

namespace ridge::desktop {

struct Actions {
  Q_DECLARE_TR_FUNCTIONS(ridge::desktop::Actions)

 public:
  static const std::vector<ActionSpec>& specs();
};

}  // namespace ridge::desktop
