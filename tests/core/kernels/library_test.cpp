// SPDX-License-Identifier: GPL-3.0-or-later
// Every problem of the library is whole: it loads and binds, has the workloads and kernels that a problem
// needs, and its kernels' directives are in order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/kernels/library.h"
#include "problem/expression.h"

namespace ridge::library {
namespace {

using testing::Contains;
using testing::IsSupersetOf;

std::int64_t output_elements(const problem::BoundProblem& bound) {
  std::int64_t elements = 0;
  for (const problem::BoundTensor& output : bound.outputs) elements += output.elements;
  return elements;
}

std::vector<problem::BoundProblem> bind_all(const problem::Problem& problem) {
  std::vector<problem::BoundProblem> bound;
  for (const problem::Workload& workload : problem.workloads) {
    problem::Bound result = problem::bind(problem, workload);
    EXPECT_TRUE(result.diagnostics.empty()) << workload.name << ": " << format(result.diagnostics.at(0));
    if (result.problem) bound.push_back(std::move(*result.problem));
  }
  EXPECT_EQ(bound.size(), problem.workloads.size());
  return bound;
}

TEST(Library, HoldsTheProblemsThatTheHelpNames) {
  EXPECT_THAT(problems(), IsSupersetOf({"saxpy", "reduce_sum", "transpose", "softmax", "layernorm", "sgemm",
                                        "hgemm", "o_proj", "conv2d_relu"}));
}

class LibraryProblem : public testing::TestWithParam<std::string> {};

TEST_P(LibraryProblem, LoadsAndCarriesItsFoldersName) {
  const problem::Problem problem = load(GetParam());
  EXPECT_EQ(problem.name, GetParam());
  EXPECT_EQ(problem.reference.kind, problem::ReferenceKind::cuda);
}

TEST_P(LibraryProblem, HasATitleInBothLanguages) {
  const problem::Problem problem = load(GetParam());
  EXPECT_FALSE(problem.title.en.empty());
  EXPECT_FALSE(problem.title.zh_CN.empty());
  EXPECT_NE(problem.title.en, problem.title.zh_CN);
}

TEST_P(LibraryProblem, BindsEveryWorkload) {
  for (const problem::BoundProblem& bound : bind_all(load(GetParam()))) {
    EXPECT_GT(bound.bytes, 0) << bound.workload;
    EXPECT_EQ(bound.flops > 0, bound.unit != hardware::Unit::none) << bound.workload;
  }
}

TEST_P(LibraryProblem, CountsItsTensorsOnceAsFusedBytes) {
  for (const problem::BoundProblem& bound : bind_all(load(GetParam()))) {
    std::int64_t bytes = 0;
    for (const auto* tensors : {&bound.inputs, &bound.outputs})
      for (const problem::BoundTensor& tensor : *tensors) bytes += tensor.bytes;
    EXPECT_DOUBLE_EQ(bound.bytes, static_cast<double>(bytes)) << bound.workload;
  }
}

TEST_P(LibraryProblem, HasTinyRaggedAndLargeWorkloads) {
  const problem::Problem problem = load(GetParam());
  bool tiny = false, ragged = false, large = false;
  const std::vector<problem::BoundProblem> bound = bind_all(problem);
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const std::int64_t elements = output_elements(bound[i]);
    bool odd = false;  // a row of an input that a vector of four does not divide
    for (const problem::BoundTensor& input : bound[i].inputs)
      odd |= !input.extents.empty() && input.extents.back() > 4 && input.extents.back() % 4 != 0;
    tiny |= elements <= 16;
    ragged |= odd;
    large |= problem.workloads[i].large;
  }
  EXPECT_TRUE(tiny);
  EXPECT_TRUE(ragged);
  EXPECT_TRUE(large);
}

TEST_P(LibraryProblem, RunsSomethingOfUseWhenNoWorkloadIsNamed) {
  const problem::Problem problem = load(GetParam());
  ASSERT_FALSE(problem.workloads.empty());
  EXPECT_FALSE(problem.workloads.front().large);
  EXPECT_GT(bind_all(problem).front().bytes, 100e3);
}

TEST_P(LibraryProblem, HasAReferenceANaiveAndABetterKernel) {
  const std::vector<std::string> files = kernel_files(GetParam());
  EXPECT_THAT(files, Contains(GetParam() + "/reference.cu"));
  EXPECT_THAT(files, Contains(GetParam() + "/naive.cu"));
  EXPECT_GE(files.size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(All, LibraryProblem, testing::ValuesIn(problems()),
                         [](const auto& test) { return test_name(test.param); });

class LibraryKernel : public testing::TestWithParam<std::string> {};

TEST_P(LibraryKernel, HasDirectivesInOrder) {
  const source::KernelSource source = read(GetParam());
  ASSERT_FALSE(source.directives.launches.empty());
  for (const source::LaunchDirectives& launch : source.directives.launches) {
    EXPECT_TRUE(launch.grid.given());
    EXPECT_TRUE(launch.block.given());
  }
}

TEST_P(LibraryKernel, GivesItsGeometryForEveryWorkload) {
  const source::KernelSource source = read(GetParam());
  const std::string problem = GetParam().substr(0, GetParam().find('/'));
  for (const problem::BoundProblem& bound : bind_all(load(problem))) {
    problem::Names names(bound.axes.begin(), bound.axes.end());
    for (const source::Tune& tune : source.directives.tune)
      names[tune.name] = std::stoll(tune.values.front());
    for (const source::LaunchDirectives& launch : source.directives.launches) {
      const auto grid = problem::evaluate_extents(launch.grid.text, names);
      const auto block = problem::evaluate_extents(launch.block.text, names);
      ASSERT_TRUE(grid) << bound.workload << ": " << grid.error().message;
      ASSERT_TRUE(block) << bound.workload << ": " << block.error().message;
      EXPECT_THAT(*grid, testing::Each(testing::Gt(0))) << bound.workload;
      EXPECT_LE((*grid)[1], 65535) << bound.workload;
      EXPECT_LE((*grid)[2], 65535) << bound.workload;
      EXPECT_LE((*block)[0] * (*block)[1] * (*block)[2], 1024) << bound.workload;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LibraryKernel, testing::ValuesIn(kernel_files()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace ridge::library
