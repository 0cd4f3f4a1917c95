// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that compile for real, with a cache of their own. Without NVRTC on the machine they are skipped.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "base/files.h"
#include "compile/compile.h"

namespace ridge::compile {

class NvrtcTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    if (!find_toolkit().ok()) GTEST_SKIP() << find_toolkit().error().message;
    const Result<Toolkit> toolkit = find_toolkit();
    ::setenv("RIDGE_CUDA_ROOT", toolkit->root.c_str(), 1);  // the cache's folder may be one of the places
    ::setenv("RIDGE_CACHE", (folder_ / "cache").c_str(), 1);
    reopen();
  }
  void TearDown() override {
    compiler_.reset();
    std::filesystem::remove_all(folder_);
  }

  void reopen() {
    compiler_.reset();
    Result<std::unique_ptr<Compiler>> opened = Compiler::open();
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    compiler_ = *std::move(opened);
  }

  CompileRequest request(const std::string& text, const std::vector<std::string>& names = {}) const {
    CompileRequest request;
    request.source.file = "kernel.cu";
    request.source.text = text;
    request.source.include_folders = {folder_.string()};
    request.name_expressions = names;
    return request;
  }

  CompiledKernel compile(const CompileRequest& request) {
    Result<CompiledKernel> kernel = compiler_->compile(request);
    EXPECT_TRUE(kernel.ok());
    return kernel.ok() ? *std::move(kernel) : CompiledKernel{};
  }
  CompiledKernel compile(const std::string& text, const std::vector<std::string>& names = {}) {
    return compile(request(text, names));
  }

  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file(folder_ / name, text).ok());
  }

  static std::string said(const CompiledKernel& kernel) {
    std::string text = kernel.log;
    for (const Diagnostic& diagnostic : kernel.diagnostics) text += format(diagnostic) + "\n";
    return text;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("ridge_nvrtc_" + std::to_string(::getpid()));
  std::unique_ptr<Compiler> compiler_;
};

}  // namespace ridge::compile
