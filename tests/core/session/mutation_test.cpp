// SPDX-License-Identifier: GPL-3.0-or-later
// Every member of a run in turn holds what it must not: it is refused by its path, or it is kept as it
// stands; never is it read as something else.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sample_run.h"
#include "session/run_shape.h"
#include "session/store.h"

namespace ridge::session {
namespace {

namespace fs = std::filesystem;

struct Place {
  std::string path;  ///< as messages name it
  Json::json_pointer at;
};

void collect(const Json& json, const std::string& path, const Json::json_pointer& at,
             std::vector<Place>& places) {
  if (!path.empty()) places.push_back({path, at});
  if (json.is_object()) {
    for (const auto& [name, value] : json.items())
      collect(value, path + (path.empty() ? "" : ".") + name, at / name, places);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size() && i < 3; ++i)
      collect(json[i], path + "[" + std::to_string(i) + "]", at / i, places);
  }
}

std::vector<Place> places_of(const Json& json) {
  std::vector<Place> places;
  collect(json, {}, Json::json_pointer(), places);
  return places;
}

const std::vector<Json>& nonsense() {
  static const std::vector<Json> values{
      "abc",         "",      "-1",          "12",           -5,    -0.5,  1e300,
      true,          nullptr, Json::array(), Json::object(), "nan", "inf", Json::array({1, 2}),
      Json{{"a", 1}}};
  return values;
}

/// A run with every member that a run can have.
Run whole_run() {
  Run run = test::gpu_run();
  run.verdict.status = verify::Status::wrong_values;
  run.verdict.line = 12;
  run.verdict.mse = 0.5;
  run.verdict.max_rel = 2;
  run.verdict.max_ulp = 3;
  run.verdict.launches = 3;
  run.verdict.findings.push_back(
      {hardware::Status::race, "two threads", "softmax.cu", 7, {{1, 2, 3}}, {{4, 5, 6}}, 9});
  run.verdict.first.push_back({"y", {1, 2}, 0.5, 0.25, verify::Writer{1, {1, 0, 0}, {2, 0, 0}, 3, 4}});
  verify::ErrorMap map;
  map.tensor = "y";
  map.rows = map.grid_rows = 2;
  map.columns = map.grid_columns = 2;
  map.wrong = {1, 2, 3, 4};
  run.verdict.error_maps = {map};
  run.verdict.tolerances.push_back({"y", 1e-6, 1e-5, 1e-7, true, "derived", 0.5});
  measure::Sampled warm = *run.timing->cold;
  warm.flush = "none";
  run.timing->warm = warm;
  measure::Sampled host = warm;
  host.source = "host";
  run.timing->launch_inclusive = host;
  run.timing->throttle_reasons = {"power"};
  run.timing->temperature_c = 40;
  run.timing->power_w = 130;
  run.timing->memory_mhz = 3201;
  run.model.datasheet.sol_score = 0.5;
  run.model.derived = run.model.datasheet;
  run.model.measured = run.model.datasheet;
  run.model.achieved_flops = 1e12;
  run.model.achieved_bandwidth = 1e12;
  run.model.suspect = "too fast";
  run.model.diagnostics.push_back({Severity::warning, "a.cu", 1, 2, "code", "message", "hint"});
  device::Trace trace;
  device::TraceStep step;
  step.file = "softmax.cu";
  step.line = 7;
  step.instruction = "add.u32";
  step.values.push_back({"%r1", "u32", "5"});
  step.access = device::WarpAccess{};
  step.access->space = "global";
  step.access->lanes[3] = 256;
  trace.steps.push_back(step);
  run.trace = trace;
  return run;
}

/// What is written from other members.
void without_derived(Json& run) {
  if (!run.contains("resources") || !run["resources"].is_object()) return;
  run["resources"].erase("occupancy");
  run["resources"].erase("spill_bytes");
}

/// Without the parts of sentences, and without members that hold nothing: null, "", or an object that holds
/// nothing.
Json bare(const Json& json) {
  Json result = json;
  if (json.is_array())
    for (Json& element : result) element = bare(element);
  if (!json.is_object()) return result;
  result = Json::object();
  for (const auto& [name, value] : json.items()) {
    if (name.ends_with("_parts")) continue;
    const Json kept = bare(value);
    if (!kept.is_null() && kept != "" && !(kept.is_object() && kept.empty())) result[name] = kept;
  }
  return result;
}

void expect_no_silent_change(const Json& original) {
  ASSERT_TRUE(run_from_json(original)) << run_from_json(original).error().message;
  for (const Place& place : places_of(original)) {
    // Parts of a sentence that do not spell it are dropped: the sentence itself is what counts.
    if (place.path.find("_parts") != std::string::npos) continue;
    if (place.path == "resources.occupancy" || place.path == "resources.spill_bytes") continue;
    for (const Json& wrong : nonsense()) {
      Json mutated = original;
      mutated[place.at] = wrong;
      if (mutated == original) continue;
      const Result<Run> read = run_from_json(mutated);
      if (read) {
        Json kept = to_json(*read, true);
        for (Json* json : {&kept, &mutated}) without_derived(*json);
        // Of an object whose members nobody knows nothing is kept.
        if (wrong == Json{{"a", 1}} && original[place.at].is_object() && place.path != "environment" &&
            !place.path.ends_with("counters") && place.path != "axes")
          mutated[place.at] = Json::object();
        EXPECT_EQ(bare(kept), bare(mutated))
            << place.path << " = " << wrong << ": " << Json::diff(bare(mutated), bare(kept));
      } else {
        const std::string& message = read.error().message.english();
        const bool named =
            message.find(place.path) != std::string::npos ||
            message.find(place.path.substr(0, place.path.find_last_of(".["))) != std::string::npos ||
            read.error().code == "unknown_word" || read.error().code == "not_a_run";
        EXPECT_TRUE(named) << place.path << " = " << wrong << ": " << message;
      }
    }
  }
}

TEST(RunMutation, NoMemberOfAWholeRunIsReadAsSomethingElse) {
  expect_no_silent_change(to_json(whole_run(), true));
}

TEST(RunMutation, NoMemberOfAnEmulatorsRunIsReadAsSomethingElse) {
  expect_no_silent_change(to_json(test::emulator_run(), true));
}

TEST(RunMutation, NoMemberOfARecordedRunIsReadAsSomethingElse) {
  auto store = Store::open(fs::path(RIDGE_SOURCE_DIR) / "resources/demo/h200.ridge");
  ASSERT_TRUE(store) << store.error().message;
  Diagnostics damaged;
  const auto runs = (*store)->runs(&damaged);
  ASSERT_TRUE(runs) << runs.error().message;
  EXPECT_TRUE(damaged.empty()) << damaged[0].message;
  ASSERT_FALSE(runs->empty());
  expect_no_silent_change(to_json(runs->front(), true));
}

/// The shape of the member at `path`; null when the shape knows of none.
const Shape* shape_at(const Shape& shape, const Json::json_pointer& at) {
  const Shape* current = &shape;
  std::string text = at.to_string();
  for (std::size_t begin = 1; begin <= text.size() && current != nullptr;) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    const std::string token = text.substr(begin, end - begin);
    begin = end + 1;
    if (current->element() != nullptr) {
      current = current->element();
      continue;
    }
    const auto& members = current->members();
    const auto found =
        std::find_if(members.begin(), members.end(), [&](const auto& entry) { return entry.first == token; });
    current = found == members.end() ? nullptr : &found->second;
  }
  return current;
}

TEST(RunMutation, NoMissingNumberIsReadAsZero) {
  const Json original = to_json(whole_run(), true);
  for (const Place& place : places_of(original)) {
    if (!original[place.at].is_number() || place.path.ends_with(']')) continue;
    Json lacking = original;
    lacking[place.at.parent_pointer()].erase(place.at.back());
    const auto read = run_from_json(lacking);
    if (!read) continue;
    const Json kept = to_json(*read, true);
    const bool told =
        !kept.contains(place.at) || kept[place.at].is_null() || kept[place.at] == original[place.at];
    EXPECT_TRUE(told) << place.path << " is " << kept[place.at];
  }
}

TEST(RunMutation, TheShapeKnowsEveryMemberThatIsWritten) {
  const Json json = to_json(whole_run(), true);
  for (const Place& place : places_of(json))
    EXPECT_NE(shape_at(run_shape(), place.at), nullptr) << place.path;
}

TEST(RunMutation, TheFaultNamesPathValueAndWhatIsExpected) {
  struct Case {
    const char *pointer, *path;
    Json value;
    const char* expected;
  };
  const std::vector<Case> cases{
      {"/model/flops", "model.flops", "abc", "a finite number of at least 0"},
      {"/axes", "axes", "rows=4", "an object"},
      {"/axes/rows", "axes.rows", "many", "a whole number of at least 0"},
      {"/seed", "seed", -1, "a whole number of at least 0"},
      {"/model/t_sol_us", "model.t_sol_us", -5, "a finite number above 0, or null"},
      {"/model/bound", "model.bound", "luck", "one of 'memory', 'compute', or null"},
      {"/counter_source", "counter_source", "guess", "one of 'emulator', 'cupti', or null"},
      {"/timing/cold/source", "timing.cold.source", "watch", "one of 'activity', 'event', 'host'"},
      {"/timing/cold/n", "timing.cold.n", 7, "3 numbers"},
      {"/timing/cold/q1_us", "timing.cold", 1000, "quartiles"}};
  for (const Case& one : cases) {
    Json json = to_json(whole_run(), true);
    json[Json::json_pointer(one.pointer)] = one.value;
    const auto run = run_from_json(json);
    ASSERT_FALSE(run) << one.path;
    EXPECT_NE(run.error().message.english().find(one.path), std::string::npos) << run.error().message;
    EXPECT_NE(run.error().message.english().find(one.expected), std::string::npos) << run.error().message;
  }
  Json lacking = to_json(whole_run(), true);
  lacking["timing"]["cold"].erase("median_us");
  EXPECT_NE(run_from_json(lacking).error().message.english().find("timing.cold.median_us is missing"),
            std::string::npos);
}

/// A session of two runs after `statement` was executed in it behind the program's back.
struct Altered {
  explicit Altered(const std::string& statement) {
    const fs::path file = folder / "altered.ridge";
    {
      auto store = Store::open_for_writing(file);
      EXPECT_TRUE(store);
      EXPECT_TRUE((*store)->add(test::gpu_run()));
      EXPECT_TRUE((*store)->add(test::gpu_run("other")));
    }
    {
      SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
      EXPECT_GT(database.exec(statement), 0) << statement;
    }
    auto store = Store::open(file);
    EXPECT_TRUE(store);
    auto read = (*store)->runs(&said);
    EXPECT_TRUE(read) << statement;
    if (read) runs = *std::move(read);
  }
  test::TemporaryFolder folder;
  std::vector<Run> runs;
  Diagnostics said;
};

TEST(SessionMutation, ARunWithAWrongMemberIsLeftOutByItsName) {
  const Altered session("UPDATE runs SET document = json_set(document, '$.model.flops', 'abc') WHERE id = 1");
  ASSERT_EQ(session.runs.size(), 1u);
  EXPECT_EQ(session.runs[0].kernel, "other");
  ASSERT_EQ(session.said.size(), 1u);
  for (const char* part : {"altered.ridge", "run 1", "model.flops", "abc"})
    EXPECT_NE(session.said[0].message.english().find(part), std::string::npos) << session.said[0].message;
}

TEST(SessionMutation, WhatDoesNotFitBesideARunIsLeftOutOfItAndSaid) {
  struct Case {
    const char* statement;
    const char* said;
  };
  const std::vector<Case> cases{
      {"UPDATE samples SET data = substr(data, 1, 15) WHERE run_id = 1 AND quantity = 'us'", "15 bytes"},
      {"UPDATE samples SET data = substr(data, 1, 16) WHERE run_id = 1 AND quantity = 'us'", "16 bytes"},
      {"UPDATE samples SET data = 'text' WHERE run_id = 1 AND quantity = 'us'", "no blob"},
      {"UPDATE samples SET data = x'000000000000f8ff000000000000f8ff000000000000f8ff' "
       "WHERE run_id = 1 AND quantity = 'us'",
       "no time"},
      {"UPDATE samples SET series = 'tepid' WHERE run_id = 1 AND quantity = 'us'", "tepid"},
      {"UPDATE samples SET quantity = 'joule' WHERE run_id = 1 AND quantity = 'us'", "joule"}};
  for (const Case& one : cases) {
    const Altered session(one.statement);
    ASSERT_EQ(session.runs.size(), 2u) << one.statement;
    ASSERT_EQ(session.said.size(), 1u) << one.statement;
    EXPECT_NE(session.said[0].message.english().find(one.said), std::string::npos) << session.said[0].message;
    EXPECT_NE(session.said[0].message.english().find("Run 1"), std::string::npos) << session.said[0].message;
    EXPECT_TRUE(session.runs[0].timing->cold->samples_us.empty()) << one.statement;
    EXPECT_EQ(session.runs[0].timing->cold->median_us, 12.5) << "what was right stays";
    EXPECT_EQ(session.runs[1].timing->cold->samples_us.size(), 3u);
  }
  const std::vector<Case> columns{
      {"UPDATE runs SET baseline = 'yes' WHERE id = 1", "baseline is 'yes'"},
      {"UPDATE runs SET baseline = 7 WHERE id = 1", "baseline is '7'"},
      {"UPDATE runs SET notes = x'00ff' WHERE id = 1", "notes are no text"},
      {"UPDATE runs SET source_hash = NULL, ptx_hash = 'gone' WHERE id = 1", "PTX is missing"},
      {"UPDATE runs SET time = '2001' WHERE id = 1", "column time holds '2001'"},
      {"UPDATE runs SET problem = 'chess' WHERE id = 1", "column problem holds 'chess'"},
      {"UPDATE runs SET workload = 'huge' WHERE id = 1", "column workload holds 'huge'"},
      {"UPDATE runs SET axes = '[' WHERE id = 1", "column axes holds '['"},
      {"UPDATE runs SET device = 'abacus' WHERE id = 1", "column device holds 'abacus'"},
      {"UPDATE runs SET kernel = 'k' WHERE id = 1", "column kernel holds 'k'"},
      {"UPDATE runs SET status = 'pass or so' WHERE id = 1", "column status holds 'pass or so'"}};
  for (const Case& one : columns) {
    const Altered session(one.statement);
    ASSERT_EQ(session.runs.size(), 2u) << one.statement;
    ASSERT_EQ(session.said.size(), 1u) << one.statement;
    EXPECT_NE(session.said[0].message.english().find(one.said), std::string::npos) << session.said[0].message;
    EXPECT_FALSE(session.runs[0].baseline);
  }
}

TEST(SessionMutation, AnotherTextUnderTheHashOfASourceIsNotShownAsIt) {
  const Altered session(
      "UPDATE sources SET text = CAST('another' AS BLOB) WHERE instr(text, CAST('softmax_online' AS BLOB))");
  ASSERT_EQ(session.runs.size(), 2u);
  ASSERT_EQ(session.said.size(), 2u);
  EXPECT_NE(session.said[0].message.english().find("source text is not what was saved"), std::string::npos);
  EXPECT_EQ(session.runs[0].source.text, "");
}

}  // namespace
}  // namespace ridge::session
