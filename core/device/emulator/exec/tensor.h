// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products of a warp (mma, wmma) and of a warpgroup (wgmma): what decode knows of them, and what
// outlives one instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "device/emulator/decode/operation.h"

namespace ridge::device::emulator {

struct Instruction;
struct Warp;

// How a warp holds a matrix. A 32-bit register of all lanes, read lane by lane, is a tile of 8 rows (of A; of
// B: columns) by 4 e elements in row-major order, where e elements fit into 32 bits. The tiles of a fragment
// follow each other in this order: A: the 8-row halves of a block of 16 rows, then along k, then the blocks;
// B: along k, then the blocks of 8 columns; C and D: the halves, then the blocks of 8 columns, then the
// blocks of 16 rows. An accumulator of 32 or 64 bits takes two registers a tile, for its even and its odd
// columns. The ISA fixes this for mma and wgmma and leaves it open for wmma, which uses the same here.

/// D = A * B + C as one warp computes it.
struct TensorPlan {
  std::uint16_t m = 0, n = 0, k = 0;  ///< wgmma: m is 16, the rows of one of the four warps
  Type a = Type::none, b = Type::none, c = Type::none, d = Type::none;
  std::uint8_t first_a = 0, first_b = 0,
               first_c = 0;              ///< where their slots begin in the list; D's come first
  bool saturating = false;               ///< .satfinite of integers
  bool exclusive = false;                ///< single bits: xor instead of and
  bool column_a = false, row_b = false;  ///< mma.m8n8k4 of f16 only: its fragments depend on it
  // wgmma
  bool register_a = false;                          ///< else a descriptor in slot a
  bool transposed_a = false, transposed_b = false;  ///< M-major, N-major
  bool negated_a = false, negated_b = false;
};

/// Rows of one block: 16, or all 8.
constexpr int block_rows(const TensorPlan& plan) {
  return plan.m < 16 ? 8 : 16;
}
constexpr int element_bits(Type type) {
  switch (type) {
    case Type::b1:
      return 1;
    case Type::s4:
    case Type::u4:
      return 4;
    default:
      return 8 * ptx::size_of(type);
  }
}

/// How the address of a lane of a fragment in memory grows with its group of four lanes and its place in it.
struct TileWalk {
  std::uint32_t group_line = 0, place_line = 0;    ///< lines of the matrix, `stride` elements apart
  std::uint32_t group_bytes = 0, place_bytes = 0;  ///< within a line
  std::uint32_t bits = 0;                          ///< of an element

  std::uint32_t pack() const {
    return group_line | place_line << 4 | group_bytes << 8 | place_bytes << 16 | bits << 24;
  }
  static TileWalk unpack(std::uint32_t packed) {
    return {packed & 15, packed >> 4 & 15, packed >> 8 & 255, packed >> 16 & 255, packed >> 24};
  }
};

/// Where the operands of a wgmma in shared memory lie: bits of a matrix descriptor.
struct MatrixDescriptor {
  std::uint32_t start = 0, leading = 0, stride = 0;  ///< bytes
  std::uint32_t base = 0;                            ///< of the swizzle's pattern, in rows of 128 bytes
  std::uint32_t width = 16;  ///< bytes of a row of the swizzle's pattern; 16: no swizzle

  static MatrixDescriptor read(std::uint64_t bits) {
    constexpr std::uint32_t kWidths[4] = {16, 128, 64, 32};
    const auto bytes = [&](int shift) { return static_cast<std::uint32_t>(bits >> shift & 0x3fff) << 4; };
    return {bytes(0), bytes(16), bytes(32), static_cast<std::uint32_t>(bits >> 49 & 7), kWidths[bits >> 62]};
  }
  /// The address of 16 bytes: `line` counts along M or N where the matrix is K-major, else along K; `chunk`
  /// counts runs of 16 bytes along the other.
  std::uint32_t address(std::uint32_t line, std::uint32_t chunk, bool transposed) const {
    const std::uint32_t group = line / 8, in_row = chunk % (width / 16), beyond = chunk / (width / 16);
    std::uint32_t linear = start + line % 8 * width;
    if (width == 16)
      linear += transposed ? group * leading + chunk * stride : group * stride + chunk * leading;
    else
      linear += group * stride + in_row * 16 + (transposed ? beyond * leading : 0);
    const std::uint32_t pattern = (linear >> 7) - base;
    return linear ^ ((pattern & (width / 16 - 1)) << 4);
  }
};

/// Products whose operands in shared memory must not change yet.
struct PendingProduct {
  const Instruction* instruction = nullptr;
  std::uint64_t a = 0, b = 0;  ///< descriptors
  std::uint32_t step = 0;      ///< of the block when it began
  bool committed = false;
  std::uint64_t group = 0;  ///< number of its commit group
};
struct WarpgroupState {
  bool fenced = false;  ///< a wgmma.fence since the warp began
  std::uint64_t groups = 0;
  std::vector<PendingProduct> pending;

  void reset() {
    fenced = false;
    groups = 0;
    pending.clear();
  }
};

/// A *.sync.aligned instruction that not all lanes of the warp have reached: they wait for each other. True:
/// it shall run now. False: the warp goes on at `next`.
bool assemble(Warp& warp, const Instruction* at, const Instruction*& next);

/// A wgmma begins: who may not, and what it needs, is reported.
void begin_product(Warp& warp, const Instruction* at, std::uint64_t a, std::uint64_t b);
void commit_products(Warp& warp);
/// Waits until at most `left` groups are pending: memory that changed under them is reported.
void wait_for_products(Warp& warp, std::uint32_t left);
/// Lanes leave the kernel: products that nobody waits for are reported.
void leave_products(Warp& warp);

}  // namespace ridge::device::emulator
