// SPDX-License-Identifier: GPL-3.0-or-later
// From a job to a run, on the emulator and on a scripted device with a clock.
#include <gmock/gmock.h>

#include "core/bench/requests.h"
#include "support/scripted_device.h"

namespace ridge::bench {
namespace {

using hardware::Status;
using testing::HasSubstr;

/// Every sample takes the same time.
class Metronome final : public device::Stopwatch {
 public:
  explicit Metronome(double us) : us_(us) {}
  Result<device::Samples> sample(device::Module&, const device::Sequence&,
                                 const device::SampleRequest& request) override {
    device::Samples samples;
    samples.source = "event";
    for (int i = 0; i < request.count; ++i) samples.samples.push_back({us_, us_ + 5, 1980, false});
    return samples;
  }
  device::Health health() override { return {}; }

 private:
  double us_;
};

class Execute : public PipelineTest {
 protected:
  /// A device on which saxpy's candidate multiplies by `factor` and whose clock reads `us`.
  static test::ScriptedDevice scripted(double us, double factor = 1) {
    test::ScriptedDevice device;
    device.clock = std::make_unique<Metronome>(us);
    const auto kernel = [](auto zero, double scale) {
      return [scale](const test::ScriptedDevice::Call& call) {
        const auto* x = call.pointer<float>(0);
        const auto* y = call.pointer<float>(1);
        auto* z = call.pointer<decltype(zero)>(2);
        for (int i = 0; i < call.value<int>(4); ++i)
          z[i] =
              static_cast<decltype(zero)>(scale * (static_cast<double>(call.value<float>(3)) * x[i] + y[i]));
        return device::LaunchOutcome{};
      };
    };
    device.kernels["_Z11saxpy_naivePKfS0_Pffi"] = kernel(float{}, factor);
    device.kernels["_Z15saxpy_referencePKfS0_Pdfi"] = kernel(double{}, 1);
    return device;
  }

  session::Run run(device::Device& device, const Job& job) {
    auto result = execute(device, job);
    EXPECT_TRUE(result.ok()) << (result ? "" : result.error().message);
    return result ? std::move(*result) : session::Run{};
  }
};

TEST_F(Execute, TheEmulatorGivesAVerdictCountersAndTheModelsViewButNoTime) {
  const session::Run result = run(emulator(), job(saxpy()));
  EXPECT_EQ(result.verdict.status, Status::pass) << result.verdict.message;
  EXPECT_FALSE(result.timing.has_value());
  EXPECT_FALSE(result.model.datasheet.sol_percent.has_value());
  EXPECT_EQ(result.model.datasheet.bound, "memory");
  EXPECT_EQ(result.counter_source, "emulator");
  EXPECT_EQ(result.counters.at("flops_fp32"), 14);
  ASSERT_TRUE(result.resources.has_value());
  EXPECT_GT(result.resources->registers, 0);
  ASSERT_TRUE(result.occupancy.has_value());
  EXPECT_GT(result.occupancy->fraction, 0);
}

TEST_F(Execute, AJobThatTravelsGivesTheSameRun) {
  const Job here = job(saxpy());
  const auto there = job_from_json(Json::parse(to_json(here).dump()));
  ASSERT_TRUE(there.ok());
  const session::Run a = run(emulator(), here), b = run(emulator(), *there);
  EXPECT_EQ(a.verdict.status, b.verdict.status);
  EXPECT_EQ(a.verdict.mse, b.verdict.mse);
  EXPECT_EQ(a.counters, b.counters);
  EXPECT_EQ(a.source.hash, b.source.hash);
}

TEST_F(Execute, AJobInWordsOfANewerReleaseIsRefusedByName) {
  const Json sound = to_json(job(saxpy()));
  for (const char* place : {"/options/flush", "/source/language", "/problem/unit"}) {
    Json newer = sound;
    newer[Json::json_pointer(place)] = "splendid";
    const auto there = job_from_json(newer);
    ASSERT_FALSE(there.ok()) << place;
    EXPECT_THAT(there.error().message.english(), HasSubstr("'splendid'"));
  }
}

TEST_F(Execute, WhatNoMemoryHoldsIsSaidBeforeAnythingIsAllocated) {
  test::ScriptedDevice device = scripted(10);
  device.set_free(100);
  const session::Run result = run(device, job(saxpy()));
  EXPECT_EQ(result.verdict.status, Status::out_of_memory);
  EXPECT_THAT(result.verdict.message.english(),
              HasSubstr("free 100 bytes (with the reference's outputs). Choose"));
  EXPECT_TRUE(device.allocations.empty());
}

TEST_F(Execute, AGridBeyondTheDevicesLimitsIsALaunchThatFails) {
  const session::Run result =
      run(emulator(),
          job(saxpy("//@ grid: 1\n//@ block: 2048\n"
                    "__global__ void k(const float* x, const float* y, float* z, float alpha, int n) {}\n")));
  EXPECT_EQ(result.verdict.status, Status::launch_failed);
  EXPECT_EQ(result.verdict.line, 2);
  EXPECT_THAT(result.verdict.message.english(), HasSubstr("1024"));
}

TEST_F(Execute, AClockGivesATimeAndASpeedOfLight) {
  test::ScriptedDevice device = scripted(10);
  const session::Run result = run(device, job(saxpy()));
  EXPECT_EQ(result.verdict.status, Status::pass) << result.verdict.message;
  ASSERT_TRUE(result.timing && result.timing->cold);
  EXPECT_EQ(result.timing->cold->median_us, 10);
  ASSERT_TRUE(result.model.datasheet.sol_percent && result.model.datasheet.t_sol_us);
  EXPECT_NEAR(*result.model.datasheet.sol_percent, 100 * *result.model.datasheet.t_sol_us / 10, 1e-9);
}

TEST_F(Execute, AWrongAnswerIsNotTimed) {
  test::ScriptedDevice device = scripted(10, 1.5);
  const session::Run result = run(device, job(saxpy()));
  EXPECT_EQ(result.verdict.status, Status::wrong_values);
  EXPECT_FALSE(result.timing.has_value());
}

TEST_F(Execute, ATimeBelowPhysicsIsSuspect) {
  test::ScriptedDevice device = scripted(1e-6);
  const session::Run result = run(device, job(saxpy()));
  EXPECT_EQ(result.verdict.status, Status::suspect);
  EXPECT_TRUE(result.timing.has_value()) << "what was measured is kept";
}

TEST_F(Execute, AskedNotToMeasureItOnlyJudges) {
  options.measure = false;
  test::ScriptedDevice device = scripted(10);
  const session::Run result = run(device, job(saxpy()));
  EXPECT_EQ(result.verdict.status, Status::pass);
  EXPECT_FALSE(result.timing.has_value());
}

TEST_F(Execute, StopEndsItAsCancelled) {
  test::ScriptedDevice device = scripted(10);
  const std::atomic<bool> stop = true;
  const auto result = execute(device, job(saxpy()), {}, &stop);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace ridge::bench
