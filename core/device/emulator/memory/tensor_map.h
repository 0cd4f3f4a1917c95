// SPDX-License-Identifier: GPL-3.0-or-later
// The emulator's own form of a CUtensorMap: what the driver packs into 128 opaque bytes, it packs into 128
// bytes that it can read back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device/device.h"
#include "device/emulator/ptx/type.h"

namespace ridge::device::emulator {

enum class Swizzle : std::uint8_t { none, bytes32, bytes64, bytes128 };

/// A tensor in device memory and the box that copies take out of it; the innermost dimension comes first.
struct TensorMap {
  static constexpr std::size_t kBytes = 128;
  static constexpr int kMaxRank = 5;

  std::uint64_t address = 0;
  std::uint8_t rank = 1, element_bytes = 4;
  ptx::Type type = ptx::Type::f32;  ///< of elements, for reductions
  Swizzle swizzle = Swizzle::none;
  bool nan_fill = false;
  std::array<std::uint32_t, kMaxRank> extents{1, 1, 1, 1, 1};
  std::array<std::uint64_t, kMaxRank> strides{};  ///< bytes; of the innermost dimension: an element
  std::array<std::uint16_t, kMaxRank> box{1, 1, 1, 1, 1};

  std::vector<std::byte> encode() const;
  /// Nothing when the bytes are no tensor map.
  static std::optional<TensorMap> decode(std::span<const std::byte> bytes);
  std::uint64_t box_bytes() const;
};

/// A box of a tensor, at these coordinates.
struct TensorTile {
  TensorMap map;
  std::array<std::int32_t, TensorMap::kMaxRank> at{};
};

/// A run of bytes along the innermost dimension of a tile.
struct TileRow {
  std::uint64_t offset = 0;   ///< in the box, before swizzling
  std::uint64_t bytes = 0;    ///< of the row
  std::uint64_t skipped = 0;  ///< bytes at its start that lie outside of the tensor…
  std::uint64_t inside = 0;   ///< …and how many follow that lie inside
  std::uint64_t address = 0;  ///< of the first byte inside
};
std::vector<TileRow> rows_of(const TensorTile& tile);

/// What Device::tensor_map gives.
Result<std::vector<std::byte>> encode_tensor_map(const TensorMapSpec& spec, std::uint64_t address);

/// Where a byte of a box lies in shared memory.
constexpr std::uint64_t swizzled(Swizzle swizzle, std::uint64_t address) {
  switch (swizzle) {
    case Swizzle::bytes32:
      return address ^ (address & 0x080) >> 3;
    case Swizzle::bytes64:
      return address ^ (address & 0x180) >> 3;
    case Swizzle::bytes128:
      return address ^ (address & 0x380) >> 3;
    case Swizzle::none:
      break;
  }
  return address;
}

}  // namespace ridge::device::emulator
