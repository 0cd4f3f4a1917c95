// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of tensor operations, each beside its correct twin.
#include "support/emulated.h"

namespace ridge::device {
namespace {

using hardware::Finding;
using hardware::Status;

std::vector<Finding> findings(const std::string& body, std::int64_t threads = 32, std::size_t words = 4096,
                              const std::string& module_level = "") {
  Emulated emulated(kernel_text("u64 x", body, ".file 1 \"k.cu\"\n" + module_level));
  EXPECT_EQ(emulated.load_error.message, "");
  const Address x = emulated.buffer(std::vector<std::uint32_t>(words, 0), "x");
  return emulated.run("k", {1, 1, 1}, {threads, 1, 1}, {argument(x)}).findings;
}
Status first(const std::vector<Finding>& found) {
  return found.empty() ? Status::pass : found[0].status;
}
std::string told(const std::vector<Finding>& found) {
  std::string text;
  for (const Finding& finding : found) text += finding.message.english() + "\n";
  return text;
}

constexpr const char* kMma =
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r3, %r4}, {%r5}, {%f1, %f2, "
    "%f3, "
    "%f4};\n";

TEST(TensorFaults, AProductNeedsTheWholeWarp) {
  const auto body = [](int lanes) {
    return "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, " + std::to_string(lanes) +
           ";\n@%p1 bra END;\n.loc 1 21 0\n" + kMma + "END:\n";
  };
  EXPECT_EQ(first(findings(body(32))), Status::pass);
  const auto found = findings(body(16));
  ASSERT_EQ(first(found), Status::barrier_divergence);
  EXPECT_EQ(found[0].line, 21);
  EXPECT_NE(found[0].message.english().find("mma.sync"), std::string::npos) << found[0].message;
}

TEST(TensorFaults, APartialWarpIsNoWarp) {
  EXPECT_EQ(first(findings(kMma, 64)), Status::pass);
  const auto found = findings(kMma, 48);
  ASSERT_EQ(first(found), Status::barrier_divergence);
  EXPECT_NE(found[0].message.english().find("only 16 threads"), std::string::npos) << found[0].message;
}

TEST(TensorFaults, LanesThatArriveLaterAreWaitedFor) {
  // Both sides of a branch come to the same product.
  EXPECT_EQ(
      first(findings("mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 7;\n@%p1 bra LATE;\nmov.u32 %r3, 1;\nbra "
                     "JOINT;\nLATE:\nmov.u32 %r3, 2;\nJOINT:\n" +
                     std::string(kMma))),
      Status::pass);
}

std::string ldmatrix(const std::string& address, const std::string& before = "") {
  return before +
         "mov.u32 %r1, %tid.x;\nmov.u32 %r2, s;\nshl.b32 %r3, %r1, 4;\nadd.s32 %r2, %r2, %r3;\n"
         "mov.u32 %r4, 0;\nst.shared.v4.u32 [%r2], {%r4, %r4, %r4, %r4};\nbar.warp.sync 0xffffffff;\n.loc 1 "
         "30 0\n"
         "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [" +
         address + "];\n";
}
constexpr const char* kShared = ".shared .align 16 .b8 s[512];";

TEST(TensorFaults, RowsOfLdmatrixAreAlignedAndInside) {
  EXPECT_EQ(first(findings(ldmatrix("%r2"), 32, 64, kShared)), Status::pass);
  const auto misaligned = findings(ldmatrix("%r2+8"), 32, 64, kShared);
  ASSERT_EQ(misaligned.size(), 2u) << told(misaligned);  // the last row lies outside, too
  EXPECT_EQ(misaligned[0].line, 30);
  EXPECT_TRUE(std::any_of(misaligned.begin(), misaligned.end(),
                          [](const Finding& finding) { return finding.status == Status::misaligned; }));
  const auto outside = findings(ldmatrix("%r2+16"), 32, 64, kShared);
  ASSERT_EQ(outside.size(), 1u) << told(outside);
  EXPECT_EQ(outside[0].status, Status::out_of_bounds);
  EXPECT_EQ(outside[0].line, 30);
  EXPECT_EQ(outside[0].thread, (std::array<std::int64_t, 3>{31, 0, 0}));
}

TEST(TensorFaults, LdmatrixOfWhatNobodyWroteIsUninitialised) {
  EXPECT_EQ(first(findings("mov.u32 %r2, s;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r2];\n", 32,
                           64, kShared)),
            Status::uninitialised);
}

TEST(TensorFaults, LdmatrixRacesWithAStoreOfAnotherWarp) {
  const auto body = [](const std::string& between) {
    return "mov.u32 %r1, %tid.x;\nmov.u32 %r2, s;\nshl.b32 %r3, %r1, 4;\nadd.s32 %r3, %r2, %r3;\n"
           "st.shared.v4.u32 [%r3], {%r1, %r1, %r1, %r1};\n" +
           between + "mov.u32 %r4, %laneid;\nshl.b32 %r4, %r4, 5;\nadd.s32 %r4, %r4, %r2;\n" +
           "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r4];\n";
  };
  const std::string shared = ".shared .align 16 .b8 s[1024];";
  EXPECT_EQ(first(findings(body("bar.sync 0;\n"), 64, 64, shared)), Status::pass);
  EXPECT_EQ(first(findings(body(""), 64, 64, shared)), Status::race);
}

TEST(TensorFaults, FragmentsLieInsideTheirBuffer) {
  const auto body = [](int stride) {
    return "ld.param.u64 %rd1, [x];\n.loc 1 44 0\nwmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, "
           "%r2, %r3, %r4, "
           "%r5, %r6, %r7, %r8}, [%rd1], " +
           std::to_string(stride) + ";\n";
  };
  EXPECT_EQ(first(findings(body(16), 32, 128)), Status::pass);
  const auto found = findings(body(24), 32, 128);
  ASSERT_EQ(first(found), Status::out_of_bounds);
  EXPECT_EQ(found[0].line, 44);
  EXPECT_NE(found[0].message.english().find("of x"), std::string::npos) << found[0].message;
}

TEST(TensorFaults, WhatMakesNoSenseIsRefused) {
  for (const char* instruction :
       {"mma", "wmma.load", "wgmma", "movmatrix.sync.aligned.m8n8.b16 %r1, %r2",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4}",
        "mma.sync.aligned.m16n8k9.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, "
        "%f2, %f3, %f4}",
        "mma.sync.aligned.m16n8k8.row.col.f64.f16.f16.f32 {%fd1, %fd2}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, "
        "%f4}",
        "wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {%r1}, [%rd1], 32",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {}, [%rd1], 16",
        "wmma.load.c.sync.aligned.row.m99999999999n99999999999k16.global.f32 {%f1}, [%rd1], 16",
        "wmma.store.a.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1}, 16",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1}, [%r2]",
        "ldmatrix.sync.aligned.m8n8.x8.shared.b16 {%r1}, [%r2]",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r1, %r2", "wgmma.wait_group.sync.aligned %r1",
        "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1"}) {
    const Emulated emulated(kernel_text("u64 x", std::string(instruction) + ";\n"));
    EXPECT_NE(emulated.load_error.message, "") << instruction;
  }
}

/// One wgmma of zeros on shared memory that all threads have filled.
std::string wgmma(const std::string& descriptor_b, const std::string& fence, const std::string& wait) {
  return "mov.u32 %r1, %tid.x;\nmov.u64 %rd1, s;\nmul.wide.u32 %rd2, %r1, 64;\nadd.s64 %rd1, %rd1, "
         "%rd2;\nmov.u32 %r2, "
         "0;\nst.shared.v4.u32 [%rd1], {%r2, %r2, %r2, %r2};\nst.shared.v4.u32 [%rd1+16], {%r2, %r2, %r2, "
         "%r2};\n"
         "st.shared.v4.u32 [%rd1+32], {%r2, %r2, %r2, %r2};\nst.shared.v4.u32 [%rd1+48], {%r2, %r2, %r2, "
         "%r2};\n"
         "fence.proxy.async;\nbar.sync 0;\nmov.u64 %rd3, 0x0000000800080000;\nmov.u64 %rd4, " +
         descriptor_b + ";\nsetp.eq.u32 %p2, 0, 0;\n" + fence +
         ".loc 1 50 0\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd3, %rd4, "
         "%p2, 1, 1, 0, "
         "0;\nwgmma.commit_group.sync.aligned;\n" +
         wait;
}
constexpr const char* kFence = "wgmma.fence.sync.aligned;\n";
constexpr const char* kWait = "wgmma.wait_group.sync.aligned 0;\n";
constexpr const char* kTile = ".shared .align 1024 .b8 s[8192];";
constexpr const char* kDescriptor = "0x0000000800080100";

TEST(TensorFaults, WgmmaIsFencedAndWaitedFor) {
  EXPECT_EQ(told(findings(wgmma(kDescriptor, kFence, kWait), 128, 64, kTile)), "");
  const auto unfenced = findings(wgmma(kDescriptor, "", kWait), 128, 64, kTile);
  ASSERT_EQ(first(unfenced), Status::race);
  EXPECT_EQ(unfenced[0].line, 50);
  const auto forgotten = findings(wgmma(kDescriptor, kFence, ""), 128, 64, kTile);
  ASSERT_EQ(first(forgotten), Status::race);
  EXPECT_NE(forgotten[0].message.english().find("wait_group"), std::string::npos);
}

TEST(TensorFaults, OrdinaryStoresReachWgmmaBehindAProxyFence) {
  std::string body = wgmma(kDescriptor, kFence, kWait);
  const std::string fence = "fence.proxy.async;\n";
  body.erase(body.find(fence), fence.size());
  const auto found = findings(body, 128, 64, kTile);
  ASSERT_EQ(first(found), Status::race);
  EXPECT_EQ(found[0].line, 50);
  EXPECT_NE(found[0].message.english().find("fence.proxy.async"), std::string::npos) << found[0].message;
}

TEST(TensorFaults, OperandsOfWgmmaMustNotChangeBeforeItsWait) {
  const std::string store = "bar.sync 0;\nst.shared.u32 [%rd1], %r2;\n";
  EXPECT_EQ(told(findings(wgmma(kDescriptor, kFence, kWait + store), 128, 64, kTile)), "");
  const auto found = findings(wgmma(kDescriptor, kFence, store + kWait), 128, 64, kTile);
  ASSERT_EQ(first(found), Status::race);
  EXPECT_EQ(found[0].line, 50);
  EXPECT_NE(found[0].message.english().find("overwritten"), std::string::npos) << found[0].message;
}

TEST(TensorFaults, DescriptorsPointIntoSharedMemoryAndHaveNoStrayBits) {
  const auto outside = findings(wgmma("0x0000000800080800", kFence, kWait), 128, 64, kTile);  // byte 32768
  ASSERT_EQ(first(outside), Status::out_of_bounds);
  EXPECT_EQ(outside[0].line, 50);
  const auto unshifted = findings(wgmma("0x000000080008c100", kFence, kWait), 128, 64, kTile);
  ASSERT_EQ(first(unshifted), Status::launch_failed);
  EXPECT_EQ(unshifted[0].line, 50);
}

TEST(TensorFaults, WgmmaNeedsAWarpgroup) {
  const auto found = findings(wgmma(kDescriptor, kFence, kWait), 96, 64, kTile);
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const Finding& finding) {
    return finding.status == Status::barrier_divergence &&
           finding.message.english().find("warpgroup") != std::string::npos;
  })) << told(found);
}

}  // namespace
}  // namespace ridge::device
