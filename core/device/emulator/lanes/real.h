// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point building blocks: bits, canonical NaN, flushing, rounding to odd, directed rounding, and the
// conversions between half precision and float, all written so that the lane loops vectorise.
#pragma once

#include <immintrin.h>

#include "device/emulator/lanes/lanes.h"

RIDGE_LANES_BEGIN

inline constexpr u32 kNanBits = 0x7fffffffu;  ///< what f32 operations give
inline constexpr u16 kHalfNan = 0x7fffu;      ///< of f16 and bf16 alike

RIDGE_INLINE u32 bits_of(f32 value) {
  return std::bit_cast<u32>(value);
}
RIDGE_INLINE u64 bits_of(f64 value) {
  return std::bit_cast<u64>(value);
}
RIDGE_INLINE f32 canonical(f32 value) {
  return value != value ? std::bit_cast<f32>(kNanBits) : value;
}
RIDGE_INLINE f64 canonical(f64 value) {
  return value;
}

/// Subnormal numbers become zeros of their sign.
RIDGE_INLINE f32 flush(f32 value) {
  const u32 bits = bits_of(value);
  return std::bit_cast<f32>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
RIDGE_INLINE f64 flush(f64 value) {
  const u64 bits = bits_of(value);
  return std::bit_cast<f64>((bits & 0x7ff0000000000000u) == 0 ? bits & 0x8000000000000000u : bits);
}
/// Into [0, 1]; NaN becomes 0.
template <class T>
RIDGE_INLINE T saturate(T value) {
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

/// a + b rounded to odd: rounding the result once more to half the precision is then as good as rounding the
/// sum.
RIDGE_INLINE f64 add_to_odd(f64 a, f64 b) {
  const f64 sum = a + b;
  const f64 part = sum - a;
  const f64 error = (a - (sum - part)) + (b - part);
  const u64 bits = bits_of(sum);
  // Inexact with an even last bit: the odd neighbour lies on the error's side. NaN and Inf have no finite
  // error.
  const bool adjust =
      (error > 0 || error < 0) && (bits & 1) == 0 && (bits & 0x7ff0000000000000u) != 0x7ff0000000000000u;
  const bool outward = (error > 0) == (sum > 0);
  return std::bit_cast<f64>(adjust ? (outward ? bits + 1 : bits - 1) : bits);
}
/// To float, rounded to odd.
RIDGE_INLINE f32 narrow_to_odd(f64 value) {
  const f32 nearest = static_cast<f32>(value);
  const f64 back = nearest;
  u32 bits = bits_of(nearest);
  const f64 magnitude = __builtin_fabs(value), reached = __builtin_fabs(back);
  const bool inexact = magnitude != reached && value == value;
  bits -= inexact && reached > magnitude ? 1u : 0u;
  return std::bit_cast<f32>(bits | (inexact ? 1u : 0u));
}

#ifdef __FMA__
RIDGE_INLINE f32 fused(f32 a, f32 b, f32 c) {
  return __builtin_fmaf(a, b, c);
}
#else
/// The product of two floats is exact as a double; one rounding to odd and one to nearest make the fused
/// result.
RIDGE_INLINE f32 fused(f32 a, f32 b, f32 c) {
  return static_cast<f32>(add_to_odd(static_cast<f64>(a) * b, c));
}
#endif
RIDGE_INLINE f64 fused(f64 a, f64 b, f64 c) {
  return __builtin_fma(a, b, c);
}

/// Runs f with the CPU's rounding direction set; what f reads and writes must be memory.
template <class F>
RIDGE_INLINE void rounded(Rounding rounding, F&& f) {
  const u32 before = _mm_getcsr();
  const u32 mode = rounding == Rounding::rz   ? 3u
                   : rounding == Rounding::rp ? 2u
                   : rounding == Rounding::rm ? 1u
                                              : 0u;
  _mm_setcsr((before & ~0x6000u) | mode << 13);
  asm volatile("" ::: "memory");
  f();
  asm volatile("" ::: "memory");
  _mm_setcsr(before);
}

// ---- f16 and bf16 ----
RIDGE_INLINE f32 half_to_f32(u16 half) {
  const u32 magnitude = static_cast<u32>(half & 0x7fffu) << 13;
  const f32 scaled = std::bit_cast<f32>(magnitude) * 0x1p112f;
  const u32 special = magnitude >= 0x0f800000u ? 0x7f800000u : 0u;
  return std::bit_cast<f32>(bits_of(scaled) | special | static_cast<u32>(half & 0x8000u) << 16);
}
/// To nearest even; NaN becomes canonical.
RIDGE_INLINE u16 f32_to_half(f32 value) {
  const u32 bits = bits_of(value);
  const u32 sign = bits >> 16 & 0x8000u;
  const u32 magnitude = bits & 0x7fffffffu;
  // Small numbers: adding 0.5 puts the result's last place at the float's last place, so the adder rounds.
  const u32 small = bits_of(std::bit_cast<f32>(magnitude) + 0.5f) - 0x3f000000u;
  const u32 normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  u32 result = magnitude < 0x38800000u ? small : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  result |= sign;
  return static_cast<u16>(magnitude > 0x7f800000u ? kHalfNan : result);
}
RIDGE_INLINE f32 bfloat_to_f32(u16 value) {
  return std::bit_cast<f32>(static_cast<u32>(value) << 16);
}
RIDGE_INLINE u16 f32_to_bfloat(f32 value) {
  const u32 bits = bits_of(value);
  const u32 rounded_bits = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return static_cast<u16>((bits & 0x7fffffffu) > 0x7f800000u ? kHalfNan : rounded_bits);
}

/// f16 and bf16 as types.
struct Half {
  static RIDGE_INLINE f32 widen(u16 value) { return half_to_f32(value); }
  static RIDGE_INLINE u16 narrow(f32 value) { return f32_to_half(value); }
};
struct BFloat {
  static RIDGE_INLINE f32 widen(u16 value) { return bfloat_to_f32(value); }
  static RIDGE_INLINE u16 narrow(f32 value) { return f32_to_bfloat(value); }
};

/// The smaller or the larger: a number wins over a NaN, and -0 is less than 0.
template <bool kMax>
RIDGE_INLINE f32 extremum(f32 a, f32 b) {
  f32 result = kMax ? (a > b ? a : b) : (a < b ? a : b);
  result = a == b ? std::bit_cast<f32>(kMax ? bits_of(a) & bits_of(b) : bits_of(a) | bits_of(b)) : result;
  result = b != b ? a : result;
  return a != a ? b : result;
}

template <class H>
RIDGE_INLINE void widen_all(const u16* from, f32* to, int count) {
#ifdef __F16C__
  if constexpr (std::is_same_v<H, Half>) {
    for (int k = 0; k < count; k += 8)
      _mm256_store_ps(to + k, _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(from + k))));
    return;
  }
#endif
  RIDGE_LANE_LOOP
  for (int k = 0; k < count; ++k) to[k] = H::widen(from[k]);
}
template <class H>
RIDGE_INLINE void narrow_all(const f32* from, u16* to, int count) {
#ifdef __F16C__
  if constexpr (std::is_same_v<H, Half>) {
    for (int k = 0; k < count; k += 8)
      _mm_store_si128(
          reinterpret_cast<__m128i*>(to + k),
          _mm256_cvtps_ph(_mm256_load_ps(from + k), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    RIDGE_LANE_LOOP
    for (int k = 0; k < count; ++k) to[k] = (to[k] & 0x7fffu) > 0x7c00u ? kHalfNan : to[k];
    return;
  }
#endif
  RIDGE_LANE_LOOP
  for (int k = 0; k < count; ++k) to[k] = H::narrow(from[k]);
}

RIDGE_LANES_END
