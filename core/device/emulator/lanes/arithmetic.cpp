// SPDX-License-Identifier: GPL-3.0-or-later
// Integer arithmetic. Signed types are computed as unsigned ones where only the low bits count.
#include "device/emulator/exec/access.h"
#include "device/emulator/lanes/lanes.h"
#include "device/emulator/lanes/wide.h"

RIDGE_LANES_BEGIN

namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// 16-bit values widen to int in C++; going through u32 keeps every product defined.
template <class T>
using Working = std::conditional_t<sizeof(T) == 2, u32, Unsigned<T>>;

template <class T>
RIDGE_INLINE Working<T> work(T value) {
  return static_cast<Working<T>>(value);
}
template <class T>
RIDGE_INLINE T low(Working<T> value) {
  return static_cast<T>(value);
}

struct Add {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return low<T>(work(a) + work(b));
  }
};
struct Sub {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return low<T>(work(a) - work(b));
  }
};
struct Mul {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return low<T>(work(a) * work(b));
  }
};
struct Mad {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b, T c) {
    return low<T>(work(a) * work(b) + work(c));
  }
};
struct MulHi {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> (8 * sizeof(T)));
  }
};
struct MadHi {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b, T c) {
    return low<T>(work(MulHi::apply(a, b)) + work(c));
  }
};
/// The product and the sum have twice the width of the factors.
struct MulWide {
  template <class T>
  static RIDGE_INLINE Wide<T> apply(T a, T b) {
    return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * b);
  }
};
struct MadWide {
  template <class T>
  static RIDGE_INLINE Wide<T> apply(T a, T b, Wide<T> c) {
    return Add::apply(MulWide::apply(a, b), c);
  }
};
template <class T>
RIDGE_INLINE s64 low24(T a) {
  return std::is_signed_v<T> ? static_cast<s64>(static_cast<s32>(static_cast<u32>(a) << 8) >> 8)
                             : static_cast<s64>(static_cast<u32>(a) & 0xffffffu);
}
struct Mul24 {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return static_cast<T>(low24(a) * low24(b));
  }
};
struct Mul24Hi {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return static_cast<T>((low24(a) * low24(b)) >> 16);
  }
};
struct Mad24 {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b, T c) {
    return Add::apply(Mul24::apply(a, b), c);
  }
};
struct Mad24Hi {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b, T c) {
    return Add::apply(Mul24Hi::apply(a, b), c);
  }
};
struct Sad {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b, T c) {
    return low<T>(work(c) + (a < b ? work(b) - work(a) : work(a) - work(b)));
  }
};
// Division by zero gives all ones, as the hardware's sequence does; the most negative number over -1 wraps.
struct Div {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return low<T>(Working<T>{0} - work(a));
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
};
struct Neg {
  template <class T>
  static RIDGE_INLINE T apply(T a) {
    return low<T>(Working<T>{0} - work(a));
  }
};
struct Abs {
  template <class T>
  static RIDGE_INLINE T apply(T a) {
    return a < 0 ? Neg::apply(a) : a;
  }
};
struct Min {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a > b ? a : b;
  }
};
template <class F>
struct Relu {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    const T value = F::apply(a, b);
    return value > 0 ? value : T{0};
  }
};
struct AddSat {
  static RIDGE_INLINE s32 apply(s32 a, s32 b) { return clamp(s64{a} + b); }
  static RIDGE_INLINE s32 clamp(s64 value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : static_cast<s32>(value);
  }
};
struct SubSat {
  static RIDGE_INLINE s32 apply(s32 a, s32 b) { return AddSat::clamp(s64{a} - b); }
};
struct MadHiSat {
  static RIDGE_INLINE s32 apply(s32 a, s32 b, s32 c) { return AddSat::clamp(s64{MulHi::apply(a, b)} + c); }
};
struct Mad24HiSat {
  static RIDGE_INLINE s32 apply(s32 a, s32 b, s32 c) { return AddSat::clamp(s64{Mul24Hi::apply(a, b)} + c); }
};

template <class F, class T>
Handler two() {
  return binary<F, T, T, T>;
}
template <class F, class T>
Handler three() {
  return ternary<F, T, T, T, T>;
}

/// Two 16-bit operations in one 32-bit register.
template <class F, class T>
Next packed_binary(Warp& warp, Next i) {
  const u32* a = lanes_of<u32>(warp, i->a);
  const u32* b = lanes_of<u32>(warp, i->b);
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [=](int l) {
    const T first = F::apply(static_cast<T>(a[l]), static_cast<T>(b[l]));
    const T second = F::apply(static_cast<T>(a[l] >> 16), static_cast<T>(b[l] >> 16));
    return static_cast<u32>(static_cast<u16>(first)) | static_cast<u32>(static_cast<u16>(second)) << 16;
  });
  return i + 1;
}

/// Division is undefined in C++ where the divisor is zero: that is worth a note.
template <class F, class T>
Next divide(Warp& warp, Next i) {
  const T* a = lanes_of<T>(warp, i->a);
  const T* b = lanes_of<T>(warp, i->b);
  const u32 zeros = warp.mask & ballot([=](int l) { return b[l] == 0; });
  if (__builtin_expect(zeros != 0, 0) && warp.worker->checking)
    note_division_by_zero(warp, at(warp, i), zeros);
  for_lanes(warp.mask, lanes_of<T>(warp, i->d), [=](int l) { return F::apply(a[l], b[l]); });
  return i + 1;
}
template <class F>
Handler division_of(Type type) {
  switch (type) {
    case Type::u16:
      return divide<F, u16>;
    case Type::s16:
      return divide<F, s16>;
    case Type::u32:
      return divide<F, u32>;
    case Type::s32:
      return divide<F, s32>;
    case Type::u64:
      return divide<F, u64>;
    case Type::s64:
      return divide<F, s64>;
    default:
      return nullptr;
  }
}

/// a + (b << c): an address and a scaled index.
Next shift_add(Warp& warp, Next i) {
  const u64* a = lanes_of<u64>(warp, i->a);
  const u64* b = lanes_of<u64>(warp, i->b);
  const int shift = static_cast<int>(i->immediate);
  for_lanes(warp.mask, lanes_of<u64>(warp, i->d), [=](int l) { return a[l] + (b[l] << shift); });
  return i + 1;
}

template <class F>
Handler binary_of(Type type) {
  switch (type) {
    case Type::u16:
    case Type::b16:
      return two<F, u16>();
    case Type::s16:
      return two<F, s16>();
    case Type::u32:
    case Type::b32:
      return two<F, u32>();
    case Type::s32:
      return two<F, s32>();
    case Type::u64:
    case Type::b64:
      return two<F, u64>();
    case Type::s64:
      return two<F, s64>();
    case Type::u16x2:
      return packed_binary<F, u16>;
    case Type::s16x2:
      return packed_binary<F, s16>;
    default:
      return nullptr;
  }
}
template <class F>
Handler ternary_of(Type type) {
  switch (type) {
    case Type::u16:
      return three<F, u16>();
    case Type::s16:
      return three<F, s16>();
    case Type::u32:
      return three<F, u32>();
    case Type::s32:
      return three<F, s32>();
    case Type::u64:
      return three<F, u64>();
    case Type::s64:
      return three<F, s64>();
    default:
      return nullptr;
  }
}
template <class F>
Handler signed_unary_of(Type type) {
  switch (type) {
    case Type::s16:
      return unary<F, s16, s16>;
    case Type::s32:
      return unary<F, s32, s32>;
    case Type::s64:
      return unary<F, s64, s64>;
    default:
      return nullptr;
  }
}
template <class F>
Handler relu_of(Type type) {
  switch (type) {
    case Type::s32:
      return binary<Relu<F>, s32, s32, s32>;
    case Type::s16x2:
      return packed_binary<Relu<F>, s16>;
    default:
      return nullptr;
  }
}

template <class F>
Handler word_of(Type type) {  // 32 bits only
  return type == Type::u32 ? two<F, u32>() : type == Type::s32 ? two<F, s32>() : nullptr;
}
template <class F>
Handler word3_of(Type type) {
  return type == Type::u32 ? three<F, u32>() : type == Type::s32 ? three<F, s32>() : nullptr;
}

// Extended precision: `c` (add, sub) or `e` (mad) is the mask of the carry, read and written.
template <class T, bool kSubtract>
Next with_carry(Warp& warp, Next i) {
  const T* a = lanes_of<T>(warp, i->a);
  const T* b = lanes_of<T>(warp, i->b);
  T* d = lanes_of<T>(warp, i->d);
  const u32 carry = i->flags & 1 ? predicate(warp, i->e) : 0;
  u32 out = 0;
  for (int l = 0; l < kWarpLanes; ++l) {
    const T in = static_cast<T>(carry >> l & 1);
    T value, partial;
    bool overflow;
    if constexpr (kSubtract) {
      overflow = __builtin_sub_overflow(a[l], b[l], &partial);
      overflow |= __builtin_sub_overflow(partial, in, &value);
    } else {
      overflow = __builtin_add_overflow(a[l], b[l], &partial);
      overflow |= __builtin_add_overflow(partial, in, &value);
    }
    out |= static_cast<u32>(overflow) << l;
    if (warp.mask >> l & 1) d[l] = value;
  }
  if (i->flags & 2) set_predicate(warp, i->e, out);
  return i + 1;
}
template <class T, bool kHigh>
Next mad_with_carry(Warp& warp, Next i) {
  const T* a = lanes_of<T>(warp, i->a);
  const T* b = lanes_of<T>(warp, i->b);
  const T* c = lanes_of<T>(warp, i->c);
  T* d = lanes_of<T>(warp, i->d);
  const u32 carry = i->flags & 1 ? predicate(warp, i->e) : 0;
  u32 out = 0;
  for (int l = 0; l < kWarpLanes; ++l) {
    const T product = kHigh ? MulHi::apply(a[l], b[l]) : Mul::apply(a[l], b[l]);
    T value, partial;
    bool overflow = __builtin_add_overflow(static_cast<Unsigned<T>>(product), static_cast<Unsigned<T>>(c[l]),
                                           reinterpret_cast<Unsigned<T>*>(&partial));
    overflow |=
        __builtin_add_overflow(static_cast<Unsigned<T>>(partial), static_cast<Unsigned<T>>(carry >> l & 1),
                               reinterpret_cast<Unsigned<T>*>(&value));
    out |= static_cast<u32>(overflow) << l;
    if (warp.mask >> l & 1) d[l] = value;
  }
  if (i->flags & 2) set_predicate(warp, i->e, out);
  return i + 1;
}

Handler carry_handler(const Operation& operation) {
  const bool wide = ptx::size_of(operation.type) == 8;
  switch (operation.op) {
    case Op::add_carry:
      return wide ? Handler(with_carry<u64, false>) : Handler(with_carry<u32, false>);
    case Op::sub_carry:
      return wide ? Handler(with_carry<u64, true>) : Handler(with_carry<u32, true>);
    case Op::mad_carry:
      return wide ? Handler(mad_with_carry<u64, false>) : Handler(mad_with_carry<u32, false>);
    case Op::mad_hi_carry:
      switch (operation.type) {
        case Type::u32:
          return mad_with_carry<u32, true>;
        case Type::s32:
          return mad_with_carry<s32, true>;
        case Type::u64:
          return mad_with_carry<u64, true>;
        case Type::s64:
          return mad_with_carry<s64, true>;
        default:
          return nullptr;
      }
    default:
      return nullptr;
  }
}

}  // namespace

Handler arithmetic_handler(const Operation& operation) {
  const Type type = operation.type;
  if (ptx::is_floating(type)) return nullptr;
  const bool saturating = operation.sat && type == Type::s32;
  switch (operation.op) {
    case Op::add:
      return saturating ? two<AddSat, s32>() : binary_of<Add>(type);
    case Op::sub:
      return saturating ? two<SubSat, s32>() : binary_of<Sub>(type);
    case Op::mul:
      return binary_of<Mul>(type);
    case Op::shift_add:
      return shift_add;
    case Op::mul_hi:
      return binary_of<MulHi>(type);
    case Op::mul_wide:
      switch (type) {
        case Type::u16:
          return binary<MulWide, u32, u16, u16>;
        case Type::s16:
          return binary<MulWide, s32, s16, s16>;
        case Type::u32:
          return binary<MulWide, u64, u32, u32>;
        case Type::s32:
          return binary<MulWide, s64, s32, s32>;
        default:
          return nullptr;
      }
    case Op::mad:
      return ternary_of<Mad>(type);
    case Op::mad_hi:
      return saturating ? three<MadHiSat, s32>() : ternary_of<MadHi>(type);
    case Op::mad_wide:
      switch (type) {
        case Type::u16:
          return ternary<MadWide, u32, u16, u16, u32>;
        case Type::s16:
          return ternary<MadWide, s32, s16, s16, s32>;
        case Type::u32:
          return ternary<MadWide, u64, u32, u32, u64>;
        case Type::s32:
          return ternary<MadWide, s64, s32, s32, s64>;
        default:
          return nullptr;
      }
    case Op::mul24:
      return operation.second ? word_of<Mul24Hi>(type) : word_of<Mul24>(type);
    case Op::mad24:
      if (saturating) return operation.second ? three<Mad24HiSat, s32>() : nullptr;
      return operation.second ? word3_of<Mad24Hi>(type) : word3_of<Mad24>(type);
    case Op::sad:
      return ternary_of<Sad>(type);
    case Op::div:
      return division_of<Div>(type);
    case Op::rem:
      return division_of<Rem>(type);
    case Op::neg:
      return signed_unary_of<Neg>(type);
    case Op::abs:
      return signed_unary_of<Abs>(type);
    case Op::min:
      return operation.relu ? relu_of<Min>(type) : binary_of<Min>(type);
    case Op::max:
      return operation.relu ? relu_of<Max>(type) : binary_of<Max>(type);
    default:
      return carry_handler(operation);
  }
}

RIDGE_LANES_END
