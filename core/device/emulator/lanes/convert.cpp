// SPDX-License-Identifier: GPL-3.0-or-later
// cvt: the common conversions have loops of their own, all others share one exact path through Unpacked.
#include "device/emulator/lanes/format.h"
#include "device/emulator/lanes/real.h"

RIDGE_LANES_BEGIN

namespace {

// ---- integer to integer, registers as wide as their types ----
template <class D, class S>
struct Plain {
  static RIDGE_INLINE D apply(S value) { return static_cast<D>(value); }
};
template <class S>
Handler integer_to(int bytes) {
  switch (bytes) {
    case 2:
      return unary<Plain<u16, S>, u16, S>;
    case 4:
      return unary<Plain<u32, S>, u32, S>;
    case 8:
      return unary<Plain<u64, S>, u64, S>;
    default:
      return nullptr;
  }
}

// ---- floating point to integer ----
template <Rounding kRounding>
RIDGE_INLINE f64 integral(f64 value) {
  switch (kRounding) {
    case Rounding::rmi:
      return __builtin_floor(value);
    case Rounding::rpi:
      return __builtin_ceil(value);
    case Rounding::rni:
      return __builtin_rint(value);  // the CPU's mode is to nearest even
    default:
      return __builtin_trunc(value);
  }
}
/// Out of range saturates. NaN gives 0, but 0x80… for a 64-bit result or an f64 source.
template <class D, class S, Rounding kRounding, bool kFlush>
struct ToInteger {
  static RIDGE_INLINE D apply(S value) {
    if constexpr (kFlush) value = flush(value);
    constexpr int kBits = 8 * static_cast<int>(sizeof(D));
    constexpr f64 kLow = std::is_signed_v<D> ? -static_cast<f64>(u64{1} << (kBits - 1)) : 0.0;
    constexpr f64 kEnd = static_cast<f64>(u64{1} << (kBits - 1)) * (std::is_signed_v<D> ? 1.0 : 2.0);
    constexpr D kLargest =
        static_cast<D>(std::is_signed_v<D> ? ~(u64{1} << (kBits - 1)) : ~u64{0} >> (64 - kBits));
    constexpr D kNan = sizeof(D) == 8 || sizeof(S) == 8 ? static_cast<D>(u64{1} << (kBits - 1)) : D{0};
    const f64 whole = integral<kRounding>(static_cast<f64>(value));
    const bool inside = whole >= kLow && whole < kEnd;
    const D result = static_cast<D>(inside ? whole : 0.0);
    const D outside = value != value ? kNan
                      : whole < kLow ? static_cast<D>(std::is_signed_v<D> ? u64{1} << (kBits - 1) : 0)
                                     : kLargest;
    return inside ? result : outside;
  }
};
template <class D, class S, bool kFlush>
Handler to_integer(Rounding rounding) {
  switch (rounding) {
    case Rounding::rni:
      return unary<ToInteger<D, S, Rounding::rni, kFlush>, D, S>;
    case Rounding::rmi:
      return unary<ToInteger<D, S, Rounding::rmi, kFlush>, D, S>;
    case Rounding::rpi:
      return unary<ToInteger<D, S, Rounding::rpi, kFlush>, D, S>;
    default:
      return unary<ToInteger<D, S, Rounding::rzi, kFlush>, D, S>;
  }
}
template <class S, bool kFlush>
Handler to_integer(Type type, Rounding rounding) {
  switch (type) {
    case Type::s32:
      return to_integer<s32, S, kFlush>(rounding);
    case Type::u32:
      return to_integer<u32, S, kFlush>(rounding);
    case Type::s64:
      return to_integer<s64, S, kFlush>(rounding);
    case Type::u64:
      return to_integer<u64, S, kFlush>(rounding);
    default:
      return nullptr;
  }
}

// ---- to floating point, rounding to nearest ----
template <class D, class S>
struct ToFloat {
  static RIDGE_INLINE D apply(S value) { return static_cast<D>(value); }
};
template <class D>
Handler integer_to_float(Type source) {
  switch (source) {
    case Type::s32:
      return unary<ToFloat<D, s32>, D, s32>;
    case Type::u32:
      return unary<ToFloat<D, u32>, D, u32>;
    case Type::s64:
      return unary<ToFloat<D, s64>, D, s64>;
    case Type::u64:
      return unary<ToFloat<D, u64>, D, u64>;
    default:
      return nullptr;
  }
}
struct Widen {
  static RIDGE_INLINE f64 apply(f32 value) { return value; }
};
/// A NaN keeps its sign and the upper bits of its payload, and becomes quiet (seen on an H200).
struct Narrow {
  static RIDGE_INLINE f32 apply(f64 value) { return static_cast<f32>(value); }
};
template <bool kFlush>
struct Saturate {
  static RIDGE_INLINE f32 apply(f32 value) { return saturate(kFlush ? flush(value) : value); }
};
template <Rounding kRounding>
struct Integral {
  static RIDGE_INLINE f32 apply(f32 value) { return canonical(static_cast<f32>(integral<kRounding>(value))); }
  static RIDGE_INLINE f64 apply(f64 value) { return integral<kRounding>(value); }
};
template <class T>
Handler to_integral(Rounding rounding) {
  switch (rounding) {
    case Rounding::rni:
      return unary<Integral<Rounding::rni>, T, T>;
    case Rounding::rzi:
      return unary<Integral<Rounding::rzi>, T, T>;
    case Rounding::rmi:
      return unary<Integral<Rounding::rmi>, T, T>;
    case Rounding::rpi:
      return unary<Integral<Rounding::rpi>, T, T>;
    default:
      return nullptr;
  }
}

template <class H>
Next widen_half(Warp& warp, Next i) {
  alignas(64) f32 values[kWarpLanes];
  widen_all<H>(lanes_of<u16>(warp, i->a), values, kWarpLanes);
  for_lanes(warp.mask, lanes_of<f32>(warp, i->d), [&](int l) { return canonical(values[l]); });
  return i + 1;
}
template <class H>
Next narrow_half(Warp& warp, Next i) {
  alignas(64) u16 values[kWarpLanes];
  narrow_all<H>(lanes_of<f32>(warp, i->a), values, kWarpLanes);
  blend(warp.mask, lanes_of<u16>(warp, i->d), values);
  return i + 1;
}
/// Two floats into one register, the first into its upper half.
template <class H>
Next narrow_pair(Warp& warp, Next i) {
  alignas(64) u16 high[kWarpLanes], low[kWarpLanes];
  narrow_all<H>(lanes_of<f32>(warp, i->a), high, kWarpLanes);
  narrow_all<H>(lanes_of<f32>(warp, i->b), low, kWarpLanes);
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d),
            [&](int l) { return static_cast<u32>(high[l]) << 16 | low[l]; });
  return i + 1;
}

// ---- everything else ----
/// How an operation of this path is told: packed into Instruction::immediate.
struct Recipe {
  Type to, from;
  Rounding rounding;
  u8 to_bytes, from_bytes;  ///< of the registers
  bool ftz, sat, relu, satfinite;
};
RIDGE_INLINE Recipe recipe_of(Next i) {
  const u64 bits = static_cast<u64>(i->immediate);
  Recipe recipe;
  recipe.to = static_cast<Type>(bits & 0xff);
  recipe.from = static_cast<Type>(bits >> 8 & 0xff);
  recipe.rounding = static_cast<Rounding>(bits >> 16 & 0xff);
  recipe.to_bytes = static_cast<u8>(bits >> 24 & 0xff);
  recipe.from_bytes = static_cast<u8>(bits >> 32 & 0xff);
  recipe.ftz = (bits >> 40 & 1) != 0;
  recipe.sat = (bits >> 41 & 1) != 0;
  recipe.relu = (bits >> 42 & 1) != 0;
  recipe.satfinite = (bits >> 43 & 1) != 0;
  return recipe;
}

u64 load_bits(Warp& warp, u32 slot, int bytes, int lane) {
  switch (bytes) {
    case 2:
      return lanes_of<u16>(warp, slot)[lane];
    case 4:
      return lanes_of<u32>(warp, slot)[lane];
    default:
      return lanes_of<u64>(warp, slot)[lane];
  }
}
void store_bits(Warp& warp, u32 slot, int bytes, int lane, u64 bits) {
  switch (bytes) {
    case 2:
      lanes_of<u16>(warp, slot)[lane] = static_cast<u16>(bits);
      break;
    case 4:
      lanes_of<u32>(warp, slot)[lane] = static_cast<u32>(bits);
      break;
    default:
      lanes_of<u64>(warp, slot)[lane] = bits;
      break;
  }
}

s64 extend(u64 bits, Type type) {
  const int shift = 64 - 8 * ptx::size_of(type);
  return ptx::is_signed(type) ? static_cast<s64>(bits << shift) >> shift
                              : static_cast<s64>(bits << shift >> shift);
}
f64 float_value(u64 bits, Type type) {
  switch (type) {
    case Type::f16:
      return half_to_f32(static_cast<u16>(bits));
    case Type::bf16:
      return bfloat_to_f32(static_cast<u16>(bits));
    case Type::f32:
    case Type::tf32:
      return std::bit_cast<f32>(static_cast<u32>(bits));
    case Type::e4m3:
      return e4m3_to_f64(static_cast<u32>(bits));
    case Type::e5m2:
      return e5m2_to_f64(static_cast<u32>(bits));
    default:
      return std::bit_cast<f64>(bits);
  }
}
const Format& format_of(Type type) {
  switch (type) {
    case Type::f16:
      return kF16;
    case Type::bf16:
      return kBf16;
    case Type::f32:
      return kF32;
    case Type::e4m3:
      return kE4m3;
    case Type::e5m2:
      return kE5m2;
    default:
      return kF64;
  }
}

u64 integer_to_integer(s64 value, bool from_signed, const Recipe& recipe) {
  if (recipe.sat) {
    const int bits = 8 * ptx::size_of(recipe.to);
    const bool negative = from_signed && value < 0;
    if (ptx::is_signed(recipe.to)) {
      const s64 high = static_cast<s64>(~u64{0} >> (65 - bits)), low = -high - 1;
      if (!negative && static_cast<u64>(value) > static_cast<u64>(high)) value = high;
      if (negative && value < low) value = low;
    } else {
      const u64 high = ~u64{0} >> (64 - bits);
      if (negative)
        value = 0;
      else if (static_cast<u64>(value) > high)
        value = static_cast<s64>(high);
    }
  }
  return static_cast<u64>(extend(static_cast<u64>(value), recipe.to));
}

u64 float_to_integer(f64 value, const Recipe& recipe) {
  const int bits = 8 * ptx::size_of(recipe.to);
  const bool is_signed = ptx::is_signed(recipe.to);
  if (value != value) {
    const bool marked = bits == 64 || recipe.from == Type::f64;
    return marked ? static_cast<u64>(extend(u64{1} << (bits - 1), recipe.to)) : 0;
  }
  f64 whole = value;
  switch (recipe.rounding) {
    case Rounding::rmi:
      whole = __builtin_floor(value);
      break;
    case Rounding::rpi:
      whole = __builtin_ceil(value);
      break;
    case Rounding::rni:
      whole = __builtin_rint(value);
      break;
    default:
      whole = __builtin_trunc(value);
      break;
  }
  const f64 limit = static_cast<f64>(u64{1} << (bits - 1));
  if (is_signed) {
    if (whole >= limit) return ~u64{0} >> (65 - bits);
    if (whole < -limit) return static_cast<u64>(extend(u64{1} << (bits - 1), recipe.to));
    return static_cast<u64>(static_cast<s64>(whole));
  }
  if (whole >= 2 * limit) return ~u64{0} >> (64 - bits);
  return whole <= 0 ? 0 : static_cast<u64>(whole);
}

u64 to_float(const Unpacked& number, f64 value, bool exact_value, const Recipe& recipe) {
  Unpacked source = number;
  if (exact_value) {
    if (recipe.ftz && (recipe.from == Type::f32) && __builtin_fabs(value) < 0x1p-126)
      value = __builtin_copysign(0.0, value);
    switch (recipe.rounding) {  // f32.f32 and the like round to an integral value
      case Rounding::rni:
        value = __builtin_rint(value);
        break;
      case Rounding::rzi:
        value = __builtin_trunc(value);
        break;
      case Rounding::rmi:
        value = __builtin_floor(value);
        break;
      case Rounding::rpi:
        value = __builtin_ceil(value);
        break;
      default:
        break;
    }
    if (recipe.sat) value = saturate(value);
    if (recipe.relu && value <= 0) value = 0;  // -0 too
    source = unpack(value);
  }
  u64 bits = pack(source, format_of(recipe.to), recipe.rounding, recipe.satfinite);
  if (recipe.ftz && recipe.to == Type::f32) bits = bits_of(flush(std::bit_cast<f32>(static_cast<u32>(bits))));
  return bits;
}

/// tf32 keeps the place of f32's exponent: round to 10 fraction bits by rounding the float's own bits.
u64 to_tf32(u32 bits, const Recipe& recipe) {
  const f32 value = std::bit_cast<f32>(bits);
  if (recipe.relu && value <= 0) bits = 0;
  if ((bits & 0x7f800000u) == 0x7f800000u) {
    // .rna cuts off a payload below the places kept (seen on an H200).
    if (bits & (recipe.rounding == Rounding::rna ? 0x7fe000u : 0x7fffffu)) return kNanBits;
    bits &= 0xff800000u;
    return recipe.satfinite ? (bits & 0x80000000u) | 0x7f7fe000u : bits;
  }
  const u32 rest = bits & 0x1fffu;
  bits &= ~0x1fffu;
  const bool up = recipe.rounding == Rounding::rna ? rest >= 0x1000u
                  : recipe.rounding == Rounding::rz
                      ? false
                      : rest > 0x1000u || (rest == 0x1000u && (bits & 0x2000u) != 0);
  bits += up ? 0x2000u : 0;
  if (recipe.satfinite && (bits & 0x7fffffffu) >= 0x7f800000u) bits = (bits & 0x80000000u) | 0x7f7fe000u;
  return bits;
}

u64 converted(u64 bits, const Recipe& recipe) {
  const bool from_float = ptx::is_floating(recipe.from), to_floating = ptx::is_floating(recipe.to);
  if (!from_float) {
    const s64 value = extend(bits, recipe.from);
    if (!to_floating) return integer_to_integer(value, ptx::is_signed(recipe.from), recipe);
    Unpacked number;
    number.negative = ptx::is_signed(recipe.from) && value < 0;
    number.significand = number.negative ? 0 - static_cast<u64>(value) : static_cast<u64>(value);
    if (recipe.sat) {
      number.significand = number.negative ? 0 : number.significand > 1 ? 1 : number.significand;
      number.negative = false;
    }
    return to_float(number, 0, false, recipe);
  }
  if (recipe.to == Type::tf32) return to_tf32(static_cast<u32>(bits), recipe);
  f64 value = float_value(bits, recipe.from);
  if (!to_floating) {
    if (recipe.ftz && recipe.from == Type::f32) value = flush(static_cast<f32>(value));
    return float_to_integer(value, recipe);
  }
  if (recipe.to == Type::f32 && recipe.from == Type::f64 && value != value && !recipe.sat)
    return bits_of(Narrow::apply(value));
  return to_float({}, value, true, recipe);
}

Next convert(Warp& warp, Next i) {
  const Recipe recipe = recipe_of(i);
  for (int l = 0; l < kWarpLanes; ++l)
    if (warp.mask >> l & 1)
      store_bits(warp, i->d, recipe.to_bytes, l,
                 converted(load_bits(warp, i->a, recipe.from_bytes, l), recipe));
  return i + 1;
}

struct Halves {
  Type type;
  int bits;
};
Halves halves_of(Type type) {
  switch (type) {
    case Type::f16x2:
      return {Type::f16, 16};
    case Type::bf16x2:
      return {Type::bf16, 16};
    case Type::e4m3x2:
      return {Type::e4m3, 8};
    case Type::e5m2x2:
      return {Type::e5m2, 8};
    default:
      return {type, 0};
  }
}
/// Packed destinations: from two registers (the first gives the upper half) or from a packed one.
Next convert_packed(Warp& warp, Next i) {
  Recipe recipe = recipe_of(i);
  const Halves to = halves_of(recipe.to), from = halves_of(recipe.from);
  const bool packed_source = from.bits != 0;
  recipe.to = to.type;
  recipe.from = from.type;
  for (int l = 0; l < kWarpLanes; ++l) {
    if (!(warp.mask >> l & 1)) continue;
    u64 high, low;
    if (packed_source) {
      const u64 bits = load_bits(warp, i->a, recipe.from_bytes, l);
      const u64 ones = (u64{1} << from.bits) - 1;
      high = bits >> from.bits & ones;
      low = bits & ones;
    } else {
      high = load_bits(warp, i->a, recipe.from_bytes, l);
      low = load_bits(warp, i->b, recipe.from_bytes, l);
    }
    store_bits(warp, i->d, recipe.to_bytes, l, converted(high, recipe) << to.bits | converted(low, recipe));
  }
  return i + 1;
}

/// cvt.pack: two saturated integers of `flags` bits below what was packed before.
Next pack_integers(Warp& warp, Next i) {
  const s32* a = lanes_of<s32>(warp, i->a);
  const s32* b = lanes_of<s32>(warp, i->b);
  const u32* c = i->c == kNoSlot ? nullptr : lanes_of<u32>(warp, i->c);
  const u32 bits = i->flags, mask = (1u << bits) - 1;
  const s32 low = i->immediate != 0 ? -(1 << (bits - 1)) : 0;
  const s32 high = static_cast<s32>(i->immediate != 0 ? mask >> 1 : mask);
  const auto limited = [=](s32 value) {
    return static_cast<u32>(value < low ? low : value > high ? high : value) & mask;
  };
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [=](int l) {
    return (c == nullptr ? 0 : c[l] << (2 * bits)) | limited(a[l]) << bits | limited(b[l]);
  });
  return i + 1;
}

bool is_packed(Type type) {
  return halves_of(type).bits != 0;
}

}  // namespace

Handler convert_handler(const Operation& operation) {
  if (operation.op == Op::cvt_pack) return pack_integers;
  if (operation.op != Op::cvt) return nullptr;
  const Type to = operation.type, from = operation.source;
  const bool plain = !operation.sat && !operation.ftz && !operation.relu && !operation.satfinite;
  const bool natural_sizes =
      operation.register_bytes == ptx::size_of(to) && operation.source_bytes == ptx::size_of(from);
  const bool nearest = operation.rounding == Rounding::rn || operation.rounding == Rounding::unset;
  if (is_packed(to)) {
    if (from == Type::f32 && plain && nearest && to == Type::f16x2) return narrow_pair<Half>;
    if (from == Type::f32 && plain && nearest && to == Type::bf16x2) return narrow_pair<BFloat>;
    return convert_packed;
  }
  if (ptx::size_of(to) == 0 || ptx::size_of(from) == 0 || is_packed(from)) return nullptr;
  if (natural_sizes && plain && ptx::is_integer(to) && ptx::is_integer(from)) {
    switch (from) {
      case Type::b16:
      case Type::u16:
        return integer_to<u16>(ptx::size_of(to));
      case Type::s16:
        return integer_to<s16>(ptx::size_of(to));
      case Type::b32:
      case Type::u32:
        return integer_to<u32>(ptx::size_of(to));
      case Type::s32:
        return integer_to<s32>(ptx::size_of(to));
      case Type::b64:
      case Type::u64:
        return integer_to<u64>(ptx::size_of(to));
      case Type::s64:
        return integer_to<s64>(ptx::size_of(to));
      default:
        break;
    }
  }
  const bool only_ftz = !operation.sat && !operation.relu && !operation.satfinite;
  if (natural_sizes && only_ftz && ptx::is_integer(to) && (from == Type::f32 || from == Type::f64)) {
    const Handler handler = from == Type::f64 ? to_integer<f64, false>(to, operation.rounding)
                            : operation.ftz   ? to_integer<f32, true>(to, operation.rounding)
                                              : to_integer<f32, false>(to, operation.rounding);
    if (handler != nullptr) return handler;
  }
  if (natural_sizes && plain && nearest) {
    if (to == Type::f32 && ptx::is_integer(from))
      if (const Handler handler = integer_to_float<f32>(from)) return handler;
    if (to == Type::f64 && ptx::is_integer(from))
      if (const Handler handler = integer_to_float<f64>(from)) return handler;
    if (to == Type::f64 && from == Type::f32) return unary<Widen, f64, f32>;
    if (to == Type::f32 && from == Type::f64) return unary<Narrow, f32, f64>;
    if (to == Type::f32 && from == Type::f16) return widen_half<Half>;
    if (to == Type::f32 && from == Type::bf16) return widen_half<BFloat>;
    if (to == Type::f16 && from == Type::f32) return narrow_half<Half>;
    if (to == Type::bf16 && from == Type::f32) return narrow_half<BFloat>;
  }
  if (to == Type::f32 && from == Type::f32 && operation.sat && operation.rounding == Rounding::unset)
    return operation.ftz ? Handler(unary<Saturate<true>, f32, f32>)
                         : Handler(unary<Saturate<false>, f32, f32>);
  if (plain && to == from && to == Type::f32)
    if (const Handler handler = to_integral<f32>(operation.rounding)) return handler;
  if (plain && to == from && to == Type::f64)
    if (const Handler handler = to_integral<f64>(operation.rounding)) return handler;
  return convert;
}

RIDGE_LANES_END
