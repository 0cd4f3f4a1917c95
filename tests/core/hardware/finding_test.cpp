// SPDX-License-Identifier: GPL-3.0-or-later
#include "hardware/finding.h"

#include <gtest/gtest.h>

#include <set>

#include "hardware/units.h"

namespace ridge::hardware {
namespace {

TEST(Status, EveryNameIsUniqueAndLeadsBack) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Status::skipped); ++i) {
    const auto status = static_cast<Status>(i);
    EXPECT_TRUE(names.insert(name_of(status)).second) << name_of(status);
    EXPECT_EQ(status_named(name_of(status)), status);
  }
  EXPECT_EQ(name_of(Status::no_reference), "no_reference");
  EXPECT_FALSE(status_named("fine"));
}

TEST(Finding, SurvivesJson) {
  Finding finding;
  finding.status = Status::out_of_bounds;
  finding.message = "writes 4 bytes after the end of y";
  finding.file = "a.cu";
  finding.line = 12;
  finding.block = {3, 0, 65535};
  finding.thread = {31, 1, 0};
  finding.count = 7;
  const auto back = findings_from_json(to_json(std::vector{finding}));
  ASSERT_TRUE(back) << back.error().message;
  ASSERT_EQ(back->size(), 1u);
  EXPECT_EQ(to_json(back->front()), to_json(finding));
  EXPECT_EQ(back->front().block, finding.block);
  EXPECT_EQ(back->front().count, 7u);
}

TEST(Finding, WhatIsNotKnownIsNull) {
  const Json json = to_json(Finding{Status::timeout, "too long", "", 0, {}, {}, 1});
  EXPECT_TRUE(json["line"].is_null());
  EXPECT_TRUE(json["file"].is_null());
  EXPECT_TRUE(json["block"].is_null());
  EXPECT_FALSE(finding_from_json(json)->thread);
}

TEST(Finding, StatusOfAnotherReleaseIsNeverOneOfOurs) {
  const auto newer = findings_from_json(Json::array({{{"status", "race"}}, {{"status", "splendid"}}}));
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, "unknown_word");
  EXPECT_NE(newer.error().message.english().find("'splendid'"), std::string::npos) << newer.error().message;
  EXPECT_FALSE(finding_from_json(Json("text")));
}

TEST(Finding, GarbageBesideTheStatusIsUnknown) {
  EXPECT_FALSE(finding_from_json(Json{{"status", "race"}, {"block", {1, 2}}})->block);
  EXPECT_TRUE(findings_from_json(Json{{"no", "list"}})->empty());
}

TEST(Unit, EveryNameLeadsBack) {
  const std::vector<std::string> names = unit_names();
  EXPECT_EQ(names.size(), 10u);
  for (const std::string& name : names) EXPECT_EQ(name_of(*unit_named(name)), name);
  EXPECT_FALSE(unit_named("FP32"));
}

TEST(Ceiling, SurvivesJson) {
  const Ceiling ceiling{"bf16", 989.4e12, "FLOP/s", CeilingSource::derived, "at the clock of the run", 1830};
  const Json json = to_json(ceiling);
  EXPECT_EQ(json["source"], "derived");
  EXPECT_EQ(to_json(*ceiling_from_json(json)), json);
}

TEST(Ceiling, SourceOfAnotherReleaseIsRefused) {
  const auto ceiling = ceiling_from_json(Json{{"name", "dram"}, {"source", "guessed"}});
  ASSERT_FALSE(ceiling);
  EXPECT_NE(ceiling.error().message.english().find("'guessed'"), std::string::npos)
      << ceiling.error().message;
  EXPECT_EQ(ceiling_from_json(Json{{"name", "dram"}})->source, CeilingSource::datasheet);
}

}  // namespace
}  // namespace ridge::hardware
