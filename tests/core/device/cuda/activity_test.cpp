// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/activity.h"

#include <gtest/gtest.h>

namespace ridge::device::cuda {
namespace {

using Records = std::vector<ActivityRecord>;
constexpr bool kFlush = true;

TEST(SampleSpans, AColdSampleIsWhatFollowsItsFlush) {
  const Records records{{0, 5000, kFlush},     {5100, 6100},   {6200, 8100},  // a fill and a kernel
                        {9000, 14000, kFlush}, {14100, 15000}, {15000, 17350}};
  EXPECT_EQ(sample_spans(records, 2, true), (std::vector<double>{3.0, 3.25}));
}

TEST(SampleSpans, TheFlushItselfNeverCounts) {
  const Records records{{0, 900000, kFlush}, {900000, 901000}};
  EXPECT_EQ(sample_spans(records, 1, true), (std::vector<double>{1.0}));
}

TEST(SampleSpans, OverlappingKernelsEndWithTheLast) {
  const Records records{{0, 10, kFlush}, {1000, 9000}, {2000, 3000}};
  EXPECT_EQ(sample_spans(records, 1, true), (std::vector<double>{8.0}));
}

TEST(SampleSpans, WarmSamplesShareTheRecordsEqually) {
  const Records records{{0, 1000}, {1500, 2000}, {3000, 4000}, {4500, 6000}};
  EXPECT_EQ(sample_spans(records, 2, false), (std::vector<double>{2.0, 3.0}));
  EXPECT_EQ(sample_spans(records, 4, false), (std::vector<double>{1.0, 0.5, 1.0, 1.5}));
}

TEST(SampleSpans, RecordsThatDoNotAddUpGiveNothing) {
  const Records warm{{0, 1000}, {1500, 2000}, {3000, 4000}};
  EXPECT_TRUE(sample_spans(warm, 2, false).empty());
  EXPECT_TRUE(sample_spans({}, 1, false).empty());
  EXPECT_TRUE(sample_spans({}, 1, true).empty());
  const Records lost{{0, 10, kFlush}, {20, 30, kFlush}, {40, 50}};
  EXPECT_TRUE(sample_spans(lost, 2, true).empty()) << "the first sample has no kernel";
  EXPECT_TRUE(sample_spans(lost, 3, true).empty()) << "a flush is missing";
}

TEST(CuptiCandidates, EndWithTheLoadersOwnPath) {
  const auto candidates = cupti_candidates();
  ASSERT_GE(candidates.size(), 2u);
  EXPECT_EQ(candidates.back(), "libcupti.so.12");
  EXPECT_EQ(candidates[candidates.size() - 2], "libcupti.so.13");
}

}  // namespace
}  // namespace ridge::device::cuda
