// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor operations of a warp: matrix products, and moving 8 x 8 matrices between registers and shared
// memory.
#include "device/emulator/lanes/tensor.h"

#include "device/emulator/lanes/table.h"

RIDGE_LANES_BEGIN

namespace {

/// True when the instruction has to wait for other lanes of its warp; `next` is then what runs instead.
RIDGE_INLINE bool must_wait(Warp& warp, Next i, Next& next) {
  if (__builtin_expect(warp.mask == kAllLanes, 1)) return false;
  return !assemble(warp, at(warp, i), next);
}

Next assemble_warp(Warp& warp, Next i) {
  Next next = nullptr;
  return must_wait(warp, i, next) ? next : i + 1;
}

/// f16, bf16, tf32, fp8 into f16 or f32, and integers of 4 and 8 bits into s32.
Next multiply(Warp& warp, Next i) {
  if (Next next = nullptr; must_wait(warp, i, next)) return next;
  const TensorPlan& plan = *i->plan;
  const int k = plan.k, halves = block_rows(plan) / 8, columns = plan.n / 8;
  const int a_tiles = halves * k * element_bits(plan.a) / 128, b_tiles = k * element_bits(plan.b) / 128;
  const bool integers = plan.d == Type::s32;
  const u32* slots_c = i->list + plan.first_c;
  alignas(64) f32 a[16 * kMostK], turned[8 * kMostK], b[kMostK * 8], c[64];
  for (int block = 0, tile = 0; block < plan.m / (8 * halves); ++block) {
    widen_tiles(warp, plan.a, i->list + plan.first_a + block * a_tiles, halves, k, a);
    for (int column = 0; column < columns; ++column) {
      widen_tiles(warp, plan.b, i->list + plan.first_b + column * b_tiles, 1, k, turned);
      transpose(turned, k, b);
      for (int half = 0; half < halves; ++half, ++tile) {
        if (integers)
          std::memset(c, 0, sizeof c);
        else
          load_tile(warp, plan.c, slots_c, tile, c);
        accumulate(a + half * 8 * k, b, k, c);
        if (integers)
          store_integers(warp, plan, i->list, slots_c, tile, c);
        else
          store_tile(warp, plan.d, i->list, tile, c);
      }
    }
  }
  return i + 1;
}

/// f64, one fused multiply-add after the other along k.
Next multiply_doubles(Warp& warp, Next i) {
  if (Next next = nullptr; must_wait(warp, i, next)) return next;
  const TensorPlan& plan = *i->plan;
  const int k = plan.k, halves = plan.m / 8;
  const u32* slots_a = i->list + plan.first_a;
  const u32* slots_b = i->list + plan.first_b;
  const u32* slots_c = i->list + plan.first_c;
  alignas(64) f64 b[16 * 8], sums[2][64];
  for (int step = 0; step < k / 4; ++step) {
    const f64* tile = lanes_of<f64>(warp, slots_b[step]);
    for (int l = 0; l < kWarpLanes; ++l) b[(4 * step + (l & 3)) * 8 + (l >> 2)] = tile[l];
  }
  for (int half = 0; half < halves; ++half) {
    const f64* even = lanes_of<f64>(warp, slots_c[2 * half]);
    const f64* odd = lanes_of<f64>(warp, slots_c[2 * half + 1]);
    for (int l = 0; l < kWarpLanes; ++l) {
      sums[half][2 * l] = even[l];
      sums[half][2 * l + 1] = odd[l];
    }
    for (int step = 0; step < k / 4; ++step) {
      const f64* a = lanes_of<f64>(warp, slots_a[step * halves + half]);
      for (int l = 0; l < kWarpLanes; ++l) {
        f64* row = sums[half] + (l >> 2) * 8;
        const f64* line = b + (4 * step + (l & 3)) * 8;
        RIDGE_LANE_LOOP
        for (int column = 0; column < 8; ++column) row[column] = fused(a[l], line[column], row[column]);
      }
    }
  }
  for (int half = 0; half < halves; ++half) {
    f64* even = lanes_of<f64>(warp, i->list[2 * half]);
    f64* odd = lanes_of<f64>(warp, i->list[2 * half + 1]);
    for (int l = 0; l < kWarpLanes; ++l) {
      even[l] = sums[half][2 * l];
      odd[l] = sums[half][2 * l + 1];
    }
  }
  return i + 1;
}

/// Single bits: how many of a row and a column are both set, or differ.
Next multiply_bits(Warp& warp, Next i) {
  if (Next next = nullptr; must_wait(warp, i, next)) return next;
  const TensorPlan& plan = *i->plan;
  const int halves = plan.m / 8, steps = plan.k / 128;
  const u32* slots_a = i->list + plan.first_a;
  const u32* slots_b = i->list + plan.first_b;
  const u32* slots_c = i->list + plan.first_c;
  s32 sums[2][64] = {};
  for (int half = 0; half < halves; ++half)
    for (int step = 0; step < steps; ++step) {
      const u32* a = lanes_of<u32>(warp, slots_a[step * halves + half]);
      const u32* b = lanes_of<u32>(warp, slots_b[step]);
      for (int element = 0; element < 64; ++element)
        for (int word = 0; word < 4; ++word) {
          const u32 x = a[element / 8 * 4 + word], y = b[element % 8 * 4 + word];
          sums[half][element] += __builtin_popcount(plan.exclusive ? x ^ y : x & y);
        }
    }
  for (int half = 0; half < halves; ++half) store_integers(warp, plan, i->list, slots_c, half, sums[half]);
  return i + 1;
}

/// mma.m8n8k4 of f16: four products, each by the four lanes 4 q and the four lanes 16 + 4 q.
Next multiply_quads(Warp& warp, Next i) {
  if (Next next = nullptr; must_wait(warp, i, next)) return next;
  const TensorPlan& plan = *i->plan;
  const auto half_of = [&](u32 slot, int lane, int element) {
    return half_to_f32(lanes_of<u16>(warp, slot)[2 * lane + element]);
  };
  alignas(64) f32 a[4][8 * 4], b[4][4 * 8], c[4][64];
  // Element e of an accumulator in a lane: f16 has the lane's row, f32 is spread over pairs of rows.
  const auto place = [](Type type, int lane, int e) {
    const int upper = lane < 16 ? 0 : 4;
    return type == Type::f16 ? ((lane & 3) + upper) * 8 + e
                             : ((lane & 1) + (e & 2) + upper) * 8 + (e & 4) + (lane & 2) + (e & 1);
  };
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const int quad = lane >> 2 & 3, upper = lane < 16 ? 0 : 4, own = lane & 3;
    for (int e = 0; e < 4; ++e) {
      const f32 x = half_of(i->list[plan.first_a + e / 2], lane, e & 1);
      const f32 y = half_of(i->list[plan.first_b + e / 2], lane, e & 1);
      a[quad][plan.column_a ? (e + upper) * 4 + own : (own + upper) * 4 + e] = x;
      b[quad][plan.row_b ? own * 8 + e + upper : e * 8 + own + upper] = y;
    }
    for (int e = 0; e < 8; ++e)
      c[quad][place(plan.c, lane, e)] = plan.c == Type::f16
                                            ? half_of(i->list[plan.first_c + e / 2], lane, e & 1)
                                            : lanes_of<f32>(warp, i->list[plan.first_c + e])[lane];
  }
  for (int quad = 0; quad < 4; ++quad) accumulate(a[quad], b[quad], 4, c[quad]);
  for (int lane = 0; lane < kWarpLanes; ++lane)
    for (int e = 0; e < 8; ++e) {
      const f32 value = c[lane >> 2 & 3][place(plan.d, lane, e)];
      if (plan.d == Type::f16)
        lanes_of<u16>(warp, i->list[e / 2])[2 * lane + (e & 1)] = f32_to_half(value);
      else
        lanes_of<f32>(warp, i->list[e])[lane] = canonical(value);
    }
  return i + 1;
}

// ---- 8 x 8 matrices of 16 bits ----

/// Eight rows of eight elements of 16 bits become columns.
RIDGE_INLINE void transpose_rows(__m128i (&rows)[8]) {
  __m128i pairs[8], fours[8];
  for (int k = 0; k < 4; ++k) {
    pairs[2 * k] = _mm_unpacklo_epi16(rows[2 * k], rows[2 * k + 1]);
    pairs[2 * k + 1] = _mm_unpackhi_epi16(rows[2 * k], rows[2 * k + 1]);
  }
  for (int k = 0; k < 2; ++k)
    for (int half = 0; half < 2; ++half) {
      fours[4 * k + 2 * half] = _mm_unpacklo_epi32(pairs[4 * k + half], pairs[4 * k + 2 + half]);
      fours[4 * k + 2 * half + 1] = _mm_unpackhi_epi32(pairs[4 * k + half], pairs[4 * k + 2 + half]);
    }
  for (int k = 0; k < 4; ++k) {
    rows[2 * k] = _mm_unpacklo_epi64(fours[k], fours[4 + k]);
    rows[2 * k + 1] = _mm_unpackhi_epi64(fours[k], fours[4 + k]);
  }
}

/// d[c][r] = a[r][c]; both may be one register.
Next transpose_matrix(Warp& warp, Next i) {
  if (Next next = nullptr; must_wait(warp, i, next)) return next;
  __m128i rows[8];
  std::memcpy(rows, lanes_of<u16>(warp, i->a), sizeof rows);
  transpose_rows(rows);
  std::memcpy(lanes_of<u16>(warp, i->d), rows, sizeof rows);
  return i + 1;
}

/// Lane l has the address of row l % 8 of matrix l / 8.
template <bool kTransposed>
void load_rows(Warp& warp, Next i, u8* host, const Pattern& pattern, u32 lanes) {
  for (int matrix = 0; (lanes >> 8 * matrix & 0xff) == 0xff;) {  // all of its rows
    __m128i rows[8];
    for (int row = 0; row < 8; ++row) std::memcpy(rows + row, host + pattern.relative[8 * matrix + row], 16);
    if constexpr (kTransposed) transpose_rows(rows);
    std::memcpy(lanes_of<u16>(warp, i->list[matrix]), rows, sizeof rows);
    lanes &= ~(0xffu << 8 * matrix);
    if (++matrix == 4) return;
  }
  for (u32 left = lanes; left != 0; left &= left - 1) {
    const int l = std::countr_zero(left), row = l & 7;
    const u8* from = host + pattern.relative[l];
    u16* matrix = lanes_of<u16>(warp, i->list[l >> 3]);
    if constexpr (kTransposed) {
      u16 values[8];
      std::memcpy(values, from, 16);
      for (int column = 0; column < 8; ++column) matrix[column * 8 + row] = values[column];
    } else {
      std::memcpy(matrix + 8 * row, from, 16);
    }
  }
}
template <bool kTransposed>
void store_rows(Warp& warp, Next i, u8* host, const Pattern& pattern, u32 lanes) {
  for (u32 left = lanes; left != 0; left &= left - 1) {
    const int l = std::countr_zero(left), row = l & 7;
    u8* to = host + pattern.relative[l];
    const u16* matrix = lanes_of<u16>(warp, i->list[l >> 3]);
    if constexpr (kTransposed) {
      u16 values[8];
      for (int column = 0; column < 8; ++column) values[column] = matrix[column * 8 + row];
      std::memcpy(to, values, 16);
    } else {
      std::memcpy(to, matrix + 8 * row, 16);
    }
  }
}

/// Addresses of wmma.load and wmma.store: base + line * stride + offset, where line and offset grow with the
/// lane's group of four and its place in the group.
template <class A>
Next tile_address(Warp& warp, Next i) {
  const A* base = lanes_of<A>(warp, i->a);
  const u32* stride = lanes_of<u32>(warp, i->b);
  const TileWalk walk = TileWalk::unpack(i->flags);
  const u32 first = static_cast<u32>(i->immediate);
  for_lanes(warp.mask, lanes_of<A>(warp, i->d), [=](int l) {
    const u32 group = static_cast<u32>(l) >> 2, place = static_cast<u32>(l) & 3;
    const u32 line = first + group * walk.group_line + place * walk.place_line;
    const u64 offset =
        u64{line * walk.bits} * stride[l] / 8 + group * walk.group_bytes + place * walk.place_bytes;
    return static_cast<A>(base[l] + static_cast<A>(offset));
  });
  return i + 1;
}

/// The same for rows of 8 x 8 matrices of 16 bits: lane l has row l % 8 of matrix l / 8, whose first line and
/// byte offset are listed.
template <class A>
Next row_address(Warp& warp, Next i) {
  const A* base = lanes_of<A>(warp, i->a);
  const u32* stride = lanes_of<u32>(warp, i->b);
  const u32* places = i->list;
  const u32 last = i->flags - 1;
  for_lanes(warp.mask, lanes_of<A>(warp, i->d), [=](int l) {
    const u32 own = static_cast<u32>(l) >> 3, matrix = own < last ? own : last;
    const u32 line = places[2 * matrix] + (static_cast<u32>(l) & 7);
    return static_cast<A>(base[l] + static_cast<A>(u64{2 * line} * stride[l] + places[2 * matrix + 1]));
  });
  return i + 1;
}

}  // namespace

Handler tensor_handler(const Operation& operation) {
  switch (operation.op) {
    case Op::assemble:
      return assemble_warp;
    case Op::mma:
      if (operation.second) return multiply_quads;
      if (operation.type == Type::f64) return multiply_doubles;
      return operation.source == Type::b1 ? multiply_bits : multiply;
    case Op::movmatrix:
      return transpose_matrix;
    case Op::tile_address:
      if (operation.second)
        return operation.address_bytes == 4 ? Handler(row_address<u32>) : Handler(row_address<u64>);
      return operation.address_bytes == 4 ? Handler(tile_address<u32>) : Handler(tile_address<u64>);
    default:
      return nullptr;
  }
}

Instruction::Move tensor_mover(const Operation& operation) {
  if (operation.op == Op::ldmatrix) return operation.second ? load_rows<true> : load_rows<false>;
  return operation.second ? store_rows<true> : store_rows<false>;
}

RIDGE_LANES_END
