// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "compile/compile.h"

namespace ridge::compile {

namespace {

constexpr std::int64_t kWarp = 32;
constexpr std::int64_t kRegisterUnit =
    256;  // registers are given out in these to a warp (compute capability 7.5 on)
constexpr std::int64_t kWarpUnit = 4;      // warps of a block share the SM's four register files evenly
constexpr std::int64_t kSharedUnit = 128;  // bytes

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

Occupancy occupancy(const hardware::LaunchLimits& limits, int registers, std::int64_t threads_per_block,
                    std::int64_t shared_bytes_per_block) {
  Occupancy result;
  if (threads_per_block < 1 || threads_per_block > limits.max_threads_per_block) {
    result.limiter = "threads";
    return result;
  }
  const std::int64_t warps = (threads_per_block + kWarp - 1) / kWarp;
  const std::int64_t warps_per_sm = limits.max_threads_per_sm / kWarp;

  // In this order: of equal limits the first one named is the one a programmer would change last.
  std::int64_t blocks = limits.max_blocks_per_sm;
  result.limiter = "blocks";
  const auto limit = [&](std::int64_t by, const char* name) {
    if (by >= blocks) return;
    blocks = by;
    result.limiter = name;
  };
  limit(warps_per_sm / warps, "threads");
  if (registers > limits.max_registers_per_thread) {
    limit(0, "registers");
  } else if (registers > 0) {
    const std::int64_t per_warp = round_up(registers * kWarp, kRegisterUnit);
    const std::int64_t warps_by_registers = limits.registers_per_sm / per_warp / kWarpUnit * kWarpUnit;
    const bool fits = per_warp * round_up(warps, kWarpUnit) <= limits.registers_per_block;
    limit(fits ? warps_by_registers / warps : 0, "registers");
  }
  if (shared_bytes_per_block > limits.shared_bytes_per_block_optin) {
    limit(0, "shared memory");
  } else {
    const std::int64_t shared =
        round_up(std::max<std::int64_t>(shared_bytes_per_block, 0) + limits.shared_bytes_reserved_per_block,
                 kSharedUnit);
    limit(limits.shared_bytes_per_sm / std::max<std::int64_t>(shared, 1), "shared memory");
  }
  result.blocks_per_sm = static_cast<int>(blocks);
  result.warps_per_sm = static_cast<int>(blocks * warps);
  result.fraction = static_cast<double>(result.warps_per_sm) / static_cast<double>(warps_per_sm);
  return result;
}

}  // namespace ridge::compile
