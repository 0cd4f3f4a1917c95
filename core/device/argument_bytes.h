// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as the bytes of a kernel's parameter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/dtype.h"

namespace ridge::device {

/// Bytes of a number as `dtype`; empty when it does not fit.
std::optional<std::vector<std::byte>> integer_bytes(std::int64_t value, DType dtype);
std::optional<std::vector<std::byte>> real_bytes(double value, DType dtype);

/// The type of a parameter of which only the size is known; empty: no number has that size.
std::optional<DType> integer_of_size(std::uint32_t bytes);
std::optional<DType> float_of_size(std::uint32_t bytes);

}  // namespace ridge::device
