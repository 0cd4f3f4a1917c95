// SPDX-License-Identifier: GPL-3.0-or-later
// Forms of PTX that compilers emit seldom and inline assembly often: what they compute.
#include "support/emulated.h"

namespace ridge::device {
namespace {

/// Runs a body that stores to the words at [%rd1] on one thread, and gives the first ones.
std::vector<std::uint32_t> words(const std::string& body, std::size_t count,
                                 const std::string& module_level = "", Extent cluster = {1, 1, 1}) {
  Emulated emulated(kernel_text("u64 x", "ld.param.u64 %rd1, [x];\n" + body, module_level));
  EXPECT_EQ(emulated.load_error.message, "") << body;
  std::vector<std::uint32_t> initial(16);
  for (std::size_t k = 0; k < initial.size(); ++k) initial[k] = 100 + static_cast<std::uint32_t>(k);
  const Address x = emulated.buffer(initial, "x");
  emulated.cluster = cluster;
  const LaunchOutcome outcome = emulated.run("k", cluster, {1, 1, 1}, {argument(x)});
  for (const hardware::Finding& finding : outcome.findings) ADD_FAILURE() << finding.message;
  return emulated.read<std::uint32_t>(x, count);
}
Error fault(const std::string& body) {
  return Emulated(kernel_text("u64 x", body)).load_error;
}
using Words = std::vector<std::uint32_t>;

TEST(Language, LoopsOfTwoSiblingBlocksHaveLabelsOfTheSameName) {
  // The shape of a wait for a barrier that is inlined twice.
  const std::string wait =
      "{\n.reg .pred P1;\nAGAIN:\nadd.u32 %r1, %r1, 1;\nsetp.ge.u32 P1, %r1, %r2;\n@P1 bra DONE;\nbra "
      "AGAIN;\nDONE:\n}\n";
  EXPECT_EQ(
      words("mov.u32 %r1, 0;\nmov.u32 %r2, 5;\n" + wait + "st.global.u32 [%rd1], %r1;\nmov.u32 %r2, 9;\n" +
                wait + "st.global.u32 [%rd1+4], %r1;\n",
            2),
      (Words{5, 9}));
}

TEST(Language, ABranchIntoABlockIsRefusedWithItsLine) {
  const Error error = fault(".loc 1 30 0\nbra INSIDE;\n{ INSIDE: mov.u32 %r1, 1; }\n");
  EXPECT_EQ(error.code, "ptx_syntax");
  EXPECT_EQ(error.line, 30);
  EXPECT_NE(error.message.english().find("label INSIDE is not defined"), std::string::npos) << error.message;
}

TEST(Language, JoinedDirectivesDeclareTheSame) {
  EXPECT_EQ(
      words(
          "{.reg.b32 f;.local.align 4 .b8 own[4];mov.b32 f,7;st.local.u32 [own],f;ld.local.u32 %r1,[own];}\n"
          "st.global.u32 [%rd1],%r1;",
          1),
      (Words{7}));
}

TEST(Language, VariablesOfABlockKeepTheirNamesInFindings) {
  Emulated emulated(kernel_text(
      "u64 x", "{\n.shared .align 4 .b8 tile[64];\nmov.u32 %r1, tile;\nst.shared.u32 [%r1+64], 1;\n}\n"));
  const auto found =
      emulated.run("k", {1, 1, 1}, {1, 1, 1}, {argument(emulated.buffer(std::vector<int>(4), "x"))}).findings;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].status, hardware::Status::out_of_bounds);
  EXPECT_NE(found[0].message.english().find("tile"), std::string::npos) << found[0].message;
  EXPECT_EQ(found[0].message.english().find('#'), std::string::npos) << found[0].message;
}

TEST(Language, VectorRegistersLoadMoveAndStore) {
  EXPECT_EQ(
      words(".reg .v4 .b32 v, w;\n.reg .v2 .b32 half;\nld.global.v4.b32 v, [%rd1];\nmov.v4.b32 w, "
            "{v.w, v.z, v.y, v.x};\nadd.u32 w.r, w.r, 1000;\nst.global.v4.b32 [%rd1], w;\nmov.b32 half.x, "
            "5;\nmov.b32 half.y, 6;\nmov.b64 %rd2, half;\nst.global.b64 [%rd1+16], %rd2;\n",
            6),
      (Words{1103, 102, 101, 100, 5, 6}));
}

TEST(Language, VectorMovesTakePlaceAtOnce) {
  EXPECT_EQ(words(".reg .v2 .b32 v;\nld.global.v2.b32 v, [%rd1];\nmov.v2.b32 v, {v.y, v.x};\n"
                  "st.global.v2.b32 [%rd1], v;\n",
                  2),
            (Words{101, 100}));
}

TEST(Language, RegistersOf128Bits) {
  const std::string halves = ".reg .b128 x, y;\nld.global.b128 x, [%rd1];\n";
  EXPECT_EQ(
      words(halves + "mov.b128 {%rd2, %rd3}, x;\nmov.b128 y, {%rd3, %rd2};\nst.global.b128 [%rd1+16], y;\n"
                     "mov.b128 y, x;\nst.global.b128 [%rd1+32], y;\n",
            12),
      (Words{100, 101, 102, 103, 102, 103, 100, 101, 100, 101, 102, 103}));
  EXPECT_EQ(words(halves + "mov.b128 {%r1, %r2, %r3, _}, x;\nmov.b128 y, {%r3, %r2, %r1, %r1};\n"
                           "st.relaxed.gpu.global.b128 [%rd1], y;\n",
                  4),
            (Words{102, 101, 100, 100}));
  // One access of 16 bytes: it must be aligned to them.
  Emulated emulated(kernel_text("u64 x",
                                ".reg .b128 y;\nld.param.u64 %rd1, [x];\nld.global.b128 y, [%rd1+8];\n"
                                "mov.b128 {%rd2, %rd3}, y;\nst.global.b64 [%rd1], %rd2;\n"));
  const Address x = emulated.buffer(std::vector<std::uint32_t>(16, 1), "x");
  const auto found = emulated.run("k", {1, 1, 1}, {1, 1, 1}, {argument(x)}).findings;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].status, hardware::Status::misaligned);
  EXPECT_NE(fault(halves + "mov.b128 {%r1, %r2, %r3}, x;\n").message.english().find("number of elements"),
            std::string::npos);
}

TEST(Language, Lop3ComparesItsResult) {
  // d = a & b; p = (d != 0) or q.
  const auto test = [](const std::string& combine, int a, int q, const std::string& target = "%r4") {
    return words(
        "mov.u32 %r1, " + std::to_string(a) + ";\nmov.u32 %r2, 6;\nmov.u32 %r3, " + std::to_string(q) +
            ";\nsetp.ne.u32 %p1, %r3, 0;\nmov.u32 %r4, 77;\nlop3." + combine + ".b32 " + target +
            "|%p2, %r1, %r2, 0, 0xc0, %p1;\nselp.u32 %r5, 1, 0, %p2;\nst.global.v2.u32 [%rd1], {%r4, "
            "%r5};\n",
        2);
  };
  EXPECT_EQ(test("or", 3, 0), (Words{2, 1}));
  EXPECT_EQ(test("or", 1, 0), (Words{0, 0}));
  EXPECT_EQ(test("or", 1, 1), (Words{0, 1}));
  EXPECT_EQ(test("and", 3, 1), (Words{2, 1}));
  EXPECT_EQ(test("and", 3, 0), (Words{2, 0}));
  EXPECT_EQ(test("and", 1, 1), (Words{0, 0}));
  EXPECT_EQ(test("or", 3, 0, "_"), (Words{77, 1}));
  EXPECT_EQ(words("mov.u32 %r1, 3;\nsetp.eq.u32 %p1, %r1, 3;\nlop3.or.b32 _|%p2, 0, 0, 0, 0xc0, !%p1;\n"
                  "selp.u32 %r5, 1, 0, %p2;\nst.global.u32 [%rd1], %r5;\n",
                  1),
            (Words{0}));
  EXPECT_EQ(fault("lop3.b32 %r1, %r2, %r3, %r4, %r5;\n").code, "ptx_syntax");
  EXPECT_EQ(fault("lop3.or.b32 %r1, %r2, %r3, %r4, 1;\n").code, "ptx_syntax");
}

TEST(Language, SpecialRegistersOfLaunches) {
  const std::string body =
      "mov.pred %p1, %is_explicit_cluster;\nselp.u32 %r1, 1, 0, %p1;\nmov.u64 %rd2, %current_graph_exec;\n"
      "cvt.u32.u64 %r2, %rd2;\nmov.u32 %r3, %cluster_ctarank;\nsetp.ne.u32 %p2, %r3, 0;\n@%p2 ret;\n"
      "st.global.v2.u32 [%rd1], {%r1, %r2};\n";
  EXPECT_EQ(words(body, 2), (Words{0, 0}));
  EXPECT_EQ(words(body, 2, "", {2, 1, 1}), (Words{1, 0}));
}

TEST(Language, CachePoliciesChangeNothing) {
  const std::string policy = "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd2, 0.5;\n";
  EXPECT_EQ(words(policy + "ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd2;\nadd.u32 %r1, %r1, 1;\n"
                           "st.global.L2::cache_hint.u32 [%rd1+4], %r1, %rd2;\n"
                           "atom.global.add.L2::cache_hint.u32 %r2, [%rd1], 7, %rd2;\n"
                           "red.global.add.L2::cache_hint.u32 [%rd1], 8, %rd2;\n"
                           "atom.global.cas.L2::cache_hint.b32 %r3, [%rd1+8], 102, 9, %rd2;\n"
                           "st.global.v2.u32 [%rd1+16], {%r2, %r3};\n",
                  6),
            (Words{115, 101, 9, 103, 100, 102}));
  EXPECT_EQ(
      words("createpolicy.fractional.L2::evict_first.b64 %rd2;\n"
            "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd3, [%rd1], 0x100, 0x200;\n"
            "createpolicy.cvt.L2.b64 %rd4, %rd2;\nld.global.L2::cache_hint.v2.u32 {%r1, %r2}, [%rd1], %rd4;\n"
            "st.global.v2.u32 [%rd1+8], {%r1, %r2};\n",
            4),
      (Words{100, 101, 100, 101}));
  for (const char* wrong :
       {"ld.global.L2::cache_hint.u32 %r1, [%rd1], %r2;\n", "ld.global.L2::cache_hint.u32 %r1, [%rd1];\n",
        "ld.global.L2::cache_hint.u32;\n", "atom.global.add.L2::cache_hint.u32 %r2, [%rd1], 7;\n"})
    EXPECT_EQ(fault(wrong).code, "ptx_syntax") << wrong;
  EXPECT_EQ(fault("createpolicy.fractional.L3::evict_last.b64 %rd2;\n").code, "unsupported");
}

TEST(Language, FencesOfTensorMaps) {
  EXPECT_EQ(
      words("fence.proxy.tensormap::generic.release.gpu;\nfence.proxy.tensormap::generic.acquire.sys [%rd1], "
            "128;\nst.global.u32 [%rd1], 3;\n",
            1),
      (Words{3}));
}

TEST(Language, AllocaGivesEveryThreadMemoryOfItsOwn) {
  // Each of 64 threads takes as many words as it has a number, twice, and fills them; then frees the second
  // ones.
  Emulated emulated(kernel_text(
      "u64 x",
      "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 1;\nmul.wide.u32 %rd2, %r2, 4;\n"
      "alloca.u64 %rd3, %rd2, 16;\nstacksave.u64 %rd4;\nalloca.u64 %rd5, %rd2;\nmov.u32 %r3, 0;\n"
      "FILL:\nmul.wide.u32 %rd6, %r3, 4;\nadd.u64 %rd7, %rd3, %rd6;\nst.local.u32 [%rd7], %r1;\n"
      "add.u64 %rd7, %rd5, %rd6;\ncvta.local.u64 %rd7, %rd7;\nst.u32 [%rd7], %r3;\nadd.u32 %r3, %r3, 1;\n"
      "setp.lt.u32 %p1, %r3, %r2;\n@%p1 bra FILL;\n"
      "mov.u32 %r3, 0;\nmov.u32 %r4, 0;\n"
      "SUM:\nmul.wide.u32 %rd6, %r3, 4;\nadd.u64 %rd7, %rd3, %rd6;\nld.local.u32 %r5, [%rd7];\n"
      "add.u64 %rd7, %rd5, %rd6;\nld.local.u32 %r6, [%rd7];\nadd.u32 %r4, %r4, %r5;\nadd.u32 %r4, %r4, %r6;\n"
      "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, %r2;\n@%p1 bra SUM;\n"
      // The memory given back is given again.
      "stackrestore.u64 %rd4;\nalloca.u64 %rd8, %rd2;\nsetp.eq.u64 %p2, %rd8, %rd5;\nand.b64 %rd9, %rd3, "
      "15;\n"
      "setp.eq.and.u64 %p2, %rd9, 0, %p2;\nselp.u32 %r4, %r4, 0, %p2;\nmul.wide.u32 %rd6, %r1, 4;\n"
      "add.u64 %rd1, %rd1, %rd6;\nst.global.u32 [%rd1], %r4;\n"));
  EXPECT_EQ(emulated.load_error.message, "");
  const Address x = emulated.buffer(std::vector<std::uint32_t>(64, 0), "x");
  const LaunchOutcome outcome = emulated.run("k", {2, 1, 1}, {64, 1, 1}, {argument(x)});
  for (const hardware::Finding& finding : outcome.findings)
    EXPECT_EQ(finding.status, hardware::Status::race) << finding.message;  // both blocks write the same
  std::vector<std::uint32_t> expected;
  for (std::uint32_t t = 0; t < 64; ++t) expected.push_back(t * (t + 1) + t * (t + 1) / 2);
  EXPECT_EQ(emulated.read<std::uint32_t>(x, 64), expected);
}

TEST(Language, WhatAFunctionAllocatesIsFreedWhenItReturns) {
  const std::string function =
      ".func f(.param .b64 bytes)\n{\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [bytes];\nalloca.u64 %rd2, %rd1, "
      "8;\n"
      "st.local.u32 [%rd2], 1;\nret;\n}\n";
  // 4096 times 1024 bytes would not fit.
  EXPECT_EQ(
      words("mov.u64 %rd2, 1024;\nmov.u32 %r1, 0;\nAGAIN:\n{\n.param .b64 bytes;\nst.param.b64 [bytes], "
            "%rd2;\ncall f, (bytes);\n}\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 4096;\n@%p1 bra "
            "AGAIN;\nst.global.u32 [%rd1], %r1;\n",
            1, function),
      (Words{4096}));
}

TEST(Language, AllocaBeyondTheStackIsAFault) {
  Emulated emulated(
      kernel_text("u64 x",
                  ".loc 1 12 0\nmov.u64 %rd2, 256;\nAGAIN:\n.loc 1 13 0\nalloca.u64 %rd3, %rd2;\nbra "
                  "AGAIN;\n",
                  ".file 1 \"k.cu\""));
  const Address x = emulated.buffer(std::vector<std::uint32_t>(4, 0), "x");
  const auto found = emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(x)}).findings;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].status, hardware::Status::launch_failed);
  EXPECT_EQ(found[0].line, 13);
  EXPECT_NE(found[0].message.english().find("alloca asks for 256 bytes"), std::string::npos)
      << found[0].message;
  EXPECT_EQ(fault("alloca.u64 %rd1, 16, 3;\n").code, "ptx_syntax");
}

}  // namespace
}  // namespace ridge::device
