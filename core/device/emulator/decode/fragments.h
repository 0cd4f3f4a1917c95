// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes, types and fragments of matrix products, as their opcodes name them.
#pragma once

#include <vector>

#include "device/emulator/decode/opcode.h"
#include "device/emulator/exec/program.h"

namespace ridge::device::emulator {

struct Shape {
  int m = 0, n = 0, k = 0;
  bool operator==(const Shape&) const = default;
};
Shape read_shape(const Opcode& opcode);              ///< "m16n8k16"; zeros: it has none
std::vector<Type> read_types(const Opcode& opcode);  ///< all of its types, in order

/// Types that go together in one product.
enum class Family : std::uint8_t { half, bfloat, tf32, f64, int8, int4, bit, fp8, unknown };
Family family_of(Type type);
FlopKind flop_kind_of(Family family);
bool is_accumulator(Type type, Family family);  ///< of products of the family

int register_bytes_of(Type type);
/// Registers of a lane for so many elements of a warp.
std::size_t registers_for(int elements, Type type);

}  // namespace ridge::device::emulator
