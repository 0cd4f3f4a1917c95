// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/tolerance.h"

#include <gtest/gtest.h>

using namespace ridge;
using namespace ridge::verify;

namespace {

ToleranceInput input(DType output, std::int64_t reduction, double rms, double max) {
  ToleranceInput in;
  in.tensor = "y";
  in.output = output;
  in.unit = hardware::Unit::fp32;
  in.reduction = reduction;
  in.reference = {max, rms, 1000};
  return in;
}

TEST(Tolerance, StatedGatesStay) {
  ToleranceInput in = input(DType::float32, 1, 1, 3);
  in.rtol = 1e-5;
  in.atol = 2e-5;
  in.mse = 1e-9;
  const Tolerance tolerance = tolerance_for(in);
  EXPECT_EQ(tolerance.rtol, 1e-5);
  EXPECT_EQ(tolerance.atol, 2e-5);
  EXPECT_EQ(tolerance.mse, 1e-9);
  EXPECT_FALSE(tolerance.derived);
  EXPECT_EQ(tolerance.explanation, "as the problem states");
}

TEST(Tolerance, DerivedGatesGrowWithReductionAndMagnitude) {
  const Tolerance plain = tolerance_for(input(DType::float32, 1, 1, 3));
  const Tolerance longer = tolerance_for(input(DType::float32, 4096, 1, 3));
  const Tolerance larger = tolerance_for(input(DType::float32, 4096, 100, 300));
  EXPECT_TRUE(plain.derived);
  EXPECT_GT(plain.rtol, 0x1p-24);
  EXPECT_LT(plain.rtol, 1e-5);
  EXPECT_GT(longer.rtol, plain.rtol);
  EXPECT_DOUBLE_EQ(larger.atol, 100 * longer.atol);
  EXPECT_NE(longer.explanation.english().find("4096 terms"), std::string::npos);
}

TEST(Tolerance, NarrowOutputsGetTheirOwnRounding) {
  const Tolerance half = tolerance_for(input(DType::float16, 1, 1, 3));
  const Tolerance bfloat = tolerance_for(input(DType::bfloat16, 1, 1, 3));
  EXPECT_GT(half.rtol, 0x1p-11);
  EXPECT_LT(half.rtol, 0x1p-9);
  EXPECT_GT(bfloat.rtol, 0x1p-8);
}

TEST(Tolerance, TensorUnitsRoundTheirFactors) {
  ToleranceInput in = input(DType::float32, 256, 1, 3);
  const double fp32 = tolerance_for(in).rtol;
  in.unit = hardware::Unit::tf32;
  EXPECT_GT(tolerance_for(in).rtol, fp32 + 0x1p-11);
  in.unit = hardware::Unit::fp64;
  in.output = DType::float64;
  EXPECT_LT(tolerance_for(in).rtol, 1e-12);
}

TEST(Tolerance, IntegersAreExact) {
  const Tolerance tolerance = tolerance_for(input(DType::int32, 100, 1000, 5000));
  EXPECT_EQ(tolerance.atol, 0);
  EXPECT_EQ(tolerance.rtol, 0);
}

TEST(Tolerance, HalfStatedGatesDeriveTheOther) {
  ToleranceInput in = input(DType::float32, 1, 1, 3);
  in.rtol = 1e-3;
  const Tolerance tolerance = tolerance_for(in);
  EXPECT_EQ(tolerance.rtol, 1e-3);
  EXPECT_GT(tolerance.atol, 0);
  EXPECT_NE(tolerance.explanation.english().find("atol derived"), std::string::npos);
}

// KernelBench 165: 1e-2 on a softmax over 393216 columns lets zeros pass.
TEST(Tolerance, LooseGatesAreLoweredUntilZerosFail) {
  ToleranceInput in = input(DType::float32, 393216, 2.5e-6, 8e-6);
  in.rtol = 1e-2;
  in.atol = 1e-2;
  const Tolerance tolerance = tolerance_for(in);
  EXPECT_FALSE(accepts_zeros(tolerance, in.reference));
  EXPECT_LT(tolerance.atol, 1e-6);
  EXPECT_NE(tolerance.explanation.english().find("all-zero"), std::string::npos);
}

TEST(Tolerance, AnMseGateThatRejectsZerosNeedsNoLowering) {
  ToleranceInput in = input(DType::float32, 1, 1, 1);
  in.rtol = 2;
  in.atol = 0;
  in.mse = 1e-6;
  EXPECT_EQ(tolerance_for(in).rtol, 2);
}

TEST(Tolerance, ZerosAreRightWhereTheReferenceIsZero) {
  const Tolerance tolerance = tolerance_for(input(DType::float32, 1, 0, 0));
  EXPECT_TRUE(accepts_zeros(tolerance, {0, 0, 10}));
}

}  // namespace
