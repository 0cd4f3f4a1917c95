// SPDX-License-Identifier: GPL-3.0-or-later
// atom and red of every operation, type and space against the text of the PTX ISA (sections "atom" and
// "red"): what memory holds afterwards, and what it held before.
#include <gtest/gtest.h>

#include <cmath>

#include "base/dtype.h"
#include "device/emulator_oracle/oracle.h"

namespace ridge::oracle {
namespace {

/// Old value, operand and, for cas, the value to store.
using Update = std::function<Bits(Bits, Bits, Bits)>;

struct Type {
  std::string name;
  int width;
  std::vector<Bits> edges;
  Allowed::As as = Allowed::As::bits;
  Width reg() const { return width == 16 ? Width::b16 : width == 64 ? Width::b64 : Width::b32; }
  std::string suffix() const { return "b" + std::to_string(width); }
};

Type integer(const std::string& name, int width) {
  return {name, width, edges_integer(width)};
}

struct Half {
  bool f16;
  double value(Bits bits) const {
    const auto narrow = static_cast<std::uint16_t>(bits);
    return f16 ? half_to_float(narrow) : bfloat16_to_float(narrow);
  }
  /// Subnormals stay (.noftz); a NaN is canonical.
  Bits bits(double v) const {
    if (std::isnan(v)) return 0x7FFF;
    return f16 ? double_to_half(v) : double_to_bfloat16(v);
  }
};

double lesser(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
double greater(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  return a > b || (a == b && std::signbit(b)) ? a : b;
}

Update half_update(const Half& half, const std::string& op) {
  return [=](Bits old, Bits b, Bits) {
    const double x = half.value(old), y = half.value(b);
    // A sum of two in double is close enough to the exact one: the larger is representable by itself.
    return half.bits(op == "add" ? x + y : op == "min" ? lesser(x, y) : greater(x, y));
  };
}
/// f on each part of `width` bits.
Update in_parts(const Update& f, int width, int whole) {
  return [=](Bits old, Bits b, Bits c) {
    Bits result = 0;
    for (int at = 0; at < whole; at += width)
      result |= truncated(f(truncated(old >> at, width), truncated(b >> at, width), c), width) << at;
    return result;
  };
}
/// atom.add.f32: device memory flushes subnormals, shared memory does not.
Update add_f32(bool flushes) {
  return [=](Bits old, Bits b, Bits) {
    const float x = as_f32(old), y = as_f32(b);
    return of_f32(flushes ? flushed(flushed(x) + flushed(y)) : x + y);
  };
}

/// `count` neighbours of `width` bits each in one number.
std::vector<Bits> joined(const std::vector<Bits>& edges, int width, int count) {
  std::vector<Bits> result;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    Bits bits = 0;
    for (int k = 0; k < count; ++k)
      bits |= edges[(i * (k == 0 ? 1 : 7) + 3 * static_cast<std::size_t>(k)) % edges.size()] << (k * width);
    result.push_back(bits);
  }
  return result;
}

struct Space {
  std::string name, part, enter, address;
};
const std::vector<Space> kSpaces{
    {"global", ".global", "", "$m"},
    {"generic", "", "", "$m"},
    {"shared", ".shared",
     ".shared .align 8 .b8 place[512]; .reg .b32 at, lane; mov.u32 lane, %tid.x; mov.u32 at, place; "
     "mad.lo.u32 at, lane, 8, at; ",
     "at"}};
const std::vector<std::string> kOrders{
    "", ".relaxed.gpu", ".acquire.cta", ".release.cluster", ".acq_rel.sys", ".relaxed.sys", ".cta", ".sys"};

/// The same update by atom and red, in all spaces; the memory orders take turns.
void add_scalar(std::vector<Case>& cases, const std::string& op, const Type& type,
                const std::function<Update(const Space&)>& update_in) {
  const bool cas = op == "cas", half = op == "add.noftz";
  std::vector<Width> inputs(cas ? 3 : 2, type.reg());
  std::vector<std::vector<Bits>> values(inputs.size(), type.edges);
  for (const Space& space : kSpaces) {
    const Update update = update_in(space);
    const std::string& order = kOrders[cases.size() % kOrders.size()];
    const std::string form = order + space.part + "." + op + "." + type.name;
    const std::string memory = space.part + "." + type.suffix();
    const std::string before = "{ " + space.enter + ".reg ." + type.suffix() + " old; st" + memory + " [" +
                               space.address + "], $a; ";
    const std::string atom = "atom" + form + " old, [" + space.address + "], $b" + (cas ? ", $c" : "") + "; ";
    const std::string after = "ld" + memory + " $d, [" + space.address + "]; }";
    const std::string name = "." + space.name + form;
    const auto expected = [update](Operands v) { return update(v[0], v[1], v.size() > 2 ? v[2] : 0); };
    const Allowed allowed{type.as, 0, 0};
    cases.push_back({"atom" + name, before + atom + after, inputs, type.reg(), values, expected, allowed});
    cases.push_back({"atom.old" + name,
                     before + atom + "mov." + type.suffix() + " $d, old; }",
                     inputs,
                     type.reg(),
                     values,
                     [](Operands v) { return v[0]; },
                     {}});
    if (cas || op == "exch" || half) continue;
    // red has no result, so it acquires nothing.
    const bool acquires = order.starts_with(".ac");
    const std::string red_form =
        (acquires ? ".release.gpu" : order) + space.part + "." + op + "." + type.name;
    const std::string red = "red" + red_form + " [" + space.address + "], $b; ";
    cases.push_back({"red." + space.name + red_form, before + red + after, inputs, type.reg(), values,
                     expected, allowed});
  }
}
void add_scalar(std::vector<Case>& cases, const std::string& op, const Type& type, const Update& update) {
  add_scalar(cases, op, type, [&](const Space&) { return update; });
}

void scalars(std::vector<Case>& cases) {
  const Type u32 = integer("u32", 32), s32 = integer("s32", 32), u64 = integer("u64", 64),
             s64 = integer("s64", 64);
  for (const Type& type : {u32, s32, u64})
    add_scalar(cases, "add", type, [](Bits old, Bits b, Bits) { return old + b; });
  add_scalar(cases, "inc", u32, [](Bits old, Bits b, Bits) { return old >= b ? 0 : old + 1; });
  add_scalar(cases, "dec", u32, [](Bits old, Bits b, Bits) { return old == 0 || old > b ? b : old - 1; });
  for (const Type& type : {u32, u64}) {
    add_scalar(cases, "min", type, [](Bits old, Bits b, Bits) { return std::min(old, b); });
    add_scalar(cases, "max", type, [](Bits old, Bits b, Bits) { return std::max(old, b); });
  }
  for (const Type& type : {s32, s64}) {
    const int width = type.width;
    add_scalar(cases, "min", type, [width](Bits old, Bits b, Bits) {
      return as_signed(old, width) < as_signed(b, width) ? old : b;
    });
    add_scalar(cases, "max", type, [width](Bits old, Bits b, Bits) {
      return as_signed(old, width) > as_signed(b, width) ? old : b;
    });
  }
  for (const Type& type : {integer("b32", 32), integer("b64", 64)}) {
    add_scalar(cases, "and", type, [](Bits old, Bits b, Bits) { return old & b; });
    add_scalar(cases, "or", type, [](Bits old, Bits b, Bits) { return old | b; });
    add_scalar(cases, "xor", type, [](Bits old, Bits b, Bits) { return old ^ b; });
    add_scalar(cases, "exch", type, [](Bits, Bits b, Bits) { return b; });
  }
  for (const Type& type : {integer("b16", 16), integer("b32", 32), integer("b64", 64)})
    add_scalar(cases, "cas", type, [](Bits old, Bits b, Bits c) { return old == b ? c : old; });
  add_scalar(cases, "add", Type{"f32", 32, edges_f32()},
             [](const Space& space) { return add_f32(space.name != "shared"); });
  add_scalar(cases, "add", Type{"f64", 64, edges_f64(), Allowed::As::f64},
             [](Bits old, Bits b, Bits) { return of_f64(as_f64(old) + as_f64(b)); });
  for (const bool f16 : {true, false}) {
    const std::vector<Bits> edges = f16 ? edges_f16() : edges_bf16();
    const std::string name = f16 ? "f16" : "bf16";
    const Update add = half_update({f16}, "add");
    add_scalar(cases, "add.noftz", Type{name, 16, edges}, add);
    add_scalar(cases, "add.noftz", Type{name + "x2", 32, packed(edges)}, in_parts(add, 16, 32));
  }
}

/// `count` elements as one access of 4, 8 or 16 bytes; of 16 bytes, a case looks at one half of them.
void add_vector(std::vector<Case>& cases, const std::string& op, const Type& type, int count,
                const Update& update) {
  const int whole = type.width * count, part = std::min(whole, 64), in_part = part / type.width;
  const Width reg = part == 32 ? Width::b32 : Width::b64;
  const std::string bits = "b" + std::to_string(part);
  const bool two = whole == 128;
  const auto list = [&](const std::string& prefix, int first, int last) {
    std::string text = "{";
    for (int k = first; k < last; ++k) text += (k == first ? "" : ", ") + prefix + std::to_string(k);
    return text + "}";
  };
  const std::string begin = "{ .reg ." + type.suffix() + " o<8>, n<8>; st.global." + bits + " [$m], $a; " +
                            (two ? "st.global.b64 [$m+8], $b; " : "") + "mov." + bits + " " +
                            list("n", 0, in_part) + ", " + (two ? "$c" : "$b") + "; " +
                            (two ? "mov.b64 " + list("n", in_part, count) + ", $e; " : "");
  const std::string form = "global.v" + std::to_string(count) + "." + type.name + "." + op;
  const std::string atom =
      "atom." + form + " " + list("o", 0, count) + ", [$m], " + list("n", 0, count) + "; ";
  // The old values may take the place of the new ones.
  const std::string in_place =
      "atom." + form + " " + list("n", 0, count) + ", [$m], " + list("n", 0, count) + "; ";
  const std::string red = "red." + form + " [$m], " + list("n", 0, count) + "; ";
  const std::vector<Width> inputs(two ? 4 : 2, reg);
  const std::vector<std::vector<Bits>> values(inputs.size(), joined(type.edges, type.width, in_part));
  const Update whole_update = in_parts(update, type.width, part);
  for (int half = 0; half < (two ? 2 : 1); ++half) {
    const auto at = static_cast<std::size_t>(half);
    const std::string name = form + (two ? (half == 0 ? ".low" : ".high") : "");
    const std::string load = "ld.global." + bits + " $d, [$m+" + std::to_string(8 * half) + "]; }";
    const auto result = [=](Operands v) { return whole_update(v[at], v[at + (two ? 2 : 1)], 0); };
    cases.push_back({"atom." + name, begin + atom + load, inputs, reg, values, result, {}});
    cases.push_back({"red." + name, begin + red + load, inputs, reg, values, result, {}});
    const std::string keep =
        "mov." + bits + " $d, " + list("n", half * in_part, (half + 1) * in_part) + "; }";
    cases.push_back({"atom.old." + name,
                     begin + in_place + keep,
                     inputs,
                     reg,
                     values,
                     [at](Operands v) { return v[at]; },
                     {}});
  }
}

void vectors(std::vector<Case>& cases) {
  for (const int count : {2, 4}) add_vector(cases, "add", Type{"f32", 32, edges_f32()}, count, add_f32(true));
  for (const bool f16 : {true, false})
    for (const std::string op : {"add", "min", "max"}) {
      const std::vector<Bits> edges = f16 ? edges_f16() : edges_bf16();
      const std::string name = f16 ? "f16" : "bf16";
      const Update update = half_update({f16}, op);
      for (const int count : {2, 4, 8})
        add_vector(cases, op + ".noftz", Type{name, 16, edges}, count, update);
      for (const int count : {2, 4})
        add_vector(cases, op + ".noftz", Type{name + "x2", 32, packed(edges)}, count,
                   in_parts(update, 16, 32));
    }
}

std::vector<Case> all() {
  std::vector<Case> cases;
  scalars(cases);
  vectors(cases);
  return cases;
}

class AtomicOracle : public ::testing::TestWithParam<Case> {};
TEST_P(AtomicOracle, AgreesWithTheIsa) {
  check(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Ptx, AtomicOracle, ::testing::ValuesIn(all()),
                         [](const auto& one) { return test_name(one.param.name); });

}  // namespace
}  // namespace ridge::oracle
