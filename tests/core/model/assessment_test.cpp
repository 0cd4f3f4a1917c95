// SPDX-License-Identifier: GPL-3.0-or-later
// Expected values by hand: H200 has 4.8e12 bytes/s, 66.9e12 FLOP/s of FP32, 132 SMs.
#include "model/assessment.h"

#include <gtest/gtest.h>

#include "model/roofline.h"

namespace ridge::model {
namespace {

using hardware::CeilingSource;
using hardware::Unit;

AssessmentInput saxpy() {
  AssessmentInput input;
  input.device = hardware::catalogue().find("H200");
  input.bytes = 12.0 * (1 << 20);  // 2^20 elements: read x and y, write y
  input.flops = 2.0 * (1 << 20);
  input.unit = Unit::fp32;
  return input;
}

AssessmentInput sgemm() {
  AssessmentInput input = saxpy();
  input.flops = 2.0 * 4096 * 4096 * 4096;
  input.bytes = 3.0 * 4 * 4096 * 4096;
  return input;
}

TEST(Assessment, SaxpyIsBoundByMemory) {
  const Assessment result = assess(saxpy());
  EXPECT_EQ(result.device, "H200");
  EXPECT_EQ(result.datasheet.bound, "memory");
  EXPECT_NEAR(*result.datasheet.t_sol_us, 2.62144, 1e-9);  // 12582912 / 4.8e12
  EXPECT_NEAR(*result.intensity, 1.0 / 6, 1e-12);
  ASSERT_EQ(result.datasheet.ceilings.size(), 2u);
  EXPECT_EQ(result.datasheet.ceilings[0].name, "fp32");
  EXPECT_EQ(result.datasheet.ceilings[1].name, "dram");
  EXPECT_FALSE(result.datasheet.sol_percent) << "without a time there is no percentage";
  EXPECT_FALSE(result.achieved_flops);
  EXPECT_FALSE(result.derived);
  EXPECT_FALSE(result.measured);
}

TEST(Assessment, SgemmIsBoundByCompute) {
  AssessmentInput input = sgemm();
  input.cold_us = 2671.05;
  const Assessment result = assess(input);
  EXPECT_EQ(result.datasheet.bound, "compute");
  EXPECT_NEAR(*result.datasheet.t_sol_us, 137438953472.0 / 66.9e12 * 1e6, 1e-6);  // 2054.4
  EXPECT_NEAR(*result.datasheet.sol_percent, 76.91, 0.01);
  EXPECT_NEAR(*result.achieved_flops, 51.455e12, 1e9);
  EXPECT_FALSE(result.suspect);
}

TEST(Assessment, TheScoreIsOneHalfAtTheBaseline) {
  AssessmentInput input = saxpy();
  input.cold_us = 4;
  input.baseline_us = 4;
  EXPECT_DOUBLE_EQ(*assess(input).datasheet.sol_score, 0.5);
  input.cold_us = *assess(input).datasheet.t_sol_us;
  EXPECT_DOUBLE_EQ(*assess(input).datasheet.sol_score, 1);
  input.cold_us = 6;  // 1 / (1 + 3.37856 / 1.37856)
  EXPECT_NEAR(*assess(input).datasheet.sol_score, 0.28979, 1e-5);
  input.cold_us = 2;
  EXPECT_GT(*assess(input).datasheet.sol_score, 1) << "an alarm, not hidden by clamping";
}

TEST(Assessment, ABaselineFasterThanPhysicsGivesNoScore) {
  AssessmentInput input = saxpy();
  input.cold_us = 4;
  input.baseline_us = 2.5;
  EXPECT_FALSE(assess(input).datasheet.sol_score);
  EXPECT_TRUE(assess(input).datasheet.sol_percent);
  input.baseline_us.reset();
  EXPECT_FALSE(assess(input).datasheet.sol_score);
}

TEST(Assessment, TheDerivedBasisUsesTheClockOfTheRun) {
  AssessmentInput input = sgemm();
  input.cold_us = 3000;
  input.sm_mhz = 1500;
  const Assessment result = assess(input);
  ASSERT_TRUE(result.derived);
  EXPECT_NEAR(*result.derived->t_sol_us, 137438953472.0 / (132 * 256 * 1.5e9) * 1e6, 1e-6);  // 2711.4
  EXPECT_NEAR(*result.derived->sol_percent, 90.38, 0.01);
  EXPECT_LT(*result.datasheet.sol_percent, *result.derived->sol_percent)
      << "the record does not move with the clock";
}

TEST(Assessment, TheMeasuredBasisNeedsBothRoofs) {
  AssessmentInput input = sgemm();
  input.measured = {{"dram", 4.3e12, "bytes/s", CeilingSource::measured, "", 0}};
  EXPECT_FALSE(assess(input).measured);
  input.measured.push_back({"fp32", 60e12, "FLOP/s", CeilingSource::measured, "", 0});
  const Assessment result = assess(input);
  ASSERT_TRUE(result.measured);
  EXPECT_NEAR(*result.measured->t_sol_us, 137438953472.0 / 60e12 * 1e6, 1e-6);
}

TEST(Assessment, FasterThanPhysicsIsSuspect) {
  AssessmentInput input = saxpy();
  input.cold_us = 2.58;  // 4.877e12 bytes/s: within 2 % of the roof
  EXPECT_FALSE(assess(input).suspect);
  input.cold_us = 2.5;  // 5.033e12
  const Assessment result = assess(input);
  ASSERT_TRUE(result.suspect);
  EXPECT_NE(result.suspect->english().find("5033 GB/s"), std::string::npos) << *result.suspect;
  EXPECT_NE(result.suspect->english().find("L2"), std::string::npos);
  // A roof that was measured higher than the sheet says settles it.
  input.measured = {{"dram", 5.0e12, "bytes/s", CeilingSource::measured, "", 0},
                    {"fp32", 60e12, "FLOP/s", CeilingSource::measured, "", 0}};
  EXPECT_FALSE(assess(input).suspect);
}

TEST(Assessment, TooManyFlopsAreSuspectUnlessTheClockExplainsThem) {
  AssessmentInput input = sgemm();
  input.unit = Unit::bf16;
  input.bytes = 3.0 * 2 * 4096 * 4096;
  input.cold_us = 131;  // 1049e12 FLOP/s: above 1.02 x 989.4e12
  EXPECT_TRUE(assess(input).suspect);
  input.sm_mhz = 1980;  // 132 x 4096 x 1.98 GHz = 1070.6e12
  EXPECT_FALSE(assess(input).suspect);
}

TEST(Assessment, WithoutACeilingThereIsNoTSol) {
  AssessmentInput input = saxpy();
  input.unit = Unit::fp4;
  input.cold_us = 5;
  const Assessment result = assess(input);
  EXPECT_FALSE(result.datasheet.t_sol_us);
  EXPECT_FALSE(result.datasheet.sol_percent);
  EXPECT_TRUE(result.datasheet.bound.empty());
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "no_ceiling");
}

TEST(Assessment, BandwidthOnlyProblemsCountBytesAlone) {
  AssessmentInput input = saxpy();
  input.unit = Unit::none;
  input.flops = 0;
  const Assessment result = assess(input);
  EXPECT_EQ(result.datasheet.bound, "memory");
  EXPECT_EQ(result.datasheet.ceilings.size(), 1u);
  EXPECT_FALSE(result.intensity);
  EXPECT_TRUE(result.diagnostics.empty());
}

TEST(Assessment, AnUnknownDeviceIsSaid) {
  AssessmentInput input = saxpy();
  input.device = nullptr;
  input.cold_us = 4;
  const Assessment result = assess(input);
  EXPECT_TRUE(result.device.empty());
  EXPECT_FALSE(result.datasheet.t_sol_us);
  EXPECT_FALSE(result.suspect);
  EXPECT_TRUE(result.achieved_bandwidth);
  EXPECT_EQ(result.diagnostics.at(0).code, "unknown_device");
}

TEST(Assessment, NothingToDoIsNotDividedBy) {
  AssessmentInput input = saxpy();
  input.flops = input.bytes = 0;
  input.cold_us = 0;
  const Assessment result = assess(input);
  EXPECT_FALSE(result.datasheet.t_sol_us);
  EXPECT_FALSE(result.intensity);
  EXPECT_FALSE(result.achieved_bandwidth);
}

TEST(AssessmentJson, IsTheModelOfARun) {
  AssessmentInput input = sgemm();
  input.cold_us = 3000;
  input.sm_mhz = 1500;
  const Json json = to_json(assess(input));
  EXPECT_EQ(json["device"], "H200");
  EXPECT_EQ(json["bound"], "compute");
  EXPECT_TRUE(json["sol_score"].is_null());
  EXPECT_TRUE(json["suspect"].is_null());
  EXPECT_TRUE(json["bases"]["measured"].is_null());
  EXPECT_EQ(json["bases"]["derived"]["ceilings"][0]["source"], "derived");
  EXPECT_EQ(json["ceilings"][0]["name"], "fp32");
  EXPECT_EQ(json["ceilings"][0]["value"], 66900000000000);
  EXPECT_EQ(json["ceilings"][1]["unit"], "bytes/s");
  EXPECT_EQ(to_json(*assessment_from_json(json)), json);
}

TEST(AssessmentJson, GarbageIsUnknown) {
  for (const char* text : {"null", "[]", R"({"bases": 3, "ceilings": {}, "t_sol_us": "x"})"}) {
    const auto result = assessment_from_json(*parse_json(text));
    ASSERT_TRUE(result) << text;
    EXPECT_FALSE(result->datasheet.t_sol_us) << text;
    EXPECT_FALSE(result->derived) << text;
  }
}

}  // namespace
}  // namespace ridge::model
