// SPDX-License-Identifier: GPL-3.0-or-later
// Expected values by hand from the rules of NVIDIA's occupancy calculator.
#include <gtest/gtest.h>

#include "compile/compile.h"

namespace ridge::compile {
namespace {

hardware::LaunchLimits ada() {
  hardware::LaunchLimits limits;
  limits.max_threads_per_sm = 1536;
  limits.max_blocks_per_sm = 24;
  limits.shared_bytes_per_sm = 102400;
  limits.shared_bytes_per_block_optin = 101376;
  return limits;
}

TEST(Occupancy, FullWhenNothingIsScarce) {
  const Occupancy occupancy =
      compile::occupancy({}, 32, 256, 0);  // 32 x 32 = 1024 registers a warp: 64 warps
  EXPECT_EQ(occupancy.blocks_per_sm, 8);
  EXPECT_EQ(occupancy.warps_per_sm, 64);
  EXPECT_DOUBLE_EQ(occupancy.fraction, 1);
  EXPECT_EQ(occupancy.limiter, "threads");
}

TEST(Occupancy, RegistersAreGivenOutIn256) {
  // 33 registers: 1056, rounded up to 1280 a warp; 65536 / 1280 = 51 warps, a multiple of 4: 48; blocks of 8
  // warps: 6.
  const Occupancy occupancy = compile::occupancy({}, 33, 256, 0);
  EXPECT_EQ(occupancy.blocks_per_sm, 6);
  EXPECT_DOUBLE_EQ(occupancy.fraction, 0.75);
  EXPECT_EQ(occupancy.limiter, "registers");
}

TEST(Occupancy, AThousandThreadsOf64RegistersJustFit) {
  EXPECT_EQ(compile::occupancy({}, 64, 1024, 0).blocks_per_sm, 1);
  EXPECT_EQ(compile::occupancy({}, 72, 1024, 0).blocks_per_sm, 0);
  EXPECT_EQ(compile::occupancy({}, 128, 1024, 0).fraction, 0);
  EXPECT_EQ(compile::occupancy({}, 128, 512, 0).blocks_per_sm, 1);
}

TEST(Occupancy, SharedMemoryCountsTheDriversKilobyte) {
  // H100: 48 KB + 1 KB = 50176 bytes; 233472 / 50176 = 4 blocks.
  const Occupancy occupancy = compile::occupancy({}, 32, 256, 49152);
  EXPECT_EQ(occupancy.blocks_per_sm, 4);
  EXPECT_EQ(occupancy.limiter, "shared memory");
  EXPECT_EQ(compile::occupancy({}, 32, 256, 232448).blocks_per_sm, 1);
  EXPECT_EQ(compile::occupancy({}, 32, 256, 232449).blocks_per_sm, 0);
}

TEST(Occupancy, SmallBlocksRunOutOfBlockSlots) {
  const Occupancy hopper = compile::occupancy({}, 16, 32, 0);
  EXPECT_EQ(hopper.blocks_per_sm, 32);
  EXPECT_DOUBLE_EQ(hopper.fraction, 0.5);
  EXPECT_EQ(hopper.limiter, "blocks");
  EXPECT_EQ(compile::occupancy(ada(), 16, 32, 0).blocks_per_sm, 24);
}

TEST(Occupancy, ABlockOfOneThreadTakesAWarp) {
  EXPECT_EQ(compile::occupancy({}, 16, 1, 0).warps_per_sm, 32);
  EXPECT_EQ(compile::occupancy({}, 16, 33, 0).warps_per_sm, 64);
}

TEST(Occupancy, AdaHolds48Warps) {
  EXPECT_DOUBLE_EQ(compile::occupancy(ada(), 40, 256, 0).fraction, 1);  // 1280 a warp: 48 warps exactly
  EXPECT_EQ(compile::occupancy(ada(), 40, 1024, 0).blocks_per_sm, 1);
}

TEST(Occupancy, ImpossibleBlocksHaveNone) {
  EXPECT_EQ(compile::occupancy({}, 16, 2048, 0).blocks_per_sm, 0);
  EXPECT_EQ(compile::occupancy({}, 16, 0, 0).blocks_per_sm, 0);
  EXPECT_EQ(compile::occupancy({}, 256, 32, 0).blocks_per_sm, 0);
}

}  // namespace
}  // namespace ridge::compile
