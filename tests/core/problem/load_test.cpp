// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <filesystem>

#include <fstream>

#include "problem/problem.h"

namespace ridge::problem {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;

/// A problem with one input, one output and one workload; `inside` goes before the workloads.
std::string problem_with(const std::string& inside, const std::string& workload = "axes = { n = 4 }") {
  return "[problem]\nname = \"p\"\n[axes]\nn = { kind = \"var\" }\n[[inputs]]\nname = \"x\"\ndtype = "
         "\"float32\"\n"
         "shape = [\"n\"]\n" +
         inside +
         "\n[[outputs]]\nname = \"y\"\ndtype = \"float32\"\nshape = [\"n\"]\n"
         "[[workloads]]\nname = \"small\"\n" +
         workload + "\n";
}

LoadedProblem parse(const std::string& text) {
  return parse_problem(text, "", "problem.toml");
}

auto says(int line, const std::string& words) {
  return Contains(
      AllOf(Field(&Diagnostic::line, line),
            Field(&Diagnostic::message, testing::Property(&Sentence::english, HasSubstr(words)))));
}

/// A folder that goes away with the test.
struct Scratch {
  fs::path path = fs::path(testing::TempDir()) / ("ridge_load_" + std::to_string(::getpid()));
  Scratch() { fs::create_directories(path); }
  ~Scratch() { fs::remove_all(path); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
};

TEST(LoadProblem, ReadsWhatTheFileSays) {
  const LoadedProblem loaded =
      parse(problem_with("init = { kind = \"normal\", mean = 0.1, std = 2, sprinkle = { value = nan, every = "
                         "97, offset = 5 } }\n"
                         "[verify]\nmse = 1e-6\nrtol = 1e-3\n[model]\nflops = 12\nunit = \"bf16\""));
  ASSERT_TRUE(loaded.problem) << format(loaded.diagnostics.at(0));
  const Problem& problem = *loaded.problem;
  EXPECT_EQ(problem.inputs[0].init.mean, "0.1");
  EXPECT_EQ(problem.inputs[0].init.std, "2");
  ASSERT_TRUE(problem.inputs[0].init.sprinkle);
  EXPECT_EQ(problem.inputs[0].init.sprinkle->every, 97);
  EXPECT_EQ(problem.flops, "12");
  EXPECT_EQ(problem.unit, hardware::Unit::bf16);
  EXPECT_EQ(problem.verify.rtol, 1e-3);
  EXPECT_FALSE(problem.verify.atol);
  EXPECT_EQ(problem.reference.kind, ReferenceKind::none);
}

TEST(LoadProblem, TitlesFollowTheLanguage) {
  const Text title{"Row softmax", "按行 softmax"};
  EXPECT_EQ(title.in("zh_CN"), "按行 softmax");
  EXPECT_EQ(title.in("de_DE"), "Row softmax");
  EXPECT_EQ((Text{"Only", ""}).in("zh_CN"), "Only");
}

TEST(LoadProblem, IntegersAreNotNormalByDefault) {
  const LoadedProblem loaded =
      parse(problem_with("[[inputs]]\nname = \"i\"\ndtype = \"int32\"\nshape = [3]"));
  ASSERT_TRUE(loaded.problem);
  EXPECT_EQ(loaded.problem->inputs[1].init.kind, InitKind::randint);
}

TEST(LoadProblem, FindsFaultsOfInits) {
  EXPECT_THAT(parse(problem_with("init = { kind = \"normal\", low = 0 }")).diagnostics,
              says(9, "no key low"));
  EXPECT_THAT(parse(problem_with("init = { kind = \"normol\" }")).diagnostics, says(9, "normal is meant"));
  EXPECT_THAT(parse(problem_with("init = { kind = \"constant\", value = inf }")).diagnostics,
              says(9, "not finite"));
  EXPECT_THAT(parse(problem_with("init = { kind = \"uniform\", low = 1, high = 1 }")).diagnostics,
              says(6, "low must be below high"));
  EXPECT_THAT(parse(problem_with("init = { kind = \"normal\", std = \"0 - n\" }")).diagnostics,
              says(6, "std is negative"));
  EXPECT_THAT(parse(problem_with("init = { kind = \"file\", file = \"../x.npy\" }")).diagnostics,
              says(9, "../x.npy"));
  EXPECT_THAT(
      parse(problem_with("init = { kind = \"normal\", sprinkle = { value = 1, every = 0 } }")).diagnostics,
      says(9, "offset < every"));
  EXPECT_THAT(parse(problem_with("[[inputs]]\nname = \"b\"\ndtype = \"int8\"\nshape = []\n"
                                 "init = { kind = \"randint\", low = 0, high = 300 }"))
                  .diagnostics,
              says(10, "int8 does not hold"));
}

TEST(LoadProblem, FindsFaultsOfScalars) {
  const auto scalar = [](const std::string& dtype, const std::string& value) {
    return parse(problem_with("[[scalars]]\nname = \"s\"\ndtype = \"" + dtype + "\"\nvalue = " + value))
        .diagnostics;
  };
  EXPECT_TRUE(scalar("float32", "0.125").empty());
  EXPECT_TRUE(scalar("bool", "true").empty());
  EXPECT_THAT(scalar("int32", "0.5"), says(10, "0.5 does not fit into int32"));
  EXPECT_THAT(scalar("uint8", "256"), says(10, "256 does not fit into uint8"));
  EXPECT_THAT(scalar("float16", "1e9"), says(10, "does not fit into float16"));
  EXPECT_THAT(scalar("float32", "\"1/(n-4)\""), says(10, "infinite"));
}

TEST(LoadProblem, NamesMustBeIdentifiers) {
  EXPECT_THAT(parse(problem_with("[[scalars]]\nname = \"2x\"\ndtype = \"float32\"\nvalue = 1")).diagnostics,
              says(10, "2x"));
  EXPECT_THAT(parse(problem_with("[[workloads]]\nname = \"a/b\"\naxes = { n = 1 }")).diagnostics,
              says(10, "a/b"));
}

TEST(LoadProblem, AnOutputStartsFromAnInputOfItsKind) {
  const auto output = [](const std::string& dtype, const std::string& from) {
    return parse(problem_with("[[outputs]]\nname = \"z\"\ndtype = \"" + dtype +
                              "\"\nshape = [\"n\"]\nfrom = \"" + from + "\""))
        .diagnostics;
  };
  EXPECT_TRUE(output("float32", "x").empty());
  EXPECT_THAT(output("float32", "xx"), says(13, "no input xx"));
  EXPECT_THAT(output("int32", "x"), says(13, "int32"));
}

TEST(LoadProblem, RepeatedKeysDoNotHideLaterFaults) {
  const Diagnostics found = parse(problem_with("dtype = \"float16\"\n[verify]\nmsee = 1")).diagnostics;
  EXPECT_THAT(found, says(9, "dtype is given twice (first in line 7)"));
  EXPECT_THAT(found, says(11, "mse is meant"));
}

TEST(LoadProblem, TextThatIsNotTomlEndsInOneSentence) {
  for (const std::string text :
       {"[problem", "= 3", "a = \"\xff\"", "a = [1,", "\x01", "[[axes]]\n[axes]\n"}) {
    const LoadedProblem loaded = parse(text);
    EXPECT_FALSE(loaded.problem) << text;
    EXPECT_FALSE(loaded.diagnostics.empty()) << text;
  }
  EXPECT_FALSE(parse(std::string("a = ") + std::string(100000, '[')).problem);
  EXPECT_THAT(parse("").diagnostics, says(1, "[problem]"));
}

TEST(LoadProblem, LongChainsOfAxesNeitherRecurseNorHang) {
  std::string axes;
  for (int i = 0; i < 3000; ++i)
    axes += "a" + std::to_string(i) + " = { kind = \"expr\", expression = \"a" +
            std::to_string((i + 1) % 3000) + "\" }\n";
  const LoadedProblem loaded = parse("[problem]\nname = \"p\"\n[axes]\n" + axes);
  EXPECT_FALSE(loaded.problem);
  EXPECT_THAT(loaded.diagnostics, says(4, "a0 needs a1"));
}

TEST(LoadProblem, AReferenceBehindALinkThatLeadsOutEscapes) {
  const Scratch folder;
  folder.write("outside.cu", "");
  folder.write("p/problem.toml", problem_with("[reference]\nkind = \"cuda\"\nfile = \"link.cu\""));
  fs::create_symlink("../outside.cu", folder.path / "p/link.cu");
  const LoadedProblem loaded = load_problem(folder.path / "p");
  EXPECT_FALSE(loaded.problem);
  EXPECT_THAT(loaded.diagnostics, says(11, "link.cu"));
}

TEST(LoadProblem, ThePythonFileThatIsNamedIsTheOneThatIsBound) {
  const Scratch folder;
  folder.write("p/good.py", "");
  folder.write("p/reference.py", "");
  for (const auto& [line, file] :
       {std::pair{"file = \"good.py\"", "good.py"}, std::pair{"", "reference.py"}}) {
    folder.write("p/problem.toml", problem_with(std::string("[reference]\nkind = \"python\"\n") + line));
    const LoadedProblem loaded = load_problem(folder.path / "p");
    ASSERT_TRUE(loaded.problem) << line;
    const Bound bound = bind(*loaded.problem, loaded.problem->workloads.front());
    ASSERT_TRUE(bound.problem);
    EXPECT_EQ(bound.problem->reference_file, file);
    const auto sent = bound_problem_from_json(to_json(*bound.problem));
    ASSERT_TRUE(sent);
    EXPECT_EQ(sent->reference_file, file);
  }
}

TEST(LoadProblem, RecordedResultsMustBeThere) {
  const Scratch folder;
  folder.write("p/problem.toml", problem_with("[reference]\nkind = \"recorded\""));
  EXPECT_THAT(load_problem(folder.path / "p").diagnostics, says(10, "small/y.npy"));
  folder.write("p/small/y.npy", "");
  EXPECT_TRUE(load_problem(folder.path / "p").problem);
}

TEST(LoadProblem, AMissingFolderIsNamed) {
  const LoadedProblem loaded = load_problem("/nowhere/at/all");
  EXPECT_FALSE(loaded.problem);
  ASSERT_EQ(loaded.diagnostics.size(), 1u);
  EXPECT_THAT(loaded.diagnostics[0].message.english(), HasSubstr("/nowhere/at/all"));
}

TEST(FindProblems, ListsFoldersByName) {
  const Scratch folder;
  folder.write("b/problem.toml", "");
  folder.write("a/deeper/problem.toml", "");
  folder.write("c/other.toml", "");
  const std::vector<fs::path> found = find_problems(folder.path);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].filename(), "deeper");
  EXPECT_EQ(found[1].filename(), "b");
  EXPECT_TRUE(find_problems(folder.path / "absent").empty());
}

}  // namespace
}  // namespace ridge::problem
