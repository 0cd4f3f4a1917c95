// SPDX-License-Identifier: GPL-3.0-or-later
// Bit operations: logic, shifts, fields, permutes, and the dot products of bytes.
#include "device/emulator/lanes/lanes.h"

RIDGE_LANES_BEGIN

namespace {

struct And {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static RIDGE_INLINE T apply(T a) {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <class T>
  static RIDGE_INLINE T apply(T a) {
    return static_cast<T>(a == 0);
  }
};

template <class T>
inline constexpr u32 kWidth = 8 * sizeof(T);

// Shift amounts are clamped at the width.
struct Shl {
  template <class T>
  static RIDGE_INLINE T apply(T a, u32 b) {
    return b >= kWidth<T> ? T{0} : static_cast<T>(static_cast<u64>(a) << (b & (kWidth<T> - 1)));
  }
};
template <>
RIDGE_INLINE u32 Shl::apply<u32>(u32 a, u32 b) {
  return b >= 32 ? 0 : a << (b & 31);
}
struct Shr {
  template <class T>
  static RIDGE_INLINE T apply(T a, u32 b) {
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (b >= kWidth<T> ? kWidth<T> - 1 : b));
    return b >= kWidth<T> ? T{0} : static_cast<T>(a >> (b & (kWidth<T> - 1)));
  }
};
template <bool kLeft, bool kWrap>
struct Funnel {
  static RIDGE_INLINE u32 apply(u32 a, u32 b, u32 c) {
    const u32 n = kWrap ? c & 31 : (c > 32 ? 32 : c);
    const u64 both = static_cast<u64>(b) << 32 | a;
    return kLeft ? static_cast<u32>((both << n) >> 32) : static_cast<u32>(both >> n);
  }
};

/// Positions and lengths of bit fields: 32-bit fields read the low byte; 64-bit ones, which a GPU composes of
/// other instructions, the whole register (seen on an H200; the ISA leaves values beyond 255 open).
template <class T>
RIDGE_INLINE u32 field_bound(u32 value) {
  if constexpr (sizeof(T) == 4) return value & 0xff;
  return value < 0xff ? value : 0xff;
}
struct FieldExtract {
  template <class T>
  static RIDGE_INLINE T apply(T a, u32 position, u32 length) {
    using U = std::make_unsigned_t<T>;
    constexpr u32 kBits = kWidth<T>;
    position = field_bound<T>(position);
    length = field_bound<T>(length);
    if (length == 0) return 0;
    const u32 top = position + length - 1 < kBits - 1 ? position + length - 1 : kBits - 1;
    const bool fill = std::is_signed_v<T> && (static_cast<U>(a) >> top & 1) != 0;
    const U shifted = position < kBits ? static_cast<U>(static_cast<U>(a) >> position) : U{0};
    const u32 valid = position < kBits ? top - position + 1 : 0;
    const U mask = valid >= kBits ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << valid) - 1);
    return static_cast<T>((shifted & mask) | (fill ? static_cast<U>(~mask) : U{0}));
  }
};
template <class T>
Next field_insert(Warp& warp, Next i) {
  const T* a = lanes_of<T>(warp, i->a);
  const T* b = lanes_of<T>(warp, i->b);
  const u32* positions = lanes_of<u32>(warp, i->c);
  const u32* lengths = lanes_of<u32>(warp, i->e);
  for_lanes(warp.mask, lanes_of<T>(warp, i->d), [=](int l) {
    constexpr u32 kBits = kWidth<T>;
    const u32 position = field_bound<T>(positions[l]), length = field_bound<T>(lengths[l]);
    const T ones =
        length >= kBits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << (length & (kBits - 1))) - 1);
    const T mask = position >= kBits ? T{0} : static_cast<T>(ones << (position & (kBits - 1)));
    const T field = static_cast<T>(a[l] << (position & (kBits - 1)));
    return static_cast<T>((b[l] & ~mask) | (field & mask));
  });
  return i + 1;
}

template <bool kShiftAmount>
struct Find {
  template <class T>
  static RIDGE_INLINE u32 apply(T a) {
    if constexpr (std::is_signed_v<T>) a = a < 0 ? static_cast<T>(~a) : a;
    const u64 wide = static_cast<std::make_unsigned_t<T>>(a);
    if (wide == 0) return 0xffffffffu;
    const u32 position = 63u - static_cast<u32>(__builtin_clzll(wide));
    return kShiftAmount ? kWidth<T> - 1 - position : position;
  }
};
struct Reverse {
  template <class T>
  static RIDGE_INLINE T apply(T a) {
    u64 x = a;
    x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    return static_cast<T>(__builtin_bswap64(x) >> (64 - kWidth<T>));
  }
};
struct LeadingZeros {
  template <class T>
  static RIDGE_INLINE u32 apply(T a) {
    return a == 0 ? kWidth<T> : static_cast<u32>(__builtin_clzll(a)) - (64 - kWidth<T>);
  }
};
struct Population {
  template <class T>
  static RIDGE_INLINE u32 apply(T a) {
    return static_cast<u32>(__builtin_popcountll(a));
  }
};

/// Byte selections of the prmt modes, for the two low bits of the selector, most significant byte first.
constexpr u16 kPermutes[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543},  // f4e
    {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
    {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
    {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
    {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
    {0x1010, 0x3232, 0x1010, 0x3232},  // rc16
};
RIDGE_INLINE u32 permute(u32 a, u32 b, u32 selector) {
  const u64 bytes = static_cast<u64>(b) << 32 | a;
  u32 result = 0;
  for (int k = 0; k < 4; ++k) {
    const u32 nibble = selector >> (4 * k) & 0xf;
    u32 byte = static_cast<u32>(bytes >> (8 * (nibble & 7))) & 0xff;
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * k);
  }
  return result;
}
Next permute_bytes(Warp& warp, Next i) {
  const u32* a = lanes_of<u32>(warp, i->a);
  const u32* b = lanes_of<u32>(warp, i->b);
  const u32* c = lanes_of<u32>(warp, i->c);
  const u32 mode = i->flags;  // 0: the selector's nibbles
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d),
            [=](int l) { return permute(a[l], b[l], mode == 0 ? c[l] : kPermutes[mode - 1][c[l] & 3]); });
  return i + 1;
}

Next lookup3(Warp& warp, Next i) {
  const u32* a = lanes_of<u32>(warp, i->a);
  const u32* b = lanes_of<u32>(warp, i->b);
  const u32* c = lanes_of<u32>(warp, i->c);
  u32 terms[8];
  for (int k = 0; k < 8; ++k) terms[k] = i->immediate >> k & 1 ? ~0u : 0u;
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [&](int l) {
    const u32 x = a[l], y = b[l], z = c[l];
    const u32 without = (~y & ((~z & terms[0]) | (z & terms[1]))) | (y & ((~z & terms[2]) | (z & terms[3])));
    const u32 with = (~y & ((~z & terms[4]) | (z & terms[5]))) | (y & ((~z & terms[6]) | (z & terms[7])));
    return (~x & without) | (x & with);
  });
  return i + 1;
}

/// fns: position of the offset-th set bit, counted from base.
struct NthSet {
  static RIDGE_INLINE u32 apply(u32 mask, u32 base, s32 offset) {
    s32 position = static_cast<s32>(base & 31);
    if (offset == 0) return mask >> position & 1 ? static_cast<u32>(position) : 0xffffffffu;
    const s32 step = offset > 0 ? 1 : -1;
    for (s32 left = offset > 0 ? offset : -offset; position >= 0 && position < 32; position += step)
      if ((mask >> position & 1) != 0 && --left == 0) return static_cast<u32>(position);
    return 0xffffffffu;
  }
};
template <bool kWrap>
struct BitMask {
  static RIDGE_INLINE u32 apply(u32 a, u32 b) {
    if (kWrap) a &= 31, b &= 31;
    const u32 ones = b >= 32 ? ~0u : (1u << b) - 1;
    return a >= 32 ? 0 : ones << a;
  }
};
template <bool kWrap>
struct Extend {
  template <class T>
  static RIDGE_INLINE T apply(T a, u32 b) {
    const u32 n = kWrap ? b & 31 : (b > 32 ? 32 : b);
    if (n == 0) return 0;
    if (n == 32) return a;
    const u32 shifted = static_cast<u32>(a) << (32 - n);
    return static_cast<T>(static_cast<T>(shifted) >> (32 - n));
  }
};

// Dot products of bytes (dp4a) and of two bytes with two 16-bit values (dp2a), added to 32 bits.
template <bool kSignedA, bool kSignedB>
Next dot4(Warp& warp, Next i) {
  const u32* a = lanes_of<u32>(warp, i->a);
  const u32* b = lanes_of<u32>(warp, i->b);
  const u32* c = lanes_of<u32>(warp, i->c);
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [=](int l) {
    u32 sum = c[l];
    for (int k = 0; k < 4; ++k) {
      const u32 x = a[l] >> (8 * k) & 0xff, y = b[l] >> (8 * k) & 0xff;
      const s32 p = kSignedA ? static_cast<s8>(x) : static_cast<s32>(x);
      const s32 q = kSignedB ? static_cast<s8>(y) : static_cast<s32>(y);
      sum += static_cast<u32>(p * q);
    }
    return sum;
  });
  return i + 1;
}
template <bool kSignedA, bool kSignedB>
Next dot2(Warp& warp, Next i) {
  const u32* a = lanes_of<u32>(warp, i->a);
  const u32* b = lanes_of<u32>(warp, i->b);
  const u32* c = lanes_of<u32>(warp, i->c);
  const u32 shift = i->flags & 1 ? 16 : 0;  // .hi takes the upper bytes of b
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [=](int l) {
    u32 sum = c[l];
    for (int k = 0; k < 2; ++k) {
      const u32 x = a[l] >> (16 * k) & 0xffff, y = b[l] >> (shift + 8 * static_cast<u32>(k)) & 0xff;
      const s32 p = kSignedA ? static_cast<s16>(x) : static_cast<s32>(x);
      const s32 q = kSignedB ? static_cast<s8>(y) : static_cast<s32>(y);
      sum += static_cast<u32>(p * q);
    }
    return sum;
  });
  return i + 1;
}
Handler dot_handler(const Operation& operation) {
  const bool a = ptx::is_signed(operation.type), b = ptx::is_signed(operation.source);
  if (operation.op == Op::dp4a)
    return a ? (b ? Handler(dot4<true, true>) : Handler(dot4<true, false>))
             : (b ? Handler(dot4<false, true>) : Handler(dot4<false, false>));
  return a ? (b ? Handler(dot2<true, true>) : Handler(dot2<true, false>))
           : (b ? Handler(dot2<false, true>) : Handler(dot2<false, false>));
}

template <class F>
Handler logic2(Type type) {
  switch (ptx::size_of(type)) {
    case 2:
      return binary<F, u16, u16, u16>;
    case 4:
      return binary<F, u32, u32, u32>;
    case 8:
      return binary<F, u64, u64, u64>;
    default:
      return nullptr;
  }
}
template <class F>
Handler logic1(Type type) {
  switch (ptx::size_of(type)) {
    case 2:
      return unary<F, u16, u16>;
    case 4:
      return unary<F, u32, u32>;
    case 8:
      return unary<F, u64, u64>;
    default:
      return nullptr;
  }
}

enum class Logic { conjunction, disjunction, exclusive, negation };
template <Logic kLogic>
Next predicate_logic(Warp& warp, Next i) {
  const u32 a = predicate(warp, i->a) ^ (i->flags & 1 ? kAllLanes : 0);
  const u32 b = kLogic == Logic::negation ? 0 : predicate(warp, i->b) ^ (i->flags & 2 ? kAllLanes : 0);
  set_predicate(warp, i->d,
                kLogic == Logic::conjunction   ? a & b
                : kLogic == Logic::disjunction ? a | b
                : kLogic == Logic::exclusive   ? a ^ b
                                               : ~a);
  return i + 1;
}

Handler shift_right(Type type) {
  switch (type) {
    case Type::b16:
    case Type::u16:
      return binary<Shr, u16, u16, u32>;
    case Type::s16:
      return binary<Shr, s16, s16, u32>;
    case Type::b32:
    case Type::u32:
      return binary<Shr, u32, u32, u32>;
    case Type::s32:
      return binary<Shr, s32, s32, u32>;
    case Type::b64:
    case Type::u64:
      return binary<Shr, u64, u64, u32>;
    case Type::s64:
      return binary<Shr, s64, s64, u32>;
    default:
      return nullptr;
  }
}
template <class F>
Handler counting(Type type) {  // the result has 32 bits
  switch (type) {
    case Type::b32:
    case Type::u32:
      return unary<F, u32, u32>;
    case Type::s32:
      return unary<F, u32, s32>;
    case Type::b64:
    case Type::u64:
      return unary<F, u32, u64>;
    case Type::s64:
      return unary<F, u32, s64>;
    default:
      return nullptr;
  }
}
template <class F>
Handler unsigned_counting(Type type) {
  return ptx::size_of(type) == 8 ? Handler(unary<F, u32, u64>) : Handler(unary<F, u32, u32>);
}

}  // namespace

Handler bits_handler(const Operation& operation) {
  const Type type = operation.type;
  const bool wrap = operation.mode == Mode::wrap, wide = ptx::size_of(type) == 8;
  switch (operation.op) {
    case Op::bit_and:
      return type == Type::pred ? predicate_logic<Logic::conjunction> : logic2<And>(type);
    case Op::bit_or:
      return type == Type::pred ? predicate_logic<Logic::disjunction> : logic2<Or>(type);
    case Op::bit_xor:
      return type == Type::pred ? predicate_logic<Logic::exclusive> : logic2<Xor>(type);
    case Op::bit_not:
      return type == Type::pred ? predicate_logic<Logic::negation> : logic1<Not>(type);
    case Op::cnot:
      return logic1<Cnot>(type);
    case Op::shl:
      switch (ptx::size_of(type)) {
        case 2:
          return binary<Shl, u16, u16, u32>;
        case 4:
          return binary<Shl, u32, u32, u32>;
        default:
          return binary<Shl, u64, u64, u32>;
      }
    case Op::shr:
      return shift_right(type);
    case Op::shf_left:
      return wrap ? Handler(ternary<Funnel<true, true>, u32, u32, u32, u32>)
                  : Handler(ternary<Funnel<true, false>, u32, u32, u32, u32>);
    case Op::shf_right:
      return wrap ? Handler(ternary<Funnel<false, true>, u32, u32, u32, u32>)
                  : Handler(ternary<Funnel<false, false>, u32, u32, u32, u32>);
    case Op::bfe:
      switch (type) {
        case Type::u32:
          return ternary<FieldExtract, u32, u32, u32, u32>;
        case Type::s32:
          return ternary<FieldExtract, s32, s32, u32, u32>;
        case Type::u64:
          return ternary<FieldExtract, u64, u64, u32, u32>;
        case Type::s64:
          return ternary<FieldExtract, s64, s64, u32, u32>;
        default:
          return nullptr;
      }
    case Op::bfi:
      return wide ? Handler(field_insert<u64>) : Handler(field_insert<u32>);
    case Op::bfind:
      return operation.mode == Mode::shiftamt ? counting<Find<true>>(type) : counting<Find<false>>(type);
    case Op::brev:
      return wide ? Handler(unary<Reverse, u64, u64>) : Handler(unary<Reverse, u32, u32>);
    case Op::clz:
      return unsigned_counting<LeadingZeros>(type);
    case Op::popc:
      return unsigned_counting<Population>(type);
    case Op::prmt:
      return permute_bytes;
    case Op::lop3:
      return lookup3;
    case Op::fns:
      return ternary<NthSet, u32, u32, u32, s32>;
    case Op::bmsk:
      return wrap ? Handler(binary<BitMask<true>, u32, u32, u32>)
                  : Handler(binary<BitMask<false>, u32, u32, u32>);
    case Op::szext:
      if (type == Type::s32)
        return wrap ? Handler(binary<Extend<true>, s32, s32, u32>)
                    : Handler(binary<Extend<false>, s32, s32, u32>);
      return wrap ? Handler(binary<Extend<true>, u32, u32, u32>)
                  : Handler(binary<Extend<false>, u32, u32, u32>);
    case Op::dp4a:
    case Op::dp2a:
      return dot_handler(operation);
    default:
      return nullptr;
  }
}

RIDGE_LANES_END
