// SPDX-License-Identifier: GPL-3.0-or-later
// From a request to jobs: which workloads, which source, and what stands in the way.
#include <gmock/gmock.h>

#include <fstream>

#include "core/bench/requests.h"

namespace ridge::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> workloads(const Prepared& prepared) {
  std::vector<std::string> names;
  for (const Job& job : prepared.jobs) names.push_back(job.problem.workload);
  return names;
}

class Prepare : public PipelineTest {};

TEST_F(Prepare, AnUnknownArchitectureIsTheFaultOfWhoeverNamedIt) {
  Request request = saxpy();
  device::DeviceInfo newest = emulator().info();
  newest.arch = "sm_999";
  const auto device = prepare_for(request, newest);
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().kind, ErrorKind::component);
  EXPECT_THAT(device.error().hint.english(), HasSubstr("newer CUDA Toolkit"));

  request.arch = "sm_1";
  const auto option = prepare_for(request, newest);
  ASSERT_FALSE(option.ok());
  EXPECT_EQ(option.error().kind, ErrorKind::usage);
  EXPECT_THAT(option.error().hint.english(), HasSubstr("sm_90a"));

  request.source.directives.arch = {"sm_2", 3};
  EXPECT_THAT(prepare_for(request, newest).error().message.english(), HasSubstr("'sm_1'"));
  request.arch.clear();
  const auto directive = prepare_for(request, newest);
  ASSERT_FALSE(directive.ok());
  EXPECT_EQ(directive.error().kind, ErrorKind::definition);
  EXPECT_EQ(directive.error().line, 3);
}

TEST_F(Prepare, TakesTheFirstWorkloadWhenNoneIsNamed) {
  EXPECT_THAT(workloads(prepared(saxpy())), ElementsAre("million"));
}

TEST_F(Prepare, TakesTheNamedOnesInTheirOrder) {
  Request request = saxpy();
  request.workloads = {"tiny", "one"};
  EXPECT_THAT(workloads(prepared(request)), ElementsAre("tiny", "one"));
}

TEST_F(Prepare, LeavesLargeOnesToAGpuUnlessTheyAreNamed) {
  Request request = saxpy();
  request.all = true;
  const Prepared all = prepared(request);
  EXPECT_THAT(workloads(all), ElementsAre("million", "one", "tiny", "ragged"));
  ASSERT_EQ(all.finished.size(), 2u);
  for (const session::Run& run : all.finished) {
    EXPECT_EQ(run.verdict.status, hardware::Status::skipped);
    EXPECT_THAT(run.verdict.message.english(), HasSubstr("--workload"));
    EXPECT_TRUE(run.model.datasheet.t_sol_us.has_value()) << "its T_SOL is known all the same";
  }

  device::DeviceInfo gpu = emulator().info();
  gpu.kind = device::Kind::cuda;
  const auto on_gpu = prepare_for(request, gpu);
  ASSERT_TRUE(on_gpu.ok());
  EXPECT_EQ(on_gpu->jobs.size(), 6u);

  request.all = false;
  request.workloads = {"large"};
  EXPECT_THAT(workloads(prepared(request)), ElementsAre("large"));
}

TEST_F(Prepare, NamesTheNearestWorkload) {
  Request request = saxpy();
  request.workloads = {"tinny"};
  const Prepared result = prepared(request);
  EXPECT_TRUE(result.jobs.empty());
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_THAT(result.diagnostics[0].message.english(), HasSubstr("no workload tinny"));
  EXPECT_THAT(result.diagnostics[0].hint.english(), HasSubstr("tiny is near"));
}

TEST_F(Prepare, MakesAWorkloadOfItsOwnFromAxes) {
  Request request = saxpy();
  request.axes = {{"n", 100}};
  request.seed = 77;
  const Prepared result = prepared(request);
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].problem.workload, "n=100");
  EXPECT_EQ(result.jobs[0].problem.axes.at("n"), 100);
  EXPECT_EQ(result.jobs[0].problem.seed, 77u);
}

TEST_F(Prepare, SaysWhichAxesThereAre) {
  Request request = saxpy();
  request.axes = {{"m", 100}};
  const Prepared result = prepared(request);
  EXPECT_TRUE(result.jobs.empty());
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_THAT(result.diagnostics[0].message.english(), HasSubstr("no axis m"));
  EXPECT_THAT(result.diagnostics[0].hint.english(), HasSubstr("n"));
}

TEST_F(Prepare, ASourceThatDoesNotCompileIsARunForEachWorkload) {
  Request request = saxpy("//@ grid: 1\n//@ block: 1\n__global__ void k(int* z) { z[0] = nothing; }\n");
  request.workloads = {"one", "tiny"};
  const Prepared result = prepared(request);
  EXPECT_TRUE(result.jobs.empty());
  ASSERT_EQ(result.finished.size(), 2u);
  EXPECT_EQ(result.finished[0].workload, "one");
  EXPECT_EQ(result.finished[1].workload, "tiny");
  for (const session::Run& run : result.finished) {
    EXPECT_EQ(run.verdict.status, hardware::Status::compile_error);
    EXPECT_THAT(run.verdict.message.english(), HasSubstr("nothing"));
    EXPECT_EQ(run.verdict.line, 3);
  }
}

TEST_F(Prepare, AsksWhichOfSeveralKernelsIsMeant) {
  Request request = saxpy(
      "//@ grid: 1\n//@ block: 1\n"
      "__global__ void first(const float* x, const float* y, float* z, float alpha, int n) {}\n"
      "__global__ void second(const float* x, const float* y, float* z, float alpha, int n) {}\n");
  Prepared result = prepared(request);
  EXPECT_TRUE(result.jobs.empty());
  ASSERT_EQ(result.questions.size(), 1u);
  EXPECT_EQ(result.questions[0].kind, "kernel");

  request.kernel = "second";
  result = prepared(request);
  EXPECT_TRUE(result.questions.empty());
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_EQ(result.jobs[0].source.directives.launches.front().kernel.text, "second");
}

TEST_F(Prepare, DefinesTakeThePlaceOfTuneValues) {
  Request request = saxpy(
      "//@ grid: ceil_div(n, BLOCK)\n//@ block: BLOCK\n//@ tune: BLOCK = 64, 128\n"
      "__global__ void k(const float* x, const float* y, float* z, float alpha, int n) {\n"
      "  const int i = blockIdx.x * BLOCK + threadIdx.x;\n  if (i < n) z[i] = alpha * x[i] + y[i];\n}\n");
  request.defines = {{"BLOCK", "32"}};
  const Job result = job(request);
  EXPECT_TRUE(result.source.directives.tune.empty());
  const auto run = execute(emulator(), result);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->verdict.status, hardware::Status::pass) << run->verdict.message;
}

TEST_F(Prepare, AFaultOfTheReferenceIsNotTheCandidates) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "saxpy_without_reference";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(std::filesystem::path(RIDGE_SOURCE_DIR) / "kernels/saxpy/problem.toml",
                             folder / "problem.toml");
  std::ofstream(folder / "reference.cu") << "//@ grid: 1\n//@ block: 1\n"
                                            "__global__ void r(double* z) { z[0] = nothing; }\n";
  Request request = saxpy();
  problem::LoadedProblem loaded = problem::load_problem(folder);
  ASSERT_TRUE(loaded.problem.has_value());
  request.problem = *loaded.problem;
  const Prepared result = prepared(request);
  EXPECT_TRUE(result.jobs.empty());
  EXPECT_TRUE(result.finished.empty()) << "no verdict on the candidate";
  ASSERT_TRUE(has_errors(result.diagnostics));
  EXPECT_THAT(result.diagnostics[0].file, HasSubstr("reference.cu"));
  EXPECT_EQ(result.diagnostics[0].line, 3);
}

TEST_F(Prepare, AFailureOfTheCompilerItselfIsAnError) {
  const auto result = prepare(saxpy(), options, emulator().info(),
                              [](const compile::CompileRequest&) -> Result<compile::CompiledKernel> {
                                return Error{ErrorKind::component, "worker_lost", "gone", {}, {}, 0};
                              });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "worker_lost");
}

}  // namespace
}  // namespace ridge::bench
