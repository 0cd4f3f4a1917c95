// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "verify/verdict.h"

namespace ridge::verify {
namespace {

Verdict wrong_values() {
  Verdict verdict;
  verdict.status = Status::wrong_values;
  verdict.message = "2 of 6 elements of y are wrong";
  verdict.line = 12;
  hardware::Finding finding;
  finding.status = Status::out_of_bounds;
  finding.message = "reads past the end of x";
  finding.file = "k.cu";
  finding.line = 12;
  finding.block = {1, 2, 3};
  finding.thread = {31, 0, 0};
  verdict.findings = {finding};
  verdict.deterministic = false;
  verdict.mse = 0.5;
  verdict.max_abs = std::numeric_limits<double>::infinity();
  verdict.max_ulp = 3;
  verdict.mismatches = std::int64_t{1} << 60;
  verdict.elements = 6;
  verdict.first = {{"y", {1, 2}, 1.5, std::nan("")}};
  verdict.first[0].writer = Writer{1, {4, 5, 6}, {33, 0, 0}, 1, 1};
  verdict.error_maps = {{"y", 2, 3, 1, 2, {0, 2}}, {"y", 2, 32, 1, 2, {0, 2}, MapKind::threads, 1, 7}};
  Tolerance tolerance;
  tolerance.tensor = "y";
  tolerance.atol = 1e-6;
  tolerance.rtol = 1e-5;
  tolerance.derived = true;
  tolerance.explanation = "float32, 32 terms";
  tolerance.margin = 4;
  verdict.tolerances = {tolerance};
  verdict.warnings = {"The reference is 0 everywhere."};
  verdict.launches = 3;
  return verdict;
}

TEST(VerdictJson, HoldsWhatTheDocumentPromises) {
  const Json json = to_json(wrong_values());
  for (const char* key : {"status", "message", "line", "findings", "deterministic", "mse", "max_abs",
                          "max_rel", "max_ulp", "mismatches", "elements", "first", "warnings"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["status"], "wrong_values");
  EXPECT_EQ(json["max_abs"], "inf");
  EXPECT_TRUE(json["max_rel"].is_null());
  EXPECT_EQ(json["mismatches"], "1152921504606846976");
  EXPECT_EQ(json["first"][0]["index"], Json::array({1, 2}));
  EXPECT_EQ(json["first"][0]["got"], "nan");
}

TEST(VerdictJson, KeepsWarnings) {
  Verdict verdict = wrong_values();
  verdict.warnings.push_back(say("{} is 0 everywhere", "y"));
  const Json json = to_json(verdict);
  EXPECT_EQ(json["warnings"], Json::array({"The reference is 0 everywhere.", "y is 0 everywhere"}));
  const Verdict again = *verdict_from_json(json);
  EXPECT_EQ(again.warnings, verdict.warnings);
  EXPECT_EQ(again.warnings[1].pattern(), "{} is 0 everywhere");
  EXPECT_EQ(to_json(Verdict{})["warnings"], Json::array());
  Json old = json;  // of a release that did not know them
  old.erase("warnings");
  EXPECT_TRUE(verdict_from_json(old)->warnings.empty());
}

TEST(VerdictJson, KeepsWhoStoredTheWrongElements) {
  const Json json = to_json(wrong_values());
  EXPECT_EQ(json["first"][0]["writer"]["block"], Json::array({4, 5, 6}));
  EXPECT_EQ(json["first"][0]["writer"]["lane"], 1);
  EXPECT_EQ(json["error_maps"][0]["kind"], "tensor");
  EXPECT_TRUE(json["error_maps"][0]["unknown"].is_null());
  const Verdict again = *verdict_from_json(json);
  ASSERT_TRUE(again.first[0].writer.has_value());
  EXPECT_EQ(again.first[0].writer->launch, 1);
  EXPECT_EQ(again.first[0].writer->thread, (std::array<std::int64_t, 3>{33, 0, 0}));
  ASSERT_EQ(again.error_maps.size(), 2u);
  EXPECT_EQ(again.error_maps[1].kind, MapKind::threads);
  EXPECT_EQ(again.error_maps[1].launch, 1);
  EXPECT_EQ(again.error_maps[1].unknown, 7);
  Json old = json;  // of a release that did not know writers
  old["first"][0].erase("writer");
  old["error_maps"][0].erase("kind");
  EXPECT_FALSE(verdict_from_json(old)->first[0].writer.has_value());
  EXPECT_EQ(verdict_from_json(old)->error_maps[0].kind, MapKind::tensor);
}

TEST(VerdictJson, UnknownIsNullNeverZero) {
  const Json json = to_json(Verdict{});
  for (const char* key : {"line", "deterministic", "mse", "max_abs", "max_ulp", "mismatches", "elements"})
    EXPECT_TRUE(json[key].is_null()) << key;
}

TEST(VerdictJson, RoundTripLosesNothing) {
  const Json once = to_json(wrong_values());
  EXPECT_EQ(to_json(*verdict_from_json(once)), once);
  const Json empty = to_json(Verdict{});
  EXPECT_EQ(to_json(*verdict_from_json(empty)), empty);
}

TEST(VerdictJson, WordsOfAnotherReleaseNeverBecomeOurs) {
  const Json sound = to_json(wrong_values());
  for (const char* place : {"/status", "/findings/0/status", "/error_maps/0/kind"}) {
    Json newer = sound;
    newer[Json::json_pointer(place)] = "splendid";
    const auto verdict = verdict_from_json(newer);
    ASSERT_FALSE(verdict) << place;
    EXPECT_EQ(verdict.error().code, "unknown_word");
    EXPECT_NE(verdict.error().message.english().find("'splendid'"), std::string::npos)
        << verdict.error().message;
  }
}

TEST(VerdictJson, WithoutAStatusThereIsNoVerdict) {
  for (const Json& json : {Json::array(), Json::object(), Json{{"status", 3}}})
    EXPECT_FALSE(verdict_from_json(json)) << json;
}

TEST(VerdictJson, ForeignShapesBesideTheStatusAreDropped) {
  const auto verdict = verdict_from_json(
      Json{{"status", "race"},
           {"first", 3},
           {"error_maps", {{{"grid_rows", 1 << 30}, {"grid_columns", 4}, {"wrong", {1}}}}}});
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->error_maps.empty());
}

}  // namespace
}  // namespace ridge::verify
