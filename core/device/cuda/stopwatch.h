// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of a GPU. Device times are CUPTI activity spans (first start to last end of a sequence's own
// kernels and fills), or CUDA events with a note where CUPTI cannot be had. Launches wait behind a gate on
// the stream until a whole sample is queued, so the host's launch cost does not come between kernels.
//
// Host times are taken apart from that, without gate and without tracing: a flushed and idle GPU, then from
// the first launch call until the sequence has ended.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/cuda/activity.h"
#include "device/cuda/context.h"
#include "device/cuda/flush.h"
#include "device/cuda/launcher.h"
#include "device/cuda/nvml.h"

namespace ridge::device::cuda {

/// Holds the stream back by a host function, for at most a second: something in a sequence may itself have to
/// wait for the stream (a first launch that loads code), and must not wait for ever.
class Gate {
 public:
  void close();
  void open();
  CUresult enqueue(Context& context);

 private:
  static void CUDA_CB wait(void* gate);
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = true;
};

class CudaStopwatch final : public Stopwatch {
 public:
  CudaStopwatch(std::shared_ptr<Context> context, std::shared_ptr<const Nvml> nvml);
  ~CudaStopwatch() override;

  Result<Samples> sample(Module& module, const Sequence& sequence, const SampleRequest& request) override;
  Health health() override;

 private:
  struct Reading {
    double sm_mhz = 0;
    bool throttled = false;
  };
  /// Clock and throttle state now; readings closer than 2 ms share one, so that asking does not slow the
  /// sampling.
  Reading read_clock();
  Result<void> time_on_device(PreparedSequence& prepared, const SampleRequest& request, Samples& samples);
  Result<void> time_group(PreparedSequence& prepared, const SampleRequest& request, int first, int size,
                          Samples& samples);
  Result<void> time_on_host(PreparedSequence& prepared, const SampleRequest& request, Samples& samples);
  Result<void> wait_for(const Event& event, double limit_seconds);
  Result<void> reset_persisting_l2();

  std::shared_ptr<Context> context_;
  std::shared_ptr<const Nvml> nvml_;
  Nvml::Handle nvml_device_ = nullptr;
  std::unique_ptr<ActivityRecorder> recorder_;
  Sentence why_no_recorder_;
  bool recorder_tried_ = false;
  std::unique_ptr<Flusher> flusher_;
  Gate gate_;
  std::vector<std::pair<Event, Event>> events_;
  Reading last_reading_;
  std::chrono::steady_clock::time_point last_reading_time_{};
};

}  // namespace ridge::device::cuda
