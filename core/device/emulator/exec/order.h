// SPDX-License-Identifier: GPL-3.0-or-later
// Which accesses are ordered before which, as far as barriers of the block do not say so: what the lanes of a
// warp know of each other, fences, and what goes from warp to warp by a flag or a lock in shared memory.
#pragma once

#include "device/emulator/exec/access.h"
#include "device/emulator/exec/state.h"

namespace ridge::device::emulator {

/// Accesses of these lanes before this moment are ordered before those after it, for all of them.
void note_warp_sync(Warp& warp, std::uint32_t lanes);
/// The step up to which what lane `other` did is ordered before what `lane` of the same warp does now.
std::uint32_t known_to_lane(const Warp& warp, int lane, int other);

/// A fence was executed: what was done before is visible to whoever synchronises with what is written next.
void note_fence(Warp& warp);

/// True when an atomic or ordered access to shared memory may synchronise: somebody has released something.
inline bool may_synchronise(const Warp& warp, const MemorySite& site) {
  return warp.fenced_step != 0 || site.releases || !warp.block->released.empty();
}
/// An atomic or ordered access to shared memory: reads acquire what was released with these words, writes
/// release with them what the warp did before its last fence.
void synchronise_shared(Warp& warp, const Access& access, const MemorySite& site);

}  // namespace ridge::device::emulator
