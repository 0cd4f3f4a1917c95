// SPDX-License-Identifier: GPL-3.0-or-later
// Sampling against a stopwatch whose answers are written down.
#include "measure/measure.h"

#include <gtest/gtest.h>

#include <functional>

namespace ridge::measure {
namespace {

using device::Flush;
using device::Sample;

class NoModule final : public device::Module {
  Result<Global> global(const std::string&) override { return Error{}; }
  Result<std::vector<compile::Parameter>> parameters(const std::string&) override { return Error{}; }
  Result<compile::Resources> resources(const std::string&) override { return Error{}; }
};

class ScriptedStopwatch final : public device::Stopwatch {
 public:
  /// The sample with this running number among those of its flush.
  std::function<Sample(Flush, int)> script = [](Flush, int) { return Sample{100, 110, 1980, false}; };
  std::function<std::optional<Error>(Flush)> fails = [](Flush) { return std::nullopt; };
  std::function<std::string(Flush, int)> source = [](Flush, int) { return std::string("activity"); };
  std::string note;
  device::Health state;
  int requests = 0, largest_request = 0, host_requests = 0;

  Result<device::Samples> sample(device::Module&, const device::Sequence&,
                                 const device::SampleRequest& request) override {
    ++requests;
    largest_request = std::max(largest_request, request.count);
    if (request.host_time) ++host_requests;
    if (auto error = fails(request.flush)) return *error;
    device::Samples samples;
    int& taken = request.flush == Flush::none ? warm_taken_ : cold_taken_;
    samples.source = source(request.flush, taken);
    samples.note = note;
    for (int index = 0; index < request.count; ++index) {
      samples.samples.push_back(script(request.flush, taken++));
      if (!request.host_time) samples.samples.back().host_us = 0;
    }
    return samples;
  }
  device::Health health() override { return state; }

 private:
  int cold_taken_ = 0, warm_taken_ = 0;
};

class Measure : public testing::Test {
 protected:
  Measure() {
    options.warm_up_seconds = 0;
    options.pause_seconds = 0;
  }
  Result<Timing> run() { return measure(stopwatch, module, sequence, options); }

  ScriptedStopwatch stopwatch;
  NoModule module;
  device::Sequence sequence;
  Options options;
};

TEST_F(Measure, SteadyTimesSettleSoon) {
  const auto timing = run();
  ASSERT_TRUE(timing);
  ASSERT_TRUE(timing->cold && timing->warm && timing->launch_inclusive);
  EXPECT_EQ(timing->cold->median_us, 100);
  EXPECT_EQ(timing->cold->stopped_because, "settled");
  EXPECT_GE(timing->cold->n, options.min_samples);
  EXPECT_LE(timing->cold->n, 20);
  EXPECT_EQ(timing->cold->source, "activity");
  EXPECT_EQ(timing->cold->flush, "read");
  EXPECT_EQ(timing->warm->flush, "none");
  EXPECT_EQ(timing->launch_inclusive->median_us, 110);
  EXPECT_EQ(timing->launch_inclusive->source, "host");
  EXPECT_EQ(timing->sm_mhz, 1980);
  EXPECT_TRUE(timing->note.empty()) << timing->note;
}

TEST_F(Measure, NoisyTimesTakeMoreSamplesUntilTheNoiseItselfIsKnown) {
  // 15 % between quartiles, for ever: the median is never known to 0.5 %, but the noise soon is.
  stopwatch.script = [](Flush, int index) { return Sample{80.0 + 10 * (index * 7 % 5), 0, 1980, false}; };
  const auto timing = run();
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->cold->stopped_because, "settled");
  EXPECT_GE(timing->cold->n, 64);
  EXPECT_LT(timing->cold->n, options.max_samples);
}

TEST_F(Measure, AGrowingTimeRunsIntoTheCap) {
  stopwatch.script = [](Flush, int index) { return Sample{100.0 + 5 * index, 0, 0, false}; };
  options.max_samples = 50;
  const auto timing = run();
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->cold->stopped_because, "cap");
  EXPECT_EQ(timing->cold->n, 50);
  EXPECT_TRUE(timing->cold->sm_mhz.empty()) << "clocks of 0 are unknown";
}

TEST_F(Measure, TheTimeLimitEndsSamplingEvenBeforeTheLeastNumber) {
  options.max_seconds = 0;
  const auto timing = run();
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->cold->stopped_because, "time limit");
  EXPECT_GE(timing->cold->n, 1);
  EXPECT_LT(timing->cold->n, options.min_samples);
}

TEST_F(Measure, DropsAndCountsThrottledSamples) {
  stopwatch.script = [](Flush, int index) {
    return index % 4 == 0 ? Sample{150, 0, 1200, true} : Sample{100, 0, 1980, false};
  };
  const auto timing = run();
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->cold->median_us, 100);
  EXPECT_EQ(timing->cold->q3_us, 100);
  EXPECT_GT(timing->cold->dropped, 0);
  EXPECT_EQ(timing->cold->sm_mhz.size(), timing->cold->samples_us.size());
}

TEST_F(Measure, AnAlwaysThrottledGpuStillGivesTimesAndSaysSo) {
  stopwatch.script = [](Flush, int) { return Sample{150, 0, 1200, true}; };
  options.max_samples = 40;
  const auto timing = run();
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->cold->n, 40);
  EXPECT_EQ(timing->cold->dropped, 0);
  EXPECT_EQ(timing->cold->median_us, 150);
  EXPECT_NE(timing->note.english().find("throttled"), std::string::npos) << timing->note;
}

TEST_F(Measure, TimesOfTwoClocksAreNeverMixed) {
  stopwatch.source = [](Flush flush, int taken) {
    return flush == Flush::read && taken < 16 ? "activity" : "event";
  };
  stopwatch.script = [](Flush flush, int index) {
    return flush == Flush::read && index < 16 ? Sample{50.0 + index * 10, 0, 0, false}
                                              : Sample{100, 0, 0, false};
  };
  const auto timing = run();
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->cold->source, "event");
  for (const double sample : timing->cold->samples_us) EXPECT_EQ(sample, 100);
}

TEST_F(Measure, AFailureToFlushCostsOnlyTheColdTime) {
  stopwatch.fails = [](Flush flush) -> std::optional<Error> {
    if (flush == Flush::none) return {};
    return Error{ErrorKind::component, "out_of_memory", "The flush buffer does not fit.", {}, {}, 0};
  };
  const auto timing = run();
  ASSERT_TRUE(timing);
  EXPECT_FALSE(timing->cold);
  ASSERT_TRUE(timing->warm);
  EXPECT_TRUE(timing->launch_inclusive);
  EXPECT_NE(timing->note.english().find("The flush buffer does not fit."), std::string::npos);
}

TEST_F(Measure, ALostDeviceIsReportedByItsFirstError) {
  int calls = 0;
  stopwatch.fails = [&calls](Flush) -> std::optional<Error> {
    ++calls;
    if (calls == 1) return {};
    return Error{ErrorKind::component, calls == 2 ? "timeout" : "device_lost", "call", {}, {}, 0};
  };
  const auto timing = run();
  ASSERT_FALSE(timing);
  EXPECT_EQ(timing.error().code, "timeout");
}

TEST_F(Measure, AStopCancels) {
  std::atomic<bool> stop{false};
  options.stop = &stop;
  stopwatch.script = [&stop](Flush flush, int index) {
    if (flush == Flush::read) stop = true;
    return Sample{100.0 + index, 0, 0, false};
  };
  const auto timing = run();
  ASSERT_FALSE(timing);
  EXPECT_EQ(timing.error().kind, ErrorKind::cancelled);
}

TEST_F(Measure, WithoutAFlushThereIsNoColdTimeAndTheNoteSaysWhy) {
  options.flush = Flush::none;
  const auto timing = run();
  ASSERT_TRUE(timing);
  EXPECT_FALSE(timing->cold);
  EXPECT_TRUE(timing->warm);
  EXPECT_TRUE(timing->launch_inclusive);
  EXPECT_NE(timing->note.english().find("no flush"), std::string::npos);
}

TEST_F(Measure, KeepsNoteAndHealth) {
  stopwatch.note = "Times are from CUDA events: no CUPTI.";
  stopwatch.state.temperature_c = 61;
  stopwatch.state.throttle_reasons = {"power cap"};
  const auto timing = run();
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->note, "Times are from CUDA events: no CUPTI.");
  EXPECT_EQ(timing->temperature_c, 61);
  EXPECT_EQ(timing->throttle_reasons.size(), 1u);
  EXPECT_FALSE(timing->power_w);
}

}  // namespace
}  // namespace ridge::measure
