// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/uses.h"

#include <algorithm>
#include <utility>

namespace ridge::device::emulator {

namespace {

using Bits = std::vector<std::uint64_t>;

void set(Bits& bits, std::size_t i) {
  bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

/// By block: the blocks that every path to it goes through.
std::vector<Bits> find_dominators(const Flow& flow) {
  const std::size_t count = flow.blocks.size(), words = (count + 63) / 64;
  std::vector<std::vector<int>> before(count);
  for (std::size_t b = 0; b < count; ++b)
    for (const int next : flow.blocks[b].next)
      before[static_cast<std::size_t>(next)].push_back(static_cast<int>(b));
  std::vector<Bits> dominators(count, Bits(words, ~std::uint64_t{0}));
  dominators[0].assign(words, 0);
  set(dominators[0], 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = 1; b < count; ++b) {
      Bits common(words, ~std::uint64_t{0});
      for (const int previous : before[b])
        for (std::size_t w = 0; w < words; ++w)
          common[w] &= dominators[static_cast<std::size_t>(previous)][w];
      set(common, b);
      if (common == dominators[b]) continue;
      dominators[b] = std::move(common);
      changed = true;
    }
  }
  return dominators;
}

}  // namespace

Uses::Uses(ptx::Function& function, const Flow& flow)
    : block_of_(function.body.size()),
      dominators_(find_dominators(flow)),
      definition_(function.registers.size(), kNone),
      readers_(function.registers.size()),
      guards_(function.registers.size()) {
  for (std::size_t b = 0; b < flow.blocks.size(); ++b)
    for (int i = flow.blocks[b].first; i < flow.blocks[b].last; ++i)
      block_of_[static_cast<std::size_t>(i)] = static_cast<int>(b);
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    ptx::Instruction& instruction = function.body[i];
    for (const int reg : accesses_of(instruction).writes) {
      int& definition = definition_[static_cast<std::size_t>(reg)];
      definition = definition == kNone && instruction.guard < 0 ? static_cast<int>(i) : kSeveral;
    }
    for_each_read(instruction, [&](const ptx::Operand& operand) {
      readers_[static_cast<std::size_t>(operand.index)].push_back(static_cast<int>(i));
    });
    if (instruction.guard >= 0)
      guards_[static_cast<std::size_t>(instruction.guard)].push_back(static_cast<int>(i));
  }
}

bool Uses::dominates(int a, int b) const {
  const int block_a = block_of(a), block_b = block_of(b);
  if (block_a == block_b) return a < b;
  const auto bit = static_cast<std::size_t>(block_a);
  return (dominators_[static_cast<std::size_t>(block_b)][bit / 64] >> (bit % 64) & 1) != 0;
}

bool Uses::is_single(int reg, int i) const {
  const auto dominated = [&](int use) { return dominates(i, use); };
  return definition(reg) == i && std::all_of(readers(reg).begin(), readers(reg).end(), dominated) &&
         std::all_of(guards(reg).begin(), guards(reg).end(), dominated);
}

}  // namespace ridge::device::emulator
