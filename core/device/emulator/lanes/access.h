// SPDX-License-Identifier: GPL-3.0-or-later
// How handlers reach memory: match the addresses with the pattern remembered for this place, check bounds in
// two comparisons, count, check the shadows, and hand out a host pointer.
#pragma once

#include "device/emulator/exec/access.h"
#include "device/emulator/lanes/lanes.h"
#include "device/emulator/memory/arena.h"

RIDGE_LANES_BEGIN

using Mover = Instruction::Move;

/// Compares the addresses in a slot with the pattern; a new shape is analysed. Returns the first active
/// lane's address.
template <class A>
RIDGE_INLINE u64 match(Warp& warp, u32 slot, s64 offset, u32 mask, Pattern& pattern, u32 bytes) {
  using Signed = std::make_signed_t<A>;
  const A* addresses = lanes_of<A>(warp, slot);
  const A first = addresses[std::countr_zero(mask)];
  A difference = 0;
  if (__builtin_expect(mask == kAllLanes, 1)) {
    RIDGE_LANE_LOOP
    for (int l = 0; l < kWarpLanes; ++l)
      difference |=
          static_cast<A>((addresses[l] - first) ^ static_cast<A>(static_cast<Signed>(pattern.relative[l])));
  } else {
    RIDGE_LANE_LOOP
    for (int l = 0; l < kWarpLanes; ++l) {
      const A active = (mask >> l & 1) != 0 ? static_cast<A>(~A{0}) : A{0};
      difference |= static_cast<A>(((addresses[l] - first) & active) ^
                                   static_cast<A>(static_cast<Signed>(pattern.relative[l])));
    }
  }
  if (__builtin_expect(difference != 0 || pattern.mask != mask, 0)) {
    alignas(64) s64 relative[kWarpLanes];
    for (int l = 0; l < kWarpLanes; ++l)
      relative[l] = mask >> l & 1 ? static_cast<s64>(static_cast<Signed>(addresses[l] - first)) : 0;
    analyse(pattern, relative, mask, static_cast<int>(bytes));
  }
  return static_cast<A>(first + static_cast<A>(offset));
}

/// A wide pattern goes lane by lane: f runs once for each with only that lane active.
template <class F>
RIDGE_INLINE void one_by_one(Warp& warp, F&& f) {
  const u32 mask = warp.mask;
  for (u32 left = mask; left != 0; left &= left - 1) {
    warp.mask = left & (0 - left);
    f();
  }
  warp.mask = mask;
}

RIDGE_INLINE void count_global(Worker& worker, u32 site, Pattern& pattern, u64 base, u32 bytes, u32 mask) {
  SiteCount& count = worker.site_counts[site];
  const u32 offset = static_cast<u32>(base & 31);
  ++count.requests;
  count.lanes += static_cast<u32>(std::popcount(mask));
  count.sectors += pattern.sectors_known >> offset & 1
                       ? pattern.sectors[offset]
                       : static_cast<u32>(count_sectors(pattern, base, static_cast<int>(bytes)));
}

/// True when all `count` marks are of earlier launches or of this block.
RIDGE_INLINE bool are_own(const u32* marks, u64 count, u32 start, u32 self) {
  u32 foreign = 0;
  for (u64 k = 0; k < count; ++k) foreign |= (marks[k] >= start ? 1u : 0u) & (marks[k] != self ? 1u : 0u);
  return foreign == 0;
}

/// Checks and marks a run of bytes of an allocation. False: something is wrong with it, look at every lane.
RIDGE_INLINE bool check_run(const Worker& worker, const Allocation& allocation, u64 offset, u64 bytes,
                            u32 self, bool is_load) {
  u8* initialised = allocation.initialised.get() + offset;
  if (is_load) {
    u8 all = 1;
    for (u64 k = 0; k < bytes; ++k) all &= initialised[k];
    if (all == 0) return false;
  } else {
    __builtin_memset(initialised, 1, bytes);
  }
  if (!worker.block_races || !allocation.stored) return true;
  const u64 first = offset >> allocation.shift,
            count = ((offset + bytes - 1) >> allocation.shift) - first + 1;
  u32* const writer = allocation.writer.get() + first;
  u32* const reader = allocation.reader.get() + first;
  const u32 start = worker.first_mark;
  if (!are_own(writer, count, start, self)) return false;
  if (is_load) {
    const u32 many = worker.many_readers;
    RIDGE_LANE_LOOP
    for (u64 k = 0; k < count; ++k) reader[k] = reader[k] < start || reader[k] == self ? self : many;
  } else {
    if (!are_own(reader, count, start, self)) return false;
    for (u64 k = 0; k < count; ++k) writer[k] = self;
  }
  return true;
}

/// Whole runs at once where the pattern has them, else lane by lane.
RIDGE_INLINE void check_device_memory(Warp& warp, const Access& access, const Allocation* allocation) {
  const Worker& worker = *warp.worker;
  const MemorySite& site = worker.sites[access.instruction->target];
  const Pattern& pattern = *access.pattern;
  const bool plain = !site.ordered && !site.atomic;
  if (!plain) note_synchronisation(warp, site);
  const bool watched = worker.watching && access.kind != AccessKind::load;
  if (allocation != nullptr && plain && !watched) {
    if (allocation->constant) return;
    if (pattern.half[0] != Run::scattered) {
      const bool is_load = access.kind == AccessKind::load;
      const u64 first = access.base - allocation->low;
      const u64 second = first + static_cast<u64>(static_cast<s64>(pattern.relative[16]));
      const u64 first_bytes = pattern.half[0] == Run::contiguous ? u64{16} * access.bytes : access.bytes;
      const u64 second_bytes = pattern.half[1] == Run::contiguous ? u64{16} * access.bytes : access.bytes;
      const u32 self = warp.block->mark;
      if (second == first + first_bytes && pattern.half[0] == pattern.half[1]) {
        if (check_run(worker, *allocation, first, first_bytes + second_bytes, self, is_load)) return;
      } else if (check_run(worker, *allocation, first, first_bytes, self, is_load) &&
                 ((second == first && first_bytes == second_bytes) ||
                  check_run(worker, *allocation, second, second_bytes, self, is_load))) {
        return;
      }
    }
  }
  check_global(warp, access, allocation);
}

/// Checks one access to device memory, returns the lanes that may go ahead.
RIDGE_INLINE u32 open_global(Warp& warp, Next i, Pattern& pattern, u64 base, u32 bytes, AccessKind kind) {
  Worker& worker = *warp.worker;
  const u32 site = static_cast<u32>(i->target), mask = warp.mask;
  const Allocation* allocation = worker.allocations[site];
  const u64 first = base + static_cast<u64>(static_cast<s64>(pattern.low));
  const u64 last = base + static_cast<u64>(static_cast<s64>(pattern.high)) + bytes;
  const Access access{i, &pattern, base, mask, bytes, kind};
  u32 lanes = mask;
  if (__builtin_expect(allocation == nullptr || first < allocation->low || last > allocation->high ||
                           last < first || ((base | pattern.alignment) & (bytes - 1)) != 0,
                       0)) {
    lanes = admit_global(warp, access, allocation);
    worker.allocations[site] = allocation;
    if (lanes != mask) return lanes;
  }
  if (worker.counting) count_global(worker, site, pattern, base, bytes, mask);
  if (worker.checking) check_device_memory(warp, access, allocation);
  return lanes;
}

/// The bits in which marks of different warps differ.
RIDGE_INLINE u32 foreign_of(u32 mark, u32 me) {
  return (mark ^ me) & 0x3e0;
}

/// Looks for races and for reads of what nobody wrote in the units of shared memory that the access touches,
/// then marks them. `ordered`: volatile or with memory-model semantics.
template <AccessKind kKind>
RIDGE_INLINE void mark_shared(Warp& warp, const Access& access, bool ordered) {
  Block& block = *warp.block;
  const Pattern& pattern = *access.pattern;
  const u64 first_unit = access.base >> warp.worker->shared_shift;
  u32* writers = block.writers + first_unit;
  u32* readers = block.readers + first_unit;
  const bool exempt = kKind == AccessKind::atomic || ordered;
  const u32 self = block.step << kStepShift | warp.id << 5 | (exempt ? kAtomicMark : 0);
  const u32 floor = block.floor << kStepShift | ((1u << kStepShift) - 1);  // marks above are recent
  const u32 start = block.first_step << kStepShift;  // marks below are of earlier blocks
  // Atomics do not race with each other; ordered accesses of other warps do not race with either.
  const u32 exempt_same_warp = kKind == AccessKind::atomic ? kAtomicMark : 0;
  const u32 exempt_other_warp = exempt ? kAtomicMark : 0;
  const int count = pattern.unit_count;
  const auto each = [&](auto&& f) {
    if (pattern.dense) {
      const std::int32_t first = pattern.units[0];
      RIDGE_LANE_LOOP
      for (int k = 0; k < count; ++k) f(first + k, k);
    } else {
      for (int k = 0; k < count; ++k) f(pattern.units[k], k);
    }
  };
  const auto mark_of = [&](int k) {
    const u32 lane = pattern.unit_lanes[k];
    return self | (lane & 31) | (lane & 32) << 5;
  };
  u32 suspicious = 0;
  each([&](int unit, int k) {
    const u32 me = mark_of(k), writer = writers[unit];
    const u32 exempted = writer & (foreign_of(writer, me) != 0 ? exempt_other_warp : exempt_same_warp);
    const u32 differs = ((writer ^ me) & 0x3ff) | ((writer | me) & kManyLanes);
    suspicious |= (writer > floor) & (differs != 0) & (exempted == 0);
    if constexpr (kKind != AccessKind::store) suspicious |= writer < start;
    if constexpr (kKind != AccessKind::load) {
      const u32 reader = readers[unit];
      const u32 apart = ((reader ^ me) & 0x3ff) | ((reader | me) & kManyLanes) | (reader & kManyWarps);
      const u32 excused = reader & (foreign_of(reader, me) != 0 ? exempt_other_warp : exempt_same_warp);
      suspicious |= (reader > floor) & (apart != 0) & (excused == 0);
    }
  });
  if (__builtin_expect(suspicious != 0, 0)) report_shared(warp, access, ordered);
  each([&](int unit, int k) {
    const u32 me = mark_of(k);
    if constexpr (kKind == AccessKind::load) {
      const u32 reader = readers[unit];
      const u32 recent = reader > floor ? ~0u : 0u;
      const u32 strangers = foreign_of(reader, me) != 0 ? kManyWarps : 0;
      const u32 siblings = ((reader ^ me) & 0x1f) != 0 ? kManyLanes : 0;
      readers[unit] = me | (recent & (strangers | siblings | (reader & (kManyWarps | kManyLanes))));
    } else {
      writers[unit] = me;
    }
  });
}

/// Checks one access to the block's shared memory, returns the lanes that may go ahead.
template <AccessKind kKind>
RIDGE_INLINE u32 open_shared(Warp& warp, Next i, Pattern& pattern, u64 base, u32 bytes) {
  Worker& worker = *warp.worker;
  const u32 site_index = static_cast<u32>(i->target), mask = warp.mask;
  const MemorySite& site = worker.sites[site_index];
  const s64 low = site.low, high = site.high > 0 ? site.high : static_cast<s64>(warp.block->shared_bytes);
  const s64 first = static_cast<s64>(base) + pattern.low,
            last = static_cast<s64>(base) + pattern.high + bytes;
  const Access access{i, &pattern, base, mask, bytes, kKind};
  if (__builtin_expect(first < low || last > high || ((base | pattern.alignment) & (bytes - 1)) != 0, 0)) {
    const u32 lanes = admit_shared(warp, access, low, high);
    if (lanes != mask) return lanes;
  }
  if (worker.counting || worker.checking) {
    if (__builtin_expect(!pattern.shared_known || pattern.units_base != (base & 3), 0))
      analyse_shared(pattern, base, static_cast<int>(bytes), worker.shared_shift, kKind == AccessKind::load);
    if (worker.counting) {
      SiteCount& count = worker.site_counts[site_index];
      ++count.requests;
      count.lanes += static_cast<u32>(std::popcount(mask));
      count.wavefronts += pattern.wavefronts;
      count.ideal_wavefronts += pattern.ideal_wavefronts;
    }
    if (worker.checking && warp.block->race_checks) mark_shared<kKind>(warp, access, site.ordered);
  }
  return mask;
}

RIDGE_LANES_END
