// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/launch.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <thread>

namespace ridge::device::emulator {

namespace {

/// Instructions of a block before it yields to others; a cooperative launch has all blocks running and
/// switches early.
constexpr std::int64_t kBlockFuel = std::int64_t{1} << 21;
constexpr std::int64_t kCooperativeFuel = std::int64_t{1} << 14;
constexpr std::size_t kManyResident = 4096;
/// Blocks that wait for each other get so many budgets of a block until one of them ends.
constexpr std::int64_t kWaitingBudgets = 2;

/// The memory that a worker's hot pointers lead to.
struct WorkerMemory {
  explicit WorkerMemory(const Program& program)
      : counts(program), patterns(program.sites.size()), allocations(program.sites.size(), nullptr) {
    for (std::size_t s = 0; s < patterns.size(); ++s) {
      const StateSpace space = program.sites[s].space;
      if (space != StateSpace::shared && space != StateSpace::generic) continue;
      units.emplace_back(Pattern::kMaxUnits);
      unit_lanes.emplace_back(Pattern::kMaxUnits);
      patterns[s].units = units.back().data();
      patterns[s].unit_lanes = unit_lanes.back().data();
    }
  }
  Counts counts;
  std::vector<Pattern> patterns;
  std::vector<const Allocation*> allocations;
  std::deque<std::vector<std::int32_t>> units;
  std::deque<std::vector<std::uint8_t>> unit_lanes;
};

void attach(Worker& worker, WorkerMemory& memory, Launch& launch) {
  worker.patterns = memory.patterns.data();
  worker.allocations = memory.allocations.data();
  worker.site_counts = memory.counts.sites.data();
  worker.global_bias = launch.arena->bias();
  worker.divergent = memory.counts.divergent.data();
  worker.skipped = memory.counts.skipped.data();
  worker.sites = launch.program->sites.data();
  worker.counting = launch.options.counters;
  worker.checking = launch.options.checks;
  worker.shared_shift = launch.program->shared_shift;
  worker.global_shift = launch.program->global_shift;
  worker.block_races = launch.block_races;
  worker.watching = launch.writers != nullptr;
  worker.first_mark = launch.first_mark;
  worker.many_readers = launch.many_readers;
  worker.parameters = launch.parameters.data();
  worker.parameter_bytes = static_cast<std::int64_t>(launch.parameters.size());
  worker.launch = &launch;
}

/// Runs blocks until none is left. Blocks that do not end yield, so that those they wait for can run.
class BlockLoop {
 public:
  BlockLoop(Launch& launch, Worker& worker, Counts& counts)
      : launch_(launch), worker_(worker), counts_(counts) {}

  void run() {
    if (launch_.cooperative)
      while (start_next()) {
      }
    while (!launch_.is_cancelled()) {
      if (resident_.empty() && !start_next()) return;
      Resident current = std::move(resident_.front());
      resident_.pop_front();
      for (Warp& warp : current.block->warps) {
        warp.block_warps = counts_.block_warps.data();
        warp.block_lanes = counts_.block_lanes.data();
      }
      if (run_block(*current.block, current.fuel) == BlockState::finished) {
        spare_.push_back(std::move(current.block));
        waited_ = 0;
        continue;
      }
      waited_ += current.fuel;
      if (waited_ / kWaitingBudgets >= launch_.options.budget) current.block->budget = 0;  // reports it
      // Twice as long the next time: a long loop shall not be taken for a spin for ever.
      if (!launch_.cooperative) current.fuel *= 2;
      resident_.push_back(std::move(current));
      if (resident_.size() < kManyResident && start_next()) {
        resident_.push_front(std::move(resident_.back()));
        resident_.pop_back();
      }
    }
  }

 private:
  struct Resident {
    std::unique_ptr<Block> block;
    std::int64_t fuel;
  };

  bool start_next() {
    const std::uint64_t turn = launch_.next_turn.fetch_add(1, std::memory_order_relaxed);
    if (turn >= launch_.blocks) return false;
    std::unique_ptr<Block> block;
    if (spare_.empty()) {
      block = make_block(worker_);
    } else {
      block = std::move(spare_.back());
      spare_.pop_back();
    }
    start_block(*block, worker_, turn);
    resident_.push_back({std::move(block), first_fuel()});
    return true;
  }

  /// Only blocks that look at what others did may have to wait for them.
  std::int64_t first_fuel() const {
    if (launch_.cooperative) return kCooperativeFuel;
    return launch_.entry->ordered_blocks ? kBlockFuel : std::numeric_limits<std::int64_t>::max();
  }

  Launch& launch_;
  Worker& worker_;
  Counts& counts_;
  std::int64_t waited_ = 0;  ///< instructions since a block ended
  std::deque<Resident> resident_;
  std::vector<std::unique_ptr<Block>> spare_;
};

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

/// A permutation of [0, count): a Feistel network over the next even power of two, walked until it lands
/// inside.
std::uint64_t permuted(std::uint64_t value, std::uint64_t count, std::uint64_t seed) {
  int half = 1;
  while ((std::uint64_t{1} << (2 * half)) < count) ++half;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = value >> half, right = value & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (mixed(right + (round << 56) + mixed(seed)) & mask);
      left = right;
      right = next;
    }
    value = left << half | right;
  } while (value >= count);
  return value;
}

}  // namespace

void Output::append(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (full_) return;
  const std::size_t room = kLimit - text_.size();
  if (text.size() <= room) {
    text_ += text;
    return;
  }
  text_ += text.substr(0, room);
  text_ += "\n[cut: the kernel printed more than 1 MiB]\n";
  full_ = true;
}

std::string Output::take() {
  const std::lock_guard lock(mutex_);
  full_ = false;
  return std::exchange(text_, {});
}

bool Launch::is_cancelled() {
  if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
    stopped = true;
    cancelled = true;
  }
  return cancelled.load(std::memory_order_relaxed);
}

std::uint64_t Launch::block_of_turn(std::uint64_t turn) const {
  if (!options.order.permuted || blocks < 2) return turn;
  const auto cluster = static_cast<std::uint64_t>(cluster_extent[0] * cluster_extent[1] * cluster_extent[2]);
  if (cluster > 1) return turn;
  return permuted(turn, blocks, options.order.seed);
}

void run(Launch& launch, Tally& tally) {
  const std::uint64_t cores = std::max(
      1u, launch.options.threads != 0 ? launch.options.threads : std::thread::hardware_concurrency());
  // One after the other where the order of blocks shows in the result or in the text.
  const bool serial = launch.entry->ordered_blocks || launch.cooperative;
  const std::uint64_t count = serial ? 1 : std::min({cores, launch.blocks, std::uint64_t{256}});
  std::deque<WorkerMemory> memories;
  std::deque<Worker> workers;
  for (std::uint64_t k = 0; k < count; ++k) {
    memories.emplace_back(*launch.program);
    workers.emplace_back();
    attach(workers.back(), memories.back(), launch);
  }
  std::vector<std::thread> threads;
  for (std::size_t k = 1; k < count; ++k)
    threads.emplace_back([&, k] { BlockLoop(launch, workers[k], memories[k].counts).run(); });
  BlockLoop(launch, workers[0], memories[0].counts).run();
  for (std::thread& thread : threads) thread.join();
  for (const WorkerMemory& memory : memories) tally.counts.add(memory.counts);
  ++tally.launches;
  tally.blocks += launch.blocks;
  const std::int64_t threads_of_block =
      launch.block_extent[0] * launch.block_extent[1] * launch.block_extent[2];
  tally.warps += launch.blocks * static_cast<std::uint64_t>((threads_of_block + kWarpLanes - 1) / kWarpLanes);
}

}  // namespace ridge::device::emulator
