// SPDX-License-Identifier: GPL-3.0-or-later
// cvt of every pair of types with every modifier that the assembler takes: the source is an exact number of
// 113 bits, which is flushed, rounded to an integral value, limited and rounded to the target's format, in
// this order.
#include <gtest/gtest.h>

#include <cmath>

#include "base/dtype.h"
#include "device/emulator_oracle/oracle.h"

namespace ridge::oracle {
namespace {

__extension__ using Quad = __float128;
__extension__ using Wide = __int128;

enum class Direction { nearest, zero, down, up };
const std::vector<std::pair<std::string, Direction>> kDirections{
    {"n", Direction::nearest}, {"z", Direction::zero}, {"m", Direction::down}, {"p", Direction::up}};

struct Number {
  bool nan = false, infinite = false, negative = false;
  Quad value = 0;  ///< finite ones; a zero has its sign in `negative`
};

Quad power_of_two(int exponent) {
  return static_cast<Quad>(std::ldexp(1.0, exponent));
}

/// A multiple of 2^unit.
Quad rounded(Quad value, int unit, Direction direction) {
  const Quad scaled = value / power_of_two(unit);
  // Beyond 2^100 everything is a multiple.
  const Quad bound = power_of_two(100);
  if (scaled > bound || scaled < -bound) return value;
  Wide whole = static_cast<Wide>(scaled);
  if (static_cast<Quad>(whole) > scaled) --whole;
  const Quad rest = scaled - static_cast<Quad>(whole), half = static_cast<Quad>(0.5);
  const bool up = direction == Direction::up        ? rest > 0
                  : direction == Direction::zero    ? rest > 0 && value < 0
                  : direction == Direction::nearest ? rest > half || (rest == half && (whole & 1) != 0)
                                                    : false;
  return static_cast<Quad>(whole + (up ? 1 : 0)) * power_of_two(unit);
}

struct Type {
  std::string name;
  Width reg;
  int width = 0;              ///< integers
  bool is_signed = false;     ///< integers
  int digits = 0, least = 0;  ///< floats: significant bits, exponent of the least normal number
  double largest = 0;
  Allowed::As as = Allowed::As::bits;

  bool whole() const { return width != 0; }
  std::vector<Bits> edges() const {
    if (whole()) return edges_integer(width);
    return name == "f16"    ? edges_f16()
           : name == "bf16" ? edges_bf16()
           : name == "f32"  ? edges_f32()
                            : edges_f64();
  }
  Number number(Bits bits) const {
    Number result;
    if (whole()) {
      result.value =
          is_signed ? static_cast<Quad>(as_signed(bits, width)) : static_cast<Quad>(truncated(bits, width));
      result.negative = result.value < 0;
      return result;
    }
    const auto narrow = static_cast<std::uint16_t>(bits);
    const double value = name == "f16"    ? half_to_float(narrow)
                         : name == "bf16" ? bfloat16_to_float(narrow)
                         : name == "f32"  ? as_f32(bits)
                                          : as_f64(bits);
    result.nan = std::isnan(value);
    result.infinite = std::isinf(value);
    result.negative = std::signbit(value);
    if (std::isfinite(value)) result.value = static_cast<Quad>(value);
    return result;
  }
  /// Of a value that the format has.
  Bits bits(double value) const {
    if (name == "f16") return std::isnan(value) ? 0x7FFF : double_to_half(value);
    if (name == "bf16") return std::isnan(value) ? 0x7FFF : double_to_bfloat16(value);
    return name == "f32" ? of_f32(static_cast<float>(value)) : of_f64(value);
  }
};
Type integer(int width, bool is_signed) {
  return {(is_signed ? "s" : "u") + std::to_string(width),
          width <= 16   ? Width::b16
          : width == 64 ? Width::b64
                        : Width::b32,
          width, is_signed};
}
const Type kF16{"f16", Width::b16, 0, false, 11, -14, 65504.0, Allowed::As::f16};
const Type kBf16{"bf16", Width::b16, 0, false, 8, -126, 0x1.FEp127, Allowed::As::bf16};
const Type kF32{"f32", Width::b32, 0, false, 24, -126, 0x1.FFFFFEp127, Allowed::As::f32};
const Type kF64{"f64", Width::b64, 0, false, 53, -1022, 0x1.FFFFFFFFFFFFFp1023, Allowed::As::f64};

struct Form {
  Type to, from;
  Direction direction = Direction::nearest;
  bool integral = false, ftz = false, sat = false, relu = false, satfinite = false;
};

Bits to_integer(const Form& form, const Number& number) {
  const Wide one = 1;
  const int width = form.to.width;
  const Wide low = form.to.is_signed ? -(one << (width - 1)) : 0;
  const Wide high = (one << (form.to.is_signed ? width - 1 : width)) - 1;
  const auto in_register = [&](Wide value) {
    return truncated(static_cast<Bits>(value), std::max(width, 16));
  };
  if (number.nan) {
    const bool top = form.from.name == "f64" || width == 64;
    return !top ? 0 : low < 0 ? in_register(low) : Bits{1} << (width - 1);
  }
  if (number.infinite) return in_register(number.negative ? low : high);
  const Quad whole = rounded(number.value, 0, form.direction);
  return in_register(whole <= static_cast<Quad>(low)    ? low
                     : whole >= static_cast<Quad>(high) ? high
                                                        : static_cast<Wide>(whole));
}

Bits to_float(const Form& form, Number number) {
  const Type& to = form.to;
  if (form.sat) {
    if (number.nan || number.negative) return to.bits(0.0);
    if (number.infinite || number.value > 1) return to.bits(1.0);
  }
  if (number.nan) return to.bits(std::nan(""));
  if (form.relu && number.negative) return to.bits(0.0);
  const double sign = number.negative ? -1 : 1;
  const double beyond = form.satfinite ? to.largest : INFINITY;
  if (number.infinite) return to.bits(sign * beyond);
  if (number.value == 0) return to.bits(std::copysign(0.0, sign));
  const Quad size = number.value < 0 ? -number.value : number.value;
  int exponent = std::ilogb(static_cast<double>(size));
  if (power_of_two(exponent) > size) --exponent;
  const int unit = std::max(exponent, to.least) - to.digits + 1;
  const Quad result = rounded(number.value, unit, form.direction);
  const Quad magnitude = result < 0 ? -result : result;
  if (magnitude > static_cast<Quad>(to.largest)) {
    const bool inward = form.direction == Direction::zero ||
                        form.direction == (number.negative ? Direction::up : Direction::down);
    return to.bits(sign * (inward ? to.largest : beyond));
  }
  const double value = std::copysign(static_cast<double>(magnitude), sign);
  if (form.ftz && to.name == "f32") return of_f32(flushed(static_cast<float>(value)));
  return to.bits(value);
}

Bits converted(const Form& form, Bits bits) {
  Number number = form.from.number(bits);
  const bool finite = !number.nan && !number.infinite;
  const Quad least = power_of_two(-126);
  if (form.ftz && form.from.name == "f32" && finite && number.value < least && number.value > -least)
    number.value = 0;
  if (form.to.whole()) return to_integer(form, number);
  if (form.integral && finite) number.value = rounded(number.value, 0, form.direction);
  return to_float(form, number);
}

class Forms {
 public:
  void add(Form form, const std::string& rounding) {
    const std::string name = "cvt" + rounding + (form.ftz ? ".ftz" : "") + (form.relu ? ".relu" : "") +
                             (form.sat ? ".sat" : "") + (form.satfinite ? ".satfinite" : "") + "." +
                             form.to.name + "." + form.from.name;
    cases_.push_back({name,
                      name + " $d, $a;",
                      {form.from.reg},
                      form.to.reg,
                      {form.from.edges()},
                      [form](Operands v) { return converted(form, v[0]); },
                      {form.to.as, 0, 0}});
    // It rounds f32's subnormals instead of flushing them.
    cases_.back().h200_departs = form.ftz && form.to.name == "f16" && form.from.name == "f32" &&
                                 (form.direction == Direction::down || form.direction == Direction::up);
  }
  /// In all four directions, with and without the modifiers that it may have.
  void add_all(Form form, bool integral, bool may_flush, bool may_saturate) {
    for (const auto& [letter, direction] : kDirections)
      for (const bool ftz : {false, true})
        for (const bool sat : {false, true}) {
          if ((ftz && !may_flush) || (sat && !may_saturate)) continue;
          form.direction = direction;
          form.integral = integral;
          form.ftz = ftz;
          form.sat = sat;
          add(form, ".r" + letter + (integral ? "i" : ""));
        }
  }
  std::vector<Case> take() { return std::move(cases_); }

 private:
  std::vector<Case> cases_;
};

void with_integers(Forms& forms) {
  for (const int width : {8, 16, 32, 64})
    for (const bool is_signed : {false, true}) {
      const Type whole = integer(width, is_signed);
      for (const Type& type : {kF16, kF32, kF64}) {
        forms.add_all({type, whole}, false, type.name == "f32", true);
        forms.add_all({whole, type}, true, type.name == "f32", true);
      }
      if (width == 8) continue;
      forms.add_all({kBf16, whole}, false, false, false);
      forms.add_all({whole, kBf16}, true, false, false);
    }
}

void between_floats(Forms& forms) {
  // To narrower formats.
  forms.add_all({kF16, kF32}, false, true, true);
  forms.add_all({kF16, kF64}, false, false, true);
  forms.add_all({kBf16, kF32}, false, true, false);
  for (const Type& from : {kF16, kF64}) forms.add_all({kBf16, from}, false, false, false);
  forms.add_all({kF16, kBf16}, false, false, false);
  forms.add_all({kF64, kBf16}, false, false, false);
  forms.add_all({kF32, kBf16}, false, true, false);
  for (const auto& [letter, direction] : kDirections)
    for (const bool ftz : {false, true}) {  // without .sat a NaN keeps its payload: asked elsewhere
      Form form{kF32, kF64, direction};
      form.ftz = ftz;
      form.sat = true;
      forms.add(form, ".r" + letter);
    }
  for (const Type& to : {kF16, kBf16})
    for (const auto& [letter, direction] : {kDirections[0], kDirections[1]})
      for (const bool relu : {false, true}) {
        Form form{to, kF32, direction};
        form.relu = relu;
        form.satfinite = true;
        forms.add(form, ".r" + letter);
      }
  // Within one format, and to wider ones.
  for (const Type& type : {kF16, kF32, kF64}) forms.add_all({type, type}, true, type.name == "f32", true);
  forms.add_all({kBf16, kBf16}, true, false, false);
  for (const Type& type : {kF16, kF32, kF64}) {
    Form form{type, type};
    form.sat = true;
    forms.add(form, "");
    form = {kF64, type};
    form.sat = true;
    if (type.name != "f64") forms.add(form, "");
  }
  for (const bool sat : {false, true})
    for (const Type& from : {kF16, kF32}) {
      Form form{kF32, from};
      form.ftz = true;
      form.sat = sat;
      forms.add(form, "");
      form = {kF64, kF32};
      form.ftz = form.sat = true;
      if (sat && from.name == "f32") forms.add(form, "");
    }
}

/// Pairs: from two registers, the first of which gives the upper half, or from a pair.
void pairs(std::vector<Case>& cases) {
  for (const Type& to : {kF16, kBf16})
    for (const auto& [letter, direction] : {kDirections[0], kDirections[1]})
      for (const bool relu : {false, true}) {
        Form form{to, kF32, direction};
        form.relu = relu;
        form.satfinite = true;
        const std::string name =
            "cvt.r" + letter + (relu ? ".relu" : "") + ".satfinite." + to.name + "x2.f32";
        cases.push_back({name,
                         name + " $d, $a, $b;",
                         {Width::b32, Width::b32},
                         Width::b32,
                         {edges_f32(), edges_f32()},
                         [form](Operands v) { return converted(form, v[0]) << 16 | converted(form, v[1]); },
                         {to.name == "f16" ? Allowed::As::f16x2 : Allowed::As::bf16x2, 0, 0}});
      }
  for (const bool e4m3 : {true, false})
    for (const bool relu : {false, true}) {
      const std::string type = e4m3 ? "e4m3x2" : "e5m2x2", head = relu ? "cvt.rn.relu" : "cvt.rn";
      const auto encode = [=](double value) -> Bits {
        if (std::isnan(value)) return 0x7F;
        if (relu && std::signbit(value)) return 0;
        const double largest = e4m3 ? 448 : 57344;
        const double kept = std::fabs(value) > largest ? std::copysign(largest, value) : value;
        return e4m3 ? double_to_float8_e4m3fn(kept) : double_to_float8_e5m2(kept);
      };
      const auto half = [](Bits bits) {
        return double{half_to_float(static_cast<std::uint16_t>(bits & 0xFFFF))};
      };
      const std::string packs = (relu ? "cvt.rn.satfinite.relu." : "cvt.rn.satfinite.") + type;
      if (relu)
        cases.push_back({packs + ".f32",
                         packs + ".f32 $d, $a, $b;",
                         {Width::b32, Width::b32},
                         Width::b16,
                         {edges_f32(), edges_f32()},
                         [encode](Operands v) { return encode(as_f32(v[0])) << 8 | encode(as_f32(v[1])); },
                         {}});
      cases.push_back({packs + ".f16x2",
                       packs + ".f16x2 $d, $a;",
                       {Width::b32},
                       Width::b16,
                       {packed(edges_f16())},
                       [=](Operands v) { return encode(half(v[0] >> 16)) << 8 | encode(half(v[0])); },
                       {}});
      if (!relu) continue;
      std::vector<Bits> values;
      for (Bits bits = 0; bits < 256; ++bits) values.push_back(bits | (255 - bits) << 8);
      cases.push_back({head + ".f16x2." + type,
                       head + ".f16x2." + type + " $d, $a;",
                       {Width::b16},
                       Width::b32,
                       {values},
                       [e4m3](Operands v) {
                         const auto one = [e4m3](Bits bits) {
                           const auto byte = static_cast<std::uint8_t>(bits & 0xFF);
                           const double value =
                               e4m3 ? float8_e4m3fn_to_float(byte) : float8_e5m2_to_float(byte);
                           return kF16.bits(std::signbit(value) && !std::isnan(value) ? 0.0 : value);
                         };
                         return one(v[0]) | one(v[0] >> 8) << 16;
                       },
                       {Allowed::As::f16x2, 0, 0}});
    }
}

/// 10 fraction bits in the places of f32.
void tf32(std::vector<Case>& cases) {
  for (const auto& [letter, direction] : {kDirections[0], kDirections[1]})
    for (const bool relu : {false, true}) {
      const std::string name = "cvt.r" + letter + (relu ? ".relu" : "") + ".tf32.f32";
      cases.push_back({name,
                       name + " $d, $a;",
                       {Width::b32},
                       Width::b32,
                       {edges_f32()},
                       [=, direction = direction](Operands v) {
                         const Bits kept = v[0] & 0x7FFFE000;
                         if (std::isnan(as_f32(v[0]))) return Bits{0x7FFFFFFF};
                         if (relu && (v[0] >> 31) != 0 && !std::isnan(as_f32(v[0]))) return Bits{0};
                         if (kept == 0x7F800000) return v[0] & 0xFF800000;
                         Form form{kF32, kF32, direction};
                         const Number number = kF32.number(v[0]);
                         const double size = std::fabs(static_cast<double>(number.value));
                         if (size == 0) return v[0];
                         const int unit = std::max(std::ilogb(size), -126) - 10;
                         const Quad result = rounded(number.value, unit, direction);
                         return of_f32(
                             std::copysign(static_cast<float>(result), number.negative ? -1.0f : 1.0f));
                       },
                       {Allowed::As::f32, 0, 0}});
    }
}

std::vector<Case> all() {
  Forms forms;
  with_integers(forms);
  between_floats(forms);
  std::vector<Case> cases = forms.take();
  pairs(cases);
  tf32(cases);
  return cases;
}

class ConversionOracle : public ::testing::TestWithParam<Case> {};
TEST_P(ConversionOracle, AgreesWithTheIsa) {
  check(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Ptx, ConversionOracle, ::testing::ValuesIn(all()),
                         [](const auto& one) { return test_name(one.param.name); });

}  // namespace
}  // namespace ridge::oracle
