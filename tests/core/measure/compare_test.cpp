// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ridge::measure {
namespace {

/// Twenty samples from `low` in even steps of `step`, at one clock (0: unknown).
Sampled sampled(double low, double step, double mhz = 1980) {
  std::vector<double> samples;
  for (int index = 0; index < 20; ++index) samples.push_back(low + step * index);
  Sampled result = summarise(std::move(samples));
  result.source = "activity";
  result.flush = "read";
  if (mhz > 0) result.sm_mhz.assign(20, mhz);
  return result;
}

TEST(Compare, ApartAndConfirmedInCyclesIsFasterOrSlower) {
  const Comparison faster = compare(sampled(100, 0.1), sampled(90, 0.1));
  EXPECT_EQ(faster.verdict, Verdict::faster);
  EXPECT_TRUE(faster.confirmed_in_cycles);
  ASSERT_TRUE(faster.ratio);
  EXPECT_NEAR(*faster.ratio, 90.95 / 100.95, 1e-12);
  EXPECT_EQ(faster.sentence,
            "FASTER: median 90.950 us against 100.950 us (-9.9 %), confirmed in clock cycles.");
  EXPECT_EQ(compare(sampled(90, 0.1), sampled(100, 0.1)).verdict, Verdict::slower);
}

TEST(Compare, FasterOnlyByTheClockIsNoVerdict) {
  // 10 % less time at a 15 % higher clock: more cycles than before.
  const Comparison comparison = compare(sampled(100, 0.1, 1700), sampled(90, 0.1, 1980));
  EXPECT_EQ(comparison.verdict, Verdict::cannot_tell);
  EXPECT_NE(comparison.sentence.find("1980 against 1700 MHz"), std::string::npos) << comparison.sentence;
}

TEST(Compare, WithoutClocksTheSentenceSaysSo) {
  const Comparison comparison = compare(sampled(100, 0.1, 0), sampled(90, 0.1, 0));
  EXPECT_EQ(comparison.verdict, Verdict::faster);
  EXPECT_FALSE(comparison.confirmed_in_cycles);
  EXPECT_NE(comparison.sentence.find("clocks are unknown"), std::string::npos);
}

TEST(Compare, AGapUnderHalfAPercentDoesNotCount) {
  // Intervals [100, 100.015] and [100.3, 100.315]: apart, but by 0.3 %.
  const Comparison comparison = compare(sampled(100, 0.001), sampled(100.3, 0.001));
  EXPECT_EQ(comparison.verdict, Verdict::same) << comparison.sentence;
  EXPECT_EQ(compare(sampled(100, 0.001), sampled(100.6, 0.001)).verdict, Verdict::slower);
}

TEST(Compare, EqualSamplesAreTheSame) {
  const Comparison comparison = compare(sampled(100, 0.05), sampled(100, 0.05));
  EXPECT_EQ(comparison.verdict, Verdict::same);
  EXPECT_EQ(comparison.ratio, 1);
}

TEST(Compare, OverlappingNoiseCannotTell) {
  const Comparison comparison = compare(sampled(100, 2), sampled(110, 2));
  EXPECT_EQ(comparison.verdict, Verdict::cannot_tell);
  EXPECT_NE(comparison.sentence.find("overlap"), std::string::npos);
  EXPECT_TRUE(comparison.ratio);
}

TEST(Compare, DifferentClocksOrFlushesAreNotCompared) {
  Sampled event = sampled(90, 0.1);
  event.source = "event";
  EXPECT_EQ(compare(sampled(100, 0.1), event).verdict, Verdict::cannot_tell);
  Sampled dirty = sampled(90, 0.1);
  dirty.flush = "write";
  const Comparison comparison = compare(sampled(100, 0.1), dirty);
  EXPECT_EQ(comparison.verdict, Verdict::cannot_tell);
  EXPECT_FALSE(comparison.ratio);
  EXPECT_NE(comparison.sentence.find("--flush"), std::string::npos);
}

TEST(Compare, BadNumbersNeverGiveNaN) {
  Sampled bad = sampled(100, 0.1);
  bad.samples_us.assign(20, std::numeric_limits<double>::quiet_NaN());
  Sampled zero = sampled(100, 0.1);
  zero.samples_us.assign(20, 0.0);
  for (const Sampled& other : {bad, zero, Sampled{}}) {
    for (const Comparison& comparison : {compare(other, sampled(1, 0)), compare(sampled(1, 0), other)}) {
      EXPECT_EQ(comparison.verdict, Verdict::cannot_tell);
      EXPECT_FALSE(comparison.sentence.empty());
      EXPECT_EQ(comparison.sentence.find("nan"), std::string::npos);
      EXPECT_TRUE(!comparison.ratio || std::isfinite(*comparison.ratio));
    }
  }
}

TEST(Compare, TooFewSamplesCannotTell) {
  Sampled few = summarise({1, 1, 1, 1});
  few.source = "activity";
  few.flush = "read";
  EXPECT_EQ(compare(sampled(100, 0), few).verdict, Verdict::cannot_tell);
}

TEST(Compare, JsonHoldsVerdictAndSentence) {
  const Json json = to_json(compare(sampled(100, 0.1), sampled(90, 0.1)));
  EXPECT_EQ(json.at("verdict"), "FASTER");
  EXPECT_TRUE(json.at("confirmed_in_cycles").get<bool>());
  EXPECT_TRUE(to_json(compare({}, sampled(1, 0))).at("ratio").is_null());
}

}  // namespace
}  // namespace ridge::measure
