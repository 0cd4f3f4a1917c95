// SPDX-License-Identifier: GPL-3.0-or-later
// From the launches of a Sequence to calls of the driver: checked once, launched many times.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "device/cuda/module.h"

namespace ridge::device::cuda {

/// A launch that has passed every check. It points into the Launch it was made of.
struct PreparedLaunch {
  const Launch* launch = nullptr;
  CUfunction function = nullptr;
  std::vector<void*> arguments;
  std::array<CUlaunchAttribute, 2> attributes{};
  unsigned attribute_count = 0;
};

struct PreparedSequence {
  const Sequence* sequence = nullptr;
  std::vector<PreparedLaunch> launches;
  std::vector<hardware::Finding> findings;  ///< launch_failed: nothing may be launched
};

/// Checks limits, argument sizes and what a cooperative grid may hold; opts in to large shared memory.
Result<PreparedSequence> prepare(Context& context, CudaModule& module, const Sequence& sequence,
                                 const std::string& source_file);

/// Puts the untimed copies, the timed fills, or one launch on the stream.
CUresult enqueue_restore(Context& context, const Sequence& sequence);
CUresult enqueue_zero(Context& context, const Sequence& sequence);
CUresult enqueue(Context& context, PreparedLaunch& launch);
/// Fills and launches: what is timed.
CUresult enqueue_timed(Context& context, PreparedSequence& prepared);

}  // namespace ridge::device::cuda
