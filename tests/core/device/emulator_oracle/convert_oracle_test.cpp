// SPDX-License-Identifier: GPL-3.0-or-later
// cvt in all directions against the text of the PTX ISA (section "Data Movement and Conversion": cvt).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/dtype.h"
#include "device/emulator_oracle/oracle.h"

namespace ridge::oracle {
namespace {

__extension__ using Wide = __int128;

struct Integer {
  std::string name;
  int width;
  bool is_signed;
  Width reg() const { return width <= 16 ? Width::b16 : width == 64 ? Width::b64 : Width::b32; }
  Wide lowest() const { return is_signed ? -(static_cast<Wide>(1) << (width - 1)) : 0; }
  Wide highest() const { return (static_cast<Wide>(1) << (width - (is_signed ? 1 : 0))) - 1; }
  Wide value(Bits bits) const {
    return is_signed ? static_cast<Wide>(as_signed(bits, width)) : static_cast<Wide>(truncated(bits, width));
  }
  /// As it stands in its register: narrow types are extended to 16 bits.
  Bits bits(Wide v) const { return truncated(static_cast<Bits>(v), std::max(width, 16)); }
};
const std::vector<Integer> kIntegers{{"s8", 8, true},    {"u8", 8, false},  {"s16", 16, true},
                                     {"u16", 16, false}, {"s32", 32, true}, {"u32", 32, false},
                                     {"s64", 64, true},  {"u64", 64, false}};
const std::vector<std::pair<std::string, Round>> kRounds{
    {"n", Round::rn}, {"z", Round::rz}, {"m", Round::rm}, {"p", Round::rp}};

struct Floating {
  std::string name;
  Width reg;
  std::function<double(Bits)> value;
  std::function<std::vector<Bits>()> edges;
  Allowed::As as;
};
const std::vector<Floating> kFloats{
    {"f16", Width::b16, [](Bits b) { return half_to_float(static_cast<std::uint16_t>(b)); }, edges_f16,
     Allowed::As::f16},
    {"f32", Width::b32, [](Bits b) { return as_f32(b); }, edges_f32, Allowed::As::f32},
    {"f64", Width::b64, as_f64, edges_f64, Allowed::As::f64}};

/// `value` rounded to an integral value.
double integral(double value, Round mode) {
  switch (mode) {
    case Round::rn:
      return std::nearbyint(value);
    case Round::rz:
      return std::trunc(value);
    case Round::rm:
      return std::floor(value);
    case Round::rp:
      return std::ceil(value);
  }
  return value;
}

/// `value` rounded to f32 in a mode.
float narrowed(double value, Round mode) {
  const RoundingScope scope(mode);
  volatile double source = value;
  volatile float result = static_cast<float>(source);
  return result;
}

/// `value` rounded toward zero to a 16-bit float of `significand` bits.
Bits half_bits(double value, bool half, Round mode) {
  const auto encode = [half](double v) {
    return static_cast<Bits>(half ? double_to_half(v) : double_to_bfloat16(v));
  };
  const auto decode = [half](Bits b) {
    return static_cast<double>(half ? half_to_float(static_cast<std::uint16_t>(b))
                                    : bfloat16_to_float(static_cast<std::uint16_t>(b)));
  };
  if (std::isnan(value)) return 0x7FFF;
  Bits bits = encode(value);
  // Toward zero: one pattern down in magnitude when nearest went up (the infinities included).
  if (mode == Round::rz && std::fabs(decode(bits)) > std::fabs(value)) --bits;
  return bits;
}

void integers(std::vector<Case>& cases) {
  for (const Integer& to : kIntegers)
    for (const Integer& from : kIntegers) {
      std::vector<Bits> values = edges_integer(from.width);
      for (const bool sat : {false, true}) {
        // The assembler refuses .sat where every value of the source fits.
        if (sat && from.lowest() >= to.lowest() && from.highest() <= to.highest()) continue;
        const std::string name = std::string("cvt.") + (sat ? "sat." : "") + to.name + "." + from.name;
        // Narrow sources are read from the low bits of a 16-bit register; narrow results are widened on the
        // way out.
        cases.push_back(
            {name,
             name + " $d, $a;",
             {from.reg()},
             to.reg(),
             {values},
             [=](Operands v) {
               Wide value = from.value(v[0]);
               if (sat)
                 value = value < to.lowest() ? to.lowest() : value > to.highest() ? to.highest() : value;
               return to.bits(to.value(static_cast<Bits>(value)));
             },
             {}});
      }
    }
}

void float_to_integer(std::vector<Case>& cases) {
  for (const Integer& to : kIntegers)
    for (const Floating& from : kFloats)
      for (const auto& [letter, mode] : kRounds)
        for (const bool ftz : {false, true}) {
          if (ftz && from.name != "f32") continue;
          const std::string name = "cvt.r" + letter + "i." + (ftz ? "ftz." : "") + to.name + "." + from.name;
          cases.push_back(
              {name,
               name + " $d, $a;",
               {from.reg},
               to.reg(),
               {from.edges()},
               [=, mode = mode](Operands v) {
                 double value = from.value(v[0]);
                 if (ftz) value = flushed(static_cast<float>(value));
                 // Out of range saturates; NaN gives 0, or 0x8000... from f64 or to 64 bits (ISA, cvt), which
                 // a register wider than a signed type holds extended by its sign (ISA, operand size).
                 if (std::isnan(value)) {
                   const bool top = from.name == "f64" || to.width == 64;
                   if (top && to.lowest() < 0) return to.bits(to.lowest());
                   return top ? Bits{1} << (to.width - 1) : Bits{0};
                 }
                 value = integral(value, mode);
                 Wide whole = value <= -0x1p100  ? to.lowest()
                              : value >= 0x1p100 ? to.highest()
                                                 : static_cast<Wide>(value);
                 whole = whole < to.lowest() ? to.lowest() : whole > to.highest() ? to.highest() : whole;
                 return to.bits(whole);
               },
               {}});
        }
}

void integer_to_float(std::vector<Case>& cases) {
  for (const Integer& from : kIntegers)
    for (const auto& [letter, mode] : kRounds) {
      const auto exact = [from](Bits bits) { return from.value(bits); };
      cases.push_back({"cvt.r" + letter + ".f32." + from.name,
                       "cvt.r" + letter + ".f32." + from.name + " $d, $a;",
                       {from.reg()},
                       Width::b32,
                       {edges_integer(from.width)},
                       [=, mode = mode](Operands v) {
                         const Wide value = exact(v[0]);
                         const RoundingScope scope(mode);
                         volatile std::int64_t as_long = static_cast<std::int64_t>(value);
                         volatile std::uint64_t as_unsigned = static_cast<std::uint64_t>(value);
                         volatile float result =
                             from.is_signed ? static_cast<float>(as_long) : static_cast<float>(as_unsigned);
                         return of_f32(result);
                       },
                       {}});
      cases.push_back({"cvt.r" + letter + ".f64." + from.name,
                       "cvt.r" + letter + ".f64." + from.name + " $d, $a;",
                       {from.reg()},
                       Width::b64,
                       {edges_integer(from.width)},
                       [=, mode = mode](Operands v) {
                         const Wide value = exact(v[0]);
                         const RoundingScope scope(mode);
                         volatile std::int64_t as_long = static_cast<std::int64_t>(value);
                         volatile std::uint64_t as_unsigned = static_cast<std::uint64_t>(value);
                         volatile double result =
                             from.is_signed ? static_cast<double>(as_long) : static_cast<double>(as_unsigned);
                         return of_f64(result);
                       },
                       {}});
      if (letter == "n")
        cases.push_back(
            {"cvt.rn.f16." + from.name,
             "cvt.rn.f16." + from.name + " $d, $a;",
             {from.reg()},
             Width::b16,
             {edges_integer(from.width)},
             // 64-bit values above 2^53 all overflow to infinity, so the first rounding does no harm.
             [=](Operands v) { return half_bits(static_cast<double>(exact(v[0])), true, Round::rn); },
             {Allowed::As::f16, 0, 0}});
    }
}

void float_to_float(std::vector<Case>& cases) {
  for (const auto& [letter, mode] : kRounds) {
    cases.push_back({"cvt.r" + letter + ".f32.f64",
                     "cvt.r" + letter + ".f32.f64 $d, $a;",
                     {Width::b64},
                     Width::b32,
                     {edges_f64()},
                     [mode = mode](Operands v) -> Bits {
                       const float result = narrowed(as_f64(v[0]), mode);
                       // A NaN keeps its sign and payload.
                       return std::bit_cast<std::uint32_t>(result);
                     },
                     {}});
    for (const Floating& type : kFloats) {
      const std::string name = "cvt.r" + letter + "i." + type.name + "." + type.name;
      cases.push_back({name,
                       name + " $d, $a;",
                       {type.reg},
                       type.reg,
                       {type.edges()},
                       [=, mode = mode](Operands v) {
                         const double result = integral(type.value(v[0]), mode);
                         return type.name == "f16"   ? half_bits(result, true, Round::rn)
                                : type.name == "f32" ? of_f32(static_cast<float>(result))
                                                     : of_f64(result);
                       },
                       {type.as, 0, 0}});
    }
  }
  cases.push_back({"cvt.f64.f32",
                   "cvt.f64.f32 $d, $a;",
                   {Width::b32},
                   Width::b64,
                   {edges_f32()},
                   [](Operands v) { return of_f64(as_f32(v[0])); },
                   {Allowed::As::f64, 0, 0}});
  cases.push_back({"cvt.f32.f16",
                   "cvt.f32.f16 $d, $a;",
                   {Width::b16},
                   Width::b32,
                   {edges_f16()},
                   [](Operands v) { return of_f32(half_to_float(static_cast<std::uint16_t>(v[0]))); },
                   {}});
  cases.push_back({"cvt.f64.f16",
                   "cvt.f64.f16 $d, $a;",
                   {Width::b16},
                   Width::b64,
                   {edges_f16()},
                   [](Operands v) { return of_f64(half_to_float(static_cast<std::uint16_t>(v[0]))); },
                   {Allowed::As::f64, 0, 0}});
  cases.push_back({"cvt.f32.bf16",
                   "cvt.f32.bf16 $d, $a;",
                   {Width::b16},
                   Width::b32,
                   {edges_bf16()},
                   [](Operands v) { return of_f32(bfloat16_to_float(static_cast<std::uint16_t>(v[0]))); },
                   {Allowed::As::f32, 0, 0}});
  cases.push_back({"cvt.rn.f16.f64",
                   "cvt.rn.f16.f64 $d, $a;",
                   {Width::b64},
                   Width::b16,
                   {edges_f64()},
                   [](Operands v) { return half_bits(as_f64(v[0]), true, Round::rn); },
                   {Allowed::As::f16, 0, 0}});
  for (const bool half : {true, false})
    for (const auto& [letter, mode] : {kRounds[0], kRounds[1]})
      for (const bool relu : {false, true}) {
        const std::string type = half ? "f16" : "bf16";
        const std::string head = "cvt.r" + letter + (relu ? ".relu." : ".") + type;
        const auto one = [=, mode = mode](Bits bits) {
          const double value = as_f32(bits);
          return half_bits(relu && !(value > 0) && !std::isnan(value) ? 0.0 : value, half, mode);
        };
        cases.push_back({head + ".f32",
                         head + ".f32 $d, $a;",
                         {Width::b32},
                         Width::b16,
                         {edges_f32()},
                         [one](Operands v) { return one(v[0]); },
                         {half ? Allowed::As::f16 : Allowed::As::bf16, 0, 0}});
        // Packed: the first operand goes to the upper half.
        cases.push_back({head + "x2.f32",
                         head + "x2.f32 $d, $a, $b;",
                         {Width::b32, Width::b32},
                         Width::b32,
                         {edges_f32(), edges_f32()},
                         [one](Operands v) { return one(v[0]) << 16 | one(v[1]); },
                         {half ? Allowed::As::f16x2 : Allowed::As::bf16x2, 0, 0}});
      }
  cases.push_back({"cvt.sat.f32.f32",
                   "cvt.sat.f32.f32 $d, $a;",
                   {Width::b32},
                   Width::b32,
                   {edges_f32()},
                   [](Operands v) {
                     const float a = as_f32(v[0]);
                     return of_f32(std::isnan(a) || a <= 0 ? 0.0f : std::fmin(a, 1.0f));
                   },
                   {}});
  cases.push_back({"cvt.ftz.f64.f32",
                   "cvt.ftz.f64.f32 $d, $a;",
                   {Width::b32},
                   Width::b64,
                   {edges_f32()},
                   [](Operands v) { return of_f64(flushed(as_f32(v[0]))); },
                   {Allowed::As::f64, 0, 0}});
  // To nearest, ties away from zero, at 10 fraction bits.
  cases.push_back({"cvt.rna.tf32.f32",
                   "cvt.rna.tf32.f32 $d, $a;",
                   {Width::b32},
                   Width::b32,
                   {edges_f32()},
                   [](Operands v) {
                     // Of a NaN, an H200 looks at the places that tf32 keeps.
                     const Bits kept = v[0] & 0x7FFFE000;
                     if (kept > 0x7F800000) return Bits{0x7FFFFFFF};
                     if (kept == 0x7F800000) return v[0] & 0xFF800000;
                     return (((v[0] & 0x7FFFFFFF) + 0x1000) & 0xFFFFE000) | (v[0] & 0x80000000);
                   },
                   {Allowed::As::f32, 0, 0}});
}

void eight_bits(std::vector<Case>& cases) {
  for (const bool e4m3 : {true, false}) {
    const std::string type = e4m3 ? "e4m3" : "e5m2";
    const auto encode = [e4m3](double value) -> Bits {
      if (std::isnan(value)) return 0x7F;
      const double largest = e4m3 ? 448 : 57344;  // .satfinite
      const double clamped = std::fabs(value) > largest ? std::copysign(largest, value) : value;
      return e4m3 ? double_to_float8_e4m3fn(clamped) : double_to_float8_e5m2(clamped);
    };
    const auto decode = [e4m3](Bits bits) {
      return static_cast<double>(e4m3 ? float8_e4m3fn_to_float(static_cast<std::uint8_t>(bits))
                                      : float8_e5m2_to_float(static_cast<std::uint8_t>(bits)));
    };
    cases.push_back({"cvt.rn.satfinite." + type + "x2.f32",
                     "cvt.rn.satfinite." + type + "x2.f32 $d, $a, $b;",
                     {Width::b32, Width::b32},
                     Width::b16,
                     {edges_f32(), edges_f32()},
                     [encode](Operands v) { return encode(as_f32(v[0])) << 8 | encode(as_f32(v[1])); },
                     {}});
    std::vector<Bits> pairs;
    for (Bits bits = 0; bits < 256; ++bits) pairs.push_back(bits | (255 - bits) << 8);
    cases.push_back({"cvt.rn.f16x2." + type + "x2",
                     "cvt.rn.f16x2." + type + "x2 $d, $a;",
                     {Width::b16},
                     Width::b32,
                     {pairs},
                     [decode](Operands v) {
                       return half_bits(decode(v[0] & 0xFF), true, Round::rn) |
                              half_bits(decode(v[0] >> 8), true, Round::rn) << 16;
                     },
                     {Allowed::As::f16x2, 0, 0}});
  }
}

/// cvt.pack: two saturated integers, the second in the lowest place; what c holds moves up.
void packed_integers(std::vector<Case>& cases) {
  for (const bool is_signed : {false, true})
    for (const int width : {2, 4, 8, 16}) {
      const std::string type = (is_signed ? "s" : "u") + std::to_string(width);
      const Integer to{type, width, is_signed};
      const bool third = width < 16;
      const std::string name = "cvt.pack.sat." + type + ".s32" + (third ? ".b32" : "");
      const auto saturated = [to, width](Bits bits) {
        const Wide value = as_signed(bits, 32);
        const Wide kept = value < to.lowest() ? to.lowest() : value > to.highest() ? to.highest() : value;
        return truncated(static_cast<Bits>(kept), width);
      };
      std::vector<Bits> values = edges_integer(32);
      for (const Bits bits : {1, 2, 3, 7, 8, 15, 16, 127, 128, 255, 256, 32767, 32768, 65535, 65536}) {
        values.push_back(bits);
        values.push_back(truncated(0 - bits, 32));
      }
      std::vector<std::vector<Bits>> operands{values, values};
      if (third) operands.push_back({0, 1, 0xFFFFFFFF, 0x12345678});
      cases.push_back({name,
                       name + " $d, $a, $b" + (third ? ", $c;" : ";"),
                       std::vector(operands.size(), Width::b32),
                       Width::b32,
                       operands,
                       [=](Operands v) {
                         const Bits low = saturated(v[0]) << width | saturated(v[1]);
                         return third ? v[2] << (2 * width) | low : low;
                       },
                       {}});
    }
}

std::vector<Case> all() {
  std::vector<Case> cases;
  integers(cases);
  float_to_integer(cases);
  integer_to_float(cases);
  float_to_float(cases);
  eight_bits(cases);
  packed_integers(cases);
  return cases;
}

class ConvertOracle : public ::testing::TestWithParam<Case> {};
TEST_P(ConvertOracle, AgreesWithTheIsa) {
  check(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Ptx, ConvertOracle, ::testing::ValuesIn(all()),
                         [](const auto& one) { return test_name(one.param.name); });

}  // namespace
}  // namespace ridge::oracle
