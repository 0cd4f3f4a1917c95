// SPDX-License-Identifier: GPL-3.0-or-later
// The .approx functions, computed to within one unit in the last place of f32: inside the ISA's bounds, but
// not the bits of any particular GPU.
#pragma once

#include "device/emulator/lanes/real.h"

RIDGE_LANES_BEGIN

/// 2^x: the whole part makes the exponent, a Taylor polynomial in double the rest.
struct Ex2 {
  static RIDGE_INLINE f32 apply(f32 x) {
    const f32 clamped = x > 129.0f ? 129.0f : x < -152.0f ? -152.0f : x;  // NaN stays
    const f64 wide = clamped;
    const f64 shifted = wide + 0x1.8p52;  // the adder rounds to a whole number
    const f64 whole = shifted - 0x1.8p52;
    const f64 f = wide - whole;
    f64 p = 1.0178086009239699e-7;  // ln(2)^k / k!
    p = p * f + 1.3215486790144307e-6;
    p = p * f + 1.5252733804059841e-5;
    p = p * f + 1.5403530393381608e-4;
    p = p * f + 1.3333558146428443e-3;
    p = p * f + 9.6181291076284772e-3;
    p = p * f + 5.5504108664821580e-2;
    p = p * f + 2.4022650695910072e-1;
    p = p * f + 6.9314718055994531e-1;
    p = p * f + 1.0;
    const u64 exponent = (std::bit_cast<u64>(shifted) + 1023u) << 52;
    const f32 result = static_cast<f32>(p * std::bit_cast<f64>(exponent));
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
