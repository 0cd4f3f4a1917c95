// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/flow.h"

#include <algorithm>
#include <string_view>

#include "device/emulator/ptx/lexer.h"

namespace ridge::device::emulator {

namespace {

bool is_opcode(const ptx::Instruction& instruction, std::string_view name) {
  const std::string& opcode = instruction.opcode;
  return opcode.starts_with(name) && (opcode.size() == name.size() || opcode[name.size()] == '.');
}
bool ends_block(const ptx::Instruction& instruction) {
  return is_opcode(instruction, "bra") || is_opcode(instruction, "brx") || is_opcode(instruction, "ret") ||
         is_opcode(instruction, "exit");
}

/// Ranks by a weak topological order (Bourdoncle): blocks of a loop stay together, so lanes that left a loop
/// wait until all have left it. Iterative, for control flow may be deep.
class Ranking {
 public:
  explicit Ranking(Flow& flow)
      : flow_(flow), blocks_(flow.blocks), number_(blocks_.size(), 0), order_(blocks_.size()) {}

  void run() {
    std::vector<int> all(blocks_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    std::vector<int> region(blocks_.size(), 0);
    components(all, region, 0, 0);
    for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i].rank = order_[i];
  }

 private:
  /// Strongly connected components of the members that lie in region `id`, in topological order; loops
  /// recurse without their head.
  void components(const std::vector<int>& members, std::vector<int>& region, int id, int depth) {
    struct Frame {
      int block;
      std::size_t edge;
    };
    std::vector<std::vector<int>> found;  // reverse topological order
    std::vector<int> stack;
    std::vector<Frame> frames;
    std::vector<int> low(blocks_.size(), 0);
    std::vector<char> on_stack(blocks_.size(), 0);
    for (const int member : members) number_[static_cast<std::size_t>(member)] = 0;
    int counter = 0;
    for (const int root : members) {
      if (number_[static_cast<std::size_t>(root)] != 0) continue;
      frames.push_back({root, 0});
      while (!frames.empty()) {
        const int block = frames.back().block;
        const auto b = static_cast<std::size_t>(block);
        if (frames.back().edge == 0) {
          low[b] = number_[b] = ++counter;
          stack.push_back(block);
          on_stack[b] = 1;
        }
        bool descended = false;
        // Later successors first: with equal rights the textual order then decides.
        while (frames.back().edge < blocks_[b].next.size()) {
          const auto& next = blocks_[b].next;
          const int successor = next[next.size() - 1 - frames.back().edge++];
          const auto s = static_cast<std::size_t>(successor);
          if (region[s] != id) continue;
          if (number_[s] == 0) {
            frames.push_back({successor, 0});
            descended = true;
            break;
          }
          if (on_stack[s]) low[b] = std::min(low[b], number_[s]);
        }
        if (descended) continue;
        if (blocks_[b].next.empty() || frames.back().edge >= blocks_[b].next.size()) {
          if (low[b] == number_[b]) {
            std::vector<int> component;
            int popped;
            do {
              popped = stack.back();
              stack.pop_back();
              on_stack[static_cast<std::size_t>(popped)] = 0;
              component.push_back(popped);
            } while (popped != block);
            found.push_back(std::move(component));
          }
          frames.pop_back();
          if (!frames.empty()) {
            const auto parent = static_cast<std::size_t>(frames.back().block);
            low[parent] = std::min(low[parent], low[b]);
          }
        }
      }
    }
    for (auto component = found.rbegin(); component != found.rend(); ++component) {
      const int head = component->back();  // the first one reached
      order_[static_cast<std::size_t>(head)] = next_rank_++;
      const auto& after = blocks_[static_cast<std::size_t>(head)].next;
      if (component->size() > 1 || std::find(after.begin(), after.end(), head) != after.end())
        add_loop(*component, head);
      if (component->size() == 1) continue;
      std::vector<int> rest(component->begin(), component->end() - 1);
      std::sort(rest.begin(), rest.end());
      if (depth >= kDeepest) {
        for (const int block : rest) order_[static_cast<std::size_t>(block)] = next_rank_++;
        continue;
      }
      const int inner = ++regions_;
      for (const int block : rest) region[static_cast<std::size_t>(block)] = inner;
      region[static_cast<std::size_t>(head)] = -1;
      components(rest, region, inner, depth + 1);
    }
  }

  /// The test is the first way out at the end of a round, else the first one at all, else there is none.
  void add_loop(std::vector<int> members, int head) {
    std::sort(members.begin(), members.end());
    int test = -1;
    bool at_end = false;
    for (const int member : members) {
      const auto& after = blocks_[static_cast<std::size_t>(member)].next;
      const bool leaves = std::any_of(after.begin(), after.end(), [&](int block) {
        return !std::binary_search(members.begin(), members.end(), block);
      });
      const bool closes = std::find(after.begin(), after.end(), head) != after.end();
      if (!leaves || at_end || (test >= 0 && !closes)) continue;
      test = member;
      at_end = closes;
    }
    const int loop = static_cast<int>(flow_.loops.size());
    flow_.loops.push_back(
        {head, blocks_[static_cast<std::size_t>(head)].loop, test >= 0 ? test : members.back()});
    for (const int member : members) blocks_[static_cast<std::size_t>(member)].loop = loop;
  }

  static constexpr int kDeepest = 200;
  Flow& flow_;
  std::vector<FlowBlock>& blocks_;
  std::vector<int> number_;
  std::vector<std::uint32_t> order_;
  std::uint32_t next_rank_ = 0;
  int regions_ = 0;
};

}  // namespace

Flow find_flow(const ptx::Function& function) {
  const std::size_t count = function.body.size();
  Flow flow;
  flow.block_of_label_target.assign(count + 1, -1);
  std::vector<char> leads(count + 1, 0);
  leads[0] = 1;
  for (const auto& [name, at] : function.labels) leads[static_cast<std::size_t>(at)] = 1;
  for (std::size_t i = 0; i < count; ++i)
    if (ends_block(function.body[i])) leads[i + 1] = 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (leads[i]) {
      flow.block_of_label_target[i] = static_cast<int>(flow.blocks.size());
      flow.blocks.push_back({static_cast<int>(i), static_cast<int>(i), {}, 0});
    }
    flow.blocks.back().last = static_cast<int>(i) + 1;
  }
  const auto block_at = [&](const std::string& label, const ptx::Instruction& from) {
    const auto found = function.labels.find(label);
    if (found == function.labels.end())
      throw ptx::SyntaxError(from.line, say("label {} is not defined", label), from.location);
    const int block = flow.block_of_label_target[static_cast<std::size_t>(found->second)];
    if (block < 0)
      throw ptx::SyntaxError(from.line, say("label {} stands behind the last instruction", label),
                             from.location);
    return block;
  };
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    FlowBlock& block = flow.blocks[b];
    const ptx::Instruction& last = function.body[static_cast<std::size_t>(block.last - 1)];
    bool falls_through = true;
    if (is_opcode(last, "bra") && !last.operands.empty()) {
      falls_through = last.guard >= 0;
    } else if (is_opcode(last, "brx") || is_opcode(last, "ret") || is_opcode(last, "exit")) {
      falls_through = last.guard >= 0;
    }
    if (falls_through && b + 1 < flow.blocks.size()) block.next.push_back(static_cast<int>(b) + 1);
    if (is_opcode(last, "bra") && !last.operands.empty())
      block.next.push_back(block_at(last.operands[0].text, last));
    if (is_opcode(last, "brx") && last.operands.size() == 2) {
      const auto table = function.tables.find(last.operands[1].text);
      if (table == function.tables.end())
        throw ptx::SyntaxError(last.line, say("a branch table is not defined"), last.location);
      for (const std::string& label : table->second) block.next.push_back(block_at(label, last));
    }
  }
  Ranking(flow).run();
  return flow;
}

namespace {

void collect(const ptx::Operand& operand, std::vector<int>& registers) {
  if (operand.kind == ptx::Operand::Kind::reg) registers.push_back(operand.index);
  for (const ptx::Operand& element : operand.elements) collect(element, registers);
}

/// Instructions without a destination among their operands.
bool writes_nothing(std::string_view opcode) {
  for (const std::string_view name : {"st",
                                      "bra",
                                      "brx",
                                      "ret",
                                      "exit",
                                      "red",
                                      "membar",
                                      "fence",
                                      "trap",
                                      "brkpt",
                                      "nanosleep",
                                      "prefetch",
                                      "prefetchu",
                                      "cp",
                                      "wgmma.fence",
                                      "wgmma.commit_group",
                                      "wgmma.wait_group",
                                      "griddepcontrol",
                                      "pmevent",
                                      "discard",
                                      "applypriority",
                                      "setmaxnreg",
                                      "stmatrix",
                                      "stackrestore",
                                      "sust",
                                      "multimem.red",
                                      "multimem.st",
                                      "call"})
    if (opcode.starts_with(name) && (opcode.size() == name.size() || opcode[name.size()] == '.')) return true;
  if (opcode.starts_with("bar.") || opcode.starts_with("barrier."))
    return opcode.find(".red.") == std::string_view::npos;
  if (opcode.starts_with("wmma.store")) return true;
  if (opcode.starts_with("mbarrier."))
    return opcode.find(".test_wait") == std::string_view::npos &&
           opcode.find(".try_wait") == std::string_view::npos &&
           !(opcode.starts_with("mbarrier.arrive") &&
             opcode.find("shared::cluster") == std::string_view::npos) &&
           opcode.find("pending_count") == std::string_view::npos;
  return false;
}

}  // namespace

bool writes_first_operand(const ptx::Instruction& instruction) {
  return !instruction.operands.empty() && instruction.operands[0].kind != ptx::Operand::Kind::address &&
         !writes_nothing(instruction.opcode);
}

Accesses accesses_of(const ptx::Instruction& instruction) {
  Accesses result;
  const bool writes = writes_first_operand(instruction);
  for (std::size_t k = 0; k < instruction.operands.size(); ++k)
    collect(instruction.operands[k], k == 0 && writes ? result.writes : result.reads);
  // wgmma adds to its accumulators, and they are read back after other lanes' turns.
  if (instruction.opcode.starts_with("wgmma.mma_async"))
    result.reads.insert(result.reads.end(), result.writes.begin(), result.writes.end());
  if (instruction.guard >= 0) {
    result.reads.push_back(instruction.guard);
    // Lanes whose guard fails keep the old value.
    result.reads.insert(result.reads.end(), result.writes.begin(), result.writes.end());
  }
  return result;
}

LiveSets find_live_sets(const ptx::Function& function, const Flow& flow) {
  const std::size_t words = (function.registers.size() + 63) / 64, count = flow.blocks.size();
  using Set = std::vector<std::uint64_t>;
  std::vector<Set> used(count, Set(words)), defined(count, Set(words));
  for (std::size_t b = 0; b < count; ++b)
    for (int i = flow.blocks[b].first; i < flow.blocks[b].last; ++i) {
      const Accesses accesses = accesses_of(function.body[static_cast<std::size_t>(i)]);
      for (const int reg : accesses.reads) {
        const auto r = static_cast<std::size_t>(reg);
        if (!(defined[b][r / 64] >> (r % 64) & 1)) used[b][r / 64] |= std::uint64_t{1} << (r % 64);
      }
      for (const int reg : accesses.writes) {
        const auto r = static_cast<std::size_t>(reg);
        defined[b][r / 64] |= std::uint64_t{1} << (r % 64);
      }
    }
  LiveSets live{std::vector<Set>(count, Set(words)), std::vector<Set>(count, Set(words))};
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = count; b-- > 0;)
      for (std::size_t w = 0; w < words; ++w) {
        std::uint64_t leaving = 0;
        for (const int next : flow.blocks[b].next) leaving |= live.in[static_cast<std::size_t>(next)][w];
        const std::uint64_t entering = used[b][w] | (leaving & ~defined[b][w]);
        live.out[b][w] = leaving;
        if (entering != live.in[b][w]) {
          live.in[b][w] = entering;
          changed = true;
        }
      }
  }
  return live;
}

std::vector<LiveRange> find_live_ranges(const ptx::Function& function, const Flow& flow) {
  const std::size_t registers = function.registers.size();
  std::vector<LiveRange> ranges(registers);
  const auto extend = [&](std::size_t reg, int at) {
    LiveRange& range = ranges[reg];
    range.first = range.first < 0 ? at : std::min(range.first, at);
    range.last = std::max(range.last, at);
  };
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    const Accesses accesses = accesses_of(function.body[i]);
    const int at = 2 * static_cast<int>(i);
    for (const int reg : accesses.reads) extend(static_cast<std::size_t>(reg), at);
    // Several results may be written while sources are still read: then they must not share a slot with
    // them.
    const bool early = accesses.writes.size() > 1;
    for (const int reg : accesses.writes) {
      extend(static_cast<std::size_t>(reg), early ? at : at + 1);
      extend(static_cast<std::size_t>(reg), at + 1);
    }
  }
  // Lanes of a diverged warp visit blocks in any order, so a register lives through the whole span of blocks
  // between.
  const LiveSets live = find_live_sets(function, flow);
  for (std::size_t b = 0; b < flow.blocks.size(); ++b)
    for (std::size_t r = 0; r < registers; ++r) {
      if (live.in[b][r / 64] >> (r % 64) & 1) {
        extend(r, 2 * flow.blocks[b].first);
        if (b == 0) ranges[r].at_entry = true;
      }
      if (live.out[b][r / 64] >> (r % 64) & 1) extend(r, 2 * flow.blocks[b].last - 1);
    }
  return ranges;
}

}  // namespace ridge::device::emulator
