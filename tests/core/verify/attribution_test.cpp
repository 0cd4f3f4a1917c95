// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/attribution.h"

#include <gtest/gtest.h>

#include <numeric>

namespace ridge::verify {
namespace {

device::Sequence two_launches() {
  device::Sequence sequence;
  sequence.launches.resize(2);
  sequence.launches[0].grid = {4, 2, 1};
  sequence.launches[0].block = {16, 4, 1};
  sequence.launches[1].grid = {1000, 1, 1};
  sequence.launches[1].block = {32, 1, 1};
  return sequence;
}

TEST(Attribution, ThreadsHaveCoordinatesWarpAndLane) {
  const Writer writer = writer_from({0, 6, 37}, two_launches());
  EXPECT_EQ(writer.block, (std::array<std::int64_t, 3>{2, 1, 0}));
  EXPECT_EQ(writer.thread, (std::array<std::int64_t, 3>{5, 2, 0}));
  EXPECT_EQ(writer.warp, 1);
  EXPECT_EQ(writer.lane, 5);
}

TEST(Attribution, MapsCountBlocksAndLanesOfEachLaunch) {
  // Elements 64 to 191; wrong are 64 (launch 0), 70 (launch 0), 130 (launch 1) and 191 (nobody).
  device::Writers writers(128);
  writers.note(0, {0, 6, 37});
  writers.note(6, {0, 6, 63});
  writers.note(66, {1, 999, 31});
  const std::uint64_t wrong[3] = {0, 1 | std::uint64_t{1} << 6,
                                  std::uint64_t{1} << 2 | std::uint64_t{1} << 63};
  const auto maps = maps_by_writer("y", wrong, 64, writers, two_launches());
  ASSERT_EQ(maps.size(), 4u);
  EXPECT_EQ(maps[0].kind, MapKind::blocks);
  EXPECT_EQ(maps[0].launch, 0);
  EXPECT_EQ(maps[0].rows, 2);
  EXPECT_EQ(maps[0].columns, 4);
  EXPECT_EQ(maps[0].wrong, (std::vector<std::int64_t>{0, 0, 0, 0, 0, 0, 2, 0}));
  EXPECT_EQ(maps[1].kind, MapKind::threads);
  EXPECT_EQ(maps[1].rows, 2) << "two warps";
  EXPECT_EQ(maps[1].columns, 32);
  EXPECT_EQ(maps[1].wrong[32 + 5], 1);
  EXPECT_EQ(maps[1].wrong[32 + 31], 1);
  EXPECT_EQ(maps[2].launch, 1);
  EXPECT_EQ(maps[2].columns, 1000);
  EXPECT_EQ(maps[2].grid_columns, 64);
  EXPECT_EQ(maps[2].wrong.back(), 1);
  for (const ErrorMap& map : maps) EXPECT_EQ(map.unknown, 1);
}

TEST(Attribution, NoKnownWriterMeansNoMap) {
  const std::uint64_t wrong[1] = {7};
  EXPECT_TRUE(maps_by_writer("y", wrong, 0, device::Writers(64), two_launches()).empty());
}

}  // namespace
}  // namespace ridge::verify
