// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/barriers.h"

#include <algorithm>
#include <bit>

#include "device/emulator/exec/launch.h"
#include "device/emulator/exec/splits.h"

namespace ridge::device::emulator {

namespace {

using hardware::Status;

std::uint32_t value_of(const Warp& warp, std::uint32_t slot) {
  const auto* values = reinterpret_cast<const std::uint32_t*>(warp.frame + slot);
  return values[std::countr_zero(warp.mask)];
}

bool has_arrived(const Block& block, const Barrier& barrier, std::size_t warp) {
  return barrier.lanes[warp] != 0 && barrier.lanes[warp] == block.warps[warp].live;
}

bool is_complete(const Block& block, const Barrier& barrier) {
  std::int64_t threads = barrier.arrived;
  bool anyone = false;
  for (std::size_t w = block.warps.size(); w-- > 0;) {  // the last ones are the latest
    if (block.warps[w].live == 0) continue;
    const bool here = has_arrived(block, barrier, w);
    if (!here && barrier.expected == 0) return false;
    anyone = anyone || here;
    if (here) threads += kWarpLanes;
  }
  return anyone && threads >= barrier.expected;
}

/// What the participants did before is ordered before what they do next.
void order_participants(Block& block, const Barrier& barrier) {
  bool all = true;
  for (std::size_t w = 0; w < block.warps.size(); ++w)
    all = all && (has_arrived(block, barrier, w) || (block.warps[w].live == 0 && barrier.expected == 0));
  if (all) {
    block.floor = block.step;
  } else {
    block.partial_order = true;
    std::array<std::uint32_t, kMaxWarps> known{};
    for (std::size_t w = 0; w < block.warps.size(); ++w) {
      if (!has_arrived(block, barrier, w)) continue;
      for (std::size_t v = 0; v < known.size(); ++v) known[v] = std::max(known[v], block.warps[w].known[v]);
      known[w] = block.step;
    }
    for (std::size_t v = 0; v < known.size(); ++v) known[v] = std::max(known[v], barrier.ordered[v]);
    for (std::size_t w = 0; w < block.warps.size(); ++w) {
      if (!has_arrived(block, barrier, w)) continue;
      block.warps[w].known = known;
      block.warps[w].known_step = block.step;
    }
  }
  if (block.step < kLastStep) ++block.step;
}

void release(Block& block, std::size_t number) {
  Barrier& barrier = block.barriers[number];
  Launch& launch = *block.warps[0].worker->launch;
  if (barrier.expected == 0) {
    std::uint32_t exited = 0;
    for (const Warp& warp : block.warps)
      if (warp.live != warp.started)
        exited += static_cast<std::uint32_t>(std::popcount(warp.started & ~warp.live));
    for (const Warp& warp : block.warps)
      for (int i = 0; exited > 0 && i < warp.split_count; ++i) {
        const Split& split = warp.splits[static_cast<std::size_t>(i)];
        if (split.state != SplitState::at_barrier || split.barrier != number) continue;
        launch.report.add(
            Status::barrier_divergence, warp, split.at, std::countr_zero(split.lanes),
            say("{} threads of the block have exited before this barrier, which waits for all threads",
                exited));
        exited = 0;
      }
  }
  order_participants(block, barrier);
  barrier.result_population = barrier.population;
  barrier.result_conjunction = barrier.conjunction;
  barrier.result_disjunction = barrier.disjunction;
  barrier.population = 0;
  barrier.conjunction = 1;
  barrier.disjunction = 0;
  barrier.arrived = 0;
  barrier.ordered = {};
  barrier.expected = 0;
  barrier.lanes = {};
  block.busy_barriers &= ~(1u << number);
  for (Warp& warp : block.warps)
    for (int i = 0; i < warp.split_count; ++i) {
      Split& split = warp.splits[static_cast<std::size_t>(i)];
      if (split.state != SplitState::at_barrier || split.barrier != number) continue;
      split.state = SplitState::ready;
      split.at = split.at + 1;
    }
}

/// The lanes of a warp must execute one and the same aligned barrier.
void check_alignment(Warp& warp, const Instruction* at, std::size_t number) {
  for (int i = 0; i < warp.split_count; ++i) {
    const Split& split = warp.splits[static_cast<std::size_t>(i)];
    if (split.state != SplitState::at_barrier || split.barrier != number || split.at == at) continue;
    if ((split.at->flags & at->flags & kBarrierAligned) == 0) continue;
    warp.worker->launch->report.add(Status::barrier_divergence, warp, at, std::countr_zero(warp.mask),
                                    say("Lanes of one warp wait at two different barriers"));
    return;
  }
}

}  // namespace

const Instruction* arrive(Warp& warp, const Instruction* at) {
  Block& block = *warp.block;
  Report& report = warp.worker->launch->report;
  const std::uint32_t number = value_of(warp, at->a);
  const std::int64_t expected = at->b == kNoSlot ? 0 : value_of(warp, at->b);
  const int lane = std::countr_zero(warp.mask);
  if (number >= kMaxBarriers) {
    report.add(Status::launch_failed, warp, at, lane,
               say("Barrier {} does not exist; a block has 16", number));
    return leave(warp);
  }
  const auto threads = static_cast<std::int64_t>(block.warps.size()) * kWarpLanes;
  if (expected % kWarpLanes != 0 || expected > threads) {
    report.add(Status::barrier_divergence, warp, at, lane,
               expected > threads
                   ? say("Barrier {} waits for {} threads, more than the block has", number, expected)
                   : say("Barrier {} waits for {} threads, which is no multiple of 32", number, expected));
    return leave(warp);
  }
  Barrier& barrier = block.barriers[number];
  block.used_barriers |= 1u << number;
  if (expected != 0 && barrier.expected != 0 && barrier.expected != expected)
    report.add(Status::barrier_divergence, warp, at, lane,
               say("Barrier {} is used with different thread counts at the same time", number));
  if (expected != 0) barrier.expected = expected;
  if (at->flags & kBarrierArrive) {
    barrier.arrived += kWarpLanes;
    for (std::size_t w = 0; w < warp.known.size(); ++w)
      barrier.ordered[w] = std::max(barrier.ordered[w], warp.known[w]);
    barrier.ordered[warp.id] = block.step;
    if (block.step < kLastStep) ++block.step;  // what it does from here on is not ordered
    if (is_complete(block, barrier)) release(block, number);
    return at + 1;
  }
  if (at->flags & kBarrierReduces) {
    const std::uint32_t bits = *reinterpret_cast<const std::uint32_t*>(warp.frame + at->c);
    const std::uint32_t yes = (at->flags & kBarrierNegated ? ~bits : bits) & warp.mask;
    barrier.population += static_cast<std::uint32_t>(std::popcount(yes));
    barrier.conjunction &= yes == warp.mask ? 1u : 0u;
    barrier.disjunction |= yes != 0 ? 1u : 0u;
  }
  check_alignment(warp, at, number);
  barrier.lanes[warp.id] |= warp.mask;
  block.busy_barriers |= 1u << number;
  set_aside(warp, at, SplitState::at_barrier).barrier = static_cast<std::uint8_t>(number);
  if (barrier.lanes[warp.id] == warp.live && is_complete(block, barrier)) release(block, number);
  return next_split(warp);
}

void recheck_barriers(Block& block) {
  for (std::uint32_t busy = block.busy_barriers; busy != 0; busy &= busy - 1) {
    const auto number = static_cast<std::size_t>(std::countr_zero(busy));
    if (is_complete(block, block.barriers[number])) release(block, number);
  }
}

void report_deadlock(Block& block) {
  for (Warp& warp : block.warps) {
    for (int i = 0; i < warp.split_count; ++i) {
      const Split& split = warp.splits[static_cast<std::size_t>(i)];
      const int others = std::popcount(warp.live & ~split.lanes);
      Sentence message;
      if (split.state == SplitState::at_sync) {
        message = say(
            "Lanes wait here for others that never come, because those wait elsewhere or have another mask");
      } else if (others > 0) {
        message = say("{} lanes of the warp never reach this barrier", others);
      } else {
        message = say("This barrier waits for threads that never come");
      }
      warp.worker->launch->report.add(Status::barrier_divergence, warp, split.at,
                                      std::countr_zero(split.lanes), message);
    }
    warp.live = 0;
    warp.split_count = 0;
  }
}

}  // namespace ridge::device::emulator
