// SPDX-License-Identifier: GPL-3.0-or-later
// Control flow of a function: basic blocks, the order in which diverged lanes visit them, and which registers
// live where.
#pragma once

#include <cstdint>
#include <vector>

#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator {

struct FlowBlock {
  int first = 0, last = 0;  ///< instructions [first, last)
  std::vector<int> next;
  std::uint32_t rank = 0;
  int loop = -1;  ///< the innermost one around it
};

struct FlowLoop {
  int head = 0, parent = -1;
  int test = 0;  ///< the block whose end decides whether the loop goes on
};

struct Flow {
  std::vector<FlowBlock> blocks;
  std::vector<FlowLoop> loops;             ///< outer ones first
  std::vector<int> block_of_label_target;  ///< by instruction: the block that begins there, or -1
};

/// Throws ptx::SyntaxError for branches to nowhere.
Flow find_flow(const ptx::Function& function);

struct LiveRange {
  int first = -1,
      last = -1;          ///< in half steps: 2 i reads of instruction i, 2 i + 1 its writes; -1: never used
  bool at_entry = false;  ///< may be read before it is written
};

/// What an instruction reads and writes, as registers.
struct Accesses {
  std::vector<int> reads, writes;
};
Accesses accesses_of(const ptx::Instruction& instruction);
/// The first operand is a destination.
bool writes_first_operand(const ptx::Instruction& instruction);

/// Registers that are alive when a block is entered and left: a bit each, by block.
struct LiveSets {
  std::vector<std::vector<std::uint64_t>> in, out;
};
LiveSets find_live_sets(const ptx::Function& function, const Flow& flow);
std::vector<LiveRange> find_live_ranges(const ptx::Function& function, const Flow& flow);

}  // namespace ridge::device::emulator
