// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/fusion.h"

#include <algorithm>
#include <optional>
#include <string>

#include "device/emulator/decode/uses.h"

namespace ridge::device::emulator {

namespace {

using ptx::Operand;
using Kind = Operand::Kind;

constexpr int kNear = 64;  ///< instructions over which a pair is looked for

Operand whole_number(std::uint64_t value) {
  Operand operand;
  operand.kind = Kind::integer;
  operand.bits = value;
  return operand;
}

class Fusion {
 public:
  Fusion(ptx::Function& function, const Flow& flow, Rewrites& rewrites)
      : function_(function), flow_(flow), uses_(function, flow), rewrites_(rewrites) {}

  void run() {
    for (std::size_t i = 0; i < function_.body.size(); ++i) {
      fuse_index(static_cast<int>(i));
      fuse_comparison(static_cast<int>(i));
    }
  }

 private:
  ptx::Instruction& at(int i) { return function_.body[static_cast<std::size_t>(i)]; }

  /// Does instruction i, which is never skipped, alone write its first operand?
  bool is_only_writer(int i) {
    const ptx::Instruction& instruction = at(i);
    return instruction.guard < 0 && !instruction.operands.empty() &&
           instruction.operands[0].kind == Kind::reg && uses_.is_single(instruction.operands[0].index, i);
  }

  /// Is instruction `to` in a loop that does not go round instruction `from`? Work is not moved into it.
  bool runs_more_often(int to, int from) const {
    const int around = loop_of(to);
    int loop = loop_of(from);
    while (loop >= 0 && loop != around) loop = flow_.loops[static_cast<std::size_t>(loop)].parent;
    return loop != around;
  }
  int loop_of(int i) const { return flow_.blocks[static_cast<std::size_t>(uses_.block_of(i))].loop; }

  /// Does the operand of instruction `from` still have its value at the later instruction `to`?
  bool lasts(const Operand& operand, int from, int to) {
    if (operand.kind == Kind::integer) return true;
    if (operand.kind == Kind::name) return operand.text.starts_with("%");
    if (operand.kind != Kind::reg) return false;
    // A single definition before both cannot run again between them.
    const int definition = uses_.definition(operand.index);
    if (definition >= 0 && uses_.dominates(definition, from)) return true;
    if (uses_.block_of(from) != uses_.block_of(to)) return false;
    for (int i = from; i < to; ++i) {
      const std::vector<int> writes = accesses_of(at(i)).writes;
      if (std::find(writes.begin(), writes.end(), operand.index) != writes.end()) return false;
    }
    return true;
  }

  /// How instruction i makes an offset out of an index: the opcode of the sum and its factors.
  struct Scaling {
    const char* opcode;
    Operand index, factor;
  };
  std::optional<Scaling> scaling_of(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    const auto& operands = instruction.operands;
    if (operands.size() == 2 && opcode == "cvt.s64.s32")
      return Scaling{"mad.wide.s32", operands[1], whole_number(1)};
    if (operands.size() == 2 && opcode == "cvt.u64.u32")
      return Scaling{"mad.wide.u32", operands[1], whole_number(1)};
    if (operands.size() != 3) return std::nullopt;
    if (opcode == "mul.wide.s32") return Scaling{"mad.wide.s32", operands[1], operands[2]};
    if (opcode == "mul.wide.u32") return Scaling{"mad.wide.u32", operands[1], operands[2]};
    if (opcode == "shl.b64" && operands[2].kind == Kind::integer && operands[2].bits < 64)
      return Scaling{kShiftAdd, operands[1], operands[2]};
    return std::nullopt;
  }

  bool is_sum(const ptx::Instruction& instruction) const {
    return (instruction.opcode == "add.s64" || instruction.opcode == "add.u64") && instruction.guard < 0 &&
           instruction.operands.size() == 3;
  }

  /// An offset that is only added to addresses is made where they are.
  void fuse_index(int i) {
    const std::optional<Scaling> scaling = is_only_writer(i) ? scaling_of(at(i)) : std::nullopt;
    if (!scaling || has_wrong_size(scaling->index, scaling->opcode)) return;
    const int target = at(i).operands[0].index;
    const std::vector<int> readers = uses_.readers(target);
    if (readers.empty()) return;
    for (const int reader : readers) {
      if (reader - i > kNear || runs_more_often(reader, i) || !is_sum(at(reader)) ||
          !lasts(scaling->index, i, reader) || !lasts(scaling->factor, i, reader))
        return;
      const auto& operands = at(reader).operands;
      const auto is_offset = [&](const Operand& operand) {
        return operand.kind == Kind::reg && operand.index == target;
      };
      if (is_offset(operands[1]) == is_offset(operands[2])) return;  // twice
    }
    const Scaling made = *scaling;
    for (const int reader : readers) {
      ptx::Instruction& sum = at(reader);
      const bool first = sum.operands[1].kind == Kind::reg && sum.operands[1].index == target;
      const Operand base = sum.operands[first ? 2 : 1];
      sum.opcode = made.opcode;
      sum.operands = {sum.operands[0], made.index, made.factor, base};
      for (const Operand& operand : {made.index, made.factor})
        if (operand.kind == Kind::reg) uses_.add_reader(operand.index, reader);
    }
    elide(i);
  }

  /// The decoder says so where it looks at the instruction by itself.
  bool has_wrong_size(const Operand& operand, const std::string& opcode) const {
    if (operand.kind != Kind::reg) return false;
    const ptx::Type type = function_.registers[static_cast<std::size_t>(operand.index)].type;
    return ptx::size_of(type) != (opcode == kShiftAdd ? 8 : 4);
  }

  /// A comparison whose result one branch only asks for is made by the branch.
  void fuse_comparison(int i) {
    const ptx::Instruction& setp = at(i);
    if (!is_only_writer(i) || setp.operands.size() != 3 || !compares_simply(setp.opcode)) return;
    const int predicate = setp.operands[0].index;
    if (!uses_.readers(predicate).empty() || uses_.guards(predicate).size() != 1) return;
    const int reader = uses_.guards(predicate).front();
    ptx::Instruction& branch = at(reader);
    if (reader < i || reader - i > kNear || runs_more_often(reader, i) ||
        (branch.opcode != "bra" && branch.opcode != "bra.uni") || branch.operands.size() != 1 ||
        !lasts(setp.operands[1], i, reader) || !lasts(setp.operands[2], i, reader))
      return;
    for (const std::size_t k : {1, 2}) {
      const Operand operand = setp.operands[k];
      branch.operands.push_back(operand);
      if (operand.kind == Kind::reg) uses_.add_reader(operand.index, reader);
    }
    branch.guard = -1;
    rewrites_.compared[static_cast<std::size_t>(reader)] = i;
    elide(i);
  }

  /// setp.lt.s32 and the like, without a third operand.
  bool compares_simply(const std::string& opcode) const {
    return opcode.starts_with("setp.") && std::count(opcode.begin(), opcode.end(), '.') == 2 &&
           (opcode.ends_with(".s32") || opcode.ends_with(".u32") || opcode.ends_with(".b32") ||
            opcode.ends_with(".s64") || opcode.ends_with(".u64") || opcode.ends_with(".b64") ||
            opcode.ends_with(".f32"));
  }

  void elide(int i) {
    rewrites_.elided[static_cast<std::size_t>(i)] = 1;
    at(i).operands.clear();
  }

  ptx::Function& function_;
  const Flow& flow_;
  Uses uses_;
  Rewrites& rewrites_;
};

}  // namespace

void fuse(ptx::Function& function, const Flow& flow, Rewrites& rewrites) {
  Fusion(function, flow, rewrites).run();
}

}  // namespace ridge::device::emulator
