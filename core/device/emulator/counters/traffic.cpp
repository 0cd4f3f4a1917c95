// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/counters/traffic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>

#include "device/emulator/exec/access.h"
#include "device/emulator/exec/launch.h"

namespace ridge::device::emulator {

namespace {

constexpr int kSectorShift = 5;

// A run of sectors in one word: first sector, count, what was done.
constexpr int kCountBits = 10, kKindBits = 2;
std::uint64_t run_of(std::uint64_t first, std::uint64_t count, AccessKind kind) {
  return first << (kCountBits + kKindBits) | count << kKindBits | static_cast<std::uint64_t>(kind);
}

}  // namespace

L2Model::L2Model(std::int64_t bytes) {
  constexpr std::int64_t kLineBytes = 128;
  sets_ = static_cast<std::uint64_t>(
      std::max<std::int64_t>(bytes / (kLineBytes * static_cast<std::int64_t>(kWays)), 1));
  lines_.resize(sets_ * kWays);
}

L2Model::Line& L2Model::line_of(std::uint64_t sector) {
  const std::uint64_t tag = sector >> 2;
  // Neighbouring lines go to neighbouring sets; folding in high bits keeps power-of-two strides apart.
  Line* const set = &lines_[(tag ^ (tag >> 13) * 0x9e37u) % sets_ * kWays];
  Line* oldest = set;
  for (Line* line = set; line < set + kWays; ++line) {
    if (line->tag == tag) {
      line->used = ++clock_;
      return *line;
    }
    if (line->used < oldest->used) oldest = line;
  }
  counts_.memory_writes += static_cast<std::uint64_t>(std::popcount(oldest->dirty));
  *oldest = {tag, ++clock_, 0, 0};
  return *oldest;
}

void L2Model::read(std::uint64_t sector) {
  Line& line = line_of(sector);
  const auto bit = static_cast<std::uint8_t>(1u << (sector & 3));
  ++counts_.lookups;
  if (line.valid & bit) {
    ++counts_.hits;
    return;
  }
  line.valid |= bit;
  ++counts_.memory_reads;
}

void L2Model::write(std::uint64_t sector) {
  Line& line = line_of(sector);
  const auto bit = static_cast<std::uint8_t>(1u << (sector & 3));
  ++counts_.lookups;
  ++counts_.hits;
  line.valid |= bit;
  line.dirty |= bit;
}

TrafficCounts L2Model::counts() const {
  TrafficCounts counts = counts_;
  for (const Line& line : lines_)
    counts.memory_writes += static_cast<std::uint64_t>(std::popcount(line.dirty));
  return counts;
}

void Traffic::start_launch(bool serial) {
  serial_ = serial;
  next_turn_ = 0;
  waiting_.clear();
}

void Traffic::replay(std::vector<std::uint64_t>& runs) {
  for (const std::uint64_t run : runs) {
    const std::uint64_t first = run >> (kCountBits + kKindBits);
    const std::uint64_t count = run >> kKindBits & ((std::uint64_t{1} << kCountBits) - 1);
    const auto kind = static_cast<AccessKind>(run & ((1u << kKindBits) - 1));
    for (std::uint64_t sector = first; sector < first + count; ++sector) {
      if (kind != AccessKind::store) l2_.read(sector);
      if (kind != AccessKind::load) l2_.write(sector);
    }
  }
  runs.clear();
}

void Traffic::finish(Block& block) {
  const std::lock_guard lock(mutex_);
  if (serial_) {
    replay(block.sector_runs);
    return;
  }
  if (block.turn != next_turn_) {
    waiting_[block.turn] = std::move(block.sector_runs);
    block.sector_runs.clear();
    return;
  }
  replay(block.sector_runs);
  ++next_turn_;
  for (auto next = waiting_.begin(); next != waiting_.end() && next->first == next_turn_;
       next = waiting_.erase(next)) {
    replay(next->second);
    ++next_turn_;
  }
  turn_changed_.notify_all();
}

void Traffic::relieve(Block& block) {
  Launch& launch = *block.warps[0].worker->launch;
  // Blocks of a cluster share a thread: the one whose turn it is could not go on.
  if (launch.cluster_blocks() > 1) return;
  std::unique_lock lock(mutex_);
  // This ends: without `serial_` no block waits for another one, so those before it are running or done.
  while (!serial_ && block.turn != next_turn_ && !launch.is_cancelled())
    turn_changed_.wait_for(lock, std::chrono::milliseconds(50));
  replay(block.sector_runs);
}

void note_sectors(Warp& warp, std::uint64_t first, std::uint64_t count, AccessKind kind) {
  constexpr std::uint64_t kMost = (std::uint64_t{1} << kCountBits) - 1;
  Block& block = *warp.block;
  for (; count > 0; first += kMost, count -= std::min(count, kMost))
    block.sector_runs.push_back(run_of(first, std::min(count, kMost), kind));
  if (block.sector_runs.size() >= Traffic::kLong) warp.worker->launch->traffic->relieve(block);
}

void note_traffic(Warp& warp, const Access& access) {
  Block& block = *warp.block;
  const Pattern& pattern = *access.pattern;
  std::array<std::uint64_t, kWarpLanes * 2> sectors;
  std::size_t count = 0;
  bool ascending = true;
  const auto add = [&](std::uint64_t sector) {
    if (count > 0 && sectors[count - 1] == sector) return;
    ascending = ascending && (count == 0 || sectors[count - 1] < sector);
    sectors[count++] = sector;
  };
  for (std::uint32_t left = access.lanes; left != 0; left &= left - 1) {
    const std::uint64_t address =
        access.base + static_cast<std::uint64_t>(std::int64_t{pattern.relative[std::countr_zero(left)]});
    add(address >> kSectorShift);
    add((address + access.bytes - 1) >> kSectorShift);
  }
  if (!ascending) {
    std::sort(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(count));
    count = static_cast<std::size_t>(
        std::unique(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(count)) - sectors.begin());
  }
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i + 1;
    while (end < count && sectors[end] == sectors[end - 1] + 1) ++end;
    block.sector_runs.push_back(run_of(sectors[i], end - i, access.kind));
    i = end;
  }
  if (block.sector_runs.size() >= Traffic::kLong) warp.worker->launch->traffic->relieve(block);
}

}  // namespace ridge::device::emulator
