// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "core/session/sample_run.h"
#include "session/run.h"

namespace ridge::session {
namespace {

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> names;
  for (const auto& [key, value] : json.items()) names.push_back(key);
  return names;
}

TEST(RunJson, ShortFormHasTheMembersOfTheContract) {
  EXPECT_EQ(
      keys(to_json(test::gpu_run(), false)),
      (std::vector<std::string>{"problem", "workload", "axes", "seed", "kernel", "verdict", "timing", "model",
                                "counters", "counter_source", "lines", "resources", "environment"}));
  EXPECT_EQ(keys(to_json(test::gpu_run(), false)["resources"]),
            (std::vector<std::string>{"registers", "shared_bytes", "spill_bytes", "occupancy"}));
}

TEST(RunJson, ShortFormHoldsValues) {
  const Json json = to_json(test::gpu_run(), false);
  EXPECT_EQ(json["axes"], (Json{{"cols", 1000}, {"rows", 127}}));
  EXPECT_EQ(json["seed"], "18446744073709551615");
  EXPECT_EQ(json["resources"]["spill_bytes"], 24);
  EXPECT_EQ(json["resources"]["occupancy"], 0.75);
  EXPECT_EQ(json["timing"]["cold"]["median_us"], 12.5);
  EXPECT_EQ(json["timing"]["cold"]["n"], 3);
  EXPECT_EQ(json["model"]["bound"], "memory");
  EXPECT_EQ(json["counters"]["dram_bytes"], 1016000);
  EXPECT_EQ(json["counter_source"], "cupti");
  EXPECT_EQ(json["lines"][0]["line"], 7);
}

TEST(RunJson, UnknownIsNullNeverZero) {
  const Json json = to_json(session::Run{}, false);
  for (const char* key : {"timing", "counters", "counter_source", "resources"})
    EXPECT_TRUE(json[key].is_null()) << key;
  EXPECT_TRUE(to_json(test::emulator_run(), false)["timing"].is_null());
  EXPECT_TRUE(to_json(test::emulator_run(), false)["model"]["sol_percent"].is_null());
}

TEST(RunJson, OccupancyAloneLeavesResourcesNull) {
  session::Run run = test::gpu_run();
  run.resources.reset();
  const Json json = to_json(run, true);
  EXPECT_TRUE(json["resources"]["registers"].is_null());
  EXPECT_EQ(json["resources"]["occupancy"], 0.75);
  const auto back = run_from_json(json);
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->resources.has_value());
  EXPECT_EQ(back->occupancy->limiter, "registers");
}

TEST(RunJson, FullFormRoundTripsWithoutLoss) {
  for (const session::Run& run : {test::gpu_run(), test::emulator_run(), session::Run{}}) {
    const Json once = to_json(run, true);
    const auto back = run_from_json(once);
    ASSERT_TRUE(back);
    EXPECT_EQ(dump(to_json(*back, true)), dump(once));
  }
}

TEST(RunJson, FullFormKeepsWhatTheShortOneDrops) {
  const auto back = run_from_json(to_json(test::gpu_run(), true));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->source.text, "__global__ void softmax_online() {}\n");
  EXPECT_EQ(back->timing->cold->samples_us, (std::vector<double>{12, 12.5, 13.5}));
  EXPECT_EQ(back->timing->cold->sm_mhz, (std::vector<double>{1980, 1980, 1965}));
  EXPECT_EQ(back->defines.size(), 2u);
  EXPECT_EQ(back->defines[1].second, "8");
  EXPECT_EQ(back->seed, 18446744073709551615u);
  EXPECT_EQ(back->device.uuid, "GPU-1");
  EXPECT_EQ(back->resources->spill_load_bytes, 16);
  EXPECT_EQ(back->notes, "first try");
}

TEST(RunJson, TextThatIsNotUtf8KeepsItsBytes) {
  session::Run run = test::gpu_run();
  run.source.text = "// caf\xe9 \xff\xfe\n";
  run.output = std::string("\0\xc0\x80", 3);
  const std::string wire = dump(to_json(run, true));
  const auto json = parse_json(wire);
  ASSERT_TRUE(json);
  const auto back = run_from_json(*json);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->source.text, run.source.text);
  EXPECT_EQ(back->output, run.output);
}

TEST(RunJson, BytesThatAreNotUtf8InANameDoNotThrow) {
  session::Run run = test::gpu_run("kernel\xff");
  EXPECT_NE(dump(to_json(run, false)).find("kernel\xef\xbf\xbd"), std::string::npos);
}

TEST(RunJson, MembersOfANewerReleaseAreKept) {
  Json json = to_json(test::gpu_run(), true);
  json["energy"] = Json{{"joules", 3.5}};
  const auto back = run_from_json(json);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_json(*back, true)["energy"]["joules"], 3.5);
}

TEST(RunJson, WordsOfANewerReleaseAreRefusedByName) {
  session::Run run = test::gpu_run();
  run.verdict.findings = {{verify::Status::race, "two threads", "k.cu", 3, {}, {}, 1}};
  run.verdict.error_maps.push_back({"y", 1, 1, 1, 1, {1}});
  run.model.derived = run.model.datasheet;
  const Json sound = to_json(run, true);
  ASSERT_TRUE(run_from_json(sound));
  for (const char* place :
       {"/verdict/status", "/verdict/findings/0/status", "/verdict/error_maps/0/kind", "/device/kind",
        "/model/ceilings/0/source", "/model/bases/derived/ceilings/0/source"}) {
    Json newer = sound;
    ASSERT_TRUE(newer.contains(Json::json_pointer(place))) << place;
    newer[Json::json_pointer(place)] = "splendid";
    const auto back = run_from_json(newer);
    ASSERT_FALSE(back) << place;
    EXPECT_EQ(back.error().code, "unknown_word") << place;
    EXPECT_NE(back.error().message.english().find("'splendid'"), std::string::npos) << back.error().message;
  }
}

TEST(RunJson, WhatIsNoRunIsRefused) {
  for (const Json& json : {Json(), Json(3), Json::array(), Json::object(), Json{{"problem", "x"}},
                           Json{{"problem", 7}, {"verdict", Json::object()}}}) {
    const auto run = run_from_json(json);
    ASSERT_FALSE(run) << json;
    EXPECT_EQ(run.error().code, "not_a_run");
  }
}

TEST(RunJson, WhatIsNoTextListOrObjectIsRefusedByItsPath) {
  for (const char* path :
       {"axes", "timing", "source", "defines", "device", "lines", "environment", "resources", "model"}) {
    Json json = to_json(test::gpu_run(), true);
    json[path] = 4;
    const auto run = run_from_json(json);
    ASSERT_FALSE(run) << path;
    EXPECT_EQ(run.error().message.english().find(path), 0u) << run.error().message;
  }
}

TEST(DocumentJson, HasTheMembersOfTheContract) {
  Document document;
  document.device = test::gpu_run().device;
  document.runs = {test::gpu_run()};
  document.diagnostics = {{Severity::warning, "k.cu", 3, 1, "unknown_key", "no key 'gird'", "write grid"}};
  source::Question question;
  question.kind = "kernel";
  document.questions = {question};
  const Json json = to_json(document);
  EXPECT_EQ(keys(json),
            (std::vector<std::string>{"protocol", "tool", "device", "questions", "diagnostics", "runs"}));
  EXPECT_EQ(json["protocol"], 1);
  EXPECT_TRUE(json["tool"]["version"].is_string());
  EXPECT_EQ(json["device"]["kind"], "cuda");
  EXPECT_EQ(json["diagnostics"][0]["line"], 3);
  EXPECT_EQ(json["questions"].size(), 1u);
  EXPECT_FALSE(json["runs"][0].contains("source"));
}

}  // namespace
}  // namespace ridge::session
