// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "device/device.h"

namespace ridge::device {
namespace {

using hardware::Finding;
using hardware::Status;
using testing::HasSubstr;

class Limits : public testing::Test {
 protected:
  std::vector<Finding> check() { return check_limits(launch, limits, resources, "k.cu"); }
  /// The message of the only finding.
  std::string only() {
    const auto findings = check();
    if (findings.size() != 1) return "there are " + std::to_string(findings.size()) + " findings";
    EXPECT_EQ(findings[0].status, Status::launch_failed);
    EXPECT_EQ(findings[0].file, "k.cu");
    EXPECT_EQ(findings[0].line, 4);
    return findings[0].message.english();
  }
  Limits() {
    launch.line = 4;
    resources.registers = 32;
  }

  Launch launch;
  hardware::LaunchLimits limits;
  compile::Resources resources;
};

TEST_F(Limits, AnOrdinaryLaunchPasses) {
  launch.grid = {1000000, 65535, 65535};
  launch.block = {32, 8, 4};
  launch.shared_bytes = 200000;
  EXPECT_TRUE(check().empty());
}

TEST_F(Limits, ABlockOf2048ThreadsIsNamedWithAxisAndLimit) {
  launch.block = {2048, 1, 1};
  EXPECT_THAT(only(), AllOf(HasSubstr("block.x is 2048"), HasSubstr("at most 1024")));
}

TEST_F(Limits, AxesThatFitCanMakeTooManyThreads) {
  launch.block = {64, 64, 1};
  EXPECT_THAT(only(), AllOf(HasSubstr("4096 threads"), HasSubstr("1024")));
}

TEST_F(Limits, GridAxesHaveTheirOwnLimits) {
  launch.grid = {1, 70000, 65536};
  const auto findings = check();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_THAT(findings[0].message.english(), AllOf(HasSubstr("grid.y is 70000"), HasSubstr("65535")));
  EXPECT_THAT(findings[1].message.english(), AllOf(HasSubstr("grid.z is 65536"), HasSubstr("65535")));
}

TEST_F(Limits, EmptyAndNegativeExtentsAreRefused) {
  launch.grid = {0, 1, 1};
  EXPECT_THAT(only(), HasSubstr("grid.x is 0"));
  launch.grid = {1, 1, 1};
  launch.block = {32, -3, 1};
  EXPECT_THAT(only(), HasSubstr("block.y is -3"));
}

TEST_F(Limits, RegistersTimesThreadsNameTheLargestBlockThatFits) {
  // 162 registers are handed out as 168: 512 x 168 = 86016 > 65536; 12 warps x 5376 fit.
  resources.registers = 162;
  launch.block = {512, 1, 1};
  EXPECT_THAT(only(), AllOf(HasSubstr("512 threads x 162 registers"), HasSubstr("86016"),
                            HasSubstr("384 threads"), HasSubstr("--maxrregcount=128")));
  launch.block = {384, 1, 1};
  EXPECT_TRUE(check().empty());
}

TEST_F(Limits, LaunchBoundsAreKept) {
  resources.max_threads = 128;
  launch.block = {256, 1, 1};
  EXPECT_THAT(only(), AllOf(HasSubstr("256 threads"), HasSubstr("launch bounds allow 128")));
}

TEST_F(Limits, SharedMemoryIsStaticAndDynamicTogether) {
  resources.shared_bytes = 40000;
  launch.shared_bytes = 200000;
  EXPECT_THAT(only(), AllOf(HasSubstr("200000 bytes of dynamic"), HasSubstr("40000"), HasSubstr("232448")));
  launch.shared_bytes = -1;
  EXPECT_THAT(only(), HasSubstr("cannot be negative"));
  launch.shared_bytes = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(only(), HasSubstr("232448")) << "no overflow";
}

TEST_F(Limits, Clusters) {
  launch.grid = {16, 1, 1};
  launch.cluster = {8, 1, 1};
  EXPECT_TRUE(check().empty());
  launch.cluster = {16, 1, 1};
  EXPECT_TRUE(check().empty()) << "the opt-in to more than the portable size is automatic";
  launch.grid = {32, 1, 1};
  launch.cluster = {32, 1, 1};
  EXPECT_THAT(only(), AllOf(HasSubstr("32 blocks"), HasSubstr("at most 16")));
  launch.grid = {15, 1, 1};
  launch.cluster = {2, 1, 1};
  EXPECT_THAT(only(), AllOf(HasSubstr("grid.x is 15"), HasSubstr("cluster.x = 2")));
  launch.cluster = {0, 1, 1};
  EXPECT_THAT(only(), HasSubstr("cluster.x is 0"));
  launch.cluster = {2, 1, 1};
  limits.max_cluster = 0;
  EXPECT_THAT(only(), HasSubstr("no thread block clusters"));
}

TEST_F(Limits, ProductsDoNotOverflow) {
  limits.max_block = {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max(), 64};
  launch.block = {std::int64_t{1} << 40, std::int64_t{1} << 40, 1};
  EXPECT_THAT(only(), HasSubstr("too large"));
}

}  // namespace
}  // namespace ridge::device
