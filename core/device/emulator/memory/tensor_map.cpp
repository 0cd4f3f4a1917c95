// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/memory/tensor_map.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "device/handles.h"

namespace ridge::device::emulator {

namespace {

constexpr std::uint64_t kMark = 0x70616d2d65676472u;  ///< tells a map from any other bytes

struct Packed {
  std::uint64_t mark;
  TensorMap map;
};
static_assert(std::is_trivially_copyable_v<Packed> && sizeof(Packed) <= TensorMap::kBytes);

ptx::Type type_of(DType dtype) {
  switch (dtype) {
    case DType::float64:
      return ptx::Type::f64;
    case DType::float32:
      return ptx::Type::f32;
    case DType::float16:
      return ptx::Type::f16;
    case DType::bfloat16:
      return ptx::Type::bf16;
    case DType::int64:
      return ptx::Type::s64;
    case DType::uint64:
      return ptx::Type::u64;
    case DType::int32:
      return ptx::Type::s32;
    case DType::uint32:
      return ptx::Type::u32;
    case DType::int16:
    case DType::uint16:
      return ptx::Type::u16;
    default:
      return ptx::Type::u8;
  }
}

}  // namespace

std::vector<std::byte> TensorMap::encode() const {
  std::vector<std::byte> bytes(kBytes);
  Packed packed;
  std::memset(static_cast<void*>(&packed), 0, sizeof packed);
  packed.mark = kMark;
  packed.map = *this;
  std::memcpy(bytes.data(), &packed, sizeof packed);
  return bytes;
}

std::optional<TensorMap> TensorMap::decode(std::span<const std::byte> bytes) {
  Packed packed;
  if (bytes.size() < sizeof packed) return std::nullopt;
  std::memcpy(static_cast<void*>(&packed), bytes.data(), sizeof packed);
  const TensorMap& map = packed.map;
  if (packed.mark != kMark || map.rank < 1 || map.rank > kMaxRank || map.element_bytes < 1 ||
      map.element_bytes > 8)
    return std::nullopt;
  return map;
}

Result<std::vector<std::byte>> encode_tensor_map(const TensorMapSpec& spec, std::uint64_t address) {
  const std::vector<Sentence> faults = faults_of(spec);
  if (!faults.empty() || address % 16 != 0)
    return Error{ErrorKind::definition,
                 "launch_failed",
                 faults.empty()
                     ? say("Tensor map {}: its tensor does not lie at a multiple of 16 bytes.", spec.name)
                     : faults.front(),
                 {},
                 {},
                 spec.line};
  TensorMap map;
  map.address = address;
  map.rank = static_cast<std::uint8_t>(spec.extents.size());
  map.element_bytes = static_cast<std::uint8_t>(size_of(spec.dtype));
  map.type = type_of(spec.dtype);
  map.swizzle = spec.swizzle_bytes == 32    ? Swizzle::bytes32
                : spec.swizzle_bytes == 64  ? Swizzle::bytes64
                : spec.swizzle_bytes == 128 ? Swizzle::bytes128
                                            : Swizzle::none;
  map.nan_fill = spec.nan_fill;
  const std::vector<std::int64_t> strides = strides_of(spec);
  for (std::size_t k = 0; k < map.rank; ++k) {  // innermost first
    const std::size_t outer = map.rank - 1 - k;
    map.extents[k] = static_cast<std::uint32_t>(std::min<std::int64_t>(spec.extents[outer], 0xffffffff));
    map.strides[k] = static_cast<std::uint64_t>(strides[outer]);
    map.box[k] = static_cast<std::uint16_t>(spec.box[outer]);
  }
  return map.encode();
}

std::uint64_t TensorMap::box_bytes() const {
  std::uint64_t bytes = element_bytes;
  for (std::size_t k = 0; k < rank; ++k) bytes *= box[k];
  return bytes;
}

std::vector<TileRow> rows_of(const TensorTile& tile) {
  const TensorMap& map = tile.map;
  const std::int64_t element = map.element_bytes;
  std::uint64_t count = 1;
  for (std::size_t k = 1; k < map.rank; ++k) count *= map.box[k];
  const std::int64_t first = tile.at[0], width = map.box[0];
  const std::int64_t begin = std::clamp<std::int64_t>(-first, 0, width);
  const std::int64_t end = std::clamp<std::int64_t>(std::int64_t{map.extents[0]} - first, begin, width);
  std::vector<TileRow> rows;
  rows.reserve(count);
  for (std::uint64_t row = 0; row < count; ++row) {
    std::int64_t offset = (first + begin) * element;
    bool inside = end > begin;
    std::uint64_t rest = row;
    for (std::size_t k = 1; k < map.rank; ++k) {
      const std::int64_t place = std::int64_t{tile.at[k]} + static_cast<std::int64_t>(rest % map.box[k]);
      rest /= map.box[k];
      inside = inside && place >= 0 && place < std::int64_t{map.extents[k]};
      offset += place * static_cast<std::int64_t>(map.strides[k]);
    }
    TileRow next;
    next.bytes = static_cast<std::uint64_t>(width * element);
    next.offset = row * next.bytes;
    if (inside) {
      next.skipped = static_cast<std::uint64_t>(begin * element);
      next.inside = static_cast<std::uint64_t>((end - begin) * element);
      next.address = map.address + static_cast<std::uint64_t>(offset);
    }
    rows.push_back(next);
  }
  return rows;
}

}  // namespace ridge::device::emulator
