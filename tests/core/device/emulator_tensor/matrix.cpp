// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator_tensor/matrix.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <limits>

#include "base/dtype.h"

namespace ridge::device::tensor {

namespace {

double small_float(std::uint64_t bits, int fraction_bits, int bias) {
  const auto fraction = static_cast<double>(bits & ((1u << fraction_bits) - 1));
  const auto exponent = static_cast<int>(bits >> fraction_bits & ((1u << (7 - fraction_bits)) - 1));
  const double scale = static_cast<double>(1 << fraction_bits);
  const double magnitude = exponent == 0 ? std::ldexp(fraction / scale, 1 - bias)
                                         : std::ldexp(1 + fraction / scale, exponent - bias);
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

std::int64_t signed_of(std::uint64_t bits, int width) {
  const auto shifted = static_cast<std::int64_t>(bits << (64 - width));
  return shifted >> (64 - width);
}

/// Edge values of a format.
std::vector<std::uint64_t> edges(const Format& format, Fill how) {
  const std::string& name = format.name;
  const bool tiny = how == Fill::tiny, special = how == Fill::special;
  if (name == "f16") {
    if (tiny) return {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8401, 0x0123};
    if (special) return {0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01};
    return {0x7bff, 0xfbff, 0x7800, 0xf400};
  }
  if (name == "bf16") {
    if (tiny) return {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x8080, 0x2000, 0xa001};
    if (special) return {0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81};
    return {0x7f7f, 0xff7f, 0x5f00, 0xdf01};
  }
  if (name == "tf32" || name == "f32") {
    if (tiny) return {0, 0x80000000, 0x00000001, 0x007fffff, 0x00800000, 0x80800000, 0x20000fff, 0xa0001001};
    if (special) return {0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7fa00000};
    return {0x7f7fffff, 0xff7fffff, 0x5f000000, 0xdf012345};
  }
  if (name == "f64") {
    if (tiny) return {0, 0x8000000000000000, 1, 0x000fffffffffffff, 0x0010000000000000, 0x8010000000000000};
    if (special) return {0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000};
    return {0x7fefffffffffffff, 0xffefffffffffffff, 0x5fe0000000000000};
  }
  if (name == "e4m3") {
    if (tiny) return {0x00, 0x80, 0x01, 0x81, 0x07, 0x08, 0x88};
    if (special) return {0x7f, 0xff};
    return {0x7e, 0xfe, 0x78};
  }
  if (name == "e5m2") {
    if (tiny) return {0x00, 0x80, 0x01, 0x81, 0x03, 0x04, 0x84};
    if (special) return {0x7c, 0xfc, 0x7d, 0xff};
    return {0x7b, 0xfb, 0x78};
  }
  const std::uint64_t top = std::uint64_t{1} << (format.bits - 1), all = 2 * top - 1;
  if (tiny) return {0, 1, all};
  return {top, top - 1, all, 0, top | 1};
}

std::uint64_t ordinary(const Format& format, std::mt19937_64& random) {
  const std::uint64_t bits = random();
  const double value =
      static_cast<double>(static_cast<std::int64_t>(bits >> 40) - (1 << 23)) / (1 << 22);  // [-2, 2)
  if (format.name == "f16") return double_to_half(value);
  if (format.name == "bf16") return double_to_bfloat16(value);
  if (format.name == "f32" || format.name == "tf32")
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (format.name == "f64") return std::bit_cast<std::uint64_t>(value * 1.000000001);
  if (format.name == "e4m3") return (bits & 0x80) | (bits & 0x7f) % 0x50;
  if (format.name == "e5m2") return (bits & 0x80) | (bits & 0x7f) % 0x48;
  if (format.bits == 32) return static_cast<std::uint32_t>(bits) % 2000000;
  return bits & ((std::uint64_t{1} << format.bits) - 1);
}

}  // namespace

Format format(const std::string& name) {
  if (name == "bf16") return {name, 16};
  if (name == "tf32") return {name, 32};
  if (name == "e4m3" || name == "e5m2") return {name, 8};
  return {name, std::stoi(name.substr(1))};
}

double value_of(const Format& format, std::uint64_t bits) {
  const std::string& name = format.name;
  if (name == "f16") return half_to_float(static_cast<std::uint16_t>(bits));
  if (name == "bf16") return bfloat16_to_float(static_cast<std::uint16_t>(bits));
  // tf32 has 10 fraction bits; what stands below them is not looked at.
  if (name == "tf32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits & 0xffffe000u));
  if (name == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (name == "f64") return std::bit_cast<double>(bits);
  if (name == "e4m3")
    return (bits & 0x7f) == 0x7f ? std::numeric_limits<double>::quiet_NaN() : small_float(bits, 3, 7);
  if (name == "e5m2") return half_to_float(static_cast<std::uint16_t>(bits << 8));
  if (name[0] == 's') return static_cast<double>(signed_of(bits, format.bits));
  return static_cast<double>(bits & (format.bits == 64 ? ~0ull : (1ull << format.bits) - 1));
}

void fill(Matrix& matrix, Fill how, std::mt19937_64& random) {
  const std::vector<std::uint64_t> values = edges(matrix.type, how);
  for (std::uint64_t& bits : matrix.bits) {
    const std::uint64_t pick = random();
    const bool edge = how == Fill::tiny || (how == Fill::special && pick % 61 == 0) ||
                      (how == Fill::extreme && pick % 2 == 0);
    bits = edge && how != Fill::ordinary ? values[pick / 64 % values.size()] : ordinary(matrix.type, random);
  }
}

Matrix product(const Matrix& a, const Matrix& b, const Matrix* c, const Format& d, const Rules& rules) {
  Matrix result(d, a.rows, b.columns);
  for (int row = 0; row < a.rows; ++row)
    for (int column = 0; column < b.columns; ++column) {
      std::uint64_t& out = result.at(row, column);
      if (d.name == "s32") {
        std::int64_t sum = c == nullptr ? 0 : signed_of(c->at(row, column), 32);
        for (int k = 0; k < a.columns; ++k) {
          if (a.type.name == "b1")
            sum += static_cast<std::int64_t>(rules.exclusive ? a.at(row, k) ^ b.at(k, column)
                                                             : a.at(row, k) & b.at(k, column));
          else
            sum +=
                static_cast<std::int64_t>(value_of(a.type, a.at(row, k)) * value_of(b.type, b.at(k, column)));
        }
        if (rules.saturating) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
        out = static_cast<std::uint32_t>(sum);
      } else if (d.name == "f64") {
        double sum = value_of(d, c->at(row, column));
        for (int k = 0; k < a.columns; ++k)
          sum = std::fma(value_of(a.type, a.at(row, k)), value_of(b.type, b.at(k, column)), sum);
        out = std::bit_cast<std::uint64_t>(sum);
      } else {
        float sum = c == nullptr ? 0.0f : static_cast<float>(value_of(c->type, c->at(row, column)));
        for (int k = 0; k < a.columns; ++k) {
          const double x = value_of(a.type, a.at(row, k)) * (rules.negated_a ? -1 : 1);
          const double y = value_of(b.type, b.at(k, column)) * (rules.negated_b ? -1 : 1);
          sum = std::fmaf(static_cast<float>(x), static_cast<float>(y), sum);
        }
        out = d.name == "f16" ? float_to_half(sum) : std::bit_cast<std::uint32_t>(sum);
        if (std::isnan(sum)) out = d.name == "f16" ? 0x7fff : 0x7fffffff;
      }
    }
  return result;
}

bool agrees(const Format& format, std::uint64_t got, std::uint64_t expected) {
  if (format.name == "f64" && std::isnan(std::bit_cast<double>(expected)))
    return std::isnan(std::bit_cast<double>(got));
  return got == expected;
}

// groupID = lane / 4, threadID_in_group = lane % 4; a register holds 32 / bits elements (one when it has 64
// bits).
Position position_a(int m, int bits, int lane, int i) {
  const int group = lane >> 2, thread = lane % 4, per_register = std::max(32 / bits, 1);
  const int in_register = i % per_register, reg = i / per_register;
  if (m == 8) return {group, thread * per_register + in_register + reg * 4 * per_register};
  const bool lower = reg % 2 == 1;  // a2, a3 and a6, a7 of 16-bit elements lie eight rows lower
  return {lower ? group + 8 : group, thread * per_register + in_register + reg / 2 * 4 * per_register};
}
Position position_b(int bits, int lane, int i) {
  const int group = lane >> 2, thread = lane % 4, per_register = std::max(32 / bits, 1);
  return {thread * per_register + i % per_register + i / per_register * 4 * per_register, group};
}
Position position_c(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

std::vector<std::uint32_t> registers(int count) {
  return std::vector<std::uint32_t>(static_cast<std::size_t>(count) * 32);
}
void put(std::vector<std::uint32_t>& registers, int bits, int lane, int element, std::uint64_t value) {
  if (bits == 64) {
    const auto at = static_cast<std::size_t>((element * 32 + lane) * 2);
    registers[at] = static_cast<std::uint32_t>(value);
    registers[at + 1] = static_cast<std::uint32_t>(value >> 32);
    return;
  }
  const int per_register = 32 / bits;
  const auto at = static_cast<std::size_t>(element / per_register * 32 + lane);
  registers[at] |= static_cast<std::uint32_t>(value << (element % per_register * bits));
}
std::uint64_t get(const std::vector<std::uint32_t>& registers, int bits, int lane, int element) {
  if (bits == 64) {
    const auto at = static_cast<std::size_t>((element * 32 + lane) * 2);
    return registers[at] | std::uint64_t{registers[at + 1]} << 32;
  }
  const int per_register = 32 / bits;
  const std::uint64_t word = registers[static_cast<std::size_t>(element / per_register * 32 + lane)];
  return word >> (element % per_register * bits) & ((std::uint64_t{1} << bits) - 1);
}

std::string test_name(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

}  // namespace ridge::device::tensor
