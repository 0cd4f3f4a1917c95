// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>

#include "core/device/cuda/fake.h"

namespace ridge::device {
namespace {

using testing::HasSubstr;

class Discover : public FakeMachine {};

TEST_F(Discover, DescribesTheGpu) {
  Sentence why = "unset";
  const auto devices = list_cuda_devices(&why);
  ASSERT_EQ(devices.size(), 1u) << why;
  EXPECT_TRUE(why.empty());
  const DeviceInfo& info = devices[0];
  EXPECT_EQ(info.kind, Kind::cuda);
  EXPECT_EQ(info.id, "cuda:0");
  EXPECT_EQ(info.name, "NVIDIA H200");
  EXPECT_EQ(info.model, "H200");
  EXPECT_EQ(info.arch, "sm_90a");
  EXPECT_EQ(info.uuid, "GPU-f0020304-0506-0708-090a-0b0c0d0e0f10");
  EXPECT_EQ(info.sm_count, 132);
  EXPECT_EQ(info.limits.max_grid[0], 2147483647);
  EXPECT_EQ(info.limits.shared_bytes_per_block_optin, 232448);
  EXPECT_EQ(info.limits.max_cluster, 8);
  EXPECT_FALSE(info.watchdog);
  EXPECT_THAT(info.driver, HasSubstr("CUDA 13.0"));
  EXPECT_EQ(info.counters, info.counters_why_not.empty());
}

TEST_F(Discover, TwoGpusDifferInUuid) {
  restart("", "2");
  const auto devices = list_cuda_devices();
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[1].id, "cuda:1");
  EXPECT_NE(devices[0].uuid, devices[1].uuid);
}

TEST_F(Discover, SaysWhyThereIsNone) {
  restart("", "0");
  Sentence why;
  EXPECT_TRUE(list_cuda_devices(&why).empty());
  EXPECT_THAT(why.english(), AllOf(HasSubstr("sees no GPU"), HasSubstr("CUDA_VISIBLE_DEVICES")));
}

TEST_F(Discover, AMissingDriverIsASentence) {
  setenv("RIDGE_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
  Sentence why;
  EXPECT_TRUE(list_cuda_devices(&why).empty());
  EXPECT_THAT(why.english(), AllOf(HasSubstr("no NVIDIA driver"), HasSubstr("/nonexistent/libcuda.so.1"),
                                   HasSubstr("RIDGE_LIBCUDA")));
  const auto device = open_cuda(0);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().code, "driver_missing");
}

TEST_F(Discover, ALibraryThatIsNoDriverIsRefused) {
  setenv("RIDGE_LIBCUDA", "libm.so.6", 1);
  const auto device = open_cuda(0);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().code, "driver_too_old");
  EXPECT_THAT(device.error().message.english(), HasSubstr("cuInit"));
}

TEST_F(Discover, AMismatchedDriverIsExplained) {
  restart("cuInit:803");
  Sentence why;
  EXPECT_TRUE(list_cuda_devices(&why).empty());
  EXPECT_THAT(why.english(),
              AllOf(HasSubstr("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"), HasSubstr("Restart the machine")));
}

TEST_F(Discover, AnOrdinalBeyondTheLastIsWrongUse) {
  for (const int ordinal : {-1, 1, 99}) {
    const auto device = open_cuda(ordinal);
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().kind, ErrorKind::usage);
    EXPECT_THAT(device.error().message.english(), HasSubstr("cuda:" + std::to_string(ordinal)));
  }
}

TEST_F(Discover, AGpuInExclusiveUseIsExplained) {
  restart("cuDevicePrimaryCtxRetain:46");
  const auto device = open_cuda(0);
  ASSERT_FALSE(device);
  EXPECT_THAT(device.error().message.english(), HasSubstr("exclusive compute mode"));
}

TEST_F(Discover, AnOpenDeviceKnowsItsFreeMemory) {
  const auto device = open();
  ASSERT_TRUE(device);
  EXPECT_GT(device->info().memory_free, 0);
  const auto free = device->free_bytes();
  ASSERT_TRUE(free);
  EXPECT_EQ(*free, device->info().memory_free);
}

}  // namespace
}  // namespace ridge::device
