// SPDX-License-Identifier: GPL-3.0-or-later
// cp.async, its groups and waits. A copy is checked when it is issued and takes place when a thread waits for
// it; see exec/async.
#include "device/emulator/exec/async.h"

#include "device/emulator/lanes/access.h"

RIDGE_LANES_BEGIN

namespace {

constexpr u32 kUnderWay = kAsyncStep << kStepShift | kManyLanes;

RIDGE_INLINE bool has_marks(const Block& block) {
  return block.writers != nullptr && block.race_checks;
}

/// Matches the addresses of an operand (see exec/async: slot, offset) for the active lanes.
RIDGE_INLINE u64 match_operand(Warp& warp, const u32* operand, u32 mask, Pattern& pattern, u32 bytes) {
  const s64 offset = static_cast<s32>(operand[1]);
  return (operand[0] & 1) != 0 ? match<u32>(warp, operand[0] & ~1u, offset, mask, pattern, bytes)
                               : match<u64>(warp, operand[0], offset, mask, pattern, bytes);
}

/// Lanes of the mask that may read whole elements of device memory; counted and checked as one load.
u32 open_sources(Warp& warp, Next i, u32 mask, u32 bytes) {
  if (mask == 0) return 0;
  const u32 active = warp.mask;
  warp.mask = mask;
  Pattern& pattern = warp.worker->patterns[i->target];
  const u64 base = match_operand(warp, i->list + 2, mask, pattern, bytes);
  u32 lanes = 0;
  if (__builtin_expect(pattern.wide, 0))
    one_by_one(warp, [&] { lanes |= open_sources(warp, i, warp.mask, bytes); });
  else
    lanes = open_global<AccessKind::load>(warp, i, pattern, base, bytes);
  warp.mask = active;
  return lanes;
}

/// Counts the writes of the lanes to shared memory, looks for races and marks them as under way.
RIDGE_INLINE void open_targets(Warp& warp, Next i, Pattern& pattern, u64 base, u32 lanes, u32 bytes) {
  Worker& worker = *warp.worker;
  Block& block = *warp.block;
  if (!worker.counting && !has_marks(block)) return;
  if (__builtin_expect(!pattern.shared_known || pattern.units_base != (base & 3), 0))
    analyse_shared(pattern, base, static_cast<int>(bytes), worker.shared_shift, false);
  if (worker.counting) {
    SiteCount& count = worker.site_counts[i->target + 1];
    ++count.requests;
    count.lanes += static_cast<u32>(std::popcount(lanes));
    count.wavefronts += pattern.wavefronts;
    count.ideal_wavefronts += pattern.ideal_wavefronts;
  }
  if (!has_marks(block)) return;
  constexpr u32 kBelow = (1u << kStepShift) - 1;
  const u32 floor = block.floor << kStepShift | kBelow;
  u32* writers = block.writers + (base >> worker.shared_shift);
  const u32* readers = block.readers + (base >> worker.shared_shift);
  u32 recent = 0;
  for_units(pattern, [&](int unit, u32) {
    recent |= (writers[unit] > floor ? 1u : 0u) | (readers[unit] > floor ? 1u : 0u);
  });
  if (recent != 0) {
    report_shared(warp, {i, &pattern, base, lanes, bytes, AccessKind::store}, false);
    for_units(pattern, [&](int unit, u32) { forget_row(block, base >> worker.shared_shift, unit); });
  }
  for_units(pattern, [&](int unit, u32) { writers[unit] = kUnderWay; });
}

/// Notes where the lanes' data come from and go to.
RIDGE_INLINE void note_places(LaneCopies& copies, u64 from, const Pattern& sources, u64 to,
                              const Pattern& targets) {
  RIDGE_LANE_LOOP
  for (int l = 0; l < kWarpLanes; ++l) copies.from[l] = from + static_cast<u64>(s64{sources.relative[l]});
  RIDGE_LANE_LOOP
  for (int l = 0; l < kWarpLanes; ++l)
    copies.to[l] = static_cast<u32>(to) + static_cast<u32>(targets.relative[l]);
}

/// The general case: targets are looked at lane by lane, and lanes may read less than they write.
Next copy_slowly(Warp& warp, Next i) {
  const u32 bytes = static_cast<u32>(i->immediate);
  LaneCopies& copies = copies_of(warp).copies.push(i, bytes);
  const u32 whole = set_up_lanes(warp, i, copies);
  copies.lanes = open_sources(warp, i, whole, bytes) | open_parts(warp, i, copies, copies.lanes & ~whole);
  if (copies.lanes == 0) {
    copies_of(warp).copies.pop();
    return i + 1;
  }
  Pattern& pattern = warp.worker->patterns[i->target + 1];
  const u64 base = match_operand(warp, i->list, copies.lanes, pattern, bytes);
  open_targets(warp, i, pattern, base, copies.lanes, bytes);
  copies.loose = copies.lanes;
  return i + 1;
}

Next copy(Warp& warp, Next i) {
  const u32 bytes = static_cast<u32>(i->immediate), mask = warp.mask;
  if (i->e != kNoSlot || i->c != kNoSlot) return copy_slowly(warp, i);
  Pattern& targets = warp.worker->patterns[i->target + 1];
  const u64 to = match_operand(warp, i->list, mask, targets, bytes);
  const s64 first = static_cast<s64>(to) + targets.low, last = static_cast<s64>(to) + targets.high + bytes;
  if (__builtin_expect(targets.wide || first < 0 || last > static_cast<s64>(warp.block->shared_bytes) ||
                           ((to | targets.alignment) & (bytes - 1)) != 0,
                       0))
    return copy_slowly(warp, i);
  Pattern& sources = warp.worker->patterns[i->target];
  const u64 from = match_operand(warp, i->list + 2, mask, sources, bytes);
  if (__builtin_expect(sources.wide, 0)) return copy_slowly(warp, i);
  const u32 lanes = open_global<AccessKind::load>(warp, i, sources, from, bytes);
  if (lanes == 0) return i + 1;
  LaneCopies& copies = copies_of(warp).copies.push(i, bytes);
  note_places(copies, from, sources, to, targets);
  copies.whole = true;
  copies.lanes = copies.loose = lanes;
  if (__builtin_expect(lanes != mask, 0)) match_operand(warp, i->list, lanes, targets, bytes);
  open_targets(warp, i, targets, copies.to[std::countr_zero(lanes)], lanes, bytes);
  return i + 1;
}

Next commit(Warp& warp, Next i) {
  WarpCopies& own = copies_of(warp);
  const u32 mask = warp.mask;
  for (LaneCopies* copies = own.copies.begin(); copies != own.copies.end(); ++copies) {
    const u32 joining = copies->loose & mask;
    if (joining == 0) continue;
    for_lanes(joining, copies->group, [&](int l) { return own.groups[l]; });
    copies->loose &= ~mask;
  }
  for_lanes(mask, own.groups, [&](int l) { return own.groups[l] + 1; });
  return i + 1;
}

Next wait(Warp& warp, Next i) {
  WarpCopies& own = copies_of(warp);
  const bool all = (i->flags & kWaitAll) != 0;
  const u32 left = static_cast<u32>(i->immediate);
  for (LaneCopies* copies = own.copies.begin(); copies != own.copies.end(); ++copies) {
    u32 due = copies->lanes & warp.mask;
    if (!all) due &= ~copies->loose & ballot([&](int l) { return own.groups[l] - copies->group[l] > left; });
    if (due != 0) perform_copies(warp, *copies, due);
  }
  own.dropped += own.copies.drop_done();
  return i + 1;
}

}  // namespace

Handler async_handler(const Operation& operation) {
  switch (operation.op) {
    case Op::copy_async:
      return copy;
    case Op::commit_copies:
      return commit;
    case Op::wait_copies:
      return wait;
    default:
      return nullptr;
  }
}

RIDGE_LANES_END
