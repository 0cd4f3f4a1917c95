// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding of arithmetic, bit operations, comparisons, moves, conversions and warp operations.
#include <algorithm>

#include "device/emulator/decode/decoder.h"
#include "device/emulator/exec/state.h"

namespace ridge::device::emulator {

namespace {

constexpr std::uint32_t kFlush = 0x100, kSaturate = 0x200, kRelu = 0x400;

std::uint32_t float_flags(const Operation& operation) {
  return static_cast<std::uint32_t>(operation.rounding) | (operation.ftz ? kFlush : 0) |
         (operation.sat ? kSaturate : 0) | (operation.relu ? kRelu : 0);
}

Type doubled(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return Type::none;
  }
}

}  // namespace

void FunctionDecoder::three_sources(const Operation& operation, std::size_t count) {
  const int bytes = std::max(2, ptx::size_of(operation.type));
  const std::uint32_t a = source(operand(1), operation.type);
  const std::uint32_t b = count > 1 ? source(operand(2), operation.type) : kNoSlot;
  const std::uint32_t c = count > 2 ? source(operand(3), operation.type) : kNoSlot;
  Instruction& instruction = emit(operation);
  instruction.d = destination(operand(0), bytes);
  if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
  instruction.a = a;
  instruction.b = b;
  instruction.c = c;
  instruction.flags = float_flags(operation);
}

bool FunctionDecoder::encode_arithmetic(Opcode& opcode) {
  Operation& operation = opcode.operation;
  switch (operation.op) {
    case Op::abs:
    case Op::neg:
    case Op::rcp:
    case Op::sqrt:
    case Op::rsqrt:
    case Op::ex2:
    case Op::lg2:
    case Op::sin:
    case Op::cos:
    case Op::tanh:
      three_sources(operation, 1);
      return true;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::mul_hi:
    case Op::div:
    case Op::rem:
    case Op::mul24:
    case Op::copysign:
      three_sources(operation, 2);
      return true;
    case Op::min:
    case Op::max:
      if (current_->operands.size() == 4) {
        operation.op = operation.op == Op::min ? Op::min3 : Op::max3;
        three_sources(operation, 3);
      } else {
        three_sources(operation, 2);
      }
      return true;
    case Op::mad:
    case Op::mad_hi:
    case Op::fma:
    case Op::sad:
    case Op::mad24:
      three_sources(operation, 3);
      return true;
    case Op::mul_wide:
    case Op::mad_wide: {
      const Type wide = doubled(operation.type);
      if (wide == Type::none) unsupported();
      const std::uint32_t a = source(operand(1), operation.type), b = source(operand(2), operation.type);
      const std::uint32_t c = operation.op == Op::mad_wide ? source(operand(3), wide) : kNoSlot;
      Instruction& instruction = emit(operation);
      instruction.d = destination(operand(0), ptx::size_of(wide));
      instruction.a = a;
      instruction.b = b;
      instruction.c = c;
      return true;
    }
    case Op::shift_add: {
      const std::uint32_t a = source(operand(3), Type::u64), b = source(operand(1), Type::u64);
      Instruction& instruction = emit(operation);
      instruction.d = destination(operand(0), 8);
      instruction.a = a;
      instruction.b = b;
      instruction.immediate = static_cast<std::int64_t>(operand(2).bits);
      return true;
    }
    case Op::add_carry:
    case Op::sub_carry:
    case Op::mad_carry:
    case Op::mad_hi_carry: {
      const bool mad = operation.op == Op::mad_carry || operation.op == Op::mad_hi_carry;
      three_sources(operation, mad ? 3 : 2);
      Instruction& instruction = program_.code.back();
      instruction.e = frame_.carry();
      instruction.flags = (operation.carry_in ? 1u : 0u) | (operation.carry_out ? 2u : 0u);
      return true;
    }
    case Op::testp: {
      static constexpr std::array<std::string_view, 6> kProperties{"finite",     "infinite", "number",
                                                                   "notanumber", "normal",   "subnormal"};
      const std::uint32_t a = source(operand(1), operation.type);
      Instruction& instruction = emit(operation);
      instruction.d = predicate_destination(operand(0));
      instruction.a = a;
      for (std::size_t k = 0; k < kProperties.size(); ++k)
        if (opcode.has(kProperties[k])) instruction.flags = static_cast<std::uint32_t>(k);
      return true;
    }
    default:
      return false;
  }
}

bool FunctionDecoder::encode_bits(Opcode& opcode) {
  Operation& operation = opcode.operation;
  const int bytes = std::max(2, ptx::size_of(operation.type));
  const auto simple = [&](std::vector<Type> types, int result_bytes) {
    std::array<std::uint32_t, 4> slots{kNoSlot, kNoSlot, kNoSlot, kNoSlot};
    for (std::size_t k = 0; k < types.size(); ++k) slots[k] = source(operand(k + 1), types[k]);
    Instruction& instruction = emit(operation);
    instruction.d = destination(operand(0), result_bytes);
    if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
    instruction.a = slots[0];
    instruction.b = slots[1];
    instruction.c = slots[2];
    instruction.e = slots[3];
    return &instruction;
  };
  const Type type = operation.type;
  switch (operation.op) {
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::bit_not:
      if (type == Type::pred) {
        std::uint32_t flags = 0;
        const std::uint32_t a = predicate_source(operand(1), flags, 1);
        const std::uint32_t b =
            operation.op == Op::bit_not ? kNoSlot : predicate_source(operand(2), flags, 2);
        Instruction& instruction = emit(operation);
        instruction.d = predicate_destination(operand(0));
        if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
        instruction.a = a;
        instruction.b = b;
        instruction.flags = flags;
      } else {
        three_sources(operation, operation.op == Op::bit_not ? 1 : 2);
      }
      return true;
    case Op::cnot:
      three_sources(operation, 1);
      return true;
    case Op::shl:
    case Op::shr:
      simple({type, Type::u32}, bytes);
      return true;
    case Op::shf_left:
    case Op::shf_right:
      simple({Type::b32, Type::b32, Type::u32}, 4);
      return true;
    case Op::bfe:
      simple({type, Type::u32, Type::u32}, bytes);
      return true;
    case Op::bfi:
      simple({type, type, Type::u32, Type::u32}, bytes);
      return true;
    case Op::bfind:
    case Op::clz:
    case Op::popc:
      simple({type}, 4);
      return true;
    case Op::brev:
      simple({type}, bytes);
      return true;
    case Op::fns:
      simple({Type::b32, Type::b32, Type::s32}, 4);
      return true;
    case Op::bmsk:
      simple({Type::b32, Type::b32}, 4);
      return true;
    case Op::szext:
      simple({type, Type::u32}, 4);
      return true;
    case Op::dp4a:
    case Op::dp2a:
      if (operation.source == Type::none) unsupported();
      simple({Type::b32, Type::b32, Type::b32}, 4)->flags = operation.second ? 1 : 0;
      return true;
    case Op::prmt: {
      static constexpr std::array<std::string_view, 6> kModes{"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
      Instruction* instruction = simple({Type::b32, Type::b32, Type::b32}, 4);
      for (std::size_t k = 0; k < kModes.size(); ++k)
        if (opcode.has(kModes[k])) instruction->flags = static_cast<std::uint32_t>(k) + 1;
      return true;
    }
    case Op::lop3:
      encode_lop3(operation);
      return true;
    case Op::video:
      encode_video(opcode);
      return true;
    default:
      return false;
  }
}

/// `lop3.or.b32 d|p, a, b, c, table, q` says in p whether d is not 0, or q holds; d may be left out.
void FunctionDecoder::encode_lop3(const Operation& operation) {
  const bool tests = operation.combine != Boolean::none;
  const Operand& target = operand(0);
  if (current_->operands.size() != (tests ? 6 : 5) || (target.kind == Kind::pair) != tests)
    malformed(say("it has the wrong number of operands"));
  if (operand(4).kind != Kind::integer) malformed(say("the table must be a constant"));
  const auto table = static_cast<std::int64_t>(operand(4).bits & 0xff);
  const std::uint32_t a = source(operand(1), Type::b32), b = source(operand(2), Type::b32);
  const std::uint32_t c = source(operand(3), Type::b32);
  std::uint32_t d = destination(tests ? target.elements[0] : target, 4);
  if (d == kNoSlot && !tests) malformed(say("the destination is missing"));
  if (d == kNoSlot) d = scratch(0);
  Operation logic;
  logic.op = Op::lop3;
  logic.type = Type::b32;
  Instruction& instruction = emit(logic);
  instruction.d = d;
  instruction.a = a;
  instruction.b = b;
  instruction.c = c;
  instruction.immediate = table;
  if (!tests) return;
  Operation comparison;
  comparison.op = Op::setp;
  comparison.type = Type::b32;
  comparison.compare = Compare::ne;
  comparison.combine = operation.combine;
  std::uint32_t flags = static_cast<std::uint32_t>(operation.combine) << 4;
  const std::uint32_t also = predicate_source(operand(5), flags, 1);
  described_.block = -1;  // not an instruction of its own
  Instruction& test = emit(comparison);
  test.d = predicate_destination(target.elements[1]);
  test.a = d;
  test.b = frame_.constant(4, 0);
  test.c = also;
  test.flags = flags;
}

bool FunctionDecoder::encode_comparison(Opcode& opcode) {
  Operation& operation = opcode.operation;
  std::uint32_t flags = static_cast<std::uint32_t>(operation.combine) << 4;
  switch (operation.op) {
    case Op::setp: {
      const std::uint32_t a = source(operand(1), operation.type), b = source(operand(2), operation.type);
      const std::uint32_t c =
          operation.combine != Boolean::none ? predicate_source(operand(3), flags, 1) : kNoSlot;
      const Operand& target = operand(0);
      const bool pair = target.kind == Kind::pair;
      if (pair && (operation.type == Type::f16 || operation.type == Type::bf16)) unsupported();
      Instruction& instruction = emit(operation);
      instruction.d = predicate_destination(pair ? target.elements[0] : target);
      instruction.e = pair ? predicate_destination(target.elements[1]) : kNoSlot;
      instruction.a = a;
      instruction.b = b;
      instruction.c = c;
      instruction.flags = flags;
      return true;
    }
    case Op::set: {
      if (operation.source == Type::none) unsupported();
      const std::uint32_t a = source(operand(1), operation.source), b = source(operand(2), operation.source);
      const std::uint32_t c =
          operation.combine != Boolean::none ? predicate_source(operand(3), flags, 1) : kNoSlot;
      Instruction& instruction = emit(operation);
      instruction.d = destination(operand(0), std::max(2, ptx::size_of(operation.type)));
      if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
      instruction.a = a;
      instruction.b = b;
      instruction.c = c;
      instruction.flags = flags;
      switch (operation.type) {
        case Type::f32:
          instruction.immediate = 0x3f800000;
          break;
        case Type::f16:
        case Type::f16x2:
          instruction.immediate = 0x3c00;
          break;
        case Type::bf16:
        case Type::bf16x2:
          instruction.immediate = 0x3f80;
          break;
        case Type::u16:
        case Type::s16:
          instruction.immediate = 0xffff;
          break;
        case Type::u32:
        case Type::s32:
          instruction.immediate = 0xffffffff;
          break;
        default:
          unsupported();
      }
      return true;
    }
    case Op::selp: {
      const std::uint32_t a = source(operand(1), operation.type), b = source(operand(2), operation.type);
      flags = 0;
      const std::uint32_t c = predicate_source(operand(3), flags, 1);
      Instruction& instruction = emit(operation);
      instruction.d = destination(operand(0), std::max(2, ptx::size_of(operation.type)));
      if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
      instruction.a = a;
      instruction.b = b;
      instruction.c = c;
      instruction.flags = flags;
      return true;
    }
    case Op::slct: {
      const std::uint32_t a = source(operand(1), operation.type), b = source(operand(2), operation.type);
      const std::uint32_t c = source(operand(3), operation.source);
      Instruction& instruction = emit(operation);
      instruction.d = destination(operand(0), std::max(2, ptx::size_of(operation.type)));
      if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
      instruction.a = a;
      instruction.b = b;
      instruction.c = c;
      return true;
    }
    default:
      return false;
  }
}

/// Generic addresses are those of device memory; other spaces lie in windows of their own.
void FunctionDecoder::encode_cvta(Opcode& opcode) {
  Operation& operation = opcode.operation;
  std::uint64_t window = 0;
  switch (operation.space) {
    case StateSpace::shared:
      window = kSharedWindow;
      break;
    case StateSpace::local:
      window = kLocalWindow;
      break;
    default:
      break;  // parameters have generic addresses from the beginning
  }
  const bool to = opcode.has("to");
  const std::uint32_t a = source(operand(1), operation.type);
  Instruction& instruction = emit(operation);
  instruction.d = destination(operand(0), ptx::size_of(operation.type));
  if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
  instruction.a = a;
  instruction.immediate = static_cast<std::int64_t>(to ? 0 - window : window);
}

void FunctionDecoder::encode_conversion(Opcode& opcode) {
  Operation& operation = opcode.operation;
  if (operation.type == Type::none || operation.source == Type::none) unsupported();
  const bool pair_source = current_->operands.size() == 3;
  const int narrowest = std::max(2, ptx::size_of(operation.type));
  const int to_bytes = std::max(narrowest, register_bytes(operand(0)));
  const int from_bytes = std::max({2, ptx::size_of(operation.source), register_bytes(operand(1))});
  operation.register_bytes = static_cast<std::uint8_t>(to_bytes);
  operation.source_bytes = static_cast<std::uint8_t>(from_bytes);
  const std::uint32_t a = source(operand(1), operation.source, from_bytes);
  const std::uint32_t b = pair_source ? source(operand(2), operation.source, from_bytes) : kNoSlot;
  Instruction& instruction = emit(operation);
  const bool packs = operation.type == Type::f16x2 || operation.type == Type::bf16x2 ||
                     operation.type == Type::e4m3x2 || operation.type == Type::e5m2x2;
  const bool packed_source = operation.source == Type::f16x2 || operation.source == Type::bf16x2 ||
                             operation.source == Type::e4m3x2 || operation.source == Type::e5m2x2;
  if (pair_source != (packs && !packed_source)) malformed(say("it has the wrong number of operands"));
  instruction.d = destination(operand(0), to_bytes);
  if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
  instruction.a = a;
  instruction.b = b;
  const auto flag = [](bool set, int bit) { return set ? std::uint64_t{1} << bit : 0; };
  instruction.immediate = static_cast<std::int64_t>(
      static_cast<std::uint64_t>(operation.type) | static_cast<std::uint64_t>(operation.source) << 8 |
      static_cast<std::uint64_t>(operation.rounding) << 16 | static_cast<std::uint64_t>(to_bytes) << 24 |
      static_cast<std::uint64_t>(from_bytes) << 32 | flag(operation.ftz, 40) | flag(operation.sat, 41) |
      flag(operation.relu, 42) |
      flag(operation.satfinite || (packs && ptx::size_of(operation.type) == 2), 43));
}

/// Integers, saturated and packed side by side; c holds what was packed before.
void FunctionDecoder::encode_integer_packing(Opcode& opcode) {
  constexpr std::array<std::string_view, 6> kNarrow{"u2", "s2", "u4", "s4", "u8", "s8"};
  const auto& parts = opcode.parts;
  if (parts.size() < 5 || parts[2] != "sat" || parts[4] != "s32") unsupported();
  const bool narrow = std::find(kNarrow.begin(), kNarrow.end(), parts[3]) != kNarrow.end();
  if (!narrow && parts[3] != "u16" && parts[3] != "s16") unsupported();
  if (parts.size() != (narrow ? 6u : 5u) || (narrow && parts[5] != "b32")) unsupported();
  if (current_->operands.size() != (narrow ? 4u : 3u)) malformed(say("it has the wrong number of operands"));
  const std::uint32_t a = source(operand(1), Type::s32), b = source(operand(2), Type::s32);
  const std::uint32_t c = narrow ? source(operand(3), Type::b32) : kNoSlot;
  Instruction& instruction = emit(opcode.operation);
  instruction.d = destination(operand(0), 4);
  if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
  instruction.a = a;
  instruction.b = b;
  instruction.c = c;
  instruction.flags = narrow ? static_cast<std::uint32_t>(parts[3][1] - '0') : 16;
  instruction.immediate = parts[3][0] == 's' ? 1 : 0;
}

bool FunctionDecoder::encode_move(Opcode& opcode) {
  Operation& operation = opcode.operation;
  switch (operation.op) {
    case Op::mov:
      encode_mov(opcode);
      return true;
    case Op::cvt:
      encode_conversion(opcode);
      return true;
    case Op::cvt_pack:
      encode_integer_packing(opcode);
      return true;
    case Op::cvta_shared:
      encode_cvta(opcode);
      return true;
    case Op::isspacep: {
      const std::uint32_t a = source(operand(1), Type::u64);
      Instruction& instruction = emit(operation);
      instruction.d = predicate_destination(operand(0));
      if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
      instruction.a = a;
      instruction.immediate =
          static_cast<std::int64_t>(operation.space == StateSpace::shared  ? kSharedWindow
                                    : operation.space == StateSpace::local ? kLocalWindow
                                    : operation.space == StateSpace::param ? kParameterWindow
                                                                           : 0);
      instruction.flags = operation.space == StateSpace::shared && !opcode.has("shared::cluster") ? 1 : 0;
      return true;
    }
    default:
      return false;
  }
}

bool FunctionDecoder::encode_warp(Opcode& opcode) {
  Operation& operation = opcode.operation;
  const auto two_results = [&](Instruction& instruction, int bytes) {
    const Operand& target = operand(0);
    const bool pair = target.kind == Kind::pair;
    instruction.d = destination(pair ? target.elements[0] : target, bytes);
    if (pair && is_read(target.elements[1]))
      instruction.list = list_of({predicate_destination(target.elements[1])});
  };
  const auto keep_members = [](Instruction& instruction, const Operand& mask) {
    if (mask.kind != Kind::integer) return;
    instruction.flags |= kConstantMembers;
    instruction.immediate |= static_cast<std::int64_t>(mask.bits << 32);
  };
  switch (operation.op) {
    case Op::shfl: {
      if (!opcode.has("sync")) unsupported();
      const std::uint32_t a = source(operand(1), Type::b32), b = source(operand(2), Type::b32);
      const std::uint32_t c = source(operand(3), Type::b32), members = source(operand(4), Type::b32);
      Instruction& instruction = emit(operation);
      two_results(instruction, 4);
      instruction.a = a;
      instruction.b = b;
      instruction.c = c;
      instruction.e = members;
      const std::uint64_t whole_warp = operation.mode == Mode::up ? 0 : 31;
      if (operand(2).kind == Kind::integer && operand(3).kind == Kind::integer &&
          operand(3).bits == whole_warp) {
        instruction.flags |= kConstantShuffle;
        instruction.immediate = static_cast<std::int64_t>(operand(2).bits & 31);
      }
      keep_members(instruction, operand(4));
      return true;
    }
    case Op::vote: {
      if (!opcode.has("sync")) unsupported();
      std::uint32_t flags = 0;
      const std::uint32_t a = predicate_source(operand(1), flags, 1), members = source(operand(2), Type::b32);
      Instruction& instruction = emit(operation);
      instruction.d =
          operation.mode == Mode::ballot ? destination(operand(0), 4) : predicate_destination(operand(0));
      if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
      instruction.a = a;
      instruction.e = members;
      instruction.flags = flags;
      keep_members(instruction, operand(2));
      return true;
    }
    case Op::match_any:
    case Op::match_all: {
      const std::uint32_t a = source(operand(1), operation.type), members = source(operand(2), Type::b32);
      Instruction& instruction = emit(operation);
      two_results(instruction, 4);
      instruction.a = a;
      instruction.e = members;
      return true;
    }
    case Op::redux: {
      if (ptx::size_of(operation.type) != 4 || ptx::is_floating(operation.type)) unsupported();
      const std::uint32_t a = source(operand(1), operation.type), members = source(operand(2), Type::b32);
      Instruction& instruction = emit(operation);
      instruction.d = destination(operand(0), 4);
      if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
      instruction.a = a;
      instruction.e = members;
      return true;
    }
    case Op::activemask: {
      Instruction& instruction = emit(operation);
      instruction.d = destination(operand(0), 4);
      if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
      return true;
    }
    case Op::elect: {
      const std::uint32_t members = source(operand(1), Type::b32);
      Instruction& instruction = emit(operation);
      two_results(instruction, 4);
      instruction.e = members;
      return true;
    }
    case Op::warp_barrier: {
      const std::uint32_t members = source(operand(0), Type::b32);
      Instruction& instruction = emit(operation);
      instruction.e = members;
      keep_members(instruction, operand(0));
      return true;
    }
    default:
      return false;
  }
}

}  // namespace ridge::device::emulator
