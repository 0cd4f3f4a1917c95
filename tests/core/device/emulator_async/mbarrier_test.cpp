// SPDX-License-Identifier: GPL-3.0-or-later
// mbarriers against a model that is written from the ISA's words: pending arrivals, expected arrivals and
// transactions; a phase completes when the first and the last are zero.
#include <random>

#include "async_fixture.h"

namespace ridge::device {
namespace {

using hardware::Status;

constexpr const char* kWordsAndBarrier = ".shared .align 16 .b8 s[1024];\n.shared .align 8 .b64 bar;";

/// The ISA's rules, for one thread.
struct Model {
  std::uint32_t expected, pending, phases = 0;
  std::int64_t transactions = 0;

  explicit Model(std::uint32_t count) : expected(count), pending(count) {}
  void test() {
    if (pending != 0 || transactions != 0) return;
    ++phases;
    pending = expected;
  }
  void arrive(std::uint32_t count) {
    pending -= count;
    test();
  }
};

TEST(Mbarrier, RandomSequencesFollowTheModel) {
  std::mt19937 engine(7);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int round = 0; round < 24; ++round) {
    const std::uint32_t count = 2 + random() % 6;
    Model model(count);
    std::string body =
        "mov.u32 %r2, bar;\nmbarrier.init.shared::cta.b64 [%r2], " + std::to_string(count) + ";\n";
    Words wanted;
    for (int step = 0; step < 30; ++step) {
      const std::string space = random() % 2 != 0 ? ".shared.b64" : ".shared::cta.b64";
      // Once all have arrived, only bytes can end the phase.
      const std::uint32_t one = model.pending == 0 ? 0 : 1 + random() % model.pending;
      switch (model.pending == 0 ? 3 : random() % 6) {
        case 0:
          body += "mbarrier.arrive" + space + " %rd6, [%r2];\nmbarrier.pending_count.b64 %r4, %rd6;\n";
          wanted.push_back(model.pending);
          model.arrive(1);
          break;
        case 1:
          body += "mbarrier.arrive" + space + " %rd6, [%r2], " + std::to_string(one) +
                  ";\nmbarrier.pending_count.b64 %r4, %rd6;\n";
          wanted.push_back(model.pending);
          model.arrive(one);
          break;
        case 2: {
          body += "mbarrier.expect_tx.relaxed.cta" + space + " [%r2], 64;\nmov.u32 %r4, 1;\n";
          wanted.push_back(1);
          model.transactions += 64;
          break;
        }
        case 3:
          body += "mbarrier.complete_tx.relaxed.cta" + space + " [%r2], 64;\nmov.u32 %r4, 2;\n";
          wanted.push_back(2);
          model.transactions -= 64;
          model.test();
          break;
        case 4:
          body += "mbarrier.arrive.expect_tx" + space +
                  " %rd6, [%r2], 64;\nmbarrier.pending_count.b64 %r4, %rd6;\n";
          wanted.push_back(model.pending);
          model.transactions += 64;
          model.arrive(1);
          break;
        default: {
          const std::uint32_t parity = random() % 2;
          body += "mbarrier.test_wait.parity" + space + " %p1, [%r2], " + std::to_string(parity) +
                  ";\nselp.u32 %r4, 1, 0, %p1;\n";
          // Complete when the phase of this parity is not the running one.
          wanted.push_back(model.phases % 2 != parity ? 1 : 0);
          break;
        }
      }
      body += "st.global.u32 [%rd2+" + std::to_string(4 * step) + "], %r4;\n";
    }
    Shape shape;
    shape.block = {1, 1, 1};
    const Ran ran = run_async(body, shape, kWordsAndBarrier);
    EXPECT_EQ(ran.message(), "") << body;
    EXPECT_EQ(Words(ran.y.begin(), ran.y.begin() + 30), wanted) << body;
  }
}

TEST(Mbarrier, DroppedArrivalsAreNotExpectedAnyMore) {
  // 3 arrivals; one thread of them leaves for good, so that the next phase takes 2.
  const Ran ran = run_async(
      "mov.u32 %r2, bar;\nmbarrier.init.shared.b64 [%r2], 3;\nmbarrier.arrive_drop.shared.b64 %rd6, [%r2];\n"
      "mbarrier.arrive.shared.b64 %rd7, [%r2], 2;\nmbarrier.test_wait.shared.b64 %p1, [%r2], %rd7;\n"
      "mbarrier.arrive.shared.b64 %rd8, [%r2], 2;\nmbarrier.test_wait.shared.b64 %p2, [%r2], %rd8;\n"
      "selp.u32 %r4, 1, 0, %p1;\nselp.u32 %r5, 1, 0, %p2;\nst.global.u32 [%rd2], %r4;\nst.global.u32 "
      "[%rd2+4], "
      "%r5;\n",
      {{1, 1, 1}, {1, 1, 1}}, kWordsAndBarrier);
  EXPECT_EQ(ran.message(), "");
  EXPECT_EQ(ran.y[0], 1u);
  EXPECT_EQ(ran.y[1], 1u);
}

std::string wait_loop(const std::string& parity, const std::string& label = "W") {
  return label + ":\nmbarrier.try_wait.parity.shared::cta.b64 %p5, [%r2], " + parity + ";\n@!%p5 bra " +
         label + ";\n";
}
const std::string kInit =
    "mov.u32 %r2, bar;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared::cta.b64 [%r2], 64;\nbar.sync "
    "0;\n"
    "mov.u32 %r6, s;\nshl.b32 %r3, %r1, 2;\nadd.s32 %r3, %r3, %r6;\nsub.s32 %r7, 63, %r1;\nshl.b32 %r7, %r7, "
    "2;\n"
    "add.s32 %r7, %r7, %r6;\n";

TEST(Mbarrier, WarpsMeetAndSeeWhatTheOthersWrote) {
  Shape shape;
  shape.block = {64, 1, 1};
  const std::string write =
      kInit + "st.shared.u32 [%r3], %r1;\nmbarrier.arrive.shared::cta.b64 %rd6, [%r2];\n";
  const std::string read = "ld.shared.u32 %r4, [%r7];\nst.global.u32 [%rd4], %r4;\n";
  const Ran good = run_async(write + wait_loop("0") + read, shape, kWordsAndBarrier);
  EXPECT_EQ(good.message(), "");
  EXPECT_EQ(good.y[3], 60u);
  EXPECT_EQ(run_async(write + read, shape, kWordsAndBarrier).first(), Status::race);
  // The wrong phase: parity 1 counts as completed until parity 0 is, and then it never comes.
  EXPECT_EQ(run_async(write + wait_loop("1") + read, shape, kWordsAndBarrier).first(), Status::timeout);
}

TEST(Mbarrier, LanesOfOneWarpWaitForEachOther) {
  // Lane 0 arrives only behind a branch that the waiting lanes do not take.
  const std::string body =
      "mov.u32 %r2, bar;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [%r2], 1;\nbar.warp.sync "
      "-1;\n"
      "@%p1 bra A;\n" +
      wait_loop("0") +
      "bra E;\nA:\nmov.u32 %r8, 0;\nL:\nadd.s32 %r8, %r8, 1;\nsetp.lt.s32 %p3, "
      "%r8, 500;\n@%p3 bra L;\nmbarrier.arrive.shared.b64 %rd6, [%r2];\nE:\nst.global.u32 [%rd4], %r1;\n";
  const Ran ran = run_async(body, {}, kWordsAndBarrier);
  EXPECT_EQ(ran.message(), "");
  EXPECT_EQ(ran.y[31], 31u);
}

TEST(Mbarrier, AWaitThatNobodyAnswersSaysWhatIsMissing) {
  Shape shape;
  shape.block = {64, 1, 1};
  const Ran ran = run_async(kInit +
                                "setp.ge.s32 %p2, %r1, 32;\n@%p2 ret;\nmbarrier.arrive.shared::cta.b64 %rd6, "
                                "[%r2];\n" +
                                wait_loop("0"),
                            shape, kWordsAndBarrier);
  EXPECT_EQ(ran.first(), Status::timeout);
  EXPECT_NE(ran.message().find("lacks 32 of 64 arrivals"), std::string::npos) << ran.message();
}

/// 31 warps wait for what the first one computes, 20 times: the tests in vain alone would cost as much again.
TEST(Mbarrier, SuccessfulWaitsTakeNothingOffTheBudget) {
  Shape shape;
  shape.block = {1024, 1, 1};
  const Ran ran = run_async(
      "mov.u32 %r2, bar;\nsetp.eq.u32 %p1, %r1, 0;\nsetp.ge.u32 %p2, %r1, 32;\nmov.u32 %r5, 0;\n"
      "@%p1 mbarrier.init.shared.b64 [%r2], 1;\nbar.sync 0;\nROUND:\nand.b32 %r6, %r5, 1;\n"
      "mov.u32 %r7, 0;\n@%p2 bra W;\nL:\nadd.s32 %r7, %r7, 1;\nsetp.lt.u32 %p3, %r7, 50000;\n"
      "@%p3 bra L;\n@%p1 mbarrier.arrive.shared.b64 %rd6, [%r2];\nW:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r2], %r6;\n@!%p4 bra W;\nadd.s32 %r5, %r5, 1;\n"
      "setp.lt.u32 %p5, %r5, 20;\n@%p5 bra ROUND;\nst.global.u32 [%rd4], %r5;\n",
      shape, kWordsAndBarrier);
  EXPECT_EQ(ran.message(), "");
  EXPECT_EQ(ran.y[1023], 20u);
}

TEST(Mbarrier, Misuse) {
  const auto status = [](const std::string& body) {
    return run_async("mov.u32 %r2, bar;\n" + body, {{1, 1, 1}, {1, 1, 1}}, kWordsAndBarrier).first();
  };
  const std::string init = "mbarrier.init.shared.b64 [%r2], 1;\n",
                    arrive = "mbarrier.arrive.shared.b64 %rd6, [%r2]";
  EXPECT_EQ(status(init + arrive + ";\n"), Status::pass);
  EXPECT_EQ(status(arrive + ";\n"), Status::uninitialised);
  EXPECT_EQ(status(init + "mbarrier.inval.shared.b64 [%r2];\n" + arrive + ";\n"), Status::uninitialised);
  EXPECT_EQ(status(init + arrive + ", 2;\n"), Status::barrier_divergence);
  EXPECT_EQ(status("mbarrier.init.shared.b64 [%r2], 0;\n"), Status::launch_failed);
  EXPECT_EQ(status("mov.u32 %r3, s;\nmbarrier.init.shared.b64 [%r3+4], 1;\n"), Status::misaligned);
  EXPECT_EQ(status("mbarrier.init.shared.b64 [%r2+4096], 1;\n"), Status::out_of_bounds);
  EXPECT_EQ(status(init + "mbarrier.arrive.noComplete.shared.b64 %rd6, [%r2], 1;\n"),
            Status::barrier_divergence);
  EXPECT_EQ(
      status(init + "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r2], 1048575;\nmbarrier.expect_tx.relaxed."
                    "cta.shared.b64 [%r2], 1;\n"),
      Status::launch_failed);
}

TEST(Mbarrier, ArrivesWhenTheCopiesBeforeItAreDone) {
  Shape shape;
  shape.block = {64, 1, 1};
  for (const char* form : {".noinc", ""}) {
    const std::string arrive = std::string("cp.async.mbarrier.arrive") + form + ".shared.b64 [%r2];\n";
    // Without .noinc the arrival counts itself; another one must come.
    const std::string extra = *form == '\0' ? "mbarrier.arrive.shared.b64 %rd6, [%r2];\n" : "";
    const std::string body = kInit + "cp.async.ca.shared.global [%r3], [%rd3], 4;\n" + arrive + extra +
                             wait_loop("0") + "ld.shared.u32 %r4, [%r7];\nst.global.u32 [%rd4], %r4;\n";
    const Ran ran = run_async(body, shape, kWordsAndBarrier);
    EXPECT_EQ(ran.message(), "") << form;
    EXPECT_EQ(ran.y[1], 62u) << form;
  }
}

}  // namespace
}  // namespace ridge::device
