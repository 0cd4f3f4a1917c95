// SPDX-License-Identifier: GPL-3.0-or-later
// The element types of tensors and scalars, and exact conversions between their bits and double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

enum class DType : std::uint8_t {
  float64,
  float32,
  float16,
  bfloat16,
  float8_e4m3fn,
  float8_e5m2,
  int64,
  int32,
  int16,
  int8,
  uint64,
  uint32,
  uint16,
  uint8,
  boolean
};

std::size_t size_of(DType dtype);       ///< bytes of one element
std::string_view name_of(DType dtype);  ///< "float32", "bool", …
bool is_floating(DType dtype);
bool is_signed(DType dtype);
/// By name; "float8_e4m3" is an alias of float8_e4m3fn. Empty when there is no such type.
std::optional<DType> dtype_named(std::string_view name);
std::vector<std::string> dtype_names();

/// Significand bits including the hidden one (float32: 24), or 0 for integers; the unit in the last place
/// follows.
int significand_bits(DType dtype);
/// Largest finite value.
double largest_of(DType dtype);

// Bits <-> float. From double: one rounding to nearest even; overflow gives infinity (e4m3fn, which has none:
// NaN).
float half_to_float(std::uint16_t bits);
std::uint16_t float_to_half(float value);
std::uint16_t double_to_half(double value);
float bfloat16_to_float(std::uint16_t bits);
std::uint16_t float_to_bfloat16(float value);
std::uint16_t double_to_bfloat16(double value);
float float8_e4m3fn_to_float(std::uint8_t bits);
std::uint8_t double_to_float8_e4m3fn(double value);
float float8_e5m2_to_float(std::uint8_t bits);
std::uint8_t double_to_float8_e5m2(double value);

/// Element `index` of the raw `data` as double (64-bit integers above 2^53 lose bits: compare those with
/// load_integer).
double load_as_double(DType dtype, std::span<const std::byte> data, std::size_t index);
/// Element `index` of integer data; uint64 values are returned by their bits.
std::int64_t load_integer(DType dtype, std::span<const std::byte> data, std::size_t index);
/// Stores `value` rounded to `dtype` (integers: truncated, saturated; NaN becomes 0).
void store_from_double(DType dtype, std::span<std::byte> data, std::size_t index, double value);

}  // namespace ridge
