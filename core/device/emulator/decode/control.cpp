// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding of branches, calls and barriers, and what counters want to know of an instruction.
#include <algorithm>
#include <bit>

#include "device/emulator/decode/decoder.h"
#include "device/emulator/exec/barriers.h"
#include "device/emulator/exec/calls.h"
#include "device/emulator/exec/stack.h"

namespace ridge::device::emulator {

bool FunctionDecoder::encode_control(Opcode& opcode) {
  Operation& operation = opcode.operation;
  switch (operation.op) {
    case Op::bra:
    case Op::brx:
    case Op::ret:
    case Op::exit:
      encode_branch(opcode);
      return true;
    case Op::call:
      encode_call();
      return true;
    case Op::stack:
      encode_stack(opcode);
      return true;
    case Op::barrier:
      encode_barrier(opcode);
      return true;
    case Op::trap:
    case Op::breakpoint:
    case Op::nanosleep:
      emit(operation);
      return true;
    default:
      return false;
  }
}

int FunctionDecoder::block_of_label(const std::string& label) const {
  return flow_.block_of_label_target[static_cast<std::size_t>(function_.labels.at(label))];
}

void FunctionDecoder::encode_branch(Opcode& opcode) {
  Operation operation = opcode.operation;
  if (operation.op == Op::ret && code_.entry) operation.op = Op::exit;
  const bool leaves = operation.op == Op::ret || operation.op == Op::exit;
  if (leaves && current_->guard >= 0) {
    // The lanes whose guard fails jump over it: @p exit is  @!p bra next; exit.
    Operation over;
    over.op = Op::bra;
    over.second = true;
    described_.branches = true;
    Instruction& branch = emit(over);
    branch.a = frame_.of_register(current_->guard);
    branch.flags = current_->guard_negated ? 0 : 1;
    patches_.emplace_back(
        branch.index,
        flow_.block_of_label_target[static_cast<std::size_t>(current_ - function_.body.data()) + 1]);
    // The exit stands in a block of its own, which no lane falls into from elsewhere.
    const std::uint32_t rank = static_cast<std::uint32_t>(
        program_.code[program_.blocks[static_cast<std::size_t>(block_)].first].immediate);
    emit_side_block(rank);
    described_.block = block_;
    emit(operation);
    return;
  }
  if (leaves) {
    described_.branches = false;
    emit(operation);
    return;
  }
  if (operation.op == Op::brx) {
    const std::uint32_t a = source(operand(0), Type::u32);
    std::vector<int> blocks;
    const auto table = function_.tables.find(operand(1).text);
    if (table == function_.tables.end()) malformed(say("the branch table is not defined"));
    for (const std::string& label : table->second) blocks.push_back(block_of_label(label));
    described_.branches = true;
    if (current_->guard >= 0) unsupported();
    Instruction& instruction = emit(operation);
    instruction.a = a;
    instruction.immediate = static_cast<std::int64_t>(blocks.size());
    table_patches_.emplace_back(instruction.index, std::move(blocks));
    return;
  }
  described_.branches = true;
  const auto at = static_cast<std::size_t>(current_ - function_.body.data());
  if (const int comparison = rewrites_.compared[at]; comparison >= 0) {
    encode_comparing_branch(function_.body[static_cast<std::size_t>(comparison)]);
    return;
  }
  operation.second = current_->guard >= 0;
  Instruction& instruction = emit(operation);
  if (operation.second) {
    instruction.a = frame_.of_register(current_->guard);
    instruction.flags = current_->guard_negated ? 1 : 0;
  }
  patches_.emplace_back(instruction.index, block_of_label(operand(0).text));
}

/// A branch that makes the comparison of an elided setp itself.
void FunctionDecoder::encode_comparing_branch(const ptx::Instruction& comparison) {
  Operation operation = read_opcode(comparison.opcode).operation;
  operation.op = Op::bra;
  const std::uint32_t a = source(operand(1), operation.type), b = source(operand(2), operation.type);
  Instruction& instruction = emit(operation);
  instruction.a = a;
  instruction.b = b;
  instruction.flags = current_->guard_negated ? 1 : 0;
  patches_.emplace_back(instruction.index, block_of_label(operand(0).text));
}

void FunctionDecoder::encode_call() {
  Call call;
  const auto& operands = current_->operands;
  std::size_t at = 0;
  const auto variables = [&](const Operand& list) {
    std::vector<FrameVariable> result;
    for (const Operand& element : list.elements) {
      const auto found = frame_variables_.find(element.text);
      if (element.kind != Kind::name || found == frame_variables_.end())
        malformed(say("a parameter of the call is no .param variable"));
      result.push_back(found->second);
    }
    return result;
  };
  if (!operands.empty() && operands[0].kind == Kind::list) call.results = variables(operands[at++]);
  const Operand& target = operand(at++);
  if (at < operands.size() && operands[at].kind == Kind::list) call.arguments = variables(operands[at]);
  if (target.kind == Kind::reg) {
    call.address = source(target, Type::u64);
  } else if (const auto found = context_.functions.find(target.text); found != context_.functions.end()) {
    call.function = found->second;
    if (program_.functions[static_cast<std::size_t>(call.function)].entry) unsupported();
  } else {
    call.system = system_function(target.text.c_str());
    if (call.system < 0)
      throw DecodeError(
          true, *current_,
          say("The emulator does not execute calls of {}, which the module does not define", target.text));
    if (target.text != "__assertfail") code_.ordered_blocks = true;
  }
  Operation operation;
  operation.op = Op::call;
  emit(operation).target = static_cast<std::int32_t>(program_.calls.size());
  program_.calls.push_back(std::move(call));
}

/// alloca and what frees its memory before the function returns.
void FunctionDecoder::encode_stack(const Opcode& opcode) {
  const std::string_view base = opcode.parts[0];
  const Type type = opcode.operation.type;
  if (opcode.parts.size() != 2 || (type != Type::u32 && type != Type::u64)) unsupported();
  const bool extends = base == "alloca", restores = base == "stackrestore";
  std::uint64_t alignment = 8;
  if (extends && current_->operands.size() > 2) {
    alignment = operand(2).bits;
    if (operand(2).kind != Kind::integer || !std::has_single_bit(alignment) || alignment > (1u << 23))
      malformed(say("an alignment is a power of two"));
  }
  const std::uint32_t a = extends ? source(operand(1), type) : restores ? source(operand(0), type) : kNoSlot;
  const std::uint32_t d = restores ? kNoSlot : destination(operand(0), ptx::size_of(type));
  if (!restores && d == kNoSlot) malformed(say("the destination is missing"));
  program_.grows_stack = true;
  Instruction& instruction = emit(extends ? extend_stack : restores ? restore_stack : save_stack);
  instruction.a = a;
  instruction.d = d;
  instruction.immediate = static_cast<std::int64_t>(alignment);
  instruction.flags = type == Type::u32 ? kNarrowStack : 0;
}

void FunctionDecoder::encode_barrier(Opcode& opcode) {
  const bool reduces = opcode.has("red"), arrives = opcode.has("arrive");
  const std::size_t count = current_->operands.size();
  std::uint32_t flags = (arrives ? kBarrierArrive : 0) | (reduces ? kBarrierReduces : 0);
  if (opcode.parts[0] == "bar" || opcode.has("aligned")) flags |= kBarrierAligned;
  const std::size_t first = reduces ? 1 : 0, last = count - (reduces ? 1 : 0);
  if (count < 1 + (reduces ? 2u : 0u)) malformed(say("it has too few operands"));
  const std::uint32_t number = source(operand(first), Type::b32);
  const std::uint32_t threads = first + 1 < last ? source(operand(first + 1), Type::b32) : kNoSlot;
  std::uint32_t predicate = kNoSlot;
  if (reduces) predicate = predicate_source(operand(count - 1), flags, kBarrierNegated);
  if (arrives && threads == kNoSlot) malformed(say("it needs a thread count"));
  Operation operation;
  operation.op = Op::barrier;
  Instruction& instruction = emit(operation);
  instruction.a = number;
  instruction.b = threads;
  instruction.c = predicate;
  instruction.flags = flags;
  if (!reduces) return;
  // The result is there when the barrier has completed.
  if (operand(first).kind != Kind::integer) unsupported();
  const bool population = opcode.has("popc");
  const std::uint32_t target = population ? destination(operand(0), 4) : predicate_destination(operand(0));
  if (target == kNoSlot) malformed(say("the destination is missing"));
  operation.op = Op::barrier_result;
  described_.opcode = "fetch.result";
  described_.block = -1;  // not an instruction of its own
  Instruction& result = emit(operation);
  result.d = target;
  result.flags = static_cast<std::uint32_t>(operand(first).bits & 15) | (population          ? 0u
                                                                         : opcode.has("and") ? 1u
                                                                                             : 2u)
                                                                            << 4;
}

void FunctionDecoder::emit_side_block(std::uint32_t rank) {
  close_block();
  const int loop = program_.blocks[static_cast<std::size_t>(block_)].loop;
  block_ = static_cast<int>(program_.blocks.size());
  const auto start = static_cast<std::uint32_t>(program_.code.size());
  program_.blocks.push_back({start, 0, rank, index_, loop});
  Instruction entry;
  entry.run = context_.lanes.enter_block;
  entry.index = start;
  entry.immediate = rank;
  entry.target = block_;
  program_.code.push_back(entry);
  InstructionInfo info;
  info.location = current_->location;
  info.function = index_;
  info.block = block_;
  info.entry_of_block = true;
  program_.info.push_back(std::move(info));
}

void FunctionDecoder::classify(const Opcode& opcode, InstructionInfo& info) const {
  const Operation& operation = opcode.operation;
  const bool floating = ptx::is_floating(operation.type);
  switch (operation.op) {
    case Op::ld:
    case Op::st:
      // A GPU reads parameters as operands.
      info.kind = operation.space == StateSpace::param ? InstructionClass::other : InstructionClass::memory;
      break;
    case Op::atom:
    case Op::red:
      info.kind = InstructionClass::memory;
      break;
    case Op::bra:
    case Op::brx:
    case Op::call:
    case Op::ret:
    case Op::exit:
    case Op::stack:
    case Op::barrier:
    case Op::warp_barrier:
    case Op::trap:
    case Op::nanosleep:
      info.kind = InstructionClass::control;
      break;
    case Op::rcp:
    case Op::sqrt:
    case Op::rsqrt:
    case Op::ex2:
    case Op::lg2:
    case Op::sin:
    case Op::cos:
    case Op::tanh:
      info.kind = InstructionClass::special;
      break;
    case Op::div:
      info.kind = floating ? InstructionClass::special : InstructionClass::integer;
      break;
    case Op::mov:
    case Op::cvt:
    case Op::cvta_shared:
    case Op::shfl:
    case Op::vote:
    case Op::fence:
    case Op::prefetch:
    case Op::nop:
    case Op::activemask:
      info.kind = InstructionClass::other;
      break;
    default:
      info.kind = floating ? InstructionClass::floating : InstructionClass::integer;
      break;
  }
  std::uint32_t flops = 0;
  if (operation.op == Op::add || operation.op == Op::sub || operation.op == Op::mul) flops = 1;
  if (operation.op == Op::fma || operation.op == Op::mad) flops = 2;
  switch (operation.type) {
    case Type::f64:
      info.flop_kind = FlopKind::fp64;
      break;
    case Type::f32:
      info.flop_kind = FlopKind::fp32;
      break;
    case Type::f16:
      info.flop_kind = FlopKind::fp16;
      break;
    case Type::bf16:
      info.flop_kind = FlopKind::bf16;
      break;
    case Type::f16x2:
      info.flop_kind = FlopKind::fp16;
      flops *= 2;
      break;
    case Type::bf16x2:
      info.flop_kind = FlopKind::bf16;
      flops *= 2;
      break;
    default:
      flops = 0;
      break;
  }
  info.flops = flops;
  if (flops == 0) info.flop_kind = FlopKind::none;
}

}  // namespace ridge::device::emulator
