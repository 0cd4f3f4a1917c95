// SPDX-License-Identifier: GPL-3.0-or-later
// Every check of the emulator: a kernel with one fault, and its correct twin.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "support/emulated.h"

namespace ridge::device {
namespace {

using hardware::Finding;
using hardware::Status;

/// Thread number in %r1, the address of this thread's word of `x` in %rd2.
constexpr const char* kOwnWord =
    "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [x];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n";
/// The address of this thread's word of `s` in %r3, of its mirror image's word among `threads` in %r4.
std::string shared_words(int threads) {
  return "mov.u32 %r1, %tid.x;\nmov.u32 %r2, s;\nshl.b32 %r3, %r1, 2;\nadd.s32 %r3, %r3, %r2;\n"
         "sub.s32 %r4, " +
         std::to_string(threads - 1) + ", %r1;\nshl.b32 %r4, %r4, 2;\nadd.s32 %r4, %r4, %r2;\n";
}
constexpr const char* kShared = ".shared .align 4 .b8 s[256];";

std::vector<Finding> findings(const std::string& body, Extent grid, Extent block, std::size_t words = 64,
                              const std::string& module_level = "") {
  Emulated emulated(kernel_text("u64 x", body, module_level));
  EXPECT_EQ(emulated.load_error.message, "");
  const Address x = emulated.buffer(std::vector<std::uint32_t>(words, 7), "x");
  return emulated.run("k", grid, block, {argument(x)}).findings;
}
Status first(const std::vector<Finding>& found) {
  return found.empty() ? Status::pass : found[0].status;
}

TEST(Faults, OutOfBoundsNamesThreadBufferAndLine) {
  const auto body = [](const std::string& offset) {
    return std::string(".loc 1 12 0\n") + kOwnWord + ".loc 1 13 0\nst.global.u32 [%rd2+" + offset +
           "], %r1;\n";
  };
  const std::string file = ".file 1 \"k.cu\"";
  EXPECT_EQ(first(findings(body("0"), {1, 1, 1}, {64, 1, 1}, 64, file)), Status::pass);
  const auto found = findings(body("8"), {1, 1, 1}, {64, 1, 1}, 64, file);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].status, Status::out_of_bounds);
  EXPECT_EQ(found[0].line, 13);
  EXPECT_EQ(found[0].count, 2u);
  EXPECT_EQ(found[0].thread, (std::array<std::int64_t, 3>{62, 0, 0}));
  EXPECT_NE(found[0].message.english().find("right behind the end of x"), std::string::npos)
      << found[0].message;
}

TEST(Faults, AConcealedBufferIsNoPlaceAndNoName) {
  Emulated emulated(kernel_text("u64 x, u64 y", "ld.param.u64 %rd1, [y];\nst.global.u32 [%rd1], 1;\n"));
  const Address x = emulated.buffer(std::vector<std::uint32_t>(64, 7), "x");
  const Address y = emulated.buffer(std::vector<std::uint32_t>(64, 7), "y");
  const auto write = [&] {
    return emulated.run("k", {1, 1, 1}, {1, 1, 1}, {argument(x), argument(y)}).findings;
  };
  emulated.device().conceal(y, true);
  const auto found = write();
  ASSERT_EQ(first(found), Status::out_of_bounds);
  EXPECT_NE(found[0].message.english().find("behind the end of x"), std::string::npos) << found[0].message;
  emulated.device().conceal(y, false);
  EXPECT_EQ(emulated.read<std::uint32_t>(y, 1)[0], 7u);
  EXPECT_EQ(first(write()), Status::pass);
  EXPECT_EQ(emulated.read<std::uint32_t>(y, 1)[0], 1u);
}

TEST(Faults, SharedMemoryEndsBehindItsLastArray) {
  const auto body = [](int offset) {
    return "mov.u32 %r1, a;\nst.shared.u32 [%r1+" + std::to_string(offset) + "], 1;\n";
  };
  const std::string arrays = ".shared .align 4 .b8 a[16];\n.shared .align 4 .b8 b[16];";
  EXPECT_EQ(first(findings(body(12), {1, 1, 1}, {1, 1, 1}, 1, arrays)), Status::pass);
  EXPECT_EQ(first(findings(body(32), {1, 1, 1}, {1, 1, 1}, 1, arrays)), Status::out_of_bounds);
}

TEST(Faults, FarAddressesOfAnyKindAreOutOfBounds) {
  for (const char* address : {"0", "16", "-8", "0x7fffffffffff", "0x8000000000000000"})
    EXPECT_EQ(first(findings("mov.u64 %rd1, " + std::string(address) +
                                 ";\nld.u64 %rd2, [%rd1];\n"
                                 "ld.param.u64 %rd3, [x];\nst.global.u64 [%rd3], %rd2;\n",
                             {1, 1, 1}, {1, 1, 1})),
              Status::out_of_bounds)
        << address;
}

TEST(Faults, Misaligned) {
  const auto body = [](const std::string& offset) {
    return "ld.param.u64 %rd1, [x];\nld.global.v2.u32 {%r1, %r2}, [%rd1+" + offset + "];\n";
  };
  EXPECT_EQ(first(findings(body("8"), {1, 1, 1}, {1, 1, 1})), Status::pass);
  EXPECT_EQ(first(findings(body("4"), {1, 1, 1}, {1, 1, 1})), Status::misaligned);
}

TEST(Faults, UninitialisedDeviceMemory) {
  const std::string body = std::string(kOwnWord) + "ld.global.u32 %r2, [%rd2];\nst.global.u32 [%rd2], %r2;\n";
  EXPECT_EQ(first(findings(body, {1, 1, 1}, {64, 1, 1})), Status::pass);
  Emulated emulated(kernel_text("u64 x", body));
  const Address scratch = emulated.scratch(256, "y");
  const auto found = emulated.run("k", {1, 1, 1}, {64, 1, 1}, {argument(scratch)}).findings;
  ASSERT_EQ(first(found), Status::uninitialised);
  EXPECT_NE(found[0].message.english().find("of y"), std::string::npos) << found[0].message;
}

TEST(Faults, UninitialisedSharedMemory) {
  const std::string write = "st.shared.u32 [%r3], %r1;\n", read = "ld.shared.u32 %r5, [%r3];\n";
  EXPECT_EQ(first(findings(shared_words(64) + write + read, {2, 1, 1}, {64, 1, 1}, 64, kShared)),
            Status::pass);
  EXPECT_EQ(first(findings(shared_words(64) + read, {1, 1, 1}, {64, 1, 1}, 64, kShared)),
            Status::uninitialised);
  // What an earlier block wrote does not count.
  const std::string first_block_writes =
      "mov.u32 %r6, %ctaid.x;\nsetp.ne.s32 %p1, %r6, 0;\n@!%p1 " + write + read;
  EXPECT_EQ(first(findings(shared_words(64) + first_block_writes, {2, 1, 1}, {64, 1, 1}, 64, kShared)),
            Status::uninitialised);
}

TEST(Faults, RaceBetweenWarps) {
  const auto body = [](const std::string& between) {
    return shared_words(64) + "st.shared.u32 [%r3], %r1;\n" + between + "ld.shared.u32 %r5, [%r4];\n";
  };
  EXPECT_EQ(first(findings(body("bar.sync 0;\n"), {2, 1, 1}, {64, 1, 1}, 64, kShared)), Status::pass);
  EXPECT_EQ(first(findings(body(""), {1, 1, 1}, {64, 1, 1}, 64, kShared)), Status::race);
  EXPECT_EQ(first(findings(body("bar.warp.sync 0xffffffff;\n"), {1, 1, 1}, {64, 1, 1}, 64, kShared)),
            Status::race);
}

TEST(Faults, RaceOfTheNextRoundWithTheLastOne) {
  const auto body = [](const std::string& end) {
    return shared_words(64) +
           "mov.u32 %r6, 0;\nL:\nst.shared.u32 [%r3], %r6;\nbar.sync 0;\n"
           "ld.shared.u32 %r5, [%r4];\n" +
           end + "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p1, %r6, 3;\n@%p1 bra L;\n";
  };
  EXPECT_EQ(first(findings(body("bar.sync 0;\n"), {1, 1, 1}, {64, 1, 1}, 64, kShared)), Status::pass);
  EXPECT_EQ(first(findings(body(""), {1, 1, 1}, {64, 1, 1}, 64, kShared)), Status::race);
}

TEST(Faults, RaceInsideAWarp) {
  const auto body = [](const std::string& between) {
    return shared_words(32) + "st.shared.u32 [%r3], %r1;\n" + between + "ld.shared.u32 %r5, [%r4];\n";
  };
  EXPECT_EQ(first(findings(body("bar.warp.sync 0xffffffff;\n"), {1, 1, 1}, {32, 1, 1}, 64, kShared)),
            Status::pass);
  const auto found = findings(body(""), {1, 1, 1}, {32, 1, 1}, 64, kShared);
  ASSERT_EQ(first(found), Status::race);
  EXPECT_NE(found[0].message.english().find("__syncwarp"), std::string::npos) << found[0].message;
}

TEST(Faults, AtomicsOfSharedMemoryDoNotRace) {
  const std::string zero_by_one =
      "mov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 st.shared.u32 [s], 0;\nbar.sync 0;\n";
  EXPECT_EQ(first(findings(zero_by_one + "red.shared.add.u32 [s], 1;\nbar.sync 0;\n", {1, 1, 1}, {64, 1, 1},
                           64, kShared)),
            Status::pass);
  EXPECT_EQ(first(findings(zero_by_one + "ld.shared.u32 %r2, [s];\nadd.s32 %r2, %r2, 1;\n"
                                         "st.shared.u32 [s], %r2;\n",
                           {1, 1, 1}, {64, 1, 1}, 64, kShared)),
            Status::race);
}

TEST(Faults, RaceBetweenBlocks) {
  const std::string own_word_of_grid =
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r1, %r2, 32, %r1;\n"
      "ld.param.u64 %rd1, [x];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n";
  const std::string store = "st.global.u32 [%rd2], %r1;\n";
  EXPECT_EQ(first(findings(own_word_of_grid + store, {2, 1, 1}, {32, 1, 1})), Status::pass);
  EXPECT_EQ(first(findings(kOwnWord + store, {2, 1, 1}, {32, 1, 1})), Status::race);
  const std::string read_first_word = "ld.global.u32 %r3, [%rd1];\n";
  EXPECT_EQ(first(findings(own_word_of_grid + store + read_first_word, {2, 1, 1}, {32, 1, 1})), Status::race);
  EXPECT_EQ(first(findings(own_word_of_grid + read_first_word + store, {2, 1, 1}, {32, 1, 1})), Status::race);
  EXPECT_EQ(first(findings(own_word_of_grid + read_first_word, {2, 1, 1}, {32, 1, 1})), Status::pass);
  EXPECT_EQ(first(findings(own_word_of_grid + "red.global.add.u32 [%rd1], 1;\n", {2, 1, 1}, {32, 1, 1})),
            Status::pass);
}

/// The address of a store may come from anywhere; then every buffer is watched.
TEST(Faults, RaceBetweenBlocksThroughAPointerInMemory) {
  Emulated emulated(kernel_text("u64 x, u64 table",
                                "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [table];\nld.global.u64 %rd3, "
                                "[%rd2];\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd3], %r1;\n"));
  const Address x = emulated.buffer(std::vector<std::uint32_t>(4, 1), "x");
  const Address table = emulated.buffer(std::vector<std::uint64_t>{x}, "table");
  EXPECT_EQ(first(emulated.run("k", {1, 1, 1}, {1, 1, 1}, {argument(x), argument(table)}).findings),
            Status::pass);
  EXPECT_EQ(first(emulated.run("k", {2, 1, 1}, {1, 1, 1}, {argument(x), argument(table)}).findings),
            Status::race);
}

TEST(Faults, BarrierDivergence) {
  const auto body = [](int threads) {
    return "mov.u32 %r1, %tid.x;\nsetp.ge.s32 %p1, %r1, " + std::to_string(threads) +
           ";\n@%p1 bra L;\nbar.sync 0;\nL:\n";
  };
  EXPECT_EQ(first(findings(body(64), {1, 1, 1}, {64, 1, 1})), Status::pass);
  EXPECT_EQ(first(findings(body(16), {1, 1, 1}, {32, 1, 1})), Status::barrier_divergence);
  EXPECT_EQ(first(findings(body(32), {1, 1, 1}, {64, 1, 1})), Status::barrier_divergence);
}

TEST(Faults, WarpSynchronisationWithAMaskOfMissingLanes) {
  const auto body = [](const std::string& mask) {
    return "mov.u32 %r1, %tid.x;\nsetp.ge.s32 %p1, %r1, 16;\n@%p1 bra L;\nbar.warp.sync " + mask + ";\nL:\n";
  };
  EXPECT_EQ(first(findings(body("0x0000ffff"), {1, 1, 1}, {32, 1, 1})), Status::pass);
  EXPECT_EQ(first(findings(body("0xffffffff"), {1, 1, 1}, {32, 1, 1})), Status::barrier_divergence);
  EXPECT_EQ(first(findings(body("0x000000ff"), {1, 1, 1}, {32, 1, 1})), Status::barrier_divergence);
}

std::vector<Finding> loop_for_ever(const std::string& body, Extent grid, Extent block, std::int64_t budget) {
  Emulated emulated(kernel_text("u64 x", body));
  emulated.options.budget = budget;
  const Address x = emulated.buffer(std::vector<std::uint32_t>(4, 0), "x");
  return emulated.run("k", grid, block, {argument(x)}).findings;
}

TEST(Faults, TimeoutNamesTheLoop) {
  EXPECT_EQ(first(loop_for_ever("mov.u32 %r1, 0;\nL:\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 10000;\n"
                                "@%p1 bra L;\n",
                                {4, 1, 1}, {64, 1, 1}, 100000)),
            Status::pass);
  const auto found = loop_for_ever("L:\nadd.s32 %r1, %r1, 1;\nbra L;\n", {64, 1, 1}, {256, 1, 1}, 100000);
  ASSERT_EQ(first(found), Status::timeout);
  EXPECT_NE(found[0].message.english().find("budget of 100000"), std::string::npos) << found[0].message;
}

/// Blocks that wait for what never comes take turns; together they end as soon as one alone.
TEST(Faults, TimeoutOfBlocksThatWaitForEachOther) {
  const std::string wait =
      "ld.param.u64 %rd1, [x];\nL:\nld.acquire.gpu.global.u32 %r1, [%rd1];\n"
      "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;\n";
  const auto found = loop_for_ever(wait, {1000, 1, 1}, {64, 1, 1}, 1000000);
  ASSERT_EQ(first(found), Status::timeout);
  EXPECT_TRUE(found[0].message.english().starts_with("All blocks wait for others")) << found[0].message;
  EXPECT_NE(found[0].message.english().find("the loop here may never end"), std::string::npos);
  // Two of them come to the end of their own budgets first.
  const auto two = loop_for_ever(wait, {2, 1, 1}, {64, 1, 1}, 20000);
  ASSERT_EQ(first(two), Status::timeout);
  EXPECT_TRUE(two[0].message.english().starts_with("The budget of 20000")) << two[0].message;
}

/// They count while they wait, so that nobody knows that they do: one ends by its own budget.
TEST(Faults, TimeoutOfManyBlocksThatCount) {
  const std::string wait =
      "ld.param.u64 %rd1, [x];\nL:\nadd.s32 %r2, %r2, 1;\nld.acquire.gpu.global.u32 %r1, [%rd1];\n"
      "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;\n";
  const auto found = loop_for_ever(wait, {1000, 1, 1}, {64, 1, 1}, 50000000);
  ASSERT_EQ(first(found), Status::timeout);
  EXPECT_TRUE(found[0].message.english().starts_with("The budget of 50000000")) << found[0].message;
}

/// Block 0 waits for block 1, under any budget that can be given.
TEST(Faults, TheLargestBudget) {
  const std::string text =
      "ld.param.u64 %rd1, [x];\nmov.u32 %r2, %ctaid.x;\nsetp.eq.s32 %p1, %r2, 1;\n@%p1 bra TELL;\nL:\n"
      "ld.acquire.gpu.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p2, %r1, 0;\n@%p2 bra L;\nbra.uni END;\nTELL:\n"
      "st.release.gpu.global.u32 [%rd1], 1;\nEND:\n";
  EXPECT_EQ(first(loop_for_ever(text, {2, 1, 1}, {1, 1, 1}, std::numeric_limits<std::int64_t>::max())),
            Status::pass);
}

/// Blocks 0 to 2 wait for block 3, which counts for ever.
TEST(Faults, TimeoutNamesWhoComputesAndNotWhoWaitsForIt) {
  const std::string text =
      "ld.param.u64 %rd1, [x];\nmov.u32 %r2, %ctaid.x;\nsetp.eq.s32 %p1, %r2, 3;\n@%p1 bra COUNT;\nL:\n"
      "ld.acquire.gpu.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p2, %r1, 0;\n@%p2 bra L;\nbra.uni END;\nCOUNT:\n"
      "add.s32 %r3, %r3, 1;\nsetp.ne.s32 %p3, %r3, -1;\n@%p3 bra COUNT;\nEND:\n";
  const auto found = loop_for_ever(text, {4, 1, 1}, {64, 1, 1}, 4000000);
  ASSERT_EQ(first(found), Status::timeout);
  ASSERT_TRUE(found[0].block.has_value());
  EXPECT_EQ((*found[0].block)[0], 3);
}

TEST(Faults, Trap) {
  EXPECT_EQ(first(findings("trap;\n", {1, 1, 1}, {32, 1, 1})), Status::trapped);
  EXPECT_EQ(
      first(findings("mov.u32 %r1, %tid.x;\nsetp.gt.s32 %p1, %r1, 99;\n@%p1 trap;\n", {1, 1, 1}, {32, 1, 1})),
      Status::pass);
}

TEST(Faults, AssertionWithItsText) {
  const std::string module_level =
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 "
      "e);\n.global .align 1 .b8 text[6] = {110, 32, 62, 32, 48, 0};";
  const auto body = [](const std::string& limit) {
    return "mov.u32 %r1, %tid.x;\nsetp.lt.s32 %p1, %r1, " + limit +
           ";\n@%p1 bra L;\nmov.u64 %rd1, text;\ncvta.global.u64 %rd1, %rd1;\nmov.u32 %r2, 3;\n"
           "mov.u64 %rd2, 1;\n{\n.param .b64 p0;\nst.param.b64 [p0], %rd1;\n.param .b64 p1;\n"
           "st.param.b64 [p1], %rd1;\n.param .b32 p2;\nst.param.b32 [p2], %r2;\n.param .b64 p3;\n"
           "st.param.b64 [p3], %rd1;\n.param .b64 p4;\nst.param.b64 [p4], %rd2;\n"
           "call.uni __assertfail, (p0, p1, p2, p3, p4);\n}\nL:\n";
  };
  EXPECT_EQ(first(findings(body("32"), {1, 1, 1}, {32, 1, 1}, 4, module_level)), Status::pass);
  const auto found = findings(body("31"), {1, 1, 1}, {32, 1, 1}, 4, module_level);
  ASSERT_EQ(first(found), Status::trapped);
  EXPECT_NE(found[0].message.english().find("n > 0"), std::string::npos) << found[0].message;
}

TEST(Faults, StackOverflowNamesTheCallThatRecurses) {
  const auto function = [](const std::string& limit) {
    return ".file 1 \"k.cu\"\n.visible .func f(.param .b32 n)\n{\n.reg .b32 %r<4>;\n.reg .pred %p<2>;\n"
           ".loc 1 4 0\nld.param.b32 %r1, [n];\nadd.s32 %r2, %r1, 1;\nsetp.ge.s32 %p1, %r2, " +
           limit +
           ";\n@%p1 bra L;\n.loc 1 5 0\n{\n.param .b32 q;\nst.param.b32 [q], %r2;\ncall.uni f, (q);\n}\n"
           "L:\nret;\n}\n";
  };
  const std::string body =
      ".loc 1 9 0\nmov.u32 %r1, 0;\n{\n.param .b32 q;\nst.param.b32 [q], %r1;\ncall.uni f, (q);\n}\n";
  EXPECT_EQ(first(findings(body, {1, 1, 1}, {32, 1, 1}, 4, function("100"))), Status::pass);
  const auto found = findings(body, {1, 1, 1}, {32, 1, 1}, 4, function("1000000"));
  ASSERT_EQ(first(found), Status::launch_failed);
  EXPECT_EQ(found[0].line, 5);
  EXPECT_NE(found[0].message.english().find("Stack overflow"), std::string::npos) << found[0].message;
}

/// Lanes that leave the table are gone, out of the function too that they were in; the others go on.
TEST(Faults, AnIndexedBranchThatLeavesItsTableIsTheOnlyFault) {
  const auto found = findings(
      "mov.u32 %r1, %tid.x;\n{\n.param .b32 q;\nst.param.b32 [q], %r1;\ncall.uni f, (q);\n}\n", {1, 1, 1},
      {32, 1, 1}, 64,
      ".visible .func f(.param .b32 n)\n{\n.reg .b32 %r<4>;\nld.param.b32 %r1, [n];\nand.b32 %r2, %r1, 3;\n"
      "T: .branchtargets A, B, C;\nbrx.idx %r2, T;\nA:\nB:\nC:\nret;\n}\n");
  ASSERT_EQ(first(found), Status::launch_failed);
  EXPECT_NE(found[0].message.english().find("leaves its table"), std::string::npos) << found[0].message;
  EXPECT_EQ(found.size(), 1u) << found.back().message;
}

TEST(Faults, MoreLocalMemoryThanAGpuHas) {
  const auto body = [](const std::string& bytes) {
    return ".local .align 4 .b8 big[" + bytes +
           "];\nmov.u64 %rd3, big;\nst.local.u32 [%rd3], 1;\nld.local.u32 %r1, [%rd3];\n";
  };
  EXPECT_EQ(first(findings(body("524288"), {1, 1, 1}, {32, 1, 1})), Status::pass);
  for (const char* bytes : {"524292", "4000000000", "8000000000"}) {
    const auto found = findings(body(bytes), {1, 1, 1}, {32, 1, 1});
    ASSERT_EQ(first(found), Status::launch_failed) << bytes;
    EXPECT_NE(found[0].message.english().find("local memory"), std::string::npos) << found[0].message;
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Faults, BlocksThatThisMachineHasNoMemoryFor) {
  Emulated emulated(kernel_text(
      "u64 x", ".local .align 4 .b8 big[400000];\nmov.u64 %rd3, big;\nst.local.u32 [%rd3], 1;\n"));
  const Address x = emulated.buffer(std::vector<std::uint32_t>(32, 7), "x");
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit less = before;
  less.rlim_cur = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (64u << 20);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &less), 0);
  emulated.options.threads = 2;
  const auto found = emulated.run("k", {4, 1, 1}, {1024, 1, 1}, {argument(x)}).findings;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  ASSERT_EQ(first(found), Status::out_of_memory);
  EXPECT_EQ(first(emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(x)}).findings), Status::pass)
      << "the device works on";
}
#endif

TEST(Faults, ReadsThatFailGiveZeroAndTheKernelGoesOn) {
  Emulated emulated(kernel_text(
      "u64 x", std::string(kOwnWord) + "ld.global.u32 %r2, [%rd2+128];\nst.global.u32 [%rd2], %r2;\n"));
  const Address x = emulated.buffer(std::vector<std::uint32_t>(32, 7), "x");
  EXPECT_EQ(first(emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(x)}).findings), Status::out_of_bounds);
  EXPECT_EQ(emulated.read<std::uint32_t>(x, 32), std::vector<std::uint32_t>(32, 0));
}

}  // namespace
}  // namespace ridge::device
