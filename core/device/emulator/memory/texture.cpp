// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/memory/texture.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace ridge::device::emulator {

namespace {

constexpr double kFractionSteps = 256;

/// The texel behind an index of one axis; -1: outside.
std::int64_t addressed(std::int64_t index, std::int64_t extent, TextureAddress mode) {
  switch (mode) {
    case TextureAddress::clamp:
      return std::clamp<std::int64_t>(index, 0, extent - 1);
    case TextureAddress::border:
      return index < 0 || index >= extent ? -1 : index;
    case TextureAddress::wrap:
      return (index % extent + extent) % extent;
    case TextureAddress::mirror: {
      const std::int64_t period = 2 * extent, place = (index % period + period) % period;
      return place < extent ? place : period - 1 - place;
    }
  }
  return -1;
}

/// Two neighbours along an axis and the weight of the second one.
struct Axis {
  std::int64_t first = 0, second = 0;
  double weight = 0;
};
Axis along(double coordinate, std::int64_t extent, const TextureSpec& spec, bool integer) {
  // Coordinates beyond all texels, and NaN, are held where their index still counts.
  double place =
      spec.normalized_coordinates && !integer ? coordinate * static_cast<double>(extent) : coordinate;
  place = std::isnan(place) ? 0 : std::clamp(place, -1e9, 1e9);
  if (!spec.linear || integer) {
    const auto index = static_cast<std::int64_t>(std::floor(place));
    return {addressed(index, extent, spec.address), -1, 0};
  }
  place -= 0.5;
  const double floor = std::floor(place);
  const auto index = static_cast<std::int64_t>(floor);
  return {addressed(index, extent, spec.address), addressed(index + 1, extent, spec.address),
          std::floor((place - floor) * kFractionSteps + 0.5) / kFractionSteps};
}

}  // namespace

Taps taps_of(const Texture& texture, double x, double y, bool integer) {
  const TextureSpec& spec = texture.spec;
  const std::int64_t width = spec.extents.back(), height = spec.extents.size() == 2 ? spec.extents[0] : 1;
  const Axis across = along(x, width, spec, integer);
  const Axis down = spec.extents.size() == 2 ? along(y, height, spec, integer) : Axis{};
  const std::uint64_t element = size_of(spec.dtype);
  Taps result;
  const auto add = [&](std::int64_t column, std::int64_t row, double weight) {
    if (weight == 0) return;
    Tap& tap = result.taps[static_cast<std::size_t>(result.count++)];
    tap.weight = weight;
    tap.address = column < 0 || row < 0
                      ? 0
                      : texture.address + static_cast<std::uint64_t>(row * width + column) * element;
  };
  add(across.first, down.first, (1 - across.weight) * (1 - down.weight));
  add(across.second, down.first, across.weight * (1 - down.weight));
  add(across.first, down.second, (1 - across.weight) * down.weight);
  add(across.second, down.second, across.weight * down.weight);
  return result;
}

double texel_value(const TextureSpec& spec, const std::uint8_t* bytes) {
  const std::span<const std::byte> element(reinterpret_cast<const std::byte*>(bytes), size_of(spec.dtype));
  const double value = load_as_double(spec.dtype, element, 0);
  if (!spec.normalized_read) return value;
  const auto bits = static_cast<double>(8 * size_of(spec.dtype));
  if (!is_signed(spec.dtype)) return value / (std::exp2(bits) - 1);
  return std::max(value / (std::exp2(bits - 1) - 1), -1.0);
}

}  // namespace ridge::device::emulator
