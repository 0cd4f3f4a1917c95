// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the parser that functions and the module level share, and function bodies.
#pragma once

#include <optional>

#include "device/emulator/ptx/lexer.h"
#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator::ptx {

std::optional<StateSpace> space_named(std::string_view directive);  ///< ".shared"
std::uint64_t parse_number(Lexer& lexer);                           ///< an integer literal, perhaps negative
/// `.align 4 .b8 name[16] = {…}` after the state space; the terminator stays.
Variable parse_variable(Lexer& lexer, StateSpace space);
/// `1 12 5, function_name L, inlined_at 1 30 9` after `.loc`; appends to the module's locations.
void parse_location(Lexer& lexer, Module& module);
/// Places without a line, among those from `first` on, are given that of the place before with the same
/// function and caller, or else of the one behind.
void complete_locations(Module& module, std::size_t first);
/// After the opening brace, through the closing one.
void parse_body(Lexer& lexer, Module& module, Function& function);

}  // namespace ridge::device::emulator::ptx
