// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/argument_bytes.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace ridge::device {

/// Bytes of an integer as `dtype`; empty when it does not fit.
std::optional<std::vector<std::byte>> integer_bytes(std::int64_t value, DType dtype) {
  std::vector<std::byte> bytes(size_of(dtype));
  if (is_floating(dtype)) {
    store_from_double(dtype, bytes, 0, static_cast<double>(value));
    return bytes;
  }
  const auto bits = static_cast<unsigned>(8 * bytes.size());
  if (dtype == DType::boolean) {
    bytes[0] = value != 0 ? std::byte{1} : std::byte{0};
    return bytes;
  }
  if (bits < 64) {
    const std::int64_t highest = (std::int64_t{1} << (is_signed(dtype) ? bits - 1 : bits)) - 1;
    const std::int64_t lowest = is_signed(dtype) ? -highest - 1 : 0;
    if (value < lowest || value > highest) return std::nullopt;
  } else if (!is_signed(dtype) && value < 0) {
    return std::nullopt;
  }
  std::memcpy(bytes.data(), &value, bytes.size());  // little-endian, as every device is
  return bytes;
}

std::optional<std::vector<std::byte>> real_bytes(double value, DType dtype) {
  if (!is_floating(dtype)) {
    if (std::trunc(value) != value || std::fabs(value) > 9007199254740992.0) return std::nullopt;
    return integer_bytes(static_cast<std::int64_t>(value), dtype);
  }
  std::vector<std::byte> bytes(size_of(dtype));
  store_from_double(dtype, bytes, 0, value);
  return bytes;
}

std::optional<DType> integer_of_size(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return DType::int8;
    case 2:
      return DType::int16;
    case 4:
      return DType::int32;
    case 8:
      return DType::int64;
    default:
      return std::nullopt;
  }
}

std::optional<DType> float_of_size(std::uint32_t bytes) {
  switch (bytes) {
    case 2:
      return DType::float16;
    case 4:
      return DType::float32;
    case 8:
      return DType::float64;
    default:
      return std::nullopt;
  }
}

}  // namespace ridge::device
