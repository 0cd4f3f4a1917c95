// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks: their memory, and the round robin of their warps.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "device/emulator/exec/async.h"
#include "device/emulator/exec/barriers.h"
#include "device/emulator/exec/cluster.h"
#include "device/emulator/exec/frame.h"
#include "device/emulator/exec/launch.h"
#include "device/emulator/exec/splits.h"
#include "device/emulator/exec/tracer.h"

namespace ridge::device::emulator {

namespace {

constexpr std::int64_t kSlice = 8192;  ///< instructions of a warp before the next one runs
/// What a round costs in which all warps wait for mbarriers: perhaps other blocks answer them.
constexpr std::int64_t kIdleRound = 2048;
/// Budgets that a block gets back for what it executed while it waited successfully.
constexpr std::int64_t kPatientBudgets = 16;
constexpr int kDeepestFrame = 8;  ///< of the calls that tell states apart
constexpr std::uint64_t kCallStack = std::uint64_t{32}
                                     << 10;  ///< bytes a thread, for kernels that call functions

std::uint64_t aligned(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

void run_warp(Warp& warp) {
  start_slice(warp, kSlice);
  Tracer* const tracer = warp.worker->launch->tracer;
  const Instruction* next = next_split(warp);
  if (tracer != nullptr && tracer->follows(*warp.block, warp))
    while (next != nullptr) next = tracer->execute(warp, next);
  while (next != nullptr) next = next->run(warp, next);
  settle_slice(warp);  // what a barrier or an exit left over
}

/// Frames are multiples of 64 bytes.
std::uint64_t hash_of(const std::uint8_t* frame, std::uint32_t bytes, std::uint64_t seed) {
  std::array<std::uint64_t, 4> sums{seed, 1, 2, 3};
  for (std::uint32_t at = 0; at + 32 <= bytes; at += 32)
    for (std::size_t k = 0; k < sums.size(); ++k) {
      std::uint64_t word = 0;
      std::memcpy(&word, frame + at + 8 * k, sizeof word);
      sums[k] = (sums[k] ^ word) * 0x9e3779b97f4a7c15u;
      sums[k] ^= sums[k] >> 29;
    }
  return ((sums[0] * 31 + sums[1]) * 31 + sums[2]) * 31 + sums[3];
}

/// Where the lanes of the warp are, and their registers.
std::uint64_t state_of(const Warp& warp) {
  const Program& program = *warp.worker->launch->program;
  std::uint64_t hash = warp.block->turn;
  for (int i = 0; i < warp.split_count; ++i) {
    const Split& split = warp.splits[static_cast<std::size_t>(i)];
    hash = (hash ^ split.at->index) * 0x9e3779b97f4a7c15u + split.lanes +
           static_cast<std::uint64_t>(split.state);
    int depth = 0;
    for (const Activation* in = split.in; in != nullptr && depth < kDeepestFrame; in = in->caller, ++depth)
      hash = hash_of(in->frame, program.functions[static_cast<std::size_t>(in->function)].frame_bytes, hash);
  }
  return hash;
}

/// The warp comes back to where it has been, with the same registers: it waits for others to change what lies
/// in memory. Looks at it now and then: whenever a slice ended because it was used up, and at slices that
/// ended early (asleep, at a barrier) every kSlice instructions. So a warp that has just got its flag may
/// count as waiting for that much longer, while all it does is stop again soon; no result depends on it, the
/// next look gives the instructions back, and a launch is given up only after whole budgets of waiting.
bool goes_in_circles(Warp& warp) {
  if (warp.live == 0) return false;
  if (warp.executed - warp.looked_at < kSlice) return warp.circling;
  const std::uint64_t state = state_of(warp);
  warp.circling = std::find(warp.seen.begin(), warp.seen.end(), state) != warp.seen.end();
  warp.seen[warp.looks++ % warp.seen.size()] = state;
  warp.looked_at = warp.executed;
  return warp.circling;
}

}  // namespace

void give_back(Block& block, std::int64_t& spent) {
  const std::int64_t back = std::min(spent, block.patience);
  block.patience -= back;
  block.budget += back;
  spent = 0;
}

std::unique_ptr<Block> make_block(Worker& worker) {
  const Launch& launch = *worker.launch;
  const FunctionCode& entry = *launch.entry;
  const auto threads =
      static_cast<std::uint64_t>(launch.block_extent[0] * launch.block_extent[1] * launch.block_extent[2]);
  const std::uint64_t warps = (threads + kWarpLanes - 1) / kWarpLanes;
  const std::uint64_t frame = aligned(entry.frame_bytes, 256);
  const std::uint64_t shared = aligned(static_cast<std::uint64_t>(launch.shared_bytes) + 64, 256);
  auto block = std::make_unique<Block>();
  block->shared_bytes = static_cast<std::uint64_t>(launch.shared_bytes);
  const bool grows = !launch.program->calls.empty() || launch.program->grows_stack;
  block->local_bytes = aligned(entry.local_bytes + (grows ? kCallStack : 0), 16);
  const std::uint64_t bytes = warps * frame + shared + warps * kWarpLanes * block->local_bytes + 256;
  block->storage.reset(new std::uint8_t[bytes]);
  const auto start = reinterpret_cast<std::uintptr_t>(block->storage.get());
  std::uint8_t* memory = block->storage.get() + (256 - start % 256) % 256;
  block->shared = memory + warps * frame;
  block->local = block->shared + shared;
  if (worker.checking) {
    const std::uint64_t units = (block->shared_bytes >> worker.shared_shift) + 64;
    block->mark_storage.assign(2 * units + units / 32 + 1, 0);
    block->writers = block->mark_storage.data();
    block->readers = block->writers + units;
    block->read_rows = block->readers + units;
  }
  block->warps.resize(warps);
  for (std::uint64_t w = 0; w < warps; ++w) {
    Warp& warp = block->warps[w];
    warp.id = static_cast<std::uint32_t>(w);
    warp.worker = &worker;
    warp.block = block.get();
    warp.block_warps = worker.block_warps;
    warp.block_lanes = worker.block_lanes;
    warp.code = launch.program->code.data();
    warp.root.frame = memory + w * frame;
    warp.root.function = static_cast<int>(launch.entry - launch.program->functions.data());
    const std::uint64_t lanes = std::min<std::uint64_t>(threads - w * kWarpLanes, kWarpLanes);
    warp.started = lanes == kWarpLanes ? kAllLanes : (1u << lanes) - 1;
    std::memset(warp.root.frame, 0, frame);
    fill_constants(warp.root.frame, entry, launch);
    fill_specials(warp.root.frame, entry, warp);
  }
  return block;
}

void start_block(Block& block, Worker& worker, std::uint64_t turn) {
  const Launch& launch = *worker.launch;
  block.turn = turn;
  block.index = launch.block_of_turn(turn);
  const auto x = static_cast<std::uint64_t>(launch.grid_extent[0]),
             y = static_cast<std::uint64_t>(launch.grid_extent[1]);
  block.position = {static_cast<std::uint32_t>(block.index % x),
                    static_cast<std::uint32_t>(block.index / x % y),
                    static_cast<std::uint32_t>(block.index / x / y)};
  block.mark = launch.first_mark + static_cast<std::uint32_t>(turn);
  block.acquired = 0;
  block.faults = 0;
  block.sector_runs.clear();
  block.budget = launch.options.budget;
  block.used = block.circled = block.waited = block.vain = 0;
  block.patience =
      kPatientBudgets * std::min(block.budget, std::numeric_limits<std::int64_t>::max() / kPatientBudgets);
  block.passed = block.aborted = false;
  for (std::uint32_t used = block.used_barriers; used != 0; used &= used - 1)
    block.barriers[static_cast<std::size_t>(std::countr_zero(used))] = {};
  block.used_barriers = block.busy_barriers = 0;
  reset_async(block);
  if (worker.checking && block.step > kLastStep / 2) {
    std::fill(block.mark_storage.begin(), block.mark_storage.end(), 0);
    block.step = 1;
  }
  // A mark of the first step stands for what is as good as written before the block began: it races with
  // nobody. The block's own accesses come later.
  block.floor = block.cluster_floor = block.first_step = ++block.step;
  ++block.step;
  refill_specials(block, *launch.entry);
  for (Warp& warp : block.warps) {
    warp.live = warp.started;
    warp.mask = 0;
    warp.executed = warp.slice = warp.fuel = warp.looked_at = 0;
    warp.circling = false;
    warp.faults = 0;
    warp.rotate = warp.sleeping = false;
    warp.starving = 0;
    warp.patience = 16;
    warp.split_count = 0;
    warp.cluster_arrived = warp.cluster_owing = 0;
    warp.stack.fill(0);
    warp.awaited = ~std::uint64_t{0};
    warp.slept = 0;
    warp.known_step = block.floor;
    warp.lane_order.reset();
    warp.fenced_step = 0;
    if (block.partial_order) warp.known = {};  // else nobody has set it
    warp.warpgroup.reset();
    warp.free_activations.clear();
    for (const auto& activation : warp.activations) warp.free_activations.push_back(activation.get());
    warp.activation = &warp.root;
    warp.frame = warp.root.frame;
    warp.root.lanes = warp.started;
    clear_registers(warp.root.frame, *launch.entry);
    add_ready(warp, warp.code + launch.entry->first, warp.started, &warp.root);
  }
  block.partial_order = false;
  block.released.clear();
}

BlockState run_block(Block& block, std::int64_t fuel) {
  Launch& launch = *block.warps[0].worker->launch;
  launch.renew_mark(block);  // others may have acquired what it released before it yielded to them
  const bool others_run = launch.serial ? launch.blocks > 1 : block.cluster->blocks.size() > 1;
  for (;;) {
    bool ran = false, alive = false, busy = false, circles = others_run;
    std::int64_t used = 0;
    for (Warp& warp : block.warps) {
      if (warp.live == 0) continue;
      if (!has_ready(warp)) {
        alive = true;
        continue;
      }
      const std::int64_t before = warp.executed;
      run_warp(warp);
      used += warp.executed - before + 1;
      ran = true;
      alive = alive || warp.live != 0;
      busy = busy || warp.awaited == ~std::uint64_t{0};
      if (block.aborted || launch.is_cancelled()) return BlockState::finished;
      circles = circles && goes_in_circles(warp);
    }
    if (!alive) {
      finish_async(block);
      return BlockState::finished;
    }
    if (!ran) {
      if (waits_for_cluster(block)) return BlockState::waiting;
      report_deadlock(block);
      block.aborted = true;
      return BlockState::finished;
    }
    block.used += used;
    if (circles) {
      block.circled += used;
      block.waited += used;
      return BlockState::circling;
    }
    if (block.waited > 0) {  // it has got what it waited for
      give_back(block, block.waited);
      block.passed = true;
    }
    fuel -= busy ? used : used + kIdleRound;
    if (fuel <= 0 &&
        std::any_of(block.warps.begin(), block.warps.end(), [](const Warp& warp) { return warp.live != 0; }))
      return BlockState::yielded;
  }
}

}  // namespace ridge::device::emulator
