// SPDX-License-Identifier: GPL-3.0-or-later
// Which variable or parameter an address derives from, by data flow over registers: where all definitions of
// the address agree, the bounds of a single array inside shared or local memory are known, and so is the
// buffer that a store goes to.
#pragma once

#include <string>
#include <vector>

#include "device/emulator/decode/flow.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator {

class Provenance {
 public:
  /// `is_origin`: names of the variables and parameters that matter.
  template <class F>
  Provenance(const ptx::Function& function, F&& is_origin) : origins_(function.registers.size()) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const ptx::Instruction& instruction : function.body)
        for (const auto& [reg, origin] : flow(instruction, is_origin))
          changed = merge(reg, origin) || changed;
    }
  }
  /// The one variable (or parameter, when it is a pointer) that the register points into, or "".
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
  std::vector<std::pair<int, Origin>> flow(const ptx::Instruction& instruction, F&& is_origin) const {
    std::vector<std::pair<int, Origin>> result;
    if (!writes_first_operand(instruction)) return result;
    const ptx::Operand& target = instruction.operands[0];
    if (target.kind != ptx::Operand::Kind::reg) {
      for (const ptx::Operand& element : target.elements)
        if (element.kind == ptx::Operand::Kind::reg) result.push_back({element.index, {State::number, {}}});
      return result;
    }
    Origin origin{State::number, {}};
    if (instruction.opcode.starts_with("ld.param") && instruction.operands.size() == 2) {
      const ptx::Operand& source = instruction.operands[1];
      if (source.kind == ptx::Operand::Kind::address && source.bits == 0 &&
          source.elements[0].kind == ptx::Operand::Kind::name && is_origin(source.elements[0].text))
        origin = {State::one, source.elements[0].text};
    } else if (passes_addresses(instruction.opcode)) {
      for (std::size_t k = 1; k < instruction.operands.size(); ++k) {
        const ptx::Operand& operand = instruction.operands[k];
        origin = sum(origin, operand.kind == ptx::Operand::Kind::name && is_origin(operand.text)
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
