// SPDX-License-Identifier: GPL-3.0-or-later
// Every problem folder of tests/inputs/definitions gets the outcome that its expected.json states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/json.h"
#include "problem/problem.h"

namespace ridge::problem {
namespace {

namespace fs = std::filesystem;
const fs::path kInputs = fs::path(RIDGE_SOURCE_DIR) / "tests/inputs/definitions";

std::string all(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += "  " + format(diagnostic) + "\n";
  return text;
}

bool answers(const Diagnostic& diagnostic, const Json& fault) {
  const Json names = fault.at("names");
  return fs::path(diagnostic.file).filename() == read_string(fault, "file") &&
         diagnostic.line == read_integer(fault, "line", 0) && diagnostic.severity == Severity::error &&
         std::all_of(names.begin(), names.end(), [&](const Json& name) {
           return diagnostic.message.english().find(name.get<std::string>()) != std::string::npos;
         });
}

/// An entry of expected.json; tests print its folder only.
struct Definition {
  Json entry;
};
void PrintTo(const Definition& definition, std::ostream* out) {
  *out << read_string(definition.entry, "folder");
}

class Definitions : public testing::TestWithParam<Definition> {};

TEST_P(Definitions, GetTheirOutcome) {
  const Json& expected = GetParam().entry;
  const LoadedProblem loaded = load_problem(kInputs / read_string(expected, "folder"));
  // A kernel's own faults (row_scale.cu) are found when it is planned, not when the definition is read.
  std::size_t own = 0;
  for (const Json& fault : expected.at("faults")) {
    if (read_string(fault, "file") != "problem.toml") continue;
    ++own;
    EXPECT_TRUE(std::any_of(loaded.diagnostics.begin(), loaded.diagnostics.end(),
                            [&](const Diagnostic& diagnostic) { return answers(diagnostic, fault); }))
        << fault.dump() << "\nis not among\n"
        << all(loaded.diagnostics);
  }
  EXPECT_EQ(loaded.problem.has_value(), own == 0) << all(loaded.diagnostics);
  for (const Diagnostic& diagnostic : loaded.diagnostics) EXPECT_GT(diagnostic.line, 0) << format(diagnostic);
}

std::vector<Definition> problems() {
  const auto text = read_file(kInputs / "expected.json");
  const auto document = text ? parse_json(*text) : Result<Json>(text.error());
  std::vector<Definition> entries;
  if (document)
    for (const Json& entry : document->at("problems")) entries.push_back({entry});
  return entries;
}

INSTANTIATE_TEST_SUITE_P(Inputs, Definitions, testing::ValuesIn(problems()),
                         [](const auto& test) { return read_string(test.param.entry, "folder"); });

TEST(DefinitionsOfOtherKinds, AreNoProblemFolders) {
  const LoadedProblem loaded = load_problem(kInputs / "sol_rmsnorm");
  EXPECT_FALSE(loaded.problem);
  ASSERT_EQ(loaded.diagnostics.size(), 1u);
  EXPECT_THAT(loaded.diagnostics[0].file, testing::EndsWith("problem.toml"));
}

}  // namespace
}  // namespace ridge::problem
