// SPDX-License-Identifier: GPL-3.0-or-later
// Where the registers of a function are written and read, and which instructions come before which others on
// every path.
#pragma once

#include <vector>

#include "device/emulator/decode/flow.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator {

/// Applies f to every register that the instruction reads, except its guard.
template <class F>
void for_each_read(ptx::Instruction& instruction, F&& f) {
  const auto visit = [&](auto& self, ptx::Operand& operand) -> void {
    if (operand.kind == ptx::Operand::Kind::reg) f(operand);
    for (ptx::Operand& element : operand.elements) self(self, element);
  };
  for (std::size_t k = 0; k < instruction.operands.size(); ++k)
    if (k > 0 || !writes_first_operand(instruction)) visit(visit, instruction.operands[k]);
}

class Uses {
 public:
  Uses(ptx::Function& function, const Flow& flow);

  /// The only instruction that writes the register, always; negative: there is none.
  int definition(int reg) const { return definition_[static_cast<std::size_t>(reg)]; }
  /// Instructions that read it other than as their guard; one may be listed several times.
  const std::vector<int>& readers(int reg) const { return readers_[static_cast<std::size_t>(reg)]; }
  void add_reader(int reg, int instruction) {
    readers_[static_cast<std::size_t>(reg)].push_back(instruction);
  }
  /// Instructions that it guards.
  const std::vector<int>& guards(int reg) const { return guards_[static_cast<std::size_t>(reg)]; }

  int block_of(int instruction) const { return block_of_[static_cast<std::size_t>(instruction)]; }
  bool dominates(int a, int b) const;
  /// Instruction i alone writes the register, and before every use.
  bool is_single(int reg, int i) const;

 private:
  static constexpr int kNone = -1, kSeveral = -2;
  std::vector<int> block_of_;
  std::vector<std::vector<std::uint64_t>> dominators_;  ///< by block: a bit for each
  std::vector<int> definition_;                         ///< by register
  std::vector<std::vector<int>> readers_, guards_;      ///< by register
};

}  // namespace ridge::device::emulator
