// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor maps and texture objects of the driver.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "device/cuda/context.h"
#include "device/device.h"

namespace ridge::device::cuda {

Result<std::vector<std::byte>> encode_tensor_map(Context& context, const TensorMapSpec& spec,
                                                 Address address);

/// Texture objects, by the memory that they read.
class Textures {
 public:
  explicit Textures(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~Textures();
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;

  Result<std::uint64_t> create(const TextureSpec& spec, Address address);
  void release(Address address);

 private:
  std::shared_ptr<Context> context_;
  std::multimap<Address, CUtexObject> objects_;
};

}  // namespace ridge::device::cuda
