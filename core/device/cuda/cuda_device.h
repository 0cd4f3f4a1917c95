// SPDX-License-Identifier: GPL-3.0-or-later
// A CUDA GPU as a Device.
#pragma once

#include <memory>

#include "device/cuda/context.h"
#include "device/cuda/handles.h"
#include "device/cuda/launcher.h"
#include "device/cuda/memory.h"
#include "device/cuda/stopwatch.h"

namespace ridge::device::cuda {

class CudaDevice final : public Device {
 public:
  CudaDevice(std::shared_ptr<Context> context, std::shared_ptr<const Nvml> nvml);

  const DeviceInfo& info() const override { return context_->info(); }
  Result<std::int64_t> free_bytes() override;
  Result<std::unique_ptr<Module>> load(const compile::CompiledKernel& kernel) override;
  Result<Address> allocate(std::int64_t bytes, const std::string& name, std::int64_t offset) override;
  void release(Address address) override {
    textures_.release(address);
    memory_.release(address);
  }
  Result<void> write(Address to, std::span<const std::byte> data) override { return memory_.write(to, data); }
  Result<void> read(Address from, std::span<std::byte> data) override { return memory_.read(from, data); }
  Result<void> poison(Address to, std::int64_t bytes, std::uint32_t pattern) override;
  Result<void> fill(Address to, std::int64_t bytes, std::uint8_t value) override;
  Result<void> copy(Address to, Address from, std::int64_t bytes) override;
  Result<std::vector<Sentence>> damaged_guards() override { return memory_.damaged_guards(); }
  Result<std::vector<std::byte>> tensor_map(const TensorMapSpec& spec, Address address) override {
    return encode_tensor_map(*context_, spec, address);
  }
  Result<std::uint64_t> texture(const TextureSpec& spec, Address address) override {
    return textures_.create(spec, address);
  }
  Result<LaunchOutcome> execute(Module& module, const Sequence& sequence,
                                const LaunchOptions& options) override;
  Stopwatch* stopwatch() override { return &stopwatch_; }

 private:
  /// Launches and waits; what came of it goes into `outcome`. False: nothing may follow.
  bool run(PreparedLaunch& prepared, const LaunchOptions& options, Event& done, LaunchOutcome& outcome);

  std::shared_ptr<Context> context_;
  Memory memory_;
  Textures textures_;
  CudaStopwatch stopwatch_;
};

}  // namespace ridge::device::cuda
