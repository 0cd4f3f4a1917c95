// SPDX-License-Identifier: GPL-3.0-or-later
// Rounding a number to any binary format in any direction, in integers: the rare conversions go through here.
#pragma once

#include "device/emulator/lanes/real.h"

RIDGE_LANES_BEGIN

/// A binary floating-point format of up to 64 bits.
struct Format {
  int fraction;  ///< stored significand bits
  int least;     ///< exponent of the least normal number
  int greatest;  ///< exponent of the greatest finite number
  u64 infinity;  ///< bits of +Inf; 0: the format has none
  u64 nan;       ///< canonical NaN
  u64 largest;   ///< bits of the greatest finite number
  u64 sign;      ///< the sign bit
};
inline constexpr Format kF16{10, -14, 15, 0x7c00, 0x7fff, 0x7bff, 0x8000};
inline constexpr Format kBf16{7, -126, 127, 0x7f80, 0x7fff, 0x7f7f, 0x8000};
inline constexpr Format kF32{23, -126, 127, 0x7f800000, 0x7fffffff, 0x7f7fffff, 0x80000000u};
inline constexpr Format kF64{
    52, -1022, 1023, 0x7ff0000000000000u, 0x7fffffffffffffffu, 0x7fefffffffffffffu, 0x8000000000000000u};
inline constexpr Format kE4m3{3, -6, 8, 0, 0x7f, 0x7e, 0x80};
inline constexpr Format kE5m2{2, -14, 15, 0x7c, 0x7f, 0x7b, 0x80};

/// A finite number significand * 2^exponent with a sign.
struct Unpacked {
  bool negative = false, nan = false, infinite = false;
  u64 significand = 0;
  int exponent = 0;
};
RIDGE_INLINE Unpacked unpack(f64 value) {
  Unpacked result;
  const u64 bits = bits_of(value);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  result.negative = bits >> 63 != 0;
  result.significand = bits & 0xfffffffffffffu;
  if (exponent == 0x7ff) {
    result.nan = result.significand != 0;
    result.infinite = !result.nan;
  } else if (exponent == 0) {
    result.exponent = -1074;
  } else {
    result.significand |= u64{1} << 52;
    result.exponent = exponent - 1075;
  }
  return result;
}

/// The bits of the number in the format. Saturating (.satfinite): never infinite or beyond the greatest.
inline u64 pack(const Unpacked& number, const Format& format, Rounding rounding, bool saturating) {
  const u64 sign = number.negative ? format.sign : 0;
  if (number.nan) return format.nan;
  const u64 beyond = format.infinity != 0 && !saturating ? format.infinity : format.largest;
  if (number.infinite) return sign | beyond;
  if (number.significand == 0) return sign;
  const int top = 63 - __builtin_clzll(number.significand) + number.exponent;  // exponent of the leading bit
  const int unit = (top < format.least ? format.least : top) - format.fraction;  // of the last place
  const int shift = unit - number.exponent;
  u64 quotient = 0;
  bool half = false, rest = false;
  if (shift <= 0) {
    quotient = number.significand << -shift;
  } else if (shift <= 64) {
    quotient = shift == 64 ? 0 : number.significand >> shift;
    half = (number.significand >> (shift - 1) & 1) != 0;
    rest = (number.significand & ((u64{1} << (shift - 1)) - 1)) != 0;
  } else {
    rest = true;
  }
  bool up = false;
  switch (rounding) {
    case Rounding::rz:
      break;
    case Rounding::rm:
      up = number.negative && (half || rest);
      break;
    case Rounding::rp:
      up = !number.negative && (half || rest);
      break;
    case Rounding::rna:
      up = half;
      break;
    default:
      up = half && (rest || (quotient & 1) != 0);
      break;
  }
  quotient += up ? 1 : 0;
  // A normal quotient has its hidden bit set; adding it to the exponent field carries by itself.
  const u64 exponent = static_cast<u64>(unit + format.fraction - format.least);
  const u64 magnitude = (exponent << format.fraction) + quotient;
  if (magnitude > format.largest) {
    const bool toward_zero = rounding == Rounding::rz || (rounding == Rounding::rm && !number.negative) ||
                             (rounding == Rounding::rp && number.negative);
    if (format.infinity == 0 && !saturating) return sign | format.nan;
    return sign | (toward_zero ? format.largest : beyond);
  }
  return sign | magnitude;
}

RIDGE_INLINE f64 e4m3_to_f64(u32 bits) {
  const u32 magnitude = bits & 0x7f;
  if (magnitude == 0x7f) return std::bit_cast<f64>(kF64.nan);
  const u32 exponent = magnitude >> 3, fraction = magnitude & 7;
  const f64 value =
      exponent == 0
          ? fraction * 0x1p-9
          : std::bit_cast<f64>(static_cast<u64>(exponent + 1016) << 52 | static_cast<u64>(fraction) << 49);
  return bits & 0x80 ? -value : value;
}
RIDGE_INLINE f64 e5m2_to_f64(u32 bits) {
  return half_to_f32(static_cast<u16>(bits << 8));
}

RIDGE_LANES_END
