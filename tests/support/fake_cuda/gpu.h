// SPDX-License-Identifier: GPL-3.0-or-later
// A fake GPU: an emulator behind a lock, an error that sticks, and the objects whose handles the driver hands
// out.
#pragma once

#include <cuda.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "support/fake_cuda/injection.h"
#include "support/fake_cuda/stream.h"

namespace fake_cuda {

struct Event {
  std::atomic<bool> done{true};
  std::chrono::steady_clock::time_point time{};
};

struct Module;
struct Function {
  Module* module = nullptr;
  std::string symbol;
  std::vector<ridge::compile::Parameter> parameters;
  ridge::compile::Resources resources;
  std::int64_t dynamic_shared_limit = 0;  ///< opted in to; 0: the ordinary limit
  bool large_clusters = false;            ///< opted in to more than 8 blocks
};
struct Module {
  std::unique_ptr<ridge::device::Module> code;
  std::map<std::string, std::unique_ptr<Function>> functions;
};

class Gpu {
 public:
  Gpu(std::int64_t memory_bytes, std::unique_ptr<ridge::device::Device> emulator);

  std::int64_t memory_bytes() const { return memory_bytes_; }
  std::int64_t free_bytes() const { return memory_bytes_ - used_; }
  CUresult sticky() const { return sticky_; }
  void stick(CUresult result) {
    CUresult none = CUDA_SUCCESS;
    sticky_.compare_exchange_strong(none, result);
  }

  CUresult allocate(std::int64_t bytes, CUdeviceptr* address);
  CUresult release(CUdeviceptr address);
  // Executed by streams; a failure sticks.
  void write(CUdeviceptr to, const std::vector<std::byte>& data);
  void read(CUdeviceptr from, std::span<std::byte> data);
  void copy(CUdeviceptr to, CUdeviceptr from, std::int64_t bytes);
  void fill(CUdeviceptr to, std::int64_t bytes, std::uint8_t value);
  void fill_words(CUdeviceptr to, std::int64_t words, std::uint32_t value);
  void execute(Module& module, const ridge::device::Launch& launch, const Injected& injected);

  /// `log` receives the emulator's words when it refuses the code.
  CUresult load(const std::string& ptx, Module& module, std::string& log);
  CUresult find(Module& module, const std::string& symbol, Function** function);
  /// Null: refused.
  std::optional<std::vector<std::byte>> tensor_map(const ridge::device::TensorMapSpec& spec,
                                                   CUdeviceptr address);
  std::optional<std::uint64_t> texture(const ridge::device::TextureSpec& spec, CUdeviceptr address);
  CUresult global(Module& module, const std::string& symbol, CUdeviceptr* address, std::size_t* bytes);

 private:
  void done(const ridge::Result<void>& result);

  std::int64_t memory_bytes_ = 0;
  std::atomic<std::int64_t> used_{0};
  std::atomic<CUresult> sticky_{CUDA_SUCCESS};
  std::mutex mutex_;  ///< the emulator serves one thread at a time
  std::unique_ptr<ridge::device::Device> emulator_;
  std::map<CUdeviceptr, std::int64_t> allocations_;
};

/// What an H200 says of itself; but a small L2 cache, so that emulated flushes are quick.
CUresult attribute(CUdevice_attribute which, int* value);

}  // namespace fake_cuda
