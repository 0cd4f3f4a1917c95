// SPDX-License-Identifier: GPL-3.0-or-later
// Constant expressions, such as ((128 >> 4) << 16) and -(1.5 * 2.0).
#pragma once

#include <cstdint>
#include <string_view>

#include "device/emulator/ptx/lexer.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator::ptx {

/// Reads an expression with C's operators and precedence on 64 bits; it is unsigned where an operand is (12U
/// or a cast to .u64). Division by zero and what is no whole number are faults of the text.
std::uint64_t parse_constant(Lexer& lexer);
/// The rest of an expression whose first operand has been read.
std::uint64_t parse_constant_after(Lexer& lexer, std::uint64_t first, bool is_unsigned);
/// What `+` or `-` adds to an address or a symbol: `+ 4*2`, `- 4`; 0 when neither comes next.
std::uint64_t parse_offset(Lexer& lexer);
/// An expression of floating-point literals with + - * / and parentheses. A literal that stands alone keeps
/// its bits.
Operand parse_real_constant(Lexer& lexer);
/// Whether a number is unsigned: by its U, or because no signed one is as large.
bool is_unsigned_literal(std::string_view word, std::uint64_t bits);
/// Whether the next token goes on with an expression.
bool continues_constant(const Lexer& lexer);

}  // namespace ridge::device::emulator::ptx
