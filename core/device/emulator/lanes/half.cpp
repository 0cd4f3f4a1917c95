// SPDX-License-Identifier: GPL-3.0-or-later
// f16 and bf16 arithmetic, one or two values to a register: widened to f32, computed, rounded once.
#include "device/emulator/lanes/elementary.h"
#include "device/emulator/lanes/real.h"

RIDGE_LANES_BEGIN

namespace {

enum Modifier : u32 { kFlush = 0x100, kSaturate = 0x200, kRelu = 0x400 };

/// Below these magnitudes a value is subnormal; and the exact one that rounds to it without a least exponent.
template <class H>
inline constexpr f32 kLeastNormal = std::is_same_v<H, Half> ? 0x1p-14f : 0x1p-126f;
template <class H>
inline constexpr f32 kLeastExact = kLeastNormal<H>*(std::is_same_v<H, Half> ? 1 - 0x1p-12f : 1 - 0x1p-9f);

struct Add {
  template <class H>
  static RIDGE_INLINE f32 apply(f32 a, f32 b) {
    return a + b;
  }
};
struct Sub {
  template <class H>
  static RIDGE_INLINE f32 apply(f32 a, f32 b) {
    return a - b;
  }
};
/// The product of two f16 is exact in f32; bf16 can fall below f32's range and must not be rounded there.
struct Mul {
  template <class H>
  static RIDGE_INLINE f32 apply(f32 a, f32 b) {
    if constexpr (std::is_same_v<H, Half>) return a * b;
    return narrow_to_odd(static_cast<f64>(a) * b);
  }
};
/// One rounding: a double holds the sum for f16 closely enough; for bf16 it is rounded to odd.
struct Fma {
  template <class H>
  static RIDGE_INLINE f32 apply(f32 a, f32 b, f32 c) {
    if constexpr (std::is_same_v<H, Half>)
      return narrow_to_odd(static_cast<f64>(a * b) + static_cast<f64>(c));
    return narrow_to_odd(add_to_odd(static_cast<f64>(a) * b, static_cast<f64>(c)));
  }
};
template <bool kMax, bool kNan>
struct Extreme {
  template <class H>
  static RIDGE_INLINE f32 apply(f32 a, f32 b) {
    if constexpr (kNan)
      if (a != a || b != b) return std::bit_cast<f32>(kNanBits);
    return extremum<kMax>(a, b);
  }
};
/// .xorsign.abs: of the magnitudes, with the sign of the product.
template <bool kMax, bool kNan>
struct SignedExtreme {
  template <class H>
  static RIDGE_INLINE f32 apply(f32 a, f32 b) {
    const u32 sign = (bits_of(a) ^ bits_of(b)) & 0x80000000u;
    const f32 value = Extreme<kMax, kNan>::template apply<H>(__builtin_fabsf(a), __builtin_fabsf(b));
    return std::bit_cast<f32>((bits_of(value) & 0x7fffffffu) | sign);
  }
};
struct Exp2 {
  template <class H>
  static RIDGE_INLINE f32 apply(f32 a) {
    return Ex2::apply(a);
  }
};
struct Tangent {
  template <class H>
  static RIDGE_INLINE f32 apply(f32 a) {
    return Tanh::apply(a);
  }
};
/// A packed value per lane has two halves, element 2 l being the low one.
template <class H, class F, int kSources, bool kPacked>
Next half_operation(Warp& warp, Next i) {
  constexpr int kCount = kPacked ? 2 * kWarpLanes : kWarpLanes;
  alignas(64) f32 x[kCount], y[kSources > 1 ? kCount : 1], z[kSources > 2 ? kCount : 1];
  alignas(64) u16 result[kCount];
  widen_all<H>(lanes_of<u16>(warp, i->a), x, kCount);
  if constexpr (kSources > 1) widen_all<H>(lanes_of<u16>(warp, i->b), y, kCount);
  if constexpr (kSources > 2) widen_all<H>(lanes_of<u16>(warp, i->c), z, kCount);
  const u32 modifiers = i->flags;
  const auto flush_all = [](f32* values, f32 least) {
    RIDGE_LANE_LOOP
    for (int k = 0; k < kCount; ++k)
      values[k] = __builtin_fabsf(values[k]) < least ? values[k] * 0.0f : values[k];
  };
  if (modifiers & kFlush) {
    flush_all(x, kLeastNormal<H>);
    if constexpr (kSources > 1) flush_all(y, kLeastNormal<H>);
    if constexpr (kSources > 2) flush_all(z, kLeastNormal<H>);
  }
  RIDGE_LANE_LOOP
  for (int k = 0; k < kCount; ++k) {
    if constexpr (kSources == 1) x[k] = F::template apply<H>(x[k]);
    if constexpr (kSources == 2) x[k] = F::template apply<H>(x[k], y[k]);
    if constexpr (kSources == 3) x[k] = F::template apply<H>(x[k], y[k], z[k]);
  }
  if (modifiers & kFlush) flush_all(x, kLeastExact<H>);
  if (modifiers & (kSaturate | kRelu)) {
    RIDGE_LANE_LOOP
    for (int k = 0; k < kCount; ++k) {
      if (modifiers & kSaturate) x[k] = saturate(x[k]);
      if (modifiers & kRelu) x[k] = x[k] > 0 || x[k] != x[k] ? x[k] : 0.0f;
    }
  }
  narrow_all<H>(x, result, kCount);
  if constexpr (kPacked) {
    alignas(64) u32 words[kWarpLanes];
    std::memcpy(words, result, sizeof words);
    blend(warp.mask, lanes_of<u32>(warp, i->d), words);
  } else {
    blend(warp.mask, lanes_of<u16>(warp, i->d), result);
  }
  return i + 1;
}

template <class F, int kSources>
Handler of_type(Type type) {
  switch (type) {
    case Type::f16:
      return half_operation<Half, F, kSources, false>;
    case Type::f16x2:
      return half_operation<Half, F, kSources, true>;
    case Type::bf16:
      return half_operation<BFloat, F, kSources, false>;
    case Type::bf16x2:
      return half_operation<BFloat, F, kSources, true>;
    default:
      return nullptr;
  }
}

template <bool kMax>
Handler extreme_of(const Operation& operation) {
  if (operation.xorsign_abs)
    return operation.nan ? of_type<SignedExtreme<kMax, true>, 2>(operation.type)
                         : of_type<SignedExtreme<kMax, false>, 2>(operation.type);
  return operation.nan ? of_type<Extreme<kMax, true>, 2>(operation.type)
                       : of_type<Extreme<kMax, false>, 2>(operation.type);
}

/// neg and abs touch the sign bits only; .ftz makes zeros of what is subnormal.
template <class T, bool kNegate, bool kFlushed>
Next sign_operation(Warp& warp, Next i) {
  constexpr T kSigns = static_cast<T>(sizeof(T) == 2 ? 0x8000u : 0x80008000u);
  const T* a = lanes_of<T>(warp, i->a);
  for_lanes(warp.mask, lanes_of<T>(warp, i->d), [=](int l) {
    T value = a[l];
    if constexpr (kFlushed) {
      constexpr u32 kLow = 0x7c00u, kHigh = 0x7c000000u;
      u32 kept = value;
      if ((kept & kLow) == 0) kept &= 0xffff8000u;
      if (sizeof(T) == 4 && (kept & kHigh) == 0) kept &= 0x8000ffffu;
      value = static_cast<T>(kept);
    }
    return static_cast<T>(kNegate ? value ^ kSigns : value & static_cast<T>(~kSigns));
  });
  return i + 1;
}
template <bool kNegate>
Handler sign_of(const Operation& operation) {
  const bool packed = ptx::size_of(operation.type) == 4;
  if (operation.ftz)
    return packed ? Handler(sign_operation<u32, kNegate, true>) : Handler(sign_operation<u16, kNegate, true>);
  return packed ? Handler(sign_operation<u32, kNegate, false>) : Handler(sign_operation<u16, kNegate, false>);
}

}  // namespace

Handler half_handler(const Operation& operation) {
  const Type type = operation.type;
  const bool packed = type == Type::f16x2 || type == Type::bf16x2;
  if (!packed && type != Type::f16 && type != Type::bf16) return nullptr;
  if (operation.rounding != Rounding::unset && operation.rounding != Rounding::rn &&
      operation.rounding != Rounding::approx)
    return nullptr;
  switch (operation.op) {
    case Op::add:
      return of_type<Add, 2>(type);
    case Op::sub:
      return of_type<Sub, 2>(type);
    case Op::mul:
      return of_type<Mul, 2>(type);
    case Op::fma:
      return of_type<Fma, 3>(type);
    case Op::min:
      return extreme_of<false>(operation);
    case Op::max:
      return extreme_of<true>(operation);
    case Op::ex2:
      return of_type<Exp2, 1>(type);
    case Op::tanh:
      return of_type<Tangent, 1>(type);
    case Op::neg:
      return sign_of<true>(operation);
    case Op::abs:
      return sign_of<false>(operation);
    default:
      return nullptr;
  }
}

RIDGE_LANES_END
