// SPDX-License-Identifier: GPL-3.0-or-later
// cp.async and what asynchronous operations share: places in shared memory and their marks.
#include "device/emulator/exec/async.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "device/emulator/exec/cluster.h"
#include "device/emulator/exec/launch.h"

namespace ridge::device::emulator {

namespace {

using hardware::Status;

constexpr std::uint32_t kBelowStep = (1u << kStepShift) - 1;
constexpr std::uint32_t kUnderWay = kAsyncStep << kStepShift | kManyLanes;

bool has_marks(const Block& block) {
  return block.writers != nullptr && block.race_checks;
}

template <class F>
void for_each_lane(std::uint32_t lanes, F&& f) {
  for (; lanes != 0; lanes &= lanes - 1) f(std::countr_zero(lanes));
}
template <class F>
void for_each_unit(const Block& block, std::uint64_t offset, std::uint64_t bytes, F&& f) {
  if (bytes == 0) return;
  const int shift = block.warps[0].worker->shared_shift;
  for (std::uint64_t unit = offset >> shift; unit <= (offset + bytes - 1) >> shift; ++unit) f(unit);
}

/// The remembered shape of the addresses of some lanes; `base` becomes the first lane's.
template <class Address>
Pattern& pattern_of(Worker& worker, std::size_t site, const Address* addresses, std::uint32_t lanes,
                    std::uint32_t bytes, std::uint64_t& base) {
  Pattern& pattern = worker.patterns[site];
  base = addresses[std::countr_zero(lanes)];
  std::int64_t relative[kWarpLanes];
  bool same = pattern.mask == lanes;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    relative[lane] =
        (lanes >> lane & 1) != 0 ? static_cast<std::int64_t>(std::uint64_t{addresses[lane]} - base) : 0;
    same = same && pattern.relative[lane] == relative[lane];
  }
  if (!same) analyse(pattern, relative, lanes, static_cast<int>(bytes));
  return pattern;
}

bool all_written(const std::uint8_t* initialised, std::uint32_t bytes) {
  return std::memchr(initialised, 0, bytes) == nullptr;
}

/// Lanes that may read `bytes` of device memory at their addresses; counted and checked as a load.
std::uint32_t open_sources(Warp& warp, const Instruction* at, const std::uint64_t* addresses,
                           std::uint32_t lanes, std::uint32_t bytes) {
  if (lanes == 0) return 0;
  Worker& worker = *warp.worker;
  const auto site = static_cast<std::size_t>(at->target);
  std::uint64_t base = 0;
  Pattern& pattern = pattern_of(worker, site, addresses, lanes, bytes, base);
  if (pattern.wide) {
    std::uint32_t admitted = 0;
    for_each_lane(lanes, [&](int lane) { admitted |= open_sources(warp, at, addresses, 1u << lane, bytes); });
    return admitted;
  }
  const Access access{at, &pattern, base, lanes, bytes, AccessKind::load};
  const Allocation* allocation = worker.allocations[site];
  const std::uint64_t first = base + static_cast<std::uint64_t>(std::int64_t{pattern.low});
  const std::uint64_t last = base + static_cast<std::uint64_t>(std::int64_t{pattern.high}) + bytes;
  if (allocation == nullptr || first < allocation->low || last > allocation->high || last < first ||
      ((base | pattern.alignment) & (bytes - 1)) != 0) {
    const std::uint32_t admitted = admit_global(warp, access, allocation);
    worker.allocations[site] = allocation;
    if (admitted != lanes) return admitted;
  }
  if (worker.counting) {
    SiteCount& count = worker.site_counts[site];
    const auto offset = static_cast<std::uint32_t>(base & 31);
    ++count.requests;
    count.lanes += static_cast<std::uint32_t>(std::popcount(lanes));
    count.sectors += (pattern.sectors_known >> offset & 1) != 0
                         ? pattern.sectors[offset]
                         : static_cast<std::uint32_t>(count_sectors(pattern, base, static_cast<int>(bytes)));
    if (worker.traffic) note_traffic(warp, access);
  }
  if (!worker.checking) return lanes;
  if (allocation != nullptr && !(worker.block_races && allocation->stored)) {
    bool sound = true;
    if (allocation->complete) return lanes;
    for_each_lane(lanes, [&](int lane) {
      sound =
          sound && all_written(allocation->initialised.get() + (addresses[lane] - allocation->low), bytes);
    });
    if (sound) return lanes;
  }
  check_global(warp, access, allocation);
  return lanes;
}

/// Counts the writes of some lanes to shared memory, looks for races and marks them as under way.
void open_targets(Warp& warp, const Instruction* at, const std::uint32_t* offsets, std::uint32_t lanes,
                  std::uint32_t bytes) {
  Worker& worker = *warp.worker;
  Block& block = *warp.block;
  if (!worker.counting && !has_marks(block)) return;
  const auto site = static_cast<std::size_t>(at->target) + 1;
  std::uint64_t base = 0;
  Pattern& pattern = pattern_of(worker, site, offsets, lanes, bytes, base);
  if (!pattern.shared_known || pattern.units_base != (base & 3))
    analyse_shared(pattern, base, static_cast<int>(bytes), worker.shared_shift, false);
  if (worker.counting) {
    SiteCount& count = worker.site_counts[site];
    ++count.requests;
    count.lanes += static_cast<std::uint32_t>(std::popcount(lanes));
    count.wavefronts += pattern.wavefronts;
    count.ideal_wavefronts += pattern.ideal_wavefronts;
  }
  if (!has_marks(block)) return;
  const std::uint32_t floor = block.floor << kStepShift | kBelowStep;
  const std::uint64_t first = base >> worker.shared_shift;
  bool suspicious = false;
  for (int k = 0; k < pattern.unit_count; ++k) {
    const auto unit = first + static_cast<std::uint64_t>(std::int64_t{pattern.units[k]});
    suspicious = suspicious || block.writers[unit] > floor || block.readers[unit] > floor;
  }
  if (suspicious) report_shared(warp, {at, &pattern, base, lanes, bytes, AccessKind::store}, false);
  for (int k = 0; k < pattern.unit_count; ++k)
    block.writers[first + static_cast<std::uint64_t>(std::int64_t{pattern.units[k]})] = kUnderWay;
}

template <std::uint32_t kBytes>
void move_lanes(const Warp& warp, const LaneCopies& copies, std::uint32_t lanes) {
  const std::uint64_t bias = warp.worker->global_bias;
  for_each_lane(lanes, [&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    std::uint8_t* to = warp.block->shared + copies.to[l];
    const auto* from = reinterpret_cast<const std::uint8_t*>(copies.from[l] + bias);
    if (copies.read[l] == kBytes) {
      std::memcpy(to, from, kBytes);
      return;
    }
    std::memset(to, 0, kBytes);
    if (copies.read[l] > 0) std::memcpy(to, from, copies.read[l]);
  });
}

void perform(Warp& warp, LaneCopies& copies, std::uint32_t lanes) {
  lanes &= copies.lanes;
  if (copies.bytes == 4)
    move_lanes<4>(warp, copies, lanes);
  else if (copies.bytes == 8)
    move_lanes<8>(warp, copies, lanes);
  else
    move_lanes<16>(warp, copies, lanes);
  if (has_marks(*warp.block))
    for_each_lane(lanes, [&](int lane) {
      mark_done(*warp.block, copies.to[static_cast<std::size_t>(lane)], copies.bytes, true, warp, lane,
                false);
    });
  copies.lanes &= ~lanes;
}

void drop_done(WarpCopies& own) {
  own.dropped += own.copies.drop_done();
}

/// False: the place was looked at in detail, and reported.
bool admit_target(Warp& warp, const Instruction* at, int lane, const SharedPlace& place,
                  std::uint32_t bytes) {
  if (place.block == warp.block && place.offset + bytes <= warp.block->shared_bytes &&
      (place.offset & (bytes - 1)) == 0)
    return true;
  if (place.block != nullptr && place.block != warp.block) {
    report_fault(warp, at, Status::out_of_bounds, lane,
                 "cp.async writes to the shared memory of another block");
    return false;
  }
  return admit_place(warp, at, lane, place, bytes, bytes, "the target of this copy");
}

}  // namespace

std::uint64_t address_at(const Warp& warp, const std::uint32_t* address, int lane) {
  const std::uint8_t* slot = warp.frame + (address[0] & ~1u);
  const auto offset = static_cast<std::int64_t>(static_cast<std::int32_t>(address[1]));
  if ((address[0] & 1) != 0)
    return static_cast<std::uint32_t>(reinterpret_cast<const std::uint32_t*>(slot)[lane] +
                                      static_cast<std::uint32_t>(offset));
  return reinterpret_cast<const std::uint64_t*>(slot)[lane] + static_cast<std::uint64_t>(offset);
}
std::uint32_t value_at(const Warp& warp, std::uint32_t slot, int lane) {
  return reinterpret_cast<const std::uint32_t*>(warp.frame + slot)[lane];
}
std::uint64_t wide_value_at(const Warp& warp, std::uint32_t slot, int lane) {
  return reinterpret_cast<const std::uint64_t*>(warp.frame + slot)[lane];
}

SharedPlace shared_place(Warp& warp, std::uint64_t address, bool generic) {
  if (generic) {
    if ((address & kWindowMask) != kSharedWindow) return {};
    address &= ~kWindowMask;
  }
  const std::uint64_t rank = address / kClusterStride;
  if (rank == 0) return {warp.block, address};
  const Cluster& cluster = *warp.block->cluster;
  if (rank > cluster.blocks.size()) return {};
  return {cluster.blocks[rank - 1], address % kClusterStride};
}

bool admit_place(Warp& warp, const Instruction* at, int lane, const SharedPlace& place, std::uint64_t bytes,
                 std::uint64_t alignment, std::string_view what) {
  if (place.block == nullptr) {
    report_fault(
        warp, at, Status::out_of_bounds, lane,
        "The address of " + std::string(what) + " is not in the shared memory of any block of the cluster");
    return false;
  }
  if (place.offset > place.block->shared_bytes || bytes > place.block->shared_bytes - place.offset) {
    report_fault(warp, at, Status::out_of_bounds, lane,
                 "Out of bounds: " + std::string(what) + " needs " + std::to_string(bytes) +
                     " bytes at byte " + std::to_string(place.offset) +
                     " of shared memory, of which there are " + std::to_string(place.block->shared_bytes));
    return false;
  }
  if (place.offset % alignment != 0) {
    report_fault(warp, at, Status::misaligned, lane,
                 "Misaligned: " + std::string(what) + " lies " + std::to_string(place.offset % alignment) +
                     " behind a multiple of " + std::to_string(alignment));
    return false;
  }
  return true;
}

void touch_shared(Warp& warp, const Instruction* at, int lane, Block& block, std::uint64_t offset,
                  std::uint64_t bytes, AccessKind kind) {
  if (!has_marks(block)) return;
  const int shift = warp.worker->shared_shift;
  const std::uint32_t start = block.first_step << kStepShift;
  const bool own = &block == warp.block;
  const std::uint32_t atomic = kind == AccessKind::atomic ? kAtomicMark : 0;
  // Another block's access is nobody's in particular of this one.
  const std::uint32_t self = own ? block.step << kStepShift | warp.id << 5 | static_cast<std::uint32_t>(lane)
                                 : block.floor << kStepShift | kManyLanes;
  const std::uint32_t floor = block.floor << kStepShift | kBelowStep;
  const auto suspicious = [&](std::uint32_t mark) {
    return mark > floor && (((mark ^ self) & 0x3ff) != 0 || (mark & (kManyLanes | kManyWarps)) != 0) &&
           (mark & atomic) == 0;
  };
  for_each_unit(block, offset, bytes, [&](std::uint64_t unit) {
    std::uint32_t &writer = block.writers[unit], &reader = block.readers[unit];
    if (own && (suspicious(writer) || (kind != AccessKind::load && suspicious(reader)) ||
                (kind != AccessKind::store && writer < start))) {
      std::int32_t index = 0;
      auto first = static_cast<std::uint32_t>(lane);
      Pattern pattern{};
      pattern.units = &index;
      pattern.unit_marks = &first;
      pattern.unit_count = 1;
      report_shared(warp, {at, &pattern, unit << shift, 1u << lane, 1u << shift, kind}, false);
    }
    if (kind != AccessKind::load)
      writer = self | atomic;
    else if (own && reader >> kStepShift != kAsyncStep)
      reader = self | (reader > floor && ((reader ^ self) & 0x3ff) != 0 ? kManyWarps | kManyLanes : 0);
  });
}

void mark_under_way(Block& block, std::uint64_t offset, std::uint64_t bytes, bool written) {
  if (!has_marks(block)) return;
  for_each_unit(block, offset, bytes, [&](std::uint64_t unit) {
    if (written)
      block.writers[unit] = kUnderWay;
    else
      block.readers[unit] = kUnderWay | kManyWarps;
  });
}

void mark_done(Block& block, std::uint64_t offset, std::uint64_t bytes, bool written, const Warp& warp,
               int lane, bool bulk) {
  if (!has_marks(block)) return;
  const std::uint32_t mark =
      (warp.block == &block ? block.step << kStepShift | warp.id << 5 | static_cast<std::uint32_t>(lane)
                            : std::max(block.floor, block.first_step) << kStepShift) |
      (bulk ? kAtomicMark : 0);
  for_each_unit(block, offset, bytes, [&](std::uint64_t unit) {
    std::uint32_t& known = written ? block.writers[unit] : block.readers[unit];
    if (known >> kStepShift == kAsyncStep) known = mark;  // else somebody has been here since
  });
}

AsyncState& async_of(Block& block) {
  if (block.async == nullptr) {
    block.async = std::make_shared<AsyncState>();
    block.async->warps.resize(block.warps.size());
  }
  return *block.async;
}

void reset_async(Block& block) {
  if (block.async == nullptr) return;
  bool under_way = !block.async->loads.empty();
  for (const WarpCopies& own : block.async->warps)
    under_way = under_way || own.copies.size() > 0 || !own.stores.empty();
  if (under_way) std::fill(block.mark_storage.begin(), block.mark_storage.end(), 0);
  *block.async = AsyncState{};
  block.async->warps.resize(block.warps.size());
}

LaneCopies& CopyQueue::push(const Instruction* at, std::uint32_t bytes) {
  if (begin_ == end_) begin_ = end_ = 0;
  if (end_ == all_.size() && begin_ > 0) {
    std::move(begin(), end(), all_.data());
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == all_.size()) all_.emplace_back();
  LaneCopies& copies = all_[end_++];
  copies.at = at;
  copies.bytes = bytes;
  copies.lanes = copies.loose = 0;
  return copies;
}

std::size_t CopyQueue::drop_done() {
  const std::size_t before = begin_;
  while (begin_ < end_ && all_[begin_].lanes == 0) ++begin_;
  return begin_ - before;
}

namespace {

/// All lanes' addresses; those of lanes that are off are arbitrary.
void addresses_of_all(const Warp& warp, const std::uint32_t* address, std::uint64_t* all) {
  const std::uint8_t* slot = warp.frame + (address[0] & ~1u);
  const auto offset = static_cast<std::int64_t>(static_cast<std::int32_t>(address[1]));
  if ((address[0] & 1) != 0) {
    const auto* values = reinterpret_cast<const std::uint32_t*>(slot);
    for (int l = 0; l < kWarpLanes; ++l) all[l] = values[l] + static_cast<std::uint32_t>(offset);
  } else {
    const auto* values = reinterpret_cast<const std::uint64_t*>(slot);
    for (int l = 0; l < kWarpLanes; ++l) all[l] = values[l] + static_cast<std::uint64_t>(offset);
  }
}

/// What most kernels do: whole elements into shared memory of their own block. False: look lane by lane.
bool set_up_at_once(const Warp& warp, const Instruction* at, LaneCopies& copies) {
  if (at->e != kNoSlot || at->c != kNoSlot || warp.block->shared_bytes < copies.bytes) return false;
  const std::uint64_t window = (at->flags & kGenericAddress) != 0 ? kSharedWindow : 0;
  const std::uint64_t last = warp.block->shared_bytes - copies.bytes, below = copies.bytes - 1;
  std::uint64_t to[kWarpLanes];
  addresses_of_all(warp, at->list, to);
  std::uint32_t bad = 0;
  for (std::uint32_t l = 0; l < kWarpLanes; ++l) {
    const std::uint64_t offset = to[l] - window;
    bad |= (offset > last || (offset & below) != 0 ? 1u : 0u) << l;
    copies.to[l] = static_cast<std::uint32_t>(offset);
    copies.read[l] = static_cast<std::uint8_t>(copies.bytes);
  }
  if ((bad & warp.mask) != 0) return false;
  addresses_of_all(warp, at->list + 2, copies.from.data());
  copies.lanes = warp.mask;
  return true;
}

/// Sets up the copy of each lane for itself and reports what is wrong. Returns the lanes that copy whole
/// elements.
std::uint32_t set_up_lanes(Warp& warp, const Instruction* at, LaneCopies& copies) {
  const bool generic = (at->flags & kGenericAddress) != 0;
  std::uint32_t whole = 0;
  const std::uint32_t ignored = at->c == kNoSlot
                                    ? 0
                                    : (*reinterpret_cast<const std::uint32_t*>(warp.frame + at->c) ^
                                       ((at->flags & kIgnoreNegated) != 0 ? kAllLanes : 0));
  for_each_lane(warp.mask, [&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    const SharedPlace place = shared_place(warp, address_at(warp, at->list, lane), generic);
    if (!admit_target(warp, at, lane, place, copies.bytes)) return;
    std::uint32_t read = copies.bytes;
    if (at->e != kNoSlot) read = value_at(warp, at->e, lane);
    if ((ignored >> lane & 1) != 0) read = 0;
    if (read > copies.bytes) {
      report_fault(warp, at, Status::launch_failed, lane,
                   "cp.async reads " + std::to_string(read) + " bytes but copies only " +
                       std::to_string(copies.bytes) + "; the source's size must not be larger");
      return;
    }
    copies.from[l] = address_at(warp, at->list + 2, lane);
    copies.to[l] = static_cast<std::uint32_t>(place.offset);
    copies.read[l] = static_cast<std::uint8_t>(read);
    copies.lanes |= 1u << lane;
    if (read == copies.bytes) whole |= 1u << lane;
  });
  return whole;
}

}  // namespace

const Instruction* copy_lanes(Warp& warp, const Instruction* at) {
  CopyQueue& queue = async_of(*warp.block).warps[warp.id].copies;
  LaneCopies& copies = queue.push(at, static_cast<std::uint32_t>(at->immediate));
  const std::uint32_t whole = set_up_at_once(warp, at, copies) ? warp.mask : set_up_lanes(warp, at, copies);
  copies.lanes = (copies.lanes & ~whole) | open_sources(warp, at, copies.from.data(), whole, copies.bytes);
  for_each_lane(copies.lanes & ~whole, [&](int lane) {  // parts of a source, byte by byte
    const std::uint32_t read = copies.read[static_cast<std::size_t>(lane)];
    for (std::uint32_t k = 0; k < read; ++k) {
      std::uint64_t byte[kWarpLanes] = {};
      byte[lane] = copies.from[static_cast<std::size_t>(lane)] + k;
      const Allocation* allocation = nullptr;
      Pattern pattern{};
      const Access access{at, &pattern, byte[lane], 1u << lane, 1, AccessKind::load};
      if (admit_global(warp, access, allocation) == 0) {
        copies.lanes &= ~(1u << lane);
        return;
      }
      if (warp.worker->checking) check_global(warp, access, allocation);
    }
  });
  if (copies.lanes == 0) {
    queue.pop();
    return at + 1;
  }
  open_targets(warp, at, copies.to.data(), copies.lanes, copies.bytes);
  copies.loose = copies.lanes;
  return at + 1;
}

const Instruction* commit_lanes(Warp& warp, const Instruction* at) {
  WarpCopies& own = async_of(*warp.block).warps[warp.id];
  for (LaneCopies& copies : own.copies) {
    const std::uint32_t joining = copies.loose & warp.mask;
    if (joining == 0) continue;
    for (std::size_t l = 0; l < kWarpLanes; ++l)
      copies.group[l] = (joining >> l & 1) != 0 ? own.groups[l] : copies.group[l];
    copies.loose &= ~warp.mask;
  }
  for (std::size_t l = 0; l < kWarpLanes; ++l) own.groups[l] += warp.mask >> l & 1;
  return at + 1;
}

const Instruction* wait_lanes(Warp& warp, const Instruction* at) {
  WarpCopies& own = async_of(*warp.block).warps[warp.id];
  const bool all = (at->flags & kWaitAll) != 0;
  const auto left = static_cast<std::uint32_t>(at->immediate);
  for (LaneCopies& copies : own.copies) {
    std::uint32_t due = copies.lanes & warp.mask;
    if (!all) {
      due &= ~copies.loose;
      std::uint32_t early = 0;
      for (std::size_t l = 0; l < kWarpLanes; ++l)
        early |= (own.groups[l] - copies.group[l] <= left ? 1u : 0u) << l;
      due &= ~early;
    }
    if (due != 0) perform(warp, copies, due);
  }
  drop_done(own);
  return at + 1;
}

void finish_lane_copies(Warp& warp, int lane, std::uint64_t count) {
  WarpCopies& own = async_of(*warp.block).warps[warp.id];
  for (std::size_t k = 0; k < own.copies.size() && own.dropped + k < count; ++k)
    if ((own.copies[k].lanes >> lane & 1) != 0) perform(warp, own.copies[k], 1u << lane);
  drop_done(own);
}

}  // namespace ridge::device::emulator
