// SPDX-License-Identifier: GPL-3.0-or-later
// Buffers on the GPU, each between two guard zones that hold a known pattern.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/cuda/context.h"

namespace ridge::device::cuda {

class Memory {
 public:
  explicit Memory(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Result<Address> allocate(std::int64_t bytes, const std::string& name, std::int64_t offset);
  void release(Address address);
  Result<void> write(Address to, std::span<const std::byte> data);
  Result<void> read(Address from, std::span<std::byte> data);
  Result<void> poison(Address to, std::int64_t bytes, std::uint32_t pattern);
  Result<void> fill(Address to, std::int64_t bytes, std::uint8_t value);
  Result<void> copy(Address to, Address from, std::int64_t bytes);
  Result<std::vector<Sentence>> damaged_guards();

 private:
  struct Buffer {
    std::string name;
    CUdeviceptr base = 0;  ///< of the allocation
    std::int64_t total = 0;
    std::int64_t before = 0;  ///< bytes of the guard zone before the buffer
    std::int64_t bytes = 0;
  };
  /// What was damaged in one zone, and its pattern again; "" when it is whole.
  Result<Sentence> examine(const Buffer& buffer, bool after);

  std::shared_ptr<Context> context_;
  std::map<Address, Buffer> buffers_;
};

}  // namespace ridge::device::cuda
