// SPDX-License-Identifier: GPL-3.0-or-later
// Scalar and SIMD video instructions against the text of the PTX ISA (sections "Scalar Video Instructions"
// and "SIMD Video Instructions").
#include <gtest/gtest.h>

#include <algorithm>

#include "device/emulator_oracle/oracle.h"

namespace ridge::oracle {
namespace {

__extension__ using Wide = __int128;
using Cases = std::vector<Case>;

const std::vector<Bits> kWords{0,          1,          2,          31,         33,
                               0x7F,       0x80,       0xFF,       0x7FFF,     0x8000,
                               0xFFFF,     0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x80818283,
                               0x7F80FF01, 0x01020304, 0xFF00FF00, 0x7FFF8001, 0x8000FFFF};

void add_case(Cases& cases, const std::string& name, const std::string& operands, std::size_t count,
              std::function<Bits(Operands)> expected) {
  cases.push_back({name + operands,
                   name + " " + operands + ";",
                   std::vector(count, Width::b32),
                   Width::b32,
                   std::vector(count, kWords),
                   std::move(expected),
                   {}});
}

std::string letter(bool is_signed) {
  return is_signed ? "s32" : "u32";
}
Wide bits_as_number(Bits bits, int width, bool is_signed) {
  return is_signed ? static_cast<Wide>(as_signed(bits, width)) : static_cast<Wide>(truncated(bits, width));
}
Wide clamped(Wide value, int width, bool is_signed) {
  const Wide one = 1;
  const Wide low = is_signed ? -(one << (width - 1)) : 0;
  const Wide high = (one << (is_signed ? width - 1 : width)) - 1;
  return std::clamp(value, low, high);
}

/// A part of a word: "", "b0" to "b3", "h0", "h1".
struct Selector {
  std::string name;
  int width() const { return name.empty() ? 32 : name[0] == 'b' ? 8 : 16; }
  int shift() const { return name.empty() ? 0 : (name[1] - '0') * width(); }
  std::string suffix() const { return name.empty() ? "" : "." + name; }
  Wide of(Bits word, bool is_signed) const { return bits_as_number(word >> shift(), width(), is_signed); }
  Bits merged(Bits value, Bits into) const {
    const Bits mask = truncated(~Bits{0}, width()) << shift();
    return (into & ~mask) | (value << shift() & mask);
  }
};
const std::vector<std::string> kParts{"b0", "b1", "b2", "b3", "h0", "h1"};

Wide arithmetic(const std::string& op, Wide a, Wide b) {
  if (op == "add") return a + b;
  if (op == "sub") return a - b;
  if (op == "absdiff") return a > b ? a - b : b - a;
  if (op == "min") return std::min(a, b);
  if (op == "max") return std::max(a, b);
  return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;  // avrg
}
bool compared(const std::string& how, Wide a, Wide b) {
  return how == "eq"   ? a == b
         : how == "ne" ? a != b
         : how == "lt" ? a < b
         : how == "le" ? a <= b
         : how == "gt" ? a > b
                       : a >= b;
}

struct Scalar {
  Selector d, a, b;
  bool signed_d = false, signed_a = false, signed_b = false, sat = false;
  std::string second;

  std::string operands() const {
    const bool third = !second.empty() || !d.name.empty();
    return "$d" + d.suffix() + ", $a" + a.suffix() + ", $b" + b.suffix() + (third ? ", $c" : "");
  }
  std::size_t count() const { return second.empty() && d.name.empty() ? 2 : 3; }
  Bits finish(Wide value, Operands v) const {
    if (sat) value = clamped(value, d.width(), signed_d);
    if (!second.empty()) {
      const Wide c = bits_as_number(v[2], 32, signed_d);
      value = second == "add" ? value + c : second == "min" ? std::min(value, c) : std::max(value, c);
    }
    const Bits bits = static_cast<Bits>(value);
    return d.name.empty() ? bits : d.merged(bits, v[2]);
  }
};

void add_scalar(Cases& cases, const std::string& op, const Scalar& form) {
  const std::string name = "v" + op + "." + letter(form.signed_d) + "." + letter(form.signed_a) + "." +
                           letter(form.signed_b) + (form.sat ? ".sat" : "") +
                           (form.second.empty() ? "" : "." + form.second);
  add_case(cases, name, form.operands(), form.count(), [=](Operands v) {
    return form.finish(arithmetic(op, form.a.of(v[0], form.signed_a), form.b.of(v[1], form.signed_b)), v);
  });
}

void scalars(Cases& cases) {
  for (const std::string op : {"add", "sub", "absdiff", "min", "max"}) {
    for (int signs = 0; signs < 8; ++signs)
      for (const bool sat : {false, true})
        add_scalar(cases, op, {{}, {}, {}, (signs & 4) != 0, (signs & 2) != 0, (signs & 1) != 0, sat, ""});
    for (std::size_t k = 0; k < kParts.size(); ++k) {
      const Selector one{kParts[k]}, other{kParts[(k + 2) % kParts.size()]};
      const bool is_signed = k % 2 == 0;
      add_scalar(cases, op, {{}, one, other, is_signed, true, false, k % 3 == 0, ""});
      add_scalar(cases, op, {one, other, {}, is_signed, false, true, true, ""});
      add_scalar(cases, op, {one, {}, other, is_signed, is_signed, is_signed, false, ""});
    }
    for (const std::string second : {"add", "min", "max"})
      for (const bool is_signed : {false, true})
        add_scalar(cases, op, {{}, {}, {"h1"}, is_signed, is_signed, is_signed, true, second});
    add_scalar(cases, op, {{}, {"b3"}, {}, true, false, true, false, "add"});
  }
}

void shifts(Cases& cases) {
  for (const bool left : {true, false})
    for (const bool wrap : {true, false})
      for (const bool sat : {true, false})
        for (int signs = 0; signs < 4; ++signs)
          for (const std::string part : {"", "h1"}) {
            const Scalar form{part.empty() ? Selector{} : Selector{"b2"},
                              {part},
                              {},
                              (signs & 2) != 0,
                              (signs & 1) != 0,
                              false,
                              sat,
                              ""};
            const std::string name = std::string(left ? "vshl." : "vshr.") + letter(form.signed_d) + "." +
                                     letter(form.signed_a) + ".u32" + (sat ? ".sat" : "") +
                                     (wrap ? ".wrap" : ".clamp");
            add_case(cases, name, form.operands(), form.count(), [=](Operands v) {
              const Bits amount = wrap ? v[1] & 31 : std::min<Bits>(truncated(v[1], 32), 32);
              const Wide a = form.a.of(v[0], form.signed_a);
              const Wide factor = static_cast<Wide>(1) << amount;
              // Towards minus infinity, as an arithmetic shift goes.
              const Wide quotient = a / factor - (a % factor < 0 ? 1 : 0);
              return form.finish(left ? a * factor : quotient, v);
            });
          }
}

void sets(Cases& cases) {
  for (const std::string how : {"eq", "ne", "lt", "le", "gt", "ge"})
    for (int signs = 0; signs < 4; ++signs)
      for (const std::string second : {"", "add", "merge"}) {
        Scalar form;
        form.signed_a = (signs & 2) != 0;
        form.signed_b = (signs & 1) != 0;
        if (second == "merge") {
          form.d.name = "b1";
          form.a.name = "h0";
        } else {
          form.second = second;
        }
        const std::string name = "vset." + letter(form.signed_a) + "." + letter(form.signed_b) + "." + how +
                                 (form.second.empty() ? "" : ".add");
        add_case(cases, name, form.operands(), form.count(), [=](Operands v) {
          return form.finish(compared(how, form.a.of(v[0], form.signed_a), form.b.of(v[1], form.signed_b)),
                             v);
        });
      }
}

void multiply_adds(Cases& cases) {
  for (int signs = 0; signs < 4; ++signs)
    for (const std::string mode : {"", "-a", "-b", "-c", "po"})
      for (const std::string scale : {"", ".shr7", ".shr15"})
        for (const bool sat : {false, true}) {
          const bool signed_a = (signs & 2) != 0, signed_b = (signs & 1) != 0;
          const bool po = mode == "po", minus_product = mode == "-a" || mode == "-b", minus_c = mode == "-c";
          const bool is_signed = signed_a || signed_b || minus_product || minus_c;
          const Selector part{scale == ".shr7" ? "h1" : ""};
          const std::string name = "vmad." + letter(is_signed) + "." + letter(signed_a) + "." +
                                   letter(signed_b) + (po ? ".po" : "") + (sat ? ".sat" : "") + scale;
          const std::string operands = std::string("$d, ") + (mode == "-a" ? "-" : "") + "$a" +
                                       part.suffix() + ", " + (mode == "-b" ? "-" : "") + "$b, " +
                                       (minus_c ? "-" : "") + "$c";
          add_case(cases, name, operands, 3, [=](Operands v) {
            Wide value = part.of(v[0], signed_a) * bits_as_number(v[1], 32, signed_b);
            if (minus_product) value = -value;
            // The addend is turned round in 32 bits before it is extended.
            value += bits_as_number(minus_c ? ~v[2] : v[2], 32, is_signed) + (minus_c || po ? 1 : 0);
            value >>= scale == ".shr7" ? 7 : scale == ".shr15" ? 15 : 0;
            return static_cast<Bits>(sat ? clamped(value, 32, is_signed) : value);
          });
        }
}

struct Simd {
  int parts;
  bool signed_d, signed_a, signed_b, sat, accumulates;
  std::string mask, a, b;  ///< digits, the most significant part first; "": the default

  int width() const { return 32 / parts; }
  std::string letters(const std::string& digits) const {
    return digits.empty() ? "" : (parts == 2 ? ".h" : ".b") + digits;
  }
  std::string operands() const {
    return "$d" + letters(mask) + ", $a" + letters(a) + ", $b" + letters(b) + ", $c";
  }
  Wide element(Operands v, const std::string& digits, int k, bool second, bool is_signed) const {
    const int number =
        digits.empty() ? k + (second ? parts : 0) : digits[static_cast<std::size_t>(parts - 1 - k)] - '0';
    const Bits word = v[number < parts ? 0 : 1];
    return bits_as_number(word >> (number % parts * width()), width(), is_signed);
  }
  bool writes(int k) const {
    return mask.empty() || mask.find(static_cast<char>('0' + k)) != std::string::npos;
  }
  Bits result(Operands v, const std::function<Wide(Wide, Wide)>& f) const {
    Wide sum = static_cast<Wide>(truncated(v[2], 32));
    Bits merged = truncated(v[2], 32);
    for (int k = 0; k < parts; ++k) {
      if (!writes(k)) continue;
      Wide t = f(element(v, a, k, false, signed_a), element(v, b, k, true, signed_b));
      if (sat) t = clamped(t, width(), signed_d);
      sum += t;
      const Bits ones = truncated(~Bits{0}, width()) << (k * width());
      merged = (merged & ~ones) | (static_cast<Bits>(t) << (k * width()) & ones);
    }
    return accumulates ? static_cast<Bits>(sum) : merged;
  }
};

void add_simd(Cases& cases, const std::string& op, const Simd& form) {
  const std::string name = "v" + op + std::to_string(form.parts) + "." + letter(form.signed_d) + "." +
                           letter(form.signed_a) + "." + letter(form.signed_b) + (form.sat ? ".sat" : "") +
                           (form.accumulates ? ".add" : "");
  add_case(cases, name, form.operands(), 3,
           [=](Operands v) { return form.result(v, [&](Wide a, Wide b) { return arithmetic(op, a, b); }); });
}

void simd(Cases& cases) {
  struct Choice {
    std::string mask, a, b;
  };
  const std::vector<Choice> twos{{"0", "", ""}, {"1", "31", ""}, {"10", "02", "33"}, {"", "13", "20"}};
  const std::vector<Choice> fours{
      {"0", "", ""},         {"1", "", "0123"}, {"10", "7654", ""},   {"20", "", ""},      {"210", "", ""},
      {"3", "5170", "6242"}, {"30", "", ""},    {"31", "0000", ""},   {"310", "", "7777"}, {"32", "", ""},
      {"320", "", "3210"},   {"321", "", ""},   {"3210", "4567", ""}, {"2", "", ""},       {"21", "", ""}};
  for (const int parts : {2, 4}) {
    for (const std::string op : {"add", "sub", "avrg", "absdiff", "min", "max"})
      for (const bool signed_d : {false, true})
        for (const int signs : {0, 1, 3})
          for (const int mode : {0, 1, 2})
            add_simd(cases, op,
                     {parts, signed_d, (signs & 2) != 0, (signs & 1) != 0, mode == 1, mode == 2, "", "", ""});
    for (const Choice& choice : parts == 2 ? twos : fours)
      for (const bool accumulates : {false, true})
        add_simd(cases, "sub",
                 {parts, true, true, false, false, accumulates, choice.mask, choice.a, choice.b});
    for (const std::string how : {"eq", "ne", "lt", "le", "gt", "ge"})
      for (const int signs : {0, 1, 3})
        for (const bool accumulates : {false, true}) {
          const Simd form{parts, false,       (signs & 2) != 0,      (signs & 1) != 0,
                          false, accumulates, signs == 1 ? "1" : "", "",
                          ""};
          const std::string name = "vset" + std::to_string(parts) + "." + letter(form.signed_a) + "." +
                                   letter(form.signed_b) + "." + how + (accumulates ? ".add" : "");
          add_case(cases, name, form.operands(), 3, [=](Operands v) {
            return form.result(v, [&](Wide a, Wide b) { return static_cast<Wide>(compared(how, a, b)); });
          });
        }
  }
}

Cases all() {
  Cases cases;
  scalars(cases);
  shifts(cases);
  sets(cases);
  multiply_adds(cases);
  // What ptxas makes of most scalar ones for an H200 saturates and merges in another way than the text says.
  for (Case& one : cases) one.h200_departs = !one.name.starts_with("vset");
  simd(cases);
  return cases;
}

class VideoOracle : public ::testing::TestWithParam<Case> {};
TEST_P(VideoOracle, AgreesWithTheIsa) {
  check(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Ptx, VideoOracle, ::testing::ValuesIn(all()),
                         [](const auto& one) { return test_name(one.param.name); });

}  // namespace
}  // namespace ridge::oracle
