// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of a function: slots for registers by linear scan, and on demand for constants, parameters,
// special registers and .param variables.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "device/emulator/decode/flow.h"
#include "device/emulator/exec/program.h"

namespace ridge::device::emulator {

class Frame {
 public:
  /// Places the registers; slots that may be read before they are written are listed in `code`.
  Frame(const ptx::Function& function, const std::vector<LiveRange>& ranges, FunctionCode& code);

  std::uint32_t of_register(int reg) const { return registers_[static_cast<std::size_t>(reg)]; }
  void alias(int reg, std::uint32_t slot) { registers_[static_cast<std::size_t>(reg)] = slot; }
  std::uint32_t constant(int bytes, std::uint64_t bits);
  /// A predicate that always holds, or never.
  std::uint32_t constant_predicate(bool holds);
  std::uint32_t special(Special special, int bytes);
  std::uint32_t parameter(std::uint32_t offset, int bytes, int slot_bytes, bool sign_extend);
  FrameVariable variable(std::uint64_t bytes);
  std::uint32_t carry();  ///< the mask of the carry flag
  void finish();          ///< the frame's size is known now

  static int slot_bytes(ptx::Type type);  ///< 2, 4 or 8 for one lane

 private:
  std::uint32_t reserve(int lane_bytes);

  FunctionCode& code_;
  std::vector<std::uint32_t> registers_;
  std::uint32_t end_ = 0;
  std::uint32_t carry_ = kNoSlot;
  std::map<std::pair<int, std::uint64_t>, std::uint32_t> constants_;
  std::map<std::pair<Special, int>, std::uint32_t> specials_;
  std::map<std::pair<std::uint32_t, int>, std::uint32_t> parameters_;
};

}  // namespace ridge::device::emulator
