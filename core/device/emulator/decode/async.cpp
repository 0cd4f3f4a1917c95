// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding of asynchronous copies, mbarriers and clusters. These operations read their own modifiers.
#include <algorithm>
#include <string_view>

#include "device/emulator/decode/decoder.h"
#include "device/emulator/exec/async.h"
#include "device/emulator/exec/cluster.h"
#include "device/emulator/exec/texture.h"

namespace ridge::device::emulator {

namespace {

/// Memory that a faulty copy does not read clears no register.
void move_nothing(Warp&, const Instruction*, std::uint8_t*, const Pattern&, std::uint32_t) {}

bool is_shared(const Opcode& opcode) {
  return opcode.has("shared") || opcode.has("shared::cta") || opcode.has("shared::cluster");
}

std::optional<AtomicOp> reduction_of(const Opcode& opcode) {
  constexpr std::pair<std::string_view, AtomicOp> names[] = {
      {"add", AtomicOp::add},   {"min", AtomicOp::min},    {"max", AtomicOp::max},
      {"inc", AtomicOp::inc},   {"dec", AtomicOp::dec},    {"and", AtomicOp::bit_and},
      {"or", AtomicOp::bit_or}, {"xor", AtomicOp::bit_xor}};
  for (const auto& [name, operation] : names)
    if (opcode.has(name)) return operation;
  return std::nullopt;
}

}  // namespace

/// All parts of the opcode must be among these.
void FunctionDecoder::require_parts(const Opcode& opcode,
                                    std::initializer_list<std::string_view> known) const {
  for (const std::string_view part : opcode.parts)
    if (std::find(known.begin(), known.end(), part) == known.end()) unsupported();
}

Instruction& FunctionDecoder::emit(Handler handler) {
  Instruction instruction;
  instruction.run = handler;
  instruction.index = static_cast<std::uint32_t>(program_.code.size());
  program_.code.push_back(instruction);
  program_.info.push_back(described_);
  return program_.code.back();
}

/// Adds the slot and offset of an address to an operand list.
void FunctionDecoder::add_address(std::vector<std::uint32_t>& list, const Operand& address) {
  if (address.kind != Kind::address) malformed(say("an address is expected"));
  const Operand& base = address.elements[0];
  const bool narrow = base.kind == Kind::reg && register_bytes(base) == 4;
  const auto offset = static_cast<std::int64_t>(address.bits);
  if (offset != static_cast<std::int32_t>(offset)) unsupported();
  list.push_back(source(base, narrow ? Type::u32 : Type::u64) | (narrow ? 1 : 0));
  list.push_back(static_cast<std::uint32_t>(offset));
}

/// Two sites of a copy: device memory, and behind it shared memory.
std::uint32_t FunctionDecoder::add_copy_sites(int bytes, bool loads, const Operand* device) {
  MemorySite site;
  site.instruction = static_cast<std::uint32_t>(program_.code.size());
  site.space = StateSpace::global;
  site.bytes = site.element_bytes = static_cast<std::uint8_t>(bytes);
  site.store = !loads;
  site.cached = false;
  if (!loads) {
    if (device != nullptr && device->kind == Kind::address)
      note_store(site, device->elements[0]);
    else
      code_.stores_anywhere = true;
  }
  program_.sites.push_back(site);
  site.space = StateSpace::shared;
  site.store = loads;
  program_.sites.push_back(site);
  program_.shared_shift = std::min(program_.shared_shift, 2);
  return static_cast<std::uint32_t>(program_.sites.size() - 2);
}

bool FunctionDecoder::encode_asynchronous(Opcode& opcode) {
  if (opcode.operation.op == Op::fence && opcode.has("proxy") && !opcode.has("alias") &&
      !opcode.has("tensormap::generic")) {
    emit(fence_proxy);
    return true;
  }
  if (opcode.operation.op != Op::asynchronous) return false;
  described_.kind = InstructionClass::memory;
  const std::string_view base = opcode.parts[0];
  if (base == "mbarrier") {
    encode_mbarrier(opcode);
  } else if (base == "barrier") {
    require_parts(opcode,
                  {"barrier", "cluster", "arrive", "wait", "release", "acquire", "relaxed", "aligned"});
    described_.kind = InstructionClass::control;
    emit(opcode.has("wait") ? wait_for_cluster : arrive_at_cluster).flags =
        opcode.has("relaxed") ? kClusterRelaxed : 0;
  } else if (base == "st" || base == "red") {
    encode_async_store(opcode);
  } else if (base == "tex") {
    encode_texture(opcode);
  } else if (base == "mapa" || base == "getctarank") {
    encode_cluster_address(opcode);
  } else if (opcode.has("bulk")) {
    encode_bulk(opcode);
  } else {
    encode_copy(opcode);
  }
  return true;
}

void FunctionDecoder::encode_cluster_address(Opcode& opcode) {
  require_parts(opcode, {"mapa", "getctarank", "shared::cluster", "u32", "u64"});
  described_.kind = InstructionClass::integer;
  const bool maps = opcode.parts[0] == "mapa", narrow = opcode.has("u32");
  const std::uint32_t a = source(operand(1), narrow ? Type::u32 : Type::u64);
  const std::uint32_t b = maps ? source(operand(2), Type::u32) : kNoSlot;
  Instruction& instruction = emit(maps ? map_shared : shared_rank);
  instruction.a = a;
  instruction.b = b;
  instruction.d = destination(operand(0), maps && !narrow ? 8 : 4);
  instruction.flags = narrow ? kNarrow : 0;
  if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
}

void FunctionDecoder::encode_texture(Opcode& opcode) {
  require_parts(opcode, {"tex", "level", "grad", "1d", "2d", "v4", "f32", "s32", "u32"});
  // A texture has one level: it is read whatever the level or the gradients are.
  if (opcode.has("level") || opcode.has("grad")) opcode.parts.erase(opcode.parts.begin() + 1);
  if (opcode.parts.size() != 5 || opcode.parts[2] != "v4") unsupported();
  const Operand &results = operand(0), &address = operand(1);
  if (results.kind != Kind::vector || results.elements.size() != 4)
    malformed(say("four results are expected"));
  if (address.kind != Kind::address || address.elements.size() != 2 || address.bits != 0)
    malformed(say("a texture and its coordinates are expected"));
  const bool integer = opcode.parts[4] == "s32", two = opcode.parts[1] == "2d";
  const Operand& coordinates = address.elements[1];
  const std::vector<Operand>& places =
      coordinates.kind == Kind::vector ? coordinates.elements : std::vector<Operand>{coordinates};
  if (places.size() < (two ? 2u : 1u)) malformed(say("a coordinate is missing"));
  const Type type = integer ? Type::s32 : Type::f32;
  std::vector<std::uint32_t> list{source(address.elements[0], Type::u64), source(places[0], type),
                                  two ? source(places[1], type) : kNoSlot};
  for (const Operand& result : results.elements) list.push_back(destination(result, 4));
  MemorySite site;
  site.instruction = static_cast<std::uint32_t>(program_.code.size());
  site.space = StateSpace::global;
  program_.sites.push_back(site);
  const std::uint32_t* operands = list_of(std::move(list));
  Instruction& instruction = emit(fetch_texture);
  instruction.list = operands;
  instruction.target = static_cast<std::int32_t>(program_.sites.size() - 1);
  instruction.flags = (integer ? kIntegerCoordinates : 0) | (opcode.parts[3] == "f32" ? 0 : kIntegerResult);
  instruction.move = move_nothing;
}

/// cp.async and the operations that wait for it.
void FunctionDecoder::encode_copy(Opcode& opcode) {
  if (opcode.parts[0] != "cp" || !opcode.has("async")) unsupported();
  if (opcode.has("commit_group")) {
    opcode.operation.op = Op::commit_copies;
    emit(opcode.operation);
    return;
  }
  if (opcode.has("wait_all") || opcode.has("wait_group")) {
    const bool all = opcode.has("wait_all");
    if (!all && operand(0).kind != Kind::integer) malformed(say("the number of groups must be a constant"));
    const std::uint64_t left = all ? 0 : operand(0).bits;
    opcode.operation.op = Op::wait_copies;
    Instruction& instruction = emit(opcode.operation);
    instruction.flags = all ? kWaitAll : 0;
    instruction.immediate = static_cast<std::int64_t>(left);
    return;
  }
  std::vector<std::uint32_t> list;
  if (opcode.has("mbarrier")) {
    require_parts(opcode, {"cp", "async", "mbarrier", "arrive", "noinc", "shared", "shared::cta", "b64"});
    add_address(list, operand(0));
    Instruction& instruction = emit(arrive_after_copies);
    instruction.list = list_of(std::move(list));
    instruction.flags = (is_shared(opcode) ? 0 : kGenericAddress) | (opcode.has("noinc") ? kNoIncrement : 0);
    return;
  }
  require_parts(opcode, {"cp", "async", "ca", "cg", "shared", "shared::cta", "global", "L2::cache_hint",
                         "L2::64B", "L2::128B", "L2::256B"});
  add_address(list, operand(0));
  add_address(list, operand(1));
  if (operand(2).kind != Kind::integer) malformed(say("the size must be a constant"));
  const std::uint64_t bytes = operand(2).bits;
  if (bytes != 16 && (opcode.has("cg") || (bytes != 4 && bytes != 8)))
    malformed(say("it copies 4, 8 or 16 bytes, cp.async.cg 16"));
  std::uint32_t size = kNoSlot, ignored = kNoSlot, flags = 0;
  const std::size_t extra = current_->operands.size() - (opcode.has("L2::cache_hint") ? 1 : 0);
  if (extra > 3) {
    const Operand& limit = operand(3);
    if (limit.kind == Kind::reg && register_bytes(limit) == 0)
      ignored = predicate_source(limit, flags, kIgnoreNegated << 8);
    else
      size = source(limit, Type::u32);
  }
  const std::uint32_t site = add_copy_sites(static_cast<int>(bytes), true, nullptr);
  program_.sites[site].cached = opcode.has("ca");
  const std::uint32_t* operands = list_of(std::move(list));
  opcode.operation.op = Op::copy_async;
  Instruction& instruction = emit(opcode.operation);
  instruction.list = operands;
  instruction.c = ignored;
  instruction.e = size;
  instruction.target = static_cast<std::int32_t>(site);
  instruction.immediate = static_cast<std::int64_t>(bytes);
  instruction.flags = flags >> 8;
  instruction.move = move_nothing;
}

void FunctionDecoder::encode_mbarrier(Opcode& opcode) {
  require_parts(
      opcode,
      {"mbarrier",        "init",      "inval",    "arrive",  "arrive_drop",   "expect_tx", "complete_tx",
       "noComplete",      "test_wait", "try_wait", "parity",  "pending_count", "shared",    "shared::cta",
       "shared::cluster", "b64",       "release",  "acquire", "relaxed",       "cta",       "cluster"});
  described_.kind = InstructionClass::memory;
  const std::string_view what = opcode.parts.size() > 1 ? opcode.parts[1] : std::string_view();
  std::uint32_t flags = is_shared(opcode) ? 0 : kGenericAddress;
  if (what == "pending_count") {
    const std::uint32_t state = source(operand(1), Type::b64);
    Instruction& instruction = emit(pending_count);
    instruction.a = state;
    instruction.d = destination(operand(0), 4);
    if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
    return;
  }
  const bool arrives = what == "arrive" || what == "arrive_drop";
  const bool tests = what == "test_wait" || what == "try_wait";
  const std::size_t count = current_->operands.size();
  std::vector<std::uint32_t> list;
  // A few forms of arrive leave the result out.
  const std::size_t at = (arrives && operand(0).kind != Kind::address) || tests ? 1 : 0;
  add_address(list, operand(at));
  const auto extra = [&](Type type) { return at + 1 < count ? source(operand(at + 1), type) : kNoSlot; };
  Handler handler = nullptr;
  std::uint32_t number = kNoSlot, bytes = kNoSlot, result = kNoSlot;
  if (what == "init") {
    handler = init_mbarrier;
    number = source(operand(1), Type::u32);
  } else if (what == "inval") {
    handler = invalidate_mbarrier;
  } else if (what == "expect_tx" || what == "complete_tx") {
    handler = what == "expect_tx" ? expect_bytes : complete_bytes;
    bytes = source(operand(1), Type::u32);
  } else if (arrives) {
    handler = arrive_mbarrier;
    const bool expects = opcode.has("expect_tx");
    (expects ? bytes : number) = extra(Type::u32);
    if (expects && bytes == kNoSlot) malformed(say("the number of bytes is missing"));
    flags |= (what == "arrive_drop" ? kDrop : 0) | (expects ? kExpects : 0) |
             (opcode.has("noComplete") ? kNoComplete : 0);
    if (at == 1) result = destination(operand(0), 8);
  } else if (tests) {
    handler = test_mbarrier;
    const bool parity = opcode.has("parity");
    number = extra(parity ? Type::u32 : Type::b64);
    if (number == kNoSlot) malformed(say("the phase is missing"));
    flags |= parity ? kParity : 0;
    result = predicate_destination(operand(0));
    if (result == kNoSlot) malformed(say("the destination is missing"));
  } else {
    unsupported();
  }
  list.push_back(number);
  list.push_back(bytes);
  const std::uint32_t* operands = list_of(std::move(list));
  Instruction& instruction = emit(handler);
  instruction.list = operands;
  instruction.d = result;
  instruction.flags = flags;
}

/// st.async and red.async: registers go to the shared memory of a block of the cluster, whose mbarrier hears
/// of them.
void FunctionDecoder::encode_async_store(Opcode& opcode) {
  const bool reduces = opcode.parts[0] == "red";
  require_parts(opcode, {"st",
                         "red",
                         "async",
                         "weak",
                         "relaxed",
                         "cluster",
                         "shared::cluster",
                         "mbarrier::complete_tx::bytes",
                         "v2",
                         "v4",
                         "b32",
                         "b64",
                         "u32",
                         "u64",
                         "s32",
                         "s64",
                         "f32",
                         "f64",
                         "add",
                         "min",
                         "max",
                         "inc",
                         "dec",
                         "and",
                         "or",
                         "xor"});
  if (!opcode.has("mbarrier::complete_tx::bytes")) unsupported();
  Operation operation;
  operation.op = Op::red;
  operation.space = StateSpace::shared;
  for (const std::string_view part : opcode.parts) {
    if (const auto type = ptx::type_named(part)) operation.type = *type;
    if (part == "v2" || part == "v4") operation.vector = static_cast<std::uint8_t>(part[1] - '0');
  }
  const int element = ptx::size_of(operation.type), bytes = element * operation.vector;
  if (element == 0 || bytes > 16 || (reduces && operation.vector > 1)) unsupported();
  Instruction::Move reduce = move_nothing;
  if (reduces) {
    const auto what = reduction_of(opcode);
    if (!what) unsupported();
    operation.atomic = *what;
    reduce = context_.lanes.find_mover(operation);
    if (reduce == nullptr) unsupported();
  }
  std::vector<std::uint32_t> list;
  add_address(list, operand(0));
  add_address(list, operand(2));
  const Operand& data = operand(1);
  const auto& elements = data.kind == Kind::vector ? data.elements : std::vector<Operand>{data};
  if (elements.size() != operation.vector) malformed(say("the vector has the wrong number of elements"));
  for (const Operand& value : elements) list.push_back(source(value, operation.type));
  const std::uint32_t site = add_copy_sites(bytes, true, nullptr);
  const std::uint32_t* operands = list_of(std::move(list));
  Instruction& instruction = emit(store_async);
  instruction.list = operands;
  instruction.b = reduces ? static_cast<std::uint32_t>(element) : kNoSlot;
  instruction.immediate = element;
  instruction.target = static_cast<std::int32_t>(site);
  instruction.flags = static_cast<std::uint32_t>(bytes) | (opcode.has("shared::cluster") ? 0 : kGenericStore);
  instruction.move = reduce;
}

void FunctionDecoder::encode_bulk(Opcode& opcode) {
  if (opcode.has("commit_group")) {
    emit(commit_bulk);
    return;
  }
  if (opcode.has("wait_group")) {
    if (operand(0).kind != Kind::integer) malformed(say("the number of groups must be a constant"));
    const std::uint64_t left = operand(0).bits;
    Instruction& instruction = emit(wait_bulk);
    instruction.immediate = static_cast<std::int64_t>(left);
    instruction.flags = opcode.has("read") ? kWaitRead : 0;
    return;
  }
  if (opcode.has("prefetch")) {  // changes nothing that a program can see
    Operation nothing;
    nothing.op = Op::nop;
    emit(nothing);
    return;
  }
  require_parts(opcode, {"cp",         "reduce",
                         "async",      "bulk",
                         "tensor",     "1d",
                         "2d",         "3d",
                         "4d",         "5d",
                         "tile",       "shared::cta",
                         "global",     "shared::cluster",
                         "bulk_group", "L2::cache_hint",
                         "cp_mask",    "multicast::cluster",
                         "add",        "min",
                         "max",        "inc",
                         "dec",        "and",
                         "or",         "xor",
                         "noftz",      "mbarrier::complete_tx::bytes",
                         "u32",        "s32",
                         "u64",        "s64",
                         "f16",        "bf16",
                         "f32",        "f64",
                         "b32",        "b64"});
  const bool tile = opcode.has("tensor");
  const auto global = std::find(opcode.parts.begin(), opcode.parts.end(), "global");
  const bool device = global != opcode.parts.end();
  // The target's space stands before the source's.
  const bool stores = device && (global + 1 != opcode.parts.end() && (global + 1)->starts_with("shared"));
  const std::uint32_t flags = (tile ? kBulkTile : 0) | (!device  ? 0
                                                        : stores ? kBulkToDevice
                                                                 : kBulkFromDevice);
  if (!stores && !opcode.has("mbarrier::complete_tx::bytes")) unsupported();

  std::vector<std::uint32_t> list;
  const Operand &to = operand(0), &from = operand(1);
  add_address(list, to);
  add_address(list, from);
  std::size_t next = 2;
  list.push_back(tile ? kNoSlot : source(operand(next++), Type::u32));
  if (stores) {
    list.insert(list.end(), {kNoSlot, 0});
  } else {
    add_address(list, operand(next++));
  }
  list.push_back(opcode.has("multicast::cluster") ? source(operand(next++), Type::u16) : kNoSlot);
  if (opcode.has("L2::cache_hint")) ++next;
  list.push_back(opcode.has("cp_mask") ? source(operand(next++), Type::u16) : kNoSlot);
  const Operand& map = stores ? to : from;
  const std::vector<Operand>* coordinates = nullptr;
  if (tile) {
    if (map.elements.size() != 2 || map.elements[1].kind != Kind::vector)
      malformed(say("the coordinates are missing"));
    coordinates = &map.elements[1].elements;
    if (coordinates->empty() || coordinates->size() > TensorMap::kMaxRank ||
        !opcode.has(std::to_string(coordinates->size()) + "d"))
      malformed(say("the number of coordinates is wrong"));
  }
  list.push_back(tile ? static_cast<std::uint32_t>(coordinates->size()) : 0);
  if (tile)
    for (const Operand& coordinate : *coordinates) list.push_back(source(coordinate, Type::s32));

  Instruction::Move reduce = move_nothing;
  std::uint32_t element_bytes = kNoSlot;
  std::int64_t reduction = 0;
  if (opcode.has("reduce")) {
    const auto what = reduction_of(opcode);
    if (!what) unsupported();
    Operation operation;
    operation.op = Op::red;
    operation.atomic = *what;
    operation.space = stores ? StateSpace::global : StateSpace::shared;
    for (const std::string_view part : opcode.parts)
      if (const auto type = ptx::type_named(part)) operation.type = *type;
    if (tile) {  // the type stands in the tensor map
      element_bytes = 0;
      reduction = static_cast<std::int64_t>(*what);
      code_.ordered_blocks = true;
    } else {
      reduce = context_.lanes.find_mover(operation);
      if (reduce == nullptr) unsupported();
      element_bytes = static_cast<std::uint32_t>(ptx::size_of(operation.type));
      if (ptx::is_floating(operation.type)) code_.ordered_blocks = true;
    }
  }
  const std::uint32_t site = add_copy_sites(16, !stores, tile || !stores ? nullptr : &to);
  const std::uint32_t* operands = list_of(std::move(list));
  Instruction& instruction = emit(copy_bulk);
  instruction.list = operands;
  instruction.b = element_bytes;
  instruction.immediate = reduction;
  instruction.target = static_cast<std::int32_t>(site);
  instruction.flags = flags;
  instruction.move = reduce;
}

}  // namespace ridge::device::emulator
