// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/decode.h"

#include <algorithm>

#include "device/emulator/checks/places.h"
#include "device/emulator/decode/decoder.h"
#include "device/emulator/ptx/lexer.h"

namespace ridge::device::emulator {

namespace {

/// Shared variables of the module: some function or kernel uses them by a common offset.
void place_common_shared(ModuleContext& context) {
  std::int64_t offset = 0;
  const auto place = [&](const ptx::Variable& variable) {
    const auto step = static_cast<std::int64_t>(variable.alignment);
    const bool dynamic = variable.external && variable.bytes == 0;
    if (dynamic) context.dynamic_alignment = std::max(context.dynamic_alignment, step);
    if (!dynamic) offset = (offset + step - 1) / step * step;
    context.shared[variable.name] = offset;
    context.shared_bytes[variable.name] = dynamic ? -1 : static_cast<std::int64_t>(variable.bytes);
    if (!dynamic) offset += static_cast<std::int64_t>(variable.bytes);
  };
  for (const ptx::Variable& variable : context.module.variables)
    if (variable.space == ptx::StateSpace::shared) place(variable);
  bool functions = false;
  for (const ptx::Function& function : context.module.functions) {
    if (function.entry || !function.defined) continue;
    functions = true;
    for (const ptx::Variable& variable : function.variables)
      if (variable.space == ptx::StateSpace::shared) place(variable);
  }
  context.common_shared = offset;
  if (!functions) return;
  // Functions know one place only for dynamic shared memory: behind the largest static part.
  for (const ptx::Function& function : context.module.functions) {
    std::int64_t bytes = offset;
    for (const ptx::Variable& variable : function.variables)
      if (function.entry && variable.space == ptx::StateSpace::shared)
        bytes = (bytes + static_cast<std::int64_t>(variable.alignment) - 1) /
                    static_cast<std::int64_t>(variable.alignment) *
                    static_cast<std::int64_t>(variable.alignment) +
                static_cast<std::int64_t>(variable.bytes);
    const std::int64_t to = context.dynamic_alignment;
    context.dynamic_offset = std::max(context.dynamic_offset, (bytes + to - 1) / to * to);
  }
}

/// What kernels inherit from the functions that they may call.
void join_functions(Program& program) {
  bool ordered = false, stores = false;
  for (const FunctionCode& function : program.functions) {
    if (function.entry) continue;
    ordered = ordered || function.ordered_blocks;
    stores = stores || function.stores_anywhere || !function.stored_addresses.empty();
  }
  for (FunctionCode& function : program.functions) {
    if (!function.entry) continue;
    function.ordered_blocks = function.ordered_blocks || ordered;
    function.stores_anywhere = function.stores_anywhere || stores;
  }
}

Error to_error(const ptx::Module& module, bool unsupported, const Sentence& message, int location,
               int ptx_line) {
  Error error;
  error.kind = ErrorKind::definition;
  error.code = unsupported ? "unsupported" : "ptx_syntax";
  set_place(error, module, location, ptx_line, message);
  if (unsupported) error.hint = say("Run this kernel on a GPU, or write it without this instruction.");
  return error;
}

}  // namespace

Result<Program> decode(const ptx::Module& module, const std::map<std::string, std::uint64_t>& symbols,
                       const LanesTable& lanes, Style style) {
  Program program;
  ModuleContext context{module, symbols, lanes, program, {}, {}, 0, 0, 16, {}};
  place_common_shared(context);
  std::vector<const ptx::Function*> defined;
  for (const ptx::Function& function : module.functions) {
    if (!function.defined || context.functions.contains(function.name)) continue;
    context.functions[function.name] = static_cast<int>(defined.size());
    defined.push_back(&function);
    FunctionCode code;
    code.name = function.name;
    code.entry = function.entry;
    code.max_threads = function.max_threads;
    code.required_threads = function.required_threads;
    code.required_cluster = function.required_cluster;
    code.location = function.location;
    program.functions.push_back(std::move(code));
  }
  try {
    for (std::size_t index = 0; index < defined.size(); ++index)
      FunctionDecoder(context, *defined[index], static_cast<int>(index), style).decode();
  } catch (const DecodeError& error) {
    return to_error(module, error.unsupported, error.message, error.location, error.ptx_line);
  } catch (const ptx::SyntaxError& error) {
    return to_error(module, false, error.message, error.location, error.line);
  }
  join_functions(program);
  return program;
}

}  // namespace ridge::device::emulator
