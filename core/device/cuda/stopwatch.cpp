// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/cuda/errors.h"

namespace ridge::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kGateLimit = 1s;
constexpr auto kReadingInterval = 2ms;
constexpr int kQueueDepth = 256;  ///< operations queued at once; the driver blocks at about a thousand

/// Opens the gate whatever way a sample is left.
class OpenAtExit {
 public:
  explicit OpenAtExit(Gate& gate) : gate_(gate) { gate_.close(); }
  ~OpenAtExit() { gate_.open(); }
  OpenAtExit(const OpenAtExit&) = delete;
  OpenAtExit& operator=(const OpenAtExit&) = delete;

 private:
  Gate& gate_;
};

}  // namespace

void Gate::close() {
  const std::scoped_lock lock(mutex_);
  open_ = false;
}

void Gate::open() {
  {
    const std::scoped_lock lock(mutex_);
    open_ = true;
  }
  opened_.notify_all();
}

CUresult Gate::enqueue(Context& context) {
  return context.driver().launch_host_function(context.stream(), &Gate::wait, this);
}

void Gate::wait(void* gate) {
  auto* self = static_cast<Gate*>(gate);
  std::unique_lock lock(self->mutex_);
  self->opened_.wait_for(lock, kGateLimit, [self] { return self->open_; });
}

CudaStopwatch::CudaStopwatch(std::shared_ptr<Context> context, std::shared_ptr<const Nvml> nvml)
    : context_(std::move(context)), nvml_(std::move(nvml)) {
  if (nvml_) nvml_device_ = nvml_->device(context_->info().uuid);
}

CudaStopwatch::~CudaStopwatch() = default;

Health CudaStopwatch::health() {
  Health health;
  if (!nvml_) return health;
  health.sm_mhz = nvml_->sm_mhz(nvml_device_);
  health.memory_mhz = nvml_->memory_mhz(nvml_device_);
  health.temperature_c = nvml_->temperature_c(nvml_device_);
  health.power_w = nvml_->power_w(nvml_device_);
  if (const auto reasons = nvml_->clock_reasons(nvml_device_))
    health.throttle_reasons = reason_names(*reasons);
  return health;
}

CudaStopwatch::Reading CudaStopwatch::read_clock() {
  const auto now = Clock::now();
  if (!nvml_ || now - last_reading_time_ < kReadingInterval) return last_reading_;
  last_reading_.sm_mhz = nvml_->sm_mhz(nvml_device_).value_or(0);
  last_reading_.throttled = is_throttled(nvml_->clock_reasons(nvml_device_).value_or(0));
  last_reading_time_ = Clock::now();
  return last_reading_;
}

Result<void> CudaStopwatch::reset_persisting_l2() {
  // Lines that an access policy made persistent would survive every flush.
  if (context_->driver().reset_persisting_l2 == nullptr) return {};
  const CUresult result = context_->driver().reset_persisting_l2();
  if (result == CUDA_ERROR_NOT_SUPPORTED) return {};
  return context_->check(result, phrase("Resetting persisting L2 lines"));
}

Result<void> CudaStopwatch::wait_for(const Event& event, double limit_seconds) {
  CUresult result = CUDA_SUCCESS;
  switch (context_->wait(event, limit_seconds, nullptr, result)) {
    case Waited::done:
      return {};
    case Waited::failed:
      return context_->fail(result, say("A timed launch"));
    case Waited::timeout:
    case Waited::stopped:
      break;
  }
  context_->lose(say("a timed launch was still running after its time limit."));
  return Error{ErrorKind::component,
               "timeout",
               say("A timed launch did not end within {} s.", fmt::format("{:g}", limit_seconds)),
               say("Raise --time-limit, or use a smaller workload."),
               {},
               0};
}

Result<void> CudaStopwatch::time_group(PreparedSequence& prepared, const SampleRequest& request, int first,
                                       int size, Samples& samples) {
  if (request.flush != Flush::none)
    if (auto done = reset_persisting_l2(); !done) return done;
  {
    const OpenAtExit gate(gate_);
    CUresult result = gate_.enqueue(*context_);
    for (int index = 0; index < size && result == CUDA_SUCCESS; ++index) {
      auto& [start, end] = events_[static_cast<std::size_t>(index)];
      result = enqueue_restore(*context_, *prepared.sequence);
      if (result == CUDA_SUCCESS && flusher_) result = flusher_->enqueue(request.flush);
      if (result == CUDA_SUCCESS) result = start.record();
      if (result == CUDA_SUCCESS) result = enqueue_timed(*context_, prepared);
      if (result == CUDA_SUCCESS) result = end.record();
    }
    if (result != CUDA_SUCCESS) return context_->fail(result, say("Launching a timed sequence"));
  }
  // The GPU works now, and the host has time to look at its clock.
  const Reading reading = read_clock();
  for (int index = 0; index < size; ++index) {
    const auto& [start, end] = events_[static_cast<std::size_t>(index)];
    if (auto done = wait_for(end, request.time_limit_seconds); !done) return done;
    float milliseconds = 0;
    if (auto done = context_->check(context_->driver().event_elapsed(&milliseconds, start.get(), end.get()),
                                    phrase("Reading the time of a launch"));
        !done)
      return done;
    Sample& sample = samples.samples[static_cast<std::size_t>(first + index)];
    sample.device_us = static_cast<double>(milliseconds) * 1000.0;
    sample.sm_mhz = reading.sm_mhz;
    sample.throttled = reading.throttled;
  }
  return {};
}

Result<void> CudaStopwatch::time_on_device(PreparedSequence& prepared, const SampleRequest& request,
                                           Samples& samples) {
  // Back to back means many sequences behind one gate; a flushed sample stands alone.
  const int per_sequence = static_cast<int>(prepared.sequence->restore.size() +
                                            prepared.sequence->zero.size() + prepared.launches.size()) +
                           2;
  const int group =
      request.flush == Flush::none ? std::clamp(kQueueDepth / per_sequence, 1, request.count) : 1;
  while (events_.size() < static_cast<std::size_t>(group))
    events_.emplace_back(Event(context_), Event(context_));

  bool recording = false;
  samples.source = "event";
  samples.note = why_no_recorder_;
  if (recorder_) {
    if (auto started = recorder_->start(); started)
      recording = true;
    else
      samples.note = say("Times are from CUDA events: {}.", started.error().message);
  }
  Result<void> done;
  for (int first = 0; first < request.count && done; first += group)
    done = time_group(prepared, request, first, std::min(group, request.count - first), samples);
  if (!recording || context_->lost()) return done;

  const auto records = recorder_->stop();
  if (!done) return done;
  const std::vector<double> spans =
      records ? sample_spans(*records, request.count, request.flush != Flush::none) : std::vector<double>{};
  if (spans.empty()) {
    samples.note =
        say("Times are from CUDA events: {}.",
            records ? say("CUPTI's {} records do not add up to {} samples", records->size(), request.count)
                    : records.error().message);
    return {};
  }
  for (std::size_t index = 0; index < spans.size(); ++index) samples.samples[index].device_us = spans[index];
  samples.source = "activity";
  samples.note = {};
  return {};
}

Result<void> CudaStopwatch::time_on_host(PreparedSequence& prepared, const SampleRequest& request,
                                         Samples& samples) {
  auto& end = events_.front().second;
  for (Sample& sample : samples.samples) {
    CUresult result = enqueue_restore(*context_, *prepared.sequence);
    if (result == CUDA_SUCCESS && flusher_) result = flusher_->enqueue(request.flush);
    if (auto done = context_->check(result, phrase("Preparing a sample")); !done) return done;
    if (auto done = context_->synchronize(phrase("Preparing a sample")); !done) return done;
    const auto begin = Clock::now();
    result = enqueue_timed(*context_, prepared);
    if (result == CUDA_SUCCESS) result = end.record();
    if (auto done = context_->check(result, phrase("Launching a timed sequence")); !done) return done;
    if (auto done = wait_for(end, request.time_limit_seconds); !done) return done;
    sample.host_us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  }
  return {};
}

Result<Samples> CudaStopwatch::sample(Module& module, const Sequence& sequence,
                                      const SampleRequest& request) {
  if (auto entered = context_->enter(); !entered) return entered.error();
  auto* code = dynamic_cast<CudaModule*>(&module);
  if (code == nullptr || request.count < 1 || (sequence.launches.empty() && sequence.zero.empty()))
    return Error{ErrorKind::internal,
                 "nothing_to_time",
                 say("There is no launch to be timed."),
                 say("Time a sequence with at least one launch, on the device that loaded its module."),
                 {},
                 0};
  auto prepared = prepare(*context_, *code, sequence, {});
  if (!prepared) return prepared.error();
  if (!prepared->findings.empty())
    return Error{ErrorKind::definition,          "launch_failed", prepared->findings.front().message, {}, {},
                 prepared->findings.front().line};

  if (request.flush != Flush::none && !flusher_) {
    auto flusher = Flusher::open(context_);
    if (!flusher) return flusher.error();
    flusher_ = *std::move(flusher);
  }
  if (!recorder_tried_) {
    recorder_tried_ = true;
    if (context_->driver().overridden) {
      why_no_recorder_ =
          say("Times are from CUDA events: RIDGE_LIBCUDA replaces the driver, which CUPTI would not follow.");
    } else if (auto recorder = ActivityRecorder::open(); recorder) {
      recorder_ = *std::move(recorder);
    } else {
      why_no_recorder_ =
          join(say("Times are from CUDA events: {}.", recorder.error().message), recorder.error().hint);
    }
  }

  Samples samples;
  samples.samples.resize(static_cast<std::size_t>(request.count));
  if (auto done = time_on_device(*prepared, request, samples); !done) return done.error();
  if (request.host_time)
    if (auto done = time_on_host(*prepared, request, samples); !done) return done.error();
  return samples;
}

}  // namespace ridge::device::cuda
