// SPDX-License-Identifier: GPL-3.0-or-later
// Which variable an address derives from, by data flow over registers: bounds of a single array inside shared
// or local memory are known where all definitions of the address agree.
#pragma once

#include <string>
#include <vector>

#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator {

class Provenance {
 public:
  /// `is_array`: names of the shared and local variables that matter.
  template <class F>
  Provenance(const ptx::Function& function, F&& is_array) : origins_(function.registers.size()) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const ptx::Instruction& instruction : function.body)
        for (const auto& [reg, origin] : flow(instruction, is_array)) changed = merge(reg, origin) || changed;
    }
  }
  /// The one variable that the register points into, or "".
  std::string of(int reg) const {
    const Origin& origin = origins_[static_cast<std::size_t>(reg)];
    return origin.state == State::one ? origin.name : std::string();
  }

 private:
  enum class State { unseen, number, one, several };
  struct Origin {
    State state = State::unseen;
    std::string name;
  };

  Origin of_operand(const ptx::Operand& operand) const;
  bool merge(int reg, const Origin& origin);
  static Origin sum(const Origin& a, const Origin& b);
  bool passes_addresses(const std::string& opcode) const;

  template <class F>
  std::vector<std::pair<int, Origin>> flow(const ptx::Instruction& instruction, F&& is_array) const {
    std::vector<std::pair<int, Origin>> result;
    if (instruction.operands.empty()) return result;
    const ptx::Operand& target = instruction.operands[0];
    if (target.kind != ptx::Operand::Kind::reg) {
      for (const ptx::Operand& element : target.elements)
        if (element.kind == ptx::Operand::Kind::reg) result.push_back({element.index, {State::number, {}}});
      return result;
    }
    Origin origin{State::number, {}};
    if (passes_addresses(instruction.opcode)) {
      for (std::size_t k = 1; k < instruction.operands.size(); ++k) {
        const ptx::Operand& operand = instruction.operands[k];
        origin = sum(origin, operand.kind == ptx::Operand::Kind::name && is_array(operand.text)
                                 ? Origin{State::one, operand.text}
                                 : of_operand(operand));
      }
    }
    result.push_back({target.index, origin});
    return result;
  }

  std::vector<Origin> origins_;
};

}  // namespace ridge::device::emulator
