// SPDX-License-Identifier: GPL-3.0-or-later
// PTX text as data: variables, functions and instructions with their operands; names of registers are
// resolved.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/emulator/ptx/type.h"

namespace ridge::device::emulator::ptx {

enum class StateSpace : std::uint8_t { generic, global, constant, shared, local, param };

/// A place in the source from `.loc`; code that was inlined knows where its function was called.
struct Location {
  int file = 0;  ///< key of Module::files
  int line = 0;
  int column = 0;
  std::string function;  ///< inlined function, mangled; empty: the function itself
  int caller = -1;       ///< index into Module::locations of the call that was inlined
};

struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,      ///< `index` into the function's registers
    integer,  ///< `bits`
    f32,      ///< `bits` of a 0f literal
    f64,      ///< `bits` of a 0d literal or a decimal one
    name,     ///< variable, function, label or special register: `text`
    address,  ///< [elements[0] + bits], then further coordinates
    vector,   ///< {elements}
    list,     ///< (elements) of a call
    pair,     ///< elements[0] | elements[1]
    sink      ///< `_`
  };
  Kind kind = Kind::none;
  bool negated = false;  ///< !p; vmad: -a
  int index = -1;
  std::uint64_t bits = 0;
  std::string text;
  std::string part;  ///< of a register, in video instructions: "b0", "h32"
  std::vector<Operand> elements;
};

struct Instruction {
  std::string opcode;  ///< "ld.global.v4.f32"
  std::vector<Operand> operands;
  int guard = -1;  ///< predicate register
  bool guard_negated = false;
  int location = -1;               ///< index into Module::locations
  int line = 0;                    ///< of the PTX text
  std::size_t begin = 0, end = 0;  ///< in the PTX text, without the semicolon
};

struct Register {
  std::string name;
  Type type = Type::b32;
};

/// Part of an initialiser that holds the address of a symbol.
struct Relocation {
  std::uint64_t offset = 0;
  int bytes = 8;
  std::string symbol;
  std::int64_t addend = 0;
  bool generic = false;
  int shift = 0;  ///< of 0xFF.. masks: the byte of the address that is stored
};

struct Variable {
  std::string name;
  StateSpace space = StateSpace::global;
  Type type = Type::b8;
  std::uint64_t alignment = 1;
  std::uint64_t bytes = 0;
  bool external = false;  ///< `.extern`; with 0 bytes: dynamic shared memory
  std::vector<std::uint8_t> initial;
  std::vector<Relocation> relocations;
};

struct Function {
  std::string name;
  bool entry = false;
  bool defined = false;
  std::vector<Variable> parameters, results;
  std::vector<Register> registers;
  std::vector<Variable> variables;  ///< .shared, .local and .param of the body; scoped names are made unique
  std::vector<Instruction> body;
  std::map<std::string, int> labels;                       ///< index of the instruction they stand before
  std::map<std::string, std::vector<std::string>> tables;  ///< .branchtargets
  int max_threads = 0;                                     ///< .maxntid; 0: not given
  std::vector<std::uint32_t> required_threads;             ///< .reqntid
  std::vector<std::uint32_t> required_cluster;             ///< .reqnctapercluster
  int location = -1;
};

/// Who wrote a text: that decides which lines people know.
enum class Origin : std::uint8_t { written, compiled };

struct Module {
  Origin origin = Origin::written;
  std::string version, target;
  std::map<int, std::string> files;
  std::vector<Location> locations;
  std::vector<Variable> variables;
  std::vector<Function> functions;

  const Function* function(const std::string& name) const;
};

}  // namespace ridge::device::emulator::ptx
