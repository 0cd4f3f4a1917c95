// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes, warps and blocks that wait for each other: forward progress as on GPUs from Volta on.
#include "support/emulated.h"

namespace ridge::device {
namespace {

using Words = std::vector<std::uint32_t>;

/// Runs a kernel with the parameter `x` (64 zeros) and returns x; it must end without a finding.
Words run(const std::string& body, Extent grid, Extent block, const std::string& module_level = "",
          std::int64_t budget = 10000000, bool cooperative = false) {
  Emulated emulated(
      kernel_text("u64 x", "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\n" + body, module_level));
  EXPECT_EQ(emulated.load_error.message, "");
  emulated.options.budget = budget;
  emulated.cooperative = cooperative;
  const Address x = emulated.buffer(Words(64, 0), "x");
  const LaunchOutcome outcome = emulated.run("k", grid, block, {argument(x)});
  EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  return emulated.read<std::uint32_t>(x, 64);
}

constexpr const char* kStoreOwn =
    "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\nst.global.u32 [%rd2], %r9;\n";

TEST(Divergence, SpinLockBetweenTheLanesOfAWarp) {
  const Words x = run(
      "L:\natom.global.cas.b32 %r2, [%rd1], 0, 1;\nsetp.ne.s32 %p1, %r2, 0;\n@%p1 bra L;\nmembar.gl;\n"
      "ld.volatile.global.u32 %r3, [%rd1+4];\nadd.s32 %r3, %r3, 1;\nst.volatile.global.u32 [%rd1+4], %r3;\n"
      "membar.gl;\natom.global.exch.b32 %r4, [%rd1], 0;\n",
      {3, 1, 1}, {64, 1, 1});
  EXPECT_EQ(x[0], 0u);
  EXPECT_EQ(x[1], 192u);
}

TEST(Divergence, AWarpWaitsForAFlagOfAnother) {
  const Words x =
      run("setp.eq.s32 %p1, %r1, 0;\n@%p1 st.volatile.shared.u32 [s], 0;\nbar.sync 0;\nsetp.ge.s32 %p2, %r1, "
          "32;\n"
          "@%p2 bra SET;\nL:\nld.volatile.shared.u32 %r9, [s];\nsetp.eq.s32 %p3, %r9, 0;\n@%p3 bra L;\n"
          "bra.uni END;\nSET:\nsetp.ne.s32 %p4, %r1, 63;\nmov.u32 %r9, 5;\n@%p4 bra END;\n"
          "st.volatile.shared.u32 [s], 5;\nEND:\n" +
              std::string(kStoreOwn),
          {1, 1, 1}, {64, 1, 1}, ".shared .align 4 .b8 s[4];");
  EXPECT_EQ(x, Words(64, 5));
}

TEST(Divergence, ABlockWaitsForAFlagOfALaterOne) {
  const Words x =
      run("mov.u32 %r2, %ctaid.x;\nsetp.eq.s32 %p1, %r2, 0;\n@!%p1 bra SET;\nL:\n"
          "ld.acquire.gpu.global.u32 %r3, [%rd1];\nsetp.eq.s32 %p2, %r3, 0;\n@%p2 bra L;\n"
          "ld.global.u32 %r4, [%rd1+4];\nst.global.u32 [%rd1+8], %r4;\nbra.uni END;\nSET:\n"
          "st.global.u32 [%rd1+4], 9;\nst.release.gpu.global.u32 [%rd1], 1;\nEND:\n",
          {2, 1, 1}, {1, 1, 1});
  EXPECT_EQ(x[2], 9u);
}

/// Thread 0 of each of 4 blocks adds its arrival to x[0] and waits until all have come, 20 times; x[16 + b]
/// counts what the next block has told by then.
TEST(Divergence, BlocksMeetAtABarrierOfTheirOwn) {
  const Words x = run(
      "mov.u32 %r2, %ctaid.x;\nmul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\nadd.s32 %r3, %r2, 1;\n"
      "and.b32 %r3, %r3, 3;\nmul.wide.u32 %rd4, %r3, 4;\nadd.s64 %rd5, %rd1, %rd4;\nmov.u32 %r4, 0;\n"
      "mov.u32 %r5, 0;\nsetp.ne.s32 %p1, %r1, 0;\nROUND:\nadd.s32 %r4, %r4, 4;\n@%p1 bra MEET;\n"
      "red.release.gpu.global.add.u32 [%rd1], 1;\nL:\nld.acquire.gpu.global.u32 %r6, [%rd1];\n"
      "setp.lt.u32 %p2, %r6, %r4;\n@%p2 bra L;\nMEET:\nbar.sync 0;\n"
      "@!%p1 st.relaxed.gpu.global.u32 [%rd3+64], %r4;\nsetp.lt.u32 %p3, %r4, 80;\n@%p3 bra ROUND;\n",
      {4, 1, 1}, {64, 1, 1});
  EXPECT_EQ(x[0], 80u);
  EXPECT_EQ(Words(x.begin() + 16, x.begin() + 20), Words(4, 80));
}

/// Block 0 hands 100 numbers to block 1, one at a time: x[0] holds the number, x[1] how many were taken.
TEST(Divergence, BlocksHandNumbersToEachOther) {
  const Words x = run(
      "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, 0;\nmov.u32 %r7, 0;\nsetp.ne.s32 %p1, %r2, 0;\n@%p1 bra TAKE;\n"
      "GIVE:\nadd.s32 %r3, %r3, 1;\nst.release.gpu.global.u32 [%rd1], %r3;\nFULL:\n"
      "ld.acquire.gpu.global.u32 %r4, [%rd1+4];\nsetp.lt.u32 %p2, %r4, %r3;\n@%p2 bra FULL;\n"
      "setp.lt.u32 %p3, %r3, 100;\n@%p3 bra GIVE;\nbra.uni END;\nTAKE:\nadd.s32 %r3, %r3, 1;\nEMPTY:\n"
      "ld.acquire.gpu.global.u32 %r4, [%rd1];\nsetp.lt.u32 %p2, %r4, %r3;\n@%p2 bra EMPTY;\n"
      "add.s32 %r7, %r7, %r4;\nst.release.gpu.global.u32 [%rd1+4], %r3;\nsetp.lt.u32 %p3, %r3, 100;\n"
      "@%p3 bra TAKE;\nst.global.u32 [%rd1+8], %r7;\nEND:\n",
      {2, 1, 1}, {1, 1, 1});
  EXPECT_EQ(x[2], 5050u);
}

/// Every block waits for the next one, which starts after it.
TEST(Divergence, AChainOfBlocksFromTheLastToTheFirst) {
  const Words x =
      run("mov.u32 %r2, %ctaid.x;\nmul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd2, %rd1, %rd2;\nmov.u32 %r4, 0;\n"
          "setp.eq.u32 %p1, %r2, 31;\n@%p1 bra LAST;\nL:\natom.global.add.u32 %r4, [%rd2+4], 0;\n"
          "nanosleep.u32 20;\nsetp.eq.s32 %p2, %r4, 0;\n@%p2 bra L;\nLAST:\nadd.s32 %r4, %r4, 1;\n"
          "atom.global.exch.b32 %r5, [%rd2], %r4;\n",
          {32, 1, 1}, {1, 1, 1});
  EXPECT_EQ(x[0], 32u);
  EXPECT_EQ(x[31], 1u);
}

/// What a block executes is held against its own budget only, however many others take turns with it.
TEST(Divergence, ManyLongBlocksTakeTurns) {
  const Words x =
      run("atom.global.add.u32 %r2, [%rd1], 1;\nmov.u32 %r3, 0;\nL:\nadd.s32 %r3, %r3, 1;\n"
          "setp.lt.u32 %p1, %r3, 750000;\n@%p1 bra L;\nred.global.add.u32 [%rd1+4], 1;\n",
          {16, 1, 1}, {1, 1, 1}, "", 3000000);
  EXPECT_EQ(x[0], 16u);
  EXPECT_EQ(x[1], 16u);
}

/// All blocks of a cooperative launch compute for long and meet then.
TEST(Divergence, LongBlocksMeetOnce) {
  const Words x =
      run("mov.u32 %r3, 0;\nL:\nadd.s32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 150000;\n@%p1 bra L;\n"
          "red.release.gpu.global.add.u32 [%rd1], 1;\nM:\nld.acquire.gpu.global.u32 %r4, [%rd1];\n"
          "setp.lt.u32 %p2, %r4, 16;\n@%p2 bra M;\nred.global.add.u32 [%rd1+4], 1;\n",
          {16, 1, 1}, {1, 1, 1}, "", 600000, true);
  EXPECT_EQ(x[1], 16u);
}

TEST(Divergence, LanesMeetForAShuffleAfterALoopOfDifferentLengths) {
  const Words x =
      run("mov.u32 %r2, 0;\nL:\nadd.s32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r1;\n@%p1 bra L;\n"
          "shfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;\nadd.s32 %r2, %r2, %r3;\n"
          "shfl.sync.bfly.b32 %r3, %r2, 8, 31, -1;\nadd.s32 %r2, %r2, %r3;\n"
          "shfl.sync.bfly.b32 %r3, %r2, 4, 31, -1;\nadd.s32 %r2, %r2, %r3;\n"
          "shfl.sync.bfly.b32 %r3, %r2, 2, 31, -1;\nadd.s32 %r2, %r2, %r3;\n"
          "shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;\nadd.s32 %r9, %r2, %r3;\n" +
              std::string(kStoreOwn),
          {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(Words(x.begin(), x.begin() + 32), Words(32, 528));  // 1 + 2 + … + 32
}

/// Half of the lanes shuffle among themselves while the others are elsewhere.
TEST(Divergence, HalvesOfAWarpSynchroniseByThemselves) {
  const Words x =
      run("setp.lt.u32 %p1, %r1, 16;\n@%p1 bra LOW;\nshfl.sync.idx.b32 %r9, %r1, 31, 31, 0xffff0000;\n"
          "bra.uni END;\nLOW:\nshfl.sync.idx.b32 %r9, %r1, 3, 31, 0x0000ffff;\nEND:\n" +
              std::string(kStoreOwn),
          {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(x[0], 3u);
  EXPECT_EQ(x[15], 3u);
  EXPECT_EQ(x[16], 31u);
  EXPECT_EQ(x[31], 31u);
}

TEST(Divergence, NestedLoopsAndEarlyExits) {
  // Lane l leaves for good when the sum of an inner loop reaches 4 l.
  const Words x =
      run("mov.u32 %r2, 0;\nOUTER:\nmov.u32 %r3, 0;\nINNER:\nadd.s32 %r2, %r2, 1;\nadd.s32 %r3, %r3, 1;\n"
          "setp.lt.u32 %p1, %r3, 4;\n@%p1 bra INNER;\nshl.b32 %r4, %r1, 2;\nsetp.lt.u32 %p2, %r2, %r4;\n"
          "@%p2 bra OUTER;\nmov.u32 %r9, %r2;\n" +
              std::string(kStoreOwn) + "ret;\n",
          {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(x[0], 4u);
  EXPECT_EQ(x[1], 4u);
  EXPECT_EQ(x[17], 68u);
  EXPECT_EQ(x[31], 124u);
}

}  // namespace
}  // namespace ridge::device
