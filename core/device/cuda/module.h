// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded code on the GPU.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/cuda/context.h"

namespace ridge::device::cuda {

class CudaModule final : public Module {
 public:
  /// Loads the cubin; the PTX only when there is no cubin, with the driver's assembler log in the error.
  static Result<std::unique_ptr<CudaModule>> load(std::shared_ptr<Context> context,
                                                  const compile::CompiledKernel& kernel);
  ~CudaModule() override;

  Result<Global> global(const std::string& symbol) override;
  Result<std::vector<compile::Parameter>> parameters(const std::string& symbol) override;
  Result<compile::Resources> resources(const std::string& symbol) override;
  Result<CUfunction> function(const std::string& symbol);

 private:
  CudaModule(std::shared_ptr<Context> context, std::vector<compile::Entry> entries)
      : context_(std::move(context)), entries_(std::move(entries)) {}

  std::shared_ptr<Context> context_;
  CUmodule module_ = nullptr;
  std::vector<compile::Entry> entries_;  ///< what the compiler said
  std::map<std::string, CUfunction> functions_;
};

}  // namespace ridge::device::cuda
