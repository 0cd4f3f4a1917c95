// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/dtype.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace ridge {
namespace {

struct TypeInfo {
  DType dtype;
  std::string_view name;
  std::size_t size;
  bool floating, is_signed;
  int significand;
  double largest;
};

constexpr std::array kTypes{
    TypeInfo{DType::float64, "float64", 8, true, true, 53, std::numeric_limits<double>::max()},
    TypeInfo{DType::float32, "float32", 4, true, true, 24, std::numeric_limits<float>::max()},
    TypeInfo{DType::float16, "float16", 2, true, true, 11, 65504},
    TypeInfo{DType::bfloat16, "bfloat16", 2, true, true, 8, 0x1.FEp127},
    TypeInfo{DType::float8_e4m3fn, "float8_e4m3fn", 1, true, true, 4, 448},
    TypeInfo{DType::float8_e5m2, "float8_e5m2", 1, true, true, 3, 57344},
    TypeInfo{DType::int64, "int64", 8, false, true, 0, 0x1p63},
    TypeInfo{DType::int32, "int32", 4, false, true, 0, 2147483647.0},
    TypeInfo{DType::int16, "int16", 2, false, true, 0, 32767},
    TypeInfo{DType::int8, "int8", 1, false, true, 0, 127},
    TypeInfo{DType::uint64, "uint64", 8, false, false, 0, 0x1p64},
    TypeInfo{DType::uint32, "uint32", 4, false, false, 0, 4294967295.0},
    TypeInfo{DType::uint16, "uint16", 2, false, false, 0, 65535},
    TypeInfo{DType::uint8, "uint8", 1, false, false, 0, 255},
    TypeInfo{DType::boolean, "bool", 1, false, false, 0, 1}};

const TypeInfo& info(DType dtype) {
  return kTypes[static_cast<std::size_t>(dtype)];
}

/// A small binary format: sign, `exponent` bits, `fraction` bits.
struct Format {
  int exponent, fraction;
  bool has_infinity;        ///< e4m3fn has none: its top exponent holds numbers but for one NaN
  std::uint32_t quiet_nan;  ///< without sign
  constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
};
constexpr Format kHalf{5, 10, true, 0x7E00};
constexpr Format kBfloat16{8, 7, true, 0x7FC0};
constexpr Format kE4m3{4, 3, false, 0x7F};
constexpr Format kE5m2{5, 2, true, 0x7E};

/// One rounding to nearest even. Works on the significand as an integer, so that subnormals need no case of
/// their own.
std::uint32_t encode(const Format& format, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 63) << (format.exponent + format.fraction);
  if (std::isnan(value)) return sign | format.quiet_nan;
  const std::uint32_t infinity =
      format.has_infinity ? ((1u << format.exponent) - 1) << format.fraction : format.quiet_nan;
  if (std::isinf(value)) return sign | infinity;
  const int double_exponent = static_cast<int>(bits >> 52 & 0x7FF);
  if (double_exponent == 0) return sign;  // zero, or far below every subnormal of these formats
  const std::uint64_t significand = (bits & 0xFFFFFFFFFFFFFull) | 1ull << 52;
  int exponent = double_exponent - 1023 + format.bias();
  // Bits to drop: down to `fraction`, and further for subnormals.
  int drop = 52 - format.fraction;
  if (exponent < 1) {
    drop += 1 - exponent;
    exponent = 1;
  }
  if (drop > 54) return sign;
  const std::uint64_t kept = significand >> drop;
  const std::uint64_t rest = significand & ((1ull << drop) - 1);
  const std::uint64_t half = 1ull << (drop - 1);
  const std::uint64_t rounded = kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
  // The hidden bit carries into the exponent by itself: (exponent - 1) counts it out.
  const std::uint64_t magnitude = (static_cast<std::uint64_t>(exponent - 1) << format.fraction) + rounded;
  if (magnitude >= infinity) return sign | infinity;
  return sign | static_cast<std::uint32_t>(magnitude);
}

float decode(const Format& format, std::uint32_t bits) {
  const bool negative = (bits >> (format.exponent + format.fraction) & 1) != 0;
  const int exponent = static_cast<int>(bits >> format.fraction & ((1u << format.exponent) - 1));
  const std::uint32_t fraction = bits & ((1u << format.fraction) - 1);
  const bool top = exponent == (1 << format.exponent) - 1;
  float magnitude = 0;
  if (top && format.has_infinity) {
    magnitude =
        fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  } else if (top && fraction == (1u << format.fraction) - 1) {
    magnitude = std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), 1 - format.bias() - format.fraction);
  } else {
    magnitude = std::ldexp(static_cast<float>(fraction | 1u << format.fraction),
                           exponent - format.bias() - format.fraction);
  }
  return negative ? -magnitude : magnitude;
}

template <class T>
T load(std::span<const std::byte> data, std::size_t index) {
  T value;
  std::memcpy(&value, data.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void store(std::span<std::byte> data, std::size_t index, T value) {
  std::memcpy(data.data() + index * sizeof(T), &value, sizeof(T));
}

template <class Integer>
Integer saturate(double value) {
  if (std::isnan(value)) return 0;
  // Both limits as doubles: the upper one may round up, hence >=.
  if (value <= static_cast<double>(std::numeric_limits<Integer>::min()))
    return std::numeric_limits<Integer>::min();
  if (value >= static_cast<double>(std::numeric_limits<Integer>::max()))
    return std::numeric_limits<Integer>::max();
  return static_cast<Integer>(value);
}

}  // namespace

std::size_t size_of(DType dtype) {
  return info(dtype).size;
}
std::string_view name_of(DType dtype) {
  return info(dtype).name;
}
bool is_floating(DType dtype) {
  return info(dtype).floating;
}
bool is_signed(DType dtype) {
  return info(dtype).is_signed;
}
int significand_bits(DType dtype) {
  return info(dtype).significand;
}
double largest_of(DType dtype) {
  return info(dtype).largest;
}

std::optional<DType> dtype_named(std::string_view name) {
  if (name == "float8_e4m3") return DType::float8_e4m3fn;
  for (const TypeInfo& type : kTypes)
    if (type.name == name) return type.dtype;
  return {};
}

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (const TypeInfo& type : kTypes) names.emplace_back(type.name);
  return names;
}

float half_to_float(std::uint16_t bits) {
  return decode(kHalf, bits);
}
std::uint16_t float_to_half(float value) {
  return double_to_half(value);
}
std::uint16_t double_to_half(double value) {
  return static_cast<std::uint16_t>(encode(kHalf, value));
}
float bfloat16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
std::uint16_t float_to_bfloat16(float value) {
  return double_to_bfloat16(value);
}
std::uint16_t double_to_bfloat16(double value) {
  return static_cast<std::uint16_t>(encode(kBfloat16, value));
}
float float8_e4m3fn_to_float(std::uint8_t bits) {
  return decode(kE4m3, bits);
}
std::uint8_t double_to_float8_e4m3fn(double value) {
  return static_cast<std::uint8_t>(encode(kE4m3, value));
}
float float8_e5m2_to_float(std::uint8_t bits) {
  return decode(kE5m2, bits);
}
std::uint8_t double_to_float8_e5m2(double value) {
  return static_cast<std::uint8_t>(encode(kE5m2, value));
}

double load_as_double(DType dtype, std::span<const std::byte> data, std::size_t index) {
  switch (dtype) {
    case DType::float64:
      return load<double>(data, index);
    case DType::float32:
      return load<float>(data, index);
    case DType::float16:
      return half_to_float(load<std::uint16_t>(data, index));
    case DType::bfloat16:
      return bfloat16_to_float(load<std::uint16_t>(data, index));
    case DType::float8_e4m3fn:
      return float8_e4m3fn_to_float(load<std::uint8_t>(data, index));
    case DType::float8_e5m2:
      return float8_e5m2_to_float(load<std::uint8_t>(data, index));
    case DType::uint64:
      return static_cast<double>(load<std::uint64_t>(data, index));
    default:
      return static_cast<double>(load_integer(dtype, data, index));
  }
}

std::int64_t load_integer(DType dtype, std::span<const std::byte> data, std::size_t index) {
  switch (dtype) {
    case DType::int64:
    case DType::uint64:
      return load<std::int64_t>(data, index);
    case DType::int32:
      return load<std::int32_t>(data, index);
    case DType::int16:
      return load<std::int16_t>(data, index);
    case DType::int8:
      return load<std::int8_t>(data, index);
    case DType::uint32:
      return load<std::uint32_t>(data, index);
    case DType::uint16:
      return load<std::uint16_t>(data, index);
    case DType::uint8:
    case DType::boolean:
      return load<std::uint8_t>(data, index);
    default:
      return static_cast<std::int64_t>(load_as_double(dtype, data, index));
  }
}

void store_from_double(DType dtype, std::span<std::byte> data, std::size_t index, double value) {
  switch (dtype) {
    case DType::float64:
      return store(data, index, value);
    case DType::float32:
      return store(data, index, static_cast<float>(value));
    case DType::float16:
      return store(data, index, double_to_half(value));
    case DType::bfloat16:
      return store(data, index, double_to_bfloat16(value));
    case DType::float8_e4m3fn:
      return store(data, index, double_to_float8_e4m3fn(value));
    case DType::float8_e5m2:
      return store(data, index, double_to_float8_e5m2(value));
    case DType::int64:
      return store(data, index, saturate<std::int64_t>(value));
    case DType::int32:
      return store(data, index, saturate<std::int32_t>(value));
    case DType::int16:
      return store(data, index, saturate<std::int16_t>(value));
    case DType::int8:
      return store(data, index, saturate<std::int8_t>(value));
    case DType::uint64:
      return store(data, index, saturate<std::uint64_t>(value));
    case DType::uint32:
      return store(data, index, saturate<std::uint32_t>(value));
    case DType::uint16:
      return store(data, index, saturate<std::uint16_t>(value));
    case DType::uint8:
      return store(data, index, saturate<std::uint8_t>(value));
    case DType::boolean:
      return store(data, index, static_cast<std::uint8_t>(value != 0 && !std::isnan(value) ? 1 : 0));
  }
}

}  // namespace ridge
