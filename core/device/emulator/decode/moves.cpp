// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding of mov: registers, vectors and registers of 128 bits, predicates, clocks and cache policies.
#include <algorithm>

#include "device/emulator/decode/decoder.h"

namespace ridge::device::emulator {

void FunctionDecoder::encode_predicate_mov(const Operation& operation) {
  const Operand& value = operand(1);
  std::uint32_t flags = 0;
  if (value.kind == Kind::name && value.text == "%is_explicit_cluster") {
    Operation comparison;
    comparison.op = Op::setp;
    comparison.type = Type::u32;
    comparison.compare = Compare::ne;
    const std::uint32_t a = source(value, Type::u32), b = frame_.constant(4, 0);
    Instruction& instruction = emit(comparison);
    instruction.a = a;
    instruction.b = b;
  } else {
    const std::uint32_t a = predicate_source(value, flags, 1);
    Instruction& instruction = emit(operation);
    instruction.a = a;
    instruction.flags = flags;
  }
  program_.code.back().d = predicate_destination(operand(0));
  if (program_.code.back().d == kNoSlot) malformed(say("the destination is missing"));
}

/// Between a register and as many smaller ones as fill it.
void FunctionDecoder::encode_packing(Operation operation, bool packs, const Operand& whole,
                                     std::vector<Operand> parts) {
  operation.op = packs ? Op::pack : Op::unpack;
  operation.vector = static_cast<std::uint8_t>(std::min<std::size_t>(parts.size(), 15));
  const int bytes = std::max(2, ptx::size_of(operation.type));
  const int part = bytes / std::max<int>(operation.vector, 1);
  std::vector<std::uint32_t> slots;
  for (const Operand& element : parts) {
    const Type type = part == 4 ? Type::b32 : Type::b16;
    slots.push_back(packs ? source(element, type) : destination(element, std::max(2, part)));
  }
  const std::uint32_t slot = packs ? destination(whole, bytes) : source(whole, operation.type);
  if (slot == kNoSlot) malformed(say("the destination is missing"));
  const std::uint32_t* list = list_of(std::move(slots));
  Instruction& instruction = emit(operation);
  (packs ? instruction.d : instruction.a) = slot;
  instruction.list = list;
}

/// All at once: a target may share its place with a source that is read later.
void FunctionDecoder::encode_copies(Type type, const std::vector<Operand>& targets,
                                    const std::vector<Operand>& sources) {
  const int bytes = std::max(2, ptx::size_of(type));
  Operation move;
  move.op = Op::mov;
  move.type = type;
  std::vector<std::uint32_t> to, from;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    from.push_back(source(sources[k], type));
    to.push_back(destination(targets[k], bytes));
  }
  const auto copy = [&](std::uint32_t into, std::uint32_t out_of) {
    if (into == kNoSlot) return;
    Instruction& instruction = emit(move);
    instruction.d = into;
    instruction.a = out_of;
    described_.block = -1;  // one instruction, however many registers it moves
  };
  bool collides = false;
  for (std::size_t k = 1; k < from.size(); ++k)
    collides = collides || std::find(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(k), from[k]) !=
                               to.begin() + static_cast<std::ptrdiff_t>(k);
  if (collides)
    for (std::size_t k = 0; k < from.size(); ++k) {
      copy(scratch(k), from[k]);
      from[k] = scratch(k);
    }
  for (std::size_t k = 0; k < from.size(); ++k) copy(to[k], from[k]);
}

/// Between vectors, or registers of 128 bits, which are vectors of two here.
void FunctionDecoder::encode_vector_mov(Operation operation) {
  const std::vector<Operand> targets = operand(0).elements, sources = operand(1).elements;
  const std::size_t count = std::min(targets.size(), sources.size());
  const bool packs = targets.size() < sources.size();
  const std::size_t parts = count == 0 ? 0 : std::max(targets.size(), sources.size()) / count;
  const bool whole = operation.type == Type::b128;
  const auto size = static_cast<std::size_t>(ptx::size_of(operation.type)) * operation.vector;
  if (count == 0 || count * parts != std::max(targets.size(), sources.size()) ||
      (whole ? operation.vector != 1 : count != operation.vector || parts != 1) || size % count != 0)
    malformed(say("the vector has the wrong number of elements"));
  switch (size / count) {
    case 8:
      operation.type = Type::b64;
      break;
    case 4:
      operation.type = Type::b32;
      break;
    case 2:
      operation.type = Type::b16;
      break;
    default:
      unsupported();
  }
  if (parts == 1) return encode_copies(operation.type, targets, sources);
  for (std::size_t k = 0; k < count; ++k) {
    const auto& many = packs ? sources : targets;
    const auto first = many.begin() + static_cast<std::ptrdiff_t>(k * parts);
    encode_packing(operation, packs, packs ? targets[k] : sources[k],
                   {first, first + static_cast<std::ptrdiff_t>(parts)});
    described_.block = -1;  // one instruction, however many registers it moves
  }
}

void FunctionDecoder::encode_mov(Opcode& opcode) {
  Operation operation = opcode.operation;
  const Operand& target = operand(0);
  if (opcode.parts[0] == "createpolicy") {  // whatever it asks for, no result depends on it
    if (operation.type != Type::b64) unsupported();
    constexpr std::uint64_t kNormalEviction = std::uint64_t{1} << 60;
    const std::uint32_t policy = frame_.constant(8, kNormalEviction);
    Instruction& instruction = emit(operation);
    instruction.d = destination(target, 8);
    instruction.a = policy;
    if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
    return;
  }
  const Operand& value = operand(1);
  const int bytes = std::max(2, ptx::size_of(operation.type));
  if (operation.type == Type::pred) return encode_predicate_mov(operation);
  if (value.kind == Kind::vector && target.kind == Kind::vector) return encode_vector_mov(operation);
  if (operation.vector != 1 || operation.type == Type::b128)
    malformed(say("the vector has the wrong number of elements"));
  if (value.kind == Kind::vector || target.kind == Kind::vector) {
    const bool packs = value.kind == Kind::vector;
    return encode_packing(operation, packs, packs ? target : value, (packs ? value : target).elements);
  }
  if (value.kind == Kind::name &&
      (value.text.starts_with("%clock") || value.text.starts_with("%globaltimer"))) {
    operation.op = Op::read_clock;
    Instruction& instruction = emit(operation);
    instruction.d = destination(target, bytes);
    instruction.flags =
        (value.text.starts_with("%clock") ? 1u : 0u) | (value.text.ends_with("_hi") ? 2u : 0u);
    if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
    return;
  }
  const std::uint32_t a = source(value, operation.type);
  Instruction& instruction = emit(operation);
  instruction.d = destination(target, bytes);
  if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
  instruction.a = a;
}

}  // namespace ridge::device::emulator
