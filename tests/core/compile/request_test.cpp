// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "compile/compile.h"

namespace ridge::compile {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

class RequestTest : public testing::Test {
 protected:
  RequestTest() { source_.directives.launches.resize(1); }
  source::KernelSource source_;
  source::PreparedSource prepared_;
};

TEST_F(RequestTest, NamesTheKernelsOfTheLaunches) {
  source_.directives.launches = {{}, {}, {}};
  source_.directives.launches[0].kernel = {" k<256> ", 1};
  source_.directives.launches[1].kernel = {"j", 2};
  source_.directives.launches[2].kernel = {"k<256>", 3};
  EXPECT_EQ(request_for(source_, prepared_, "sm_90a").name_expressions,
            (std::vector<std::string>{"k<256>", "j"}));
  EXPECT_EQ(request_for(source_, prepared_, "sm_90a", {}, "k<64>").name_expressions,
            (std::vector<std::string>{"k<64>", "j", "k<256>"}));
}

TEST_F(RequestTest, TheOnlyKernelIsAskedForByName) {
  prepared_.kernels.push_back({"(anonymous)::invert", 1, {}, {}, false});
  EXPECT_EQ(request_for(source_, prepared_, "sm_90a").name_expressions, (std::vector<std::string>{"invert"}));
  prepared_.kernels.push_back({"other", 1, {}, {}, false});
  EXPECT_TRUE(request_for(source_, prepared_, "sm_90a").name_expressions.empty());
  prepared_.kernels = {{"t", 1, {}, {"int B"}, false}};
  EXPECT_TRUE(request_for(source_, prepared_, "sm_90a").name_expressions.empty());
}

TEST_F(RequestTest, DefinesOverrideTheTunersDefaults) {
  source_.directives.tune = {{"BLOCK", {"128", "256"}, 1}, {"VEC", {"1", "2"}, 2}};
  source_.directives.defines = {{"VEC", "4", 3}, {"MODE", "x", 4}};
  EXPECT_EQ(request_for(source_, prepared_, "sm_90a", {{"MODE", "y"}, {"NEW", ""}}).defines,
            (Pairs{{"BLOCK", "128"}, {"VEC", "4"}, {"MODE", "y"}, {"NEW", ""}}));
}

TEST_F(RequestTest, TheDirectivesArchAndOptionsAreUsed) {
  source_.directives.arch = {"sm_100a", 1};
  source_.directives.options = {"--use_fast_math  -I\"a b\" -DX='p q' \"\"", 2};
  const CompileRequest request = request_for(source_, prepared_, "sm_90a");
  EXPECT_EQ(request.arch, "sm_100a");
  EXPECT_EQ(request.options, (std::vector<std::string>{"--use_fast_math", "-Ia b", "-DX=p q", ""}));
  source_.directives.arch = {};
  EXPECT_EQ(request_for(source_, prepared_, "sm_90a").arch, "sm_90a");
}

TEST_F(RequestTest, PtxHasNoNamesToLookUp) {
  prepared_.language = source::Language::ptx;
  source_.directives.launches[0].kernel = {"k", 1};
  EXPECT_TRUE(request_for(source_, prepared_, "sm_90a").name_expressions.empty());
}

}  // namespace
}  // namespace ridge::compile
