// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace ridge;
using namespace ridge::verify;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::byte> bytes_of(DType dtype, const std::vector<double>& values) {
  std::vector<std::byte> data(values.size() * size_of(dtype));
  for (std::size_t i = 0; i < values.size(); ++i) store_from_double(dtype, data, i, values[i]);
  return data;
}

Difference compare(DType dtype, const std::vector<double>& got, const std::vector<double>& expected,
                   double atol, double rtol = 0, DType reference = DType::float64) {
  const auto got_bytes = bytes_of(dtype, got);
  const auto expected_bytes = bytes_of(reference, expected);
  Tolerance tolerance;
  tolerance.tensor = "y";
  tolerance.atol = atol;
  tolerance.rtol = rtol;
  Comparison comparison(tolerance, {static_cast<std::int64_t>(got.size())});
  comparison.add({dtype, got_bytes}, {reference, expected_bytes}, 0, 1);
  return comparison.result();
}

TEST(Compare, WithinToleranceIsNoMismatch) {
  const Difference difference = compare(DType::float32, {1, 2.0625, -3}, {1, 2, -3}, 0.0625);
  EXPECT_EQ(difference.elements, 3);
  EXPECT_EQ(difference.mismatches, 0);
  EXPECT_DOUBLE_EQ(difference.max_abs, 0.0625);
  EXPECT_DOUBLE_EQ(difference.max_rel, 0.03125);
  EXPECT_DOUBLE_EQ(difference.margin, 1);
  EXPECT_DOUBLE_EQ(difference.mse(), 0.0625 * 0.0625 / 3);
  EXPECT_FALSE(difference.map.has_value());
}

TEST(Compare, AMismatchIsNamedWithIndexAndValues) {
  const Difference difference = compare(DType::float32, {1, 2.5, -3}, {1, 2, -3}, 0.25);
  ASSERT_EQ(difference.mismatches, 1);
  ASSERT_EQ(difference.first.size(), 1u);
  EXPECT_EQ(difference.first[0].index, std::vector<std::int64_t>{1});
  EXPECT_EQ(difference.first[0].expected, 2);
  EXPECT_EQ(difference.first[0].got, 2.5);
  EXPECT_EQ(difference.margin, 2);
}

TEST(Compare, UlpsAreThoseOfTheOutputType) {
  EXPECT_DOUBLE_EQ(compare(DType::float32, {1 + 0x1p-22}, {1}, 1).max_ulp, 2);
  EXPECT_DOUBLE_EQ(compare(DType::float16, {1 + 0x1p-9}, {1}, 1).max_ulp, 2);
  EXPECT_DOUBLE_EQ(compare(DType::bfloat16, {1 + 0x1p-7}, {1}, 1).max_ulp, 1);
  EXPECT_DOUBLE_EQ(compare(DType::float64, {1 + 0x1p-51}, {1}, 1).max_ulp, 2);
  EXPECT_DOUBLE_EQ(compare(DType::int32, {7}, {4}, 10, 0, DType::int32).max_ulp, 3);
}

struct ClassPair {
  double got, expected;
  bool same;
};
class Classes : public testing::TestWithParam<ClassPair> {};

// onnxruntime 31761: |Inf - x| <= Inf accepts anything, Inf against Inf is rejected. The class comes first.
TEST_P(Classes, ComeBeforeTheDistance) {
  const ClassPair pair = GetParam();
  const Difference difference = compare(DType::float32, {0, pair.got}, {0, pair.expected}, 1e30, 1e30);
  EXPECT_EQ(difference.mismatches, pair.same ? 0 : 1);
  EXPECT_EQ(difference.nans, std::isnan(pair.got) && !std::isnan(pair.expected) ? 1 : 0);
}
INSTANTIATE_TEST_SUITE_P(AllSixteen, Classes,
                         testing::Values(ClassPair{1, 1, true}, ClassPair{1, kNan, false},
                                         ClassPair{1, kInf, false}, ClassPair{1, -kInf, false},
                                         ClassPair{kNan, 1, false}, ClassPair{kNan, kNan, true},
                                         ClassPair{kNan, kInf, false}, ClassPair{kNan, -kInf, false},
                                         ClassPair{kInf, 1, false}, ClassPair{kInf, kNan, false},
                                         ClassPair{kInf, kInf, true}, ClassPair{kInf, -kInf, false},
                                         ClassPair{-kInf, 1, false}, ClassPair{-kInf, kNan, false},
                                         ClassPair{-kInf, kInf, false}, ClassPair{-kInf, -kInf, true}));

TEST(Compare, NanShowsInTheMeanSquaredError) {
  EXPECT_TRUE(std::isnan(compare(DType::float32, {kNan, 1}, {0, 1}, 1).mse()));
  EXPECT_EQ(compare(DType::float32, {kInf, 1}, {0, 1}, 1).mse(), kInf);
}

TEST(Compare, WideIntegersAreExact) {
  const std::int64_t large = (std::int64_t{1} << 60) + 1;
  std::vector<std::byte> got(16), expected(16);
  const std::int64_t a[2] = {large, 5}, b[2] = {large - 1, 5};
  std::memcpy(got.data(), a, 16);
  std::memcpy(expected.data(), b, 16);
  Tolerance exact;
  exact.tensor = "y";
  Comparison comparison(exact, {2});
  comparison.add({DType::int64, got}, {DType::int64, expected}, 0, 1);
  EXPECT_EQ(comparison.result().mismatches, 1);
  EXPECT_EQ(comparison.result().max_abs, 1);
}

TEST(Compare, AnEvenOutputFailsUnlessTheReferenceIsEvenToo) {
  Tolerance loose;
  loose.atol = 100;
  EXPECT_FALSE(compare(DType::float32, {0, 0, 0}, {1, 2, 3}, 100).passes(loose));
  EXPECT_TRUE(compare(DType::float32, {0, 0, 0}, {1, 1, 1}, 100).passes(loose));
  EXPECT_TRUE(compare(DType::float32, {0}, {1}, 100).passes(loose));
}

TEST(Compare, TheMseGateMustHoldToo) {
  Tolerance tolerance;
  tolerance.atol = 1;
  tolerance.mse = 1e-4;
  EXPECT_FALSE(compare(DType::float32, {1.5, 2}, {1, 2}, 1).passes(tolerance));
  EXPECT_TRUE(compare(DType::float32, {1.001, 2}, {1, 2}, 1).passes(tolerance));
}

TEST(Compare, FirstMismatchesAreSixteenAndInOrder) {
  const std::vector<double> zeros(200000, 0), ones(200000, 1);
  const auto got = bytes_of(DType::float32, zeros), expected = bytes_of(DType::float64, ones);
  Tolerance exact;
  exact.tensor = "y";
  Comparison comparison(exact, {200, 1000});
  comparison.add({DType::float32, got}, {DType::float64, expected}, 0, 4);
  const Difference& difference = comparison.result();
  EXPECT_EQ(difference.mismatches, 200000);
  ASSERT_EQ(difference.first.size(), kFirstMismatches);
  for (std::size_t i = 0; i < difference.first.size(); ++i)
    EXPECT_EQ(difference.first[i].index, (std::vector<std::int64_t>{0, static_cast<std::int64_t>(i)}));
}

TEST(Compare, TheErrorMapCountsEveryMismatchInItsCell) {
  std::vector<double> got(128 * 256, 1), expected(128 * 256, 1);
  got[0] = 2;
  got[127 * 256 + 255] = 2;
  got[127 * 256 + 254] = 2;
  const auto got_bytes = bytes_of(DType::float32, got), expected_bytes = bytes_of(DType::float64, expected);
  Tolerance exact;
  Comparison comparison(exact, {2, 64, 256});
  comparison.add({DType::float32, got_bytes}, {DType::float64, expected_bytes}, 0, 2);
  ASSERT_TRUE(comparison.result().map.has_value());
  const ErrorMap& map = *comparison.result().map;
  EXPECT_EQ(map.rows, 128);
  EXPECT_EQ(map.columns, 256);
  ASSERT_EQ(map.wrong.size(), 64u * 64u);
  EXPECT_EQ(map.wrong.front(), 1);
  EXPECT_EQ(map.wrong.back(), 2);
}

TEST(Compare, RemembersEveryWrongElementWhenAsked) {
  std::vector<double> got(70000, 1), expected(70000, 1);
  for (const std::size_t i : {0u, 63u, 64u, 65535u, 65536u, 69999u}) got[i] = 2;
  const auto got_bytes = bytes_of(DType::float32, got), expected_bytes = bytes_of(DType::float64, expected);
  Tolerance exact;
  Comparison comparison(exact, {70000}, true);
  comparison.add({DType::float32, got_bytes}, {DType::float64, expected_bytes}, 0, 4);
  const auto& wrong = comparison.result().wrong;
  ASSERT_EQ(wrong.size(), (70000u + 63) / 64);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < 70000; ++i)
    if ((wrong[i / 64] >> (i % 64) & 1) != 0) found.push_back(i);
  EXPECT_EQ(found, (std::vector<std::size_t>{0, 63, 64, 65535, 65536, 69999}));
  Comparison counts_only(exact, {70000});
  counts_only.add({DType::float32, got_bytes}, {DType::float64, expected_bytes}, 0, 4);
  EXPECT_TRUE(counts_only.result().wrong.empty());
}

TEST(Compare, ChunksAndThreadsDoNotChangeTheResult) {
  std::vector<double> got, expected;
  for (int i = 0; i < 300000; ++i) {
    expected.push_back(std::sin(i));
    got.push_back(std::sin(i) + (i % 1013 == 0 ? 1e-3 : 1e-7 * (i % 7)));
  }
  const auto got_bytes = bytes_of(DType::float32, got), expected_bytes = bytes_of(DType::float64, expected);
  Tolerance tolerance;
  tolerance.atol = 1e-5;
  const auto run = [&](std::size_t chunk, unsigned threads) {
    Comparison comparison(tolerance, {300000});
    for (std::size_t at = 0; at < 300000; at += chunk) {
      const std::size_t count = std::min<std::size_t>(chunk, 300000 - at);
      comparison.add({DType::float32, std::span(got_bytes).subspan(at * 4, count * 4)},
                     {DType::float64, std::span(expected_bytes).subspan(at * 8, count * 8)},
                     static_cast<std::int64_t>(at), threads);
    }
    return comparison.result();
  };
  const Difference whole = run(300000, 1), parts = run(128 * 1024, 4);
  EXPECT_EQ(whole.mismatches, 297);
  EXPECT_EQ(parts.mismatches, whole.mismatches);
  EXPECT_EQ(parts.squares, whole.squares);
  EXPECT_EQ(parts.max_abs, whole.max_abs);
  EXPECT_EQ(parts.first[15].index, whole.first[15].index);
}

TEST(Survey, LooksOnlyAtFiniteValues) {
  const auto data = bytes_of(DType::float64, {3, -4, kNan, kInf});
  Survey survey;
  survey.add({DType::float64, data}, 1);
  const Magnitude magnitude = survey.result();
  EXPECT_EQ(magnitude.max_abs, 4);
  EXPECT_DOUBLE_EQ(magnitude.rms, std::sqrt(12.5));
  EXPECT_EQ(magnitude.elements, 2);
}

TEST(PoisonMap, KeepsOnlyWhatEveryPatternLeft) {
  const std::uint32_t first = 0xFFC1FFC1u, second = 0x5B3C4D2Eu;
  std::vector<std::uint32_t> data(130, first);
  data[0] = 1;
  data[129] = 2;
  PoisonMap map(130);
  map.keep({DType::float32, std::as_bytes(std::span(data))}, 0, first, 2);
  EXPECT_EQ(map.count(), 128);
  EXPECT_EQ(map.first(), 1);
  std::fill(data.begin(), data.end(), second);
  for (std::size_t i = 0; i < 100; ++i) data[i] = 7;
  map.keep({DType::float32, std::as_bytes(std::span(data))}, 0, second, 1);
  EXPECT_EQ(map.count(), 29);
  EXPECT_EQ(map.first(), 100);
}

TEST(PoisonMap, BytesAreComparedAtTheirPlaceInThePattern) {
  const std::uint8_t data[5] = {0x2E, 0x4D, 0x3C, 0x5B, 0x4D};
  PoisonMap map(5);
  map.keep({DType::uint8, std::as_bytes(std::span(data))}, 0, 0x5B3C4D2Eu, 1);
  EXPECT_EQ(map.count(), 4);
}

TEST(Coordinates, AreRowMajor) {
  EXPECT_EQ(coordinates(0, {2, 3, 4}), (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(coordinates(23, {2, 3, 4}), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_TRUE(coordinates(0, {}).empty());
}

}  // namespace
