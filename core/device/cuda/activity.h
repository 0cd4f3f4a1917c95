// SPDX-License-Identifier: GPL-3.0-or-later
// Start and end of every kernel and memset, as the GPU itself stamps them: CUPTI's activity records (tracing,
// which needs no permission for counters).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace ridge::device::cuda {

struct ActivityRecord {
  std::uint64_t start_ns = 0, end_ns = 0;
  bool flush = false;  ///< one of this program's own cache flushes
};

/// Where CUPTI may lie, best first: toolkits named by the environment, the one that NVRTC comes from, the
/// loader's path.
std::vector<std::filesystem::path> cupti_candidates();

/// CUPTI serves one recorder a process.
class ActivityRecorder {
 public:
  /// The error says why there is none: no library, another profiler attached…
  static Result<std::unique_ptr<ActivityRecorder>> open();
  ~ActivityRecorder();
  ActivityRecorder(const ActivityRecorder&) = delete;
  ActivityRecorder& operator=(const ActivityRecorder&) = delete;

  Result<void> start();
  /// Ends recording; the stream must be idle. Records are in the order of their start.
  Result<std::vector<ActivityRecord>> stop();

 private:
  ActivityRecorder() = default;
  struct Functions;
  std::unique_ptr<Functions> functions_;
};

/// The span of each of `count` samples, from its first start to its last end in microseconds. With flushes,
/// the records between two flushes are one sample's; without, every sample has equally many records. Empty
/// when they do not add up.
std::vector<double> sample_spans(const std::vector<ActivityRecord>& records, int count, bool flushed);

}  // namespace ridge::device::cuda
