// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator_oracle/oracle.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>

#include "base/dtype.h"

namespace ridge::oracle {
namespace {

struct Format {
  int significand, lowest_exponent;
  double (*value)(Bits);
};

Format format_of(Allowed::As as) {
  const auto f16 = [](Bits bits) { return double{half_to_float(static_cast<std::uint16_t>(bits & 0xFFFF))}; };
  const auto bf16 = [](Bits bits) {
    return double{bfloat16_to_float(static_cast<std::uint16_t>(bits & 0xFFFF))};
  };
  switch (as) {
    case Allowed::As::f16:
    case Allowed::As::f16x2:
      return {11, -24, f16};
    case Allowed::As::bf16:
    case Allowed::As::bf16x2:
      return {8, -133, bf16};
    case Allowed::As::f32:
      return {24, -149, [](Bits bits) { return double{as_f32(bits)}; }};
    case Allowed::As::f64:
    case Allowed::As::bits:
      break;
  }
  return {53, -1074, as_f64};
}

bool is_pair(Allowed::As as) {
  return as == Allowed::As::f16x2 || as == Allowed::As::bf16x2;
}

double ulp_of(double value, const Format& format) {
  if (value == 0 || !std::isfinite(value)) return std::ldexp(1.0, format.lowest_exponent);
  return std::ldexp(1.0, std::max(std::ilogb(value) - format.significand + 1, format.lowest_exponent));
}

bool close(Bits got_bits, Bits expected_bits, const Allowed& allowed) {
  const Format format = format_of(allowed.as);
  const double got = format.value(got_bits), expected = format.value(expected_bits);
  if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
  if (got == expected) return allowed.ulps > 0 || std::signbit(got) == std::signbit(expected);
  if (std::isinf(got) || std::isinf(expected)) return false;
  return std::abs(got - expected) <= allowed.ulps * ulp_of(expected, format) + allowed.absolute;
}

double distance(Bits got_bits, Bits expected_bits, Allowed::As as) {
  const Format format = format_of(as);
  const double got = format.value(got_bits), expected = format.value(expected_bits);
  if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0;
  return std::abs(got - expected) / ulp_of(expected, format);
}

}  // namespace

bool agrees(Bits got, Bits expected, const Allowed& allowed) {
  if (allowed.as == Allowed::As::bits) return got == expected;
  return close(got, expected, allowed) && (!is_pair(allowed.as) || close(got >> 16, expected >> 16, allowed));
}

double ulps_between(Bits got, Bits expected, Allowed::As as) {
  const double low = distance(got, expected, as);
  return is_pair(as) ? std::max(low, distance(got >> 16, expected >> 16, as)) : low;
}

void PrintTo(const Case& test, std::ostream* out) {
  *out << test.instruction;
}

std::vector<Bits> edges_integer(int width) {
  const Bits top = Bits{1} << (width - 1);
  const Bits all = width == 64 ? ~Bits{0} : (Bits{1} << width) - 1;
  return {0,  1,  2,  3,    7,       8,   15,      16,  17,      31,      32,     33,
          63, 64, 65, 0xFF, top - 1, top, top + 1, all, all - 1, all / 3, all / 7};
}

std::vector<Bits> edges_f16() {
  return {0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x8400, 0x3C00, 0xBC00, 0x3C01, 0x3800, 0x4248,
          0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFE01, 0x7C01, 0x6400, 0x5640, 0x1000, 0x3BFF};
}

std::vector<Bits> edges_bf16() {
  return {0x0000, 0x8000, 0x0001, 0x8001, 0x007F, 0x0080, 0x8080, 0x3F80, 0xBF80, 0x3F81, 0x3F00,
          0x4049, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0xFFC1, 0x7F81, 0x4B00, 0x3380, 0x2000};
}

std::vector<Bits> edges_f32() {
  return {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000, 0x3F800000,
          0xBF800000, 0x3F800001, 0x3F7FFFFF, 0x3F000000, 0x40490FDB, 0xC0200000, 0x4B000000, 0x4F000000,
          0x5F000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001,
          0x33800000, 0x3FC00000, 0x7E800000, 0x7E800001, 0x7F801FFF};
}

std::vector<Bits> edges_f64() {
  return {0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800FFFFFFFFFFFFF, 0x0010000000000000,
          0x3FF0000000000000, 0xBFF0000000000000, 0x3FF0000000000001, 0x3FE0000000000000, 0x400921FB54442D18,
          0xC004000000000000, 0x4330000000000000, 0x41DFFFFFFFC00000, 0x43E0000000000000, 0x7FEFFFFFFFFFFFFF,
          0xFFEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x3CA0000000000000,
          0x3810000000000000, 0x47EFFFFFE0000000};
}

std::vector<Bits> packed(const std::vector<Bits>& halves) {
  std::vector<Bits> pairs;
  for (std::size_t i = 0; i < halves.size(); ++i)
    pairs.push_back(halves[i] | halves[(i * 7 + 3) % halves.size()] << 16);
  return pairs;
}

float as_f32(Bits bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
double as_f64(Bits bits) {
  return std::bit_cast<double>(bits);
}
Bits of_f32(float value) {
  return std::isnan(value) ? 0x7FFFFFFF : std::bit_cast<std::uint32_t>(value);
}
Bits of_f64(double value) {
  return std::bit_cast<Bits>(value);
}

std::int64_t as_signed(Bits bits, int width) {
  if (width == 64) return static_cast<std::int64_t>(bits);
  const Bits top = Bits{1} << (width - 1);
  return static_cast<std::int64_t>((truncated(bits, width) ^ top) - top);
}

Bits truncated(Bits bits, int width) {
  return width >= 64 ? bits : bits & ((Bits{1} << width) - 1);
}

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

RoundingScope::RoundingScope(Round mode) : before_(std::fegetround()) {
  static constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::fesetround(kModes[static_cast<int>(mode)]);
}
RoundingScope::~RoundingScope() {
  std::fesetround(before_);
}

std::string test_name(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return result;
}

Bits as_result(const Case& test, Bits value) {
  switch (test.output) {
    case Width::b16:
      return truncated(value, 16);
    case Width::b64:
      return value;
    default:
      return truncated(value, 32);
  }
}

}  // namespace ridge::oracle
