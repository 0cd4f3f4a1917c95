// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics, as movers: lanes go one after the other in ascending order; other host threads may work on the
// same memory.
#include "device/emulator/lanes/access.h"
#include "device/emulator/lanes/real.h"

RIDGE_LANES_BEGIN

namespace {

struct Add {
  template <class T>
  static RIDGE_INLINE T apply(T old, T b, T) {
    return static_cast<T>(old + b);
  }
};
struct Inc {
  template <class T>
  static RIDGE_INLINE T apply(T old, T b, T) {
    return old >= b ? T{0} : static_cast<T>(old + 1);
  }
};
struct Dec {
  template <class T>
  static RIDGE_INLINE T apply(T old, T b, T) {
    return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
};
struct Min {
  template <class T>
  static RIDGE_INLINE T apply(T old, T b, T) {
    return b < old ? b : old;
  }
};
struct Max {
  template <class T>
  static RIDGE_INLINE T apply(T old, T b, T) {
    return b > old ? b : old;
  }
};
struct And {
  template <class T>
  static RIDGE_INLINE T apply(T old, T b, T) {
    return static_cast<T>(old & b);
  }
};
struct Or {
  template <class T>
  static RIDGE_INLINE T apply(T old, T b, T) {
    return static_cast<T>(old | b);
  }
};
struct Xor {
  template <class T>
  static RIDGE_INLINE T apply(T old, T b, T) {
    return static_cast<T>(old ^ b);
  }
};
struct Exchange {
  template <class T>
  static RIDGE_INLINE T apply(T, T b, T) {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  static RIDGE_INLINE T apply(T old, T b, T c) {
    return old == b ? c : old;
  }
};

// Floating-point sums act on bits, so that one loop serves all types.
template <bool kFlush>
struct AddF32 {
  static RIDGE_INLINE u32 apply(u32 old, u32 b, u32) {
    const f32 x = std::bit_cast<f32>(old), y = std::bit_cast<f32>(b);
    return bits_of(canonical(kFlush ? flush(flush(x) + flush(y)) : x + y));
  }
};
struct AddF64 {
  static RIDGE_INLINE u64 apply(u64 old, u64 b, u64) {
    return bits_of(std::bit_cast<f64>(old) + std::bit_cast<f64>(b));
  }
};
template <class H>
struct AddHalf {
  static RIDGE_INLINE u16 apply(u16 old, u16 b, u16) { return H::narrow(H::widen(old) + H::widen(b)); }
};
template <class H, bool kMax>
struct ExtremeHalf {
  static RIDGE_INLINE u16 apply(u16 old, u16 b, u16) {
    return H::narrow(extremum<kMax>(H::widen(old), H::widen(b)));
  }
};
/// Of the two values in a word.
template <class F>
struct Both {
  static RIDGE_INLINE u32 apply(u32 old, u32 b, u32) {
    const u32 low = F::apply(static_cast<u16>(old), static_cast<u16>(b), 0);
    const u32 high = F::apply(static_cast<u16>(old >> 16), static_cast<u16>(b >> 16), 0);
    return high << 16 | low;
  }
};

/// Returns what was there before.
template <class F, class T>
RIDGE_INLINE T update_place(u8* host, T b, T c) {
  using Bits = std::make_unsigned_t<T>;
  Bits* place = reinterpret_cast<Bits*>(host);
  Bits old = __atomic_load_n(place, __ATOMIC_RELAXED);
  T desired;
  do desired = F::apply(static_cast<T>(old), b, c);
  while (!__atomic_compare_exchange_n(place, &old, static_cast<Bits>(desired), false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED));
  return static_cast<T>(old);
}

template <class F, class T>
void update(Warp& warp, Next i, u8* host, const Pattern& pattern, u32 lanes) {
  const T* b = lanes_of<T>(warp, i->b);
  const T* c = i->c != kNoSlot ? lanes_of<T>(warp, i->c) : b;
  T* d = i->d != kNoSlot ? lanes_of<T>(warp, i->d) : nullptr;
  for (u32 left = lanes; left != 0; left &= left - 1) {
    const int l = std::countr_zero(left);
    const T old = update_place<F, T>(host + pattern.relative[l], b[l], c[l]);
    if (d != nullptr) d[l] = old;
  }
}

/// Every element of a vector is atomic by itself. list: the slots of the elements, then those of their old
/// values, which may overlap: a lane's elements are read before they are written.
template <class F, class T>
void update_vector(Warp& warp, Next i, u8* host, const Pattern& pattern, u32 lanes) {
  constexpr u32 kMost = 8;
  const u32 count = i->flags / static_cast<u32>(sizeof(T));
  for (u32 left = lanes; left != 0; left &= left - 1) {
    const int l = std::countr_zero(left);
    T old[kMost];
    for (u32 k = 0; k < count; ++k) {
      const T b = lanes_of<T>(warp, i->list[k])[l];
      old[k] = update_place<F, T>(host + pattern.relative[l] + k * sizeof(T), b, b);
    }
    for (u32 k = 0; k < count; ++k)
      if (const u32 slot = i->list[count + k]; slot != kNoSlot) lanes_of<T>(warp, slot)[l] = old[k];
  }
}
template <class F, class T>
Mover one_or_more(const Operation& operation) {
  return operation.vector == 1 ? update<F, T> : update_vector<F, T>;
}

template <class F>
Mover integer(Type type) {
  switch (type) {
    case Type::b32:
    case Type::u32:
      return update<F, u32>;
    case Type::s32:
      return update<F, s32>;
    case Type::b64:
    case Type::u64:
      return update<F, u64>;
    case Type::s64:
      return update<F, s64>;
    default:
      return nullptr;
  }
}
template <class F>
Mover any_size(Type type) {
  switch (ptx::size_of(type)) {
    case 2:
      return update<F, u16>;
    case 4:
      return update<F, u32>;
    case 8:
      return update<F, u64>;
    default:
      return nullptr;
  }
}
/// One function of floats in half precision, for all of its types.
template <template <class> class F>
Mover halves(const Operation& operation) {
  switch (operation.type) {
    case Type::f16:
      return one_or_more<F<Half>, u16>(operation);
    case Type::bf16:
      return one_or_more<F<BFloat>, u16>(operation);
    case Type::f16x2:
      return one_or_more<Both<F<Half>>, u32>(operation);
    case Type::bf16x2:
      return one_or_more<Both<F<BFloat>>, u32>(operation);
    default:
      return nullptr;
  }
}
template <class H>
using LeastHalf = ExtremeHalf<H, false>;
template <class H>
using GreatestHalf = ExtremeHalf<H, true>;

bool is_half(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::f16x2 || type == Type::bf16x2;
}
Mover addition(const Operation& operation) {
  switch (operation.type) {
    case Type::f32:
      return operation.space == StateSpace::shared ? Mover(update<AddF32<false>, u32>)
                                                   : one_or_more<AddF32<true>, u32>(operation);
    case Type::f64:
      return update<AddF64, u64>;
    default:
      return is_half(operation.type) ? halves<AddHalf>(operation) : integer<Add>(operation.type);
  }
}

}  // namespace

Instruction::Move atomic_mover(const Operation& operation) {
  switch (operation.atomic) {
    case AtomicOp::add:
      return addition(operation);
    case AtomicOp::inc:
      return operation.type == Type::u32 ? update<Inc, u32> : nullptr;
    case AtomicOp::dec:
      return operation.type == Type::u32 ? update<Dec, u32> : nullptr;
    case AtomicOp::min:
      return is_half(operation.type) ? halves<LeastHalf>(operation) : integer<Min>(operation.type);
    case AtomicOp::max:
      return is_half(operation.type) ? halves<GreatestHalf>(operation) : integer<Max>(operation.type);
    case AtomicOp::bit_and:
      return any_size<And>(operation.type);
    case AtomicOp::bit_or:
      return any_size<Or>(operation.type);
    case AtomicOp::bit_xor:
      return any_size<Xor>(operation.type);
    case AtomicOp::exch:
      return any_size<Exchange>(operation.type);
    case AtomicOp::cas:
      return any_size<CompareAndSwap>(operation.type);
  }
  return nullptr;
}

RIDGE_LANES_END
