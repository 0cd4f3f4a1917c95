// SPDX-License-Identifier: GPL-3.0-or-later
// f32 and f64 instructions against the text of the PTX ISA (section "Floating-Point Instructions").
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "device/emulator_oracle/oracle.h"

namespace ridge::oracle {
namespace {

using Cases = std::vector<Case>;
const std::vector<std::pair<std::string, Round>> kRounds{
    {"rn", Round::rn}, {"rz", Round::rz}, {"rm", Round::rm}, {"rp", Round::rp}};

/// Keeps the compiler from computing at compile time, in another rounding mode.
template <class T>
T opaque(T value) {
  volatile T hidden = value;
  return hidden;
}

__extension__ using Quad = __float128;

/// The sign of |exact result| - bound.
int compared(const std::string& op, const std::vector<float>& v, float rounded, Quad bound) {
  const auto magnitude = [](Quad value) { return value < 0 ? -value : value; };
  const Quad sign = rounded < 0 ? -1 : 1;
  Quad difference = 0;
  if (op == "div") difference = magnitude(v[0]) - bound * magnitude(v[1]);
  if (op == "rcp") difference = 1 - bound * magnitude(v[0]);
  if (op == "mul") difference = magnitude(static_cast<Quad>(v[0]) * v[1]) - bound;
  if (op == "fma")
    difference = sign * static_cast<Quad>(v[0]) * v[1] + (sign * static_cast<Quad>(v[2]) - bound);
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

/// .ftz of a result: IEEE 754's tininess after rounding, as an H200 has it. Sums are exact there, roots are
/// never tiny.
float flushed_result(float rounded, const std::string& op, Round mode, const std::vector<float>& values) {
  const bool may_be_tiny = op == "div" || op == "rcp" || op == "mul" || op == "fma";
  if (may_be_tiny && std::fabs(rounded) == 0x1p-126f) {
    // With 24 places and no least exponent: the halfway point goes up, and so does all above the neighbour
    // below when rounding is away from zero.
    const Quad least = static_cast<Quad>(0x1p-126);
    const bool tiny = mode == Round::rn
                          ? compared(op, values, rounded, least - static_cast<Quad>(0x1p-151)) < 0
                          : compared(op, values, rounded, least - static_cast<Quad>(0x1p-150)) <= 0;
    if (tiny) return std::copysign(0.0f, rounded);
  }
  return flushed(rounded);
}

float saturated(float value) {
  return std::isnan(value) || value < 0 ? 0.0f : value > 1 ? 1.0f : value == 0 ? 0.0f : value;
}

using Function = std::function<double(const std::vector<double>&)>;
/// Operations computed in the format itself, so that the host's rounding mode applies.
template <class T>
T computed(const std::string& op, const std::vector<T>& v) {
  const T a = opaque(v[0]), b = v.size() > 1 ? opaque(v[1]) : T{}, c = v.size() > 2 ? opaque(v[2]) : T{};
  if (op == "add") return opaque(a + b);
  if (op == "sub") return opaque(a - b);
  if (op == "mul") return opaque(a * b);
  if (op == "div") return opaque(a / b);
  if (op == "fma" || op == "mad") return opaque(std::fma(a, b, c));
  if (op == "rcp") return opaque(T{1} / a);
  if (op == "sqrt") return opaque(std::sqrt(a));
  ADD_FAILURE() << op;
  return T{};
}

std::string operands(std::size_t count) {
  return std::string(" $d, $a") + (count > 1 ? ", $b" : "") + (count > 2 ? ", $c" : "") + ";";
}

void rounded_f32(Cases& cases) {
  const std::vector<std::pair<std::string, std::size_t>> operations{
      {"add", 2}, {"sub", 2}, {"mul", 2}, {"fma", 3}, {"div", 2}, {"rcp", 1}, {"sqrt", 1}};
  for (const auto& [op, count] : operations)
    for (const auto& [name, mode] : kRounds)
      for (const bool ftz : {false, true})
        for (const bool sat : {false, true}) {
          if (sat && (op == "div" || op == "rcp" || op == "sqrt")) continue;
          const std::string full = op + "." + name + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + ".f32";
          cases.push_back({full,
                           full + operands(count),
                           std::vector(count, Width::b32),
                           Width::b32,
                           std::vector(count, edges_f32()),
                           [=, op = op, mode = mode](Operands v) {
                             std::vector<float> values;
                             for (const Bits bits : v)
                               values.push_back(ftz ? flushed(as_f32(bits)) : as_f32(bits));
                             float result;
                             {
                               const RoundingScope scope(mode);
                               result = computed(op, values);
                             }
                             if (ftz) result = flushed_result(result, op, mode, values);
                             return of_f32(sat ? saturated(result) : result);
                           },
                           {}});
        }
}

void rounded_f64(Cases& cases) {
  const std::vector<std::pair<std::string, std::size_t>> operations{
      {"add", 2}, {"sub", 2}, {"mul", 2}, {"fma", 3}, {"div", 2}, {"rcp", 1}, {"sqrt", 1}};
  for (const auto& [op, count] : operations)
    for (const auto& [name, mode] : kRounds) {
      const std::string full = op + "." + name + ".f64";
      cases.push_back({full,
                       full + operands(count),
                       std::vector(count, Width::b64),
                       Width::b64,
                       std::vector(count, edges_f64()),
                       [op = op, mode = mode](Operands v) {
                         std::vector<double> values;
                         for (const Bits bits : v) values.push_back(as_f64(bits));
                         const RoundingScope scope(mode);
                         return of_f64(computed(op, values));
                       },
                       {Allowed::As::f64, 0, 0}});
    }
}

void defaults(Cases& cases) {
  // Without a rounding modifier: nearest even.
  for (const char* op : {"add", "sub", "mul"})
    cases.push_back({std::string(op) + ".f32",
                     std::string(op) + ".f32 $d, $a, $b;",
                     {Width::b32, Width::b32},
                     Width::b32,
                     {edges_f32(), edges_f32()},
                     [op = std::string(op)](Operands v) {
                       return of_f32(computed<float>(op, {as_f32(v[0]), as_f32(v[1])}));
                     },
                     {}});
}

template <class T>
T smaller(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;  // -0 is below +0
  return a < b ? a : b;
}
template <class T>
T larger(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

void selection(Cases& cases) {
  for (const bool least : {true, false})
    for (const bool ftz : {false, true})
      for (const bool nan : {false, true})
        for (const bool xorsign : {false, true}) {
          const std::string name = std::string(least ? "min" : "max") + (ftz ? ".ftz" : "") +
                                   (nan ? ".NaN" : "") + (xorsign ? ".xorsign.abs" : "") + ".f32";
          cases.push_back({name,
                           name + " $d, $a, $b;",
                           {Width::b32, Width::b32},
                           Width::b32,
                           {edges_f32(), edges_f32()},
                           [=](Operands v) {
                             float a = as_f32(v[0]), b = as_f32(v[1]);
                             if (ftz) a = flushed(a), b = flushed(b);
                             const bool negative = std::signbit(a) != std::signbit(b);
                             if (xorsign) a = std::fabs(a), b = std::fabs(b);
                             if (nan && (std::isnan(a) || std::isnan(b))) return Bits{0x7FFFFFFF};
                             float result = least ? smaller(a, b) : larger(a, b);
                             if (xorsign && !std::isnan(result))
                               result = negative ? -std::fabs(result) : std::fabs(result);
                             return of_f32(result);
                           },
                           // With .xorsign a NaN result may carry the sign.
                           xorsign ? Allowed{Allowed::As::f32, 0, 0} : Allowed{}});
        }
  for (const bool least : {true, false}) {
    const std::string name = std::string(least ? "min" : "max") + ".f64";
    cases.push_back({name,
                     name + " $d, $a, $b;",
                     {Width::b64, Width::b64},
                     Width::b64,
                     {edges_f64(), edges_f64()},
                     [least](Operands v) {
                       return of_f64(least ? smaller(as_f64(v[0]), as_f64(v[1]))
                                           : larger(as_f64(v[0]), as_f64(v[1])));
                     },
                     {Allowed::As::f64, 0, 0}});
  }
  for (const bool ftz : {false, true})
    for (const char* op : {"abs", "neg"}) {
      const std::string name = std::string(op) + (ftz ? ".ftz" : "") + ".f32";
      cases.push_back({name,
                       name + " $d, $a;",
                       {Width::b32},
                       Width::b32,
                       {edges_f32()},
                       [=, absolute = op[0] == 'a'](Operands v) {
                         const float a = ftz ? flushed(as_f32(v[0])) : as_f32(v[0]);
                         return of_f32(absolute ? std::fabs(a) : -a);
                       },
                       {Allowed::As::f32, 0, 0}});
    }
  for (const char* op : {"abs", "neg"}) {
    const std::string name = std::string(op) + ".f64";
    cases.push_back({name,
                     name + " $d, $a;",
                     {Width::b64},
                     Width::b64,
                     {edges_f64()},
                     [absolute = op[0] == 'a'](Operands v) {
                       return of_f64(absolute ? std::fabs(as_f64(v[0])) : -as_f64(v[0]));
                     },
                     {Allowed::As::f64, 0, 0}});
  }
  cases.push_back({"copysign.f32",
                   "copysign.f32 $d, $a, $b;",
                   {Width::b32, Width::b32},
                   Width::b32,
                   {edges_f32(), edges_f32()},
                   [](Operands v) { return (v[0] & 0x80000000) | (v[1] & 0x7FFFFFFF); },
                   {}});
  cases.push_back({"copysign.f64",
                   "copysign.f64 $d, $a, $b;",
                   {Width::b64, Width::b64},
                   Width::b64,
                   {edges_f64(), edges_f64()},
                   [](Operands v) { return (v[0] & ~(~Bits{0} >> 1)) | (v[1] & (~Bits{0} >> 1)); },
                   {}});
}

void compare(Cases& cases) {
  struct Comparison {
    const char* name;
    std::function<bool(double, double)> holds;
  };
  const auto nan = [](double a, double b) { return std::isnan(a) || std::isnan(b); };
  const std::vector<Comparison> comparisons{{"eq", [](double a, double b) { return a == b; }},
                                            {"ne", [=](double a, double b) { return !nan(a, b) && a != b; }},
                                            {"lt", [](double a, double b) { return a < b; }},
                                            {"le", [](double a, double b) { return a <= b; }},
                                            {"gt", [](double a, double b) { return a > b; }},
                                            {"ge", [](double a, double b) { return a >= b; }},
                                            {"equ", [=](double a, double b) { return nan(a, b) || a == b; }},
                                            {"neu", [](double a, double b) { return a != b; }},
                                            {"ltu", [=](double a, double b) { return nan(a, b) || a < b; }},
                                            {"leu", [=](double a, double b) { return nan(a, b) || a <= b; }},
                                            {"gtu", [=](double a, double b) { return nan(a, b) || a > b; }},
                                            {"geu", [=](double a, double b) { return nan(a, b) || a >= b; }},
                                            {"num", [=](double a, double b) { return !nan(a, b); }},
                                            {"nan", nan}};
  for (const Comparison& comparison : comparisons) {
    for (const bool ftz : {false, true}) {
      const std::string name = std::string("setp.") + comparison.name + (ftz ? ".ftz" : "") + ".f32";
      cases.push_back({name,
                       name + " $d, $a, $b;",
                       {Width::b32, Width::b32},
                       Width::pred,
                       {edges_f32(), edges_f32()},
                       [=](Operands v) {
                         const float a = ftz ? flushed(as_f32(v[0])) : as_f32(v[0]),
                                     b = ftz ? flushed(as_f32(v[1])) : as_f32(v[1]);
                         return static_cast<Bits>(comparison.holds(a, b));
                       },
                       {}});
    }
    const std::string name = std::string("setp.") + comparison.name + ".f64";
    cases.push_back(
        {name,
         name + " $d, $a, $b;",
         {Width::b64, Width::b64},
         Width::pred,
         {edges_f64(), edges_f64()},
         [=](Operands v) { return static_cast<Bits>(comparison.holds(as_f64(v[0]), as_f64(v[1]))); },
         {}});
    const std::string set = std::string("set.") + comparison.name + ".f32.f32";
    cases.push_back({set,
                     set + " $d, $a, $b;",
                     {Width::b32, Width::b32},
                     Width::b32,
                     {edges_f32(), edges_f32()},
                     [=](Operands v) {
                       return comparison.holds(as_f32(v[0]), as_f32(v[1])) ? Bits{0x3F800000} : Bits{0};
                     },
                     {}});
  }
  struct Class {
    const char* name;
    std::function<bool(double, int)> holds;
  };
  const std::vector<Class> classes{{"finite", [](double, int c) { return c != FP_NAN && c != FP_INFINITE; }},
                                   {"infinite", [](double, int c) { return c == FP_INFINITE; }},
                                   {"number", [](double, int c) { return c != FP_NAN; }},
                                   {"notanumber", [](double, int c) { return c == FP_NAN; }},
                                   {"normal", [](double, int c) { return c == FP_NORMAL || c == FP_ZERO; }},
                                   {"subnormal", [](double, int c) { return c == FP_SUBNORMAL; }}};
  for (const Class& one : classes) {
    cases.push_back(
        {std::string("testp.") + one.name + ".f32",
         std::string("testp.") + one.name + ".f32 $d, $a;",
         {Width::b32},
         Width::pred,
         {edges_f32()},
         [=](Operands v) { return static_cast<Bits>(one.holds(0, std::fpclassify(as_f32(v[0])))); },
         {}});
    cases.push_back(
        {std::string("testp.") + one.name + ".f64",
         std::string("testp.") + one.name + ".f64 $d, $a;",
         {Width::b64},
         Width::pred,
         {edges_f64()},
         [=](Operands v) { return static_cast<Bits>(one.holds(0, std::fpclassify(as_f64(v[0])))); },
         {}});
  }
}

void approximate(Cases& cases) {
  struct Approximation {
    const char* name;
    std::function<double(double)> f;
    double ulps, absolute;
  };
  // Bounds: the tables of the ISA's entries for each instruction.
  const std::vector<Approximation> list{{"rcp.approx", [](double a) { return 1 / a; }, 1, 0},
                                        {"sqrt.approx", [](double a) { return std::sqrt(a); }, 2, 0},
                                        {"rsqrt.approx", [](double a) { return 1 / std::sqrt(a); }, 3, 0},
                                        {"ex2.approx", [](double a) { return std::exp2(a); }, 2, 0},
                                        {"lg2.approx", [](double a) { return std::log2(a); }, 2, 0x1p-22}};
  for (const Approximation& one : list)
    for (const bool ftz : {false, true}) {
      const std::string name = std::string(one.name) + (ftz ? ".ftz" : "") + ".f32";
      cases.push_back({name,
                       name + " $d, $a;",
                       {Width::b32},
                       Width::b32,
                       {edges_f32()},
                       [=](Operands v) {
                         const float a = ftz ? flushed(as_f32(v[0])) : as_f32(v[0]);
                         const float result = static_cast<float>(one.f(a));
                         return of_f32(ftz ? flushed(result) : result);
                       },
                       // A result that is subnormal without .ftz may still be flushed by the approximations.
                       {Allowed::As::f32, one.ulps, one.absolute + 0x1p-126}});
    }
  // sin, cos: 2^-20.5 absolute in [-pi, pi], nothing promised far outside; so the operand is reduced to [-2,
  // 2] first.
  for (const char* op : {"sin", "cos"})
    cases.push_back({std::string(op) + ".approx.f32",
                     std::string("{ .reg .f32 t; min.f32 t, $a, 0f40000000; max.f32 t, t, 0fC0000000; ") +
                         op + ".approx.f32 $d, t; }",
                     {Width::b32},
                     Width::b32,
                     {edges_f32()},
                     [sine = op[0] == 's'](Operands v) {
                       const float a = larger(smaller(as_f32(v[0]), 2.0f), -2.0f);
                       return of_f32(static_cast<float>(sine ? std::sin(static_cast<double>(a))
                                                             : std::cos(static_cast<double>(a))));
                     },
                     {Allowed::As::f32, 0, 0x1p-20}});
  cases.push_back(
      {"tanh.approx.f32",
       "tanh.approx.f32 $d, $a;",
       {Width::b32},
       Width::b32,
       {edges_f32()},
       [](Operands v) { return of_f32(static_cast<float>(std::tanh(static_cast<double>(as_f32(v[0]))))); },
       {Allowed::As::f32, 0x1p-10 * 0x1p23, 0x1p-126}});
  for (const char* op : {"div.approx", "div.full"})
    cases.push_back(
        {std::string(op) + ".f32",
         // Both are promised for |b| in [2^-126, 2^126]; the operand is kept there.
         std::string("{ .reg .f32 t; abs.f32 t, $b; min.f32 t, t, 0f7E000000; max.f32 t, t, 0f01000000; ") +
             op + ".f32 $d, $a, t; }",
         {Width::b32, Width::b32},
         Width::b32,
         {edges_f32(), edges_f32()},
         [](Operands v) {
           const float b = larger(smaller(std::fabs(as_f32(v[1])), 0x1p125f), 0x1p-125f);
           return of_f32(as_f32(v[0]) / b);
         },
         {Allowed::As::f32, 2, 0x1p-126}});
}

Cases all() {
  Cases cases;
  rounded_f32(cases);
  rounded_f64(cases);
  defaults(cases);
  selection(cases);
  compare(cases);
  approximate(cases);
  return cases;
}

class FloatOracle : public ::testing::TestWithParam<Case> {};
TEST_P(FloatOracle, AgreesWithTheIsa) {
  check(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Ptx, FloatOracle, ::testing::ValuesIn(all()),
                         [](const auto& one) { return test_name(one.param.name); });

}  // namespace
}  // namespace ridge::oracle
