// SPDX-License-Identifier: GPL-3.0-or-later
// Decoding of one function: its state and the helpers that the families of instructions share.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "device/emulator/decode/decode.h"
#include "device/emulator/decode/flow.h"
#include "device/emulator/decode/opcode.h"
#include "device/emulator/decode/provenance.h"
#include "device/emulator/decode/rewrites.h"
#include "device/emulator/decode/slots.h"

namespace ridge::device::emulator {

/// What ends decoding; never leaves decode().
struct DecodeError : std::runtime_error {
  DecodeError(bool is_unsupported, const ptx::Instruction& at, Sentence words)
      : std::runtime_error(words.english()),
        unsupported(is_unsupported),
        location(at.location),
        ptx_line(at.line),
        message(std::move(words)) {}
  bool unsupported;
  int location, ptx_line;
  Sentence message;
};

/// What all functions of a module share.
struct ModuleContext {
  const ptx::Module& module;
  const std::map<std::string, std::uint64_t>& symbols;
  const LanesTable& lanes;
  Program& program;
  std::map<std::string, std::int64_t> shared;        ///< offsets of module-level .shared variables
  std::map<std::string, std::int64_t> shared_bytes;  ///< their sizes; -1: dynamic
  std::int64_t common_shared = 0;                    ///< bytes of them all
  std::int64_t dynamic_offset = 0;                   ///< of dynamic shared memory, when functions use it
  std::int64_t dynamic_alignment = 16;               ///< the greatest that a declaration asks for
  std::map<std::string, int> functions;              ///< defined ones, by index
};

class FunctionDecoder {
 public:
  FunctionDecoder(ModuleContext& context, ptx::Function function, int index, Style style);
  void decode();

 private:
  using Operand = ptx::Operand;
  using Kind = ptx::Operand::Kind;

  // decoder.cpp: layout, blocks, operands
  void place_variables();
  void emit_entry(const FlowBlock& block);
  void close_block();
  bool is_constant(const std::string& name) const;
  std::vector<LiveRange> ranges(Style style) const;
  void encode(const ptx::Instruction& instruction);
  void describe(const ptx::Instruction& instruction, const Opcode& opcode);
  void describe_elided(const ptx::Instruction& instruction);
  Instruction& emit(const Operation& operation);
  void guard(std::size_t first);
  std::uint32_t source(const Operand& operand, Type type);
  std::uint32_t source(const Operand& operand, Type type, int bytes);
  std::uint32_t name_slot(const Operand& operand, int bytes);
  std::uint32_t destination(const Operand& operand, int bytes);
  std::uint32_t predicate_source(const Operand& operand, std::uint32_t& flags, std::uint32_t negated_flag);
  std::uint32_t predicate_destination(const Operand& operand);
  const std::uint32_t* list_of(std::vector<std::uint32_t> slots);
  int register_bytes(const Operand& operand) const;
  std::uint64_t immediate_bits(const Operand& operand, Type type) const;
  const Operand& operand(std::size_t index) const;
  [[noreturn]] void unsupported() const;
  [[noreturn]] void malformed(const Sentence& what) const;
  bool is_read(const Operand& operand) const;

  // families.cpp: arithmetic, comparison, moves, conversions, warp operations
  bool encode_arithmetic(Opcode& opcode);
  bool encode_bits(Opcode& opcode);
  bool encode_comparison(Opcode& opcode);
  bool encode_move(Opcode& opcode);
  void encode_conversion(Opcode& opcode);
  void encode_integer_packing(Opcode& opcode);
  bool encode_warp(Opcode& opcode);
  void three_sources(const Operation& operation, std::size_t count);
  void encode_lop3(const Operation& operation);
  void encode_cvta(Opcode& opcode);

  // moves.cpp: mov
  void encode_mov(Opcode& opcode);
  void encode_predicate_mov(const Operation& operation);
  void encode_vector_mov(Operation operation);
  void encode_packing(Operation operation, bool packs, const Operand& whole, std::vector<Operand> parts);
  void encode_copies(Type type, const std::vector<Operand>& targets, const std::vector<Operand>& sources);

  // video.cpp
  void encode_video(Opcode& opcode);

  // access.cpp: loads, stores, atomics, parameters
  bool encode_memory(Opcode& opcode);
  void encode_parameter_load(Opcode& opcode, bool resident);
  void encode_frame_access(Opcode& opcode, const FrameVariable& variable);
  void encode_access(Opcode& opcode);
  void encode_atomic(Opcode& opcode);
  void check_cache_hint(const Opcode& opcode);
  bool is_vector_atomic(const Operation& operation) const;
  std::uint32_t address_slot(const Operand& address, Operation& operation);
  std::uint32_t matching_site(const Operand& address, const Operation& operation, int bytes,
                              std::uint32_t site);
  std::uint32_t add_site(const Opcode& opcode, const Operand& address, int bytes, int element_bytes);
  void note_store(const MemorySite& site, const Operand& base);
  const FrameVariable* frame_variable(const Operand& address) const;
  std::vector<std::uint32_t> data_slots(const Operand& operand, const Operation& operation, bool is_store);

  // tensor.cpp: matrix products of a warp, matrices between registers and memory
  bool encode_tensor(Opcode& opcode);
  void encode_product(const Opcode& opcode);
  void encode_fragment_access(const Opcode& opcode);
  struct FragmentAccess;
  struct FragmentRequest;
  FragmentAccess read_fragment_access(const Opcode& opcode);
  void load_fragment_rows(const FragmentAccess& access);
  std::vector<FragmentRequest> requests_of(const FragmentAccess& access);
  void emit_request(const FragmentAccess& access, const FragmentRequest& request, std::uint32_t address);
  void pack_bytes(std::uint32_t into);
  void encode_matrix_access(const Opcode& opcode);
  std::vector<std::uint32_t> fragment(const Operand& operand, Type type, bool written);
  Instruction& emit_product(const Operation& operation, const TensorPlan& plan,
                            std::vector<std::uint32_t> slots);
  std::uint32_t scratch(std::size_t index);
  void emit_rows(const Opcode& access, const Operand& address, std::uint32_t base,
                 std::vector<std::uint32_t> matrices, bool transposed, std::uint32_t counted);
  void emit_assembly();

  // warpgroup.cpp: wgmma
  void encode_warpgroup(const Opcode& opcode);

  // control.cpp: branches, calls, barriers
  bool encode_control(Opcode& opcode);
  void encode_branch(Opcode& opcode);
  int block_of_label(const std::string& label) const;
  void encode_comparing_branch(const ptx::Instruction& comparison);
  void encode_call();
  void encode_stack(const Opcode& opcode);
  void encode_barrier(Opcode& opcode);
  void emit_side_block(std::uint32_t rank);

  // async.cpp: asynchronous copies, mbarriers, clusters, textures
  bool encode_asynchronous(Opcode& opcode);
  void encode_cluster_address(Opcode& opcode);
  void encode_copy(Opcode& opcode);
  void encode_mbarrier(Opcode& opcode);
  void encode_bulk(Opcode& opcode);
  void encode_async_store(Opcode& opcode);
  void encode_texture(Opcode& opcode);
  void require_parts(const Opcode& opcode, std::initializer_list<std::string_view> known) const;
  void add_address(std::vector<std::uint32_t>& list, const Operand& address);
  std::uint32_t add_copy_sites(int bytes, bool loads, const Operand* device);
  Instruction& emit(Handler handler);
  void classify(const Opcode& opcode, InstructionInfo& info) const;

  ModuleContext& context_;
  Program& program_;
  ptx::Function function_;
  FunctionCode& code_;
  int index_;
  Flow flow_;
  Rewrites rewrites_;
  std::set<int> read_registers_;
  Frame frame_;
  Provenance provenance_;  ///< of shared and local memory
  Provenance pointers_;    ///< of device memory
  const ptx::Instruction* current_ = nullptr;
  InstructionInfo described_;
  std::map<std::string, std::int64_t> shared_, local_;
  std::map<std::string, std::int64_t> array_bytes_;  ///< of shared and local variables; -1: dynamic
  std::map<std::string, FrameVariable> frame_variables_;
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> parameters_;  ///< of an entry: offset, bytes
  std::vector<std::pair<std::size_t, int>> patches_;  ///< instruction, block it goes to
  std::vector<std::pair<std::size_t, std::vector<int>>> table_patches_;
  std::vector<std::uint32_t> block_starts_;
  /// Accesses since which the warp has gone on without a rest and the register of the address has kept its
  /// value.
  struct Matched {
    int base = -1, bytes = 0;
    std::uint32_t site = 0;
    std::int64_t offset = 0;
    Op op = Op::none;
    StateSpace space = StateSpace::generic;
  };
  std::vector<Matched> matched_;
  std::vector<std::uint32_t> scratch_;  ///< slots for what lives within one PTX instruction
  int block_ = -1;                      ///< basic block of the program
  std::size_t first_elided_ = 0;        ///< of this block, in the program
  int first_loop_ = 0;                  ///< of the function, in the program
};

}  // namespace ridge::device::emulator
