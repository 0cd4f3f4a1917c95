// SPDX-License-Identifier: GPL-3.0-or-later
// What an instruction does, as plain data: decode reads it off the opcode's text, lanes/ answers with a
// handler.
#pragma once

#include <cstdint>

#include "device/emulator/ptx/module.h"

namespace ridge::device::emulator {

using ptx::StateSpace;
using ptx::Type;

// clang-format off
enum class Op : std::uint8_t {
  none,
  // arithmetic
  add, sub, mul, mul_hi, mul_wide, mad, mad_hi, mad_wide, mul24, mad24, sad, div, rem, abs, neg, min, max, min3, max3, fma,
  add_carry, sub_carry, mad_carry, mad_hi_carry,
  shift_add,  // a + (b << c), of 64 bits: made by decode
  rcp, sqrt, rsqrt, ex2, lg2, sin, cos, tanh, copysign, testp,
  // bits
  bit_and, bit_or, bit_xor, bit_not, cnot, shl, shr, shf_left, shf_right, bfe, bfi, bfind, brev, clz, popc, prmt, lop3, fns, bmsk, szext,
  dp4a, dp2a,
  // comparison and selection
  setp, set, selp, slct,
  video,  // bytes and halves of words: an operation of their own kind and a plan say the rest
  // moves and conversions
  mov, pack, unpack, cvt, cvt_pack, read_clock, local_address, function_address,
  // memory
  ld, st, ld_frame, st_frame, atom, red, prefetch, fence, isspacep, cvta_shared, cvta_local,
  // warp
  shfl, vote, match_any, match_all, redux, activemask, elect, warp_barrier,
  // tensor
  mma, wmma, ldmatrix, stmatrix, movmatrix, tile_address, assemble, wgmma, wgmma_fence, wgmma_commit, wgmma_wait,
  // block and control
  asynchronous,  // copies, mbarriers, clusters: decode/async.cpp reads the rest
  copy_async, commit_copies, wait_copies,
  barrier, barrier_result, bra, brx, call, ret, exit, stack, trap, breakpoint, nanosleep, nop
};

enum class Rounding : std::uint8_t {
  unset, rn, rz, rm, rp, rna,
  rni, rzi, rmi, rpi,  // to an integral value
  approx, full
};

enum class Compare : std::uint8_t {
  eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan
};

enum class Boolean : std::uint8_t { none, conjunction, disjunction, exclusive };

enum class AtomicOp : std::uint8_t { add, inc, dec, min, max, bit_and, bit_or, bit_xor, exch, cas };

/// Of video instructions.
enum class VideoOp : std::uint8_t { add, sub, absdiff, min, max, average, shl, shr, mad, set };

enum class Mode : std::uint8_t { none, up, down, bfly, idx, all, any, uni, ballot, shiftamt, wrap, clamp };
// clang-format on

/// Everything that chooses a handler. Operands are not part of it.
struct Operation {
  Op op = Op::none;
  Type type = Type::none;    ///< of the instruction; cvt: of the destination
  Type source = Type::none;  ///< cvt, set: of the source; dp4a: of b
  Rounding rounding = Rounding::unset;
  Compare compare = Compare::eq;
  Boolean combine = Boolean::none;  ///< setp, set with a third operand
  AtomicOp atomic = AtomicOp::add;
  VideoOp video = VideoOp::add;
  Mode mode = Mode::none;
  StateSpace space = StateSpace::generic;
  std::uint8_t vector = 1;          ///< video: parts of a word
  std::uint8_t register_bytes = 0;  ///< of ld/st/cvt registers, which may be wider than the type
  std::uint8_t source_bytes = 0;    ///< of cvt's source register
  std::uint8_t address_bytes = 8;
  bool ftz = false, sat = false, relu = false, satfinite = false, nan = false, xorsign_abs = false;
  bool carry_in = false, carry_out = false;
  bool second = false;  ///< a second destination: setp p|q, shfl d|p, dp2a.hi, match p; ldmatrix.trans;
                        ///< ld, st: an earlier access matched the same addresses
};

}  // namespace ridge::device::emulator
