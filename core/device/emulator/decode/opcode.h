// SPDX-License-Identifier: GPL-3.0-or-later
// The text of an opcode as an Operation.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "device/emulator/decode/operation.h"

namespace ridge::device::emulator {

/// An opcode with what its modifiers say beyond an Operation.
struct Opcode {
  Operation operation;
  std::vector<std::string_view> parts;  ///< "ld", "global", "v4", "f32"
  bool ordered = false;                 ///< volatile or with memory-model semantics
  bool acquires = false, releases = false;
  bool cached = true;             ///< may hit in L1
  bool high = false;              ///< .hi
  bool unknown_modifier = false;  ///< then it is not emulated

  bool has(std::string_view part) const;
};

/// Reads an opcode; operation.op is none when its base is unknown.
Opcode read_opcode(std::string_view text);

}  // namespace ridge::device::emulator
