// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/statistics.h"

#include <gtest/gtest.h>

#include <limits>

#include "measure/timing.h"

namespace ridge::measure {
namespace {

TEST(Summarise, MatchesType7OfHyndmanAndFan) {
  // R: quantile(c(1, 2, 3, 4, 10), c(.25, .5, .75), type = 7) is 2, 3, 4.
  const Sampled odd = summarise({10, 2, 4, 1, 3});
  EXPECT_DOUBLE_EQ(odd.q1_us, 2);
  EXPECT_DOUBLE_EQ(odd.median_us, 3);
  EXPECT_DOUBLE_EQ(odd.q3_us, 4);
  EXPECT_EQ(odd.n, 5);
  // R: quantile(c(1, 2, 3, 4), …, type = 7) is 1.75, 2.5, 3.25.
  const Sampled even = summarise({4, 3, 2, 1});
  EXPECT_DOUBLE_EQ(even.q1_us, 1.75);
  EXPECT_DOUBLE_EQ(even.median_us, 2.5);
  EXPECT_DOUBLE_EQ(even.q3_us, 3.25);
}

TEST(Summarise, KeepsSamplesInTheOrderInWhichTheyWereTaken) {
  EXPECT_EQ(summarise({3, 1, 2}).samples_us, (std::vector<double>{3, 1, 2}));
}

TEST(Summarise, OfNothingIsZero) {
  const Sampled nothing = summarise({});
  EXPECT_EQ(nothing.n, 0);
  EXPECT_EQ(nothing.median_us, 0);
  EXPECT_EQ(nothing.q1_us, 0);
  EXPECT_EQ(nothing.q3_us, 0);
}

TEST(Summarise, OfOneSampleIsThatSample) {
  const Sampled one = summarise({7.5});
  EXPECT_EQ(one.q1_us, 7.5);
  EXPECT_EQ(one.median_us, 7.5);
  EXPECT_EQ(one.q3_us, 7.5);
}

TEST(Summarise, LeavesOutWhatIsNoNumber) {
  const Sampled some =
      summarise({1, std::numeric_limits<double>::quiet_NaN(), 3, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(some.n, 2);
  EXPECT_EQ(some.median_us, 2);
}

TEST(Median, SkipsUnknownClocks) {
  EXPECT_EQ(median({0, 1980, 1900, 0, 1980}), 1980);
  EXPECT_EQ(median({}), 0);
}

TEST(Quantile, IsHeldBetweenTheEnds) {
  EXPECT_EQ(quantile({1, 2, 3}, -1), 1);
  EXPECT_EQ(quantile({1, 2, 3}, 2), 3);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

}  // namespace
}  // namespace ridge::measure
