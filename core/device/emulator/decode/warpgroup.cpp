// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding of wgmma.
#include <algorithm>

#include "device/emulator/decode/decoder.h"
#include "device/emulator/decode/fragments.h"

namespace ridge::device::emulator {

void FunctionDecoder::encode_warpgroup(const Opcode& opcode) {
  described_.kind = InstructionClass::other;
  Operation operation;
  const std::string_view what = opcode.parts.size() > 1 ? opcode.parts[1] : "";
  if (what == "fence" || what == "commit_group") {
    operation.op = what == "fence" ? Op::wgmma_fence : Op::wgmma_commit;
    emit(operation);
    return;
  }
  if (what == "wait_group") {
    if (operand(0).kind != Kind::integer) malformed(say("the number of groups is no constant"));
    operation.op = Op::wgmma_wait;
    emit(operation).flags = static_cast<std::uint32_t>(operand(0).bits);
    return;
  }
  const Shape shape = read_shape(opcode);
  const std::vector<Type> types = read_types(opcode);  // of D, A, B
  if (what != "mma_async" || opcode.has("sp") || types.size() != 3) unsupported();
  const Family family = family_of(types[1]);
  const bool integers = family == Family::int8 || family == Family::bit;
  // A row of A is always 32 bytes long.
  if (shape.m != 64 || shape.n < 8 || shape.n > 256 || shape.n % 8 != 0 ||
      shape.k * element_bits(types[1]) != 256 || family_of(types[2]) != family ||
      !is_accumulator(types[0], family) || family == Family::int4 || family == Family::f64 ||
      family == Family::unknown)
    unsupported();

  TensorPlan plan;
  plan.m = 16;
  plan.n = static_cast<std::uint16_t>(shape.n);
  plan.k = static_cast<std::uint16_t>(shape.k);
  plan.d = plan.c = types[0];
  plan.a = types[1];
  plan.b = types[2];
  plan.saturating = opcode.has("satfinite");
  plan.register_a = operand(1).kind == Kind::vector;
  std::vector<std::uint32_t> slots = fragment(operand(0), plan.d, true);
  if (slots.size() != registers_for(16 * shape.n, plan.d))
    malformed(say("D has the wrong number of registers"));
  plan.first_a = static_cast<std::uint8_t>(slots.size());
  if (plan.register_a) {
    const std::vector<std::uint32_t> a = fragment(operand(1), plan.a, false);
    if (a.size() != 4) malformed(say("A has the wrong number of registers"));
    slots.insert(slots.end(), a.begin(), a.end());
  }
  const std::uint32_t a = plan.register_a ? kNoSlot : source(operand(1), Type::b64);
  const std::uint32_t b = source(operand(2), Type::b64);
  std::uint32_t flags = 0;
  const std::uint32_t scale = predicate_source(operand(3), flags, 1);
  std::size_t next = 4;
  const auto immediate = [&] {
    const Operand& value = operand(next++);
    if (value.kind != Kind::integer) malformed(say("a scale or transposition is no constant"));
    return static_cast<std::int32_t>(value.bits);
  };
  if (!integers) {
    plan.negated_a = immediate() == -1;
    plan.negated_b = immediate() == -1;
  }
  if (family == Family::half || family == Family::bfloat) {
    if (!plan.register_a) plan.transposed_a = immediate() == 1;
    plan.transposed_b = immediate() == 1;
  }
  if (next != current_->operands.size()) malformed(say("it has the wrong number of operands"));

  described_.flop_kind = flop_kind_of(family);
  described_.flops = static_cast<std::uint32_t>(2 * 16 * shape.n * shape.k / 32);
  Opcode read;
  read.operation.op = Op::ld;
  read.operation.space = StateSpace::shared;
  Operand nowhere;
  nowhere.kind = Kind::address;
  nowhere.elements.emplace_back();
  const std::uint32_t site = add_site(read, nowhere, 16, 16);
  add_site(read, nowhere, 16, 16);  // of B
  operation.op = Op::wgmma;
  operation.type = plan.d;
  operation.source = plan.a;
  const std::uint32_t addresses = scratch(0);
  Instruction& instruction = emit_product(operation, plan, std::move(slots));
  instruction.a = a;
  instruction.b = b;
  instruction.c = scale;
  instruction.d = addresses;
  instruction.flags = flags;
  instruction.target = static_cast<std::int32_t>(site);
}

}  // namespace ridge::device::emulator
