// SPDX-License-Identifier: GPL-3.0-or-later
// What conditional branches share.
#pragma once

#include "device/emulator/exec/splits.h"
#include "device/emulator/lanes/lanes.h"

RIDGE_LANES_BEGIN

/// Lanes for which the condition holds jump; flags & 1: those for which it does not.
RIDGE_INLINE Next branch_where(Warp& warp, Next i, u32 condition) {
  const u32 mask = warp.mask;
  const u32 taken = (condition ^ (i->flags & 1 ? kAllLanes : 0)) & mask;
  if (taken == mask) return warp.code + i->target;
  if (taken == 0) return i + 1;
  ++warp.worker->divergent[i->index];
  return diverge(warp, warp.code + i->target, taken, i + 1);
}

RIDGE_LANES_END
