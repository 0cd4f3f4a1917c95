// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/roofline.h"

#include <gtest/gtest.h>

namespace ridge::model {
namespace {

using hardware::CeilingSource;
using hardware::Unit;

const hardware::DeviceModel& h200() {
  return *hardware::catalogue().find("H200");
}

TEST(Roofline, DatasheetRoofsOfTheH200) {
  const std::vector<hardware::Ceiling> all = roofs(h200());
  ASSERT_EQ(all.size(), 1 + h200().peaks.size());
  EXPECT_EQ(all[0].name, "dram");
  EXPECT_DOUBLE_EQ(all[0].value, 4.8e12);
  EXPECT_EQ(all[0].unit, "bytes/s");
  for (const hardware::Ceiling& roof : all) EXPECT_FALSE(roof.note.empty()) << roof.name;
}

TEST(Roofline, DerivedRoofsFollowTheClock) {
  // 132 SMs x 4096 FLOP/clock/SM x 1.5 GHz.
  const auto roof = derived_ceiling(h200(), Unit::bf16, 1500);
  ASSERT_TRUE(roof);
  EXPECT_DOUBLE_EQ(roof->value, 132.0 * 4096 * 1.5e9);
  EXPECT_EQ(roof->source, CeilingSource::derived);
  EXPECT_DOUBLE_EQ(roof->clock_mhz, 1500);
  EXPECT_FALSE(derived_ceiling(h200(), Unit::fp4, 1500));
  EXPECT_FALSE(derived_ceiling(h200(), Unit::bf16, 0));
}

TEST(Roofline, GeForceRunsItsOwnTensorRate) {
  const auto roof = derived_ceiling(*hardware::catalogue().find("RTX4090"), Unit::bf16, 2520);
  EXPECT_NEAR(roof->value, 165.2e12, 0.1e12);
}

TEST(Roofline, AllKindsStandSideBySide) {
  const hardware::Ceiling measured{"dram", 4.4e12, "bytes/s", CeilingSource::measured, "copy", 0};
  const std::vector<hardware::Ceiling> all = roofs(h200(), 1980.0, {measured});
  EXPECT_EQ(all.size(), 2 + 2 * h200().peaks.size());
  EXPECT_EQ(all.back().source, CeilingSource::measured);
}

TEST(Roofline, AttainableIsTheLowerRoof) {
  const hardware::Ceiling compute = *datasheet_ceiling(h200(), Unit::fp32);
  const hardware::Ceiling memory = memory_ceiling(h200());
  EXPECT_DOUBLE_EQ(attainable(0.25, compute, memory), 1.2e12);
  EXPECT_DOUBLE_EQ(attainable(1000, compute, memory), 66.9e12);
  EXPECT_DOUBLE_EQ(ridge_intensity(compute, memory), 66.9 / 4.8);
}

}  // namespace
}  // namespace ridge::model
