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
      words("{.reg.b32 f;.local.align 4.b8 own[4];mov.b32 f,7;st.local.u32 [own],f;ld.local.u32 %r1,[own];}\n"
            "st.global.u32 [%rd1],%r1;",
            1),
      (Words{7}));
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
                           "st.global.v2.u32 [%rd1+12], {%r2, %r3};\n",
                  5),
            (Words{115, 101, 9, 100, 102}));
  EXPECT_EQ(
      words("createpolicy.fractional.L2::evict_first.b64 %rd2;\n"
            "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd3, [%rd1], 0x100, 0x200;\n"
            "createpolicy.cvt.L2.b64 %rd4, %rd2;\nld.global.L2::cache_hint.v2.u32 {%r1, %r2}, [%rd1], %rd4;\n"
            "st.global.v2.u32 [%rd1+8], {%r1, %r2};\n",
            4),
      (Words{100, 101, 100, 101}));
  EXPECT_EQ(fault("ld.global.L2::cache_hint.u32 %r1, [%rd1], %r2;\n").code, "ptx_syntax");
  EXPECT_EQ(fault("createpolicy.fractional.L3::evict_last.b64 %rd2;\n").code, "unsupported");
}

TEST(Language, FencesOfTensorMaps) {
  EXPECT_EQ(
      words("fence.proxy.tensormap::generic.release.gpu;\nfence.proxy.tensormap::generic.acquire.sys [%rd1], "
            "128;\nst.global.u32 [%rd1], 3;\n",
            1),
      (Words{3}));
}

}  // namespace
}  // namespace ridge::device
