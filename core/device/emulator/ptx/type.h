// SPDX-License-Identifier: GPL-3.0-or-later
// The fundamental and packed types of PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::device::emulator::ptx {

// clang-format off
enum class Type : std::uint8_t {
  none, pred,
  b8, b16, b32, b64, b128,
  u8, u16, u32, u64,
  s8, s16, s32, s64,
  f16, bf16, f32, f64,
  f16x2, bf16x2, u16x2, s16x2, f32x2,
  tf32, e4m3, e5m2, e4m3x2, e5m2x2,
  b1, u4, s4
};
// clang-format on

/// Bytes in memory (and of the register that holds it, with at least two); 0 for predicates and sub-byte
/// types.
constexpr int size_of(Type type) {
  switch (type) {
    case Type::b8:
    case Type::u8:
    case Type::s8:
    case Type::e4m3:
    case Type::e5m2:
      return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
    case Type::e4m3x2:
    case Type::e5m2x2:
      return 2;
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::f32:
    case Type::f16x2:
    case Type::bf16x2:
    case Type::u16x2:
    case Type::s16x2:
    case Type::tf32:
      return 4;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
    case Type::f32x2:
      return 8;
    case Type::b128:
      return 16;
    default:
      return 0;
  }
}
constexpr bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64 ||
         type == Type::s16x2;
}
constexpr bool is_floating(Type type) {
  return (type >= Type::f16 && type <= Type::bf16x2) || (type >= Type::f32x2 && type <= Type::e5m2x2);
}
constexpr bool is_integer(Type type) {
  return type >= Type::b8 && type <= Type::s64;
}

std::optional<Type> type_named(std::string_view name);  ///< "f32", without the dot
std::string_view name_of(Type type);

}  // namespace ridge::device::emulator::ptx
