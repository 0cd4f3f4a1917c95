// SPDX-License-Identifier: GPL-3.0-or-later
// Requests to the pipeline, compiled by NVRTC in this process.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "bench/bench.h"
#include "device/emulator/emulator.h"
#include "hardware/device_model.h"

namespace ridge::bench {

class PipelineTest : public testing::Test {
 protected:
  void SetUp() override {
    auto compiler = compile::Compiler::open();
    if (!compiler) GTEST_SKIP() << compiler.error().message;
    compiler_ = std::move(*compiler);
    const hardware::DeviceModel* model = hardware::catalogue().find("H200");
    ASSERT_NE(model, nullptr);
    emulator_ = device::open_emulator(*model);
  }

  /// saxpy of the library with its naive kernel, or with `text` in its place.
  static Request saxpy(const std::string& text = {}) {
    const std::filesystem::path folder = std::filesystem::path(RIDGE_SOURCE_DIR) / "kernels/saxpy";
    Request request;
    problem::LoadedProblem loaded = problem::load_problem(folder);
    EXPECT_TRUE(loaded.problem.has_value());
    if (loaded.problem) request.problem = std::move(*loaded.problem);
    auto source =
        text.empty() ? source::read_source(folder / "naive.cu") : source::parse_source(text, "candidate.cu");
    EXPECT_TRUE(source.ok());
    if (source) request.source = std::move(*source);
    return request;
  }

  Result<Prepared> prepare_for(const Request& request, const device::DeviceInfo& info) {
    return prepare(request, options, info,
                   [&](const compile::CompileRequest& wanted) { return compiler_->compile(wanted); });
  }
  Prepared prepared(const Request& request) {
    auto result = prepare_for(request, emulator_->info());
    EXPECT_TRUE(result.ok()) << (result ? "" : result.error().message);
    return result ? std::move(*result) : Prepared{};
  }
  /// The only job of a request for the workload "tiny".
  Job job(Request request) {
    request.workloads = {"tiny"};
    Prepared result = prepared(request);
    EXPECT_EQ(result.jobs.size(), 1u) << (result.diagnostics.empty() ? "" : format(result.diagnostics[0]));
    return result.jobs.empty() ? Job{} : std::move(result.jobs.front());
  }

  device::Device& emulator() { return *emulator_; }

  ExecuteOptions options;

 private:
  std::unique_ptr<compile::Compiler> compiler_;
  std::unique_ptr<device::Device> emulator_;
};

}  // namespace ridge::bench
