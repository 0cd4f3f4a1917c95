// SPDX-License-Identifier: GPL-3.0-or-later
// set, setp and slct in the forms that have a second result, another result type or pairs of values, against
// the text of the PTX ISA (section "Comparison and Selection Instructions").
#include <gtest/gtest.h>

#include <cmath>

#include "base/dtype.h"
#include "device/emulator_oracle/oracle.h"

namespace ridge::oracle {
namespace {

struct Type {
  std::string name;
  Width reg;
  std::vector<Bits> edges;
  bool floating;
  bool flushes;  ///< has .ftz
  std::function<long double(Bits)> value;
};

double half_value(Bits bits) {
  return half_to_float(static_cast<std::uint16_t>(bits & 0xFFFF));
}
double bfloat_value(Bits bits) {
  return bfloat16_to_float(static_cast<std::uint16_t>(bits & 0xFFFF));
}

const std::vector<Type> kTypes{
    {"s16", Width::b16, edges_integer(16), false, false, [](Bits b) { return as_signed(b, 16); }},
    {"u32", Width::b32, edges_integer(32), false, false, [](Bits b) { return truncated(b, 32); }},
    {"s64", Width::b64, edges_integer(64), false, false, [](Bits b) { return as_signed(b, 64); }},
    {"u64", Width::b64, edges_integer(64), false, false, [](Bits b) { return b; }},
    {"f16", Width::b16, edges_f16(), true, true, half_value},
    {"bf16", Width::b16, edges_bf16(), true, false, bfloat_value},
    {"f32", Width::b32, edges_f32(), true, true, [](Bits b) { return as_f32(b); }},
    {"f64", Width::b64, edges_f64(), true, false, as_f64}};

struct Comparison {
  const char* name;
  bool of_integers;
  bool (*holds)(long double, long double);
};
const std::vector<Comparison> kComparisons{
    {"lt", true, [](long double a, long double b) { return a < b; }},
    {"ne", true, [](long double a, long double b) { return a < b || a > b; }},
    {"gtu", false, [](long double a, long double b) { return !(a <= b); }},
    {"equ", false, [](long double a, long double b) { return !(a < b || a > b); }},
    {"num", false, [](long double a, long double b) { return !std::isnan(a) && !std::isnan(b); }}};

long double flushed_value(const Type& type, Bits bits, bool ftz) {
  const long double value = type.value(bits);
  const long double least = type.name == "f16" ? 0x1p-14L : 0x1p-126L;
  return ftz && std::fabs(value) < least ? 0 : value;
}

/// What set gives where the comparison holds, and the register of the result.
struct Result {
  std::string name;
  Width reg;
  Bits one;
};
const std::vector<Result> kResults{{"u32", Width::b32, 0xFFFFFFFF}, {"s32", Width::b32, 0xFFFFFFFF},
                                   {"f32", Width::b32, 0x3F800000}, {"u16", Width::b16, 0xFFFF},
                                   {"s16", Width::b16, 0xFFFF},     {"f16", Width::b16, 0x3C00},
                                   {"bf16", Width::b16, 0x3F80}};

void add(std::vector<Case>& cases, const std::string& name, const std::string& instruction,
         std::vector<Width> inputs, Width output, std::vector<std::vector<Bits>> values,
         std::function<Bits(Operands)> expected) {
  cases.push_back({name, instruction, std::move(inputs), output, std::move(values), std::move(expected), {}});
}

void scalars(std::vector<Case>& cases) {
  for (const Type& type : kTypes)
    for (const Comparison& comparison : kComparisons)
      for (const bool ftz : {false, true}) {
        if ((!type.floating && !comparison.of_integers) || (ftz && !type.flushes)) continue;
        const auto holds = [=](Operands v) {
          return comparison.holds(flushed_value(type, v[0], ftz), flushed_value(type, v[1], ftz));
        };
        const std::string mode = std::string(".") + comparison.name, flush = ftz ? ".ftz" : "";
        const std::vector<std::vector<Bits>> values{type.edges, type.edges};
        // Both results of setp: 1 for the first, 2 for the second. Of single halves there is one result.
        const bool half = type.name == "f16" || type.name == "bf16";
        const auto both = [&](const std::string& boolean, const std::function<bool(bool, bool)>& f) {
          const std::string name = "setp" + mode + boolean + flush + "." + type.name;
          if (half) return;
          const bool third = !boolean.empty();
          auto inputs = std::vector<Width>(2, type.reg);
          auto operands = values;
          if (third) inputs.push_back(Width::pred), operands.push_back({0, 1});
          add(cases, name + ".both",
              "{ .reg .pred p, q; .reg .b32 m, n; " + name + " p|q, $a, $b" + (third ? ", !$c" : "") +
                  "; selp.b32 m, 1, 0, p; selp.b32 n, 2, 0, q; or.b32 $d, m, n; }",
              inputs, Width::b32, operands, [=](Operands v) {
                const bool c = third && v[2] == 0;
                return static_cast<Bits>((f(holds(v), c) ? 1 : 0) | (f(!holds(v), c) ? 2 : 0));
              });
        };
        both("", [](bool t, bool) { return t; });
        if (comparison.of_integers) {
          both(".and", [](bool t, bool c) { return t && c; });
          both(".or", [](bool t, bool c) { return t || c; });
          both(".xor", [](bool t, bool c) { return t != c; });
        }
        for (const Result& result : kResults) {
          const bool short_integer = result.name == "u16" || result.name == "s16";
          if ((short_integer && !half) || (result.name == "bf16" && ftz)) continue;
          const std::string name = "set" + mode + flush + "." + result.name + "." + type.name;
          if (half && result.name == "f32") continue;
          if (type.name == "bf16" && result.name == "f16") continue;
          add(cases, name, name + " $d, $a, $b;", {type.reg, type.reg}, result.reg, values,
              [=](Operands v) { return holds(v) ? result.one : Bits{0}; });
          if (comparison.name[0] != 'l') continue;
          const std::string joined = "set" + mode + ".xor" + flush + "." + result.name + "." + type.name;
          add(cases, joined, joined + " $d, $a, $b, $c;", {type.reg, type.reg, Width::pred}, result.reg,
              {type.edges, type.edges, {0, 1}},
              [=](Operands v) { return holds(v) != (v[2] != 0) ? result.one : Bits{0}; });
        }
      }
}

void pairs(std::vector<Case>& cases) {
  for (const Type& type : kTypes) {
    if (type.name != "f16" && type.name != "bf16") continue;
    const std::vector<Bits> edges = packed(type.edges);
    const Bits one = type.name == "f16" ? 0x3C00 : 0x3F80;
    for (const Comparison& comparison : kComparisons)
      for (const bool ftz : {false, true}) {
        if (ftz && !type.flushes) continue;
        const auto holds = [=](Operands v, int at) {
          return comparison.holds(flushed_value(type, v[0] >> at, ftz), flushed_value(type, v[1] >> at, ftz));
        };
        const std::string form = std::string(".") + comparison.name + (ftz ? ".ftz" : "");
        const std::string setp = "setp" + form + "." + type.name + "x2";
        add(cases, setp + ".both",
            "{ .reg .pred p, q; .reg .b32 m, n; " + setp +
                " p|q, $a, $b; selp.b32 m, 1, 0, p; selp.b32 n, 2, 0, q; or.b32 $d, m, n; }",
            {Width::b32, Width::b32}, Width::b32, {edges, edges},
            [=](Operands v) { return static_cast<Bits>((holds(v, 0) ? 1 : 0) | (holds(v, 16) ? 2 : 0)); });
        const std::string set = "set" + form + "." + type.name + "x2." + type.name + "x2";
        const std::string joined = "set." + std::string(comparison.name) + ".or" + (ftz ? ".ftz" : "") + "." +
                                   type.name + "x2." + type.name + "x2";
        add(cases, joined, joined + " $d, $a, $b, $c;", {Width::b32, Width::b32, Width::pred}, Width::b32,
            {edges, edges, {0, 1}}, [=](Operands v) {
              const bool c = v[2] != 0;
              return (holds(v, 0) || c ? one : 0) | (holds(v, 16) || c ? one << 16 : 0);
            });
        add(cases, set, set + " $d, $a, $b;", {Width::b32, Width::b32}, Width::b32, {edges, edges},
            [=](Operands v) { return (holds(v, 0) ? one : 0) | (holds(v, 16) ? one << 16 : 0); });
      }
  }
}

void selection(std::vector<Case>& cases) {
  struct Chosen {
    const char* name;
    Width reg;
    int width;
  };
  for (const Chosen& type :
       {Chosen{"b16", Width::b16, 16}, Chosen{"u16", Width::b16, 16}, Chosen{"b32", Width::b32, 32},
        Chosen{"f32", Width::b32, 32}, Chosen{"s64", Width::b64, 64}, Chosen{"f64", Width::b64, 64}})
    for (const std::string by : {"s32", "f32", "ftz.f32"}) {
      const bool ftz = by[0] == 'f' && by[1] == 't', whole = by == "s32";
      const std::string name =
          std::string("slct.") + (ftz ? "ftz." : "") + type.name + (whole ? ".s32" : ".f32");
      add(cases, name, name + " $d, $a, $b, $c;", {type.reg, type.reg, Width::b32}, type.reg,
          {edges_integer(type.width), edges_integer(type.width), whole ? edges_integer(32) : edges_f32()},
          [=](Operands v) {
            // -0 counts as 0 and a NaN as negative.
            const float c = ftz ? flushed(as_f32(v[2])) : as_f32(v[2]);
            return (whole ? as_signed(v[2], 32) >= 0 : c >= 0) ? v[0] : v[1];
          });
    }
}

std::vector<Case> all() {
  std::vector<Case> cases;
  scalars(cases);
  pairs(cases);
  selection(cases);
  return cases;
}

class ComparisonOracle : public ::testing::TestWithParam<Case> {};
TEST_P(ComparisonOracle, AgreesWithTheIsa) {
  check(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Ptx, ComparisonOracle, ::testing::ValuesIn(all()),
                         [](const auto& one) { return test_name(one.param.name); });

}  // namespace
}  // namespace ridge::oracle
