// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/module.h"

#include <algorithm>
#include <cstring>

#include "device/emulator/decode/decode.h"
#include "device/emulator/exec/state.h"
#include "device/emulator/ptx/parser.h"

namespace ridge::device::emulator {

namespace {

bool lies_in_memory(const ptx::Variable& variable) {
  return variable.space == ptx::StateSpace::global || variable.space == ptx::StateSpace::constant;
}

/// Every instruction stands in its own line of the text, whatever `.loc` says.
void place_in_text(ptx::Module& module) {
  module.files.clear();
  module.locations.clear();
  std::map<int, int> known;  // line, index
  for (ptx::Function& function : module.functions) {
    function.location = -1;
    for (ptx::Instruction& instruction : function.body) {
      const auto [found, added] =
          known.try_emplace(instruction.line, static_cast<int>(module.locations.size()));
      if (added) module.locations.push_back({0, instruction.line, 0, {}, -1});
      instruction.location = found->second;
    }
  }
}

}  // namespace

Result<std::unique_ptr<EmulatedModule>> EmulatedModule::load(Arena& arena,
                                                             const compile::CompiledKernel& kernel) {
  if (kernel.ptx.empty()) {
    Error error;
    error.kind = ErrorKind::component;
    error.code = "no_ptx";
    error.message = say("The kernel has no PTX, which is what the emulator executes.");
    error.hint = say("Compile it from its source.");
    return error;
  }
  Result<ptx::Module> parsed =
      ptx::parse(kernel.ptx, kernel.from_ptx ? ptx::Origin::written : ptx::Origin::compiled);
  if (!parsed) return parsed.error();
  if (kernel.from_ptx) place_in_text(*parsed);
  std::unique_ptr<EmulatedModule> module(new EmulatedModule(arena, std::move(*parsed)));
  if (Result<void> placed = module->place_variables(); !placed) return placed.error();
  Result<Program> program = decode(module->ptx_, module->symbols_, best_lanes(), Style::fast);
  if (!program) return program.error();
  module->program_ = std::move(*program);
  module->text_ = kernel.ptx;
  return module;
}

EmulatedModule::~EmulatedModule() {
  for (const auto& [name, address] : symbols_) arena_.release(address);
  arena_.release_heap(&ptx_);
}

Result<void> EmulatedModule::place_variables() {
  for (const ptx::Variable& variable : ptx_.variables) {
    if (!lies_in_memory(variable) || symbols_.contains(variable.name)) continue;
    if (variable.external && variable.bytes == 0) continue;
    Result<Allocation*> memory = arena_.allocate(variable.bytes, variable.name, variable.alignment);
    if (!memory) return memory.error();
    (*memory)->constant = variable.space == ptx::StateSpace::constant;
    symbols_[variable.name] = (*memory)->low;
    sizes_[variable.name] = variable.bytes;
  }
  for (const ptx::Variable& variable : ptx_.variables)
    if (lies_in_memory(variable) && symbols_.contains(variable.name))
      initialise(variable, *arena_.find(symbols_[variable.name], 0));
  return {};
}

void EmulatedModule::initialise(const ptx::Variable& variable, Allocation& allocation) {
  std::uint8_t* host = arena_.host(allocation.low);
  const std::uint64_t bytes = allocation.high - allocation.low;
  Arena::set_initialised(allocation, allocation.low, bytes, 1);
  std::memset(host, 0, bytes);  // the memory may have held something before
  if (!variable.initial.empty())
    std::memcpy(host, variable.initial.data(), std::min<std::uint64_t>(variable.initial.size(), bytes));
  for (const ptx::Relocation& relocation : variable.relocations) {
    std::uint64_t address = 0;
    if (const auto symbol = symbols_.find(relocation.symbol); symbol != symbols_.end()) {
      address = symbol->second;
    } else {
      std::uint64_t index = 0;  // functions are numbered in the order of their definitions, as decode does
      for (const ptx::Function& function : ptx_.functions) {
        if (!function.defined) continue;
        if (function.name == relocation.symbol) {
          address = kFunctionWindow + 16 * index;
          break;
        }
        ++index;
      }
    }
    address = (address + static_cast<std::uint64_t>(relocation.addend)) >> relocation.shift;
    if (relocation.offset + static_cast<std::uint64_t>(relocation.bytes) <= bytes)
      std::memcpy(host + relocation.offset, &address, static_cast<std::size_t>(relocation.bytes));
  }
}

Result<Module::Global> EmulatedModule::global(const std::string& symbol) {
  const auto found = symbols_.find(symbol);
  if (found != symbols_.end()) return Global{found->second, static_cast<std::int64_t>(sizes_.at(symbol))};
  Error error;
  error.kind = ErrorKind::definition;
  error.code = "unknown_symbol";
  error.message = say("The module has no variable {}.", symbol);
  return error;
}

Result<const Program*> EmulatedModule::plain_program() {
  if (!plain_program_) {
    Result<Program> program = decode(ptx_, symbols_, best_lanes(), Style::plain);
    if (!program) return program.error();
    plain_program_ = std::move(*program);
  }
  return &*plain_program_;
}

Result<const FunctionCode*> EmulatedModule::entry(const Program& program, const std::string& symbol) {
  std::string known;
  for (const FunctionCode& function : program.functions) {
    if (!function.entry) continue;
    if (function.name == symbol) return &function;
    known += (known.empty() ? "" : ", ") + function.name;
  }
  Error error;
  error.kind = ErrorKind::definition;
  error.code = "unknown_entry";
  error.message =
      say("The module has no kernel {}; it has {}.", symbol, known.empty() ? say("none") : Sentence(known));
  return error;
}

Result<std::vector<compile::Parameter>> EmulatedModule::parameters(const std::string& symbol) {
  const Result<const FunctionCode*> found = entry(program_, symbol);
  if (!found) return found.error();
  std::vector<compile::Parameter> result;
  for (std::size_t k = 0; k < (*found)->parameter_offsets.size(); ++k)
    result.push_back({(*found)->parameter_offsets[k], (*found)->parameter_bytes[k]});
  return result;
}

Result<compile::Resources> EmulatedModule::resources(const std::string& symbol) {
  const Result<const FunctionCode*> found = entry(program_, symbol);
  if (!found) return found.error();
  compile::Resources resources;
  resources.shared_bytes = (*found)->shared_bytes;
  resources.stack_bytes = (*found)->local_bytes;
  resources.max_threads = (*found)->max_threads;
  return resources;
}

}  // namespace ridge::device::emulator
