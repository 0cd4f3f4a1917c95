// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "measure/timing.h"

namespace ridge::measure {
namespace {

Timing example() {
  Timing timing;
  timing.cold = summarise({12.5, 13.25, 12.75});
  timing.cold->source = "activity";
  timing.cold->flush = "read";
  timing.cold->dropped = 2;
  timing.cold->stopped_because = "settled";
  timing.cold->sm_mhz = {1980, 1965, 1980};
  timing.launch_inclusive = summarise({20});
  timing.launch_inclusive->source = "host";
  timing.sm_mhz = 1980;
  timing.power_w = 512.25;
  timing.throttle_reasons = {"power cap"};
  timing.note = "one remark";
  return timing;
}

TEST(TimingJson, SurvivesTheRoundTrip) {
  const Timing before = example();
  const Timing after = timing_from_json(to_json(before));
  ASSERT_TRUE(after.cold);
  EXPECT_EQ(after.cold->samples_us, before.cold->samples_us);
  EXPECT_EQ(after.cold->sm_mhz, before.cold->sm_mhz);
  EXPECT_EQ(after.cold->median_us, 12.75);
  EXPECT_EQ(after.cold->n, 3);
  EXPECT_EQ(after.cold->source, "activity");
  EXPECT_EQ(after.cold->flush, "read");
  EXPECT_EQ(after.cold->dropped, 2);
  EXPECT_EQ(after.cold->stopped_because, "settled");
  EXPECT_FALSE(after.warm);
  ASSERT_TRUE(after.launch_inclusive);
  EXPECT_EQ(after.launch_inclusive->source, "host");
  EXPECT_EQ(after.sm_mhz, 1980);
  EXPECT_EQ(after.power_w, 512.25);
  EXPECT_EQ(after.throttle_reasons, before.throttle_reasons);
  EXPECT_EQ(after.note, "one remark");
  EXPECT_EQ(after.protocol, before.protocol);
}

TEST(TimingJson, WhatIsUnknownIsNull) {
  const Json json = to_json(example());
  EXPECT_TRUE(json.at("warm").is_null());
  EXPECT_TRUE(json.at("memory_mhz").is_null());
  EXPECT_TRUE(json.at("temperature_c").is_null());
  EXPECT_TRUE(json.at("launch_inclusive").at("flush").is_null());
  EXPECT_EQ(json.at("cold").at("median_us"), 12.75);
}

TEST(TimingJson, LeavesSamplesOutWhenAsked) {
  const Json json = to_json(example(), false);
  EXPECT_FALSE(json.at("cold").contains("samples_us"));
  EXPECT_FALSE(json.at("cold").contains("sm_mhz"));
  EXPECT_EQ(json.at("cold").at("n"), 3);
}

TEST(TimingJson, ForeignJsonNeverThrows) {
  for (const char* text : {"null", "[]", "3", R"({"cold": 7, "warm": [], "throttle_reasons": {"a": 1}})",
                           R"({"cold": {"n": -5, "samples_us": ["x", 1], "sm_mhz": [1]}})"}) {
    const auto json = parse_json(text);
    ASSERT_TRUE(json);
    const Timing timing = timing_from_json(*json);
    EXPECT_FALSE(timing.warm) << text;
    if (timing.cold) {
      EXPECT_GE(timing.cold->n, 0) << text;
      EXPECT_EQ(timing.cold->sm_mhz.size() * timing.cold->samples_us.size(), 0u) << text;
    }
  }
}

}  // namespace
}  // namespace ridge::measure
