// SPDX-License-Identifier: GPL-3.0-or-later
// mbarriers: 64 bits of shared memory that count arrivals and bytes of asynchronous copies. A phase is
// complete when nothing is pending and every expected byte has come; then the next one begins.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "device/emulator/exec/async.h"
#include "device/emulator/exec/cluster.h"
#include "device/emulator/exec/launch.h"
#include "device/emulator/exec/splits.h"

namespace ridge::device::emulator {

namespace {

using hardware::Status;

constexpr std::uint32_t kMostArrivals = (1u << 20) - 1;
constexpr std::int32_t kMostBytes = (1 << 20) - 1;
/// What a test in vain costs of the block's budget until the phase has come: so many instructions would a
/// thread sleep at least.
constexpr std::int64_t kPatience = 256;

MbarrierState load(const Block& block, std::uint64_t mbarrier) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, block.shared + mbarrier, sizeof bits);
  return MbarrierState::unpack(bits);
}
void store(Block& block, std::uint64_t mbarrier, const MbarrierState& state) {
  const std::uint64_t bits = state.pack();
  std::memcpy(block.shared + mbarrier, &bits, sizeof bits);
}

/// What the warp did so far is ordered before the end of the phase.
void announce(Block& block, Mbarrier& mbarrier, const Warp& warp) {
  if (warp.block != &block) return note_signal(*block.cluster, warp.worker->shared_shift);
  for (std::size_t w = 0; w < mbarrier.arriving.size(); ++w)
    mbarrier.arriving[w] = std::max(mbarrier.arriving[w], warp.known[w]);
  mbarrier.arriving[warp.id] = block.step;
}
void learn(Warp& warp, const Mbarrier& mbarrier) {
  warp.block->partial_order = true;
  for (std::size_t w = 0; w < mbarrier.arrived.size(); ++w)
    warp.known[w] = std::max(warp.known[w], mbarrier.arrived[w]);
  warp.known_step = std::max(warp.known_step, mbarrier.arrived[warp.id]);
}
void next_step(Warp& warp) {
  if (warp.worker->checking && warp.block->step < kLastStep) ++warp.block->step;
}

void complete_if_due(MbarrierState& state, Mbarrier& mbarrier) {
  if (state.pending != 0 || state.bytes != 0) return;
  state.phase ^= 1;
  state.pending = state.expected;
  mbarrier.arrived = mbarrier.arriving;
}

void arrive_on(Warp& warp, const Instruction* at, int lane, MbarrierState& state, Mbarrier& mbarrier,
               std::uint32_t count) {
  if (count > state.pending) {
    report_fault(warp, at, Status::barrier_divergence, lane,
                 say("This is more than the mbarrier waits for: {} arrivals, but only {} of the {} of its "
                     "phase are missing",
                     count, state.pending, state.expected));
    count = state.pending;
  }
  state.pending -= count;
  complete_if_due(state, mbarrier);
}

void expect(Warp& warp, const Instruction* at, int lane, MbarrierState& state, std::int64_t bytes) {
  const std::int64_t sum = state.bytes + bytes;
  if (sum > kMostBytes || sum < -kMostBytes) {
    report_fault(warp, at, Status::launch_failed, lane,
                 say("The mbarrier would wait for {} bytes; it counts at most {}", sum, kMostBytes));
    return;
  }
  state.bytes = static_cast<std::int32_t>(sum);
}

std::uint32_t counted(const Warp& warp, std::uint32_t slot, int lane) {
  return slot == kNoSlot ? 1 : value_at(warp, slot, lane);
}

/// Applies f(lane, block, offset, state, mbarrier) to the mbarriers that the active lanes name.
template <class F>
void for_each_mbarrier(Warp& warp, const Instruction* at, F&& f) {
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const SharedPlace place =
        shared_place(warp, address_at(warp, at->list, lane), (at->flags & kGenericAddress) != 0);
    if (!admit_mbarrier(warp, at, lane, place)) continue;
    touch_shared(warp, at, lane, *place.block, place.offset, 8, AccessKind::atomic);
    MbarrierState state = load(*place.block, place.offset);
    f(lane, place, state, async_of(*place.block).mbarriers[place.offset]);
    store(*place.block, place.offset, state);
  }
}

}  // namespace

std::uint64_t MbarrierState::pack() const {
  return std::uint64_t{expected & kMostArrivals} | std::uint64_t{pending & kMostArrivals} << 20 |
         (static_cast<std::uint64_t>(static_cast<std::int64_t>(bytes)) & 0x3fffff) << 40 |
         std::uint64_t{phase & 1} << 63;
}
MbarrierState MbarrierState::unpack(std::uint64_t bits) {
  MbarrierState state;
  state.expected = static_cast<std::uint32_t>(bits) & kMostArrivals;
  state.pending = static_cast<std::uint32_t>(bits >> 20) & kMostArrivals;
  state.bytes = static_cast<std::int32_t>(static_cast<std::int64_t>(bits << 2) >> 42);
  state.phase = static_cast<std::uint32_t>(bits >> 63);
  return state;
}

bool admit_mbarrier(Warp& warp, const Instruction* at, int lane, const SharedPlace& place) {
  if (!admit_place(warp, at, lane, place, 8, 8, phrase("the mbarrier"))) return false;
  if (async_of(*place.block).mbarriers.contains(place.offset)) return true;
  report_fault(warp, at, Status::uninitialised, lane,
               say("No mbarrier has been initialised at byte {} of shared memory", place.offset));
  return false;
}

const Instruction* init_mbarrier(Warp& warp, const Instruction* at) {
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const SharedPlace place =
        shared_place(warp, address_at(warp, at->list, lane), (at->flags & kGenericAddress) != 0);
    if (!admit_place(warp, at, lane, place, 8, 8, phrase("the mbarrier"))) continue;
    const std::uint32_t count = value_at(warp, at->list[2], lane);
    if (count < 1 || count > kMostArrivals) {
      report_fault(warp, at, Status::launch_failed, lane,
                   say("An mbarrier expects 1 to {} arrivals, not {}", kMostArrivals, count));
      continue;
    }
    touch_shared(warp, at, lane, *place.block, place.offset, 8, AccessKind::store);
    async_of(*place.block).mbarriers[place.offset] = {};
    MbarrierState state;
    state.expected = state.pending = count;
    store(*place.block, place.offset, state);
  }
  return at + 1;
}

const Instruction* invalidate_mbarrier(Warp& warp, const Instruction* at) {
  for_each_mbarrier(warp, at, [&](int, const SharedPlace& place, MbarrierState&, Mbarrier&) {
    async_of(*place.block).mbarriers.erase(place.offset);
  });
  return at + 1;
}

const Instruction* arrive_mbarrier(Warp& warp, const Instruction* at) {
  warp.worker->launch->release(*warp.block);
  auto* results = at->d == kNoSlot ? nullptr : reinterpret_cast<std::uint64_t*>(warp.frame + at->d);
  for_each_mbarrier(
      warp, at, [&](int lane, const SharedPlace& place, MbarrierState& state, Mbarrier& mbarrier) {
        announce(*place.block, mbarrier, warp);
        const std::uint32_t count = counted(warp, at->list[2], lane);
        const std::int64_t bytes = (at->flags & kExpects) != 0 ? value_at(warp, at->list[3], lane) : 0;
        if (results != nullptr) results[lane] = state.pack();
        expect(warp, at, lane, state, bytes);
        if ((at->flags & kDrop) != 0) state.expected -= std::min(count, state.expected);
        if ((at->flags & kNoComplete) != 0 && count >= state.pending)
          report_fault(warp, at, Status::barrier_divergence, lane,
                       say("This arrival must not complete the phase, but only {} arrivals are missing",
                           state.pending));
        arrive_on(warp, at, lane, state, mbarrier, count);
      });
  next_step(warp);
  return at + 1;
}

const Instruction* expect_bytes(Warp& warp, const Instruction* at) {
  for_each_mbarrier(warp, at, [&](int lane, const SharedPlace&, MbarrierState& state, Mbarrier&) {
    expect(warp, at, lane, state, value_at(warp, at->list[3], lane));
  });
  return at + 1;
}

const Instruction* complete_bytes(Warp& warp, const Instruction* at) {
  for_each_mbarrier(warp, at, [&](int lane, const SharedPlace&, MbarrierState& state, Mbarrier& mbarrier) {
    expect(warp, at, lane, state, -std::int64_t{value_at(warp, at->list[3], lane)});
    complete_if_due(state, mbarrier);
  });
  return at + 1;
}

void bring_bytes(const BulkCopy& copy) {
  Block& block = *copy.to_block;
  const auto found = async_of(block).mbarriers.find(copy.mbarrier);
  if (found == async_of(block).mbarriers.end()) return;  // invalidated before the copy was done
  announce(block, found->second, *copy.warp);
  next_step(block.warps[0]);
  MbarrierState state = load(block, copy.mbarrier);
  expect(*copy.warp, copy.at, copy.lane, state, -static_cast<std::int64_t>(copy.bytes));
  complete_if_due(state, found->second);
  store(block, copy.mbarrier, state);
}

void deliver(Block& block, std::uint64_t mbarrier) {
  AsyncState& async = async_of(block);
  std::vector<BulkCopy> due;
  for (BulkCopy& copy : async.loads)
    if (copy.mbarrier == mbarrier) due.push_back(std::move(copy));
  if (!due.empty()) {
    std::erase_if(async.loads, [&](const BulkCopy& copy) { return copy.mbarrier == mbarrier; });
    for (BulkCopy& copy : due) finish_bulk(copy);
  }
  for (const LateArrival& late : async.arrivals) {
    if (late.mbarrier != mbarrier) continue;
    finish_lane_copies(*late.warp, late.lane, late.copies);
    const auto found = async.mbarriers.find(mbarrier);
    if (found == async.mbarriers.end()) continue;
    announce(block, found->second, *late.warp);
    MbarrierState state = load(block, mbarrier);
    arrive_on(*late.warp, late.at, late.lane, state, found->second, 1);
    store(block, mbarrier, state);
  }
  if (std::erase_if(async.arrivals, [&](const LateArrival& late) { return late.mbarrier == mbarrier; }) > 0)
    next_step(block.warps[0]);
}

const Instruction* arrive_after_copies(Warp& warp, const Instruction* at) {
  AsyncState& async = async_of(*warp.block);
  const WarpCopies& own = async.warps[warp.id];
  for_each_mbarrier(warp, at, [&](int lane, const SharedPlace& place, MbarrierState& state, Mbarrier&) {
    if (place.block != warp.block) {
      report_fault(warp, at, Status::out_of_bounds, lane,
                   say("cp.async.mbarrier.arrive names an mbarrier of another block"));
      return;
    }
    if ((at->flags & kNoIncrement) == 0) state.pending = std::min(state.pending + 1, kMostArrivals);
    async.arrivals.push_back({at, &warp, lane, place.offset, own.dropped + own.copies.size()});
  });
  return at + 1;
}

const Instruction* test_mbarrier(Warp& warp, const Instruction* at) {
  std::uint32_t complete = 0;
  bool failed = false;
  std::uint64_t delivered = ~std::uint64_t{0};
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const SharedPlace place =
        shared_place(warp, address_at(warp, at->list, lane), (at->flags & kGenericAddress) != 0);
    if (place.block != nullptr && place.block != warp.block) {
      report_fault(warp, at, Status::out_of_bounds, lane,
                   say("A thread can only wait for mbarriers of its own block"));
      complete |= 1u << lane;
      continue;
    }
    if (!admit_mbarrier(warp, at, lane, place)) {
      complete |= 1u << lane;  // the loop around it would never end
      continue;
    }
    touch_shared(warp, at, lane, *place.block, place.offset, 8, AccessKind::atomic);
    if (place.offset != delivered) deliver(*warp.block, delivered = place.offset);
    const MbarrierState state = load(*warp.block, place.offset);
    const std::uint32_t awaited = (at->flags & kParity) != 0
                                      ? value_at(warp, at->list[2], lane) & 1
                                      : MbarrierState::unpack(wide_value_at(warp, at->list[2], lane)).phase;
    if (state.phase == awaited) {
      failed = true;
      warp.awaited = place.offset;
      continue;
    }
    complete |= 1u << lane;
    learn(warp, async_of(*warp.block).mbarriers[place.offset]);
  }
  std::uint32_t& result = *reinterpret_cast<std::uint32_t*>(warp.frame + at->d);
  result = (result & ~warp.mask) | complete;
  Launch& launch = *warp.worker->launch;
  if (!launch.released.empty()) warp.block->acquired = ++launch.clock;
  if (failed) {  // others go first
    settle_slice(warp);
    warp.sleeping = true;
    warp.block->budget -= kPatience;
    warp.slept += kPatience;
  } else {
    give_back(*warp.block, warp.slept);
    warp.awaited = ~std::uint64_t{0};
  }
  return at + 1;
}

const Instruction* pending_count(Warp& warp, const Instruction* at) {
  const auto* states = reinterpret_cast<const std::uint64_t*>(warp.frame + at->a);
  auto* results = reinterpret_cast<std::uint32_t*>(warp.frame + at->d);
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    results[lane] = MbarrierState::unpack(states[lane]).pending;
  }
  return at + 1;
}

Sentence lack_of(Block& block, std::uint64_t mbarrier) {
  const MbarrierState state = load(block, mbarrier);
  return state.bytes == 0
             ? say("{} of {} arrivals", state.pending, state.expected)
             : say("{} of {} arrivals and {} bytes of copies", state.pending, state.expected, state.bytes);
}

}  // namespace ridge::device::emulator
