// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/version.h"
#include "measure/statistics.h"

namespace ridge::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBatch = 16;         ///< samples asked for at once, at most
constexpr int kNoiseSamples = 64;  ///< before the noise itself may count as settled
constexpr double kNoiseChange = 0.05;
constexpr int kHostSamples = 50;  ///< host times are for orientation: no more than this are taken

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool stopped(const Options& options) {
  return options.stop != nullptr && options.stop->load();
}

Error cancelled() {
  return {ErrorKind::cancelled, "cancelled", say("The measurement was stopped."), {}, {}, 0};
}

double spread(const Sampled& sampled) {
  return sampled.q3_us - sampled.q1_us;
}

bool has_settled(const std::vector<double>& samples, const Options& options) {
  const Sampled all = summarise(samples);
  if (all.n < std::max(options.min_samples, 2) || all.median_us <= 0) return false;
  if (0.93 * spread(all) / std::sqrt(all.n) <= options.precision * all.median_us) return true;
  if (all.n < kNoiseSamples) return false;
  const Sampled half = summarise({samples.begin(), samples.begin() + all.n / 2});
  const double noise = spread(all) / all.median_us;
  return half.median_us > 0 && std::abs(spread(half) / half.median_us - noise) < kNoiseChange * noise;
}

/// Samples of one kind, collected batch by batch.
class Sampling {
 public:
  Sampling(device::Stopwatch& stopwatch, device::Module& module, const device::Sequence& sequence,
           const Options& options, device::Flush flush, bool with_host)
      : stopwatch_(stopwatch),
        module_(module),
        sequence_(sequence),
        options_(options),
        flush_(flush),
        with_host_(with_host) {}

  /// `seconds_a_sample`: what one is expected to take, so that a batch does not outrun the time limit.
  Result<void> run(double seconds_a_sample) {
    const auto begin = Clock::now();
    double pause = options_.pause_seconds;
    while (true) {
      if (stopped(options_)) return cancelled();
      const double left = options_.max_seconds - seconds_since(begin);
      const int taken = static_cast<int>(steady_.size() + throttled_.size());
      const double fits = seconds_a_sample > 0 ? left / seconds_a_sample : kBatch;
      const int size = std::min(static_cast<int>(std::clamp(fits, 1.0, static_cast<double>(kBatch))),
                                std::max(options_.max_samples - taken, 1));
      const auto batch_begin = Clock::now();
      const std::size_t steady_before = steady_.size();
      if (auto done = take(size); !done) return done;
      seconds_a_sample = seconds_since(batch_begin) / size;

      if (has_settled(times(steady_), options_)) return finish("settled");
      if (static_cast<int>(steady_.size() + throttled_.size()) >= options_.max_samples) return finish("cap");
      if (seconds_since(begin) >= options_.max_seconds) return finish("time limit");
      if (steady_.size() == steady_before && pause > 0) {
        std::this_thread::sleep_for(std::chrono::duration<double>(pause));
        pause = std::min(2 * pause, 10 * options_.pause_seconds);
      }
    }
  }

  Sampled device_time;
  std::optional<Sampled> host_time;
  Sentence note;

 private:
  static std::vector<double> times(const std::vector<device::Sample>& samples) {
    std::vector<double> result;
    for (const auto& sample : samples) result.push_back(sample.device_us);
    return result;
  }

  Result<void> take(int count) {
    device::SampleRequest request;
    request.flush = flush_;
    request.count = count;
    request.time_limit_seconds = options_.time_limit_seconds;
    request.host_time = with_host_ && host_us_.size() < kHostSamples;
    auto batch = stopwatch_.sample(module_, sequence_, request);
    if (!batch) return batch.error();
    if (batch->samples.empty())
      return Error{ErrorKind::internal, "no_samples", say("The device returned no samples."), {}, {}, 0};
    // Times of two clocks are never mixed: the newer source replaces what there was.
    if (!device_time.source.empty() && device_time.source != batch->source) {
      steady_.clear();
      throttled_.clear();
    }
    device_time.source = batch->source;
    note = batch->note;
    for (const device::Sample& sample : batch->samples) {
      (sample.throttled ? throttled_ : steady_).push_back(sample);
      if (request.host_time && sample.host_us > 0) host_us_.push_back(sample.host_us);
    }
    return {};
  }

  Result<void> finish(const std::string& why) {
    int dropped = static_cast<int>(throttled_.size());
    if (static_cast<int>(steady_.size()) < options_.min_samples && dropped > 0) {
      note =
          join(note, say("{} of {} samples ran on a throttled GPU; too few others remained, so all are kept.",
                         dropped, steady_.size() + throttled_.size()));
      steady_.insert(steady_.end(), throttled_.begin(), throttled_.end());
      dropped = 0;
    }
    const std::string source = device_time.source;
    device_time = summarise(times(steady_));
    device_time.source = source;
    device_time.dropped = dropped;
    device_time.stopped_because = why;
    device_time.flush = name_of(flush_);
    if (std::all_of(steady_.begin(), steady_.end(), [](const auto& sample) { return sample.sm_mhz > 0; }))
      for (const auto& sample : steady_) device_time.sm_mhz.push_back(sample.sm_mhz);
    if (!host_us_.empty()) {
      host_time = summarise(host_us_);
      host_time->source = "host";
      host_time->flush = device_time.flush;
      host_time->stopped_because = why;
    }
    return {};
  }

  device::Stopwatch& stopwatch_;
  device::Module& module_;
  const device::Sequence& sequence_;
  const Options& options_;
  device::Flush flush_;
  bool with_host_;
  std::vector<device::Sample> steady_, throttled_;
  std::vector<double> host_us_;
};

/// Executes without keeping times; the seconds that one execution took.
Result<double> warm_up(device::Stopwatch& stopwatch, device::Module& module, const device::Sequence& sequence,
                       const Options& options) {
  const auto begin = Clock::now();
  device::SampleRequest request;
  request.flush = device::Flush::none;
  request.time_limit_seconds = options.time_limit_seconds;
  request.host_time = false;
  double one = 0;
  do {
    if (stopped(options)) return cancelled();
    const auto batch_begin = Clock::now();
    if (auto batch = stopwatch.sample(module, sequence, request); !batch) return batch.error();
    one = seconds_since(batch_begin) / request.count;
    request.count = std::min(2 * request.count, kBatch);
  } while (seconds_since(begin) < options.warm_up_seconds);
  return one;
}

void add_note(Sentence& notes, const Sentence& note) {
  if (notes.english().find(note.english()) == std::string::npos) notes = join(notes, note);
}

}  // namespace

Result<Timing> measure(device::Stopwatch& stopwatch, device::Module& module, const device::Sequence& sequence,
                       const Options& options) {
  const auto seconds = warm_up(stopwatch, module, sequence, options);
  if (!seconds) return seconds.error();

  Timing timing;
  timing.protocol = kMeasureProtocol;
  std::optional<Error> cold_error;
  if (options.flush != device::Flush::none) {
    Sampling cold(stopwatch, module, sequence, options, options.flush, true);
    if (auto done = cold.run(*seconds); done) {
      timing.cold = std::move(cold.device_time);
      timing.launch_inclusive = std::move(cold.host_time);
    } else if (done.error().kind == ErrorKind::cancelled) {
      return done.error();
    } else {
      cold_error = done.error();
      add_note(timing.note, say("There is no cold time: {}", cold_error->message));
    }
    add_note(timing.note, cold.note);
  } else {
    add_note(timing.note, say("There is no cold time: no flush was asked for."));
  }
  const device::Health health = stopwatch.health();
  timing.memory_mhz = health.memory_mhz;
  timing.temperature_c = health.temperature_c;
  timing.power_w = health.power_w;
  timing.throttle_reasons = health.throttle_reasons;

  Sampling warm(stopwatch, module, sequence, options, device::Flush::none,
                !timing.launch_inclusive.has_value());
  if (auto done = warm.run(*seconds); done) {
    timing.warm = std::move(warm.device_time);
    if (!timing.launch_inclusive) timing.launch_inclusive = std::move(warm.host_time);
  } else {
    // A device that is lost was lost by the first failure.
    if (!timing.cold) return cold_error ? *cold_error : done.error();
    if (done.error().kind == ErrorKind::cancelled) return done.error();
    add_note(timing.note, say("There is no warm time: {}", done.error().message));
  }
  add_note(timing.note, warm.note);

  const auto& clocked = timing.cold ? timing.cold : timing.warm;
  if (const double mhz = median(clocked->sm_mhz); mhz > 0)
    timing.sm_mhz = mhz;
  else
    timing.sm_mhz = health.sm_mhz;
  return timing;
}

}  // namespace ridge::measure
