// SPDX-License-Identifier: GPL-3.0-or-later
// Counters against theory, and results that never depend on the number of host threads.
#include <bit>

#include "support/emulated.h"

namespace ridge::device {
namespace {

/// y[i] = a x[i] + y[i], 256 threads a block.
std::string saxpy() {
  return kernel_text("u64 x, u64 y, f32 a, u32 n",
                     "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r1, %r2, 256, %r1;\n"
                     "ld.param.u32 %r3, [n];\nsetp.ge.u32 %p1, %r1, %r3;\n@%p1 bra END;\n"
                     "ld.param.f32 %f1, [a];\nld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\n"
                     "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n"
                     "ld.global.f32 %f2, [%rd1];\nld.global.f32 %f3, [%rd2];\nfma.rn.f32 %f4, %f1, %f2, "
                     "%f3;\nst.global.f32 [%rd2], %f4;\nEND:\n");
}

TEST(Counters, SaxpyAsTheorySays) {
  constexpr std::uint32_t kElements = 1024;
  Emulated emulated(saxpy());
  const Address x = emulated.buffer(std::vector<float>(kElements, 2), "x");
  const Address y = emulated.buffer(std::vector<float>(kElements, 1), "y");
  const LaunchOutcome outcome = emulated.run("k", {4, 1, 1}, {256, 1, 1},
                                             {argument(x), argument(y), argument(3.0f), argument(kElements)});
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(emulated.read<float>(y, kElements), std::vector<float>(kElements, 7));
  const auto& counters = outcome.counters;
  EXPECT_EQ(counters.at("flops_fp32"), 2.0 * kElements);
  EXPECT_EQ(counters.at("global_load_requests"), 2 * kElements / 32);
  EXPECT_EQ(counters.at("global_load_sectors"), 4 * counters.at("global_load_requests"));
  EXPECT_EQ(counters.at("global_store_sectors"), 4 * counters.at("global_store_requests"));
  EXPECT_EQ(counters.at("global_load_bytes"), 8.0 * kElements);
  EXPECT_EQ(counters.at("branches"), kElements / 32);
  EXPECT_EQ(counters.at("divergent_branches"), 0);
}

/// Sectors of one load of 32 lanes, `stride` words apart.
double sectors(int stride, int bytes_off) {
  Emulated emulated(kernel_text("u64 x",
                                "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [x];\nmul.wide.u32 %rd2, "
                                "%r1, " +
                                    std::to_string(4 * stride) +
                                    ";\nadd.s64 %rd1, %rd1, %rd2;\nld.global.u32 %r2, [%rd1+" +
                                    std::to_string(bytes_off) + "];\n"));
  const Address x = emulated.buffer(std::vector<std::uint32_t>(4096, 0), "x");
  const LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(x)});
  EXPECT_TRUE(outcome.findings.empty());
  return outcome.counters.at("global_load_sectors");
}

/// Lanes whose masks differ part at the shuffle, inside of a basic block, and meet again behind the branch.
TEST(Counters, BranchesOfSplitsThatPartAndMeetInsideOfABlock) {
  Emulated emulated(kernel_text(
      "u64 x",
      "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [x];\nand.b32 %r2, %r1, 3;\nmov.u32 %r3, 0x11111111;\n"
      "shl.b32 %r3, %r3, %r2;\nshfl.sync.idx.b32 %r4, %r1, 4, 31, %r3;\nand.b32 %r5, %r1, 4;\n"
      "setp.eq.s32 %p1, %r5, 0;\n@%p1 bra ODD;\nst.global.u32 [%rd1], %r4;\nODD:\nbar.warp.sync -1;\n"
      "and.b32 %r5, %r1, 1;\nsetp.eq.s32 %p1, %r5, 0;\n@%p1 bra END;\nst.global.u32 [%rd1+4], %r4;\nEND:\n"));
  emulated.options.checks = false;
  const Address x = emulated.buffer(std::vector<std::uint32_t>(4, 0), "x");
  const LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(x)});
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(outcome.counters.at("branches"), 4 + 1);
  EXPECT_EQ(outcome.counters.at("divergent_branches"), 4 + 1);
}

/// A function that lanes call one after the other through different pointers, and what follows the call.
TEST(Counters, BranchesBehindCallsThroughPointers) {
  const std::string module_level =
      ".func (.param .b32 r) one(.param .b32 a)\n{\n.reg .b32 %q;\nmov.u32 %q, 1;\nst.param.b32 [r], "
      "%q;\nret;\n}\n"
      ".func (.param .b32 r) two(.param .b32 a)\n{\n.reg .b32 %q;\nmov.u32 %q, 2;\nst.param.b32 [r], "
      "%q;\nret;\n}\n";
  Emulated emulated(kernel_text(
      "u64 x",
      "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [x];\nand.b32 %r2, %r1, 1;\nsetp.eq.s32 %p1, %r2, 0;\n"
      "mov.u64 %rd2, one;\nmov.u64 %rd3, two;\nselp.b64 %rd4, %rd2, %rd3, %p1;\n{\n.param .b32 p0;\n"
      "st.param.b32 [p0], %r1;\n.param .b32 q0;\nproto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
      "call (q0), %rd4, (p0), proto;\nld.param.b32 %r3, [q0];\n}\nsetp.eq.s32 %p2, %r3, 1;\n@%p2 bra END;\n"
      "st.global.u32 [%rd1], %r3;\nEND:\n",
      module_level));
  EXPECT_EQ(emulated.load_error.message, "");
  const Address x = emulated.buffer(std::vector<std::uint32_t>(4, 0), "x");
  const LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(x)});
  EXPECT_EQ(emulated.read<std::uint32_t>(x, 1)[0], 2u);
  EXPECT_EQ(outcome.counters.at("branches"), 1);  // they meet where they return to
  EXPECT_EQ(outcome.counters.at("divergent_branches"), 1);
}

TEST(Counters, SectorsFollowStrideAndOffset) {
  EXPECT_EQ(sectors(0, 0), 1);
  EXPECT_EQ(sectors(1, 0), 4);
  EXPECT_EQ(sectors(1, 4), 5);
  EXPECT_EQ(sectors(2, 0), 8);
  EXPECT_EQ(sectors(8, 0), 32);
  EXPECT_EQ(sectors(32, 0), 32);
}

/// A column of a tile with rows of `words` words: each lane writes and reads its own row's first word.
hardware::CounterSet column(int words) {
  Emulated emulated(kernel_text("u64 x",
                                "mov.u32 %r1, %tid.x;\nmov.u32 %r2, s;\nmad.lo.s32 %r2, %r1, " +
                                    std::to_string(4 * words) +
                                    ", %r2;\nst.shared.u32 [%r2], %r1;\nld.shared.u32 %r3, [%r2];\n",
                                ".shared .align 4 .b8 s[4224];"));
  const LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(std::uint64_t{0})});
  EXPECT_TRUE(outcome.findings.empty());
  return outcome.counters;
}

TEST(Counters, PaddingATileRemovesItsBankConflicts) {
  const hardware::CounterSet conflicting = column(32), padded = column(33);
  EXPECT_EQ(conflicting.at("shared_load_wavefronts"), 32);
  EXPECT_EQ(conflicting.at("shared_store_wavefronts"), 32);
  EXPECT_EQ(conflicting.at("shared_load_bank_conflicts"), 31);
  EXPECT_EQ(padded.at("shared_load_wavefronts"), 1);
  EXPECT_EQ(padded.at("shared_store_wavefronts"), 1);
  EXPECT_EQ(padded.at("shared_load_bank_conflicts"), 0);
}

TEST(Counters, LinesAddUpToTheWhole) {
  Emulated emulated(kernel_text("u64 x",
                                ".loc 1 3 0\nmov.u32 %r1, %tid.x;\n.loc 1 4 0\nadd.f32 %f1, %f1, %f2;\n"
                                "add.f32 %f1, %f1, %f2;\n.loc 1 5 0\nmul.f32 %f1, %f1, %f2;\n",
                                ".file 1 \"k.cu\""));
  emulated.options.lines = true;
  const LaunchOutcome outcome = emulated.run("k", {2, 1, 1}, {32, 1, 1}, {argument(std::uint64_t{0})});
  double flops = 0;
  for (const hardware::LineCounters& line : outcome.lines) {
    const auto found = line.counters.find("flops_fp32");
    if (found == line.counters.end()) continue;
    flops += found->second;
    if (line.line == 4) {
      EXPECT_EQ(found->second, 128);
    }
    if (line.line == 5) {
      EXPECT_EQ(found->second, 64);
    }
  }
  EXPECT_EQ(flops, outcome.counters.at("flops_fp32"));
  EXPECT_EQ(flops, 192);
}

struct Answer {
  hardware::CounterSet counters;
  float sum = 0;
  std::uint32_t findings = 0;
};

/// Float atomics, divergence and races: everything that could depend on who runs first.
Answer answer(unsigned threads, bool permuted) {
  Emulated emulated(kernel_text(
      "u64 x, u64 sum, u64 y",
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r3, %r2, 64, %r1;\nld.param.u64 %rd1, "
      "[x];\nmul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd1, %rd1, %rd2;\nld.global.f32 %f1, [%rd1];\n"
      "ld.param.u64 %rd3, [sum];\nred.global.add.f32 [%rd3], %f1;\nmov.u32 %r4, 0;\nL:\nadd.s32 %r4, %r4, "
      "1;\n"
      "setp.lt.u32 %p1, %r4, %r1;\n@%p1 bra L;\nld.param.u64 %rd4, [y];\nmul.wide.u32 %rd5, %r1, 4;\n"
      "add.s64 %rd4, %rd4, %rd5;\nst.global.u32 [%rd4], %r3;\n"));
  std::vector<float> values(64 * 40);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0f / static_cast<float>(i + 3);
  const Address x = emulated.buffer(values, "x");
  const Address sum = emulated.buffer(std::vector<float>{0}, "sum");
  const Address y = emulated.scratch(256, "y");
  emulated.options.threads = threads;
  emulated.options.order = {permuted, 5};
  const LaunchOutcome outcome =
      emulated.run("k", {40, 1, 1}, {64, 1, 1}, {argument(x), argument(sum), argument(y)});
  return {outcome.counters, emulated.read<float>(sum, 1)[0],
          static_cast<std::uint32_t>(outcome.findings.size())};
}

TEST(Determinism, ThreadsChangeNothing) {
  for (const bool permuted : {false, true}) {
    const Answer one = answer(1, permuted);
    EXPECT_EQ(one.findings, 1u);  // all blocks write y
    for (const unsigned threads : {2u, 5u}) {
      const Answer many = answer(threads, permuted);
      EXPECT_EQ(many.counters, one.counters);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(many.sum), std::bit_cast<std::uint32_t>(one.sum));
      EXPECT_EQ(many.findings, one.findings);
    }
  }
  EXPECT_NE(answer(1, true).sum, answer(1, false).sum);  // the order of blocks does show in the sum
}

TEST(Determinism, CountersOfParallelBlocks) {
  const auto counters = [](unsigned threads) {
    Emulated emulated(saxpy());
    emulated.options.threads = threads;
    const Address x = emulated.buffer(std::vector<float>(9999, 2), "x");
    const Address y = emulated.buffer(std::vector<float>(9999, 1), "y");
    const LaunchOutcome outcome =
        emulated.run("k", {40, 1, 1}, {256, 1, 1},
                     {argument(x), argument(y), argument(3.0f), argument(std::uint32_t{9999})});
    EXPECT_TRUE(outcome.findings.empty());
    EXPECT_EQ(emulated.read<float>(y, 9999), std::vector<float>(9999, 7));
    return outcome.counters;
  };
  const hardware::CounterSet one = counters(1);
  EXPECT_EQ(counters(2), one);
  EXPECT_EQ(counters(5), one);
  EXPECT_EQ(one.at("divergent_branches"), 1);
}

TEST(Output, PrintfOfEveryThreadInOrder) {
  Emulated emulated(kernel_text(
      "u64 x",
      ".local .align 8 .b8 depot[8];\nmov.u64 %rd1, depot;\ncvta.local.u64 %rd2, %rd1;\nmov.u32 %r1, "
      "%tid.x;\nst.local.u32 [%rd1], %r1;\nmov.u64 %rd3, text;\ncvta.global.u64 %rd3, %rd3;\n{\n.param .b64 "
      "p0;\nst.param.b64 [p0], %rd3;\n.param .b64 p1;\nst.param.b64 [p1], %rd2;\n.param .b32 back;\n"
      "call.uni (back), vprintf, (p0, p1);\nld.param.b32 %r2, [back];\n}\n",
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".global .align 1 .b8 text[8] = {105, 32, 37, 48, 51, 100, 10, 0};"));  // "i %03d\n"
  EXPECT_EQ(emulated.load_error.message, "");
  const LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {3, 1, 1}, {argument(std::uint64_t{0})});
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(outcome.output, "i 000\ni 001\ni 002\n");
}

TEST(Unsupported, NamesInstructionAndLine) {
  const Emulated emulated(kernel_text("u64 x",
                                      ".loc 1 21 0\ntex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, "
                                      "{%f5, %f6}];\n",
                                      ".file 1 \"k.cu\""));
  EXPECT_EQ(emulated.load_error.code, "unsupported");
  EXPECT_EQ(emulated.load_error.line, 21);
  EXPECT_NE(emulated.load_error.message.english().find("tex.3d"), std::string::npos)
      << emulated.load_error.message;
}

}  // namespace
}  // namespace ridge::device
