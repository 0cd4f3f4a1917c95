// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/nvml.h"

#include <gtest/gtest.h>

namespace ridge::device::cuda {
namespace {

TEST(ClockReasons, IdleAndUserClocksAreNoThrottling) {
  EXPECT_FALSE(is_throttled(0));
  EXPECT_FALSE(is_throttled(0x1)) << "idle";
  EXPECT_FALSE(is_throttled(0x2)) << "application clocks";
}

TEST(ClockReasons, PowerAndHeatAre) {
  for (const std::uint64_t reason : {0x4, 0x8, 0x20, 0x40, 0x80})
    EXPECT_TRUE(is_throttled(reason | 0x1)) << reason;
}

TEST(ClockReasons, HaveNamesForPeople) {
  EXPECT_TRUE(reason_names(0x1).empty());
  EXPECT_EQ(reason_names(0x24), (std::vector<std::string>{"power cap", "thermal slowdown (software)"}));
}

TEST(Nvml, AMissingLibraryIsNoFault) {
  const auto nvml = Nvml::open();
  if (!nvml) SUCCEED() << "this machine has no NVML";
  if (nvml) {
    EXPECT_EQ(nvml->device("GPU-no-such-device"), nullptr);
    EXPECT_FALSE(nvml->sm_mhz(nullptr));
    EXPECT_FALSE(nvml->clock_reasons(nullptr));
  }
}

}  // namespace
}  // namespace ridge::device::cuda
