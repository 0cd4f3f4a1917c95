// SPDX-License-Identifier: GPL-3.0-or-later
// Sampling of textures over device memory, as the CUDA programming guide describes it: filter weights have
// eight fractional bits.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "device/device.h"

namespace ridge::device::emulator {

/// One texture object. Handles are kTextureHandle + its place in the device's list.
struct Texture {
  TextureSpec spec;
  std::uint64_t address = 0;
};
inline constexpr std::uint64_t kTextureHandle = std::uint64_t{0x7e} << 48;

/// A texel that a sample needs, and how much of it.
struct Tap {
  std::uint64_t address = 0;  ///< 0: outside, it counts as 0
  double weight = 1;
};
struct Taps {
  std::array<Tap, 4> taps{};
  int count = 0;
};
/// `x`, `y`: coordinates of a fetch; integer ones count texels and are never filtered.
Taps taps_of(const Texture& texture, double x, double y, bool integer);
/// The value of a texel's bytes as the texture reads it.
double texel_value(const TextureSpec& spec, const std::uint8_t* bytes);

}  // namespace ridge::device::emulator
