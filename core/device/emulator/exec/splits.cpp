// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/splits.h"

#include <algorithm>
#include <bit>

#include "device/emulator/exec/async.h"
#include "device/emulator/exec/barriers.h"
#include "device/emulator/exec/cluster.h"
#include "device/emulator/exec/launch.h"
#include "device/emulator/exec/order.h"

namespace ridge::device::emulator {

namespace {

using hardware::Status;

std::uint32_t rank_of(const Warp& warp, const Instruction* at) {
  const Program& program = *warp.worker->launch->program;
  return program.blocks[static_cast<std::size_t>(program.info[at->index].block)].rank;
}

void remove_split(Warp& warp, int index) {
  for (int i = index; i + 1 < warp.split_count; ++i)
    warp.splits[static_cast<std::size_t>(i)] = warp.splits[static_cast<std::size_t>(i + 1)];
  --warp.split_count;
}

/// The active split must stop where another one of the same call waits.
void find_frontier(Warp& warp) {
  warp.frontier = kNoFrontier;
  if (warp.rotate) return;
  for (int i = 0; i < warp.split_count; ++i) {
    const Split& split = warp.splits[static_cast<std::size_t>(i)];
    if (split.state == SplitState::ready && split.in == warp.activation)
      warp.frontier = std::min(warp.frontier, rank_of(warp, split.at));
  }
}

void activate(Warp& warp, const Split& split) {
  warp.mask = split.lanes;
  warp.activation = split.in;
  warp.frame = split.in->frame;
}

/// The loop that seems not to end: of those around `at`, through all calls, the one that goes round most
/// often each time it is entered. Null: there is none.
const Instruction* endless_loop(const Warp& warp, const Instruction* at) {
  const Program& program = *warp.worker->launch->program;
  const auto visits = [&](int block) { return warp.block_warps[static_cast<std::size_t>(block)]; };
  const Instruction* found = nullptr;
  std::uint64_t most = 0;
  for (const Activation* in = warp.activation; in != nullptr; in = in->caller) {
    const InstructionInfo& info = program.info[at->index];
    const std::uint32_t entry = program.functions[static_cast<std::size_t>(info.function)].first;
    for (int l = program.blocks[static_cast<std::size_t>(info.block)].loop; l >= 0;) {
      const Loop& loop = program.loops[static_cast<std::size_t>(l)];
      const int outside = loop.parent < 0 ? program.info[entry].block
                                          : program.loops[static_cast<std::size_t>(loop.parent)].head;
      const std::uint64_t rounds = visits(loop.head) / std::max<std::uint64_t>(visits(outside), 1);
      if (rounds >= most) {
        most = rounds;
        found = warp.code + loop.test;
      }
      l = loop.parent;
    }
    if (in->back != nullptr) at = in->back - 1;
  }
  return found;
}

/// "0-3, 7".
std::string lanes_text(std::uint32_t lanes) {
  std::string text;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    int last = lane;
    while (last + 1 < kWarpLanes && (lanes >> (last + 1) & 1)) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(lane);
    if (last > lane) {
      text += '-';
      text += std::to_string(last);
    }
    lane = last;
  }
  return text;
}

/// Why a warp may have used up its budget.
Sentence why_so_long(const Warp& warp, const Instruction* loop) {
  if (warp.awaited == ~std::uint64_t{0}) return loop != nullptr ? say("; the loop here may never end") : "";
  return say("; it waits for a phase of the mbarrier at byte {} of shared memory, which still lacks {}",
             warp.awaited, lack_of(*warp.block, warp.awaited));
}

}  // namespace

Split& set_aside(Warp& warp, const Instruction* at, SplitState state) {
  Split& split = warp.splits[static_cast<std::size_t>(warp.split_count++)];
  split = Split{};
  split.at = at;
  split.in = warp.activation;
  split.lanes = warp.mask;
  split.stamp = ++warp.stamp;
  split.state = state;
  warp.mask = 0;
  return split;
}

bool add_ready(Warp& warp, const Instruction* at, std::uint32_t lanes, Activation* in) {
  for (int i = 0; i < warp.split_count; ++i) {
    Split& split = warp.splits[static_cast<std::size_t>(i)];
    if (split.state == SplitState::ready && split.at == at && split.in == in) {
      split.lanes |= lanes;
      return false;
    }
  }
  Split& split = warp.splits[static_cast<std::size_t>(warp.split_count++)];
  split = Split{};
  split.at = at;
  split.in = in;
  split.lanes = lanes;
  split.stamp = ++warp.stamp;
  return true;
}

void part(Warp& warp, const Instruction* at, std::uint32_t lanes) {
  if (add_ready(warp, at, lanes, warp.activation)) ++warp.worker->parted[at->index];
  warp.mask &= ~lanes;
}

bool has_ready(const Warp& warp) {
  for (int i = 0; i < warp.split_count; ++i)
    if (warp.splits[static_cast<std::size_t>(i)].state == SplitState::ready) return true;
  return false;
}

const Instruction* next_split(Warp& warp) {
  if (warp.split_count == 1 && warp.splits[0].state == SplitState::ready) {  // as most often
    warp.split_count = 0;
    activate(warp, warp.splits[0]);
    warp.frontier = kNoFrontier;
    return warp.splits[0].at;
  }
  int best = -1;
  std::uint32_t best_rank = 0;
  for (int i = 0; i < warp.split_count; ++i) {
    const Split& split = warp.splits[static_cast<std::size_t>(i)];
    if (split.state != SplitState::ready) continue;
    const std::uint32_t rank = rank_of(warp, split.at);
    bool better = best < 0;
    if (!better) {
      const Split& other = warp.splits[static_cast<std::size_t>(best)];
      better = warp.rotate ? split.stamp < other.stamp
                           : split.in->depth > other.in->depth ||
                                 (split.in->depth == other.in->depth && rank < best_rank);
    }
    if (better) {
      best = i;
      best_rank = rank;
    }
  }
  if (best < 0) {
    warp.mask = 0;
    return nullptr;
  }
  const Split split = warp.splits[static_cast<std::size_t>(best)];
  remove_split(warp, best);
  activate(warp, split);
  find_frontier(warp);
  return split.at;
}

const Instruction* diverge(Warp& warp, const Instruction* there, std::uint32_t taken,
                           const Instruction* here) {
  const bool there_first =
      static_cast<std::uint32_t>(there->immediate) < static_cast<std::uint32_t>(here->immediate);
  const Instruction* first = there_first ? there : here;
  const Instruction* second = there_first ? here : there;
  const std::uint32_t first_lanes = there_first ? taken : warp.mask & ~taken;
  add_ready(warp, second, warp.mask & ~first_lanes, warp.activation);
  warp.mask = first_lanes;
  if (!warp.rotate) warp.frontier = std::min(warp.frontier, static_cast<std::uint32_t>(second->immediate));
  return first;
}

const Instruction* diverge_indexed(Warp& warp, const Instruction* at, const std::uint32_t* indices) {
  const auto count = static_cast<std::uint32_t>(at->immediate);
  std::uint32_t outside = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (!(warp.mask >> lane & 1)) continue;
    if (indices[lane] >= count) {
      outside |= 1u << lane;
      continue;
    }
    add_ready(warp, warp.code + at->list[indices[lane]], 1u << lane, warp.activation);
  }
  if (outside != 0) {
    warp.worker->launch->report.add(Status::launch_failed, warp, at, std::countr_zero(outside),
                                    say("An indexed branch leaves its table"));
    warp.mask = outside;
    return leave(warp);
  }
  return next_split(warp);
}

const Instruction* reconverge(Warp& warp, const Instruction* at) {
  add_ready(warp, at, warp.mask, warp.activation);
  return next_split(warp);
}

/// Instructions that a block may still execute once a warp of the launch was stopped for its faults.
constexpr std::int64_t kBudgetOfOthers = 1 << 22;

void start_slice(Warp& warp, std::int64_t instructions) {
  warp.slice = warp.fuel = std::min(instructions, warp.block->budget);
}

void settle_slice(Warp& warp) {
  const std::int64_t used = warp.slice - warp.fuel;
  warp.executed += used;
  warp.block->budget -= used;
  warp.slice = warp.fuel = 0;
}

const Instruction* end_slice(Warp& warp, const Instruction* at) {
  settle_slice(warp);
  Launch& launch = *warp.worker->launch;
  const bool faulty = warp.faults >= kFaultsPerWarp;
  // Who waits for a warp that was stopped would wait for ever.
  if (launch.given_up) warp.block->budget = std::min(warp.block->budget, kBudgetOfOthers);
  if (warp.block->budget <= 0 || faulty) {
    const bool endless = !faulty && !launch.given_up;
    const Instruction* loop = endless ? endless_loop(warp, at) : nullptr;
    if (endless)
      launch.report.add(
          Status::timeout, warp, loop != nullptr ? loop : at, std::countr_zero(warp.mask),
          warp.block->vain > 0
              ? say("All blocks wait for others or go round in circles, and none has come on in the last {} "
                    "instructions{}. A kernel that needs more gets it by --budget",
                    warp.block->vain, why_so_long(warp, loop))
              : say("The budget of {} instructions that the warps of a block may execute is used up, {} of "
                    "them by this warp{}. A kernel that needs more gets it by --budget",
                    launch.options.budget, warp.executed, why_so_long(warp, loop)));
    warp.live = 0;
    warp.mask = 0;
    warp.split_count = 0;
    warp.block->aborted = true;  // the others would wait for this warp
    (faulty ? launch.given_up : launch.cancelled) = true;
    return nullptr;
  }
  // Another split that waits for long may be what this one spins on: then they take turns. Once that has been
  // so, or when this one sleeps, there is no more patience.
  const bool waiting = has_ready(warp);
  add_ready(warp, at, warp.mask, warp.activation);
  warp.starving = waiting ? warp.starving + 1 : 0;
  warp.rotate = !warp.rotate && waiting && (warp.starving >= warp.patience || warp.sleeping);
  if (warp.rotate) warp.patience = 1;
  warp.sleeping = false;
  warp.mask = 0;
  return nullptr;
}

const Instruction* leave(Warp& warp) {
  warp.live &= ~warp.mask;
  for (Activation* in = warp.activation; in != nullptr; in = in->caller) in->lanes &= ~warp.mask;
  for (int i = 0; i < warp.split_count; ++i) {  // who waited for these lanes looks again
    Split& split = warp.splits[static_cast<std::size_t>(i)];
    if (split.state == SplitState::at_sync && (split.members & warp.mask) != 0)
      split.state = SplitState::ready;
  }
  const Instruction* next = next_split(warp);
  if (warp.split_count > 0 || next == nullptr) recheck_barriers(*warp.block);
  recheck_cluster(*warp.block);
  return next;
}

bool join(Warp& warp, const Instruction* at, const std::uint32_t* members, const Instruction*& next) {
  Report& report = warp.worker->launch->report;
  const std::string& opcode = warp.worker->launch->program->info[at->index].opcode;
  const std::uint32_t wanted = members[std::countr_zero(warp.mask)];
  std::uint32_t same = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane)
    if ((warp.mask >> lane & 1) && members[lane] == wanted) same |= 1u << lane;
  if (same != warp.mask) {  // other masks make other groups
    part(warp, at, warp.mask & ~same);
    find_frontier(warp);
  }
  if ((wanted & warp.mask) != warp.mask) {
    report.add(Status::barrier_divergence, warp, at, std::countr_zero(warp.mask & ~wanted),
               say("Lanes {} execute {} with a mask that does not name them", lanes_text(warp.mask & ~wanted),
                   opcode));
    return true;
  }
  const std::uint32_t exited = wanted & warp.started & ~warp.live;
  if (exited != 0)
    report.add(Status::barrier_divergence, warp, at, std::countr_zero(warp.mask),
               say("Lanes {} have exited, yet the mask of {} names them", lanes_text(exited), opcode));
  const std::uint32_t needed = wanted & warp.live;
  if (warp.mask == needed) return true;

  std::uint32_t present = warp.mask;
  const bool any_place = opcode.starts_with("bar.warp");
  const auto fits = [&](const Split& split) {
    return split.state == SplitState::at_sync && split.members == wanted && split.in == warp.activation &&
           (split.at == at ||
            (any_place &&
             warp.worker->launch->program->info[split.at->index].opcode.starts_with("bar.warp")));
  };
  for (int i = 0; i < warp.split_count; ++i)
    if (fits(warp.splits[static_cast<std::size_t>(i)]))
      present |= warp.splits[static_cast<std::size_t>(i)].lanes;
  if ((present & needed) != needed) {
    set_aside(warp, at, SplitState::at_sync).members = wanted;
    next = next_split(warp);
    return false;
  }
  for (int i = warp.split_count - 1; i >= 0; --i) {
    Split& split = warp.splits[static_cast<std::size_t>(i)];
    if (!fits(split)) continue;
    if (split.at == at) {
      warp.mask |= split.lanes;
      --warp.worker->parted[at->index];
      remove_split(warp, i);
    } else {  // it waited at another barrier of the warp and goes on there
      split.state = SplitState::ready;
      split.at = split.at + 1;
      note_warp_sync(warp, present);
    }
  }
  find_frontier(warp);
  return true;
}

}  // namespace ridge::device::emulator
