// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/attribution.h"

#include <algorithm>
#include <bit>
#include <map>

#include "verify/compare.h"

namespace ridge::verify {
namespace {

constexpr int kWarpSize = 32;

std::array<std::int64_t, 3> unravelled(std::int64_t linear, const device::Extent& extent) {
  return {linear % extent[0], linear / extent[0] % extent[1], linear / extent[0] / extent[1]};
}

}  // namespace

Writer writer_from(const device::Writers::Thread& thread, const device::Sequence& sequence) {
  const device::Launch& launch = sequence.launches[static_cast<std::size_t>(thread.launch)];
  return {thread.launch, unravelled(thread.block, launch.grid), unravelled(thread.thread, launch.block),
          thread.thread / kWarpSize, thread.thread % kWarpSize};
}

std::vector<ErrorMap> maps_by_writer(const std::string& tensor, std::span<const std::uint64_t> wrong,
                                     std::int64_t first, const device::Writers& writers,
                                     const device::Sequence& sequence) {
  struct Maps {
    ErrorMap blocks, threads;
  };
  std::map<int, Maps> by_launch;
  std::int64_t unknown = 0;
  for (std::size_t w = 0; w < wrong.size(); ++w) {
    for (std::uint64_t bits = wrong[w]; bits != 0; bits &= bits - 1) {
      const auto element = static_cast<std::int64_t>(w) * 64 + std::countr_zero(bits);
      const auto thread = writers.at(element - first);
      if (!thread) {
        ++unknown;
        continue;
      }
      const Writer writer = writer_from(*thread, sequence);
      const auto found = by_launch.find(writer.launch);
      Maps* maps = found != by_launch.end() ? &found->second : nullptr;
      const device::Launch& launch = sequence.launches[static_cast<std::size_t>(writer.launch)];
      if (maps == nullptr) {
        const std::int64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
        maps = &by_launch[writer.launch];
        maps->blocks = empty_map(tensor, MapKind::blocks, launch.grid[1] * launch.grid[2], launch.grid[0]);
        maps->threads = empty_map(tensor, MapKind::threads, (threads + kWarpSize - 1) / kWarpSize, kWarpSize);
        maps->blocks.launch = maps->threads.launch = writer.launch;
      }
      count_wrong(maps->blocks, writer.block[2] * launch.grid[1] + writer.block[1], writer.block[0]);
      count_wrong(maps->threads, writer.warp, writer.lane);
    }
  }
  std::vector<ErrorMap> result;
  for (auto& [launch, maps] : by_launch) {
    maps.blocks.unknown = maps.threads.unknown = unknown;
    result.push_back(std::move(maps.blocks));
    result.push_back(std::move(maps.threads));
  }
  return result;
}

}  // namespace ridge::verify
