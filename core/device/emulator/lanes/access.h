// SPDX-License-Identifier: GPL-3.0-or-later
// How handlers reach memory: match the addresses with the pattern remembered for this place, check bounds in
// two comparisons, count, check the shadows, and hand out a host pointer. What is not needed each time, and
// what looks at counts and shadows, are functions of their own: the registers and the stack that they take
// would burden every access.
#pragma once

#include "device/emulator/exec/access.h"
#include "device/emulator/exec/order.h"
#include "device/emulator/lanes/lanes.h"
#include "device/emulator/memory/arena.h"

RIDGE_LANES_BEGIN

using Mover = Instruction::Move;

/// Analyses a new shape.
template <class A>
[[gnu::noinline]] void learn(const A* addresses, u32 mask, Pattern& pattern, u32 bytes) {
  const A first = addresses[std::countr_zero(mask)];
  alignas(64) s64 relative[kWarpLanes];
  for (int l = 0; l < kWarpLanes; ++l)
    relative[l] =
        mask >> l & 1 ? static_cast<s64>(static_cast<std::make_signed_t<A>>(addresses[l] - first)) : 0;
  analyse(pattern, relative, mask, static_cast<int>(bytes));
}

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
  if (__builtin_expect(difference != 0 || pattern.mask != mask, 0)) learn(addresses, mask, pattern, bytes);
  return static_cast<A>(first + static_cast<A>(offset));
}

/// True when all lanes of the warp have the addresses that the pattern would have them have.
template <class A>
RIDGE_INLINE bool has_shape(const A* addresses, const Pattern& pattern) {
  const A first = addresses[0];
  A difference = 0;
  RIDGE_LANE_LOOP
  for (int l = 0; l < kWarpLanes; ++l)
    difference |= static_cast<A>(
        addresses[l] ^
        static_cast<A>(first + static_cast<A>(static_cast<std::make_signed_t<A>>(pattern.relative[l]))));
  return difference == 0 && pattern.mask == kAllLanes;
}

/// A wide pattern goes lane by lane: f runs once for each with only that lane active.
template <class F>
[[gnu::noinline]] void one_by_one(Warp& warp, F f) {
  const u32 mask = warp.mask;
  for (u32 left = mask; left != 0; left &= left - 1) {
    warp.mask = left & (0 - left);
    f();
  }
  warp.mask = mask;
}

/// Lanes of an atomic that wait for another lane of their warp.
RIDGE_INLINE u32 contention(Pattern& pattern, u32 mask) {
  const int distinct = pattern.distinct != 0 ? pattern.distinct : count_distinct(pattern);
  return static_cast<u32>(std::popcount(mask) - distinct);
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
  RIDGE_LANE_LOOP
  for (u64 k = 0; k < count; ++k) foreign |= (marks[k] >= start ? 1u : 0u) & (marks[k] != self ? 1u : 0u);
  return foreign == 0;
}

/// True when every byte is 1.
RIDGE_INLINE bool all_initialised(const u8* bytes, u64 count) {
  u64 all = ~u64{0};
  for (; count >= 8; bytes += 8, count -= 8) {
    u64 eight;
    __builtin_memcpy(&eight, bytes, 8);
    all &= eight;
  }
  if (all != ~u64{0} && (all & 0x0101010101010101u) != 0x0101010101010101u) return false;
  for (; count > 0; ++bytes, --count) all &= *bytes;
  return (all & 1) != 0;
}

RIDGE_INLINE void set_initialised(u8* bytes, u64 count) {
  constexpr u64 kOnes = 0x0101010101010101u;
  for (; count >= 8; bytes += 8, count -= 8) __builtin_memcpy(bytes, &kOnes, 8);
  for (; count > 0; ++bytes, --count) *bytes = 1;
}

/// Gives the units of a chunk the mark that all of it had.
RIDGE_INLINE void mix_chunk(u32* chunk_marks, u32* unit_marks, u64 chunk, int shift) {
  const u32 mark = chunk_marks[chunk];
  if (mark == kMixedChunk) return;
  const u64 units = u64{1} << (kChunkShift - shift);
  u32* first = unit_marks + chunk * units;
  for (u64 k = 0; k < units; ++k) first[k] = mark;
  chunk_marks[chunk] = kMixedChunk;
}

/// Races between blocks over whole chunks; false: look at every lane.
RIDGE_INLINE bool check_chunks(const Worker& worker, const Allocation& allocation, u64 first, u64 last,
                               u32 self, bool is_load) {
  const u32 start = worker.first_mark, many = worker.many_readers;
  const u64 units = u64{1} << (kChunkShift - allocation.shift);
  for (u64 chunk = first; chunk < last; ++chunk) {
    u32& writer = allocation.chunk_writer[chunk];
    u32& reader = allocation.chunk_reader[chunk];
    if (writer >= start && writer != self &&
        (writer != kMixedChunk || !are_own(&allocation.writer[chunk * units], units, start, self)))
      return false;
    if (is_load) {
      if (reader == kMixedChunk) {
        u32* readers = &allocation.reader[chunk * units];
        RIDGE_LANE_LOOP
        for (u64 k = 0; k < units; ++k) readers[k] = readers[k] < start || readers[k] == self ? self : many;
      } else {
        reader = reader < start || reader == self ? self : many;
      }
    } else {
      if (reader >= start && reader != self &&
          (reader != kMixedChunk || !are_own(&allocation.reader[chunk * units], units, start, self)))
        return false;
      writer = self;
    }
  }
  return true;
}

/// Races between blocks over some bytes of one or two chunks; false: look at every lane.
RIDGE_INLINE bool check_units(const Worker& worker, const Allocation& allocation, u64 offset, u64 bytes,
                              u32 self, bool is_load) {
  const u32 start = worker.first_mark, many = worker.many_readers;
  for (u64 chunk = offset >> kChunkShift; chunk <= (offset + bytes - 1) >> kChunkShift; ++chunk) {
    if (allocation.chunk_reader[chunk] != self || !is_load)
      mix_chunk(allocation.chunk_reader.get(), allocation.reader.get(), chunk, allocation.shift);
    mix_chunk(allocation.chunk_writer.get(), allocation.writer.get(), chunk, allocation.shift);
  }
  const u64 first = offset >> allocation.shift,
            count = ((offset + bytes - 1) >> allocation.shift) - first + 1;
  u32* const writers = &allocation.writer[first];
  u32* const readers = &allocation.reader[first];
  if (!are_own(writers, count, start, self)) return false;
  if (is_load) {
    RIDGE_LANE_LOOP
    for (u64 k = 0; k < count; ++k) readers[k] = readers[k] < start || readers[k] == self ? self : many;
  } else {
    if (!are_own(readers, count, start, self)) return false;
    for (u64 k = 0; k < count; ++k) writers[k] = self;
  }
  return true;
}

/// Checks and marks a run of bytes of an allocation. False: something is wrong with it, look at every lane.
RIDGE_INLINE bool check_run(const Worker& worker, const Allocation& allocation, u64 address, u64 bytes,
                            u32 self, bool is_load) {
  if (!allocation.complete) {
    u8* initialised = allocation.initialised.get() + (address - allocation.low);
    if (!is_load)
      set_initialised(initialised, bytes);
    else if (!all_initialised(initialised, bytes))
      return false;
  }
  if (!worker.block_races || !allocation.stored) return true;
  const u64 offset = address - allocation.origin;
  constexpr u64 kInChunk = (u64{1} << kChunkShift) - 1;
  if (((offset | bytes) & kInChunk) == 0)
    return check_chunks(worker, allocation, offset >> kChunkShift, (offset + bytes) >> kChunkShift, self,
                        is_load);
  return check_units(worker, allocation, offset, bytes, self, is_load);
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
    if (allocation->constant || (allocation->complete && !(worker.block_races && allocation->stored))) return;
    const bool is_load = access.kind == AccessKind::load;
    const u32 self = warp.block->mark;
    if (pattern.half[0] != Run::scattered) {
      const u64 first = access.base;
      const u64 second = first + static_cast<u64>(static_cast<s64>(pattern.relative[16]));
      const u64 first_bytes = pattern.half[0] == Run::contiguous ? u64{16} * access.bytes : access.bytes;
      const u64 second_bytes = pattern.half[1] == Run::contiguous ? u64{16} * access.bytes : access.bytes;
      if (second == first + first_bytes && pattern.half[0] == pattern.half[1]) {
        if (check_run(worker, *allocation, first, first_bytes + second_bytes, self, is_load)) return;
      } else if (check_run(worker, *allocation, first, first_bytes, self, is_load) &&
                 ((second == first && first_bytes == second_bytes) ||
                  check_run(worker, *allocation, second, second_bytes, self, is_load))) {
        return;
      }
    } else {
      bool fine = true;
      for (u32 left = access.lanes; left != 0 && fine; left &= left - 1) {
        const s64 relative = pattern.relative[std::countr_zero(left)];
        fine = check_run(worker, *allocation, access.base + static_cast<u64>(relative), access.bytes, self,
                         is_load);
      }
      if (fine) return;
    }
  }
  check_global(warp, access, allocation);
}

/// Counts an access to device memory and checks it against the shadows.
template <AccessKind kKind>
[[gnu::noinline]] void observe_global(Warp& warp, Next i, Pattern& pattern, u64 base, u32 bytes) {
  Worker& worker = *warp.worker;
  const u32 site = static_cast<u32>(i->target), mask = warp.mask;
  const Access access{i, &pattern, base, mask, bytes, kKind};
  if (worker.counting) {
    count_global(worker, site, pattern, base, bytes, mask);
    if (kKind == AccessKind::atomic) worker.site_counts[site].contention += contention(pattern, mask);
    if (__builtin_expect(worker.traffic, 0)) note_traffic(warp, access);
  }
  if (worker.checking) check_device_memory(warp, access, worker.allocations[site]);
}

RIDGE_INLINE bool is_aligned(const Pattern& pattern, u64 base, u32 bytes) {
  return ((base | pattern.alignment) & (bytes - 1)) == 0;
}
/// True when the access lies in the allocation that its site hit last.
RIDGE_INLINE bool hits_again(const Worker& worker, Next i, const Pattern& pattern, u64 base, u32 bytes) {
  const Allocation* allocation = worker.allocations[i->target];
  const u64 first = base + static_cast<u64>(static_cast<s64>(pattern.low));
  const u64 last = base + static_cast<u64>(static_cast<s64>(pattern.high)) + bytes;
  return allocation != nullptr && first >= allocation->low && last <= allocation->high && last >= first &&
         is_aligned(pattern, base, bytes);
}

/// Checks one access to device memory, returns the lanes that may go ahead.
template <AccessKind kKind>
RIDGE_INLINE u32 open_global(Warp& warp, Next i, Pattern& pattern, u64 base, u32 bytes) {
  const u32 mask = warp.mask;
  if (__builtin_expect(!hits_again(*warp.worker, i, pattern, base, bytes), 0)) {
    const Access access{i, &pattern, base, mask, bytes, kKind};
    const u32 lanes = admit_global(warp, access, warp.worker->allocations[i->target]);
    if (lanes != mask) return lanes;
  }
  if (warp.worker->observing) observe_global<kKind>(warp, i, pattern, base, bytes);
  return mask;
}

/// The bits in which marks of different warps differ.
RIDGE_INLINE u32 foreign_of(u32 mark, u32 me) {
  return (mark ^ me) & 0x3e0;
}

/// Applies f(unit, mark) to the units that the access touches, in vectors where they follow each other. The
/// mark names the lane.
template <class F>
RIDGE_INLINE void for_units(const Pattern& pattern, F&& f) {
  const int count = pattern.unit_count;
  const u32* marks = pattern.unit_marks;
  if (pattern.dense) {
    const std::int32_t first = pattern.units[0];
    RIDGE_LANE_LOOP
    for (int k = 0; k < count; ++k) f(first + k, marks[k]);
  } else {
    const std::int32_t* units = pattern.units;
    for (int k = 0; k < count; ++k) f(units[k], marks[k]);
  }
}

/// What a load asks of marks, and what it makes of them.
class Glance {
 public:
  RIDGE_INLINE Glance(const Warp& warp, u32 flags) {
    const Block& block = *warp.block;
    constexpr u32 kBelow = (1u << kStepShift) - 1;
    self_ = block.step << kStepShift | warp.id << 5 | flags;
    floor_ = block.floor << kStepShift | kBelow;
    own_floor_ = warp.known_step > block.floor ? warp.known_step << kStepShift | kBelow : floor_;
    start_ = block.first_step << kStepShift;
    span_ = floor_ >= start_ ? floor_ + 1 - start_ : 0;
  }
  /// False lets it pass: written by this block, before the last barrier.
  RIDGE_INLINE u32 misses(u32 writer) const { return writer - start_ >= span_ ? 1u : 0u; }
  /// The mark of a unit's readers, with this one.
  RIDGE_INLINE u32 joined(u32 reader, u32 lane_mark) const {
    const u32 me = self_ | lane_mark, foreign = foreign_of(reader, me);
    const u32 strangers = foreign != 0 ? kManyWarps : 0;
    const u32 siblings = ((reader ^ me) & 0x1f) != 0 ? kManyLanes : 0;
    return me | (reader > floor_ ? strangers | (reader & kManyWarps) : 0) |
           (foreign == 0 && reader > own_floor_ ? siblings | (reader & kManyLanes) : 0);
  }

 private:
  u32 self_, floor_, own_floor_, start_, span_;
};

/// Is one of the units that did not pass at a glance really suspicious?
template <AccessKind kKind>
bool is_suspicious(const Warp& warp, const Access& access, bool ordered) {
  const Block& block = *warp.block;
  const u64 first_unit = access.base >> warp.worker->shared_shift;
  const u32* writers = block.writers + first_unit;
  const u32* readers = block.readers + first_unit;
  const bool exempt = kKind == AccessKind::atomic || ordered;
  const u32 self = block.step << kStepShift | warp.id << 5;
  constexpr u32 kBelow = (1u << kStepShift) - 1;
  const u32 floor = block.floor << kStepShift | kBelow, start = block.first_step << kStepShift;
  const u32 own_floor =
      (warp.known_step > block.floor ? warp.known_step : block.floor) << kStepShift | kBelow;
  // Atomics do not race with each other; ordered accesses of other warps do not race with either.
  const u32 exempt_same_warp = kKind == AccessKind::atomic ? kAtomicMark : 0;
  const u32 exempt_other_warp = exempt ? kAtomicMark : 0;
  u32 suspicious = 0;
  for_units(*access.pattern, [&](int unit, u32 lane_mark) {
    const u32 me = self | lane_mark;
    const auto races = [&](u32 mark) {
      const u32 foreign = foreign_of(mark, me) | (mark & kManyWarps);
      const u32 excused = mark & (foreign != 0 ? exempt_other_warp : exempt_same_warp);
      const u32 apart = foreign | ((mark ^ me) & 0x1f) | ((mark | me) & kManyLanes);
      return (mark > (foreign != 0 ? floor : own_floor) ? 1u : 0u) & (apart != 0 ? 1u : 0u) &
             (excused == 0 ? 1u : 0u);
    };
    const u32 writer = writers[unit];
    suspicious |= races(writer);
    if constexpr (kKind != AccessKind::store) suspicious |= writer < start ? 1u : 0u;
    if constexpr (kKind != AccessKind::load) suspicious |= races(readers[unit]);
  });
  return suspicious != 0;
}

/// Somebody writes to a row that may have been read since the last barrier.
RIDGE_INLINE void forget_row(Block& block, u64 first_unit, int unit) {
  block.read_rows[(first_unit + static_cast<u64>(s64{unit})) >> 5] = 0;
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
  if constexpr (kKind == AccessKind::load) {
    // A row that several warps have read since the last barrier: who else reads it changes nothing.
    const u64 start_unit = first_unit + static_cast<u64>(s64{pattern.units[0]});
    const bool is_row = pattern.dense && pattern.unit_count == 32 && (start_unit & 31) == 0 && !exempt;
    if (is_row && block.read_rows[start_unit >> 5] == block.step) return;
    const Glance glance(warp, exempt ? kAtomicMark : 0);
    u32 missed = 0, common = ~0u;
    for_units(pattern, [&](int unit, u32 lane_mark) {
      missed |= glance.misses(writers[unit]);
      const u32 mark = glance.joined(readers[unit], lane_mark);
      common &= mark;
      readers[unit] = mark;
    });
    if (__builtin_expect(missed != 0, 0)) {
      if (is_suspicious<kKind>(warp, access, ordered)) report_shared(warp, access, ordered);
    } else if (is_row && (common & kManyWarps) != 0) {
      block.read_rows[start_unit >> 5] = block.step;
    }
  } else {
    const u32 self = block.step << kStepShift | warp.id << 5 | (exempt ? kAtomicMark : 0);
    const u32 floor = block.floor << kStepShift | ((1u << kStepShift) - 1);
    const u32 start = block.first_step << kStepShift;
    u32 recent = 0;
    for_units(pattern, [&](int unit, u32) {
      recent |= (writers[unit] > floor ? 1u : 0u) | (readers[unit] > floor ? 1u : 0u);
      if constexpr (kKind == AccessKind::atomic) recent |= writers[unit] < start ? 1u : 0u;
    });
    if (recent != 0) {
      if (is_suspicious<kKind>(warp, access, ordered)) report_shared(warp, access, ordered);
      for_units(pattern, [&](int unit, u32) { forget_row(block, first_unit, unit); });
    }
    for_units(pattern, [&](int unit, u32 lane_mark) {
      u32 mark = self | lane_mark;
      if constexpr (kKind == AccessKind::atomic) {
        // It does not cover up what its own warp has just written plainly: nobody else knows of that yet.
        const u32 before = writers[unit];
        const bool fresh = ((before ^ mark) & ~(kAtomicMark | kManyLanes | 0x1f)) == 0;
        if (fresh && (before & kAtomicMark) == 0) mark = before;
      }
      writers[unit] = mark;
    });
  }
}

RIDGE_INLINE void count_shared(Worker& worker, u32 site, const Pattern& pattern, u32 mask) {
  SiteCount& count = worker.site_counts[site];
  ++count.requests;
  count.lanes += static_cast<u32>(std::popcount(mask));
  count.wavefronts += pattern.wavefronts;
  count.ideal_wavefronts += pattern.ideal_wavefronts;
}

/// The commonest loads, of one unit by all lanes and of a whole row that several warps have read since the
/// last barrier, are counted and checked in few steps. False: nothing is done, look closely.
RIDGE_INLINE bool observe_at_a_glance(Warp& warp, u32 site, const Pattern& pattern, u64 base) {
  Worker& worker = *warp.worker;
  const Block& block = *warp.block;
  if (!pattern.shared_known || pattern.units_base != (base & 3)) return false;
  if (worker.checking && block.race_checks) {
    if (worker.sites[site].ordered) return false;
    const u64 unit = (base >> worker.shared_shift) + static_cast<u64>(s64{pattern.units[0]});
    if (pattern.unit_count == 1) {
      const Glance glance(warp, 0);
      if (glance.misses(block.writers[unit]) != 0) return false;
      block.readers[unit] = glance.joined(block.readers[unit], pattern.unit_marks[0]);
    } else if (!pattern.dense || pattern.unit_count != 32 || (unit & 31) != 0 ||
               block.read_rows[unit >> 5] != block.step) {
      return false;
    }
  }
  if (worker.counting) count_shared(worker, site, pattern, kAllLanes);
  return true;
}

/// Counts an access to shared memory and checks it against its marks.
template <AccessKind kKind>
[[gnu::noinline]] void observe_shared(Warp& warp, Next i, Pattern& pattern, u64 base, u32 bytes) {
  Worker& worker = *warp.worker;
  const u32 site = static_cast<u32>(i->target), mask = warp.mask;
  if (__builtin_expect(!pattern.shared_known || pattern.units_base != (base & 3), 0))
    analyse_shared(pattern, base, static_cast<int>(bytes), worker.shared_shift, kKind == AccessKind::load);
  if (worker.counting) {
    count_shared(worker, site, pattern, mask);
    if constexpr (kKind == AccessKind::atomic)
      worker.site_counts[site].contention += contention(pattern, mask);
  }
  if (worker.checking && warp.block->race_checks) {
    const Access access{i, &pattern, base, mask, bytes, kKind};
    const MemorySite& place = worker.sites[site];
    mark_shared<kKind>(warp, access, place.ordered);
    if ((kKind == AccessKind::atomic || place.ordered) && may_synchronise(warp, place))
      synchronise_shared(warp, access, place);
  }
}

/// Where an access to shared memory may go: to the array that its address derives from, if that is known.
struct SharedBounds {
  s64 low, high;

  RIDGE_INLINE SharedBounds(const Warp& warp, const MemorySite& site)
      : low(site.low), high(site.high > 0 ? site.high : static_cast<s64>(warp.block->shared_bytes)) {}
  RIDGE_INLINE bool hold(const Pattern& pattern, u64 base, u32 bytes) const {
    const s64 first = static_cast<s64>(base) + pattern.low,
              last = static_cast<s64>(base) + pattern.high + bytes;
    return first >= low && last <= high && is_aligned(pattern, base, bytes);
  }
};

/// Checks one access to the block's shared memory, returns the lanes that may go ahead.
template <AccessKind kKind>
RIDGE_INLINE u32 open_shared(Warp& warp, Next i, Pattern& pattern, u64 base, u32 bytes) {
  const u32 mask = warp.mask;
  const SharedBounds bounds(warp, warp.worker->sites[i->target]);
  if (__builtin_expect(!bounds.hold(pattern, base, bytes), 0)) {
    const Access access{i, &pattern, base, mask, bytes, kKind};
    const u32 lanes = admit_shared(warp, access, bounds.low, bounds.high);
    if (lanes != mask) return lanes;
  }
  if (warp.worker->observing) observe_shared<kKind>(warp, i, pattern, base, bytes);
  return mask;
}

RIDGE_LANES_END
