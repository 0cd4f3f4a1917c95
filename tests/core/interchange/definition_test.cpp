// SPDX-License-Identifier: GPL-3.0-or-later
#include "interchange/definition.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "base/files.h"
#include "interchange/solution.h"

namespace ridge::interchange {
namespace {
namespace fs = std::filesystem;

const fs::path kInputs = fs::path(RIDGE_SOURCE_DIR) / "tests" / "inputs" / "definitions";

Json expectations() {
  const auto text = read_file(kInputs / "expected.json");
  return text ? Json::parse(*text, nullptr, false) : Json{};
}

/// Every folder of expected.json: what it accepts is accepted, and each fault is named with file, line and
/// words.
class Expected : public ::testing::TestWithParam<std::string> {};

TEST_P(Expected, Outcome) {
  Json expected;
  const Json all = expectations();
  for (const Json& entry : member(all, "json"))
    if (entry["folder"] == GetParam()) expected = entry;
  ASSERT_FALSE(expected.is_null());
  const Import import = import_definition(kInputs / GetParam());
  std::string said;
  for (const Diagnostic& diagnostic : import.diagnostics) said += format(diagnostic) + '\n';
  EXPECT_EQ(import.problem.has_value(), expected["accepted"].get<bool>()) << said;
  EXPECT_EQ(import.diagnostics.empty(), expected["accepted"].get<bool>()) << said;
  for (const Json& fault : member(expected, "faults")) {
    bool found = false;
    for (const Diagnostic& diagnostic : import.diagnostics) {
      if (diagnostic.line != fault["line"].get<int>()) continue;
      if (fs::path(diagnostic.file).filename() != fault["file"].get<std::string>()) continue;
      const std::string text = diagnostic.message.english() + ' ' + diagnostic.hint.english();
      found = true;
      for (const Json& word : fault["names"])
        found = found && text.find(word.get<std::string>()) != std::string::npos;
      if (found) break;
    }
    EXPECT_TRUE(found) << fault.dump() << "\nsaid:\n" << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Definitions, Expected,
                         ::testing::Values("sol_rmsnorm", "fib_rmsnorm", "sol_bad_workloads",
                                           "sol_bad_definition", "sol_run_mismatch", "sol_bad_solution",
                                           "sol_trailing_comma"),
                         [](const auto& one) { return one.param; });

TEST(Expected, EveryJsonFolderIsTested) {
  EXPECT_EQ(expectations()["json"].size(), 7u);
}

TEST(Definition, ReadsTheProblem) {
  const Import import = import_definition(kInputs / "sol_rmsnorm");
  ASSERT_TRUE(import.problem.has_value());
  const problem::Problem& problem = *import.problem;
  EXPECT_EQ(problem.name, "rmsnorm_small_h256");
  ASSERT_EQ(problem.axes.size(), 2u);
  EXPECT_EQ(problem.axes[1].value, 256);
  ASSERT_EQ(problem.inputs.size(), 2u);
  EXPECT_EQ(problem.inputs[0].shape, (std::vector<std::string>{"tokens", "hidden"}));
  EXPECT_EQ(problem.inputs[1].dtype, DType::bfloat16);
  ASSERT_EQ(problem.scalars.size(), 1u);
  EXPECT_EQ(problem.scalars[0].name, "eps");
  ASSERT_EQ(problem.workloads.size(), 3u);
  EXPECT_EQ(problem.workloads[2].axes.at("tokens"), 4096);
  EXPECT_EQ(problem.workloads[0].scalars.at("eps"), "1e-06");
  ASSERT_EQ(import.solutions.size(), 1u);
  EXPECT_EQ(import.solutions[0].entry_file, "rmsnorm.cu");
  EXPECT_EQ(import.solutions[0].entry_function, "run");
}

TEST(Definition, AWorkloadsScalarReachesTheBoundProblem) {
  const Import import = import_definition(kInputs / "sol_rmsnorm");
  ASSERT_TRUE(import.problem.has_value());
  const problem::Bound bound = problem::bind(*import.problem, import.problem->workloads[1]);
  ASSERT_TRUE(bound.problem.has_value());
  ASSERT_EQ(bound.problem->scalars.size(), 1u);
  EXPECT_EQ(bound.problem->scalars[0].value, 1e-6);
}

TEST(Definition, KeepsTheJsonWhole) {
  const Import import = import_definition(kInputs / "fib_rmsnorm");
  const auto text = read_file(kInputs / "fib_rmsnorm/definitions/rmsnorm/rmsnorm_small_h256_fib.json");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(import.definition, Json::parse(*text));
  EXPECT_EQ(import.workloads.size(), 2u);
}

TEST(Definition, TracesAreForeignRuns) {
  const Import import = import_definition(kInputs / "fib_rmsnorm");
  ASSERT_EQ(import.runs.size(), 2u);
  EXPECT_EQ(import.runs[0].status, hardware::Status::wrong_values);
  EXPECT_TRUE(std::isinf(import.runs[0].max_rel.value_or(0)));
  EXPECT_FALSE(import.runs[0].latency_us.has_value());
  EXPECT_EQ(import.runs[1].status, hardware::Status::pass);
  EXPECT_DOUBLE_EQ(import.runs[1].latency_us.value_or(0), 3.1);
  EXPECT_EQ(import.runs[1].hardware, "NVIDIA_H200");
}

TEST(Definition, AVerdictThatIsNoneOfOursKeepsItsWord) {
  const fs::path folder = fs::path(testing::TempDir()) / ("ridge_foreign_" + std::to_string(::getpid()));
  fs::copy(kInputs / "fib_rmsnorm", folder, fs::copy_options::recursive);
  for (const auto& entry : fs::recursive_directory_iterator(folder / "traces")) {
    if (!entry.is_regular_file()) continue;
    std::string text = *read_file(entry.path());
    if (const std::size_t at = text.find("\"PASSED\""); at != std::string::npos)
      text.replace(at, 8, "\"SPLENDID\"");
    ASSERT_TRUE(write_file(entry.path(), text));
  }
  const Import import = import_definition(folder);
  fs::remove_all(folder);
  ASSERT_EQ(import.runs.size(), 2u);
  EXPECT_FALSE(import.runs[1].status);
  EXPECT_EQ(import.runs[1].status_text, "SPLENDID");
}

TEST(Definition, IsRecognised) {
  EXPECT_TRUE(is_definition(kInputs / "sol_rmsnorm"));
  EXPECT_TRUE(is_definition(kInputs / "fib_rmsnorm"));
  EXPECT_TRUE(is_definition(kInputs / "fib_rmsnorm/definitions/rmsnorm/rmsnorm_small_h256_fib.json"));
  EXPECT_FALSE(is_definition(kInputs / "good_row_scale"));
  EXPECT_FALSE(is_definition(kInputs / "expected.json"));
}

TEST(Definition, NothingThereIsOneSentence) {
  const Import import = import_definition(kInputs / "good_row_scale");
  EXPECT_FALSE(import.problem.has_value());
  ASSERT_EQ(import.diagnostics.size(), 1u);
  EXPECT_NE(import.diagnostics[0].message.english().find("no definition.json"), std::string::npos);
}

TEST(SolutionPaths, StayInside) {
  for (const char* good : {"a.cu", "src/a.cu", "./a.cu", "src/../a.cu"})
    EXPECT_TRUE(stays_inside(good)) << good;
  for (const char* bad : {"", "/etc/passwd", "../a.cu", "src/../../a.cu", "..\\a.cu", "."})
    EXPECT_FALSE(stays_inside(bad)) << bad;
}

}  // namespace
}  // namespace ridge::interchange
