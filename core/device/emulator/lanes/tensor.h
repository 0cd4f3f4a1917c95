// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products of tiles as a warp holds them (exec/tensor.h says how): fragments become small dense
// matrices of floats, in which every element of up to 16 bits and every product of two of them is exact; they
// are multiplied eight columns at a time, along k in ascending order, and the result goes back into
// registers.
#pragma once

#include "device/emulator/exec/tensor.h"
#include "device/emulator/lanes/lanes.h"
#include "device/emulator/lanes/real.h"

RIDGE_LANES_BEGIN

inline constexpr int kMostK = 64;  ///< of a product in floats

RIDGE_INLINE f32 e4m3_to_f32(u32 bits) {
  // As a half its exponent is 8 less.
  const f32 value = half_to_f32(static_cast<u16>((bits & 0x80) << 8 | (bits & 0x7f) << 7)) * 256.0f;
  return (bits & 0x7f) == 0x7f ? std::bit_cast<f32>(kNanBits) : value;
}

/// The elements of 16 bytes as floats.
template <Type kType>
RIDGE_INLINE void widen(const u8* bytes, f32* to) {
  if constexpr (kType == Type::f16 || kType == Type::bf16) {
    alignas(16) u16 halves[8];
    std::memcpy(halves, bytes, 16);
    widen_all<std::conditional_t<kType == Type::f16, Half, BFloat>>(halves, to, 8);
  } else if constexpr (kType == Type::tf32) {  // the low 13 bits of a float do not exist
    u32 words[4];
    std::memcpy(words, bytes, 16);
    for (int k = 0; k < 4; ++k) to[k] = std::bit_cast<f32>(words[k] & 0xffffe000u);
  } else if constexpr (kType == Type::e4m3) {
    for (int k = 0; k < 16; ++k) to[k] = e4m3_to_f32(bytes[k]);
  } else if constexpr (kType == Type::e5m2) {
    for (int k = 0; k < 16; ++k) to[k] = half_to_f32(static_cast<u16>(bytes[k] << 8));
  } else if constexpr (kType == Type::s8) {
    for (int k = 0; k < 16; ++k) to[k] = static_cast<s8>(bytes[k]);
  } else if constexpr (kType == Type::u8) {
    for (int k = 0; k < 16; ++k) to[k] = bytes[k];
  } else if constexpr (kType == Type::s4) {
    for (int k = 0; k < 32; ++k)
      to[k] = static_cast<f32>(static_cast<s8>(static_cast<u8>(bytes[k / 2] >> 4 * (k & 1) << 4)) >> 4);
  } else {
    static_assert(kType == Type::u4);
    for (int k = 0; k < 32; ++k) to[k] = static_cast<f32>(bytes[k / 2] >> 4 * (k & 1) & 15);
  }
}

/// Calls f with the type as a constant.
template <class F>
RIDGE_INLINE void with_type(Type type, F&& f) {
  switch (type) {
    case Type::f16:
      return f(std::integral_constant<Type, Type::f16>());
    case Type::bf16:
      return f(std::integral_constant<Type, Type::bf16>());
    case Type::e4m3:
      return f(std::integral_constant<Type, Type::e4m3>());
    case Type::e5m2:
      return f(std::integral_constant<Type, Type::e5m2>());
    case Type::s8:
      return f(std::integral_constant<Type, Type::s8>());
    case Type::u8:
      return f(std::integral_constant<Type, Type::u8>());
    case Type::s4:
      return f(std::integral_constant<Type, Type::s4>());
    case Type::u4:
      return f(std::integral_constant<Type, Type::u4>());
    default:
      return f(std::integral_constant<Type, Type::tf32>());
  }
}

/// Registers of a fragment, `halves` tiles of eight rows above each other and then along k, as to[row][k].
RIDGE_INLINE void widen_tiles(Warp& warp, Type type, const u32* slots, int halves, int k, f32* to) {
  with_type(type, [&](auto constant) {
    constexpr Type kType = decltype(constant)::value;
    constexpr int kElements = 128 / element_bits(kType);
    for (int first = 0; first < k; first += kElements)
      for (int half = 0; half < halves; ++half) {
        const u8* tile = lanes_of<u8>(warp, *slots++);
        f32* rows = to + half * 8 * k + first;
        for (int row = 0; row < 8; ++row) widen<kType>(tile + 16 * row, rows + row * k);
      }
  });
}

/// from[8][k] to to[k][8]; k is a multiple of 4.
RIDGE_INLINE void transpose(const f32* from, int k, f32* to) {
  for (int first = 0; first < k; first += 4)
    for (int half = 0; half < 8; half += 4) {
      const f32* source = from + half * k + first;
      __m128 r0 = _mm_loadu_ps(source), r1 = _mm_loadu_ps(source + k);
      __m128 r2 = _mm_loadu_ps(source + 2 * k), r3 = _mm_loadu_ps(source + 3 * k);
      _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
      f32* target = to + first * 8 + half;
      _mm_storeu_ps(target, r0);
      _mm_storeu_ps(target + 8, r1);
      _mm_storeu_ps(target + 16, r2);
      _mm_storeu_ps(target + 24, r3);
    }
}

/// c[row][8] += a[row][k] * b[k][8] for 8 rows, one fused multiply-add after the other along k.
RIDGE_INLINE void accumulate(const f32* a, const f32* b, int k, f32* c) {
#ifdef __FMA__
  __m256 sums[8];
  for (int row = 0; row < 8; ++row) sums[row] = _mm256_loadu_ps(c + 8 * row);
  for (int i = 0; i < k; ++i) {
    const __m256 line = _mm256_loadu_ps(b + 8 * i);
#pragma GCC unroll 8
    for (int row = 0; row < 8; ++row)
      sums[row] = _mm256_fmadd_ps(_mm256_broadcast_ss(a + row * k + i), line, sums[row]);
  }
  for (int row = 0; row < 8; ++row) _mm256_storeu_ps(c + 8 * row, sums[row]);
#else
  for (int row = 0; row < 8; ++row)
    for (int i = 0; i < k; ++i) {
      const f32 factor = a[row * k + i];
      RIDGE_LANE_LOOP
      for (int column = 0; column < 8; ++column)
        c[8 * row + column] = fused(factor, b[8 * i + column], c[8 * row + column]);
    }
#endif
}

/// An accumulator's tile as c[8][8].
RIDGE_INLINE void load_tile(Warp& warp, Type type, const u32* slots, int tile, f32* c) {
  if (type == Type::f16) {
    widen_all<Half>(lanes_of<u16>(warp, slots[tile]), c, 64);
    return;
  }
  const f32* even = lanes_of<f32>(warp, slots[2 * tile]);
  const f32* odd = lanes_of<f32>(warp, slots[2 * tile + 1]);
  for (int k = 0; k < kWarpLanes; k += 4) {
    const __m128 first = _mm_load_ps(even + k), second = _mm_load_ps(odd + k);
    _mm_storeu_ps(c + 2 * k, _mm_unpacklo_ps(first, second));
    _mm_storeu_ps(c + 2 * k + 4, _mm_unpackhi_ps(first, second));
  }
}

RIDGE_INLINE void store_tile(Warp& warp, Type type, const u32* slots, int tile, const f32* c) {
  if (type == Type::f16) {
    narrow_all<Half>(c, lanes_of<u16>(warp, slots[tile]), 64);
    return;
  }
  f32* even = lanes_of<f32>(warp, slots[2 * tile]);
  f32* odd = lanes_of<f32>(warp, slots[2 * tile + 1]);
  const __m128 nan = _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff));
  const auto canonical_of = [&](__m128 v) {
    const __m128 is_nan = _mm_cmpunord_ps(v, v);
    return _mm_or_ps(_mm_andnot_ps(is_nan, v), _mm_and_ps(is_nan, nan));
  };
  for (int k = 0; k < kWarpLanes; k += 4) {
    const __m128 first = _mm_loadu_ps(c + 2 * k), second = _mm_loadu_ps(c + 2 * k + 4);
    _mm_store_ps(even + k, canonical_of(_mm_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0))));
    _mm_store_ps(odd + k, canonical_of(_mm_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1))));
  }
}

/// Adds whole sums to an accumulator of integers; it wraps or saturates once.
template <class Sum>
RIDGE_INLINE void store_integers(Warp& warp, const TensorPlan& plan, const u32* d, const u32* c, int tile,
                                 const Sum* sums) {
  for (int odd = 0; odd < 2; ++odd) {
    const s32* from = c == nullptr ? nullptr : lanes_of<s32>(warp, c[2 * tile + odd]);
    s32* to = lanes_of<s32>(warp, d[2 * tile + odd]);
    for (int l = 0; l < kWarpLanes; ++l) {
      const s64 sum = static_cast<s64>(sums[2 * l + odd]) + (from == nullptr ? 0 : from[l]);
      const s64 inside = sum > 0x7fffffff ? 0x7fffffff : sum < -0x7fffffff - 1 ? -0x7fffffff - 1 : sum;
      to[l] = static_cast<s32>(static_cast<u32>(plan.saturating ? inside : sum));
    }
  }
}

RIDGE_LANES_END
