// SPDX-License-Identifier: GPL-3.0-or-later
// Edge values of arithmetic against what the PTX ISA says.
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

#include "core/device/emulator/operation_fixture.h"

namespace ridge::device {
namespace {

using Words = std::vector<std::uint32_t>;
using Longs = std::vector<std::uint64_t>;
using Shorts = std::vector<std::uint16_t>;

constexpr std::uint32_t kNan = 0x7fffffff, kInf = 0x7f800000, kMinusInf = 0xff800000, kMinusZero = 0x80000000,
                        kOne = 0x3f800000;
constexpr std::uint32_t kDenormal = 0x00000001;

Words words(const std::string& opcode, const std::vector<Words>& columns, const std::string& suffix = "") {
  return apply<std::uint32_t>(opcode, columns, suffix);
}

TEST(IntegerArithmetic, WrapsAndSaturates) {
  EXPECT_EQ(words("add.s32", {{0x7fffffff, 5}, {1, 0xffffffff}}), (Words{0x80000000, 4}));
  EXPECT_EQ(words("add.sat.s32", {{0x7fffffff, 0x80000000}, {1, 0xffffffff}}),
            (Words{0x7fffffff, 0x80000000}));
  EXPECT_EQ(words("sub.sat.s32", {{0x80000000}, {1}}), (Words{0x80000000}));
  EXPECT_EQ(words("mul.hi.s32", {{0x80000000}, {0x80000000}}), (Words{0x40000000}));
  EXPECT_EQ(words("mul.hi.u32", {{0xffffffff}, {0xffffffff}}), (Words{0xfffffffe}));
  EXPECT_EQ(words("mad.hi.u32", {{0xffffffff}, {0xffffffff}, {3}}), (Words{1}));
  EXPECT_EQ(words("sad.s32", {{0x80000000}, {0x7fffffff}, {1}}), (Words{0}));
  EXPECT_EQ(words("mul24.lo.s32", {{0x00ffffff}, {2}}), (Words{0xfffffffe}));
  EXPECT_EQ(words("abs.s32", {{0x80000000, 0xffffffff}}), (Words{0x80000000, 1}));
  EXPECT_EQ(apply<std::uint64_t>("mul.wide.s32", std::vector<Words>{{0xffffffff}, {2}}),
            (Longs{0xfffffffffffffffe}));
  EXPECT_EQ(apply<std::uint64_t>("mul.hi.s64", std::vector<Longs>{{0x8000000000000000}, {2}}),
            (Longs{0xffffffffffffffff}));
}

TEST(IntegerArithmetic, DividesWithoutTrapping) {
  EXPECT_EQ(words("div.s32", {{0x80000000, 7, 0xfffffff9}, {0xffffffff, 0, 2}}),
            (Words{0x80000000, 0xffffffff, 0xfffffffd}));
  EXPECT_EQ(words("rem.s32", {{0x80000000, 7, 0xfffffff9}, {0xffffffff, 0, 2}}), (Words{0, 7, 0xffffffff}));
  EXPECT_EQ(words("div.u32", {{7, 0xffffffff}, {0, 16}}), (Words{0xffffffff, 0x0fffffff}));
  EXPECT_EQ(apply<std::uint64_t>("div.s64", std::vector<Longs>{{0x8000000000000000}, {~0ull}}),
            (Longs{0x8000000000000000}));
}

TEST(Bits, ShiftsClampAtTheWidth) {
  EXPECT_EQ(words("shl.b32", {{1, 1, 1}, {31, 32, 0xffffffff}}), (Words{0x80000000, 0, 0}));
  EXPECT_EQ(words("shr.s32", {{0x80000000, 0x80000000}, {31, 200}}), (Words{0xffffffff, 0xffffffff}));
  EXPECT_EQ(words("shr.u32", {{0x80000000, 0x80000000}, {31, 32}}), (Words{1, 0}));
  EXPECT_EQ(words("shf.l.wrap.b32", {{0x80000000, 1}, {1, 2}, {1, 33}}), (Words{3, 4}));
  EXPECT_EQ(words("shf.r.clamp.b32", {{0xffffffff, 5}, {1, 6}, {4, 99}}), (Words{0x1fffffff, 6}));
}

TEST(Bits, FieldsAndCounts) {
  EXPECT_EQ(words("bfe.u32", {{0xabcd1234, 0xff, 1}, {8, 4, 0}, {8, 0, 40}}), (Words{0x12, 0, 1}));
  EXPECT_EQ(words("bfe.s32", {{0x00000f00, 0x80000000}, {8, 31}, {4, 8}}), (Words{0xffffffff, 0xffffffff}));
  EXPECT_EQ(words("bfi.b32", {{0xff, 0xff}, {0, 0x12345678}, {8, 32}, {4, 8}}), (Words{0x0f00, 0x12345678}));
  EXPECT_EQ(words("bfind.u32", {{0, 1, 0x80000000}}), (Words{0xffffffff, 0, 31}));
  EXPECT_EQ(words("bfind.shiftamt.u32", {{1}}), (Words{31}));
  EXPECT_EQ(words("bfind.s32", {{0xffffffff, 0xfffffffe}}), (Words{0xffffffff, 0}));
  EXPECT_EQ(words("brev.b32", {{1, 0x0000ffff}}), (Words{0x80000000, 0xffff0000}));
  EXPECT_EQ(words("clz.b32", {{0, 1}}), (Words{32, 31}));
  EXPECT_EQ(words("popc.b32", {{0xf0f0f0f0}}), (Words{16}));
  EXPECT_EQ(words("prmt.b32", {{0x33221100}, {0x77665544}, {0x7531}}), (Words{0x77553311}));
  EXPECT_EQ(words("prmt.b32", {{0x80000000}, {0}, {0xbb00}}), (Words{0xffff0000}));
  EXPECT_EQ(words("lop3.b32", {{0xf0}, {0xcc}, {0xaa}}, ", 0xe8"), (Words{0xe8}));
  EXPECT_EQ(words("dp4a.s32.s32", {{0xff01ff01}, {0x02020202}, {10}}), (Words{10}));
  EXPECT_EQ(words("dp4a.u32.u32", {{0xff01ff01}, {0x02020202}, {10}}), (Words{10 + 2 * (255 + 1 + 255 + 1)}));
}

TEST(Float, NanIsCanonicalAndZeroKeepsItsSign) {
  EXPECT_EQ(words("add.f32", {{0xffc00001, kInf, kMinusZero}, {kOne, kMinusInf, kMinusZero}}),
            (Words{kNan, kNan, kMinusZero}));
  EXPECT_EQ(words("mul.f32", {{kInf, kMinusZero}, {0, kOne}}), (Words{kNan, kMinusZero}));
  EXPECT_EQ(words("neg.f32", {{0, kNan}}), (Words{kMinusZero, 0xffffffff}));
}

TEST(Float, MinAndMaxPreferNumbersAndOrderZeros) {
  EXPECT_EQ(words("max.f32", {{kNan, kOne, kNan, kMinusZero, 0}, {kOne, kNan, kNan, 0, kMinusZero}}),
            (Words{kOne, kOne, kNan, 0, 0}));
  EXPECT_EQ(words("min.f32", {{0, kMinusZero}, {kMinusZero, 0}}), (Words{kMinusZero, kMinusZero}));
  EXPECT_EQ(words("max.NaN.f32", {{kNan, kOne}, {kOne, 0}}), (Words{kNan, kOne}));
  EXPECT_EQ(words("max.xorsign.abs.f32", {{0xc0000000}, {kOne}}), (Words{0xc0000000}));
}

TEST(Float, FlushesOnlyWhenAsked) {
  EXPECT_EQ(words("add.f32", {{kDenormal}, {kDenormal}}), (Words{2}));
  EXPECT_EQ(words("add.ftz.f32", {{kDenormal, 0x80000001}, {kDenormal, 0x80000001}}), (Words{0, kMinusZero}));
  EXPECT_EQ(words("mul.ftz.f32", {{0x00800000}, {0x3f000000}}), (Words{0}));
  EXPECT_EQ(words("add.sat.f32", {{kOne, 0xbf800000, kNan}, {kOne, 0, 0}}), (Words{kOne, 0, 0}));
}

TEST(Float, RoundsAsTheModifierSays) {
  // 1 + 2^-24 lies halfway between 1 and its successor.
  const Words one{kOne}, tiny{0x33800000};
  EXPECT_EQ(words("add.rn.f32", {one, tiny}), (Words{kOne}));
  EXPECT_EQ(words("add.rz.f32", {one, tiny}), (Words{kOne}));
  EXPECT_EQ(words("add.rp.f32", {one, tiny}), (Words{kOne + 1}));
  EXPECT_EQ(words("add.rm.f32", {{0xbf800000}, {0xb3800000}}), (Words{0xbf800001}));
  EXPECT_EQ(words("fma.rm.f32", {{0x3f800001}, {0x3f800001}, {0}}), (Words{0x3f800002}));
  EXPECT_EQ(words("fma.rp.f32", {{0x3f800001}, {0x3f800001}, {0}}), (Words{0x3f800003}));
  EXPECT_EQ(words("div.rz.f32", {{kOne}, {0x40400000}}), (Words{0x3eaaaaaa}));
  EXPECT_EQ(words("sqrt.rp.f32", {{0x40000000}}), (Words{0x3fb504f4}));
}

TEST(Float, FusedMultiplyAddRoundsOnce) {
  std::vector<std::uint32_t> a, b, c, expected;
  std::uint32_t state = 1;
  for (int k = 0; k < 2000; ++k) {
    const auto next = [&] {
      return std::bit_cast<float>(0x3f000000u + ((state = state * 1664525u + 1013904223u) >> 7));
    };
    const float x = next(), y = next(), z = -x * y;
    a.push_back(std::bit_cast<std::uint32_t>(x));
    b.push_back(std::bit_cast<std::uint32_t>(y));
    c.push_back(std::bit_cast<std::uint32_t>(z));
    expected.push_back(std::bit_cast<std::uint32_t>(std::fma(x, y, z)));
  }
  EXPECT_EQ(words("fma.rn.f32", {a, b, c}), expected);
}

TEST(Float, ApproximationsStayWithinTheIsaBounds) {
  std::vector<std::uint32_t> x;
  for (int k = 0; k < 1000; ++k)
    x.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(k) * 0.05f - 20.0f));
  const Words y = words("ex2.approx.f32", {x});
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double exact = std::exp2(static_cast<double>(std::bit_cast<float>(x[k])));
    EXPECT_NEAR(std::bit_cast<float>(y[k]) / exact, 1.0, 0x1p-23) << k;
  }
  EXPECT_EQ(words("ex2.approx.f32", {{kMinusInf, kInf, kMinusZero, 0xc3160000}}), (Words{0, kInf, kOne, 0}));
  EXPECT_EQ(words("ex2.approx.f32", {{0xc3150000}}), (Words{1}));
  EXPECT_EQ(words("lg2.approx.f32", {{0, kInf, 0x41000000}}), (Words{kMinusInf, kInf, 0x40400000}));
  EXPECT_EQ(words("rsqrt.approx.f32", {{0x40800000, 0, kMinusZero}}), (Words{0x3f000000, kInf, kMinusInf}));
}

TEST(Half, RoundsOnceAndKeepsDenormals) {
  const auto shorts = [](const std::string& opcode, const std::vector<Shorts>& columns) {
    return apply<std::uint16_t>(opcode, columns);
  };
  EXPECT_EQ(shorts("add.f16", {{0x3c00, 0x0001, 0x7bff, 0x7e00}, {0x1000, 0x0001, 0x7bff, 0x3c00}}),
            (Shorts{0x3c00, 0x0002, 0x7c00, 0x7fff}));
  EXPECT_EQ(shorts("fma.rn.f16", {{0x3c01}, {0x3c01}, {0xbc02}}), (Shorts{0x0010}));
  EXPECT_EQ(shorts("max.f16", {{0x7e00, 0x8000}, {0x3c00, 0x0000}}), (Shorts{0x3c00, 0x0000}));
  EXPECT_EQ(shorts("fma.rn.relu.f16", {{0xbc00}, {0x3c00}, {0}}), (Shorts{0}));
  EXPECT_EQ(shorts("fma.rn.bf16", {{0x3f81}, {0x3f81}, {0xbf82}}), (Shorts{0x3880}));
  EXPECT_EQ(words("add.f16x2", {{0x3c004000}, {0x3c003c00}}), (Words{0x40004200}));
  EXPECT_EQ(words("mul.bf16x2", {{0x40003f80}, {0x40004000}}), (Words{0x40804000}));
}

TEST(Double, KeepsItsPrecision) {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  EXPECT_EQ(apply<std::uint64_t>("fma.rn.f64", std::vector<Longs>{{bits(0.1)}, {bits(10.0)}, {bits(-1.0)}}),
            (Longs{bits(std::fma(0.1, 10.0, -1.0))}));
  EXPECT_EQ(apply<std::uint64_t>("add.rp.f64", std::vector<Longs>{{bits(1.0)}, {bits(1e-30)}}),
            (Longs{bits(std::nextafter(1.0, 2.0))}));
  EXPECT_EQ(apply<std::uint64_t>("min.f64", std::vector<Longs>{{bits(NAN)}, {bits(2.0)}}),
            (Longs{bits(2.0)}));
}

TEST(Comparison, OrderedAndUnordered) {
  EXPECT_EQ(words("set.eq.u32.f32", {{kNan, kMinusZero}, {kNan, 0}}), (Words{0, 0xffffffff}));
  EXPECT_EQ(words("set.equ.u32.f32", {{kNan}, {kOne}}), (Words{0xffffffff}));
  EXPECT_EQ(words("set.ne.u32.f32", {{kNan}, {kOne}}), (Words{0}));
  EXPECT_EQ(words("set.neu.f32.f32", {{kNan}, {kOne}}), (Words{kOne}));
  EXPECT_EQ(words("set.ltu.u32.f32", {{kNan, kOne}, {kOne, kOne}}), (Words{0xffffffff, 0}));
  EXPECT_EQ(words("set.num.u32.f32", {{kNan, kOne}, {kOne, kOne}}), (Words{0, 0xffffffff}));
  EXPECT_EQ(words("set.lo.u32.u32", {{1}, {0xffffffff}}), (Words{0xffffffff}));
  EXPECT_EQ(words("set.lt.u32.s32", {{1}, {0xffffffff}}), (Words{0}));
  EXPECT_EQ(words("slct.u32.s32", {{5}, {6}, {0xffffffff}}), (Words{6}));
}

TEST(Conversion, FloatToIntegerSaturates) {
  EXPECT_EQ(words("cvt.rzi.s32.f32", {{kNan, kInf, kMinusInf, 0x4f000000, 0xbfc00000}}),
            (Words{0, 0x7fffffff, 0x80000000, 0x7fffffff, 0xffffffff}));
  EXPECT_EQ(words("cvt.rzi.u32.f32", {{0xbf800000, 0x4f800000, 0x4f000000}}),
            (Words{0, 0xffffffff, 0x80000000}));
  EXPECT_EQ(words("cvt.rni.s32.f32", {{0x3f000000, 0x3fc00000, 0x40200000}}), (Words{0, 2, 2}));
  EXPECT_EQ(words("cvt.rmi.s32.f32", {{0xbf000000}}), (Words{0xffffffff}));
  EXPECT_EQ(words("cvt.rpi.s32.f32", {{0x3f000001}}), (Words{1}));
  EXPECT_EQ(apply<std::uint64_t>("cvt.rzi.s64.f32", std::vector<Words>{{kNan}}), (Longs{0x8000000000000000}));
  EXPECT_EQ(apply<std::uint32_t>("cvt.rzi.s32.f64", std::vector<Longs>{{0x7ff8000000000000}}),
            (Words{0x80000000}));
}

TEST(Conversion, IntegersToFloatRound) {
  EXPECT_EQ(words("cvt.rn.f32.u32", {{0xffffffff, 16777217}}), (Words{0x4f800000, 0x4b800000}));
  EXPECT_EQ(words("cvt.rz.f32.u32", {{0xffffffff}}), (Words{0x4f7fffff}));
  EXPECT_EQ(apply<std::uint16_t>("cvt.rn.f16.s32", std::vector<Words>{{0xffffffff, 65520, 2049}}),
            (Shorts{0xbc00, 0x7c00, 0x6800}));
  EXPECT_EQ(words("cvt.s32.s8", {{0x80, 0x17f}}), (Words{0xffffff80, 0x7f}));
  EXPECT_EQ(words("cvt.sat.u8.s32", {{0xffffffff, 300, 200}}), (Words{0, 255, 200}));
  EXPECT_EQ(words("cvt.sat.s8.s32", {{0xffffff00, 300}}), (Words{0xffffff80, 127}));
  EXPECT_EQ(apply<std::uint64_t>("cvt.s64.s32", std::vector<Words>{{0x80000000}}),
            (Longs{0xffffffff80000000}));
}

TEST(Conversion, BetweenFloatFormats) {
  EXPECT_EQ(apply<std::uint16_t>("cvt.rn.f16.f32",
                                 std::vector<Words>{{kNan, 0x477ff000, 0x477fefff, 0x33000000, 0x33000001}}),
            (Shorts{0x7fff, 0x7c00, 0x7bff, 0, 1}));
  EXPECT_EQ(apply<std::uint16_t>("cvt.rz.f16.f32", std::vector<Words>{{0x477ff000}}), (Shorts{0x7bff}));
  EXPECT_EQ(apply<std::uint16_t>("cvt.rn.bf16.f32", std::vector<Words>{{0x3f808000, 0x3f818000, kNan}}),
            (Shorts{0x3f80, 0x3f82, 0x7fff}));
  EXPECT_EQ(words("cvt.rn.f16x2.f32", {{kOne}, {0x40000000}}), (Words{0x3c004000}));
  EXPECT_EQ(apply<std::uint32_t>("cvt.f32.f16", std::vector<Shorts>{{0x0001, 0x7c00, 0x7e01, 0x8000}}),
            (Words{0x33800000, kInf, kNan, kMinusZero}));
  EXPECT_EQ(words("cvt.rna.tf32.f32", {{0x3f801000, 0x3f800fff}}), (Words{0x3f802000, 0x3f800000}));
  EXPECT_EQ(words("cvt.rni.f32.f32", {{0x40200000, 0xbf000000}}), (Words{0x40000000, kMinusZero}));
  EXPECT_EQ(words("cvt.sat.f32.f32", {{0x40200000, 0xbf000000, kNan}}), (Words{kOne, 0, 0}));
  EXPECT_EQ(apply<std::uint16_t>("cvt.rn.satfinite.e4m3x2.f32", std::vector<Words>{{kOne}, {0x47000000}}),
            (Shorts{0x387e}));
  EXPECT_EQ(apply<std::uint32_t>("cvt.rn.f16x2.e4m3x2", std::vector<Shorts>{{0x387e}}), (Words{0x3c005f00}));
}

}  // namespace
}  // namespace ridge::device
