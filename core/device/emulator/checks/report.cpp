// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/checks/report.h"

#include <algorithm>

#include "device/emulator/checks/places.h"
#include "device/emulator/exec/launch.h"

namespace ridge::device::emulator {

void Report::add(hardware::Status status, const Warp& warp, const Instruction* at, int lane,
                 Sentence message) {
  const Launch& launch = *warp.worker->launch;
  const Block& block = *warp.block;
  Entry entry;
  entry.message = std::move(message);
  entry.instruction = at->index;
  for (std::size_t k = 0; k < 3; ++k) entry.block[k] = block.position[k];
  if (lane >= 0) {
    const std::int64_t thread = std::int64_t{warp.id} * kWarpLanes + lane;
    const auto& extent = launch.block_extent;
    entry.thread = {thread % extent[0], thread / extent[0] % extent[1], thread / extent[0] / extent[1]};
    entry.has_thread = true;
  }
  entry.moment = {block.turn, (std::uint64_t{block.faults} << 8) | warp.id};
  const int location = launch.program->info[at->index].location;

  const std::lock_guard lock(mutex_);
  if (status != hardware::Status::suspect) events_.fetch_add(1, std::memory_order_relaxed);
  Entry& kept = entries_[{status, location >= 0 ? location : -1 - static_cast<int>(at->index)}];
  const std::uint64_t count = kept.count + 1;
  if (kept.count == 0 || entry.moment < kept.moment) kept = std::move(entry);
  kept.count = count;
}

std::vector<hardware::Finding> Report::findings(const ptx::Module& module, const Program& program,
                                                const std::string& source_file) const {
  const std::lock_guard lock(mutex_);
  struct Ranked {
    hardware::Finding finding;
    std::pair<std::uint64_t, std::uint64_t> moment;
  };
  std::vector<Ranked> ranked;
  for (const auto& [key, entry] : entries_) {
    const hardware::Status status = key.first;
    const Place place = place_of(module, program.info[entry.instruction].location);
    // Several places of one line (an unrolled loop) are one finding.
    const auto same = std::find_if(ranked.begin(), ranked.end(), [&](const Ranked& other) {
      return other.finding.status == status && place.line > 0 && other.finding.line == place.line;
    });
    Ranked next;
    next.finding.status = status;
    next.finding.message = say("{}.", with_calls(entry.message, place));
    next.finding.file = source_file.empty() ? place.file : source_file;
    next.finding.line = place.line;
    next.finding.block = entry.block;
    if (entry.has_thread) next.finding.thread = entry.thread;
    next.finding.count = entry.count;
    next.moment = entry.moment;
    if (same == ranked.end()) {
      ranked.push_back(std::move(next));
      continue;
    }
    next.finding.count += same->finding.count;
    if (same->moment < next.moment) {
      same->finding.count = next.finding.count;
    } else {
      *same = std::move(next);
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return std::tie(a.finding.status, a.moment, a.finding.line) <
           std::tie(b.finding.status, b.moment, b.finding.line);
  });
  std::vector<hardware::Finding> result;
  for (Ranked& entry : ranked) result.push_back(std::move(entry.finding));
  return result;
}

}  // namespace ridge::device::emulator
