// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/counter_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::device::cuda {
namespace {

using testing::HasSubstr;

constexpr const char* kAdminOnly = "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nRmLogonRC: 1\n";
constexpr const char* kOpen = "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 0\n";
constexpr const char* kPlainUser = "Name:\tridge\nCapEff:\t0000000000000000\n";
constexpr const char* kSysAdmin = "Name:\tridge\nCapEff:\t0000000000200000\n";
constexpr const char* kPerfmon = "Name:\tridge\nCapEff:\t0000004000000000\n";
// Root of an ordinary container: neither CAP_SYS_ADMIN nor CAP_PERFMON.
constexpr const char* kContainerRoot = "Name:\tridge\nCapEff:\t00000000a80425fb\n";

TEST(CounterAccess, AnOpenDriverServesEverybody) {
  EXPECT_TRUE(counter_access(kOpen, kPlainUser, "550.54.15", 9, 0).allowed);
}

TEST(CounterAccess, OtherwiseTheCapabilityDecides) {
  EXPECT_FALSE(counter_access(kAdminOnly, kPlainUser, "580.95.05", 9, 0).allowed);
  EXPECT_FALSE(counter_access(kAdminOnly, kContainerRoot, "580.95.05", 9, 0).allowed);
  EXPECT_TRUE(counter_access(kAdminOnly, kSysAdmin, "550.54.15", 9, 0).allowed);
}

TEST(CounterAccess, PerfmonCountsFromDriver565) {
  EXPECT_FALSE(counter_access(kAdminOnly, kPerfmon, "560.35.03", 9, 0).allowed);
  EXPECT_TRUE(counter_access(kAdminOnly, kPerfmon, "565.57.01, CUDA 12.7", 9, 0).allowed);
}

TEST(CounterAccess, TheReasonNamesTheRemedy) {
  const auto access = counter_access(kAdminOnly, kPlainUser, "580.95.05", 9, 0);
  EXPECT_THAT(access.why_not.english(),
              AllOf(HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"), HasSubstr("--cap-add=SYS_ADMIN")));
}

TEST(CounterAccess, MissingFilesMeanTheDriversDefault) {
  EXPECT_FALSE(counter_access("", "", "", 9, 0).allowed);
  EXPECT_TRUE(counter_access("", kSysAdmin, "", 9, 0).allowed);
}

TEST(CounterAccess, OldGpusHaveNone) {
  const auto access = counter_access(kOpen, kSysAdmin, "580.95.05", 7, 0);
  EXPECT_FALSE(access.allowed);
  EXPECT_THAT(access.why_not.english(), HasSubstr("7.5"));
}

}  // namespace
}  // namespace ridge::device::cuda
