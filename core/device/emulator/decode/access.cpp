// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding of loads, stores and atomics.
#include <algorithm>
#include <bit>

#include "device/emulator/decode/decoder.h"
#include "device/emulator/exec/cluster.h"
#include "device/emulator/exec/state.h"

namespace ridge::device::emulator {

bool FunctionDecoder::encode_memory(Opcode& opcode) {
  Operation& operation = opcode.operation;
  check_cache_hint(opcode);
  switch (operation.op) {
    case Op::ld:
      if (operation.space == StateSpace::param) {
        encode_parameter_load(opcode, false);
      } else {
        encode_access(opcode);
      }
      return true;
    case Op::st:
      if (operation.space == StateSpace::param) {
        const FrameVariable* variable = frame_variable(operand(0));
        if (variable == nullptr) unsupported();
        encode_frame_access(opcode, *variable);
      } else {
        encode_access(opcode);
      }
      return true;
    case Op::atom:
    case Op::red:
      encode_atomic(opcode);
      return true;
    case Op::fence:
    case Op::prefetch:
    case Op::nop:
      emit(operation);
      return true;
    default:
      return false;
  }
}

/// A cache policy stands behind the other operands; it changes no result.
void FunctionDecoder::check_cache_hint(const Opcode& opcode) {
  const Op op = opcode.operation.op;
  if (op != Op::ld && op != Op::st && op != Op::atom && op != Op::red) return;
  if (!opcode.has("L2::cache_hint")) return;
  const bool returns = op == Op::atom, compares = opcode.operation.atomic == AtomicOp::cas;
  source(operand(2u + (returns ? 1u : 0u) + (returns && compares ? 1u : 0u)), Type::b64);
}

const FrameVariable* FunctionDecoder::frame_variable(const Operand& address) const {
  if (address.kind != Kind::address || address.elements[0].kind != Kind::name) return nullptr;
  const auto found = frame_variables_.find(address.elements[0].text);
  return found == frame_variables_.end() ? nullptr : &found->second;
}

/// Slots of what is loaded or stored, one to a vector element.
std::vector<std::uint32_t> FunctionDecoder::data_slots(const Operand& data, const Operation& operation,
                                                       bool is_store) {
  const auto slot = [&](const Operand& element) {
    if (is_store) return source(element, operation.type, operation.register_bytes);
    return destination(element, operation.register_bytes);
  };
  std::vector<std::uint32_t> slots;
  if (data.kind == Kind::vector) {
    for (const Operand& element : data.elements) slots.push_back(slot(element));
  } else {
    slots.push_back(slot(data));
  }
  if (slots.size() != operation.vector) malformed(say("the vector has the wrong number of elements"));
  return slots;
}

namespace {

/// Registers may be wider than the type in memory; all elements of a vector have one width.
template <class F>
std::uint8_t width_of(const ptx::Operand& data, ptx::Type type, F&& register_bytes) {
  int bytes = std::max(2, ptx::size_of(type));
  const auto& elements =
      data.kind == ptx::Operand::Kind::vector ? data.elements : std::vector<ptx::Operand>{data};
  for (const ptx::Operand& element : elements) bytes = std::max(bytes, register_bytes(element));
  return static_cast<std::uint8_t>(bytes);
}

void set_data(Instruction& instruction, const std::vector<std::uint32_t>& slots, const std::uint32_t* list,
              bool is_store) {
  if (slots.size() > 1) {
    instruction.list = list;
  } else {
    (is_store ? instruction.b : instruction.d) = slots[0];
  }
}

}  // namespace

/// `resident`: the registers are names of the parameter from now on, nothing is moved.
void FunctionDecoder::encode_parameter_load(Opcode& opcode, bool resident) {
  Operation operation = opcode.operation;
  const Operand& address = operand(1);
  if (address.kind != Kind::address) malformed(say("an address is expected"));
  if (const FrameVariable* variable = frame_variable(address)) {
    encode_frame_access(opcode, *variable);
    return;
  }
  const Operand& base = address.elements[0];
  const auto parameter = base.kind == Kind::name ? parameters_.find(base.text) : parameters_.end();
  if (parameter == parameters_.end()) {  // through a register: an address in the parameter window
    if (base.kind != Kind::reg) malformed(say("the parameter is not declared"));
    opcode.operation.space = StateSpace::generic;
    encode_access(opcode);
    return;
  }
  // The value is the same in all lanes and stands in the frame from the start.
  operation.register_bytes =
      width_of(operand(0), operation.type, [&](const Operand& data) { return register_bytes(data); });
  const std::vector<int> targets = accesses_of(*current_).writes;
  if (resident && targets.size() != operation.vector)
    malformed(say("the vector has the wrong number of elements"));
  const std::vector<std::uint32_t> slots =
      resident ? std::vector<std::uint32_t>(operation.vector) : data_slots(operand(0), operation, false);
  const int bytes = ptx::size_of(operation.type);
  if (bytes == 0 || bytes > 8) unsupported();
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const std::uint64_t offset = address.bits + k * static_cast<std::uint64_t>(bytes);
    if (offset + static_cast<std::uint64_t>(bytes) > parameter->second.second ||
        offset > parameter->second.second)
      malformed(say("it reads beyond the parameter"));
    if (slots[k] == kNoSlot) continue;
    Operation move;
    move.op = Op::mov;
    move.type = operation.register_bytes == 2   ? Type::b16
                : operation.register_bytes == 4 ? Type::b32
                                                : Type::b64;
    const std::uint32_t value =
        frame_.parameter(parameter->second.first + static_cast<std::uint32_t>(offset), bytes,
                         operation.register_bytes, ptx::is_signed(operation.type));
    if (resident) {
      frame_.alias(targets[k], value);
      continue;
    }
    Instruction& instruction = emit(move);
    instruction.d = slots[k];
    instruction.a = value;
  }
}

void FunctionDecoder::encode_frame_access(Opcode& opcode, const FrameVariable& variable) {
  Operation operation = opcode.operation;
  const bool is_store = operation.op == Op::st;
  operation.op = is_store ? Op::st_frame : Op::ld_frame;
  const Operand& data = operand(is_store ? 1 : 0);
  const Operand& address = operand(is_store ? 0 : 1);
  operation.register_bytes =
      width_of(data, operation.type, [&](const Operand& element) { return register_bytes(element); });
  const std::vector<std::uint32_t> slots = data_slots(data, operation, is_store);
  const auto bytes = static_cast<std::uint64_t>(ptx::size_of(operation.type)) * operation.vector;
  if (address.bits > variable.bytes || bytes > variable.bytes - address.bits)
    malformed(say("it reaches beyond the variable"));
  if (!is_store && slots.size() == 1 && slots[0] == kNoSlot) return;
  const std::uint32_t* list = slots.size() > 1 ? list_of(slots) : nullptr;
  Instruction& instruction = emit(operation);
  instruction.move = context_.lanes.find_mover(operation);
  if (instruction.move == nullptr) unsupported();
  set_data(instruction, slots, list, is_store);
  instruction.a = variable.slot;
  instruction.immediate = static_cast<std::int64_t>(address.bits);
  instruction.flags = variable.bytes;
}

std::uint32_t FunctionDecoder::address_slot(const Operand& address, Operation& operation) {
  if (address.kind != Kind::address) malformed(say("an address is expected"));
  const Operand& base = address.elements[0];
  int bytes = operation.space == StateSpace::shared || operation.space == StateSpace::local ? 4 : 8;
  if (base.kind == Kind::reg) bytes = register_bytes(base);
  if (bytes != 8 && (bytes != 4 || operation.space == StateSpace::generic))
    malformed(say("the address has the wrong size"));
  operation.address_bytes = static_cast<std::uint8_t>(bytes);
  return source(base, bytes == 8 ? Type::u64 : Type::u32);
}

std::uint32_t FunctionDecoder::add_site(const Opcode& opcode, const Operand& address, int bytes,
                                        int element_bytes) {
  const Operation& operation = opcode.operation;
  MemorySite site;
  site.instruction = static_cast<std::uint32_t>(program_.code.size());
  site.space = operation.space;
  site.bytes = static_cast<std::uint8_t>(bytes);
  site.element_bytes = static_cast<std::uint8_t>(element_bytes);
  site.address_bytes = operation.address_bytes;
  site.store = operation.op == Op::st;
  site.atomic = operation.op == Op::atom || operation.op == Op::red;
  site.ordered = opcode.ordered && !site.atomic;
  site.acquires = opcode.acquires;
  site.releases = opcode.releases;
  site.cached = opcode.cached && !site.atomic && !opcode.ordered;
  const Operand& base = address.elements[0];
  const std::string name = base.kind == Kind::reg    ? provenance_.of(base.index)
                           : base.kind == Kind::name ? base.text
                                                     : std::string();
  const auto size = array_bytes_.find(name);
  if (size != array_bytes_.end() && operation.space != StateSpace::global &&
      operation.space != StateSpace::constant) {
    const bool shared = shared_.contains(name);
    site.low = shared ? shared_.at(name) : local_.at(name);
    site.high = size->second < 0 ? -1 : site.low + size->second;
    site.array = name.substr(0, name.find('#'));  // as it was before names of inner blocks were made unique
  }
  const int shift = std::countr_zero(static_cast<unsigned>(bytes));
  if (operation.space == StateSpace::shared || operation.space == StateSpace::generic)
    program_.shared_shift = std::min(program_.shared_shift, shift);
  if (operation.space == StateSpace::global || operation.space == StateSpace::generic)
    program_.global_shift = std::min(program_.global_shift, shift);
  const bool between_blocks = operation.space == StateSpace::global || operation.space == StateSpace::generic;
  if (between_blocks && site.ordered && !site.store) code_.ordered_blocks = true;
  if (between_blocks && (site.store || site.atomic)) note_store(site, base);
  program_.sites.push_back(std::move(site));
  return static_cast<std::uint32_t>(program_.sites.size() - 1);
}

/// Races between blocks need looking for only in memory that something may write to.
void FunctionDecoder::note_store(const MemorySite& site, const Operand& base) {
  if (!site.array.empty()) return;  // not device memory
  const std::string name = base.kind == Kind::reg    ? pointers_.of(base.index)
                           : base.kind == Kind::name ? base.text
                                                     : std::string();
  if (const auto parameter = parameters_.find(name); parameter != parameters_.end())
    code_.stored_parameters.push_back(parameter->second.first);
  else if (const auto symbol = context_.symbols.find(name); symbol != context_.symbols.end())
    code_.stored_addresses.push_back(symbol->second);
  else
    code_.stores_anywhere = true;
}

void FunctionDecoder::encode_access(Opcode& opcode) {
  Operation& operation = opcode.operation;
  const bool is_store = operation.op == Op::st;
  const Operand& data = operand(is_store ? 1 : 0);
  const Operand& address = operand(is_store ? 0 : 1);
  const int element = ptx::size_of(operation.type), bytes = element * operation.vector;
  if (element == 0 || element > 8 || bytes > 32) unsupported();
  operation.register_bytes =
      width_of(data, operation.type, [&](const Operand& part) { return register_bytes(part); });
  const std::uint32_t base = address_slot(address, operation);
  const std::vector<std::uint32_t> slots = data_slots(data, operation, is_store);
  if (slots.size() == 1 && slots[0] == kNoSlot) malformed(say("the destination is missing"));
  const std::uint32_t* list = slots.size() > 1 ? list_of(slots) : nullptr;
  const std::uint32_t site = add_site(opcode, address, bytes, element);
  const bool cluster = opcode.has("shared::cluster");
  const std::uint32_t matching = cluster ? kNoSlot : matching_site(address, operation, bytes, site);
  operation.second = matching != kNoSlot;
  Instruction& instruction = cluster ? emit(cluster_access(is_store ? AccessKind::store : AccessKind::load,
                                                           operation.address_bytes == 4))
                                     : emit(operation);
  instruction.move = context_.lanes.find_mover(operation);
  if (instruction.move == nullptr) unsupported();
  set_data(instruction, slots, list, is_store);
  instruction.a = base;
  program_.info.back().plain_access = true;
  instruction.c = matching;
  instruction.immediate = static_cast<std::int64_t>(address.bits);
  instruction.target = static_cast<std::int32_t>(site);
  instruction.flags = static_cast<std::uint32_t>(bytes);
}

/// An earlier access in the same breath whose lanes' addresses differ from those of this one by a constant,
/// of whole words; else this one is remembered. Bank conflicts make loads and stores of shared memory differ.
std::uint32_t FunctionDecoder::matching_site(const Operand& address, const Operation& operation, int bytes,
                                             std::uint32_t site) {
  const Operand& base = address.elements[0];
  const bool counted = operation.space == StateSpace::shared || operation.space == StateSpace::global;
  if (!counted || base.kind != Kind::reg || current_->guard >= 0) return kNoSlot;
  const auto offset = static_cast<std::int64_t>(address.bits);
  for (const Matched& matched : matched_)
    if (matched.base == base.index && matched.bytes == bytes && matched.space == operation.space &&
        (matched.op == operation.op || operation.space == StateSpace::global) &&
        (matched.offset - offset) % 4 == 0)
      return matched.site;
  matched_.push_back({base.index, bytes, site, offset, operation.op, operation.space});
  return kNoSlot;
}

/// Vectors of floats; their elements are atomic, they themselves are not.
bool FunctionDecoder::is_vector_atomic(const Operation& operation) const {
  if (operation.space != StateSpace::global && operation.space != StateSpace::generic) return false;
  const bool adds = operation.atomic == AtomicOp::add;
  const bool compares = operation.atomic == AtomicOp::min || operation.atomic == AtomicOp::max;
  switch (operation.type) {
    case Type::f32:
      return adds && operation.vector <= 4;
    case Type::f16x2:
    case Type::bf16x2:
      return (adds || compares) && operation.vector <= 4;
    case Type::f16:
    case Type::bf16:
      return adds || compares;
    default:
      return false;
  }
}

void FunctionDecoder::encode_atomic(Opcode& opcode) {
  Operation& operation = opcode.operation;
  const bool returns = operation.op == Op::atom, vector = operation.vector > 1;
  const std::size_t first = returns ? 1 : 0;
  const int element = ptx::size_of(operation.type), bytes = element * operation.vector;
  if (element > 8 || element < 2 || (vector && !is_vector_atomic(operation))) unsupported();
  // Of floats, only vectors have a least and a greatest.
  if (!vector && ptx::is_floating(operation.type) &&
      (operation.atomic == AtomicOp::min || operation.atomic == AtomicOp::max))
    unsupported();
  const Operand &address = operand(first), &data = operand(first + 1);
  const std::uint32_t base = address_slot(address, operation);
  operation.register_bytes = static_cast<std::uint8_t>(element);
  if (vector && data.kind != Kind::vector) malformed(say("the vector has the wrong number of elements"));
  const std::uint32_t b = vector ? kNoSlot : source(data, operation.type);
  const bool cas = operation.atomic == AtomicOp::cas;
  const std::uint32_t c = cas ? source(operand(first + 2), operation.type) : kNoSlot;
  const std::uint32_t* list = nullptr;
  if (vector) {
    std::vector<std::uint32_t> slots = data_slots(data, operation, true);
    const std::vector<std::uint32_t> old = returns ? data_slots(operand(0), operation, false)
                                                   : std::vector<std::uint32_t>(operation.vector, kNoSlot);
    slots.insert(slots.end(), old.begin(), old.end());
    list = list_of(std::move(slots));
  }
  // A result that nobody reads is no result: then the order of blocks does not show in it.
  const auto& targets = vector && returns ? operand(0).elements : std::vector<Operand>{operand(0)};
  const bool used = returns && std::any_of(targets.begin(), targets.end(),
                                           [&](const Operand& target) { return is_read(target); });
  if (operation.space != StateSpace::shared &&
      (used || ptx::is_floating(operation.type) || operation.atomic == AtomicOp::exch))
    code_.ordered_blocks = true;
  const std::uint32_t site = add_site(opcode, address, bytes, element);
  Instruction& instruction = opcode.has("shared::cluster")
                                 ? emit(cluster_access(AccessKind::atomic, operation.address_bytes == 4))
                                 : emit(operation);
  instruction.move = context_.lanes.find_mover(operation);
  if (instruction.move == nullptr) unsupported();
  instruction.d = returns && !vector ? destination(operand(0), element) : kNoSlot;
  instruction.a = base;
  program_.info.back().plain_access = true;
  instruction.b = b;
  instruction.c = c;
  instruction.list = list;
  instruction.immediate = static_cast<std::int64_t>(address.bits);
  instruction.target = static_cast<std::int32_t>(site);
  instruction.flags = static_cast<std::uint32_t>(bytes);
}

}  // namespace ridge::device::emulator
