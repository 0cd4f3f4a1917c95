// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/copies.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>
#include <utility>

#include "device/emulator/decode/slots.h"

namespace ridge::device::emulator {

namespace {

using ptx::Operand;
using Kind = Operand::Kind;
using Bits = std::vector<std::uint64_t>;

constexpr std::size_t kManyBlocks = 4096,
                      kManyCopies = 2048;  ///< beyond these the gain is not worth the time

bool get(const Bits& bits, std::size_t i) {
  return (bits[i / 64] >> (i % 64) & 1) != 0;
}
void set(Bits& bits, std::size_t i) {
  bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

/// Does it copy a register or a constant of the same size, whatever its type? Device memory has the same
/// addresses in its own and in the generic space.
bool is_copy(const ptx::Instruction& instruction, const ptx::Function& function) {
  const std::string& opcode = instruction.opcode;
  const bool moves =
      opcode.starts_with("mov.") || opcode == "cvta.to.global.u64" || opcode == "cvta.global.u64";
  if (!moves || instruction.guard >= 0 || instruction.operands.size() != 2) return false;
  const Operand& target = instruction.operands[0];
  const Operand& source = instruction.operands[1];
  if (target.kind != Kind::reg) return false;
  const ptx::Type type = function.registers[static_cast<std::size_t>(target.index)].type;
  if (type == ptx::Type::pred) return false;
  if (source.kind != Kind::reg)
    return source.kind == Kind::integer || source.kind == Kind::f32 || source.kind == Kind::f64 ||
           source.kind == Kind::name;
  const ptx::Type other = function.registers[static_cast<std::size_t>(source.index)].type;
  return other != ptx::Type::pred && Frame::slot_bytes(type) == Frame::slot_bytes(other);
}

/// Instructions that may insist on a register where others take a constant.
bool takes_constants(const std::string& opcode) {
  for (const char* base : {"call", "brx", "wmma", "mma", "wgmma", "ldmatrix", "stmatrix", "movmatrix", "cp.",
                           "mbarrier", "tex", "tld4", "suld", "sust", "sured", "bar", "st.param", "mapa"})
    if (opcode.starts_with(base)) return false;
  return true;
}

/// Applies f to every register that the instruction reads, except its guard.
template <class F>
void for_each_read(ptx::Instruction& instruction, F&& f) {
  const auto visit = [&](auto& self, Operand& operand) -> void {
    if (operand.kind == Kind::reg) f(operand);
    for (Operand& element : operand.elements) self(self, element);
  };
  for (std::size_t k = 0; k < instruction.operands.size(); ++k)
    if (k > 0 || !writes_first_operand(instruction)) visit(visit, instruction.operands[k]);
}

class Pass {
 public:
  Pass(ptx::Function& function, const Flow& flow) : function_(function), flow_(flow) {
    const std::size_t count = function.body.size();
    result_.elided.assign(count, 0);
    result_.resident.assign(count, 0);
    block_of_.resize(count);
    for (std::size_t b = 0; b < flow.blocks.size(); ++b)
      for (int i = flow.blocks[b].first; i < flow.blocks[b].last; ++i)
        block_of_[static_cast<std::size_t>(i)] = static_cast<int>(b);
    find_dominators();
    find_uses();
  }

  void propagate(const std::function<bool(const std::string&)>& is_constant) {
    for (std::size_t i = 0; i < function_.body.size(); ++i) {
      ptx::Instruction& copy = function_.body[i];
      if (is_copy(copy, function_)) {
        propagate_copy(static_cast<int>(i), is_constant);
      } else if (loads_parameter(copy)) {
        const std::vector<int> targets = accesses_of(copy).writes;
        result_.resident[i] = std::all_of(targets.begin(), targets.end(),
                                          [&](int reg) { return is_single(reg, static_cast<int>(i)); });
      }
    }
  }

  /// Copies between registers that are never both alive: one name for both.
  void coalesce() {
    std::vector<std::pair<int, int>> copies;  // loop depth, instruction
    std::vector<int> member(function_.registers.size(), -1);
    int members = 0;
    const auto join = [&](int reg) {
      if (int& m = member[static_cast<std::size_t>(reg)]; m < 0) m = members++;
    };
    for (std::size_t i = 0; i < function_.body.size(); ++i) {
      const ptx::Instruction& copy = function_.body[i];
      if (result_.elided[i] || !is_copy(copy, function_) || copy.operands[1].kind != Kind::reg) continue;
      int depth = 0;
      for (int loop = flow_.blocks[static_cast<std::size_t>(block_of_[i])].loop; loop >= 0;
           loop = flow_.loops[static_cast<std::size_t>(loop)].parent)
        ++depth;
      copies.emplace_back(-depth, static_cast<int>(i));
      join(copy.operands[0].index);
      join(copy.operands[1].index);
    }
    if (copies.empty() || copies.size() > kManyCopies) return;
    std::stable_sort(copies.begin(), copies.end(), [](auto& a, auto& b) { return a.first < b.first; });
    std::vector<Bits> conflicts = find_conflicts(member, static_cast<std::size_t>(members));

    std::vector<int> leader(static_cast<std::size_t>(members));
    std::iota(leader.begin(), leader.end(), 0);
    const auto lead = [&](int reg) {
      int m = member[static_cast<std::size_t>(reg)];
      while (leader[static_cast<std::size_t>(m)] != m) m = leader[static_cast<std::size_t>(m)];
      return static_cast<std::size_t>(m);
    };
    for (const auto& [depth, i] : copies) {
      const ptx::Instruction& copy = function_.body[static_cast<std::size_t>(i)];
      const std::size_t a = lead(copy.operands[0].index), b = lead(copy.operands[1].index);
      if (a == b || get(conflicts[a], b)) continue;
      leader[b] = static_cast<int>(a);
      for (std::size_t m = 0; m < conflicts.size(); ++m) {
        if (get(conflicts[b], m)) set(conflicts[a], m);
        if (get(conflicts[m], b)) set(conflicts[m], a);
      }
    }
    std::vector<int> name_of_leader(static_cast<std::size_t>(members), -1);
    std::vector<int> renamed(function_.registers.size());
    std::iota(renamed.begin(), renamed.end(), 0);
    for (std::size_t reg = 0; reg < member.size(); ++reg) {
      if (member[reg] < 0) continue;
      int& name = name_of_leader[lead(static_cast<int>(reg))];
      if (name < 0) name = static_cast<int>(reg);
      renamed[reg] = name;
    }
    rename(renamed);
    result_.renamed = std::move(renamed);
  }

  Copies take() { return std::move(result_); }

 private:
  void find_dominators() {
    const std::size_t count = flow_.blocks.size(), words = (count + 63) / 64;
    std::vector<std::vector<int>> before(count);
    for (std::size_t b = 0; b < count; ++b)
      for (const int next : flow_.blocks[b].next)
        before[static_cast<std::size_t>(next)].push_back(static_cast<int>(b));
    dominators_.assign(count, Bits(words, ~std::uint64_t{0}));
    dominators_[0].assign(words, 0);
    set(dominators_[0], 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = 1; b < count; ++b) {
        Bits common(words, ~std::uint64_t{0});
        for (const int previous : before[b])
          for (std::size_t w = 0; w < words; ++w)
            common[w] &= dominators_[static_cast<std::size_t>(previous)][w];
        set(common, b);
        if (common == dominators_[b]) continue;
        dominators_[b] = std::move(common);
        changed = true;
      }
    }
  }

  void find_uses() {
    definition_.assign(function_.registers.size(), kNone);
    uses_.assign(function_.registers.size(), {});
    for (std::size_t i = 0; i < function_.body.size(); ++i) {
      ptx::Instruction& instruction = function_.body[i];
      for (const int reg : accesses_of(instruction).writes) {
        int& definition = definition_[static_cast<std::size_t>(reg)];
        definition = definition == kNone && instruction.guard < 0 ? static_cast<int>(i) : kSeveral;
      }
      for_each_read(instruction, [&](const Operand& operand) {
        uses_[static_cast<std::size_t>(operand.index)].push_back(static_cast<int>(i));
      });
    }
  }

  bool dominates(int a, int b) const {
    const int block_a = block_of_[static_cast<std::size_t>(a)],
              block_b = block_of_[static_cast<std::size_t>(b)];
    if (block_a == block_b) return a < b;
    return get(dominators_[static_cast<std::size_t>(block_b)], static_cast<std::size_t>(block_a));
  }
  /// Instruction i alone writes the register, and before every use.
  bool is_single(int reg, int i) const {
    const auto& uses = uses_[static_cast<std::size_t>(reg)];
    return definition_[static_cast<std::size_t>(reg)] == i &&
           std::all_of(uses.begin(), uses.end(), [&](int use) { return dominates(i, use); });
  }

  bool loads_parameter(const ptx::Instruction& instruction) const {
    if (!function_.entry || !instruction.opcode.starts_with("ld.param") || instruction.guard >= 0 ||
        instruction.operands.size() != 2 || instruction.operands[1].kind != Kind::address)
      return false;
    const Operand& base = instruction.operands[1].elements[0];
    return base.kind == Kind::name &&
           std::any_of(function_.parameters.begin(), function_.parameters.end(),
                       [&](const ptx::Variable& parameter) { return parameter.name == base.text; });
  }

  void propagate_copy(int i, const std::function<bool(const std::string&)>& is_constant) {
    ptx::Instruction& copy = function_.body[static_cast<std::size_t>(i)];
    const int target = copy.operands[0].index;
    const Operand& source = copy.operands[1];
    if (!is_single(target, i)) return;
    auto& uses = uses_[static_cast<std::size_t>(target)];
    Operand value = source;
    if (source.kind == Kind::reg) {
      const int definition = definition_[static_cast<std::size_t>(source.index)];
      if (definition < 0 || !dominates(definition, i)) return;
    } else {
      if (source.kind == Kind::name && !is_constant(source.text)) return;
      if (!std::all_of(uses.begin(), uses.end(), [&](int use) {
            return takes_constants(function_.body[static_cast<std::size_t>(use)].opcode);
          }))
        return;
      if (source.kind == Kind::f32 || source.kind == Kind::f64) {
        if (!copy.opcode.ends_with(source.kind == Kind::f32 ? "32" : "64")) return;  // it converts
        value.kind = Kind::integer;
      }
    }
    for (const int use : uses) {
      for_each_read(function_.body[static_cast<std::size_t>(use)], [&](Operand& operand) {
        if (operand.index != target) return;
        const bool negated = operand.negated;
        operand = value;
        operand.negated = negated;
      });
      if (value.kind == Kind::reg) uses_[static_cast<std::size_t>(value.index)].push_back(use);
    }
    elide(static_cast<std::size_t>(i));
  }

  void elide(std::size_t i) {
    result_.elided[i] = 1;
    function_.body[i].operands.clear();
  }

  /// Which members are written while others are alive.
  std::vector<Bits> find_conflicts(const std::vector<int>& member, std::size_t members) const {
    std::vector<Bits> conflicts(members, Bits((members + 63) / 64));
    const LiveSets live = find_live_sets(function_, flow_);
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) {
      Bits alive((members + 63) / 64);
      for (std::size_t reg = 0; reg < member.size(); ++reg)
        if (member[reg] >= 0 && get(live.out[b], reg)) set(alive, static_cast<std::size_t>(member[reg]));
      for (int i = flow_.blocks[b].last; i-- > flow_.blocks[b].first;) {
        const ptx::Instruction& instruction = function_.body[static_cast<std::size_t>(i)];
        const Accesses accesses = accesses_of(instruction);
        int copied = -1;  // holds the same value afterwards: no conflict
        if (is_copy(instruction, function_) && instruction.operands[1].kind == Kind::reg)
          copied = member[static_cast<std::size_t>(instruction.operands[1].index)];
        const auto meet = [&](std::size_t a, std::size_t other) {
          if (a == other || static_cast<int>(other) == copied) return;
          set(conflicts[a], other);
          set(conflicts[other], a);
        };
        const auto each_member = [&](const std::vector<int>& registers, auto&& f) {
          for (const int reg : registers)
            if (const int m = member[static_cast<std::size_t>(reg)]; m >= 0) f(static_cast<std::size_t>(m));
        };
        each_member(accesses.writes, [&](std::size_t written) {
          for (std::size_t m = 0; m < members; ++m)
            if (get(alive, m)) meet(written, m);
          each_member(accesses.writes, [&](std::size_t other) { meet(written, other); });
          // Several results may be written while sources are still read.
          if (accesses.writes.size() > 1)
            each_member(accesses.reads, [&](std::size_t read) { meet(written, read); });
        });
        each_member(accesses.writes,
                    [&](std::size_t m) { alive[m / 64] &= ~(std::uint64_t{1} << (m % 64)); });
        each_member(accesses.reads, [&](std::size_t m) { set(alive, m); });
      }
    }
    return conflicts;
  }

  void rename(const std::vector<int>& renamed) {
    const auto visit = [&](auto& self, Operand& operand) -> void {
      if (operand.kind == Kind::reg) operand.index = renamed[static_cast<std::size_t>(operand.index)];
      for (Operand& element : operand.elements) self(self, element);
    };
    for (std::size_t i = 0; i < function_.body.size(); ++i) {
      ptx::Instruction& instruction = function_.body[i];
      const bool copy =
          !result_.elided[i] && is_copy(instruction, function_) && instruction.operands[1].kind == Kind::reg;
      for (Operand& operand : instruction.operands) visit(visit, operand);
      if (copy && instruction.operands[0].index == instruction.operands[1].index) elide(i);
    }
  }

  static constexpr int kNone = -1, kSeveral = -2;
  ptx::Function& function_;
  const Flow& flow_;
  Copies result_;
  std::vector<int> block_of_;
  std::vector<Bits> dominators_;        ///< by block
  std::vector<int> definition_;         ///< by register: the only instruction that writes it
  std::vector<std::vector<int>> uses_;  ///< by register
};

}  // namespace

Copies remove_copies(ptx::Function& function, const Flow& flow,
                     const std::function<bool(const std::string&)>& is_constant) {
  if (flow.blocks.size() > kManyBlocks) {
    const std::size_t count = function.body.size();
    return {std::vector<char>(count, 0), std::vector<char>(count, 0), {}};
  }
  Pass pass(function, flow);
  pass.propagate(is_constant);
  pass.coalesce();
  return pass.take();
}

}  // namespace ridge::device::emulator
