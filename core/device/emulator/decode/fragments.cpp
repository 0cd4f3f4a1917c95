// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/fragments.h"

#include <algorithm>

namespace ridge::device::emulator {

namespace {
constexpr int kMost = 1024;  ///< no extent of a shape is greater
}

Shape read_shape(const Opcode& opcode) {
  for (const std::string_view part : opcode.parts) {
    if (part.size() < 6 || part[0] != 'm' || part[1] < '0' || part[1] > '9') continue;
    Shape shape;
    int* number = nullptr;
    for (const char c : part) {
      if (c == 'm') number = &shape.m;
      if (c == 'n') number = &shape.n;
      if (c == 'k') number = &shape.k;
      if (c >= '0' && c <= '9') *number = std::min(10 * *number + (c - '0'), kMost);
    }
    return shape;
  }
  return {};
}

std::vector<Type> read_types(const Opcode& opcode) {
  std::vector<Type> types;
  for (const std::string_view part : opcode.parts)
    if (const auto type = ptx::type_named(part)) types.push_back(*type);
  return types;
}

Family family_of(Type type) {
  switch (type) {
    case Type::f16:
      return Family::half;
    case Type::bf16:
      return Family::bfloat;
    case Type::tf32:
      return Family::tf32;
    case Type::f64:
      return Family::f64;
    case Type::s8:
    case Type::u8:
      return Family::int8;
    case Type::s4:
    case Type::u4:
      return Family::int4;
    case Type::b1:
      return Family::bit;
    case Type::e4m3:
    case Type::e5m2:
      return Family::fp8;
    default:
      return Family::unknown;
  }
}
FlopKind flop_kind_of(Family family) {
  switch (family) {
    case Family::half:
      return FlopKind::tensor_fp16;
    case Family::bfloat:
      return FlopKind::tensor_bf16;
    case Family::tf32:
      return FlopKind::tensor_tf32;
    case Family::f64:
      return FlopKind::tensor_fp64;
    case Family::int8:
    case Family::int4:
      return FlopKind::tensor_int8;
    case Family::fp8:
      return FlopKind::tensor_fp8;
    default:
      return FlopKind::none;
  }
}

bool is_accumulator(Type type, Family family) {
  switch (family) {
    case Family::half:
    case Family::fp8:
      return type == Type::f16 || type == Type::f32;
    case Family::bfloat:
    case Family::tf32:
      return type == Type::f32;
    case Family::f64:
      return type == Type::f64;
    default:
      return type == Type::s32;
  }
}

int register_bytes_of(Type type) {
  return type == Type::f64 ? 8 : 4;
}
std::size_t registers_for(int elements, Type type) {
  return static_cast<std::size_t>(elements * element_bits(type) / 32 / 8 / register_bytes_of(type));
}

}  // namespace ridge::device::emulator
