// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding of mma, wmma, ldmatrix, stmatrix and movmatrix. Products are one instruction with a plan.
// Fragments are loaded and stored by ordinary accesses of every lane, so that checks and counters see them as
// such.
#include <algorithm>
#include <bit>
#include <map>

#include "device/emulator/decode/decoder.h"
#include "device/emulator/decode/fragments.h"

namespace ridge::device::emulator {

namespace {

struct Group {
  Shape shape;
  std::vector<Family> families;
};
bool is_listed(const std::vector<Group>& groups, const Shape& shape, Family family) {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
    return group.shape == shape &&
           std::find(group.families.begin(), group.families.end(), family) != group.families.end();
  });
}

/// Every dense product of the ISA up to sm_90.
const std::vector<Group>& mma_groups() {
  static const std::vector<Group> groups{
      {{8, 8, 4}, {Family::half, Family::f64}},
      {{16, 8, 4}, {Family::tf32, Family::f64}},
      {{16, 8, 8}, {Family::half, Family::bfloat, Family::tf32, Family::f64}},
      {{16, 8, 16}, {Family::half, Family::bfloat, Family::f64, Family::int8, Family::fp8}},
      {{8, 8, 16}, {Family::int8}},
      {{16, 8, 32}, {Family::int8, Family::int4, Family::fp8}},
      {{8, 8, 32}, {Family::int4}},
      {{16, 8, 64}, {Family::int4}},
      {{8, 8, 128}, {Family::bit}},
      {{16, 8, 128}, {Family::bit}},
      {{16, 8, 256}, {Family::bit}}};
  return groups;
}
const std::vector<Group>& wmma_groups() {
  static const std::vector<Group> groups{{{16, 16, 16}, {Family::half, Family::bfloat, Family::int8}},
                                         {{32, 8, 16}, {Family::half, Family::bfloat, Family::int8}},
                                         {{8, 32, 16}, {Family::half, Family::bfloat, Family::int8}},
                                         {{16, 16, 8}, {Family::tf32}},
                                         {{8, 8, 4}, {Family::f64}},
                                         {{8, 8, 32}, {Family::int4}},
                                         {{8, 8, 128}, {Family::bit}}};
  return groups;
}

/// One tile of a fragment in a matrix: eight rows of A or C, or columns of B, from `row`; `along` counts the
/// other way.
struct Tile {
  int row = 0, along = 0;
};
std::vector<Tile> tiles_of(char matrix, const Shape& shape, int elements) {
  std::vector<Tile> tiles;
  const int halves = shape.m < 16 ? 1 : 2;
  if (matrix == 'b') {
    for (int n = 0; n < shape.n; n += 8)
      for (int k = 0; k < shape.k; k += elements) tiles.push_back({n, k});
    return tiles;
  }
  const int length = matrix == 'a' ? shape.k : shape.n, step = matrix == 'a' ? elements : 8;
  for (int block = 0; block < shape.m; block += 8 * halves)
    for (int along = 0; along < length; along += step)
      for (int half = 0; half < halves; ++half) tiles.push_back({block + 8 * half, along});
  return tiles;
}

constexpr std::size_t kFirstByte = 8, kTransposed = 12;  ///< of the scratch slots

/// Registers of a factor of wmma: in f16 they are always eight, which hold its elements once or several
/// times.
std::size_t factor_registers(int elements, Type type) {
  return type == Type::f16 ? 8 : registers_for(elements, type);
}

StateSpace space_of(const Opcode& opcode) {
  if (opcode.has("global")) return StateSpace::global;
  if (opcode.has("shared") || opcode.has("shared::cta")) return StateSpace::shared;
  return StateSpace::generic;
}

}  // namespace

bool FunctionDecoder::encode_tensor(Opcode& opcode) {
  switch (opcode.operation.op) {
    case Op::mma:
      encode_product(opcode);
      return true;
    case Op::wmma:
      if (opcode.parts.size() < 3) unsupported();
      if (opcode.parts[1] == "mma")
        encode_product(opcode);
      else
        encode_fragment_access(opcode);
      return true;
    case Op::ldmatrix:
    case Op::stmatrix:
      encode_matrix_access(opcode);
      return true;
    case Op::movmatrix: {
      if (!opcode.has("b16") || !opcode.has("trans")) unsupported();
      described_.kind = InstructionClass::other;
      const std::uint32_t a = source(operand(1), Type::b32), d = destination(operand(0), 4);
      if (d == kNoSlot) malformed(say("the destination is missing"));
      Instruction& instruction = emit(opcode.operation);
      instruction.d = d;
      instruction.a = a;
      return true;
    }
    case Op::wgmma:
      encode_warpgroup(opcode);
      return true;
    default:
      return false;
  }
}

/// Slots of the registers of a fragment.
std::vector<std::uint32_t> FunctionDecoder::fragment(const Operand& operand, Type type, bool written) {
  const int bytes = register_bytes_of(type);
  std::vector<std::uint32_t> slots;
  const auto add = [&](const Operand& element) {
    slots.push_back(written ? destination(element, bytes)
                            : source(element, bytes == 8 ? Type::f64 : Type::b32));
    if (slots.back() == kNoSlot) malformed(say("a register of the fragment is missing"));
  };
  if (operand.kind == Kind::vector)
    std::for_each(operand.elements.begin(), operand.elements.end(), add);
  else
    add(operand);
  return slots;
}

Instruction& FunctionDecoder::emit_product(const Operation& operation, const TensorPlan& plan,
                                           std::vector<std::uint32_t> slots) {
  program_.plans.push_back(plan);
  const std::uint32_t* list = list_of(std::move(slots));
  Instruction& instruction = emit(operation);
  instruction.list = list;
  instruction.plan = &program_.plans.back();
  return instruction;
}

void FunctionDecoder::encode_product(const Opcode& opcode) {
  const bool warp_matrix = opcode.operation.op == Op::wmma;
  const Shape shape = read_shape(opcode);
  std::vector<Type> types = read_types(opcode);  // of D, A, B, C; wmma leaves out those of A and B when f16
  if (warp_matrix && types.size() == 2) types = {types[0], Type::f16, Type::f16, types[1]};
  if (types.size() != 4) unsupported();
  const Family family = family_of(types[1]);
  if (!is_listed(warp_matrix ? wmma_groups() : mma_groups(), shape, family) ||
      family_of(types[2]) != family || !is_accumulator(types[0], family) || !is_accumulator(types[3], family))
    unsupported();
  if (opcode.has("sp") || opcode.has("sp::ordered_metadata") || opcode.has("block_scale")) unsupported();
  for (const std::string_view rounding : {"rz", "rm", "rp"})
    if (opcode.has(rounding)) unsupported();

  TensorPlan plan;
  plan.m = static_cast<std::uint16_t>(shape.m);
  plan.n = static_cast<std::uint16_t>(shape.n);
  plan.k = static_cast<std::uint16_t>(shape.k);
  plan.d = types[0];
  plan.a = types[1];
  plan.b = types[2];
  plan.c = types[3];
  plan.saturating = opcode.has("satfinite");
  plan.exclusive = opcode.has("xor");
  const bool quads = !warp_matrix && family == Family::half && shape.k == 4;
  if (quads) {
    const auto layout = std::find_if(opcode.parts.begin(), opcode.parts.end(),
                                     [](std::string_view part) { return part == "row" || part == "col"; });
    if (layout == opcode.parts.end() || layout + 1 == opcode.parts.end()) unsupported();
    plan.column_a = layout[0] == "col";
    plan.row_b = layout[1] == "row";
  }

  const int products = quads ? 4 : 1;
  std::vector<std::uint32_t> slots;
  const auto append = [&](std::size_t index, Type type, int elements, bool is_factor) {
    const std::vector<std::uint32_t> registers = fragment(operand(index), type, index == 0);
    const std::size_t needed = warp_matrix && is_factor ? factor_registers(elements, type)
                                                        : registers_for(products * elements, type);
    if (registers.size() != needed) malformed(say("a fragment has the wrong number of registers"));
    const std::size_t first = slots.size();
    slots.insert(slots.end(), registers.begin(), registers.end());
    return static_cast<std::uint8_t>(first);
  };
  append(0, plan.d, shape.m * shape.n, false);
  plan.first_a = append(1, plan.a, shape.m * shape.k, true);
  plan.first_b = append(2, plan.b, shape.k * shape.n, true);
  plan.first_c = append(3, plan.c, shape.m * shape.n, false);

  described_.kind = InstructionClass::other;
  described_.flop_kind = flop_kind_of(family);
  described_.flops = static_cast<std::uint32_t>(2 * products * shape.m * shape.n * shape.k / 32);
  Operation operation;
  operation.op = Op::mma;
  operation.type = plan.d;
  operation.source = plan.a;
  operation.second = quads;
  emit_product(operation, plan, std::move(slots));
}

/// Slots for intermediate values of eight bytes, shared by all instructions of the function.
std::uint32_t FunctionDecoder::scratch(std::size_t index) {
  while (scratch_.size() <= index) scratch_.push_back(frame_.variable(8).slot);
  return scratch_[index];
}

/// Waits for all lanes and stands for the instruction in all counts; what follows only takes part in it.
void FunctionDecoder::emit_assembly() {
  described_.kind = InstructionClass::memory;
  Operation operation;
  operation.op = Op::assemble;
  emit(operation);
  described_.block = -1;
}

void FunctionDecoder::encode_matrix_access(const Opcode& opcode) {
  const bool is_store = opcode.operation.op == Op::stmatrix;
  const std::size_t count = opcode.has("x4") ? 4 : opcode.has("x2") ? 2 : opcode.has("x1") ? 1 : 0;
  if (count == 0 || !opcode.has("m8n8") || !opcode.has("b16")) unsupported();
  const Operand& address = operand(is_store ? 0 : 1);
  const std::vector<std::uint32_t> registers = fragment(operand(is_store ? 1 : 0), Type::b32, !is_store);
  if (registers.size() != count) malformed(say("it has the wrong number of registers"));

  Opcode access = opcode;
  access.operation = {};
  access.operation.op = is_store ? Op::st : Op::ld;
  access.operation.space = space_of(opcode);
  if (access.operation.space == StateSpace::global) unsupported();
  const std::uint32_t base = address_slot(address, access.operation);
  const auto first = static_cast<std::uint32_t>(program_.code.size());
  emit_assembly();
  emit_rows(access, address, base, registers, opcode.has("trans"), first);
  program_.info.back().plain_access = true;
}

/// One access of 16 bytes a lane: lane l has the address of row l % 8 of matrix l / 8. `counted`: the
/// instruction whose access it is.
void FunctionDecoder::emit_rows(const Opcode& access, const Operand& address, std::uint32_t base,
                                std::vector<std::uint32_t> matrices, bool transposed, std::uint32_t counted) {
  const std::size_t count = matrices.size();
  const std::uint32_t* list = list_of(std::move(matrices));
  const std::uint32_t site = add_site(access, address, 16, 16);
  program_.sites[site].instruction = counted;
  Operation mover;
  mover.op = access.operation.op == Op::st ? Op::stmatrix : Op::ldmatrix;
  mover.second = transposed;
  Instruction& instruction = emit(access.operation);
  instruction.move = context_.lanes.find_mover(mover);
  instruction.list = list;
  instruction.a = base;
  instruction.immediate = static_cast<std::int64_t>(address.bits);
  instruction.target = static_cast<std::int32_t>(site);
  instruction.flags = 16;
  if (count == 4) return;
  // Only the first lanes have an address.
  program_.guarded.push_back(instruction);
  Instruction outer;
  outer.run = context_.lanes.run_guarded;
  outer.index = instruction.index;
  outer.a = frame_.constant(4, (std::uint64_t{1} << 8 * count) - 1);
  outer.inner = &program_.guarded.back();
  program_.code.back() = outer;
}

/// What wmma.load and wmma.store move between registers and memory.
struct FunctionDecoder::FragmentAccess {
  Opcode opcode;  ///< of the loads and stores that it is made of
  const Operand* address = nullptr;
  std::uint32_t base = 0, stride = 0;  ///< slots
  Type type = Type::none;
  int bits = 0, bytes = 0;  ///< of an element; bytes: at least one
  bool is_store = false;
  bool along = false;  ///< lines of memory run along the tile's rows, or else across them
  bool wide = false;   ///< two registers a tile
  std::vector<Tile> tiles;
  std::vector<std::uint32_t> registers;
  std::size_t needed = 0;     ///< registers that differ; in f16 the others repeat them
  std::uint32_t counted = 0;  ///< the instruction that counts

  bool transposes() const { return !along && bits == 16; }
  bool gathers() const { return !along && bits == 8; }  ///< single bytes
};

/// Every request of it: where the lanes' data lie, and which registers they are.
struct FunctionDecoder::FragmentRequest {
  int line = 0, offset = 0;  ///< of lane 0: in lines, in bytes within the line
  TileWalk walk;
  int bytes = 4;  ///< of one element of a vector
  std::vector<std::uint32_t> slots;
  int slot_bytes = 4;
};

FunctionDecoder::FragmentAccess FunctionDecoder::read_fragment_access(const Opcode& opcode) {
  FragmentAccess fragment_access;
  FragmentAccess& f = fragment_access;
  f.is_store = opcode.parts[1] == "store";
  const char matrix = opcode.parts[2].size() == 1 ? opcode.parts[2][0] : ' ';
  const Shape shape = read_shape(opcode);
  const std::vector<Type> types = read_types(opcode);
  const bool accumulator = matrix == 'c' || matrix == 'd';
  if (types.size() != 1 || (!accumulator && matrix != 'a' && matrix != 'b') ||
      (f.is_store ? matrix != 'd' : opcode.parts[1] != "load" || matrix == 'd'))
    unsupported();
  f.type = types[0];
  const auto& groups = wmma_groups();
  if (accumulator ? std::none_of(groups.begin(), groups.end(),
                                 [&](const Group& group) { return group.shape == shape; })
                  : !is_listed(groups, shape, family_of(f.type)))
    unsupported();
  if (accumulator && f.type != Type::f16 && f.type != Type::f32 && f.type != Type::f64 && f.type != Type::s32)
    unsupported();
  f.bits = element_bits(f.type);
  f.bytes = std::max(f.bits / 8, 1);
  f.wide = accumulator && f.type != Type::f16;
  f.along = (matrix == 'b') != opcode.has("row");
  if (!f.along && f.bits < 8) malformed(say("the layout does not exist for this type"));

  f.address = &operand(f.is_store ? 0 : 1);
  f.registers = fragment(operand(f.is_store ? 1 : 0), f.type, !f.is_store);
  const int rows = matrix == 'b' ? shape.n : shape.m, columns = accumulator ? shape.n : shape.k;
  f.needed = registers_for(rows * columns, f.type);
  if (f.registers.size() != (accumulator ? f.needed : factor_registers(rows * columns, f.type)))
    malformed(say("the fragment has the wrong number of registers"));
  const int elements = accumulator ? 8 : f.type == Type::f64 ? 4 : 128 / f.bits;  // of a row of a tile
  f.tiles = tiles_of(matrix, shape, elements);

  f.opcode = opcode;
  f.opcode.operation = {};
  f.opcode.operation.op = f.is_store ? Op::st : Op::ld;
  f.opcode.operation.space = space_of(opcode);
  f.base = address_slot(*f.address, f.opcode.operation);
  f.stride = current_->operands.size() > 2
                 ? source(operand(2), Type::u32)
                 : frame_.constant(4, static_cast<std::uint64_t>(f.along ? columns : rows));
  f.counted = static_cast<std::uint32_t>(program_.code.size());
  return fragment_access;
}

/// From shared memory, as ldmatrix reads them: four tiles at once.
void FunctionDecoder::load_fragment_rows(const FragmentAccess& f) {
  for (std::size_t t = 0; t < f.tiles.size(); t += 4) {
    std::vector<std::uint32_t> places, matrices;
    for (std::size_t k = t; k < std::min(t + 4, f.tiles.size()); ++k) {
      const auto [row, other] = f.tiles[k];
      places.push_back(static_cast<std::uint32_t>(f.along ? row : other));
      places.push_back(static_cast<std::uint32_t>((f.along ? other : row) * f.bytes));
      matrices.push_back(f.registers[k]);
    }
    Operation locate;
    locate.op = Op::tile_address;
    locate.second = true;
    locate.address_bytes = f.opcode.operation.address_bytes;
    const std::uint32_t* list = list_of(std::move(places));
    const std::uint32_t target = scratch(0);
    Instruction& instruction = emit(locate);
    instruction.d = target;
    instruction.a = f.base;
    instruction.b = f.stride;
    instruction.list = list;
    instruction.flags = static_cast<std::uint32_t>(matrices.size());
    emit_rows(f.opcode, *f.address, target, std::move(matrices), !f.along, f.counted);
  }
}

std::vector<FunctionDecoder::FragmentRequest> FunctionDecoder::requests_of(const FragmentAccess& f) {
  const int bits = f.bits, bytes = f.bytes;
  const auto line_bits = static_cast<std::uint32_t>(bits), size = static_cast<std::uint32_t>(bytes);
  std::vector<FragmentRequest> requests;
  for (std::size_t t = 0; t < f.tiles.size(); ++t) {
    const auto [row, other] = f.tiles[t];
    const std::vector<std::uint32_t> pair =
        f.wide ? std::vector{f.registers[2 * t], f.registers[2 * t + 1]} : std::vector{f.registers[t]};
    if (f.along && f.wide) {
      requests.push_back({row, other * bytes, {1, 0, 0, 2 * size, line_bits}, bytes, pair, bytes});
    } else if (f.along) {
      const int place = bits < 32 ? 4 : bytes;
      requests.push_back({row,
                          other * bits / 8,
                          {1, 0, 0, static_cast<std::uint32_t>(place), line_bits},
                          place,
                          pair,
                          place});
    } else if (f.transposes()) {
      requests.push_back({other, row * bytes, {1, 0, 0, 4, line_bits}, 4, pair, 4});
    } else if (f.gathers()) {
      for (int k = 0; k < 4; ++k)
        requests.push_back({other + k,
                            row,
                            {0, 4, 1, 0, line_bits},
                            1,
                            {scratch(kFirstByte + static_cast<std::size_t>(k))},
                            2});
    } else if (f.wide) {
      for (int odd = 0; odd < 2; ++odd)
        requests.push_back({other + odd,
                            row * bytes,
                            {0, 2, size, 0, line_bits},
                            bytes,
                            {pair[static_cast<std::size_t>(odd)]},
                            bytes});
    } else {
      requests.push_back({other, row * bytes, {0, 1, size, 0, line_bits}, bytes, pair, bytes});
    }
  }
  return requests;
}

void FunctionDecoder::emit_request(const FragmentAccess& f, const FragmentRequest& request,
                                   std::uint32_t address) {
  std::vector<std::uint32_t> slots = request.slots;
  Operation transpose;
  transpose.op = Op::movmatrix;
  if (f.transposes() && f.is_store) {
    Instruction& instruction = emit(transpose);
    instruction.d = scratch(kTransposed);
    instruction.a = slots[0];
    slots = {scratch(kTransposed)};
  }
  Opcode one = f.opcode;
  Operation& operation = one.operation;
  operation.type = request.bytes == 1 ? Type::u8 : request.bytes == 4 ? Type::b32 : Type::b64;
  operation.vector = static_cast<std::uint8_t>(slots.size());
  operation.register_bytes = static_cast<std::uint8_t>(request.slot_bytes);
  const int all = request.bytes * static_cast<int>(slots.size());
  const std::uint32_t site = add_site(one, *f.address, all, request.bytes);
  program_.sites[site].instruction = f.counted;
  const std::uint32_t* list = slots.size() > 1 ? list_of(slots) : nullptr;
  Instruction& instruction = emit(operation);
  instruction.move = context_.lanes.find_mover(operation);
  if (instruction.move == nullptr) unsupported();
  instruction.list = list;
  if (list == nullptr) (f.is_store ? instruction.b : instruction.d) = slots[0];
  instruction.a = address;
  instruction.immediate = static_cast<std::int64_t>(f.address->bits) + request.offset;
  instruction.target = static_cast<std::int32_t>(site);
  instruction.flags = static_cast<std::uint32_t>(all);
  if (f.transposes() && !f.is_store) {
    Instruction& turned = emit(transpose);
    turned.d = turned.a = slots[0];
  }
}

/// Four bytes that were gathered become one register.
void FunctionDecoder::pack_bytes(std::uint32_t into) {
  Operation pack;
  pack.op = Op::pack;
  pack.type = Type::b32;
  pack.vector = 4;
  std::vector<std::uint32_t> parts;
  for (std::size_t k = 0; k < 4; ++k) parts.push_back(scratch(kFirstByte + k));
  const std::uint32_t* list = list_of(std::move(parts));
  Instruction& instruction = emit(pack);
  instruction.d = into;
  instruction.list = list;
}

/// wmma.load and wmma.store.
void FunctionDecoder::encode_fragment_access(const Opcode& opcode) {
  const FragmentAccess f = read_fragment_access(opcode);
  emit_assembly();
  if (!f.is_store && f.bits == 16 && f.opcode.operation.space == StateSpace::shared) {
    load_fragment_rows(f);
  } else {
    const std::vector<FragmentRequest> requests = requests_of(f);
    // Lanes' addresses first, for a destination may be the register of the address.
    std::map<int, std::uint32_t> addresses;
    Operation locate;
    locate.op = Op::tile_address;
    locate.address_bytes = f.opcode.operation.address_bytes;
    for (const FragmentRequest& request : requests) {
      const auto [known, added] = addresses.try_emplace(request.line, 0);
      if (!added) continue;
      known->second = scratch(addresses.size() - 1);
      Instruction& instruction = emit(locate);
      instruction.d = known->second;
      instruction.a = f.base;
      instruction.b = f.stride;
      instruction.immediate = request.line;
      instruction.flags = request.walk.pack();
    }
    for (std::size_t r = 0; r < requests.size(); ++r) {
      emit_request(f, requests[r], addresses.at(requests[r].line));
      if (f.gathers() && r % 4 == 3) pack_bytes(f.registers[r / 4]);
    }
  }
  Operation copy;
  copy.op = Op::mov;
  copy.type = Type::b32;
  for (std::size_t k = f.needed; k < f.registers.size(); ++k) {
    Instruction& instruction = emit(copy);
    instruction.d = f.registers[k];
    instruction.a = f.registers[k % f.needed];
  }
}

}  // namespace ridge::device::emulator
