// SPDX-License-Identifier: GPL-3.0-or-later
// Input data: Philox4x32-10 with key (seed, tensor index) and counter = element, so that the same seed gives
// the same bits on every machine. Normal values are the exact integer sum of twelve 16-bit uniforms, scaled:
// no libm enters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "problem/problem.h"

namespace ridge::problem {

/// Philox4x32-10 (Salmon et al., SC'11, "Parallel random numbers: as easy as 1, 2, 3").
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// Fills `data` (tensor.bytes long) with the input's values. `tensor_index` is its place among the inputs.
/// Uses up to `threads` threads; the result does not depend on their number. An init of kind file reads a
/// .npy.
Result<void> generate(const BoundTensor& tensor, std::uint64_t seed, std::uint32_t tensor_index,
                      std::span<std::byte> data, unsigned threads = 1);

/// A .npy file (format 1 to 3, little-endian, C order) of exactly this dtype and shape, into `data`.
Result<void> read_npy(const std::string& path, DType dtype, const std::vector<std::int64_t>& extents,
                      std::span<std::byte> data);

}  // namespace ridge::problem
