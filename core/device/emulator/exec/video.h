// SPDX-License-Identifier: GPL-3.0-or-later
// Video instructions: arithmetic on bytes and halves of words, with a second operation or a merge behind it.
#pragma once

#include <array>
#include <cstdint>

#include "device/emulator/decode/operation.h"

namespace ridge::device::emulator {

/// Bits of a register.
struct VideoPart {
  std::uint8_t shift = 0, width = 32;
  bool second = false;  ///< of operand b, which SIMD instructions can name among the parts of a
};

/// How a video instruction takes its operands apart and puts its result together.
struct VideoPlan {
  enum class Second : std::uint8_t { none, add, min, max };

  std::uint8_t parts = 1;  ///< 2 or 4: SIMD
  bool signed_result = false, signed_a = false, signed_b = false;
  bool saturates = false;
  std::array<VideoPart, 4> a, b, result;
  std::uint8_t written = 1;  ///< SIMD: a bit for each part of the result; the others are c's
  Second second = Second::none;
  Compare compare = Compare::eq;
  bool wraps = false;                                ///< shifts
  bool minus_product = false, minus_addend = false;  ///< vmad
  bool plus_one = false;                             ///< vmad.po
  std::uint8_t scale = 0;                            ///< vmad: the result is shifted right
};

}  // namespace ridge::device::emulator
