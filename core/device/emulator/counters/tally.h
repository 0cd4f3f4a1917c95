// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of executed blocks and memory sites, added up over workers and launches and turned into named
// counters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/emulator/counters/traffic.h"
#include "device/emulator/exec/program.h"
#include "device/emulator/exec/state.h"
#include "hardware/counters.h"

namespace ridge::device::emulator {

/// The raw counts of one worker or of a whole sequence.
struct Counts {
  std::vector<std::uint64_t> block_warps, block_lanes;  ///< by basic block
  std::vector<std::uint64_t> divergent, skipped;        ///< by instruction
  std::vector<std::int64_t> parted;                     ///< see Worker
  std::vector<SiteCount> sites;

  explicit Counts(const Program& program);
  void add(const Counts& other);
};

struct Tally {
  explicit Tally(const Program& program) : counts(program) {}
  Counts counts;
  std::uint64_t launches = 0, blocks = 0, warps = 0;
};

/// L2 and device memory, where they were modelled.
void add_traffic(hardware::CounterSet& set, const TrafficCounts& counts);
hardware::CounterSet counter_set(const Program& program, const Tally& tally);
/// By source line, in the order of the lines.
std::vector<hardware::LineCounters> line_counters(const Program& program, const ptx::Module& module,
                                                  const Tally& tally, const std::string& source_file);

}  // namespace ridge::device::emulator
