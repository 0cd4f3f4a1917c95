// SPDX-License-Identifier: GPL-3.0-or-later
// A thread followed through its launch.
#include <gmock/gmock.h>

#include <tuple>

#include "support/emulated.h"

namespace ridge::device {
namespace {

using testing::HasSubstr;

TraceRequest thread(std::int64_t block, std::int64_t number) {
  return {{block, 0, 0}, {number, 0, 0}, 2000};
}

/// Thread `number` followed through a block of a body whose parameter `out` is a buffer of 32 words.
struct Traced {
  Traced(const std::string& body, std::int64_t number, std::int64_t threads,
         const std::string& module_level = "")
      : emulated(kernel_text("u64 out", body, module_level)),
        out(emulated.buffer(std::vector<std::uint32_t>(32))) {
    emulated.options.trace = thread(0, number);
    LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {threads, 1, 1}, {argument(out)});
    EXPECT_TRUE(outcome.trace);
    if (outcome.trace) trace = std::move(*outcome.trace);
  }
  Emulated emulated;
  Address out;
  Trace trace;
};

const TraceStep* step_with(const Trace& trace, const std::string& text) {
  for (const TraceStep& step : trace.steps)
    if (step.instruction.find(text) != std::string::npos) return &step;
  return nullptr;
}
std::string value_of(const TraceStep& step, const std::string& name) {
  for (const TracedValue& value : step.values)
    if (value.name == name) return value.value;
  return "none";
}

TEST(EmulatorTrace, ShowsWhatAThreadComputes) {
  Emulated emulated(
      kernel_text("u64 out",
                  "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r3, %r2, 64, %r1;\n"
                  "cvt.rn.f32.s32 %f1, %r3;\nmul.f32 %f2, %f1, 0f3F000000;\n"
                  "setp.gt.s32 %p1, %r3, 70;\nmul.wide.s32 %rd2, %r3, 4;\n"
                  "ld.param.u64 %rd1, [out];\nadd.s64 %rd3, %rd1, %rd2;\n"
                  "@%p1 st.global.f32 [%rd3], %f2;\n"));
  const Address out = emulated.buffer(std::vector<float>(128));
  emulated.options.trace = thread(1, 37);
  const LaunchOutcome outcome = emulated.run("k", {2, 1, 1}, {64, 1, 1}, {argument(out)});
  ASSERT_TRUE(outcome.trace);
  const TraceStep* index = step_with(*outcome.trace, "mad.lo.s32");
  ASSERT_NE(index, nullptr);
  EXPECT_EQ(value_of(*index, "%r3"), "101");
  const TraceStep* half = step_with(*outcome.trace, "mul.f32");
  ASSERT_NE(half, nullptr);
  EXPECT_EQ(value_of(*half, "%f2"), "50.5");
  const TraceStep* compared = step_with(*outcome.trace, "setp.gt");
  ASSERT_NE(compared, nullptr);
  EXPECT_EQ(value_of(*compared, "%p1"), "true");
  const TraceStep* store = step_with(*outcome.trace, "st.global");
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(store->access);
  EXPECT_EQ(store->access->space, "global");
  EXPECT_TRUE(store->access->store);
  EXPECT_EQ(store->access->lanes[5], out + 4 * 101) << "thread 37 is lane 5 of its warp";
  EXPECT_EQ(store->access->sectors, 4);
  EXPECT_EQ(store->active, 0xffffffffu);
  EXPECT_FALSE(outcome.trace->cut);
}

TEST(EmulatorTrace, ShowsResultsThatNobodyReads) {
  Traced traced(
      "mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 7;\nmul.lo.u32 %r3, %r1, 100;\n"
      "mul.wide.u32 %rd2, %r1, 4;\nld.param.u64 %rd1, [out];\n"
      "add.s64 %rd3, %rd1, %rd2;\nsetp.lt.u32 %p1, %r1, 9;\n@!%p1 bra L;\n"
      "st.global.u32 [%rd3], %r1;\nL:\n",
      5, 32);
  for (const auto& [text, name, value] :
       {std::tuple{"add.u32", "%r2", std::string("12")}, std::tuple{"mul.lo", "%r3", std::string("500")},
        std::tuple{"mul.wide", "%rd2", std::string("0x14")},
        std::tuple{"add.s64", "%rd3", std::to_string(traced.out + 20)},
        std::tuple{"setp", "%p1", std::string("true")}}) {
    const TraceStep* step = step_with(traced.trace, text);
    ASSERT_NE(step, nullptr) << text;
    EXPECT_EQ(value_of(*step, name), value) << text;
  }
}

TEST(EmulatorTrace, LeavesOutWhatTheThreadDoesNotExecute) {
  Traced traced(
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 4;\n@!%p1 bra ELSE;\n"
      "mov.u32 %r2, 11;\nbra END;\nELSE:\nmov.u32 %r2, 22;\nEND:\n"
      "ld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "st.global.u32 [%rd3], %r2;\n",
      2, 32);
  EXPECT_NE(step_with(traced.trace, "mov.u32 %r2, 11"), nullptr);
  EXPECT_EQ(step_with(traced.trace, "mov.u32 %r2, 22"), nullptr);
  EXPECT_EQ(traced.emulated.read<std::uint32_t>(traced.out, 32)[2], 11u) << "tracing changes nothing";
  EXPECT_EQ(traced.emulated.read<std::uint32_t>(traced.out, 32)[9], 22u);
}

TEST(EmulatorTrace, ShowsBanksOfSharedMemory) {
  Emulated emulated(kernel_text("u64 out",
                                "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 7;\nmov.u32 %r3, tile;\n"
                                "add.u32 %r4, %r3, %r2;\nst.shared.u32 [%r4], %r1;\n",
                                ".shared .align 4 .b8 tile[4096];"));
  emulated.options.trace = thread(0, 0);
  const LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(std::uint64_t{0})});
  ASSERT_TRUE(outcome.trace);
  const TraceStep* store = step_with(*outcome.trace, "st.shared");
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(store->access);
  EXPECT_EQ(store->access->space, "shared");
  EXPECT_EQ(store->access->wavefronts, 32);
  EXPECT_EQ(store->access->bank_conflicts, 31);
}

/// Whose address counts depends on the number of matrices; the values come to all lanes.
TEST(EmulatorTrace, ShowsTheRowsOfMatrices) {
  for (const auto& [shift, wavefronts] : {std::pair{4, 1}, std::pair{7, 8}}) {
    Emulated emulated(kernel_text("u64 out",
                                  "mov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\nand.b32 %r3, %r1, 7;\n"
                                  "shl.b32 %r3, %r3, " +
                                      std::to_string(shift) +
                                      ";\nadd.u32 %r2, %r2, %r3;\n"
                                      "st.shared.v4.u32 [%r2], {9, 9, 9, 9};\nbar.sync 0;\n"
                                      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r2];\n"
                                      "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r4};\n",
                                  ".shared .align 16 .b8 tile[1024];"));
    emulated.options.trace = thread(0, 20);
    const LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(std::uint64_t{0})});
    ASSERT_TRUE(outcome.trace);
    for (const char* opcode : {"ldmatrix", "stmatrix"}) {
      const TraceStep* step = step_with(*outcome.trace, opcode);
      ASSERT_NE(step, nullptr) << opcode;
      ASSERT_TRUE(step->access) << opcode;
      EXPECT_EQ(step->access->space, "shared") << opcode;
      EXPECT_EQ(step->access->bytes, 16) << opcode;
      EXPECT_EQ(step->access->wavefronts, wavefronts) << opcode;
      for (std::size_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(step->access->lanes[lane].has_value(), lane < 8) << opcode << " " << lane;
    }
    EXPECT_EQ(value_of(*step_with(*outcome.trace, "ldmatrix"), "%r4"), "0x9");
  }
}

/// A loop counter has one name before and another one in the loop, as NVRTC writes it.
TEST(EmulatorTrace, KnowsRegistersThatCopiesJoin) {
  Traced traced(
      "mov.u32 %r1, %tid.x;\nmov.u32 %r5, %r1;\nLOOP:\nadd.u32 %r6, %r5, 10;\n"
      "mov.u32 %r5, %r6;\nsetp.lt.u32 %p1, %r6, 30;\n@%p1 bra LOOP;\n"
      "ld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], %r6;\n",
      0, 1);
  std::vector<std::string> counted;
  for (const TraceStep& step : traced.trace.steps)
    if (step.instruction.starts_with("add.u32")) counted.push_back(value_of(step, "%r6"));
  EXPECT_THAT(counted, testing::ElementsAre("10", "20", "30"));
}

TEST(EmulatorTrace, TellsInstructionsOfOneLineApart) {
  Traced traced(
      "mov.u32 %r1, %tid.x; add.s32 %r2, %r1, 7; add.s32 %r3,\n %r2, 100;\n"
      "ld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], %r3;\n",
      3, 4);
  const TraceStep* first = step_with(traced.trace, "add.s32 %r2, %r1, 7");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->instruction, "add.s32 %r2, %r1, 7");
  EXPECT_EQ(value_of(*first, "%r2"), "10");
  const TraceStep* second = step_with(traced.trace, "add.s32 %r3, %r2, 100");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(value_of(*second, "%r3"), "110");
}

TEST(EmulatorTrace, KnowsConstantAddresses) {
  Traced traced(
      "mov.u32 %r1, %tid.x;\nst.shared.u32 [tile+32], 5;\n"
      "ld.shared.u32 %r2, [tile+32];\natom.shared.add.u32 %r3, [tile+32], 1;\n"
      "ld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], %r2;\n",
      0, 32, ".shared .align 4 .b8 tile[64];");
  for (const char* opcode : {"st.shared", "ld.shared", "atom.shared"}) {
    const TraceStep* step = step_with(traced.trace, opcode);
    ASSERT_NE(step, nullptr) << opcode;
    ASSERT_TRUE(step->access) << opcode;
    for (const auto& lane : step->access->lanes) EXPECT_EQ(lane, 32u) << opcode;
    EXPECT_GE(step->access->wavefronts, 1) << opcode;
  }
}

TEST(EmulatorTrace, IsCutAtItsLimit) {
  Emulated emulated(kernel_text("u64 out",
                                "mov.u32 %r1, 0;\nLOOP:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 1000;\n"
                                "@%p1 bra LOOP;\n"));
  emulated.options.trace = thread(0, 0);
  emulated.options.trace->most_steps = 10;
  const LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(std::uint64_t{0})});
  ASSERT_TRUE(outcome.trace);
  EXPECT_EQ(outcome.trace->steps.size(), 10u);
  EXPECT_TRUE(outcome.trace->cut);
}

TEST(EmulatorTrace, OfAThreadThatDoesNotExistIsNone) {
  Emulated emulated(kernel_text("u64 out", "mov.u32 %r1, %tid.x;\n"));
  emulated.options.trace = thread(0, 32);
  EXPECT_FALSE(emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(std::uint64_t{0})}).trace);
  emulated.options.trace = thread(1, 0);
  EXPECT_FALSE(emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(std::uint64_t{0})}).trace);
  emulated.options.trace = TraceRequest{{-1, 0, 0}, {0, 0, 0}, 5};
  EXPECT_FALSE(emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(std::uint64_t{0})}).trace);
}

}  // namespace
}  // namespace ridge::device
