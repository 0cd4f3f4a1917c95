// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/dtype.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace ridge {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(DTypes, NamesRoundTrip) {
  for (const std::string& name : dtype_names()) {
    ASSERT_TRUE(dtype_named(name).has_value()) << name;
    EXPECT_EQ(name_of(*dtype_named(name)), name);
  }
  EXPECT_EQ(dtype_named("float8_e4m3"), DType::float8_e4m3fn);
  EXPECT_FALSE(dtype_named("fp32").has_value());
  EXPECT_EQ(dtype_names().size(), 15u);
}

TEST(DTypes, SizesAndKinds) {
  EXPECT_EQ(size_of(DType::bfloat16), 2u);
  EXPECT_EQ(size_of(DType::boolean), 1u);
  EXPECT_TRUE(is_floating(DType::float8_e5m2));
  EXPECT_FALSE(is_floating(DType::int8));
  EXPECT_FALSE(is_signed(DType::uint16));
  EXPECT_EQ(significand_bits(DType::float32), 24);
  EXPECT_EQ(significand_bits(DType::int32), 0);
}

TEST(SmallFloats, EveryPatternSurvives) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (!std::isnan(half_to_float(half))) {
      EXPECT_EQ(float_to_half(half_to_float(half)), half) << bits;
    }
    if (!std::isnan(bfloat16_to_float(half))) {
      EXPECT_EQ(float_to_bfloat16(bfloat16_to_float(half)), half) << bits;
    }
  }
  for (std::uint32_t bits = 0; bits < 0x100; ++bits) {
    const auto byte = static_cast<std::uint8_t>(bits);
    if (!std::isnan(float8_e4m3fn_to_float(byte))) {
      EXPECT_EQ(double_to_float8_e4m3fn(float8_e4m3fn_to_float(byte)), byte) << bits;
    }
    if (!std::isnan(float8_e5m2_to_float(byte))) {
      EXPECT_EQ(double_to_float8_e5m2(float8_e5m2_to_float(byte)), byte) << bits;
    }
  }
}

TEST(SmallFloats, RoundToNearestEvenOnce) {
  EXPECT_EQ(double_to_half(1.0 + 0x1p-11), 0x3C00);            // tie: to even
  EXPECT_EQ(double_to_half(1.0 + 0x1p-11 + 0x1p-50), 0x3C01);  // just above the tie
  EXPECT_EQ(double_to_half(1.0 + 3 * 0x1p-11), 0x3C02);        // tie: up to even
  EXPECT_EQ(double_to_bfloat16(1.0 + 0x1p-8), 0x3F80);
  EXPECT_EQ(double_to_bfloat16(1.0 + 0x1p-8 + 0x1p-40), 0x3F81);  // float first would lose this
}

TEST(SmallFloats, Limits) {
  EXPECT_EQ(half_to_float(0x7BFF), 65504.0f);
  EXPECT_EQ(double_to_half(65519.9), 0x7BFF);
  EXPECT_EQ(double_to_half(65520.0), 0x7C00);
  EXPECT_EQ(double_to_half(-kInfinity), 0xFC00);
  EXPECT_EQ(double_to_half(0x1p-24), 0x0001);
  EXPECT_EQ(double_to_half(0x1p-25), 0x0000);
  EXPECT_EQ(double_to_half(0x1.8p-25), 0x0001);
  EXPECT_EQ(double_to_half(-0.0), 0x8000);
  EXPECT_EQ(double_to_float8_e4m3fn(448), 0x7E);
  EXPECT_EQ(double_to_float8_e4m3fn(463), 0x7E);
  EXPECT_EQ(double_to_float8_e4m3fn(1e6), 0x7F);  // no infinity: NaN
  EXPECT_EQ(double_to_float8_e5m2(1e6), 0x7C);
  EXPECT_TRUE(std::isnan(half_to_float(double_to_half(std::nan("")))));
  EXPECT_TRUE(std::isnan(float8_e4m3fn_to_float(0xFF)));
}

TEST(Elements, StoreAndLoadEveryType) {
  for (const std::string& name : dtype_names()) {
    const DType dtype = *dtype_named(name);
    std::array<std::byte, 32> data{};
    store_from_double(dtype, data, 1, 1.0);
    EXPECT_EQ(load_as_double(dtype, data, 1), 1.0) << name;
    EXPECT_EQ(load_as_double(dtype, data, 0), 0.0) << name;
    EXPECT_EQ(load_integer(dtype, data, 1), 1) << name;
  }
}

TEST(Elements, IntegersSaturateAndTruncate) {
  std::array<std::byte, 8> data{};
  store_from_double(DType::int8, data, 0, 300);
  EXPECT_EQ(load_integer(DType::int8, data, 0), 127);
  store_from_double(DType::uint16, data, 0, -4);
  EXPECT_EQ(load_integer(DType::uint16, data, 0), 0);
  store_from_double(DType::int32, data, 0, -2.9);
  EXPECT_EQ(load_integer(DType::int32, data, 0), -2);
  store_from_double(DType::int64, data, 0, 1e300);
  EXPECT_EQ(load_integer(DType::int64, data, 0), std::numeric_limits<std::int64_t>::max());
  store_from_double(DType::int32, data, 0, std::nan(""));
  EXPECT_EQ(load_integer(DType::int32, data, 0), 0);
}

}  // namespace
}  // namespace ridge
