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
void for_each_unit(const Block& block, std::uint64_t offset, std::uint64_t bytes, F&& f) {
  if (bytes == 0) return;
  const int shift = block.warps[0].worker->shared_shift;
  for (std::uint64_t unit = offset >> shift; unit <= (offset + bytes - 1) >> shift; ++unit) f(unit);
}

template <std::uint32_t kBytes>
void move_whole(const Warp& warp, const LaneCopies& copies, std::uint32_t lanes) {
  const std::uint64_t bias = warp.worker->global_bias;
  for_each_lane(lanes, [&](int lane) {
    std::memcpy(warp.block->shared + copies.to[lane],
                reinterpret_cast<const std::uint8_t*>(copies.from[lane] + bias), kBytes);
  });
}
void move_parts(const Warp& warp, const LaneCopies& copies, std::uint32_t lanes) {
  const std::uint64_t bias = warp.worker->global_bias;
  for_each_lane(lanes, [&](int lane) {
    std::uint8_t* to = warp.block->shared + copies.to[lane];
    std::memset(to, 0, copies.bytes);
    if (copies.read[lane] > 0)
      std::memcpy(to, reinterpret_cast<const std::uint8_t*>(copies.from[lane] + bias), copies.read[lane]);
  });
}

/// False: the place was looked at in detail, and reported.
bool admit_target(Warp& warp, const Instruction* at, int lane, const SharedPlace& place,
                  std::uint32_t bytes) {
  if (place.block == warp.block && place.offset + bytes <= warp.block->shared_bytes &&
      (place.offset & (bytes - 1)) == 0)
    return true;
  if (place.block != nullptr && place.block != warp.block) {
    report_fault(warp, at, Status::out_of_bounds, lane,
                 say("cp.async writes to the shared memory of another block"));
    return false;
  }
  return admit_place(warp, at, lane, place, bytes, bytes, phrase("the target of this copy"));
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
                 std::uint64_t alignment, Phrase<> what) {
  if (place.block == nullptr) {
    report_fault(warp, at, Status::out_of_bounds, lane,
                 say("The address of {} is not in the shared memory of any block of the cluster", what));
    return false;
  }
  if (place.offset > place.block->shared_bytes || bytes > place.block->shared_bytes - place.offset) {
    report_fault(warp, at, Status::out_of_bounds, lane,
                 say("Out of bounds: {} needs {} bytes at byte {} of shared memory, of which there are {}",
                     what, bytes, place.offset, place.block->shared_bytes));
    return false;
  }
  if (place.offset % alignment != 0) {
    report_fault(
        warp, at, Status::misaligned, lane,
        say("Misaligned: {} lies {} behind a multiple of {}", what, place.offset % alignment, alignment));
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
    if (kind != AccessKind::load) {
      // An atomic does not cover up what its own warp has just written plainly, as in lanes/access.h.
      const bool fresh = ((writer ^ self) & ~(kManyLanes | 0x1f)) == 0;
      if (atomic == 0 || !fresh) writer = self | atomic;
      block.read_rows[unit >> 5] = 0;
    } else if (own && reader >> kStepShift != kAsyncStep)
      reader = self | (reader > floor && ((reader ^ self) & 0x3ff) != 0 ? kManyWarps | kManyLanes : 0);
  });
}

void mark_under_way(Block& block, std::uint64_t offset, std::uint64_t bytes, AccessKind kind) {
  if (!has_marks(block)) return;
  for_each_unit(block, offset, bytes, [&](std::uint64_t unit) {
    if (kind != AccessKind::load) {
      block.writers[unit] = kUnderWay | (kind == AccessKind::atomic ? kAtomicMark : 0);
      block.read_rows[unit >> 5] = 0;
    } else {
      block.readers[unit] = kUnderWay | kManyWarps;
    }
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
  AsyncState& async = *block.async;
  for (WarpCopies& own : async.warps) own.reset();
  async.loads.clear();
  async.arrivals.clear();
  async.mbarriers.clear();
  async.proxy_step = 0;
}

void WarpCopies::reset() {
  copies.clear();
  dropped = 0;
  std::fill(std::begin(groups), std::end(groups), 0);
  stores.clear();
  bulk_groups = {};
}

WarpCopies& copies_of(Warp& warp) {
  return async_of(*warp.block).warps[warp.id];
}

LaneCopies& CopyQueue::push(const Instruction* at, std::uint32_t bytes) {
  if (begin_ == end_) begin_ = end_ = all_.data();
  if (end_ == all_.data() + all_.size()) {
    std::move(begin_, end_, all_.data());
    const std::ptrdiff_t count = end_ - begin_;
    if (begin_ == all_.data()) all_.emplace_back();
    begin_ = all_.data();
    end_ = begin_ + count;
  }
  LaneCopies& copies = *end_++;
  copies.at = at;
  copies.bytes = bytes;
  copies.lanes = copies.loose = 0;
  return copies;
}

std::size_t CopyQueue::drop_done() {
  const LaneCopies* const before = begin_;
  while (begin_ < end_ && begin_->lanes == 0) ++begin_;
  return static_cast<std::size_t>(begin_ - before);
}

std::uint32_t set_up_lanes(Warp& warp, const Instruction* at, LaneCopies& copies) {
  std::uint32_t whole = 0;
  const std::uint32_t ignored = at->c == kNoSlot
                                    ? 0
                                    : (*reinterpret_cast<const std::uint32_t*>(warp.frame + at->c) ^
                                       ((at->flags & kIgnoreNegated) != 0 ? kAllLanes : 0));
  for_each_lane(warp.mask, [&](int lane) {
    const SharedPlace place = shared_place(warp, address_at(warp, at->list, lane), false);
    if (!admit_target(warp, at, lane, place, copies.bytes)) return;
    std::uint32_t read = copies.bytes;
    if (at->e != kNoSlot) read = value_at(warp, at->e, lane);
    if ((ignored >> lane & 1) != 0) read = 0;
    if (read > copies.bytes) {
      report_fault(warp, at, Status::launch_failed, lane,
                   say("cp.async reads {} bytes but copies only {}; the source's size must not be larger",
                       read, copies.bytes));
      return;
    }
    copies.from[lane] = address_at(warp, at->list + 2, lane);
    copies.to[lane] = static_cast<std::uint32_t>(place.offset);
    copies.read[lane] = static_cast<std::uint8_t>(read);
    copies.lanes |= 1u << lane;
    if (read == copies.bytes) whole |= 1u << lane;
  });
  return whole;
}

std::uint32_t open_parts(Warp& warp, const Instruction* at, const LaneCopies& copies, std::uint32_t lanes) {
  std::uint32_t sound = lanes;
  for_each_lane(lanes, [&](int lane) {
    for (std::uint32_t k = 0; k < copies.read[lane]; ++k) {
      Pattern pattern{};
      const Allocation* allocation = nullptr;
      const Access access{at, &pattern, copies.from[lane] + k, 1u << lane, 1, AccessKind::load};
      if (admit_global(warp, access, allocation) == 0) {
        sound &= ~(1u << lane);
        return;
      }
      if (warp.worker->checking) check_global(warp, access, allocation);
    }
  });
  return sound;
}

void perform_copies(Warp& warp, LaneCopies& copies, std::uint32_t lanes) {
  if (!copies.whole)
    move_parts(warp, copies, lanes);
  else if (copies.bytes == 4)
    move_whole<4>(warp, copies, lanes);
  else if (copies.bytes == 8)
    move_whole<8>(warp, copies, lanes);
  else
    move_whole<16>(warp, copies, lanes);
  if (has_marks(*warp.block))
    for_each_lane(lanes, [&](int lane) {
      mark_done(*warp.block, copies.to[lane], copies.bytes, true, warp, lane, false);
    });
  copies.lanes &= ~lanes;
}

void finish_lane_copies(Warp& warp, int lane, std::uint64_t count) {
  WarpCopies& own = async_of(*warp.block).warps[warp.id];
  std::uint64_t number = own.dropped;
  for (LaneCopies* copies = own.copies.begin(); copies != own.copies.end() && number < count;
       ++copies, ++number)
    if ((copies->lanes >> lane & 1) != 0) perform_copies(warp, *copies, 1u << lane);
  own.dropped += own.copies.drop_done();
}

}  // namespace ridge::device::emulator
