// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "device/device.h"

namespace ridge::device {
namespace {

TEST(DeviceInfoJson, SurvivesTheRoundTrip) {
  DeviceInfo info;
  info.kind = Kind::cuda;
  info.id = "cuda:1";
  info.name = "NVIDIA H200";
  info.model = "H200";
  info.arch = "sm_90a";
  info.uuid = "GPU-01020304-0506-0708-090a-0b0c0d0e0f10";
  info.cc_major = 9;
  info.cc_minor = 0;
  info.sm_count = 132;
  info.memory_bytes = 150120300544;
  info.memory_free = 150000000000;
  info.l2_bytes = 62914560;
  info.limits.max_cluster = 8;
  info.limits.max_grid = {7, 8, 9};
  info.watchdog = true;
  info.driver = "580.95.05, CUDA 13.0";
  info.counters_why_not = "reserved";
  const DeviceInfo after = *device_info_from_json(to_json(info));
  EXPECT_EQ(to_json(after), to_json(info));
  EXPECT_EQ(after.kind, Kind::cuda);
  EXPECT_EQ(after.limits.max_grid, info.limits.max_grid);
  EXPECT_EQ(after.memory_bytes, info.memory_bytes);
  EXPECT_TRUE(after.watchdog);
  EXPECT_FALSE(after.counters);
}

TEST(DeviceInfoJson, ForeignJsonGivesAnEmptyInfo) {
  for (const Json& json :
       {Json(nullptr), Json::array(), Json(7), Json{{"sm_count", "many"}, {"limits", 3}}}) {
    const DeviceInfo info = *device_info_from_json(json);
    EXPECT_EQ(info.kind, Kind::emulator);
    EXPECT_EQ(info.sm_count, 0);
    EXPECT_TRUE(info.name.empty());
  }
}

TEST(DeviceInfoJson, CountsOutOfRangeAreHeld) {
  EXPECT_EQ(device_info_from_json(Json{{"sm_count", -4}})->sm_count, 0);
  EXPECT_GT(device_info_from_json(Json{{"sm_count", 99999999999}})->sm_count, 0);
}

TEST(DeviceInfoJson, AKindOfAnotherReleaseIsRefused) {
  const auto info = device_info_from_json(Json{{"kind", "fpga"}});
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, "unknown_word");
  EXPECT_NE(info.error().message.english().find("'fpga'"), std::string::npos) << info.error().message;
}

TEST(DeviceNames, LeadBack) {
  for (const Kind kind : {Kind::cuda, Kind::emulator}) EXPECT_EQ(kind_named(name_of(kind)), kind);
  for (const Flush flush : {Flush::read, Flush::write, Flush::none})
    EXPECT_EQ(flush_named(name_of(flush)), flush);
  EXPECT_FALSE(kind_named("CUDA"));
  EXPECT_FALSE(flush_named(""));
}

}  // namespace
}  // namespace ridge::device
