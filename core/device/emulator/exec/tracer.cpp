// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/tracer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "base/dtype.h"
#include "device/emulator/checks/places.h"
#include "device/emulator/decode/flow.h"
#include "device/emulator/lanes/table.h"
#include "device/emulator/memory/pattern.h"

namespace ridge::device::emulator {
namespace {

using ptx::Type;

std::uint64_t linear(const std::array<std::int64_t, 3>& position, const std::array<std::int64_t, 3>& extent) {
  return static_cast<std::uint64_t>(position[0] + extent[0] * (position[1] + extent[1] * position[2]));
}
bool is_inside(const std::array<std::int64_t, 3>& position, const std::array<std::int64_t, 3>& extent) {
  for (std::size_t k = 0; k < 3; ++k)
    if (position[k] < 0 || position[k] >= extent[k]) return false;
  return true;
}

/// The first type that an opcode names is that of its result: "cvt.rn.f32.s32".
Type result_type(const std::string& opcode) {
  std::istringstream parts(opcode);
  std::string part;
  std::getline(parts, part, '.');
  while (std::getline(parts, part, '.'))
    if (const auto type = ptx::type_named(part)) return *type;
  return Type::none;
}

std::string printed(const char* format, auto value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// The value of a register as its type says; untyped bits in hexadecimal.
std::string value_text(Type type, std::uint64_t bits) {
  const auto half = static_cast<std::uint16_t>(bits);
  switch (type) {
    case Type::pred:
      return bits != 0 ? "true" : "false";
    case Type::f32:
      return printed("%.9g", static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
    case Type::f64:
      return printed("%.17g", std::bit_cast<double>(bits));
    case Type::f16:
      return printed("%.5g", static_cast<double>(half_to_float(half)));
    case Type::bf16:
      return printed("%.4g", static_cast<double>(bfloat16_to_float(half)));
    case Type::s8:
    case Type::s16:
    case Type::s32:
    case Type::s64: {
      const int shift = 64 - 8 * ptx::size_of(type);
      return printed("%lld", static_cast<long long>(bits << shift) >> shift);
    }
    case Type::u8:
    case Type::u16:
    case Type::u32:
    case Type::u64:
      return printed("%llu", static_cast<unsigned long long>(bits));
    default:
      return printed("0x%llx", static_cast<unsigned long long>(bits));
  }
}

std::uint64_t lane_bits(const std::uint8_t* frame, std::uint32_t slot, int bytes, std::uint32_t lane) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, frame + slot + lane * static_cast<std::uint32_t>(bytes),
              static_cast<std::size_t>(bytes));
  return bits;
}

const char* name_of(StateSpace space) {
  switch (space) {
    case StateSpace::global:
      return "global";
    case StateSpace::constant:
      return "const";
    case StateSpace::shared:
      return "shared";
    case StateSpace::local:
      return "local";
    default:
      return "generic";
  }
}

}  // namespace

Tracer::Tracer(const TraceRequest& request, const Launch& launch, const std::string& text,
               std::string source_file)
    : launch_(launch), text_(text), source_file_(std::move(source_file)) {
  trace_.request = request;
  exists_ = is_inside(request.block, launch.grid_extent) && is_inside(request.thread, launch.block_extent);
  if (!exists_) return;
  block_ = linear(request.block, launch.grid_extent);
  const std::uint64_t thread = linear(request.thread, launch.block_extent);
  warp_ = static_cast<std::uint32_t>(thread / kWarpLanes);
  lane_ = static_cast<std::uint32_t>(thread % kWarpLanes);
}

const Tracer::Shape& Tracer::shape_of(const Instruction& instruction) {
  const auto known = shapes_.find(instruction.index);
  if (known != shapes_.end()) return known->second;
  return shapes_.emplace(instruction.index, describe(instruction)).first->second;
}

Tracer::Shape Tracer::describe(const Instruction& instruction) const {
  Shape shape;
  const InstructionInfo& info = launch_.program->info[instruction.index];
  if (info.entry_of_block || info.ptx_line <= 0) return shape;
  shape.traced = true;
  const Place place = place_of(*launch_.module, info.location);
  shape.step.file = source_file_.empty() ? place.file : source_file_;
  shape.step.line = place.line;
  shape.step.ptx_line = info.ptx_line;
  shape.begin = info.begin;
  std::istringstream words(text_.substr(info.begin, info.end - info.begin));
  for (std::string word; words >> word;)
    shape.step.instruction += (shape.step.instruction.empty() ? "" : " ") + word;
  const ptx::Function& function = launch_.module->functions[static_cast<std::size_t>(info.function)];
  const FunctionCode& code = launch_.program->functions[static_cast<std::size_t>(info.function)];
  const auto source =
      std::find_if(function.body.begin(), function.body.end(), [&](const ptx::Instruction& candidate) {
        return candidate.begin == info.begin && candidate.opcode == info.opcode;
      });
  if (source == function.body.end()) return shape;
  const auto add = [&](const ptx::Operand& operand) {
    if (operand.kind != ptx::Operand::Kind::reg) return;
    const auto index = static_cast<std::size_t>(operand.index);
    if (index >= function.registers.size() || index >= code.register_slots.size()) return;
    const ptx::Register& declared = function.registers[index];
    Register result{declared.name, declared.type, code.register_slots[index]};
    const Type type = result_type(info.opcode);
    // mul.wide.s32 writes 64 bits: the declaration says how many, the opcode how to read them.
    if (declared.type != Type::pred && ptx::size_of(type) == ptx::size_of(declared.type)) result.type = type;
    if (declared.type == Type::b64 && ptx::is_signed(type)) result.type = Type::s64;
    if (result.slot != kNoSlot) shape.results.push_back(std::move(result));
  };
  if (writes_first_operand(*source)) {
    const ptx::Operand& first = source->operands.front();
    add(first);
    for (const ptx::Operand& element : first.elements)
      if (first.kind == ptx::Operand::Kind::vector || first.kind == ptx::Operand::Kind::pair) add(element);
  }
  shape.memory = info.plain_access;
  return shape;
}

bool Tracer::is_guarded(const Instruction& instruction) {
  return instruction.run == best_lanes().run_guarded;
}

WarpAccess Tracer::access_of(const Warp& warp, const Instruction& instruction, std::uint32_t lanes) const {
  const MemorySite& site = launch_.program->sites[static_cast<std::size_t>(instruction.target)];
  WarpAccess access;
  access.space = name_of(site.space);
  access.store = site.store;
  access.atomic = site.atomic;
  access.bytes = site.bytes;
  const auto address_of = [&](std::uint32_t lane) {
    return lane_bits(warp.frame, instruction.a, site.address_bytes, lane) +
           static_cast<std::uint64_t>(instruction.immediate);
  };
  const std::uint64_t first = address_of(static_cast<std::uint32_t>(std::countr_zero(lanes)));
  const std::uint64_t window = first & kWindowMask, base = first & ~kWindowMask;
  if (site.space == StateSpace::generic)
    access.space = window == kSharedWindow ? "shared" : window == kLocalWindow ? "local" : "global";
  std::array<std::int64_t, kWarpLanes> relative{};
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    access.lanes[lane] = address_of(lane) & ~kWindowMask;
    relative[lane] = static_cast<std::int64_t>(*access.lanes[lane] - base);
  }
  std::vector<std::int32_t> units(Pattern::kMaxUnits);
  std::vector<std::uint32_t> unit_marks(Pattern::kMaxUnits);
  Pattern pattern;
  pattern.units = units.data();
  pattern.unit_marks = unit_marks.data();
  analyse(pattern, relative.data(), lanes, access.bytes);
  if (pattern.wide) return access;  // lanes too far apart to share anything
  if (access.space == "shared") {
    analyse_shared(pattern, base, access.bytes, 2, !site.store && !site.atomic);
    access.wavefronts = pattern.wavefronts;
    access.bank_conflicts = pattern.wavefronts - pattern.ideal_wavefronts;
  } else if (access.space == "global") {
    access.sectors = count_sectors(pattern, base, access.bytes);
  }
  return access;
}

const Instruction* Tracer::execute(Warp& warp, const Instruction* instruction) {
  const Shape& shape = shape_of(*instruction);
  std::uint32_t lanes = warp.mask;
  const std::uint8_t* const frame = warp.frame;
  const Instruction* inner = instruction;
  if (is_guarded(*instruction)) {
    inner = instruction->inner;
    std::uint32_t predicate = 0;
    std::memcpy(&predicate, frame + instruction->a, sizeof predicate);
    lanes &= instruction->flags != 0 ? ~predicate : predicate;
  }
  // One PTX instruction may be several here: they are one step, with what the last of them leaves behind.
  // Some of them may be for other lanes only (ldmatrix has the addresses of the first ones).
  const bool continues =
      !trace_.steps.empty() && shape.begin == last_begin_ && instruction->index == last_ + 1;
  const bool noted = shape.traced && (continues || (lanes >> lane_ & 1) != 0);
  if (noted && !continues && static_cast<std::int64_t>(trace_.steps.size()) >= trace_.request.most_steps) {
    trace_.cut = true;
    return instruction->run(warp, instruction);
  }
  TraceStep step;
  if (noted) {
    step = shape.step;
    step.active = lanes;
    if (shape.memory) step.access = access_of(warp, *inner, lanes);
  }
  const std::uint32_t index = instruction->index;
  const Instruction* const next = instruction->run(warp, instruction);
  if (!noted) return next;
  for (const Register& result : shape.results) {
    std::uint64_t bits = 0;
    if (result.type == Type::pred) {
      std::uint32_t mask = 0;
      std::memcpy(&mask, frame + result.slot, sizeof mask);
      bits = mask >> lane_ & 1;
    } else {
      bits = lane_bits(frame, result.slot, std::max(2, ptx::size_of(result.type)), lane_);
    }
    step.values.push_back(
        {result.name, std::string(ptx::name_of(result.type)), value_text(result.type, bits)});
  }
  last_ = index;
  last_begin_ = shape.begin;
  if (continues) {
    if (step.access) trace_.steps.back().access = std::move(step.access);
    trace_.steps.back().values = std::move(step.values);
  } else {
    trace_.steps.push_back(std::move(step));
  }
  return next;
}

}  // namespace ridge::device::emulator
