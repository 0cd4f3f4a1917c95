// SPDX-License-Identifier: GPL-3.0-or-later
// f32 and f64 arithmetic. Results that are NaN are canonical in f32; .ftz and .sat are done per operation, in
// software. .ftz flushes what is tiny after rounding to the format's places without a least exponent (IEEE
// 754; seen on an H200): an operation whose result can round up to the least normal number gives by `scaled`
// the result for sources that are larger by kScale, where the exponent sets no bound.
#include "device/emulator/lanes/elementary.h"
#include "device/emulator/lanes/real.h"

RIDGE_LANES_BEGIN

namespace {

constexpr f32 kScale = 0x1p24f, kLeastScaled = 0x1p-102f;
constexpr u32 kLeastNormalBits = 0x00800000u;

struct Add {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a * b;
  }
  static RIDGE_INLINE f32 scaled(f32 a, f32 b) { return apply(a * kScale, b); }
};
struct Div {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a / b;
  }
  static RIDGE_INLINE f32 scaled(f32 a, f32 b) { return apply(a * kScale, b); }
};
struct Fma {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b, T c) {
    return fused(a, b, c);
  }
  static RIDGE_INLINE f32 scaled(f32 a, f32 b, f32 c) { return apply(a * kScale, b, c * kScale); }
};
struct Rcp {
  template <class T>
  static RIDGE_INLINE T apply(T a) {
    return T{1} / a;
  }
  static RIDGE_INLINE f32 scaled(f32 a) { return kScale / a; }
};
struct Sqrt {
  static RIDGE_INLINE f32 apply(f32 a) { return __builtin_sqrtf(a); }
  static RIDGE_INLINE f64 apply(f64 a) { return __builtin_sqrt(a); }
};
struct Rsqrt {
  static RIDGE_INLINE f32 apply(f32 a) { return static_cast<f32>(1.0 / __builtin_sqrt(static_cast<f64>(a))); }
  static RIDGE_INLINE f64 apply(f64 a) { return 1.0 / __builtin_sqrt(a); }
};

/// The result as the modifiers want it.
template <class F, bool kFlush, bool kSaturate>
struct With {
  template <class... T>
  static RIDGE_INLINE auto apply(T... values) {
    auto result = kFlush ? flush(F::apply(flush(values)...)) : F::apply(values...);
    return kSaturate ? saturate(result) : canonical(result);
  }
};

// abs, neg and copysign act on bits; NaN stays what it is apart from its sign.
template <class T>
struct Bits;
template <>
struct Bits<f32> {
  static constexpr u32 kSign = 0x80000000u;
};
template <>
struct Bits<f64> {
  static constexpr u64 kSign = 0x8000000000000000u;
};
struct Abs {
  template <class T>
  static RIDGE_INLINE T apply(T a) {
    return std::bit_cast<T>(bits_of(a) & ~Bits<T>::kSign);
  }
};
struct Neg {
  template <class T>
  static RIDGE_INLINE T apply(T a) {
    return std::bit_cast<T>(bits_of(a) ^ Bits<T>::kSign);
  }
};
template <class F>
struct Flushed {
  template <class T>
  static RIDGE_INLINE T apply(T a) {
    return F::apply(flush(a));
  }
};
/// copysign.f32 d, a, b: the sign of a on the magnitude of b.
struct Copysign {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return std::bit_cast<T>((bits_of(a) & Bits<T>::kSign) | (bits_of(b) & ~Bits<T>::kSign));
  }
};

/// NaN loses against a number unless kNan; -0 is less than +0.
template <bool kMax, bool kNan>
struct Extreme {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    T result = kMax ? (a > b ? a : b) : (a < b ? a : b);
    const T zeros = std::bit_cast<T>(kMax ? bits_of(a) & bits_of(b) : bits_of(a) | bits_of(b));
    result = a == b ? zeros : result;
    if constexpr (kNan) {
      result =
          a != a || b != b ? std::bit_cast<T>(static_cast<decltype(bits_of(a))>(~Bits<T>::kSign)) : result;
    } else {
      result = b != b ? a : result;  // where a is NaN it has lost already
    }
    return result;
  }
  template <class T>
  static RIDGE_INLINE T apply(T a, T b, T c) {
    return apply(apply(a, b), c);
  }
};
template <class F>
struct XorSign {
  static RIDGE_INLINE f32 apply(f32 a, f32 b) {
    const u32 sign = (bits_of(a) ^ bits_of(b)) & 0x80000000u;
    const f32 value = F::apply(Abs::apply(a), Abs::apply(b));
    return std::bit_cast<f32>((bits_of(value) & 0x7fffffffu) | sign);
  }
};

template <class F, int kSources>
constexpr bool can_be_tiny() {
  if constexpr (kSources == 1) return requires(f32 a) {
      F::scaled(a);
    };
  if constexpr (kSources == 2) return requires(f32 a) {
      F::scaled(a, a);
    };
  if constexpr (kSources == 3) return requires(f32 a) {
      F::scaled(a, a, a);
    };
}
/// A flushed result, where the least normal number may have come up from below.
RIDGE_INLINE f32 flush_tiny(f32 result, f32 scaled) {
  const bool least = (bits_of(result) & 0x7fffffffu) == kLeastNormalBits;
  return least && __builtin_fabsf(scaled) < kLeastScaled ? __builtin_copysignf(0.0f, result) : result;
}

/// An f32 operation with .ftz whose result can round up to the least normal number, which is rare.
template <class F, bool kSaturate, int kSources>
Next flushing(Warp& warp, Next i) {
  const f32* a = lanes_of<f32>(warp, i->a);
  const f32* b = kSources > 1 ? lanes_of<f32>(warp, i->b) : a;
  const f32* c = kSources > 2 ? lanes_of<f32>(warp, i->c) : a;
  alignas(64) f32 results[kWarpLanes];
  RIDGE_LANE_LOOP
  for (int l = 0; l < kWarpLanes; ++l) {
    if constexpr (kSources == 1) results[l] = flush(F::apply(flush(a[l])));
    if constexpr (kSources == 2) results[l] = flush(F::apply(flush(a[l]), flush(b[l])));
    if constexpr (kSources == 3) results[l] = flush(F::apply(flush(a[l]), flush(b[l]), flush(c[l])));
  }
  const u32 least = ballot([&](int l) { return (bits_of(results[l]) & 0x7fffffffu) == kLeastNormalBits; });
  for (u32 rest = least; rest != 0; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    if constexpr (kSources == 1) results[l] = flush_tiny(results[l], F::scaled(flush(a[l])));
    if constexpr (kSources == 2) results[l] = flush_tiny(results[l], F::scaled(flush(a[l]), flush(b[l])));
    if constexpr (kSources == 3)
      results[l] = flush_tiny(results[l], F::scaled(flush(a[l]), flush(b[l]), flush(c[l])));
  }
  for_lanes(warp.mask, lanes_of<f32>(warp, i->d),
            [&](int l) { return kSaturate ? saturate(results[l]) : canonical(results[l]); });
  return i + 1;
}

template <class F, class T, class... Source>
struct Lanewise;
template <class F, class T>
struct Lanewise<F, T, T> {
  static constexpr Handler handler = unary<F, T, T>;
};
template <class F, class T>
struct Lanewise<F, T, T, T> {
  static constexpr Handler handler = binary<F, T, T, T>;
};
template <class F, class T>
struct Lanewise<F, T, T, T, T> {
  static constexpr Handler handler = ternary<F, T, T, T, T>;
};

template <class F, class... Source>
Handler single(const Operation& operation) {
  if constexpr (can_be_tiny<F, sizeof...(Source)>()) {
    if (operation.ftz)
      return operation.sat ? flushing<F, true, sizeof...(Source)> : flushing<F, false, sizeof...(Source)>;
  }
  if (operation.sat)
    return operation.ftz ? Lanewise<With<F, true, true>, f32, Source...>::handler
                         : Lanewise<With<F, false, true>, f32, Source...>::handler;
  return operation.ftz ? Lanewise<With<F, true, false>, f32, Source...>::handler
                       : Lanewise<With<F, false, false>, f32, Source...>::handler;
}

/// Rounding toward zero or an infinity: the CPU's own mode, one instruction at a time.
template <class F, class T, int kSources>
Next directed(Warp& warp, Next i) {
  const T* a = lanes_of<T>(warp, i->a);
  const T* b = kSources > 1 ? lanes_of<T>(warp, i->b) : a;
  const T* c = kSources > 2 ? lanes_of<T>(warp, i->c) : a;
  const bool ftz = (i->flags & 0x100) != 0, sat = (i->flags & 0x200) != 0;
  alignas(64) T x[kWarpLanes], y[kWarpLanes], z[kWarpLanes], result[kWarpLanes], scaled[kWarpLanes];
  for (int l = 0; l < kWarpLanes; ++l) {
    x[l] = ftz ? flush(a[l]) : a[l];
    y[l] = ftz ? flush(b[l]) : b[l];
    z[l] = ftz ? flush(c[l]) : c[l];
  }
  rounded(static_cast<Rounding>(i->flags & 0xff), [&] {
    asm volatile("" : : "r"(x), "r"(y), "r"(z), "r"(result), "r"(scaled) : "memory");
    for (int l = 0; l < kWarpLanes; ++l) {
      if constexpr (kSources == 1) result[l] = F::apply(x[l]);
      if constexpr (kSources == 2) result[l] = F::apply(x[l], y[l]);
      if constexpr (kSources == 3) result[l] = F::apply(x[l], y[l], z[l]);
    }
    if constexpr (std::is_same_v<T, f32> && can_be_tiny<F, kSources>()) {
      for (int l = 0; ftz && l < kWarpLanes; ++l) {
        if constexpr (kSources == 1) scaled[l] = F::scaled(x[l]);
        if constexpr (kSources == 2) scaled[l] = F::scaled(x[l], y[l]);
        if constexpr (kSources == 3) scaled[l] = F::scaled(x[l], y[l], z[l]);
      }
    }
    asm volatile("" : : "r"(result), "r"(scaled) : "memory");
  });
  if constexpr (std::is_same_v<T, f32>) {
    for (int l = 0; ftz && l < kWarpLanes; ++l)
      result[l] = can_be_tiny<F, kSources>() ? flush_tiny(flush(result[l]), scaled[l]) : flush(result[l]);
  }
  for_lanes(warp.mask, lanes_of<T>(warp, i->d),
            [&](int l) { return sat ? saturate(result[l]) : canonical(result[l]); });
  return i + 1;
}
#ifndef __FMA__
/// Without a fused multiply-add in hardware, the double is rounded to odd first and then in the direction
/// wanted. The sign of a sum that is exactly zero depends on the direction, so that one is added again.
Next directed_fma(Warp& warp, Next i) {
  const f32* a = lanes_of<f32>(warp, i->a);
  const f32* b = lanes_of<f32>(warp, i->b);
  const f32* c = lanes_of<f32>(warp, i->c);
  const bool ftz = (i->flags & 0x100) != 0, sat = (i->flags & 0x200) != 0;
  alignas(64) f64 product[kWarpLanes], addend[kWarpLanes], odd[kWarpLanes];
  alignas(64) f32 result[kWarpLanes], scaled[kWarpLanes];
  for (int l = 0; l < kWarpLanes; ++l) {
    product[l] = ftz ? static_cast<f64>(flush(a[l])) * flush(b[l]) : static_cast<f64>(a[l]) * b[l];
    addend[l] = ftz ? flush(c[l]) : c[l];
    odd[l] = add_to_odd(product[l], addend[l]);
  }
  rounded(static_cast<Rounding>(i->flags & 0xff), [&] {
    asm volatile("" : : "r"(product), "r"(addend), "r"(odd), "r"(result), "r"(scaled) : "memory");
    for (int l = 0; l < kWarpLanes; ++l) {
      if (odd[l] == 0) odd[l] = product[l] + addend[l];
      result[l] = static_cast<f32>(odd[l]);
      scaled[l] = static_cast<f32>(odd[l] * kScale);
    }
    asm volatile("" : : "r"(result), "r"(scaled) : "memory");
  });
  for_lanes(warp.mask, lanes_of<f32>(warp, i->d), [&](int l) {
    const f32 value = ftz ? flush_tiny(flush(result[l]), scaled[l]) : result[l];
    return sat ? saturate(value) : canonical(value);
  });
  return i + 1;
}
#endif

bool is_directed(Rounding rounding) {
  return rounding == Rounding::rz || rounding == Rounding::rm || rounding == Rounding::rp;
}

template <class F, int kSources>
Handler rounded_handler(const Operation& operation) {
  const bool wide = operation.type == Type::f64;
  if (is_directed(operation.rounding))
    return wide ? Handler(directed<F, f64, kSources>) : Handler(directed<F, f32, kSources>);
  if constexpr (kSources == 1) return wide ? Handler(unary<F, f64, f64>) : single<F, f32>(operation);
  if constexpr (kSources == 2)
    return wide ? Handler(binary<F, f64, f64, f64>) : single<F, f32, f32>(operation);
  if constexpr (kSources == 3)
    return wide ? Handler(ternary<F, f64, f64, f64, f64>) : single<F, f32, f32, f32>(operation);
}

/// rcp.approx.ftz.f64 and its kin give the upper half of the result only; the code after them refines it.
template <class F>
struct UpperHalf {
  static RIDGE_INLINE f64 apply(f64 a) {
    return std::bit_cast<f64>(bits_of(flush(F::apply(flush(a)))) & 0xffffffff00000000u);
  }
};

template <bool kMax>
Handler extreme(const Operation& operation) {
  if (operation.type == Type::f64) return binary<Extreme<kMax, false>, f64, f64, f64>;
  if (operation.xorsign_abs)
    return operation.nan ? single<XorSign<Extreme<kMax, true>>, f32, f32>(operation)
                         : single<XorSign<Extreme<kMax, false>>, f32, f32>(operation);
  return operation.nan ? single<Extreme<kMax, true>, f32, f32>(operation)
                       : single<Extreme<kMax, false>, f32, f32>(operation);
}
template <bool kMax>
Handler extreme_of_three(const Operation& operation) {
  if (operation.type != Type::f32) return nullptr;
  return operation.nan ? single<Extreme<kMax, true>, f32, f32, f32>(operation)
                       : single<Extreme<kMax, false>, f32, f32, f32>(operation);
}

template <class F>
Handler sign_handler(const Operation& operation) {
  if (operation.type == Type::f64) return unary<F, f64, f64>;
  return operation.ftz ? Handler(unary<Flushed<F>, f32, f32>) : Handler(unary<F, f32, f32>);
}

template <class T>
Next test_property(Warp& warp, Next i) {
  const T* a = lanes_of<T>(warp, i->a);
  constexpr int kMantissa = std::is_same_v<T, f32> ? 23 : 52;
  const auto property = static_cast<int>(i->flags);
  set_predicate(warp, i->d, ballot([&](int l) {
                  const auto magnitude = bits_of(a[l]) & ~Bits<T>::kSign;
                  const auto infinity = Bits<T>::kSign - (decltype(magnitude){1} << kMantissa);
                  const bool finite = magnitude<infinity, nan = magnitude> infinity;
                  // A zero is "normal" (seen on an H200).
                  const bool normal = finite && (magnitude >> kMantissa != 0 || magnitude == 0);
                  switch (property) {
                    case 0:
                      return finite;
                    case 1:
                      return magnitude == infinity;
                    case 2:
                      return !nan;
                    case 3:
                      return nan;
                    case 4:
                      return normal;
                    default:
                      return finite && !normal;
                  }
                }));
  return i + 1;
}

}  // namespace

Handler float_handler(const Operation& operation) {
  const bool wide = operation.type == Type::f64;
  if (!wide && operation.type != Type::f32) return nullptr;
  switch (operation.op) {
    case Op::add:
      return rounded_handler<Add, 2>(operation);
    case Op::sub:
      return rounded_handler<Sub, 2>(operation);
    case Op::mul:
      return rounded_handler<Mul, 2>(operation);
    case Op::div:
      return rounded_handler<Div, 2>(operation);
    case Op::fma:
    case Op::mad:
#ifndef __FMA__
      if (!wide && is_directed(operation.rounding)) return directed_fma;
#endif
      return rounded_handler<Fma, 3>(operation);
    case Op::rcp:
      if (wide && operation.rounding == Rounding::approx) return unary<UpperHalf<Rcp>, f64, f64>;
      return rounded_handler<Rcp, 1>(operation);
    case Op::sqrt:
      return rounded_handler<Sqrt, 1>(operation);
    case Op::rsqrt:
      if (wide)
        return operation.ftz ? Handler(unary<UpperHalf<Rsqrt>, f64, f64>) : Handler(unary<Rsqrt, f64, f64>);
      return single<Rsqrt, f32>(operation);
    case Op::ex2:
      return wide ? nullptr : single<Ex2, f32>(operation);
    case Op::lg2:
      return wide ? nullptr : single<Lg2, f32>(operation);
    case Op::sin:
      return wide ? nullptr : single<Sin, f32>(operation);
    case Op::cos:
      return wide ? nullptr : single<Cos, f32>(operation);
    case Op::tanh:
      return wide ? nullptr : single<Tanh, f32>(operation);
    case Op::min:
      return extreme<false>(operation);
    case Op::max:
      return extreme<true>(operation);
    case Op::min3:
      return extreme_of_three<false>(operation);
    case Op::max3:
      return extreme_of_three<true>(operation);
    case Op::abs:
      return sign_handler<Abs>(operation);
    case Op::neg:
      return sign_handler<Neg>(operation);
    case Op::copysign:
      return wide ? Handler(binary<Copysign, f64, f64, f64>) : Handler(binary<Copysign, f32, f32, f32>);
    case Op::testp:
      return wide ? Handler(test_property<f64>) : Handler(test_property<f32>);
    default:
      return nullptr;
  }
}

RIDGE_LANES_END
