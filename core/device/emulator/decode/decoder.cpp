// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/decoder.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "device/emulator/exec/state.h"
#include "device/emulator/ptx/lexer.h"

namespace ridge::device::emulator {

namespace {

std::int64_t aligned(std::int64_t value, std::uint64_t to) {
  const auto step = static_cast<std::int64_t>(to);
  return (value + step - 1) / step * step;
}

/// Instructions that may park their lanes or call: a guard becomes a branch around them.
bool needs_branch(const std::string& opcode) {
  for (const char* base : {"shfl.", "vote.", "match.", "redux.", "elect.", "bar.", "barrier.", "call",
                           "wmma.", "mma.", "wgmma.", "ldmatrix", "stmatrix", "movmatrix", "mbarrier.",
                           "cp.async.wait", "cp.async.bulk", "nanosleep", "alloca."})
    if (opcode.starts_with(base)) return true;
  return false;
}

/// Replaces guards of such instructions by branches.
ptx::Function with_branches(ptx::Function function) {
  std::vector<ptx::Instruction> body;
  std::vector<int> moved(function.body.size() + 1);
  std::map<std::string, int> added;
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    moved[i] = static_cast<int>(body.size());
    ptx::Instruction& instruction = function.body[i];
    if (instruction.guard >= 0 && needs_branch(instruction.opcode)) {
      ptx::Instruction branch = instruction;
      branch.opcode = "bra";
      branch.guard_negated = !branch.guard_negated;
      ptx::Operand label;
      label.kind = ptx::Operand::Kind::name;
      label.text = "#after" + std::to_string(i);
      branch.operands = {label};
      body.push_back(std::move(branch));
      instruction.guard = -1;
      body.push_back(std::move(instruction));
      added[label.text] = static_cast<int>(body.size());
      continue;
    }
    body.push_back(std::move(instruction));
  }
  moved.back() = static_cast<int>(body.size());
  for (auto& [name, at] : function.labels) at = moved[static_cast<std::size_t>(at)];
  function.labels.insert(added.begin(), added.end());
  // Control must not run off the end, and every label needs an instruction behind it.
  ptx::Instruction end;
  end.opcode = "ret";
  end.line = body.empty() ? 0 : body.back().line;
  end.location = body.empty() ? function.location : body.back().location;
  body.push_back(std::move(end));
  function.body = std::move(body);
  return function;
}

bool is_array_space(ptx::StateSpace space) {
  return space == ptx::StateSpace::shared || space == ptx::StateSpace::local;
}

const std::map<std::string, Special>& special_names() {
  static const std::map<std::string, Special> names{{"%tid.x", Special::tid_x},
                                                    {"%tid.y", Special::tid_y},
                                                    {"%tid.z", Special::tid_z},
                                                    {"%ntid.x", Special::ntid_x},
                                                    {"%ntid.y", Special::ntid_y},
                                                    {"%ntid.z", Special::ntid_z},
                                                    {"%ctaid.x", Special::ctaid_x},
                                                    {"%ctaid.y", Special::ctaid_y},
                                                    {"%ctaid.z", Special::ctaid_z},
                                                    {"%nctaid.x", Special::nctaid_x},
                                                    {"%nctaid.y", Special::nctaid_y},
                                                    {"%nctaid.z", Special::nctaid_z},
                                                    {"%laneid", Special::laneid},
                                                    {"%warpid", Special::warpid},
                                                    {"%nwarpid", Special::nwarpid},
                                                    {"%smid", Special::smid},
                                                    {"%nsmid", Special::nsmid},
                                                    {"%gridid", Special::gridid},
                                                    {"%lanemask_eq", Special::lanemask_eq},
                                                    {"%lanemask_le", Special::lanemask_le},
                                                    {"%lanemask_lt", Special::lanemask_lt},
                                                    {"%lanemask_ge", Special::lanemask_ge},
                                                    {"%lanemask_gt", Special::lanemask_gt},
                                                    {"%dynamic_smem_size", Special::dynamic_smem_size},
                                                    {"%total_smem_size", Special::total_smem_size},
                                                    {"%aggr_smem_size", Special::total_smem_size},
                                                    {"%clusterid.x", Special::clusterid_x},
                                                    {"%clusterid.y", Special::clusterid_y},
                                                    {"%clusterid.z", Special::clusterid_z},
                                                    {"%nclusterid.x", Special::nclusterid_x},
                                                    {"%nclusterid.y", Special::nclusterid_y},
                                                    {"%nclusterid.z", Special::nclusterid_z},
                                                    {"%cluster_ctaid.x", Special::cluster_ctaid_x},
                                                    {"%cluster_ctaid.y", Special::cluster_ctaid_y},
                                                    {"%cluster_ctaid.z", Special::cluster_ctaid_z},
                                                    {"%cluster_nctaid.x", Special::cluster_nctaid_x},
                                                    {"%cluster_nctaid.y", Special::cluster_nctaid_y},
                                                    {"%cluster_nctaid.z", Special::cluster_nctaid_z},
                                                    {"%cluster_ctarank", Special::cluster_ctarank},
                                                    {"%cluster_nctarank", Special::cluster_nctarank},
                                                    {"%is_explicit_cluster", Special::is_explicit_cluster},
                                                    {"%envreg1", Special::envreg1},
                                                    {"%envreg2", Special::envreg2}};
  return names;
}

}  // namespace

FunctionDecoder::FunctionDecoder(ModuleContext& context, ptx::Function function, int index, Style style)
    : context_(context),
      program_(context.program),
      function_(with_branches(std::move(function))),
      code_(context.program.functions[static_cast<std::size_t>(index)]),
      index_(index),
      flow_(find_flow(function_)),
      rewrites_(
          style == Style::plain
              ? no_rewrites(function_)
              : rewrite(function_, flow_, [this](const std::string& name) { return is_constant(name); })),
      frame_(function_, ranges(style), code_),
      provenance_(function_,
                  [this](const std::string& name) {
                    const auto own =
                        std::find_if(function_.variables.begin(), function_.variables.end(),
                                     [&](const ptx::Variable& variable) { return variable.name == name; });
                    return own != function_.variables.end() ? is_array_space(own->space)
                                                            : context_.shared.contains(name);
                  }),
      pointers_(function_, [this](const std::string& name) {
        return context_.symbols.contains(name) ||
               (code_.entry && std::any_of(function_.parameters.begin(), function_.parameters.end(),
                                           [&](const ptx::Variable& parameter) {
                                             return parameter.name == name && parameter.bytes == 8;
                                           }));
      }) {
  for (std::size_t reg = 0; reg < rewrites_.renamed.size(); ++reg)
    code_.register_slots[reg] = code_.register_slots[static_cast<std::size_t>(rewrites_.renamed[reg])];
  for (const ptx::Instruction& instruction : function_.body)
    for (const int reg : accesses_of(instruction).reads) read_registers_.insert(reg);
}

/// Names whose value is the same in all of the function. Local variables of a function lie where it is
/// called.
bool FunctionDecoder::is_constant(const std::string& name) const {
  if (name.starts_with("%")) return special_names().contains(name);
  return function_.entry ||
         std::none_of(function_.variables.begin(), function_.variables.end(),
                      [&](const ptx::Variable& variable) { return variable.name == name; });
}

/// Registers that parameters stand for need no place of their own. In plain style nothing shares a place.
std::vector<LiveRange> FunctionDecoder::ranges(Style style) const {
  std::vector<LiveRange> ranges = find_live_ranges(function_, flow_);
  if (style == Style::plain) {
    for (LiveRange& range : ranges)
      if (range.first >= 0) range = {0, 2 * static_cast<int>(function_.body.size()), range.at_entry};
  }
  for (std::size_t i = 0; i < function_.body.size(); ++i)
    if (rewrites_.resident[i])
      for (const int reg : accesses_of(function_.body[i]).writes) ranges[static_cast<std::size_t>(reg)] = {};
  return ranges;
}

void FunctionDecoder::place_variables() {
  shared_ = context_.shared;
  array_bytes_ = context_.shared_bytes;
  std::int64_t shared = context_.common_shared, local = 0;
  for (const ptx::Variable& variable : function_.variables) {
    const auto bytes = static_cast<std::int64_t>(variable.bytes);
    if (variable.space == ptx::StateSpace::shared) {
      shared = aligned(shared, variable.alignment);
      shared_[variable.name] = shared;
      array_bytes_[variable.name] = bytes;
      shared += bytes;
    } else if (variable.space == ptx::StateSpace::local) {
      local = aligned(local, variable.alignment);
      local_[variable.name] = local;
      array_bytes_[variable.name] = bytes;
      local += bytes;
    } else if (variable.space == ptx::StateSpace::param) {
      if (variable.bytes > (1u << 16))
        throw ptx::SyntaxError(0, say("variable {} is too large", variable.name), function_.location);
      frame_variables_[variable.name] = frame_.variable(variable.bytes);
    }
  }
  code_.shared_bytes = shared;
  code_.local_bytes = static_cast<std::uint32_t>(
      std::min<std::int64_t>(aligned(local, 16), std::numeric_limits<std::uint32_t>::max()));
  // Dynamic shared memory follows the static part; all functions must agree on where.
  const std::int64_t dynamic = std::max(
      context_.dynamic_offset, aligned(shared, static_cast<std::uint64_t>(context_.dynamic_alignment)));
  code_.dynamic_offset = dynamic;
  for (auto& [name, bytes] : array_bytes_)
    if (bytes < 0) shared_[name] = dynamic;

  std::uint64_t offset = 0;
  for (const ptx::Variable& parameter : function_.parameters) {
    if (parameter.bytes > (1u << 16))
      throw ptx::SyntaxError(0, say("parameter {} is too large", parameter.name), function_.location);
    if (code_.entry) {
      offset = static_cast<std::uint64_t>(
          aligned(static_cast<std::int64_t>(offset), std::max<std::uint64_t>(parameter.alignment, 1)));
      parameters_[parameter.name] = {static_cast<std::uint32_t>(offset),
                                     static_cast<std::uint32_t>(parameter.bytes)};
      code_.parameter_offsets.push_back(static_cast<std::uint32_t>(offset));
      code_.parameter_bytes.push_back(static_cast<std::uint32_t>(parameter.bytes));
      offset += parameter.bytes;
    } else {
      code_.formals.push_back(frame_.variable(parameter.bytes));
      frame_variables_[parameter.name] = code_.formals.back();
    }
  }
  code_.parameter_block_bytes = static_cast<std::uint32_t>(offset);
  for (const ptx::Variable& result : function_.results) {
    code_.results.push_back(frame_.variable(result.bytes));
    frame_variables_[result.name] = code_.results.back();
  }
}

void FunctionDecoder::decode() {
  place_variables();
  code_.first = static_cast<std::uint32_t>(program_.code.size());
  first_loop_ = static_cast<int>(program_.loops.size());
  first_elided_ = program_.elided.size();
  for (std::size_t i = 0; i < function_.body.size(); ++i) {
    if (!rewrites_.resident[i]) continue;
    current_ = &function_.body[i];
    Opcode opcode = read_opcode(current_->opcode);
    encode_parameter_load(opcode, true);
  }
  for (const FlowBlock& block : flow_.blocks) {
    emit_entry(block);
    for (int i = block.first; i < block.last; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (rewrites_.elided[at] || rewrites_.resident[at])
        describe_elided(function_.body[at]);
      else
        encode(function_.body[at]);
    }
    close_block();
  }
  for (const auto& [at, block] : patches_)
    program_.code[at].target = static_cast<std::int32_t>(block_starts_[static_cast<std::size_t>(block)]);
  for (const auto& [at, blocks] : table_patches_) {
    std::vector<std::uint32_t> starts;
    for (const int block : blocks) starts.push_back(block_starts_[static_cast<std::size_t>(block)]);
    program_.code[at].list = list_of(std::move(starts));
  }
  block_starts_.push_back(static_cast<std::uint32_t>(program_.code.size()));
  for (const FlowLoop& loop : flow_.loops) {
    const std::uint32_t head = block_starts_[static_cast<std::size_t>(loop.head)];
    program_.loops.push_back({program_.info[head].block, loop.parent < 0 ? -1 : first_loop_ + loop.parent,
                              block_starts_[static_cast<std::size_t>(loop.test) + 1] - 1});
  }
  frame_.finish();
}

/// The running basic block ends here. What was taken out of it is paid for all the same.
void FunctionDecoder::close_block() {
  BasicBlock& basic = program_.blocks[static_cast<std::size_t>(block_)];
  basic.count = static_cast<std::uint32_t>(program_.code.size()) - basic.first - 1;
  program_.code[basic.first].flags =
      basic.count + static_cast<std::uint32_t>(program_.elided.size() - first_elided_);
  first_elided_ = program_.elided.size();
}

void FunctionDecoder::emit_entry(const FlowBlock& block) {
  matched_.clear();
  block_ = static_cast<int>(program_.blocks.size());
  block_starts_.push_back(static_cast<std::uint32_t>(program_.code.size()));
  program_.blocks.push_back(
      {block_starts_.back(), 0, block.rank, index_, block.loop < 0 ? -1 : first_loop_ + block.loop});
  Instruction entry;
  entry.run = context_.lanes.enter_block;
  entry.index = block_starts_.back();
  entry.immediate = block.rank;
  entry.target = block_;
  program_.code.push_back(entry);
  InstructionInfo info;
  info.location = function_.body[static_cast<std::size_t>(block.first)].location;
  info.function = index_;
  info.block = block_;
  info.entry_of_block = true;
  program_.info.push_back(std::move(info));
}

void FunctionDecoder::describe(const ptx::Instruction& instruction, const Opcode& opcode) {
  current_ = &instruction;
  if (opcode.operation.op == Op::none || opcode.unknown_modifier) unsupported();
  described_ = {};
  described_.location = instruction.location;
  described_.ptx_line = instruction.line;
  described_.opcode = instruction.opcode;
  described_.function = index_;
  described_.begin = instruction.begin;
  described_.end = instruction.end;
  described_.block = block_;
  classify(opcode, described_);
}

/// It executes nothing and counts all the same.
void FunctionDecoder::describe_elided(const ptx::Instruction& instruction) {
  describe(instruction, read_opcode(instruction.opcode));
  program_.elided.push_back(described_);
}

void FunctionDecoder::encode(const ptx::Instruction& instruction) {
  Opcode opcode = read_opcode(instruction.opcode);
  describe(instruction, opcode);
  const std::size_t first = program_.code.size();
  if (!encode_asynchronous(opcode) && !encode_control(opcode) && !encode_memory(opcode) &&
      !encode_tensor(opcode) && !encode_warp(opcode) && !encode_move(opcode) && !encode_comparison(opcode) &&
      !encode_bits(opcode) && !encode_arithmetic(opcode))
    unsupported();
  if (instruction.guard >= 0) guard(first);
  // What follows these may be executed after another warp has run.
  if (opcode.operation.op < Op::add || opcode.operation.op > Op::st) matched_.clear();
  for (const int reg : accesses_of(instruction).writes)
    std::erase_if(matched_, [&](const Matched& matched) { return matched.base == reg; });
}

Instruction& FunctionDecoder::emit(const Operation& operation) {
  const Handler handler = context_.lanes.find(operation);
  if (handler == nullptr) unsupported();
  Instruction instruction;
  instruction.run = handler;
  instruction.index = static_cast<std::uint32_t>(program_.code.size());
  program_.code.push_back(instruction);
  program_.info.push_back(described_);
  return program_.code.back();
}

/// Puts what was emitted since `first` behind the guard of the instruction.
void FunctionDecoder::guard(std::size_t first) {
  for (std::size_t at = first; at < program_.code.size(); ++at) {
    Instruction& instruction = program_.code[at];
    if (program_.info[at].branches) continue;  // branches and exits look at the guard themselves
    program_.guarded.push_back(instruction);
    Instruction outer;
    outer.run = context_.lanes.run_guarded;
    outer.index = instruction.index;
    outer.a = frame_.of_register(current_->guard);
    outer.flags = current_->guard_negated ? 1 : 0;
    outer.inner = &program_.guarded.back();
    instruction = outer;
  }
}

const ptx::Operand& FunctionDecoder::operand(std::size_t index) const {
  if (index >= current_->operands.size()) malformed(say("it has too few operands"));
  return current_->operands[index];
}

void FunctionDecoder::unsupported() const {
  throw DecodeError(true, *current_, say("The emulator does not execute {}", current_->opcode));
}
void FunctionDecoder::malformed(const Sentence& what) const {
  throw DecodeError(false, *current_, say("{}: {}", current_->opcode, what));
}

int FunctionDecoder::register_bytes(const Operand& operand) const {
  if (operand.kind != Kind::reg) return 0;
  const Type type = function_.registers[static_cast<std::size_t>(operand.index)].type;
  return type == Type::pred ? 0 : Frame::slot_bytes(type);
}

bool FunctionDecoder::is_read(const Operand& operand) const {
  return operand.kind == Kind::reg && read_registers_.contains(operand.index);
}

std::uint64_t FunctionDecoder::immediate_bits(const Operand& operand, Type type) const {
  if (operand.kind == Kind::f32 && type == Type::f64)
    return std::bit_cast<std::uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
  if (operand.kind == Kind::f64 && type != Type::f64 && ptx::size_of(type) == 4)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
  return operand.bits;
}

std::uint32_t FunctionDecoder::source(const Operand& operand, Type type) {
  return source(operand, type, std::max(2, ptx::size_of(type)));
}

std::uint32_t FunctionDecoder::source(const Operand& operand, Type type, int bytes) {
  if (!operand.part.empty()) malformed(say("an operand has the wrong form"));
  switch (operand.kind) {
    case Kind::reg:
      if (register_bytes(operand) != bytes)
        malformed(say("register {} has the wrong size",
                      function_.registers[static_cast<std::size_t>(operand.index)].name));
      return frame_.of_register(operand.index);
    case Kind::integer:
    case Kind::f32:
    case Kind::f64:
      return frame_.constant(bytes, immediate_bits(operand, type));
    case Kind::name:
      return name_slot(operand, bytes);
    default:
      malformed(say("an operand has the wrong form"));
  }
}

std::uint32_t FunctionDecoder::name_slot(const Operand& operand, int bytes) {
  const std::string& name = operand.text;
  if (const auto found = special_names().find(name); found != special_names().end())
    return frame_.special(found->second, bytes);
  if (name.starts_with("%envreg") || name.starts_with("%pm") || name.starts_with("%reserved") ||
      name == "%current_graph_exec")
    return frame_.special(Special::zero, bytes);
  const auto address = [&](std::uint64_t base) { return frame_.constant(bytes, base + operand.bits); };
  if (const auto found = shared_.find(name); found != shared_.end())
    return address(static_cast<std::uint64_t>(found->second));
  if (const auto found = local_.find(name); found != local_.end()) {
    if (code_.entry) return address(static_cast<std::uint64_t>(found->second));
    Operation operation;
    operation.op = Op::local_address;
    operation.type = bytes == 4 ? Type::u32 : Type::u64;
    const std::uint32_t slot = frame_.variable(static_cast<std::uint64_t>(bytes)).slot;
    Instruction& instruction = emit(operation);
    instruction.d = slot;
    instruction.immediate = found->second + static_cast<std::int64_t>(operand.bits);
    return slot;
  }
  if (const auto found = context_.symbols.find(name); found != context_.symbols.end())
    return address(found->second);
  if (const auto found = context_.functions.find(name); found != context_.functions.end())
    return address(kFunctionWindow + 16 * static_cast<std::uint64_t>(found->second));
  if (const auto found = parameters_.find(name); found != parameters_.end())
    return address(kParameterWindow + found->second.first);
  if (name.starts_with("%")) unsupported();
  malformed(say("'{}' is not defined", name));
}

std::uint32_t FunctionDecoder::destination(const Operand& operand, int bytes) {
  if (operand.kind == Kind::sink) return kNoSlot;
  if (operand.kind != Kind::reg) malformed(say("the destination is no register"));
  if (!operand.part.empty()) malformed(say("an operand has the wrong form"));
  if (register_bytes(operand) != bytes)
    malformed(say("register {} has the wrong size",
                  function_.registers[static_cast<std::size_t>(operand.index)].name));
  return frame_.of_register(operand.index);
}

std::uint32_t FunctionDecoder::predicate_source(const Operand& operand, std::uint32_t& flags,
                                                std::uint32_t negated_flag) {
  if (operand.kind == Kind::integer) return frame_.constant_predicate((operand.bits != 0) != operand.negated);
  if (operand.kind != Kind::reg ||
      function_.registers[static_cast<std::size_t>(operand.index)].type != Type::pred)
    malformed(say("a predicate is expected"));
  if (operand.negated) flags |= negated_flag;
  return frame_.of_register(operand.index);
}

std::uint32_t FunctionDecoder::predicate_destination(const Operand& operand) {
  if (operand.kind == Kind::sink) return kNoSlot;
  std::uint32_t flags = 0;
  if (operand.kind != Kind::reg) malformed(say("a predicate is expected"));
  return predicate_source(operand, flags, 0);
}

const std::uint32_t* FunctionDecoder::list_of(std::vector<std::uint32_t> slots) {
  program_.lists.push_back(std::move(slots));
  return program_.lists.back().data();
}

}  // namespace ridge::device::emulator
