// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problem/problem.h"

namespace ridge::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// clang-format off
const char* const kText = R"([problem]
name = "mix"
[axes]
rows = { kind = "var" }
cols = { kind = "var" }
width = { kind = "const", value = 64 }
padded = { kind = "expr", expression = "groups * width" }
groups = { kind = "expr", expression = "ceil_div(cols, width) " }
[[scalars]]
name = "scale"
dtype = "float32"
value = "1 / sqrt(width) "
[[inputs]]
name = "x"
dtype = "float32"
shape = ["rows", "cols"]
init = { kind = "uniform", low = -1, high = "width" }
[[inputs]]
name = "acc"
dtype = "float16"
shape = ["rows"]
[[inputs]]
name = "flag"
dtype = "bool"
shape = []
[[outputs]]
name = "y"
dtype = "float32"
shape = ["rows", "padded"]
[[outputs]]
name = "total"
dtype = "float16"
shape = ["rows"]
from = "acc"
[model]
flops = "5*rows*cols"
unit = "fp32"
[verify]
mse = 1e-6
reduction = "cols"
[[workloads]]
name = "ragged"
axes = { rows = 127, cols = 1000 }
seed = 7
[[workloads]]
name = "ints"
axes = { rows = 2, cols = 3 }
large = true
init = { x = { kind = "randint", low = 0, high = 4 } }
)";
// clang-format on

Problem mix() {
  LoadedProblem loaded = parse_problem(kText, "", "problem.toml");
  EXPECT_TRUE(loaded.problem) << (loaded.diagnostics.empty() ? "" : format(loaded.diagnostics[0]));
  return loaded.problem.value_or(Problem{});
}

TEST(Bind, MakesEveryNameANumber) {
  const Problem problem = mix();
  const Bound bound = bind(problem, problem.workloads.at(0));
  ASSERT_TRUE(bound.problem);
  EXPECT_EQ(bound.problem->axes.at("groups"), 16);
  EXPECT_EQ(bound.problem->axes.at("padded"), 1024);
  EXPECT_THAT(bound.problem->outputs[0].extents, ElementsAre(127, 1024));
  EXPECT_EQ(bound.problem->outputs[0].bytes, 127 * 1024 * 4);
  EXPECT_EQ(bound.problem->inputs[0].init.high, 64);
  EXPECT_TRUE(bound.problem->inputs[2].extents.empty());
  EXPECT_EQ(bound.problem->inputs[2].elements, 1);
  EXPECT_EQ(bound.problem->scalars[0].value, 0.125);
  EXPECT_EQ(bound.problem->flops, 5.0 * 127 * 1000);
  EXPECT_EQ(bound.problem->reduction, 1000);
  EXPECT_EQ(bound.problem->seed, 7u);
  EXPECT_EQ(bound.problem->mse, 1e-6);
}

TEST(Bind, CountsAnInPlaceOutputTwiceAndItsSourceNotAgain) {
  const Problem problem = mix();
  const Bound bound = bind(problem, problem.workloads.at(0));
  ASSERT_TRUE(bound.problem);
  EXPECT_EQ(bound.problem->bytes, 4.0 * 127 * 1000 + 1 + 4.0 * 127 * 1024 + 2 * 2.0 * 127);
  EXPECT_EQ(device_bytes(*bound.problem), 4 * 127 * 1000 + 2 * 127 + 1 + 4 * 127 * 1024 + 2 * 127);
}

TEST(Bind, AWorkloadReplacesScalars) {
  std::string text = kText;
  text += "scalars = { scale = \"rows / 4\" }\n";
  const LoadedProblem loaded = parse_problem(text, "", "problem.toml");
  ASSERT_TRUE(loaded.problem) << format(loaded.diagnostics.at(0));
  EXPECT_EQ(bind(*loaded.problem, loaded.problem->workloads.at(1)).problem->scalars[0].value, 0.5);
  EXPECT_EQ(bind(*loaded.problem, loaded.problem->workloads.at(0)).problem->scalars[0].value, 0.125);
  const LoadedProblem unknown =
      parse_problem(std::string(kText) + "scalars = { scalee = 1 }\n", "", "problem.toml");
  EXPECT_FALSE(unknown.problem);
  ASSERT_EQ(unknown.diagnostics.size(), 1u);
  EXPECT_THAT(unknown.diagnostics[0].message.english(), HasSubstr("scalee"));
}

TEST(Bind, AWorkloadReplacesInits) {
  const Problem problem = mix();
  const Bound bound = bind(problem, problem.workloads.at(1));
  ASSERT_TRUE(bound.problem);
  EXPECT_EQ(bound.problem->inputs[0].init.kind, InitKind::randint);
  EXPECT_TRUE(problem.workloads[1].large);
}

TEST(Bind, AxesOfTheCommandLineMakeAWorkloadOfTheirOwn) {
  const Problem problem = mix();
  const Bound bound = bind(problem, problem.workloads.at(0), {{"cols", 65}}, 9);
  ASSERT_TRUE(bound.problem);
  EXPECT_EQ(bound.problem->axes.at("cols"), 65);
  EXPECT_EQ(bound.problem->axes.at("rows"), 127);
  EXPECT_EQ(bound.problem->workload, "cols=65");
  EXPECT_EQ(bound.problem->seed, 9u);
}

TEST(Bind, RefusesAxesThatCannotBeSet) {
  const Problem problem = mix();
  const Bound bound =
      bind(problem, problem.workloads.at(0), {{"colz", 1}, {"width", 32}, {"groups", 2}, {"rows", 0}});
  EXPECT_FALSE(bound.problem);
  ASSERT_EQ(bound.diagnostics.size(), 1u);
  EXPECT_THAT(bound.diagnostics[0].message.english(), HasSubstr("colz is no axis (cols is meant?)"));
  EXPECT_THAT(bound.diagnostics[0].message.english(), HasSubstr("width is constant (64)"));
  EXPECT_THAT(bound.diagnostics[0].message.english(), HasSubstr("groups is computed"));
  EXPECT_THAT(bound.diagnostics[0].message.english(), HasSubstr("rows = 0"));
}

TEST(Bind, RefusesTensorsThatNoDeviceTakes) {
  const Problem problem = mix();
  const Bound bound = bind(problem, problem.workloads.at(0),
                           {{"rows", std::int64_t{1} << 40}, {"cols", std::int64_t{1} << 21}});
  EXPECT_FALSE(bound.problem);
  ASSERT_FALSE(bound.diagnostics.empty());
  EXPECT_THAT(bound.diagnostics[0].message.english(), HasSubstr("do not fit into 63 bits"));
}

TEST(Bind, AnEmptyTensorIsFineWhereTheProblemAllowsIt) {
  std::string text = kText;
  text.insert(text.find("[axes]"), "allow_empty = true\n");
  const LoadedProblem loaded = parse_problem(text, "", "problem.toml");
  ASSERT_TRUE(loaded.problem);
  const Bound bound = bind(*loaded.problem, loaded.problem->workloads[0], {{"rows", 0}});
  ASSERT_TRUE(bound.problem);
  EXPECT_EQ(bound.problem->inputs[0].elements, 0);
  EXPECT_EQ(bound.problem->inputs[0].bytes, 0);
}

TEST(BoundProblemJson, SurvivesTheWire) {
  const Problem problem = mix();
  Bound bound = bind(problem, problem.workloads.at(0));
  ASSERT_TRUE(bound.problem);
  bound.problem->inputs[0].init.sprinkle = Init::Sprinkle{std::numeric_limits<double>::infinity(), 97, 5};
  const Json json = to_json(*bound.problem);
  const auto parsed = parse_json(json.dump());
  ASSERT_TRUE(parsed);
  const auto again = bound_problem_from_json(*parsed);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(to_json(*again), json);
  EXPECT_EQ(again->inputs[0].bytes, bound.problem->inputs[0].bytes);
  EXPECT_EQ(again->outputs[1].from, "acc");
  EXPECT_TRUE(json.at("rtol").is_null());
}

TEST(BoundProblemJson, RefusesGarbage) {
  const Problem problem = mix();
  const Json sound = to_json(*bind(problem, problem.workloads.at(0)).problem);
  EXPECT_FALSE(bound_problem_from_json(Json::array()));
  for (const char* key : {"axes", "inputs", "outputs"}) {
    Json json = sound;
    json.erase(key);
    EXPECT_FALSE(bound_problem_from_json(json)) << key;
  }
  Json json = sound;
  json["inputs"][0]["extents"][0] = -4;
  EXPECT_FALSE(bound_problem_from_json(json));
  json = sound;
  json["inputs"][0]["extents"] = {std::int64_t{1} << 50, std::int64_t{1} << 50};
  EXPECT_FALSE(bound_problem_from_json(json));
  json = sound;
  json["inputs"][0]["dtype"] = "float31";
  EXPECT_FALSE(bound_problem_from_json(json));
}

TEST(BoundProblemJson, WordsOfANewerReleaseAreRefusedByName) {
  const Problem problem = mix();
  const Json sound = to_json(*bind(problem, problem.workloads.at(0)).problem);
  for (const char* place : {"/unit", "/reference", "/inputs/0/init/kind"}) {
    Json json = sound;
    json[Json::json_pointer(place)] = "splendid";
    const auto read = bound_problem_from_json(json);
    ASSERT_FALSE(read) << place;
    EXPECT_NE(read.error().message.english().find("'splendid'"), std::string::npos) << read.error().message;
  }
}

}  // namespace
}  // namespace ridge::problem
