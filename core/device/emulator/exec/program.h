// SPDX-License-Identifier: GPL-3.0-or-later
// A decoded module: an array of instructions, each with its handler and the slots of its operands. A slot is
// a byte offset into the frame of a warp: 32 values of 2, 4 or 8 bytes side by side, or one 32-bit mask for a
// predicate. Immediates, kernel parameters and special registers are slots too, so that handlers know one
// operand form only.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "device/emulator/decode/operation.h"
#include "device/emulator/exec/tensor.h"
#include "device/emulator/exec/video.h"

namespace ridge::device::emulator {

struct Pattern;
struct Warp;
struct Instruction;
/// Executes one instruction for the active lanes and returns the next one; null: the warp stops running for
/// now.
using Handler = const Instruction* (*)(Warp&, const Instruction*);

inline constexpr std::uint32_t kNoSlot = 0xffffffffu;

struct alignas(64) Instruction {
  /// Moves data between the registers of some lanes and host memory.
  using Move = void (*)(Warp&, const Instruction*, std::uint8_t* host, const Pattern&, std::uint32_t lanes);

  Handler run = nullptr;
  std::uint32_t d = kNoSlot, a = kNoSlot, b = kNoSlot, c = kNoSlot;
  std::int64_t immediate = 0;           ///< address offset, lop3 table, rank of a basic block…
  const std::uint32_t* list = nullptr;  ///< slots of a vector operand
  std::uint32_t e = kNoSlot;            ///< fourth operand or second destination
  std::uint32_t index = 0;              ///< of this instruction in the program
  std::int32_t target = -1;  ///< instruction (branch), function (call), memory site, basic block (entry)
  std::uint32_t flags = 0;   ///< meaning depends on the handler
  union {
    const Instruction* inner = nullptr;  ///< of a guarded instruction: what runs where the predicate holds
    Move move;                           ///< of a memory access
    const TensorPlan* plan;              ///< of a matrix product
    const VideoPlan* video;              ///< of a video instruction
  };
};
static_assert(sizeof(Instruction) == 64);

// Instruction::flags of warp operations whose operands are constants.
inline constexpr std::uint32_t kConstantMembers =
    0x100;  ///< the mask stands in the upper half of `immediate`
inline constexpr std::uint32_t kConstantShuffle = 0x200;  ///< shfl: whole warps, by the lane or distance in
                                                          ///< the lower half

enum class InstructionClass : std::uint8_t { integer, floating, special, control, memory, other };
enum class FlopKind : std::uint8_t {
  none,
  fp64,
  fp32,
  fp16,
  bf16,
  tensor_fp16,
  tensor_bf16,
  tensor_tf32,
  tensor_fp64,
  tensor_int8,
  tensor_fp8
};

/// What checks, counters and messages want to know of an instruction; handlers do not look here.
struct InstructionInfo {
  int location = -1;
  int ptx_line = 0;
  std::string opcode;
  InstructionClass kind = InstructionClass::other;
  FlopKind flop_kind = FlopKind::none;
  std::uint32_t flops = 0;  ///< of one lane (tensor operations: of one warp / 32)
  int function = 0;
  std::size_t begin = 0, end = 0;  ///< of the instruction in the PTX text; it may become several
  int block = -1;                  ///< basic block
  bool entry_of_block = false;
  bool branches = false;      ///< may part the lanes
  bool plain_access = false;  ///< lanes access memory at the values of slot a, plus a constant
};

/// A place where memory is accessed: it has an address pattern and counts of its own in every worker.
struct MemorySite {
  std::uint32_t instruction = 0;
  StateSpace space = StateSpace::generic;
  std::uint8_t bytes = 4;  ///< of one lane's access, all vector elements together
  std::uint8_t element_bytes = 4;
  std::uint8_t address_bytes = 8;  ///< of the register or constant that holds the address
  bool store = false, atomic = false;
  bool ordered = false;  ///< volatile, relaxed, acquire, release: no race by itself
  bool acquires = false, releases = false;
  bool cached = true;  ///< may hit in L1
  /// Bounds of the array that the address derives from, in its state space; 0, 0: unknown. High -1: the
  /// dynamic end.
  std::int64_t low = 0, high = 0;
  std::string array;  ///< its name
};

struct BasicBlock {
  std::uint32_t first = 0;  ///< the entry pseudo-instruction
  std::uint32_t count = 0;  ///< instructions, without the entry
  std::uint32_t rank = 0;   ///< order in which diverged splits run
  int function = 0;
  int loop = -1;  ///< the innermost one around it
};

struct Loop {
  int head = 0;            ///< basic block
  int parent = -1;         ///< the loop around it
  std::uint32_t test = 0;  ///< the instruction that decides whether it goes on
};

enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  envreg1,
  envreg2,
  zero
};

/// Where a kernel parameter's bytes are broadcast to.
struct ParameterSlot {
  std::uint32_t slot = 0, offset = 0;
  std::uint8_t bytes = 4;       ///< read from the parameter
  std::uint8_t slot_bytes = 4;  ///< written to each lane
  bool sign_extend = false;
};
struct ConstantSlot {
  std::uint32_t slot = 0;
  std::uint8_t bytes = 4;
  std::uint64_t bits = 0;
};
struct SpecialSlot {
  std::uint32_t slot = 0;
  std::uint8_t bytes = 4;
  Special special = Special::zero;
};

/// A .param variable of a function body or a formal parameter: bytes of each lane in the frame.
struct FrameVariable {
  std::uint32_t slot = 0;   ///< lane l's bytes start at slot + l * bytes
  std::uint32_t bytes = 0;  ///< padded to 8
};

struct FunctionCode {
  std::string name;
  bool entry = false;
  std::uint32_t first = 0;  ///< first instruction
  std::uint32_t frame_bytes = 64;
  std::vector<ConstantSlot> constants;
  std::vector<SpecialSlot> specials;
  std::vector<ParameterSlot> parameter_slots;  ///< entries only
  std::vector<std::uint32_t> zeroed_masks;     ///< predicates and…
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      zeroed;                                   ///< …slots (offset, bytes) that may be read before written
  std::vector<FrameVariable> formals, results;  ///< functions only
  std::uint32_t local_bytes = 0;
  std::vector<std::uint32_t> parameter_offsets, parameter_bytes;  ///< entries only
  std::uint32_t parameter_block_bytes = 0;
  std::int64_t shared_bytes = 0;    ///< static, of the function and all it may call
  std::int64_t dynamic_offset = 0;  ///< where dynamic shared memory begins
  int max_threads = 0;
  std::vector<std::uint32_t> required_threads, required_cluster;
  std::vector<std::uint32_t> register_slots;  ///< by index of the PTX's registers; kNoSlot: never read
  int location = -1;
  /// Which device memory it may write to: where these parameters (by offset) and addresses point, or
  /// anywhere.
  std::vector<std::uint32_t> stored_parameters;
  std::vector<std::uint64_t> stored_addresses;
  bool stores_anywhere = false;
  bool ordered_blocks =
      false;  ///< uses an atomic's result, float atomics or flags: blocks run one after another
};

struct Call {
  int function = -1;                              ///< -1: through a register
  std::uint32_t address = kNoSlot;                ///< slot with the function's address
  int system = -1;                                ///< index into the system calls, or -1
  std::vector<FrameVariable> arguments, results;  ///< in the caller's frame
};

struct Program {
  std::vector<Instruction> code;
  std::vector<InstructionInfo> info;
  std::vector<InstructionInfo> elided;  ///< copies that are counted and not executed
  std::deque<Instruction> guarded;      ///< what guarded instructions run where their predicate holds
  std::vector<MemorySite> sites;
  std::vector<BasicBlock> blocks;
  std::vector<Loop> loops;
  std::vector<FunctionCode> functions;
  std::vector<Call> calls;
  std::deque<std::vector<std::uint32_t>> lists;
  std::deque<TensorPlan> plans;
  std::deque<VideoPlan> videos;
  bool grows_stack = false;                ///< by alloca
  int shared_shift = 2, global_shift = 2;  ///< log2 of the smallest access: granularity of race checks

  int function(const std::string& name) const {
    for (std::size_t i = 0; i < functions.size(); ++i)
      if (functions[i].name == name) return static_cast<int>(i);
    return -1;
  }
};

}  // namespace ridge::device::emulator
