// SPDX-License-Identifier: GPL-3.0-or-later
// The .approx functions, computed to within one unit in the last place of f32: inside the ISA's bounds, but
// not the bits of any particular GPU.
#pragma once

#include "device/emulator/lanes/real.h"

RIDGE_LANES_BEGIN

/// 2^x: the whole part makes the exponent, a Taylor polynomial the rest; only its last two steps, which
/// decide the rounding, are in double.
struct Ex2 {
  static RIDGE_INLINE f32 apply(f32 x) {
    const f32 clamped = x > 129.0f ? 129.0f : x < -152.0f ? -152.0f : x;  // NaN stays
    const f32 shifted = clamped + 0x1.8p23f;  // the adder rounds to a whole number
    const f32 f = clamped - (shifted - 0x1.8p23f);
    f32 p = 1.3215486790144307e-6f;  // ln(2)^k / k!
    p = p * f + 1.5252733804059841e-5f;
    p = p * f + 1.5403530393381608e-4f;
    p = p * f + 1.3333558146428443e-3f;
    p = p * f + 9.6181291076284772e-3f;
    p = p * f + 5.5504108664821580e-2f;
    p = p * f + 2.4022650695910072e-1f;
    const f64 wide = f;
    const f64 power = (static_cast<f64>(p) * wide + 6.9314718055994531e-1) * wide + 1.0;
    const s64 whole = static_cast<s32>(std::bit_cast<u32>(shifted) - 0x4b400000u);
    // The power lies near 1: adding to its exponent cannot leave the range of doubles.
    const u64 scaled = std::bit_cast<u64>(power) + (static_cast<u64>(whole) << 52);
    const f32 result = static_cast<f32>(std::bit_cast<f64>(scaled));
    return x != x ? x : result;
  }
};
struct Lg2 {
  static RIDGE_INLINE f32 apply(f32 x) { return static_cast<f32>(__builtin_log2(static_cast<f64>(x))); }
};
struct Sin {
  static RIDGE_INLINE f32 apply(f32 x) { return static_cast<f32>(__builtin_sin(static_cast<f64>(x))); }
};
struct Cos {
  static RIDGE_INLINE f32 apply(f32 x) { return static_cast<f32>(__builtin_cos(static_cast<f64>(x))); }
};
struct Tanh {
  static RIDGE_INLINE f32 apply(f32 x) { return static_cast<f32>(__builtin_tanh(static_cast<f64>(x))); }
};

RIDGE_LANES_END
