// SPDX-License-Identifier: GPL-3.0-or-later
// f16, bf16 and their pairs against the text of the PTX ISA (section "Half Precision Floating-Point
// Instructions"): every result is the exact one rounded once.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/dtype.h"
#include "device/emulator_oracle/oracle.h"

namespace ridge::oracle {
namespace {

__extension__ using Quad = __float128;

struct Format {
  std::string name;
  bool half;  ///< f16; else bf16
  double value(Bits bits) const {
    const auto narrow = static_cast<std::uint16_t>(bits);
    return half ? half_to_float(narrow) : bfloat16_to_float(narrow);
  }
  Bits bits(double v) const {
    if (std::isnan(v)) return 0x7FFF;
    return half ? double_to_half(v) : double_to_bfloat16(v);
  }
  std::vector<Bits> edges() const { return half ? edges_f16() : edges_bf16(); }
  Allowed::As as(bool pair) const {
    return half ? (pair ? Allowed::As::f16x2 : Allowed::As::f16)
                : (pair ? Allowed::As::bf16x2 : Allowed::As::bf16);
  }
  double flushed(double v) const {
    const double lowest = half ? 0x1p-14 : 0x1p-126;
    return std::fabs(v) < lowest ? std::copysign(0.0, v) : v;
  }
};
const std::vector<Format> kFormats{{"f16", true}, {"bf16", false}};

/// a * b + c with a sticky bit: the double that any narrower rounding takes to the same result as the exact
/// value.
double exact_fma(double a, double b, double c) {
  const double product = a * b;  // exact: at most 22 significant bits
  if (!std::isfinite(product) || !std::isfinite(c) || product == 0 || c == 0) return product + c;
  Quad big = product, little = c;
  if (std::fabs(c) > std::fabs(product)) std::swap(big, little);
  // A term far below the other only decides which side of a tie the sum lies on.
  const Quad least = (big < 0 ? -big : big) * static_cast<Quad>(0x1p-80);
  const Quad size = little < 0 ? -little : little;
  if (size < least) little = little < 0 ? -least : least;
  const Quad sum = big + little;  // exact in 113 bits now
  double result = static_cast<double>(sum);
  if (static_cast<Quad>(result) == sum || !std::isfinite(result)) return result;
  if ((static_cast<Quad>(result) > sum) == (result > 0)) result = std::nextafter(result, 0.0);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(result) | 1);  // round to odd
}

double smaller(double a, double b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
}
double larger(double a, double b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
}

using Scalar = std::function<Bits(const std::vector<Bits>&)>;

/// The case for one value and the case for a pair of them.
void add_both(std::vector<Case>& cases, const Format& format, const std::string& op, std::size_t count,
              const Scalar& f, double ulps = 0) {
  const std::string operands =
      std::string(" $d, $a") + (count > 1 ? ", $b" : "") + (count > 2 ? ", $c" : "") + ";";
  const std::string one = op + "." + format.name;
  cases.push_back({one,
                   one + operands,
                   std::vector(count, Width::b16),
                   Width::b16,
                   std::vector(count, format.edges()),
                   [f](Operands v) {
                     return f({v.begin(), v.end()});
                   },
                   {format.as(false), ulps, 0}});
  const std::string two = one + "x2";
  cases.push_back({two,
                   two + operands,
                   std::vector(count, Width::b32),
                   Width::b32,
                   std::vector(count, packed(format.edges())),
                   [f](Operands v) {
                     std::vector<Bits> low, high;
                     for (const Bits bits : v)
                       low.push_back(bits & 0xFFFF), high.push_back(bits >> 16 & 0xFFFF);
                     return f(low) | f(high) << 16;
                   },
                   {format.as(true), ulps, 0}});
}

std::vector<Case> all() {
  std::vector<Case> cases;
  for (const Format& format : kFormats) {
    const auto arithmetic = [&](const std::string& op, std::size_t count,
                                std::function<double(const std::vector<double>&)> f) {
      for (const std::string modifier : {"", ".ftz", ".sat", ".relu"}) {
        if (!format.half && (modifier == ".ftz" || modifier == ".sat")) continue;
        if (modifier == ".relu" && op != "fma.rn") continue;
        add_both(cases, format, op + modifier, count, [=](const std::vector<Bits>& v) {
          std::vector<double> values;
          for (const Bits bits : v)
            values.push_back(modifier == ".ftz" ? format.flushed(format.value(bits)) : format.value(bits));
          const double exact = f(values);
          double result = format.value(format.bits(exact));
          // Tiny after rounding to 11 places without a least exponent (IEEE 754; seen on an H200).
          if (modifier == ".ftz" && std::fabs(exact) < 0x1p-14 * (1 - 0x1p-12))
            result = std::copysign(0.0, exact);
          if (modifier == ".sat") result = std::isnan(result) || result <= 0 ? 0.0 : std::fmin(result, 1.0);
          if (modifier == ".relu" && result < 0) result = 0.0;
          if (modifier == ".relu" && result == 0) result = 0.0;
          return format.bits(result);
        });
      }
    };
    arithmetic("add.rn", 2, [](const std::vector<double>& v) { return exact_fma(v[0], 1, v[1]); });
    arithmetic("sub.rn", 2, [](const std::vector<double>& v) { return exact_fma(v[0], 1, -v[1]); });
    arithmetic("mul.rn", 2, [](const std::vector<double>& v) { return v[0] * v[1]; });
    arithmetic("fma.rn", 3, [](const std::vector<double>& v) { return exact_fma(v[0], v[1], v[2]); });
    for (const bool ftz : {false, true}) {
      if (ftz && !format.half) continue;
      const auto value = [=](Bits bits) {
        return ftz ? format.flushed(format.value(bits)) : format.value(bits);
      };
      const std::string suffix = ftz ? ".ftz" : "";
      for (const bool least : {true, false})
        for (const bool nan : {false, true})
          for (const bool xorsign : {false, true})
            add_both(cases, format,
                     std::string(least ? "min" : "max") + suffix + (nan ? ".NaN" : "") +
                         (xorsign ? ".xorsign.abs" : ""),
                     2, [=](const std::vector<Bits>& v) {
                       double a = value(v[0]), b = value(v[1]);
                       const bool negative = std::signbit(a) != std::signbit(b);
                       if (xorsign) a = std::fabs(a), b = std::fabs(b);
                       if (nan && (std::isnan(a) || std::isnan(b))) return Bits{0x7FFF};
                       const double result = least ? smaller(a, b) : larger(a, b);
                       return format.bits(xorsign ? std::copysign(result, negative ? -1.0 : 1.0) : result);
                     });
      add_both(cases, format, "neg" + suffix, 1,
               [=](const std::vector<Bits>& v) { return format.bits(-value(v[0])); });
      add_both(cases, format, "abs" + suffix, 1,
               [=](const std::vector<Bits>& v) { return format.bits(std::fabs(value(v[0]))); });
    }
  }
  const Format half = kFormats[0];
  add_both(
      cases, half, "ex2.approx", 1,
      [=](const std::vector<Bits>& v) { return half.bits(std::exp2(half.value(v[0]))); }, 2);
  add_both(
      cases, half, "tanh.approx", 1,
      [=](const std::vector<Bits>& v) { return half.bits(std::tanh(half.value(v[0]))); }, 2);
  struct Comparison {
    const char* name;
    std::function<bool(double, double)> holds;
  };
  for (const Comparison& comparison :
       {Comparison{"eq", [](double a, double b) { return a == b; }},
        Comparison{"lt", [](double a, double b) { return a < b; }},
        Comparison{"ge", [](double a, double b) { return a >= b; }},
        Comparison{"neu", [](double a, double b) { return a != b; }},
        Comparison{"nan", [](double a, double b) { return std::isnan(a) || std::isnan(b); }}})
    for (const Format& format : kFormats) {
      const std::string name = std::string("setp.") + comparison.name + "." + format.name;
      cases.push_back({name,
                       name + " $d, $a, $b;",
                       {Width::b16, Width::b16},
                       Width::pred,
                       {format.edges(), format.edges()},
                       [=](Operands v) {
                         return static_cast<Bits>(comparison.holds(format.value(v[0]), format.value(v[1])));
                       },
                       {}});
    }
  return cases;
}

class HalfOracle : public ::testing::TestWithParam<Case> {};
TEST_P(HalfOracle, AgreesWithTheIsa) {
  check(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Ptx, HalfOracle, ::testing::ValuesIn(all()),
                         [](const auto& one) { return test_name(one.param.name); });

}  // namespace
}  // namespace ridge::oracle
