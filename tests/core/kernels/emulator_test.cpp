// SPDX-License-Identifier: GPL-3.0-or-later
// Every kernel of the library passes on the emulator, with all of its checks, on every workload that is not
// large.
#include <gtest/gtest.h>

#include "bench/bench.h"
#include "compile/compile.h"
#include "core/kernels/library.h"
#include "device/emulator/emulator.h"
#include "hardware/device_model.h"

namespace ridge::library {
namespace {

std::vector<std::string> candidates() {
  std::vector<std::string> files = kernel_files();
  std::erase_if(files, [](const std::string& file) { return file.ends_with("/reference.cu"); });
  return files;
}

class LibraryEmulator : public testing::TestWithParam<std::string> {};

TEST_P(LibraryEmulator, PassesOnEveryWorkload) {
  Result<std::unique_ptr<compile::Compiler>> compiler = compile::Compiler::open();
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  const hardware::DeviceModel* model = hardware::catalogue().find("H200");
  ASSERT_TRUE(model);
  const std::unique_ptr<device::Device> device = device::open_emulator(*model);

  bench::Request request;
  request.source = read(GetParam());
  request.problem = load(GetParam().substr(0, GetParam().find('/')));
  request.all = true;
  Result<bench::Prepared> prepared =
      bench::prepare(request, {}, device->info(),
                     [&](const compile::CompileRequest& unit) { return (*compiler)->compile(unit); });
  ASSERT_TRUE(prepared.ok()) << prepared.error().message;
  EXPECT_TRUE(prepared->questions.empty());

  std::size_t small = 0;
  for (const problem::Workload& workload : request.problem.workloads) small += workload.large ? 0 : 1;
  EXPECT_EQ(prepared->jobs.size(), small);
  for (const session::Run& run : prepared->finished)
    EXPECT_EQ(run.verdict.status, hardware::Status::skipped) << run.workload << ": " << run.verdict.message;

  // Once more with all that can be asked for: whatever way the inputs are read by, they come from device
  // memory.
  bench::Job asked = prepared->jobs.front();
  asked.options.counters = true;
  asked.options.trace = device::TraceRequest{};
  Result<session::Run> told = bench::execute(*device, asked);
  ASSERT_TRUE(told.ok()) << told.error().message;
  ASSERT_TRUE(told->trace);
  EXPECT_FALSE(told->trace->steps.empty());
  ASSERT_TRUE(told->counters.contains("dram_read_bytes"));
  double inputs = 0;
  for (const problem::BoundTensor& input : asked.problem.inputs) inputs += static_cast<double>(input.bytes);
  EXPECT_GE(told->counters.at("dram_read_bytes"), inputs) << asked.problem.workload;
  EXPECT_GT(told->counters.at("dram_write_bytes"), 0);

  for (const bench::Job& job : prepared->jobs) {
    Result<session::Run> run = bench::execute(*device, job);
    ASSERT_TRUE(run.ok()) << job.problem.workload << ": " << run.error().message;
    EXPECT_EQ(run->verdict.status, hardware::Status::pass)
        << run->workload << ", line " << run->verdict.line << ": " << run->verdict.message;
    EXPECT_FALSE(run->timing) << "the emulator has no clock";
    EXPECT_TRUE(run->model.datasheet.t_sol_us) << run->workload;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LibraryEmulator, testing::ValuesIn(candidates()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace ridge::library
