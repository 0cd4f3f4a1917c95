// SPDX-License-Identifier: GPL-3.0-or-later
// A loaded module: its program, and its variables in device memory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/emulator/exec/program.h"
#include "device/emulator/memory/arena.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator {

class EmulatedModule final : public Module {
 public:
  static Result<std::unique_ptr<EmulatedModule>> load(Arena& arena, const compile::CompiledKernel& kernel);
  ~EmulatedModule() override;

  Result<Global> global(const std::string& symbol) override;
  Result<std::vector<compile::Parameter>> parameters(const std::string& symbol) override;
  Result<compile::Resources> resources(const std::string& symbol) override;

  const Program& program() const { return program_; }
  /// The same program as a trace needs it, made when it is first asked for.
  Result<const Program*> plain_program();
  /// The entry in one of the programs, or an error that lists those there are.
  static Result<const FunctionCode*> entry(const Program& program, const std::string& symbol);
  const ptx::Module& ptx() const { return ptx_; }
  const std::string& text() const { return text_; }

 private:
  EmulatedModule(Arena& arena, ptx::Module ptx) : arena_(arena), ptx_(std::move(ptx)) {}
  Result<void> place_variables();
  void initialise(const ptx::Variable& variable, Allocation& allocation);

  Arena& arena_;
  ptx::Module ptx_;
  std::string text_;  ///< the PTX itself
  Program program_;
  std::optional<Program> plain_program_;
  std::map<std::string, std::uint64_t> symbols_;
  std::map<std::string, std::uint64_t> sizes_;
};

}  // namespace ridge::device::emulator
