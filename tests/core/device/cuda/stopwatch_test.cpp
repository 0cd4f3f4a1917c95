// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>

#include "core/device/cuda/fake.h"

namespace ridge::device {
namespace {

using testing::HasSubstr;

class CudaTimes : public FakeMachine {
 protected:
  CudaTimes() { prepare(); }
  void prepare() {
    device = open();
    module = load(*device);
    x = *device->allocate(4 * 1000, "x", 0);
    y = *device->allocate(4 * 1000, "y", 0);
    write_floats(*device, x, std::vector<float>(1000, 2));
    write_floats(*device, y, std::vector<float>(1000, 1));
    sequence.launches = {saxpy(3, x, y, 1000)};
  }
  void prepare(const std::string& rules) {
    module.reset();
    device.reset();
    restart(rules);
    prepare();
  }
  Result<Samples> sample(Flush flush, int count) {
    SampleRequest request;
    request.flush = flush;
    request.count = count;
    return device->stopwatch()->sample(*module, sequence, request);
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<Module> module;
  Address x = 0, y = 0;
  Sequence sequence;
};

class EveryFlush : public CudaTimes, public testing::WithParamInterface<Flush> {};

TEST_P(EveryFlush, GivesAsManySamplesAsAskedFor) {
  const auto samples = sample(GetParam(), 5);
  ASSERT_TRUE(samples) << samples.error().message;
  ASSERT_EQ(samples->samples.size(), 5u);
  for (const Sample& taken : samples->samples) {
    EXPECT_GT(taken.device_us, 0);
    EXPECT_GT(taken.host_us, 0);
    EXPECT_FALSE(taken.throttled);
  }
  EXPECT_EQ(samples->source, "event");
  EXPECT_THAT(samples->note.english(), HasSubstr("CUDA events"));
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryFlush, testing::Values(Flush::read, Flush::write, Flush::none),
                         [](const auto& test) {
                           return test.param == Flush::read    ? "Read"
                                  : test.param == Flush::write ? "Write"
                                                               : "None";
                         });

TEST_F(CudaTimes, EachSampleStartsFromRestoredBuffers) {
  sequence.restore = {{y, x, 4000}};
  ASSERT_TRUE(sample(Flush::read, 3));
  EXPECT_EQ(read_floats(*device, y, 1)[0], 8) << "2 + 3 x 2, once";
  ASSERT_TRUE(sample(Flush::none, 3));
  EXPECT_EQ(read_floats(*device, y, 1)[0], 8);
}

TEST_F(CudaTimes, HostTimesAreTakenOnlyWhenAskedFor) {
  SampleRequest request;
  request.host_time = false;
  const auto samples = device->stopwatch()->sample(*module, sequence, request);
  ASSERT_TRUE(samples);
  EXPECT_EQ(samples->samples[0].host_us, 0);
  EXPECT_GT(samples->samples[0].device_us, 0);
}

TEST_F(CudaTimes, ALaunchBeyondTheLimitsIsRefused) {
  sequence.launches[0].block = {2048, 1, 1};
  const auto samples = sample(Flush::none, 1);
  ASSERT_FALSE(samples);
  EXPECT_EQ(samples.error().code, "launch_failed");
  EXPECT_THAT(samples.error().message.english(), HasSubstr("2048"));
}

TEST_F(CudaTimes, NothingToTimeIsAnError) {
  sequence = {};
  const auto samples = sample(Flush::none, 1);
  ASSERT_FALSE(samples);
  EXPECT_EQ(samples.error().code, "nothing_to_time");
}

TEST_F(CudaTimes, AHungSampleIsATimeout) {
  prepare("kernel:hang@2");
  SampleRequest request;
  request.flush = Flush::none;
  request.count = 3;
  request.time_limit_seconds = 0.2;
  const auto samples = device->stopwatch()->sample(*module, sequence, request);
  ASSERT_FALSE(samples);
  EXPECT_EQ(samples.error().code, "timeout");
  EXPECT_EQ(sample(Flush::none, 1).error().code, "device_lost");
}

TEST_F(CudaTimes, AFaultWhileTimingNamesItsKind) {
  prepare("kernel:700@2");
  const auto samples = sample(Flush::none, 3);
  ASSERT_FALSE(samples);
  EXPECT_EQ(samples.error().code, "out_of_bounds");
}

TEST_F(CudaTimes, AFlushThatDoesNotFitIsOutOfMemoryAndTheDeviceStays) {
  // The two buffers of the fixture come first.
  prepare("cuMemAlloc_v2:2@3");
  const auto cold = sample(Flush::read, 1);
  ASSERT_FALSE(cold);
  EXPECT_EQ(cold.error().code, "out_of_memory");
  EXPECT_TRUE(sample(Flush::none, 1));
}

TEST_F(CudaTimes, AFailedLaunchOpensTheGate) {
  prepare("cuLaunchKernelEx:701");
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < 40; ++round) EXPECT_FALSE(sample(Flush::none, 1));
  EXPECT_EQ(read_floats(*device, y, 1)[0], 1);
  // A gate that stays closed holds the stream for a second.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(CudaTimes, HealthNeverInvents) {
  const Health health = device->stopwatch()->health();
  EXPECT_FALSE(health.temperature_c) << "the fake's UUID is no GPU of this machine";
  EXPECT_FALSE(health.power_w);
  EXPECT_TRUE(health.throttle_reasons.empty());
}

}  // namespace
}  // namespace ridge::device
