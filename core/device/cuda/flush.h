// SPDX-License-Identifier: GPL-3.0-or-later
// Emptying the L2 cache before a cold sample, by kernels of our own: a read of more than 3 x L2 leaves clean
// lines of a buffer that nothing else uses; a write of 2 x L2 leaves dirty ones, as tools that zero a buffer
// do.
#pragma once

#include <cuda.h>

#include <memory>
#include <string_view>

#include "device/cuda/context.h"

namespace ridge::device::cuda {

/// Begins the names of the kernels, so that their activity records can be told from the candidate's.
inline constexpr std::string_view kFlushPrefix = "ridge_flush_";

class Flusher {
 public:
  static Result<std::unique_ptr<Flusher>> open(std::shared_ptr<Context> context);
  ~Flusher();
  Flusher(const Flusher&) = delete;
  Flusher& operator=(const Flusher&) = delete;

  /// Puts the flush on the stream.
  CUresult enqueue(Flush kind);

 private:
  explicit Flusher(std::shared_ptr<Context> context) : context_(std::move(context)) {}

  std::shared_ptr<Context> context_;
  CUmodule module_ = nullptr;
  CUfunction read_ = nullptr, write_ = nullptr;
  CUdeviceptr buffer_ = 0;
  std::uint64_t read_bytes_ = 0, write_bytes_ = 0;
};

}  // namespace ridge::device::cuda
