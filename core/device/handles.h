// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor maps and textures: from their directives to what a device is asked for. Private to this room and its
// devices.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"
#include "problem/expression.h"
#include "source/source.h"

namespace ridge::device {

/// For a tensor of this type and these extents; `names` are those that expressions may use.
Result<TensorMapSpec> tensor_map_spec(const source::TensorMap& directive, DType dtype,
                                      const std::vector<std::int64_t>& extents, const problem::Names& names);
Result<TextureSpec> texture_spec(const source::Texture& directive, DType dtype,
                                 const std::vector<std::int64_t>& extents);

/// Limits of the hardware that a map does not keep, each in a sentence with the way out.
std::vector<Sentence> faults_of(const TensorMapSpec& spec);
std::vector<Sentence> faults_of(const TextureSpec& spec);

/// Bytes from one element of dimension k to the next; of an extent of 1: any multiple of 16.
std::vector<std::int64_t> strides_of(const TensorMapSpec& spec);

}  // namespace ridge::device
