// SPDX-License-Identifier: GPL-3.0-or-later
// What decode rewrites changes nothing: every program gives the same memory, counters and findings as the
// plain one, which executes each instruction by itself.
#include <gtest/gtest.h>

#include <tuple>

#include "support/emulated.h"

namespace ridge::device {
namespace {

constexpr int kThreads = 96, kWords = 4096;

/// Memory after a run of the body, whose %rd1 is the buffer, %r1 the thread and %r2 a number of its own.
struct Ran {
  std::vector<std::uint32_t> memory;
  hardware::CounterSet counters;
  std::vector<std::tuple<hardware::Status, int, std::string>> findings;
  bool operator==(const Ran&) const = default;
};
Ran run(const std::string& body, bool plain) {
  Emulated emulated(kernel_text("u64 data",
                                "ld.param.u64 %rd1, [data];\nmov.u32 %r1, %tid.x;\n"
                                "mul.lo.u32 %r2, %r1, 2654435761;\nshr.u32 %r2, %r2, 24;\n" +
                                    body,
                                ".shared .align 16 .b8 tile[4096];"));
  std::vector<std::uint32_t> values(kWords);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i * 40503u % 65521u);
  const Address data = emulated.buffer(values);
  emulated.options.counters = true;
  emulated.options.checks = true;
  emulated.options.threads = 1;
  if (plain) emulated.options.trace = TraceRequest{{0, 0, 0}, {0, 0, 0}, 1};
  const LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {kThreads, 1, 1}, {argument(data)});
  Ran ran{emulated.read<std::uint32_t>(data, kWords), outcome.counters, {}};
  for (const hardware::Finding& finding : outcome.findings)
    ran.findings.emplace_back(finding.status, finding.line, finding.message.english());
  return ran;
}

class Rewritten : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Rewritten, IsAsGoodAsPlain) {
  const std::string body = GetParam().second;
  const Ran fast = run(body, false), plain = run(body, true);
  EXPECT_EQ(fast.memory, plain.memory);
  EXPECT_EQ(fast.counters, plain.counters);
  EXPECT_EQ(fast.findings, plain.findings);
  std::vector<std::uint32_t> untouched(kWords);
  for (std::size_t i = 0; i < untouched.size(); ++i)
    untouched[i] = static_cast<std::uint32_t>(i * 40503u % 65521u);
  EXPECT_NE(plain.memory, untouched) << "the program does nothing";
}

constexpr std::pair<const char*, const char*> kPrograms[] = {
    {"WidenedIndex",
     "cvt.s64.s32 %rd2, %r1;\nadd.s64 %rd3, %rd1, %rd2;\nadd.s64 %rd3, %rd3, %rd2;\n"
     "add.s64 %rd3, %rd3, %rd2;\nadd.s64 %rd3, %rd3, %rd2;\nst.global.u32 [%rd3], %r2;"},
    {"NegativeIndex",
     "sub.s32 %r3, 0, %r1;\nmul.wide.s32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
     "st.global.u32 [%rd3+2048], %r2;"},
    {"UnsignedIndex", "mul.wide.u32 %rd2, %r1, 8;\nadd.s64 %rd3, %rd2, %rd1;\nst.global.u32 [%rd3], %r2;"},
    {"VariableFactor",
     "and.b32 %r3, %r2, 12;\nmul.wide.s32 %rd2, %r1, %r3;\nadd.s64 %rd3, %rd1, %rd2;\n"
     "ld.global.u32 %r4, [%rd3];\nmul.wide.s32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
     "bar.sync 0;\nst.global.u32 [%rd5+8192], %r4;"},
    {"ScaledIndex",
     "cvt.u64.u32 %rd2, %r1;\nshl.b64 %rd3, %rd2, 2;\nadd.s64 %rd4, %rd1, %rd3;\n"
     "ld.global.u32 %r3, [%rd4];\nadd.s64 %rd5, %rd1, %rd3;\nst.global.u32 [%rd5+4096], %r3;"},
    {"ShiftOfEverything",
     "cvt.u64.u32 %rd2, %r1;\nshl.b64 %rd3, %rd2, 63;\nadd.s64 %rd4, %rd2, %rd3;\nshr.u64 %rd5, %rd4, 60;\n"
     "cvt.u32.u64 %r3, %rd5;\nmul.wide.s32 %rd6, %r1, 4;\nadd.s64 %rd7, %rd1, %rd6;\n"
     "st.global.u32 [%rd7], %r3;"},
    {"OffsetIsStoredToo",
     "mul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u64 [%rd1+8192], %rd2;\n"
     "st.global.u32 [%rd3], %r2;"},
    {"OffsetTwice",
     "mul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd2, %rd2;\nadd.s64 %rd4, %rd1, %rd3;\n"
     "st.global.u32 [%rd4], %r2;"},
    {"IndexChangesBefore",  // the sum must not see the new index
     "mul.wide.s32 %rd2, %r1, 4;\nadd.s32 %r1, %r1, 7;\nadd.s64 %rd3, %rd1, %rd2;\n"
     "st.global.u32 [%rd3], %r1;"},
    {"IndexOfALoop",
     "mov.u32 %r3, %r1;\nL:\nmul.wide.s32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\nadd.s32 %r3, %r3, 96;\n"
     "ld.global.u32 %r4, [%rd3];\nadd.u32 %r4, %r4, 1;\nst.global.u32 [%rd3], %r4;\n"
     "setp.lt.s32 %p1, %r3, 900;\n@%p1 bra L;"},
    {"SumInAnotherBlock",
     "mul.wide.s32 %rd2, %r1, 4;\nsetp.gt.u32 %p1, %r2, 100;\n@%p1 bra L;\nadd.s32 %r2, %r2, 1000;\nL:\n"
     "add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r2;"},
    {"GuardedOffset",
     "mov.u64 %rd2, 64;\nsetp.gt.u32 %p1, %r2, 100;\n@%p1 mul.wide.s32 %rd2, %r1, 4;\n"
     "add.s64 %rd3, %rd1, %rd2;\nadd.s32 %r5, %r2, 0;\n@%p1 st.global.u32 [%rd3], %r5;"},
    {"NegatedBranch",
     "mov.u32 %r3, 0;\nsetp.ne.s32 %p1, %r1, 5;\n@!%p1 bra L;\nmov.u32 %r3, %r2;\nL:\n"
     "mul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r3;"},
    {"PredicateOfTwo",
     "mov.u32 %r3, 1;\nsetp.lt.u32 %p1, %r2, 100;\n@%p1 bra L;\nmov.u32 %r3, 2;\nL:\n"
     "@%p1 add.s32 %r3, %r3, 10;\nmul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
     "st.global.u32 [%rd3], %r3;"},
    {"OperandChangesBeforeTheBranch",
     "mov.u32 %r3, %r2;\nsetp.lt.u32 %p1, %r3, 100;\nadd.u32 %r3, %r3, 100;\n@%p1 bra L;\nadd.u32 %r3, %r3, "
     "7;\n"
     "L:\nmul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r3;"},
    {"FloatBranch",
     "cvt.rn.f32.u32 %f1, %r2;\nmov.u32 %r3, 0;\nsetp.leu.f32 %p1, %f1, 0f42C80000;\n@%p1 bra L;\n"
     "mov.u32 %r3, 1;\nL:\nmul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], "
     "%r3;"},
    {"WideBranch",
     "cvt.s64.s32 %rd4, %r2;\nmov.u32 %r3, 0;\nsetp.hi.u64 %p1, %rd4, 77;\n@%p1 bra.uni L;\n"
     "mov.u32 %r3, 1;\nL:\nmul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], "
     "%r3;"},
    {"SameAddressAgain",
     "mul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r3, [%rd3];\n"
     "ld.global.u32 %r4, [%rd3+4];\nld.global.u32 %r5, [%rd3+512];\nbar.sync 0;\nadd.u32 %r6, %r3, %r4;\n"
     "add.u32 %r6, %r6, %r5;\nst.global.u32 [%rd3+4096], %r6;\nst.global.u32 [%rd3+8192], %r5;"},
    {"AddressChangesBetween",
     "mul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r3, [%rd3];\n"
     "mul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd3, %rd1, %rd4;\nld.global.u32 %r4, [%rd3];\n"
     "add.s64 %rd5, %rd1, %rd2;\nadd.u32 %r5, %r3, %r4;\nbar.sync 0;\nst.global.u32 [%rd5+8192], %r5;"},
    {"OtherWarpsBetween",
     "mul.wide.s32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r3, [%rd3];\nbar.sync 0;\n"
     "ld.global.u32 %r4, [%rd3];\nld.global.u32 %r5, [%rd3+8];\nbar.sync 0;\nmul.wide.s32 %rd4, %r1, 4;\n"
     "add.s64 %rd5, %rd1, %rd4;\nadd.u32 %r6, %r4, %r5;\nsub.u32 %r6, %r6, %r3;\n"
     "st.global.u32 [%rd5+8192], %r6;"},
    {"SomeLanesAgain",
     "mul.wide.s32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\nmov.u32 %r4, 0;\nld.global.u32 %r3, [%rd3];\n"
     "setp.lt.u32 %p1, %r3, 30000;\n@%p1 bra L;\nld.global.u32 %r4, [%rd3+16];\nld.global.u32 %r5, "
     "[%rd3+20];\n"
     "add.u32 %r4, %r4, %r5;\nL:\nmul.wide.s32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd1, %rd4;\nbar.sync 0;\n"
     "st.global.u32 [%rd5+8192], %r4;"},
    {"FarApartAgain",  // lanes whose addresses make no pattern, one of them outside
     "cvt.u64.u32 %rd2, %r1;\nshl.b64 %rd4, %rd2, 33;\nsetp.ne.s32 %p1, %r1, 40;\nselp.b64 %rd4, 0, %rd4, "
     "%p1;\n"
     "add.s64 %rd3, %rd1, %rd4;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;\nld.global.u32 %r3, [%rd3];\n"
     "ld.global.u32 %r4, [%rd3+4];\nmul.wide.s32 %rd5, %r1, 4;\nadd.s64 %rd6, %rd1, %rd5;\n"
     "add.u32 %r3, %r3, %r4;\nbar.sync 0;\nst.global.u32 [%rd6+8192], %r3;"},
    {"SharedRows",  // rows that every warp reads, then written in the same breath: a race
     "mul.wide.s32 %rd2, %r1, 4;\nmov.u64 %rd3, tile;\nadd.s64 %rd4, %rd3, %rd2;\nst.shared.u32 [%rd4], "
     "%r2;\n"
     "bar.sync 0;\nand.b32 %r3, %r1, 31;\nmul.wide.s32 %rd5, %r3, 4;\nadd.s64 %rd6, %rd3, %rd5;\n"
     "ld.shared.u32 %r4, [%rd6];\nld.shared.u32 %r5, [%rd6+128];\nld.shared.u32 %r6, [%rd6+256];\n"
     "st.shared.u32 [%rd6+128], %r4;\nld.shared.u32 %r7, [%rd6+128];\nadd.u32 %r4, %r4, %r5;\n"
     "add.u32 %r4, %r4, %r6;\nadd.u32 %r4, %r4, %r7;\nadd.s64 %rd7, %rd1, %rd2;\n"
     "st.global.u32 [%rd7], %r4;"},
};
INSTANTIATE_TEST_SUITE_P(Programs, Rewritten, testing::ValuesIn(kPrograms),
                         [](const auto& program) { return std::string(program.param.first); });

/// Several warps read a row; later ones go unlooked at, but not what is written to it.
TEST(SharedRows, AWriteAfterManyReadersIsStillARace) {
  const Ran ran = run(
      "mul.wide.s32 %rd2, %r1, 4;\nmov.u64 %rd3, tile;\nadd.s64 %rd4, %rd3, %rd2;\nst.shared.u32 [%rd4], "
      "%r2;\n"
      "bar.sync 0;\nand.b32 %r3, %r1, 31;\nmul.wide.s32 %rd5, %r3, 4;\nadd.s64 %rd6, %rd3, %rd5;\n"
      "ld.shared.u32 %r4, [%rd6];\nsetp.lt.u32 %p1, %r1, 64;\n@%p1 bra L;\nst.shared.u32 [%rd6], %r4;\nL:\n"
      "st.global.u32 [%rd1], 1;",
      false);
  ASSERT_FALSE(ran.findings.empty());
  EXPECT_EQ(std::get<0>(ran.findings[0]), hardware::Status::race);
}

}  // namespace
}  // namespace ridge::device
