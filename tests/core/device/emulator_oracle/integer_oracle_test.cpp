// SPDX-License-Identifier: GPL-3.0-or-later
// Integer, bit and logic instructions against the text of the PTX ISA (sections "Integer Arithmetic
// Instructions", "Extended-Precision", "Logic and Shift Instructions").
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "device/emulator_oracle/oracle.h"

namespace ridge::oracle {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

struct Type {
  std::string name;
  int width;
  bool is_signed;
  Width reg() const { return width == 16 ? Width::b16 : width == 64 ? Width::b64 : Width::b32; }
  Wide value(Bits bits) const {
    return is_signed ? static_cast<Wide>(as_signed(bits, width)) : static_cast<Wide>(truncated(bits, width));
  }
};
const std::vector<Type> kTypes{{"s16", 16, true},  {"u16", 16, false}, {"s32", 32, true},
                               {"u32", 32, false}, {"s64", 64, true},  {"u64", 64, false}};

std::vector<std::vector<Bits>> edges(int width, std::size_t count) {
  return std::vector(count, edges_integer(width));
}

using Cases = std::vector<Case>;

/// The ISA wants positions and lengths of fields in 0..255. Beyond, an H200 reads the low byte for 32-bit
/// fields and takes everything as too large for 64-bit ones.
int field_bound(Bits value, int width) {
  return static_cast<int>(width == 32 ? value & 0xFF : std::min<Bits>(truncated(value, 32), 0xFF));
}

void add_case(Cases& cases, const std::string& name, const std::string& instruction,
              std::vector<Width> inputs, Width output, std::vector<std::vector<Bits>> values,
              std::function<Bits(Operands)> expected) {
  cases.push_back({name, instruction, std::move(inputs), output, std::move(values), std::move(expected), {}});
}

Bits bits_of(Wide value) {
  return static_cast<Bits>(value);
}

void arithmetic(Cases& cases) {
  for (const Type& type : kTypes) {
    const auto binary = [&](const std::string& op, std::function<Wide(Wide, Wide)> f) {
      add_case(cases, op + "." + type.name, op + "." + type.name + " $d, $a, $b;", {type.reg(), type.reg()},
               type.reg(), edges(type.width, 2),
               [type, f](Operands v) { return bits_of(f(type.value(v[0]), type.value(v[1]))); });
    };
    binary("add", [](Wide a, Wide b) { return a + b; });
    binary("sub", [](Wide a, Wide b) { return a - b; });
    binary("min", [](Wide a, Wide b) { return a < b ? a : b; });
    binary("max", [](Wide a, Wide b) { return a > b ? a : b; });
    const auto product = [](Wide a, Wide b) {
      return static_cast<Wide>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b));
    };
    binary("mul.lo", product);
    const int width = type.width;
    binary("mul.hi", [product, width, type](Wide a, Wide b) {
      const Wide all = product(a, b);
      return type.is_signed ? all >> width : static_cast<Wide>(static_cast<UnsignedWide>(all) >> width);
    });
    for (const char* part : {"lo", "hi"}) {
      const bool high = part[0] == 'h';
      add_case(cases, std::string("mad.") + part + "." + type.name,
               std::string("mad.") + part + "." + type.name + " $d, $a, $b, $c;",
               {type.reg(), type.reg(), type.reg()}, type.reg(), edges(type.width, 3), [=](Operands v) {
                 Wide all = product(type.value(v[0]), type.value(v[1]));
                 if (high)
                   all = type.is_signed ? all >> width
                                        : static_cast<Wide>(static_cast<UnsignedWide>(all) >> width);
                 return bits_of(all) + v[2];
               });
    }
    add_case(cases, "sad." + type.name, "sad." + type.name + " $d, $a, $b, $c;",
             {type.reg(), type.reg(), type.reg()}, type.reg(), edges(type.width, 3), [type](Operands v) {
               const Wide a = type.value(v[0]), b = type.value(v[1]);
               return v[2] + bits_of(a < b ? b - a : a - b);
             });
    if (type.width < 64) {
      const Width wide = type.width == 16 ? Width::b32 : Width::b64;
      add_case(cases, "mul.wide." + type.name, "mul.wide." + type.name + " $d, $a, $b;",
               {type.reg(), type.reg()}, wide, edges(type.width, 2),
               [type](Operands v) { return bits_of(type.value(v[0]) * type.value(v[1])); });
      add_case(cases, "mad.wide." + type.name, "mad.wide." + type.name + " $d, $a, $b, $c;",
               {type.reg(), type.reg(), wide}, wide,
               {edges_integer(type.width), edges_integer(type.width), edges_integer(2 * type.width)},
               [type](Operands v) { return bits_of(type.value(v[0]) * type.value(v[1])) + v[2]; });
    }
    // Division by zero and INT_MIN / -1 have no defined value: machine-specific, so not asked here.
    const auto divisors = [&] {
      std::vector<Bits> values;
      for (const Bits bits : edges_integer(type.width))
        if (truncated(bits, type.width) != 0) values.push_back(bits);
      return values;
    }();
    for (const char* op : {"div", "rem"})
      add_case(cases, std::string(op) + "." + type.name,
               // Random operands may be zero: those are replaced by 3 in both places.
               "{ .reg .pred z; .reg .b" + std::to_string(type.width) + " q; setp.eq.b" +
                   std::to_string(type.width) + " z, $b, 0; selp.b" + std::to_string(type.width) +
                   " q, 3, $b, z; " + op + "." + type.name + " $d, $a, q; }",
               {type.reg(), type.reg()}, type.reg(), {edges_integer(type.width), divisors},
               [type, op = std::string(op)](Operands v) {
                 const Wide a = type.value(v[0]);
                 const Wide b = truncated(v[1], type.width) == 0 ? 3 : type.value(v[1]);
                 return bits_of(op == "div" ? a / b : a % b);
               });
    if (type.is_signed) {
      add_case(cases, "neg." + type.name, "neg." + type.name + " $d, $a;", {type.reg()}, type.reg(),
               edges(type.width, 1), [](Operands v) { return 0 - v[0]; });
      add_case(cases, "abs." + type.name, "abs." + type.name + " $d, $a;", {type.reg()}, type.reg(),
               edges(type.width, 1), [type](Operands v) { return type.value(v[0]) < 0 ? 0 - v[0] : v[0]; });
    }
  }
  for (const char* op : {"add", "sub"})
    add_case(cases, std::string(op) + ".sat.s32", std::string(op) + ".sat.s32 $d, $a, $b;",
             {Width::b32, Width::b32}, Width::b32, edges(32, 2), [op = std::string(op)](Operands v) {
               const std::int64_t a = as_signed(v[0], 32), b = as_signed(v[1], 32);
               const std::int64_t exact = op == "add" ? a + b : a - b;
               return static_cast<Bits>(exact > 2147483647      ? 2147483647
                                        : exact < -2147483648LL ? -2147483648LL
                                                                : exact);
             });
  for (const bool is_signed : {true, false}) {
    const std::string type = is_signed ? "s32" : "u32";
    const auto low24 = [is_signed](Bits bits) {
      return is_signed ? as_signed(bits, 24) : static_cast<std::int64_t>(truncated(bits, 24));
    };
    add_case(cases, "mul24.lo." + type, "mul24.lo." + type + " $d, $a, $b;", {Width::b32, Width::b32},
             Width::b32, edges(32, 2),
             [low24](Operands v) { return static_cast<Bits>(low24(v[0]) * low24(v[1])); });
    const auto high = [low24](Operands v) { return (low24(v[0]) * low24(v[1])) >> 16; };
    add_case(cases, "mul24.hi." + type, "mul24.hi." + type + " $d, $a, $b;", {Width::b32, Width::b32},
             Width::b32, edges(32, 2), [high](Operands v) { return static_cast<Bits>(high(v)); });
    const std::vector<Width> three(3, Width::b32);
    add_case(cases, "mad24.lo." + type, "mad24.lo." + type + " $d, $a, $b, $c;", three, Width::b32,
             edges(32, 3),
             [low24](Operands v) { return static_cast<Bits>(low24(v[0]) * low24(v[1])) + v[2]; });
    add_case(cases, "mad24.hi." + type, "mad24.hi." + type + " $d, $a, $b, $c;", three, Width::b32,
             edges(32, 3), [high](Operands v) { return static_cast<Bits>(high(v)) + v[2]; });
    if (!is_signed) continue;
    const auto limited = [](std::int64_t value) {
      return static_cast<Bits>(std::clamp<std::int64_t>(value, -2147483648LL, 2147483647LL));
    };
    add_case(cases, "mad24.hi.sat.s32", "mad24.hi.sat.s32 $d, $a, $b, $c;", three, Width::b32, edges(32, 3),
             [=](Operands v) { return limited(static_cast<std::int32_t>(high(v)) + as_signed(v[2], 32)); });
    add_case(cases, "mad.hi.sat.s32", "mad.hi.sat.s32 $d, $a, $b, $c;", three, Width::b32, edges(32, 3),
             [=](Operands v) {
               return limited(((as_signed(v[0], 32) * as_signed(v[1], 32)) >> 32) + as_signed(v[2], 32));
             });
  }
  for (const char* op : {"min", "max"}) {
    const bool least = op[1] == 'i';
    const auto chosen = [least](std::int64_t a, std::int64_t b) {
      return least ? std::min(a, b) : std::max(a, b);
    };
    add_case(cases, std::string(op) + ".relu.s32", std::string(op) + ".relu.s32 $d, $a, $b;",
             {Width::b32, Width::b32}, Width::b32, edges(32, 2), [chosen](Operands v) {
               const std::int64_t zero = 0;
               return static_cast<Bits>(std::max(zero, chosen(as_signed(v[0], 32), as_signed(v[1], 32))));
             });
  }
}

/// Two integers of 16 bits in a register.
void halves(Cases& cases) {
  struct Form {
    const char* name;
    bool is_signed;
    std::function<std::int64_t(std::int64_t, std::int64_t)> f;
  };
  const auto least = [](std::int64_t a, std::int64_t b) { return std::min(a, b); };
  const auto greatest = [](std::int64_t a, std::int64_t b) { return std::max(a, b); };
  const auto sum = [](std::int64_t a, std::int64_t b) { return a + b; };
  const auto rectified = [](auto f) {
    return [f](std::int64_t a, std::int64_t b) { return std::max<std::int64_t>(f(a, b), 0); };
  };
  for (const Form& form :
       {Form{"add.u16x2", false, sum}, Form{"add.s16x2", true, sum}, Form{"min.u16x2", false, least},
        Form{"min.s16x2", true, least}, Form{"max.u16x2", false, greatest}, Form{"max.s16x2", true, greatest},
        Form{"min.relu.s16x2", true, rectified(least)}, Form{"max.relu.s16x2", true, rectified(greatest)}})
    add_case(cases, form.name, std::string(form.name) + " $d, $a, $b;", {Width::b32, Width::b32}, Width::b32,
             {packed(edges_integer(16)), packed(edges_integer(16))}, [form](Operands v) {
               Bits result = 0;
               for (int at = 0; at < 32; at += 16) {
                 const auto value = [&](Bits bits) {
                   return form.is_signed ? as_signed(bits >> at, 16)
                                         : static_cast<std::int64_t>(truncated(bits >> at, 16));
                 };
                 result |= truncated(static_cast<Bits>(form.f(value(v[0]), value(v[1]))), 16) << at;
               }
               return result;
             });
}

void extended(Cases& cases) {
  // Carry chains: 64-bit sums made of 32-bit halves.
  add_case(cases, "add.cc.addc",
           "{ .reg .b32 l, h, m, n; mov.b64 {l, h}, $a; mov.b64 {m, n}, $b; add.cc.u32 l, l, m; addc.u32 h, "
           "h, n; mov.b64 $d, {l, h}; }",
           {Width::b64, Width::b64}, Width::b64, edges(64, 2), [](Operands v) { return v[0] + v[1]; });
  add_case(cases, "sub.cc.subc",
           "{ .reg .b32 l, h, m, n; mov.b64 {l, h}, $a; mov.b64 {m, n}, $b; sub.cc.u32 l, l, m; subc.u32 h, "
           "h, n; mov.b64 $d, {l, h}; }",
           {Width::b64, Width::b64}, Width::b64, edges(64, 2), [](Operands v) { return v[0] - v[1]; });
  add_case(cases, "mad.lo.cc.madc.hi",
           "{ .reg .b32 l, h, m, n; mov.b64 {m, n}, $c; mad.lo.cc.u32 l, $a, $b, m; madc.hi.u32 h, $a, $b, "
           "n; mov.b64 $d, {l, h}; }",
           {Width::b32, Width::b32, Width::b64}, Width::b64,
           {edges_integer(32), edges_integer(32), edges_integer(64)},
           [](Operands v) { return truncated(v[0], 32) * truncated(v[1], 32) + v[2]; });
}

void bits(Cases& cases) {
  for (const int width : {16, 32, 64}) {
    const Width reg = width == 16 ? Width::b16 : width == 64 ? Width::b64 : Width::b32;
    const std::string type = ".b" + std::to_string(width);
    const auto logic = [&](const std::string& op, std::function<Bits(Bits, Bits)> f) {
      add_case(cases, op + type, op + type + " $d, $a, $b;", {reg, reg}, reg, edges(width, 2),
               [f](Operands v) { return f(v[0], v[1]); });
    };
    logic("and", [](Bits a, Bits b) { return a & b; });
    logic("or", [](Bits a, Bits b) { return a | b; });
    logic("xor", [](Bits a, Bits b) { return a ^ b; });
    add_case(cases, "not" + type, "not" + type + " $d, $a;", {reg}, reg, edges(width, 1),
             [](Operands v) { return ~v[0]; });
    add_case(cases, "cnot" + type, "cnot" + type + " $d, $a;", {reg}, reg, edges(width, 1),
             [](Operands v) { return v[0] == 0 ? Bits{1} : Bits{0}; });
    // Shift amounts are 32-bit and clamp at the width.
    add_case(cases, "shl" + type, "shl" + type + " $d, $a, $b;", {reg, Width::b32}, reg,
             {edges_integer(width), edges_integer(32)},
             [width](Operands v) { return v[1] >= static_cast<Bits>(width) ? 0 : v[0] << v[1]; });
    add_case(cases, "shr.u" + std::to_string(width), "shr.u" + std::to_string(width) + " $d, $a, $b;",
             {reg, Width::b32}, reg, {edges_integer(width), edges_integer(32)}, [width](Operands v) {
               return v[1] >= static_cast<Bits>(width) ? 0 : truncated(v[0], width) >> v[1];
             });
    add_case(cases, "shr.s" + std::to_string(width), "shr.s" + std::to_string(width) + " $d, $a, $b;",
             {reg, Width::b32}, reg, {edges_integer(width), edges_integer(32)}, [width](Operands v) {
               const Bits amount = v[1] >= static_cast<Bits>(width) ? static_cast<Bits>(width - 1) : v[1];
               return static_cast<Bits>(as_signed(v[0], width) >> amount);
             });
    add_case(cases, "selp" + type, "selp" + type + " $d, $a, $b, $c;", {reg, reg, Width::pred}, reg,
             {edges_integer(width), edges_integer(width), {0, 1}},
             [](Operands v) { return v[2] != 0 ? v[0] : v[1]; });
    if (width == 16) continue;
    add_case(cases, "popc" + type, "popc" + type + " $d, $a;", {reg}, Width::b32, edges(width, 1),
             [](Operands v) { return static_cast<Bits>(std::popcount(v[0])); });
    add_case(cases, "clz" + type, "clz" + type + " $d, $a;", {reg}, Width::b32, edges(width, 1),
             [width](Operands v) { return static_cast<Bits>(std::countl_zero(v[0]) - (64 - width)); });
    add_case(cases, "brev" + type, "brev" + type + " $d, $a;", {reg}, reg, edges(width, 1),
             [width](Operands v) {
               Bits result = 0;
               for (int i = 0; i < width; ++i) result |= (v[0] >> i & 1) << (width - 1 - i);
               return result;
             });
    for (const bool is_signed : {true, false}) {
      const std::string name = (is_signed ? "s" : "u") + std::to_string(width);
      // Highest bit that differs from the sign (signed) or that is set; none: 0xffffffff.
      const auto found = [width, is_signed](Bits bits) {
        if (is_signed && as_signed(bits, width) < 0) bits = ~bits;
        bits = truncated(bits, width);
        return bits == 0 ? -1 : 63 - std::countl_zero(bits);
      };
      add_case(cases, "bfind." + name, "bfind." + name + " $d, $a;", {reg}, Width::b32, edges(width, 1),
               [found](Operands v) { return static_cast<Bits>(found(v[0])); });
      add_case(cases, "bfind.shiftamt." + name, "bfind.shiftamt." + name + " $d, $a;", {reg}, Width::b32,
               edges(width, 1), [found, width](Operands v) {
                 return found(v[0]) < 0 ? ~Bits{0} : static_cast<Bits>(width - 1 - found(v[0]));
               });
      add_case(cases, "bfe." + name, "bfe." + name + " $d, $a, $b, $c;", {reg, Width::b32, Width::b32}, reg,
               {edges_integer(width), edges_integer(32), edges_integer(32)}, [width, is_signed](Operands v) {
                 const int msb = width - 1;
                 const int pos = field_bound(v[1], width), len = field_bound(v[2], width);
                 const auto bit = [&](int index) { return v[0] >> index & 1; };
                 const Bits sign = !is_signed || len == 0 ? 0 : bit(std::min(pos + len - 1, msb));
                 Bits result = 0;
                 for (int i = 0; i <= msb; ++i)
                   result |= (i < len && pos + i <= msb ? bit(pos + i) : sign) << i;
                 return result;
               });
    }
    add_case(cases, "bfi" + type, "bfi" + type + " $d, $a, $b, $c, $e;", {reg, reg, Width::b32, Width::b32},
             reg,
             {edges_integer(width),
              edges_integer(width),
              {0, 1, 5, 31, 32, 63, 64, 255, 256},
              {0, 1, 8, 31, 32, 63, 64, 255, 256}},
             [width](Operands v) {
               const int pos = field_bound(v[2], width), len = field_bound(v[3], width);
               Bits result = v[1];
               for (int i = 0; i < len && pos + i < width; ++i) {
                 result &= ~(Bits{1} << (pos + i));
                 result |= (v[0] >> i & 1) << (pos + i);
               }
               return result;
             });
  }
  for (const char* direction : {"l", "r"})
    for (const char* mode : {"wrap", "clamp"}) {
      const std::string name = std::string("shf.") + direction + "." + mode + ".b32";
      add_case(cases, name, name + " $d, $a, $b, $c;", {Width::b32, Width::b32, Width::b32}, Width::b32,
               edges(32, 3), [left = direction[0] == 'l', wrap = mode[0] == 'w'](Operands v) {
                 const Bits amount = wrap ? v[2] & 31 : std::min<Bits>(v[2], 32);
                 const Bits both = v[1] << 32 | v[0];
                 if (left) return amount == 0 ? v[1] : both >> (32 - amount);
                 return amount == 64 ? 0 : both >> amount;
               });
    }
  for (const int table : {0x00, 0x96, 0xE8, 0xCA, 0x1E, 0x80, 0xFE, 0xFF, 0x3C}) {
    add_case(cases, "lop3.b32." + std::to_string(table),
             "lop3.b32 $d, $a, $b, $c, " + std::to_string(table) + ";", {Width::b32, Width::b32, Width::b32},
             Width::b32, edges(32, 3), [table](Operands v) {
               Bits result = 0;
               for (int i = 0; i < 32; ++i) {
                 const auto index = (v[0] >> i & 1) << 2 | (v[1] >> i & 1) << 1 | (v[2] >> i & 1);
                 result |= (static_cast<Bits>(table) >> index & 1) << i;
               }
               return result;
             });
  }
}

void masks(Cases& cases) {
  for (const bool wrap : {true, false}) {
    const std::string mode = wrap ? "wrap" : "clamp";
    const auto amount = [wrap](Bits bits) { return wrap ? bits & 31 : std::min<Bits>(bits, 32); };
    add_case(cases, "bmsk." + mode + ".b32", "bmsk." + mode + ".b32 $d, $a, $b;", {Width::b32, Width::b32},
             Width::b32, edges(32, 2),
             [amount](Operands v) { return ((Bits{1} << amount(v[1])) - 1) << amount(v[0]); });
    for (const bool is_signed : {true, false}) {
      const std::string name = "szext." + mode + (is_signed ? ".s32" : ".u32");
      add_case(cases, name, name + " $d, $a, $b;", {Width::b32, Width::b32}, Width::b32, edges(32, 2),
               [=](Operands v) {
                 const int bits = static_cast<int>(amount(v[1]));
                 if (bits == 0) return Bits{0};
                 return is_signed ? static_cast<Bits>(as_signed(v[0], bits)) : truncated(v[0], bits);
               });
    }
  }
  add_case(
      cases, "fns.b32", "{ .reg .b32 base; and.b32 base, $b, 31; fns.b32 $d, $a, base, $c; }",
      {Width::b32, Width::b32, Width::b32}, Width::b32,
      {edges_integer(32), edges_integer(32), {0, 1, 2, 5, 31, 32, 33, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFE0}},
      [](Operands v) {
        const int base = static_cast<int>(v[1] & 31);
        const std::int64_t offset = as_signed(v[2], 32);
        const auto is_set = [&](int position) { return (v[0] >> position & 1) != 0; };
        if (offset == 0) return is_set(base) ? static_cast<Bits>(base) : ~Bits{0};
        std::int64_t left = offset < 0 ? -offset : offset;
        for (int at = base; at >= 0 && at<32; at += offset> 0 ? 1 : -1)
          if (is_set(at) && --left == 0) return static_cast<Bits>(at);
        return ~Bits{0};
      });
}

void permute(Cases& cases) {
  const auto byte = [](Bits a, Bits b, Bits selector) {
    const Bits value = ((b << 32 | truncated(a, 32)) >> (8 * (selector & 7))) & 0xFF;
    return (selector & 8) != 0 ? ((value & 0x80) != 0 ? Bits{0xFF} : Bits{0}) : value;
  };
  add_case(cases, "prmt.b32", "prmt.b32 $d, $a, $b, $c;", {Width::b32, Width::b32, Width::b32}, Width::b32,
           {edges_integer(32),
            edges_integer(32),
            {0x3210, 0x7654, 0x0123, 0xFEDC, 0x8888, 0x5410, 0x7531, 0x1234}},
           [byte](Operands v) {
             Bits result = 0;
             for (int i = 0; i < 4; ++i) result |= byte(v[0], v[1], v[2] >> (4 * i) & 15) << (8 * i);
             return result;
           });
  // Table "prmt modes": selectors for d.b3 d.b2 d.b1 d.b0 by the low two bits of c.
  struct Mode {
    const char* name;
    int select[4][4];
  };
  const std::vector<Mode> modes{{"f4e", {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}},
                                {"b4e", {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
                                {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
                                {"ecl", {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
                                {"ecr", {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}},
                                {"rc16", {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}}};
  for (const Mode& mode : modes)
    add_case(cases, std::string("prmt.b32.") + mode.name,
             std::string("prmt.b32.") + mode.name + " $d, $a, $b, $c;", {Width::b32, Width::b32, Width::b32},
             Width::b32, {edges_integer(32), edges_integer(32), {0, 1, 2, 3, 4, 7}},
             [byte, mode](Operands v) {
               Bits result = 0;
               for (int i = 0; i < 4; ++i)
                 result |= byte(v[0], v[1], static_cast<Bits>(mode.select[v[2] & 3][3 - i])) << (8 * i);
               return result;
             });
}

void dot_products(Cases& cases) {
  for (const bool a_signed : {true, false})
    for (const bool b_signed : {true, false}) {
      const std::string types =
          std::string(".") + (a_signed ? "s32" : "u32") + "." + (b_signed ? "s32" : "u32");
      const auto part = [](Bits bits, int index, int width, bool is_signed) {
        const Bits piece = truncated(bits >> (index * width), width);
        return is_signed ? as_signed(piece, width) : static_cast<std::int64_t>(piece);
      };
      add_case(cases, "dp4a" + types, "dp4a" + types + " $d, $a, $b, $c;",
               {Width::b32, Width::b32, Width::b32}, Width::b32, edges(32, 3), [=](Operands v) {
                 std::int64_t sum = 0;
                 for (int i = 0; i < 4; ++i) sum += part(v[0], i, 8, a_signed) * part(v[1], i, 8, b_signed);
                 return static_cast<Bits>(sum) + v[2];
               });
      for (const char* half : {"lo", "hi"})
        add_case(cases, std::string("dp2a.") + half + types,
                 std::string("dp2a.") + half + types + " $d, $a, $b, $c;",
                 {Width::b32, Width::b32, Width::b32}, Width::b32, edges(32, 3),
                 [=, high = half[0] == 'h'](Operands v) {
                   std::int64_t sum = 0;
                   for (int i = 0; i < 2; ++i)
                     sum += part(v[0], i, 16, a_signed) * part(v[1], i + (high ? 2 : 0), 8, b_signed);
                   return static_cast<Bits>(sum) + v[2];
                 });
    }
}

void compare(Cases& cases) {
  struct Comparison {
    const char* name;
    std::function<bool(Wide, Wide)> holds;
    int sign;
  };  // sign: 1 signed or any, -1 unsigned only, 0 both
  const std::vector<Comparison> comparisons{
      {"eq", [](Wide a, Wide b) { return a == b; }, 0}, {"ne", [](Wide a, Wide b) { return a != b; }, 0},
      {"lt", [](Wide a, Wide b) { return a < b; }, 0},  {"le", [](Wide a, Wide b) { return a <= b; }, 0},
      {"gt", [](Wide a, Wide b) { return a > b; }, 0},  {"ge", [](Wide a, Wide b) { return a >= b; }, 0},
      {"lo", [](Wide a, Wide b) { return a < b; }, -1}, {"ls", [](Wide a, Wide b) { return a <= b; }, -1},
      {"hi", [](Wide a, Wide b) { return a > b; }, -1}, {"hs", [](Wide a, Wide b) { return a >= b; }, -1}};
  for (const Type& type : kTypes)
    for (const Comparison& comparison : comparisons) {
      if (comparison.sign < 0 && type.is_signed) continue;
      const std::string name = std::string(comparison.name) + "." + type.name;
      add_case(cases, "setp." + name, "setp." + name + " $d, $a, $b;", {type.reg(), type.reg()}, Width::pred,
               edges(type.width, 2), [=](Operands v) {
                 return comparison.holds(type.value(v[0]), type.value(v[1])) ? Bits{1} : Bits{0};
               });
      if (comparison.sign == 0)
        add_case(cases, "set." + std::string(comparison.name) + ".u32." + type.name,
                 "set." + std::string(comparison.name) + ".u32." + type.name + " $d, $a, $b;",
                 {type.reg(), type.reg()}, Width::b32, edges(type.width, 2), [=](Operands v) {
                   return comparison.holds(type.value(v[0]), type.value(v[1])) ? Bits{0xFFFFFFFF} : Bits{0};
                 });
    }
  for (const char* op : {"and", "or", "xor"})
    add_case(
        cases, std::string("setp.lt.") + op + ".s32", std::string("setp.lt.") + op + ".s32 $d, $a, $b, $c;",
        {Width::b32, Width::b32, Width::pred}, Width::pred, {edges_integer(32), edges_integer(32), {0, 1}},
        [op = std::string(op)](Operands v) {
          const bool less = as_signed(v[0], 32) < as_signed(v[1], 32), other = v[2] != 0;
          return static_cast<Bits>(op == "and" ? less && other : op == "or" ? less || other : less != other);
        });
  add_case(cases, "slct.s32.s32", "slct.s32.s32 $d, $a, $b, $c;", {Width::b32, Width::b32, Width::b32},
           Width::b32, edges(32, 3), [](Operands v) { return as_signed(v[2], 32) >= 0 ? v[0] : v[1]; });
}

Cases all() {
  Cases cases;
  arithmetic(cases);
  extended(cases);
  bits(cases);
  halves(cases);
  masks(cases);
  permute(cases);
  dot_products(cases);
  compare(cases);
  return cases;
}

class IntegerOracle : public ::testing::TestWithParam<Case> {};
TEST_P(IntegerOracle, AgreesWithTheIsa) {
  check(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Ptx, IntegerOracle, ::testing::ValuesIn(all()),
                         [](const auto& one) { return test_name(one.param.name); });

}  // namespace
}  // namespace ridge::oracle
