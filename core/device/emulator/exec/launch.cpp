// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/launch.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <new>
#include <numeric>
#include <thread>
#include <utility>

#include "device/emulator/counters/traffic.h"
#include "device/emulator/exec/barriers.h"
#include "device/emulator/exec/cluster.h"
#include "device/emulator/exec/splits.h"

namespace ridge::device::emulator {

namespace {

/// Instructions of a block before it yields to others; a cooperative launch has all blocks running and
/// switches early.
constexpr std::int64_t kBlockFuel = std::int64_t{1} << 21;
constexpr std::int64_t kCooperativeFuel = std::int64_t{1} << 14;
constexpr std::int64_t kClusterFuel = std::int64_t{1}
                                      << 14;               ///< of a block before the next one of its cluster
constexpr std::int64_t kMostFuel = std::int64_t{1} << 40;  ///< as good as no end
constexpr std::size_t kManyResident = 4096;
/// Blocks may wait for so many budgets of a block together until one of them ends or gets what it waited
/// for…
constexpr std::int64_t kWaitingBudgets = 2;
/// …and take turns at computing for so many; then one of them computes until it ends, waits or is stopped.
constexpr std::int64_t kComputingBudgets = 4;

/// The memory that a worker's hot pointers lead to.
struct WorkerMemory {
  explicit WorkerMemory(const Program& program)
      : counts(program), patterns(program.sites.size()), allocations(program.sites.size(), nullptr) {
    for (std::size_t s = 0; s < patterns.size(); ++s) {
      const StateSpace space = program.sites[s].space;
      if (space != StateSpace::shared && space != StateSpace::generic) continue;
      units.emplace_back(Pattern::kMaxUnits);
      unit_marks.emplace_back(Pattern::kMaxUnits);
      patterns[s].units = units.back().data();
      patterns[s].unit_marks = unit_marks.back().data();
    }
  }
  Counts counts;
  std::vector<Pattern> patterns;
  std::vector<const Allocation*> allocations;
  std::deque<std::vector<std::int32_t>> units;
  std::deque<std::vector<std::uint32_t>> unit_marks;
};

void attach(Worker& worker, WorkerMemory& memory, Launch& launch) {
  worker.patterns = memory.patterns.data();
  worker.allocations = memory.allocations.data();
  worker.site_counts = memory.counts.sites.data();
  worker.global_bias = launch.arena->bias();
  worker.block_warps = memory.counts.block_warps.data();
  worker.block_lanes = memory.counts.block_lanes.data();
  worker.divergent = memory.counts.divergent.data();
  worker.skipped = memory.counts.skipped.data();
  worker.parted = memory.counts.parted.data();
  worker.sites = launch.program->sites.data();
  worker.counting = launch.options.counters;
  worker.checking = launch.options.checks;
  worker.observing = worker.counting || worker.checking;
  worker.traffic = launch.traffic != nullptr;
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

/// The blocks of a cluster, which run together.
struct Resident {
  std::vector<std::unique_ptr<Block>> blocks;
  std::unique_ptr<Cluster> cluster;
  std::int64_t fuel = 0;
  std::uint64_t progress = 0;  ///< of the launch, when its last turn ended
  bool computing = true;       ///< it was not waiting for others at the end of its last turn
  bool passed = false;         ///< one of its blocks came on in its last turn

  std::int64_t sum_of(std::int64_t Block::*count) const {
    return std::transform_reduce(blocks.begin(), blocks.end(), std::int64_t{0}, std::plus<>{},
                                 [count](const auto& block) { return (*block).*count; });
  }
  std::int64_t used() const { return sum_of(&Block::used); }
  std::int64_t circled() const { return sum_of(&Block::circled); }
  /// One of its blocks has got what it waited for since this was last asked.
  bool take_passed() {
    bool any = false;
    for (const auto& block : blocks) any = std::exchange(block->passed, false) || any;
    return any;
  }
};

bool can_run(const Block& block) {
  return std::any_of(block.warps.begin(), block.warps.end(),
                     [](const Warp& warp) { return warp.live != 0 && has_ready(warp); });
}

/// Runs the blocks of a cluster in turns until they have ended or have used up the fuel, or until all that
/// they do is wait. In every round somebody executes something, so that budgets end them all.
BlockState run_cluster(Resident& resident) {
  Launch& launch = *resident.blocks[0]->warps[0].worker->launch;
  const bool alone = resident.blocks.size() == 1;
  const std::int64_t end = resident.used() + resident.fuel;
  resident.passed = false;
  for (;;) {
    bool all_finished = true, circling = false, yielded = false;
    for (const auto& block : resident.blocks) {
      const BlockState state =
          run_block(*block, alone ? resident.fuel : std::min(resident.fuel, kClusterFuel));
      // What the others of the cluster would see of a block that was stopped is not what it would have done.
      if (launch.is_cancelled() || block->aborted) return BlockState::finished;
      all_finished = all_finished && state == BlockState::finished;
      circling = circling || state == BlockState::circling;
      yielded = yielded || state == BlockState::yielded;
    }
    const bool passed = resident.take_passed();
    resident.passed = resident.passed || passed;
    if (all_finished) return BlockState::finished;
    if (std::none_of(resident.blocks.begin(), resident.blocks.end(),
                     [](const auto& block) { return can_run(*block); })) {
      for (const auto& block : resident.blocks) report_deadlock(*block);
      return BlockState::finished;
    }
    // Those at the cluster's barrier have just been released, where nobody goes round in circles.
    if (circling && !yielded && (alone || !passed)) return BlockState::circling;
    if (alone || resident.used() >= end) return BlockState::yielded;
  }
}

/// Runs clusters until none is left. Those that do not end yield, so that those they wait for can run.
class BlockLoop {
 public:
  BlockLoop(Launch& launch, Worker& worker) : launch_(launch), worker_(worker) {}

  void run() {
    if (launch_.cooperative)
      while (start_next()) {
      }
    while (!launch_.is_cancelled()) {
      if (resident_.empty() && !start_next()) return;
      Resident current = std::move(resident_.front());
      resident_.pop_front();
      const std::int64_t used = current.used(), circled = current.circled();
      const BlockState state = run_cluster(current);
      if (state == BlockState::finished) {
        if (launch_.traffic != nullptr)
          for (const auto& block : current.blocks) launch_.traffic->finish(*block);
        spare_.push_back(std::move(current));
        note_progress();
        continue;
      }
      if (current.passed) note_progress();
      current.computing = state == BlockState::yielded;
      if (current.computing)
        computed_ += current.used() - used;
      else
        waited_ += current.circled() - circled;
      turns_ = current.computing ? 0 : turns_ + 1;
      // A long loop shall not be taken for a wait for ever: the next turn is twice as long, unless others
      // came on in the meantime.
      const bool came_on = std::exchange(current.progress, progress_) != progress_;
      current.fuel = !current.computing || came_on ? first_fuel() : std::min(2 * current.fuel, kMostFuel);
      resident_.push_back(std::move(current));
      const bool waits_long = waited_ / kWaitingBudgets >= launch_.options.budget;
      const bool takes_long = waits_long || computed_ / kComputingBudgets >= launch_.options.budget;
      if (takes_long && let_one_compute()) continue;
      if (launch_.serial && resident_.size() < kManyResident && start_next())
        bring_forward(resident_.size() - 1);
      else if (waits_long && turns_ >= 2 * resident_.size())
        end_one();
    }
  }

 private:
  bool start_next() {
    const std::uint64_t size = launch_.cluster_blocks();
    const std::uint64_t turn = launch_.next_turn.fetch_add(size, std::memory_order_relaxed);
    if (turn >= launch_.blocks) return false;
    Resident next;
    if (spare_.empty()) {
      next.cluster = std::make_unique<Cluster>();
      for (std::uint64_t rank = 0; rank < size; ++rank) {
        next.blocks.push_back(make_block(worker_));
        next.cluster->blocks.push_back(next.blocks.back().get());
        next.blocks.back()->cluster = next.cluster.get();
      }
    } else {
      next = std::move(spare_.back());
      spare_.pop_back();
      next.cluster->awaited = next.cluster->relaxed = next.cluster->signalled = false;
    }
    for (std::uint64_t rank = 0; rank < size; ++rank) start_block(*next.blocks[rank], worker_, turn + rank);
    next.fuel = first_fuel();
    next.progress = progress_;
    next.computing = true;
    resident_.push_back(std::move(next));
    return true;
  }

  /// Only blocks that look at what others did may have to wait for them.
  std::int64_t first_fuel() const {
    if (launch_.cooperative) return kCooperativeFuel;
    return launch_.entry->ordered_blocks ? kBlockFuel : kMostFuel;
  }

  void note_progress() {
    ++progress_;
    waited_ = computed_ = 0;
    turns_ = 0;
  }

  void bring_forward(std::size_t index) {
    const auto at = resident_.begin() + static_cast<std::ptrdiff_t>(index);
    std::rotate(resident_.begin(), at, at + 1);
  }

  /// Nobody has come on for long. Who computes may be what the others wait for: it goes on until it ends or
  /// waits too, or has used up its own budget. False: all of them wait.
  bool let_one_compute() {
    const auto found = std::find_if(resident_.begin(), resident_.end(),
                                    [](const Resident& resident) { return resident.computing; });
    if (found == resident_.end()) return false;
    found->fuel = kMostFuel;
    bring_forward(static_cast<std::size_t>(found - resident_.begin()));
    waited_ = computed_ = 0;
    turns_ = 0;
    return true;
  }

  /// All wait for each other: one of them reports it.
  void end_one() {
    for (const auto& block : resident_.back().blocks) {
      block->budget = 0;
      block->vain = waited_;
    }
    bring_forward(resident_.size() - 1);
    waited_ = 0;
  }

  Launch& launch_;
  Worker& worker_;
  std::int64_t waited_ = 0;     ///< instructions that waited at the end of turns, and…
  std::int64_t computed_ = 0;   ///< …of turns without, since a cluster ended or got what it waited for
  std::size_t turns_ = 0;       ///< since somebody last computed or came on
  std::uint64_t progress_ = 0;  ///< how often that was so
  std::deque<Resident> resident_;
  std::vector<Resident> spare_;
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

void Launch::release(const Block& block) {
  if (!released.empty()) released[block.mark - first_mark] = ++clock;
}

void Launch::renew_mark(Block& block) {
  // Blocks of several host threads could not share the lists.
  if (!serial || released.empty() || released[block.mark - first_mark] == 0 ||
      later_turns.size() >= kMostLaterMarks)
    return;
  block.mark = first_mark + static_cast<std::uint32_t>(released.size());
  released.push_back(0);
  later_turns.push_back(block.turn);
}

std::uint64_t Launch::turn_of(std::uint32_t mark) const {
  const std::uint64_t index = mark - first_mark;
  return index < blocks ? index : later_turns[index - blocks - 1];
}

std::uint64_t Launch::cluster_blocks() const {
  return static_cast<std::uint64_t>(cluster_extent[0] * cluster_extent[1] * cluster_extent[2]);
}

std::uint64_t Launch::block_of_turn(std::uint64_t turn) const {
  const std::uint64_t size = cluster_blocks(), count = blocks / size;
  std::uint64_t cluster = turn / size, rank = turn % size;
  if (options.order.permuted && count > 1) cluster = permuted(cluster, count, options.order.seed);
  if (size == 1) return cluster;
  std::array<std::uint64_t, 3> position{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto inside = static_cast<std::uint64_t>(cluster_extent[k]);
    const std::uint64_t across = static_cast<std::uint64_t>(grid_extent[k]) / inside;
    position[k] = cluster % across * inside + rank % inside;
    cluster /= across;
    rank /= inside;
  }
  return position[0] + static_cast<std::uint64_t>(grid_extent[0]) *
                           (position[1] + static_cast<std::uint64_t>(grid_extent[1]) * position[2]);
}

unsigned run(Launch& launch, Tally& tally) {
  const std::uint64_t cores = std::max(
      1u, launch.options.threads != 0 ? launch.options.threads : std::thread::hardware_concurrency());
  // One after the other where the order of blocks shows in the result or in the text.
  launch.serial = launch.entry->ordered_blocks || launch.cooperative;
  const std::uint64_t count =
      launch.serial ? 1 : std::min({cores, launch.blocks / launch.cluster_blocks(), std::uint64_t{256}});
  if (launch.traffic != nullptr) launch.traffic->start_launch(launch.serial);
  std::deque<WorkerMemory> memories;
  std::deque<Worker> workers;
  for (std::uint64_t k = 0; k < count; ++k) {
    memories.emplace_back(*launch.program);
    workers.emplace_back();
    attach(workers.back(), memories.back(), launch);
  }
  const auto work = [&](std::size_t k) {
    try {
      BlockLoop(launch, workers[k]).run();
    } catch (const std::bad_alloc&) {
      launch.exhausted = launch.cancelled = true;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 1; k < count; ++k) threads.emplace_back(work, k);
    work(0);
  }
  for (const WorkerMemory& memory : memories) tally.counts.add(memory.counts);
  ++tally.launches;
  tally.blocks += launch.blocks;
  const std::int64_t threads_of_block =
      launch.block_extent[0] * launch.block_extent[1] * launch.block_extent[2];
  tally.warps += launch.blocks * static_cast<std::uint64_t>((threads_of_block + kWarpLanes - 1) / kWarpLanes);
  return static_cast<unsigned>(count);
}

}  // namespace ridge::device::emulator
