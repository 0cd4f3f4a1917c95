// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons (setp, set) and selections (selp, slct).
#include "device/emulator/lanes/branch.h"
#include "device/emulator/lanes/real.h"

RIDGE_LANES_BEGIN

namespace {

// Ordered comparisons are false with NaN, unordered ones true.
template <Compare kCompare>
struct Relation {
  template <class T>
  static RIDGE_INLINE bool apply(T a, T b) {
    switch (kCompare) {
      case Compare::eq:
        return a == b;
      case Compare::ne:
        return std::is_floating_point_v<T> ? a < b || a > b : a != b;
      case Compare::lt:
        return a < b;
      case Compare::le:
        return a <= b;
      case Compare::gt:
        return a > b;
      case Compare::ge:
        return a >= b;
      case Compare::equ:
        return !(a < b || a > b);
      case Compare::neu:
        return !(a == b);
      case Compare::ltu:
        return !(a >= b);
      case Compare::leu:
        return !(a > b);
      case Compare::gtu:
        return !(a <= b);
      case Compare::geu:
        return !(a < b);
      case Compare::num:
        return a == a && b == b;
      case Compare::nan:
        return a != a || b != b;
    }
    return false;
  }
};

RIDGE_INLINE u32 combine(u32 flags, u32 value, u32 other) {
  switch (static_cast<Boolean>(flags >> 4 & 3)) {
    case Boolean::conjunction:
      return value & other;
    case Boolean::disjunction:
      return value | other;
    case Boolean::exclusive:
      return value ^ other;
    default:
      return value;
  }
}
/// Stores p (slot d) and, where there is one, q (slot e) of setp; the third operand is slot c.
RIDGE_INLINE void store_comparison(Warp& warp, Next i, u32 holds) {
  u32 other = 0;
  if (i->c != kNoSlot) other = predicate(warp, i->c) ^ (i->flags & 1 ? kAllLanes : 0);
  const u32 first = combine(i->flags, holds, other), second = combine(i->flags, ~holds, other);
  if (i->d != kNoSlot) set_predicate(warp, i->d, first);
  if (i->e != kNoSlot) set_predicate(warp, i->e, second);
}

/// Reads a value as the type in which it is compared.
template <class T>
struct Plain {
  using Storage = T;
  static RIDGE_INLINE T load(T value) { return value; }
};
template <class T>
struct FlushedValue {
  using Storage = T;
  static RIDGE_INLINE T load(T value) { return flush(value); }
};
/// f16 whose subnormals are zeros.
struct FlushedHalf {
  static RIDGE_INLINE f32 widen(u16 value) {
    return half_to_f32(static_cast<u16>((value & 0x7c00u) == 0 ? value & 0x8000u : value));
  }
};
template <class H>
struct HalfValue {
  using Storage = u16;
  static RIDGE_INLINE f32 load(u16 value) { return H::widen(value); }
};

template <class V, Compare kCompare>
RIDGE_INLINE u32 holds_where(Warp& warp, Next i) {
  const auto* a = lanes_of<typename V::Storage>(warp, i->a);
  const auto* b = lanes_of<typename V::Storage>(warp, i->b);
  return ballot([=](int l) { return Relation<kCompare>::apply(V::load(a[l]), V::load(b[l])); });
}

template <class V, Compare kCompare>
Next compare(Warp& warp, Next i) {
  store_comparison(warp, i, holds_where<V, kCompare>(warp, i));
  return i + 1;
}
/// f16x2 and bf16x2: p compares the low halves, q the high ones.
template <class H, Compare kCompare>
Next compare_halves(Warp& warp, Next i) {
  const u32* a = lanes_of<u32>(warp, i->a);
  const u32* b = lanes_of<u32>(warp, i->b);
  u32 other = 0;
  if (i->c != kNoSlot) other = predicate(warp, i->c) ^ (i->flags & 1 ? kAllLanes : 0);
  const u32 low = ballot([=](int l) {
    return Relation<kCompare>::apply(H::widen(static_cast<u16>(a[l])), H::widen(static_cast<u16>(b[l])));
  });
  const u32 high = ballot([=](int l) {
    return Relation<kCompare>::apply(H::widen(static_cast<u16>(a[l] >> 16)),
                                     H::widen(static_cast<u16>(b[l] >> 16)));
  });
  if (i->d != kNoSlot) set_predicate(warp, i->d, combine(i->flags, low, other));
  if (i->e != kNoSlot) set_predicate(warp, i->e, combine(i->flags, high, other));
  return i + 1;
}
/// set: the "true" value of the destination's type is in the immediate.
template <class V, class D, Compare kCompare>
Next compare_to_value(Warp& warp, Next i) {
  u32 holds = holds_where<V, kCompare>(warp, i);
  if (i->c != kNoSlot)
    holds = combine(i->flags, holds, predicate(warp, i->c) ^ (i->flags & 1 ? kAllLanes : 0));
  const D yes = static_cast<D>(i->immediate);
  for_lanes(warp.mask, lanes_of<D>(warp, i->d), [=](int l) { return holds >> l & 1 ? yes : D{0}; });
  return i + 1;
}
template <class H, Compare kCompare>
Next compare_halves_to_value(Warp& warp, Next i) {
  const u32* a = lanes_of<u32>(warp, i->a);
  const u32* b = lanes_of<u32>(warp, i->b);
  const u32 yes = static_cast<u32>(i->immediate) & 0xffffu, flags = i->flags;
  u32 other = 0;
  if (i->c != kNoSlot) other = predicate(warp, i->c) ^ (i->flags & 1 ? kAllLanes : 0);
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [=](int l) {
    const u32 low =
        Relation<kCompare>::apply(H::widen(static_cast<u16>(a[l])), H::widen(static_cast<u16>(b[l])));
    const u32 high = Relation<kCompare>::apply(H::widen(static_cast<u16>(a[l] >> 16)),
                                               H::widen(static_cast<u16>(b[l] >> 16)));
    const u32 third = other >> l & 1;
    return combine(flags, low, third) * yes | combine(flags, high, third) * (yes << 16);
  });
  return i + 1;
}

// Tables over all comparisons; integers have the first six only, with lo, ls, hi and hs read as unsigned lt,
// le, gt, ge.
template <template <Compare> class Make>
Handler pick(Compare compare, bool floating) {
  switch (compare) {
    case Compare::eq:
      return Make<Compare::eq>::handler();
    case Compare::ne:
      return Make<Compare::ne>::handler();
    case Compare::lt:
      return Make<Compare::lt>::handler();
    case Compare::le:
      return Make<Compare::le>::handler();
    case Compare::gt:
      return Make<Compare::gt>::handler();
    case Compare::ge:
      return Make<Compare::ge>::handler();
    default:
      break;
  }
  if (!floating) return nullptr;
  switch (compare) {
    case Compare::equ:
      return Make<Compare::equ>::handler();
    case Compare::neu:
      return Make<Compare::neu>::handler();
    case Compare::ltu:
      return Make<Compare::ltu>::handler();
    case Compare::leu:
      return Make<Compare::leu>::handler();
    case Compare::gtu:
      return Make<Compare::gtu>::handler();
    case Compare::geu:
      return Make<Compare::geu>::handler();
    case Compare::num:
      return Make<Compare::num>::handler();
    case Compare::nan:
      return Make<Compare::nan>::handler();
    default:
      return nullptr;
  }
}

template <class V>
struct Setp {
  template <Compare kCompare>
  struct Make {
    static Handler handler() { return compare<V, kCompare>; }
  };
  static Handler of(Compare compare, bool floating) { return pick<Make>(compare, floating); }
};
template <class H>
struct SetpHalves {
  template <Compare kCompare>
  struct Make {
    static Handler handler() { return compare_halves<H, kCompare>; }
  };
  static Handler of(Compare compare) { return pick<Make>(compare, true); }
};
template <class V, class D>
struct SetValue {
  template <Compare kCompare>
  struct Make {
    static Handler handler() { return compare_to_value<V, D, kCompare>; }
  };
  static Handler of(Compare compare, bool floating) { return pick<Make>(compare, floating); }
};
template <class H>
struct SetHalves {
  template <Compare kCompare>
  struct Make {
    static Handler handler() { return compare_halves_to_value<H, kCompare>; }
  };
  static Handler of(Compare compare) { return pick<Make>(compare, true); }
};

Handler setp(const Operation& operation) {
  const Compare compare = operation.compare;
  switch (operation.type) {
    case Type::b16:
    case Type::u16:
      return Setp<Plain<u16>>::of(compare, false);
    case Type::s16:
      return Setp<Plain<s16>>::of(compare, false);
    case Type::b32:
    case Type::u32:
      return Setp<Plain<u32>>::of(compare, false);
    case Type::s32:
      return Setp<Plain<s32>>::of(compare, false);
    case Type::b64:
    case Type::u64:
      return Setp<Plain<u64>>::of(compare, false);
    case Type::s64:
      return Setp<Plain<s64>>::of(compare, false);
    case Type::f32:
      return operation.ftz ? Setp<FlushedValue<f32>>::of(compare, true) : Setp<Plain<f32>>::of(compare, true);
    case Type::f64:
      return Setp<Plain<f64>>::of(compare, true);
    case Type::f16:
      return operation.ftz ? Setp<HalfValue<FlushedHalf>>::of(compare, true)
                           : Setp<HalfValue<Half>>::of(compare, true);
    case Type::bf16:
      return Setp<HalfValue<BFloat>>::of(compare, true);
    case Type::f16x2:
      return operation.ftz ? SetpHalves<FlushedHalf>::of(compare) : SetpHalves<Half>::of(compare);
    case Type::bf16x2:
      return SetpHalves<BFloat>::of(compare);
    default:
      return nullptr;
  }
}

/// bra with a comparison of its own.
template <class V>
struct BranchIf {
  template <Compare kCompare>
  struct Make {
    static Next run(Warp& warp, Next i) { return branch_where(warp, i, holds_where<V, kCompare>(warp, i)); }
    static Handler handler() { return run; }
  };
  static Handler of(Compare compare, bool floating) { return pick<Make>(compare, floating); }
};

Handler branch_if(const Operation& operation) {
  const Compare compare = operation.compare;
  switch (operation.type) {
    case Type::b32:
    case Type::u32:
      return BranchIf<Plain<u32>>::of(compare, false);
    case Type::s32:
      return BranchIf<Plain<s32>>::of(compare, false);
    case Type::b64:
    case Type::u64:
      return BranchIf<Plain<u64>>::of(compare, false);
    case Type::s64:
      return BranchIf<Plain<s64>>::of(compare, false);
    case Type::f32:
      return BranchIf<Plain<f32>>::of(compare, true);
    default:
      return nullptr;
  }
}

template <class V>
Handler set_value(const Operation& operation, bool floating) {
  return ptx::size_of(operation.type) == 2 ? SetValue<V, u16>::of(operation.compare, floating)
                                           : SetValue<V, u32>::of(operation.compare, floating);
}
Handler set(const Operation& operation) {
  switch (operation.source) {
    case Type::b16:
    case Type::u16:
      return set_value<Plain<u16>>(operation, false);
    case Type::s16:
      return set_value<Plain<s16>>(operation, false);
    case Type::b32:
    case Type::u32:
      return set_value<Plain<u32>>(operation, false);
    case Type::s32:
      return set_value<Plain<s32>>(operation, false);
    case Type::b64:
    case Type::u64:
      return set_value<Plain<u64>>(operation, false);
    case Type::s64:
      return set_value<Plain<s64>>(operation, false);
    case Type::f32:
      return operation.ftz ? set_value<FlushedValue<f32>>(operation, true)
                           : set_value<Plain<f32>>(operation, true);
    case Type::f64:
      return set_value<Plain<f64>>(operation, true);
    case Type::f16:
      return operation.ftz ? set_value<HalfValue<FlushedHalf>>(operation, true)
                           : set_value<HalfValue<Half>>(operation, true);
    case Type::bf16:
      return set_value<HalfValue<BFloat>>(operation, true);
    case Type::f16x2:
      return operation.ftz ? SetHalves<FlushedHalf>::of(operation.compare)
                           : SetHalves<Half>::of(operation.compare);
    case Type::bf16x2:
      return SetHalves<BFloat>::of(operation.compare);
    default:
      return nullptr;
  }
}

template <class T>
Next select(Warp& warp, Next i) {
  const T* a = lanes_of<T>(warp, i->a);
  const T* b = lanes_of<T>(warp, i->b);
  const u32 p = predicate(warp, i->c) ^ (i->flags & 1 ? kAllLanes : 0);
  for_lanes(warp.mask, lanes_of<T>(warp, i->d), [=](int l) { return p >> l & 1 ? a[l] : b[l]; });
  return i + 1;
}
template <class T, class C, bool kFlush>
Next select_by_sign(Warp& warp, Next i) {
  const T* a = lanes_of<T>(warp, i->a);
  const T* b = lanes_of<T>(warp, i->b);
  const C* c = lanes_of<C>(warp, i->c);
  for_lanes(warp.mask, lanes_of<T>(warp, i->d), [=](int l) {
    if constexpr (kFlush) return flush(c[l]) >= 0 ? a[l] : b[l];
    return c[l] >= 0 ? a[l] : b[l];
  });
  return i + 1;
}
template <class T>
Handler slct(const Operation& operation) {
  if (operation.source == Type::s32) return select_by_sign<T, s32, false>;
  if (operation.source != Type::f32) return nullptr;
  return operation.ftz ? Handler(select_by_sign<T, f32, true>) : Handler(select_by_sign<T, f32, false>);
}

}  // namespace

Handler compare_handler(const Operation& operation) {
  const int bytes = ptx::size_of(operation.type);
  switch (operation.op) {
    case Op::setp:
      return setp(operation);
    case Op::bra:
      return operation.type == Type::none ? nullptr : branch_if(operation);
    case Op::set:
      return set(operation);
    case Op::selp:
      return bytes == 2 ? Handler(select<u16>) : bytes == 4 ? Handler(select<u32>) : Handler(select<u64>);
    case Op::slct:
      return bytes == 2 ? slct<u16>(operation) : bytes == 4 ? slct<u32>(operation) : slct<u64>(operation);
    default:
      return nullptr;
  }
}

RIDGE_LANES_END
