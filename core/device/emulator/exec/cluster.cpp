// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/cluster.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "device/emulator/exec/async.h"
#include "device/emulator/exec/launch.h"
#include "device/emulator/exec/splits.h"

namespace ridge::device::emulator {

namespace {

using hardware::Status;

bool has_exited(const Block& block) {
  return std::all_of(block.warps.begin(), block.warps.end(), [](const Warp& warp) { return warp.live == 0; });
}

bool is_complete(const Cluster& cluster) {
  bool anyone = false;
  for (const Block* block : cluster.blocks)
    for (const Warp& warp : block->warps) {
      if ((warp.cluster_arrived & warp.live) != warp.live) return false;
      anyone = anyone || warp.cluster_arrived != 0;
    }
  return anyone;
}

/// The phase is over: who waits goes on.
void complete(Cluster& cluster) {
  Launch& launch = *cluster.blocks[0]->warps[0].worker->launch;
  for (Block* block : cluster.blocks) {
    block->passed = true;
    for (Warp& warp : block->warps) {
      warp.cluster_arrived = 0;
      for (int i = 0; i < warp.split_count; ++i) {
        Split& split = warp.splits[static_cast<std::size_t>(i)];
        if (split.state != SplitState::at_cluster) continue;
        split.state = SplitState::ready;
        split.at = split.at + 1;
        warp.cluster_owing &= ~split.lanes;
      }
    }
    if (cluster.relaxed) continue;
    block->floor = block->cluster_floor = block->step;
    if (block->step < kLastStep) ++block->step;
    launch.release(*block);
  }
  if (!cluster.relaxed && !launch.released.empty())
    for (Block* block : cluster.blocks) block->acquired = ++launch.clock;
  cluster.awaited = cluster.relaxed = false;
}

/// What a load, store or atomic of a lane has to respect in the shared memory of another block.
void check_remote(Warp& warp, const Instruction* at, int lane, const SharedPlace& place, std::uint32_t bytes,
                  AccessKind kind, bool ordered) {
  Block& block = *place.block;
  if (block.writers == nullptr || !block.race_checks) return;
  const int shift = warp.worker->shared_shift;
  const bool exempt = ordered || kind == AccessKind::atomic || block.cluster->signalled;
  const auto recent = [&](std::uint32_t mark) {
    return (mark & kAtomicMark) == 0 && mark >> kStepShift > block.cluster_floor &&
           mark >> kStepShift >= block.first_step;
  };
  for (std::uint64_t unit = place.offset >> shift; unit <= (place.offset + bytes - 1) >> shift; ++unit) {
    std::uint32_t& writer = block.writers[unit];
    const auto where = [&] {
      return say("byte {} of the shared memory of block ({}, {}, {})", unit << shift, block.position[0],
                 block.position[1], block.position[2]);
    };
    if (!exempt && recent(writer)) {
      report_fault(warp, at, Status::race, lane,
                   say("Race: this access to {} is not ordered with a write of that block; a barrier of the "
                       "cluster (cluster.sync()) must lie between",
                       where()));
    } else if (!exempt && kind == AccessKind::store && recent(block.readers[unit])) {
      report_fault(warp, at, Status::race, lane,
                   say("Race: this write to {} is not ordered with a read of that block; a barrier of the "
                       "cluster (cluster.sync()) must lie between",
                       where()));
    } else if (kind != AccessKind::store && writer < block.first_step << kStepShift) {
      report_fault(warp, at, Status::uninitialised, lane,
                   say("Reads {}, which no thread of the cluster has written", where()));
      writer = block.first_step << kStepShift;
    }
    if (kind == AccessKind::load) continue;
    const std::uint32_t step = exempt ? std::max(block.floor, block.first_step) : block.step;
    writer = step << kStepShift | kManyWarps | kManyLanes | (exempt ? kAtomicMark : 0);
  }
}

void access_lanes(Warp& warp, const Instruction* at, const std::uint64_t* addresses, AccessKind kind) {
  Worker& worker = *warp.worker;
  const std::uint32_t bytes = at->flags;
  const MemorySite& site = worker.sites[at->target];
  std::array<SharedPlace, kWarpLanes> places;
  std::uint32_t admitted = 0;
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    SharedPlace& place = places[static_cast<std::size_t>(lane)];
    place = shared_place(warp, addresses[lane], false);
    if (!admit_place(warp, at, lane, place, bytes, bytes, phrase("this access"))) continue;
    if (place.block != warp.block && has_exited(*place.block)) {
      report_fault(
          warp, at, Status::out_of_bounds, lane,
          say("The block whose shared memory this is has exited; a cluster.sync() at its end keeps it"));
      continue;
    }
    admitted |= 1u << lane;
    if (!worker.checking) continue;
    if (place.block == warp.block)
      touch_shared(warp, at, lane, *place.block, place.offset, bytes, kind);
    else
      check_remote(warp, at, lane, place, bytes, kind, site.ordered);
  }
  if (worker.counting) {
    SiteCount& count = worker.site_counts[at->target];
    ++count.requests;
    count.lanes += static_cast<std::uint32_t>(std::popcount(warp.mask));
    const auto quads = (static_cast<std::uint32_t>(std::popcount(warp.mask)) * bytes + 127) / 128;
    count.wavefronts += quads;
    count.ideal_wavefronts += quads;
  }
  while (admitted != 0) {
    Block* block = places[static_cast<std::size_t>(std::countr_zero(admitted))].block;
    Pattern pattern{};
    std::uint32_t group = 0;
    for (std::uint32_t lanes = admitted; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const SharedPlace& place = places[static_cast<std::size_t>(lane)];
      if (place.block != block) continue;
      pattern.relative[lane] = static_cast<std::int32_t>(place.offset);
      group |= 1u << lane;
    }
    pattern.mask = group;
    at->move(warp, at, block->shared, pattern, group);
    admitted &= ~group;
  }
}

template <class A, AccessKind kKind>
const Instruction* access_shared_cluster(Warp& warp, const Instruction* at) {
  const A* values = reinterpret_cast<const A*>(warp.frame + at->a);
  std::uint64_t addresses[kWarpLanes];
  for (int lane = 0; lane < kWarpLanes; ++lane)
    addresses[lane] = static_cast<A>(values[lane] + static_cast<A>(at->immediate));
  access_lanes(warp, at, addresses, kKind);
  return at + 1;
}

template <class A>
const Instruction* map_lanes(Warp& warp, const Instruction* at) {
  const A* addresses = reinterpret_cast<const A*>(warp.frame + at->a);
  const auto* ranks = reinterpret_cast<const std::uint32_t*>(warp.frame + at->b);
  A* results = reinterpret_cast<A*>(warp.frame + at->d);
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const std::uint64_t window = std::uint64_t{addresses[lane]} & kWindowMask;
    const std::uint64_t offset = (std::uint64_t{addresses[lane]} & ~kWindowMask) % kClusterStride;
    results[lane] = static_cast<A>(window | (offset + (std::uint64_t{ranks[lane]} + 1) * kClusterStride));
  }
  return at + 1;
}

template <class A>
const Instruction* find_ranks(Warp& warp, const Instruction* at) {
  const A* addresses = reinterpret_cast<const A*>(warp.frame + at->a);
  auto* results = reinterpret_cast<std::uint32_t*>(warp.frame + at->d);
  const auto& blocks = warp.block->cluster->blocks;
  const auto own =
      static_cast<std::uint32_t>(std::find(blocks.begin(), blocks.end(), warp.block) - blocks.begin());
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const std::uint64_t rank = (std::uint64_t{addresses[lane]} & ~kWindowMask) / kClusterStride;
    results[lane] = rank == 0 ? own : static_cast<std::uint32_t>(rank - 1);
  }
  return at + 1;
}

}  // namespace

void note_signal(Cluster& cluster, int shift) {
  if (std::exchange(cluster.signalled, true)) return;
  for (Block* block : cluster.blocks) {
    if (block->writers == nullptr) continue;
    const std::uint32_t ordered = std::max(block->floor, block->first_step) << kStepShift;
    for (std::uint64_t unit = 0; unit < block->shared_bytes >> shift; ++unit)
      if ((block->writers[unit] & kManyWarps) != 0 && block->writers[unit] >> kStepShift != kAsyncStep)
        block->writers[unit] = ordered | kManyWarps | kManyLanes | kAtomicMark;
  }
}

const Instruction* arrive_at_cluster(Warp& warp, const Instruction* at) {
  Cluster& cluster = *warp.block->cluster;
  if ((warp.cluster_owing & warp.mask) != 0)
    report_fault(
        warp, at, Status::barrier_divergence, std::countr_zero(warp.cluster_owing & warp.mask),
        say("This thread arrives at the cluster's barrier a second time without having waited for it"));
  warp.cluster_arrived |= warp.mask;
  warp.cluster_owing |= warp.mask;
  cluster.awaited = true;
  cluster.relaxed = cluster.relaxed || (at->flags & kClusterRelaxed) != 0;
  if (is_complete(cluster)) complete(cluster);
  return at + 1;
}

const Instruction* wait_for_cluster(Warp& warp, const Instruction* at) {
  const std::uint32_t strangers = warp.mask & ~warp.cluster_owing;
  if (strangers != 0)
    report_fault(warp, at, Status::barrier_divergence, std::countr_zero(strangers),
                 say("This thread waits for the cluster's barrier without having arrived at it"));
  if ((warp.cluster_arrived & warp.mask) == 0) {
    warp.cluster_owing &= ~warp.mask;
    return at + 1;
  }
  set_aside(warp, at, SplitState::at_cluster);
  return next_split(warp);
}

void recheck_cluster(Block& block) {
  Cluster* const cluster = block.cluster;
  if (cluster != nullptr && cluster->awaited && is_complete(*cluster)) complete(*cluster);
}

bool waits_for_cluster(const Block& block) {
  for (const Warp& warp : block.warps)
    for (int i = 0; i < warp.split_count; ++i)
      if (warp.splits[static_cast<std::size_t>(i)].state == SplitState::at_cluster) return true;
  return false;
}

const Instruction* map_shared(Warp& warp, const Instruction* at) {
  return (at->flags & kNarrow) != 0 ? map_lanes<std::uint32_t>(warp, at) : map_lanes<std::uint64_t>(warp, at);
}
const Instruction* shared_rank(Warp& warp, const Instruction* at) {
  return (at->flags & kNarrow) != 0 ? find_ranks<std::uint32_t>(warp, at)
                                    : find_ranks<std::uint64_t>(warp, at);
}

Handler cluster_access(AccessKind kind, bool narrow) {
  switch (kind) {
    case AccessKind::load:
      return narrow ? access_shared_cluster<std::uint32_t, AccessKind::load>
                    : access_shared_cluster<std::uint64_t, AccessKind::load>;
    case AccessKind::store:
      return narrow ? access_shared_cluster<std::uint32_t, AccessKind::store>
                    : access_shared_cluster<std::uint64_t, AccessKind::store>;
    case AccessKind::atomic:
      break;
  }
  return narrow ? access_shared_cluster<std::uint32_t, AccessKind::atomic>
                : access_shared_cluster<std::uint64_t, AccessKind::atomic>;
}

void access_cluster(Warp& warp, const Instruction* at, AccessKind kind) {
  const auto* values = reinterpret_cast<const std::uint64_t*>(warp.frame + at->a);
  std::uint64_t addresses[kWarpLanes];
  for (int lane = 0; lane < kWarpLanes; ++lane)
    addresses[lane] = (values[lane] + static_cast<std::uint64_t>(at->immediate)) & ~kWindowMask;
  access_lanes(warp, at, addresses, kind);
}

}  // namespace ridge::device::emulator
