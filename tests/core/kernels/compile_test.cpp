// SPDX-License-Identifier: GPL-3.0-or-later
// Every kernel of the library compiles for the oldest and for the newest device in daily use, keeps its
// registers, and gets a launch sequence within the limits for each workload.
#include <gtest/gtest.h>

#include "compile/compile.h"
#include "core/kernels/library.h"
#include "device/plan.h"
#include "hardware/device_model.h"

namespace ridge::library {
namespace {

struct Compiled {
  source::KernelSource source;
  source::PreparedSource prepared;
  compile::CompiledKernel kernel;
};

class LibraryCompile : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<compile::Compiler>> compiler = compile::Compiler::open();
    if (!compiler) GTEST_SKIP() << compiler.error().message;
    compiler_ = std::move(compiler).value();
  }

  Compiled compiled_for(const std::string& arch) {
    Compiled result;
    result.source = read(GetParam());
    result.prepared = source::prepare(result.source);
    EXPECT_TRUE(result.prepared.questions.empty()) << result.prepared.questions.at(0).text;
    compile::CompileRequest request = compile::request_for(result.source, result.prepared, arch);
    request.use_cache = false;
    Result<compile::CompiledKernel> kernel = compiler_->compile(request);
    EXPECT_TRUE(kernel.ok()) << (kernel ? "" : kernel.error().message);
    if (kernel) result.kernel = std::move(kernel).value();
    EXPECT_TRUE(result.kernel.ok) << result.kernel.log;
    EXPECT_TRUE(result.kernel.diagnostics.empty()) << format(result.kernel.diagnostics.at(0));
    return result;
  }

 private:
  std::unique_ptr<compile::Compiler> compiler_;
};

TEST_P(LibraryCompile, KeepsItsRegistersOnAnA100) {
  const Compiled compiled = compiled_for("sm_80");
  ASSERT_FALSE(compiled.kernel.entries.empty());
  for (const compile::Entry& entry : compiled.kernel.entries) {
    ASSERT_TRUE(entry.resources) << entry.name;
    EXPECT_EQ(entry.resources->spill_store_bytes, 0) << entry.name;
  }
}

TEST_P(LibraryCompile, GetsALaunchSequenceForEachWorkloadOnAnH200) {
  const Compiled compiled = compiled_for("sm_90a");
  const hardware::DeviceModel* device = hardware::catalogue().find("H200");
  ASSERT_TRUE(device);
  const problem::Problem problem = load(GetParam().substr(0, GetParam().find('/')));
  const bool reference = GetParam().ends_with("/reference.cu");
  for (const problem::Workload& workload : problem.workloads) {
    const problem::Bound bound = problem::bind(problem, workload);
    ASSERT_TRUE(bound.problem) << workload.name;
    const device::Planned planned = device::plan(*bound.problem, compiled.source, compiled.prepared,
                                                 compiled.kernel, device->limits, reference);
    EXPECT_TRUE(planned.diagnostics.empty()) << workload.name << ": " << format(planned.diagnostics.at(0));
    EXPECT_TRUE(planned.questions.empty()) << workload.name << ": " << planned.questions.at(0).text;
    EXPECT_TRUE(planned.findings.empty()) << workload.name << ": " << planned.findings.at(0).message;
    EXPECT_EQ(planned.sequence.launches.size(), compiled.source.directives.launches.size());
  }
}

INSTANTIATE_TEST_SUITE_P(All, LibraryCompile, testing::ValuesIn(kernel_files()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace ridge::library
