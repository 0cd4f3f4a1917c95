// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma: a product of four warps. Each computes its 16 rows when it comes to the instruction, and at once: a
// register that is read too early would show nothing else on a GPU either. That memory must not change before
// wgmma.wait_group is checked there.
#include "device/emulator/lanes/access.h"
#include "device/emulator/lanes/tensor.h"

RIDGE_LANES_BEGIN

namespace {

void move_nothing(Warp&, Next, u8*, const Pattern&, u32) {}

/// 16 lines of 32 bytes, or (transposed) 16 lines along k of 32 bytes: core matrices of 8 lines of 16 bytes.
struct Chunks {
  alignas(16) u8 bytes[kWarpLanes][16];
  static int line_of(int lane) { return lane / 16 * 8 + lane % 8; }
  static int chunk_of(int lane) { return lane / 8 % 2; }
  /// The elements of chunk l as floats at place(l).
  template <class F>
  RIDGE_INLINE void widen_each(Type type, F&& place) const {
    with_type(type, [&](auto constant) {
      for (int l = 0; l < kWarpLanes; ++l) widen<decltype(constant)::value>(bytes[l], place(l));
    });
  }
};

/// Reads the rows (of A) or columns (of B) from `first` on, through the checks of shared memory; `count` is 8
/// or 16 of them.
void read_chunks(Warp& warp, Next i, int site, u64 bits, bool transposed, int first, int count, Chunks& to) {
  const MatrixDescriptor descriptor = MatrixDescriptor::read(bits);
  Instruction access = *i;
  access.target = site;
  access.move = move_nothing;
  u32* addresses = lanes_of<u32>(warp, i->d);
  for (int l = 0; l < kWarpLanes; ++l) {
    const int line = Chunks::line_of(l), chunk = Chunks::chunk_of(l);
    addresses[l] = transposed
                       ? descriptor.address(static_cast<u32>(line), static_cast<u32>(first / 8 + chunk), true)
                       : descriptor.address(static_cast<u32>(first + line), static_cast<u32>(chunk), false);
  }
  const u32 mask = warp.mask;
  warp.mask = count == 16 ? kAllLanes : transposed ? 0x00ff00ffu : 0x0000ffffu;
  Pattern& pattern = warp.worker->patterns[site];
  const u64 base = match<u32>(warp, i->d, 0, warp.mask, pattern, 16);
  const u32 lanes = open_shared<AccessKind::load>(warp, &access, pattern, base, 16);
  warp.mask = mask;
  if (lanes != kAllLanes) std::memset(to.bytes, 0, sizeof to.bytes);
  for (u32 left = lanes; left != 0; left &= left - 1) {
    const int l = std::countr_zero(left);
    std::memcpy(to.bytes[l], warp.block->shared + addresses[l], 16);
  }
}

RIDGE_INLINE void negate(f32* values, int count) {
  for (int k = 0; k < count; ++k) values[k] = -values[k];
}

/// The warp's 16 rows of A as a[16][k].
RIDGE_INLINE void read_a(Warp& warp, Next i, const TensorPlan& plan, f32* a) {
  const int k = plan.k;
  if (plan.register_a) {
    widen_tiles(warp, plan.a, i->list + plan.first_a, 2, k, a);
  } else {
    Chunks chunks;
    const u64 bits = *lanes_of<u64>(warp, i->a);
    read_chunks(warp, i, i->target, bits, plan.transposed_a, static_cast<int>(16 * (warp.id & 3)), 16,
                chunks);
    if (plan.transposed_a) {
      alignas(64) f32 values[kWarpLanes][8];
      chunks.widen_each(plan.a, [&](int l) { return values[l]; });
      for (int l = 0; l < kWarpLanes; ++l)
        for (int row = 0; row < 8; ++row)
          a[(8 * Chunks::chunk_of(l) + row) * k + Chunks::line_of(l)] = values[l][row];
    } else {
      chunks.widen_each(plan.a,
                        [&](int l) { return a + Chunks::line_of(l) * k + Chunks::chunk_of(l) * k / 2; });
    }
  }
  if (plan.negated_a) negate(a, 16 * k);
}

/// 16 columns of B as two times b[k][8].
RIDGE_INLINE void read_b(Warp& warp, Next i, const TensorPlan& plan, u64 bits, int first,
                         f32 (*b)[kMostK * 8]) {
  const int k = plan.k, count = plan.n - first < 16 ? 8 : 16;
  Chunks chunks;
  read_chunks(warp, i, i->target + 1, bits, plan.transposed_b, first, count, chunks);
  if (plan.transposed_b) {
    chunks.widen_each(plan.b, [&](int l) { return b[Chunks::chunk_of(l)] + Chunks::line_of(l) * 8; });
  } else {
    alignas(64) f32 turned[16 * kMostK];
    chunks.widen_each(plan.b,
                      [&](int l) { return turned + Chunks::line_of(l) * k + Chunks::chunk_of(l) * k / 2; });
    transpose(turned, k, b[0]);
    transpose(turned + 8 * k, k, b[1]);
  }
  if (plan.negated_b)
    for (int half = 0; half < 2; ++half) negate(b[half], 8 * k);
}

/// Runs f with the counters of shared memory off where another warp of the warpgroup counts the same read.
template <class F>
RIDGE_INLINE void counted_once(Warp& warp, F&& f) {
  const bool counting = warp.worker->counting;
  warp.worker->counting = counting && (warp.id & 3) == 0;
  f();
  warp.worker->counting = counting;
}

RIDGE_INLINE bool begin(Warp& warp, Next i, Next& next, u64& bits) {
  if (__builtin_expect(warp.mask != kAllLanes, 0) && !assemble(warp, at(warp, i), next)) return false;
  bits = *lanes_of<u64>(warp, i->b);
  if (warp.worker->checking)
    begin_product(warp, at(warp, i), i->plan->register_a ? 0 : *lanes_of<u64>(warp, i->a), bits);
  return true;
}
/// scale-d: whether D is added to.
RIDGE_INLINE bool adds(Warp& warp, Next i) {
  return (((predicate(warp, i->c) ^ (i->flags & 1 ? kAllLanes : 0)) >> std::countr_zero(warp.mask)) & 1) != 0;
}

Next multiply_warpgroup(Warp& warp, Next i) {
  Next next = nullptr;
  u64 bits = 0;
  if (!begin(warp, i, next, bits)) return next;
  const TensorPlan& plan = *i->plan;
  const int k = plan.k;
  const bool integers = plan.d == Type::s32, sums = adds(warp, i);
  alignas(64) f32 a[16 * kMostK], b[2][kMostK * 8], c[64];
  read_a(warp, i, plan, a);
  counted_once(warp, [&] {
    for (int first = 0; first < plan.n; first += 16) {
      read_b(warp, i, plan, bits, first, b);
      for (int column = first / 8; column < plan.n / 8 && column < first / 8 + 2; ++column)
        for (int half = 0; half < 2; ++half) {
          const int tile = 2 * column + half;
          if (integers || !sums)
            std::memset(c, 0, sizeof c);
          else
            load_tile(warp, plan.d, i->list, tile, c);
          accumulate(a + half * 8 * k, b[column - first / 8], k, c);
          if (integers)
            store_integers(warp, plan, i->list, sums ? i->list : nullptr, tile, c);
          else
            store_tile(warp, plan.d, i->list, tile, c);
        }
    }
  });
  return i + 1;
}

/// Single bits: how many of a row of A and a column of B are both set.
Next multiply_warpgroup_bits(Warp& warp, Next i) {
  Next next = nullptr;
  u64 bits = 0;
  if (!begin(warp, i, next, bits)) return next;
  const TensorPlan& plan = *i->plan;
  const bool sums = adds(warp, i);
  u64 a[16][4], b[16][4];
  const auto to_lines = [](const Chunks& chunks, u64(*lines)[4]) {
    for (int l = 0; l < kWarpLanes; ++l)
      std::memcpy(lines[Chunks::line_of(l)] + 2 * Chunks::chunk_of(l), chunks.bytes[l], 16);
  };
  Chunks chunks;
  if (plan.register_a) {
    for (int tile = 0; tile < 4; ++tile) {
      const u32* words = lanes_of<u32>(warp, i->list[plan.first_a + tile]);
      for (int row = 0; row < 8; ++row)
        std::memcpy(a[tile % 2 * 8 + row] + tile / 2 * 2, words + 4 * row, 16);
    }
  } else {
    read_chunks(warp, i, i->target, *lanes_of<u64>(warp, i->a), false, static_cast<int>(16 * (warp.id & 3)),
                16, chunks);
    to_lines(chunks, a);
  }
  counted_once(warp, [&] {
    for (int first = 0; first < plan.n; first += 16) {
      read_chunks(warp, i, i->target + 1, bits, false, first, plan.n - first < 16 ? 8 : 16, chunks);
      to_lines(chunks, b);
      for (int column = first / 8; column < plan.n / 8 && column < first / 8 + 2; ++column)
        for (int half = 0; half < 2; ++half) {
          s32 counts[64];
          for (int element = 0; element < 64; ++element) {
            const u64* x = a[half * 8 + element / 8];
            const u64* y = b[(column - first / 8) * 8 + element % 8];
            counts[element] = 0;
            for (int word = 0; word < 4; ++word) counts[element] += __builtin_popcountll(x[word] & y[word]);
          }
          store_integers(warp, plan, i->list, sums ? i->list : nullptr, 2 * column + half, counts);
        }
    }
  });
  return i + 1;
}

RIDGE_INLINE bool together(Warp& warp, Next i, Next& next) {
  next = i + 1;
  if (__builtin_expect(warp.mask == kAllLanes, 1)) return true;
  return assemble(warp, at(warp, i), next);
}
Next fence_registers(Warp& warp, Next i) {
  Next next = nullptr;
  if (together(warp, i, next)) warp.warpgroup.fenced = true;
  return next;
}
Next commit_group(Warp& warp, Next i) {
  Next next = nullptr;
  if (together(warp, i, next)) commit_products(warp);
  return next;
}
Next wait_group(Warp& warp, Next i) {
  Next next = nullptr;
  if (together(warp, i, next)) wait_for_products(warp, i->flags);
  return next;
}

}  // namespace

Handler warpgroup_handler(const Operation& operation) {
  switch (operation.op) {
    case Op::wgmma:
      return operation.source == Type::b1 ? multiply_warpgroup_bits : multiply_warpgroup;
    case Op::wgmma_fence:
      return fence_registers;
    case Op::wgmma_commit:
      return commit_group;
    case Op::wgmma_wait:
      return wait_group;
    default:
      return nullptr;
  }
}

RIDGE_LANES_END
