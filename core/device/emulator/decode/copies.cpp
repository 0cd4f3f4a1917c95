// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/copies.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "device/emulator/decode/slots.h"
#include "device/emulator/decode/uses.h"

namespace ridge::device::emulator {

namespace {

using ptx::Operand;
using Kind = Operand::Kind;
using Bits = std::vector<std::uint64_t>;

constexpr std::size_t kManyCopies = 2048;  ///< beyond them the gain is not worth the time

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

/// Takes an instruction out; it still counts.
void elide(ptx::Instruction& instruction, char& elided) {
  elided = 1;
  instruction.operands.clear();
}

/// Copies into registers that are written once: their readers read the source.
class Propagation {
 public:
  Propagation(ptx::Function& function, const Flow& flow, Rewrites& rewrites)
      : function_(function), uses_(function, flow), rewrites_(rewrites) {}

  void run(const std::function<bool(const std::string&)>& is_constant) {
    for (std::size_t i = 0; i < function_.body.size(); ++i) {
      ptx::Instruction& copy = function_.body[i];
      if (is_copy(copy, function_)) {
        propagate(static_cast<int>(i), is_constant);
      } else if (loads_parameter(copy)) {
        const std::vector<int> targets = accesses_of(copy).writes;
        rewrites_.resident[i] = std::all_of(targets.begin(), targets.end(), [&](int reg) {
          return uses_.is_single(reg, static_cast<int>(i));
        });
      }
    }
  }

 private:
  bool loads_parameter(const ptx::Instruction& instruction) const {
    if (!function_.entry || !instruction.opcode.starts_with("ld.param") || instruction.guard >= 0 ||
        instruction.operands.size() != 2 || instruction.operands[1].kind != Kind::address)
      return false;
    const Operand& base = instruction.operands[1].elements[0];
    return base.kind == Kind::name &&
           std::any_of(function_.parameters.begin(), function_.parameters.end(),
                       [&](const ptx::Variable& parameter) { return parameter.name == base.text; });
  }

  void propagate(int i, const std::function<bool(const std::string&)>& is_constant) {
    ptx::Instruction& copy = function_.body[static_cast<std::size_t>(i)];
    const int target = copy.operands[0].index;
    const Operand& source = copy.operands[1];
    if (!uses_.is_single(target, i)) return;
    const std::vector<int>& uses = uses_.readers(target);
    Operand value = source;
    if (source.kind == Kind::reg) {
      const int definition = uses_.definition(source.index);
      if (definition < 0 || !uses_.dominates(definition, i)) return;
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
        const std::string part = std::move(operand.part);
        operand = value;
        operand.negated = negated;
        operand.part = part;
      });
      if (value.kind == Kind::reg) uses_.add_reader(value.index, use);
    }
    elide(copy, rewrites_.elided[static_cast<std::size_t>(i)]);
  }

  ptx::Function& function_;
  Uses uses_;
  Rewrites& rewrites_;
};

/// Copies between registers that are never both alive: one name for both.
class Coalescing {
 public:
  Coalescing(ptx::Function& function, const Flow& flow, Rewrites& rewrites)
      : function_(function), flow_(flow), rewrites_(rewrites) {}

  void run() {
    std::vector<std::pair<int, int>> copies;  // loop depth, instruction
    std::vector<int> member(function_.registers.size(), -1);
    int members = 0;
    const auto join = [&](int reg) {
      if (int& m = member[static_cast<std::size_t>(reg)]; m < 0) m = members++;
    };
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b)
      for (int i = flow_.blocks[b].first; i < flow_.blocks[b].last; ++i) {
        const ptx::Instruction& copy = function_.body[static_cast<std::size_t>(i)];
        if (rewrites_.elided[static_cast<std::size_t>(i)] || !is_copy(copy, function_) ||
            copy.operands[1].kind != Kind::reg)
          continue;
        int depth = 0;
        for (int loop = flow_.blocks[b].loop; loop >= 0;
             loop = flow_.loops[static_cast<std::size_t>(loop)].parent)
          ++depth;
        copies.emplace_back(-depth, i);
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
    rewrites_.renamed = std::move(renamed);
  }

 private:
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
      const bool copy = !rewrites_.elided[i] && is_copy(instruction, function_) &&
                        instruction.operands[1].kind == Kind::reg;
      for (Operand& operand : instruction.operands) visit(visit, operand);
      if (copy && instruction.operands[0].index == instruction.operands[1].index)
        elide(instruction, rewrites_.elided[i]);
    }
  }

  ptx::Function& function_;
  const Flow& flow_;
  Rewrites& rewrites_;
};

}  // namespace

void propagate_copies(ptx::Function& function, const Flow& flow,
                      const std::function<bool(const std::string&)>& is_constant, Rewrites& rewrites) {
  Propagation(function, flow, rewrites).run(is_constant);
}

void coalesce_copies(ptx::Function& function, const Flow& flow, Rewrites& rewrites) {
  Coalescing(function, flow, rewrites).run();
}

}  // namespace ridge::device::emulator
