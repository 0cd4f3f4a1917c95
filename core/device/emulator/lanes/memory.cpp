// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores. A handler finds and checks the memory of one state space; a mover then carries the data
// between it and the registers, knowing nothing of spaces.
#include <immintrin.h>

#include "device/emulator/exec/cluster.h"
#include "device/emulator/lanes/access.h"

RIDGE_LANES_BEGIN

namespace {

template <class M>
RIDGE_INLINE M read_at(const u8* host, s64 offset) {
  M value;
  std::memcpy(&value, host + offset, sizeof value);
  return value;
}
template <class M>
RIDGE_INLINE void write_at(u8* host, s64 offset, M value) {
  std::memcpy(host + offset, &value, sizeof value);
}

/// Slot of vector element k; a scalar is in slot d (load) or b (store).
template <int kVector, bool kStore>
RIDGE_INLINE u32 slot_of(Next i, int k) {
  return kVector == 1 ? (kStore ? i->b : i->d) : i->list[k];
}

template <class M, class R>
RIDGE_INLINE void read_half(R* d, const u8* host, Run run) {
  if (run == Run::contiguous) {
    RIDGE_LANE_LOOP
    for (int l = 0; l < 16; ++l) d[l] = static_cast<R>(read_at<M>(host, l * static_cast<s64>(sizeof(M))));
  } else {
    const R value = static_cast<R>(read_at<M>(host, 0));
    for (int l = 0; l < 16; ++l) d[l] = value;
  }
}

/// One value of every lane.
template <class M, class R>
RIDGE_INLINE void read_lanes(R* d, const u8* host, const Pattern& pattern) {
  const std::int32_t* relative = pattern.relative;
  if (pattern.half[0] != Run::scattered) {
    read_half<M>(d, host, pattern.half[0]);
    read_half<M>(d + 16, host + relative[16], pattern.half[1]);
    return;
  }
  const auto read_sixteen = [&](int begin) {
    if (std::is_same_v<M, R> && pattern.quads) {
      for (int l = begin; l < begin + 16; l += 4) __builtin_memcpy(d + l, host + relative[l], 4 * sizeof(M));
    } else {
#pragma GCC unroll 16
      for (int l = begin; l < begin + 16; ++l) d[l] = static_cast<R>(read_at<M>(host, relative[l]));
    }
  };
  read_sixteen(0);
  if (pattern.repeats)
    __builtin_memcpy(d + 16, d, 16 * sizeof(R));
  else
    read_sixteen(16);
}
template <class M, class R>
RIDGE_INLINE void write_lanes(const R* values, u8* host, const Pattern& pattern) {
  const std::int32_t* relative = pattern.relative;
  if (pattern.half[0] == Run::contiguous && pattern.half[1] == Run::contiguous) {
    u8* second = host + relative[16];
    RIDGE_LANE_LOOP
    for (int l = 0; l < 16; ++l)
      write_at<M>(host, l * static_cast<s64>(sizeof(M)), static_cast<M>(values[l]));
    RIDGE_LANE_LOOP
    for (int l = 0; l < 16; ++l)
      write_at<M>(second, l * static_cast<s64>(sizeof(M)), static_cast<M>(values[16 + l]));
  } else if (std::is_same_v<M, R> && pattern.quads) {
    for (int l = 0; l < kWarpLanes; l += 4) __builtin_memcpy(host + relative[l], values + l, 4 * sizeof(M));
  } else {
#pragma GCC unroll 32
    for (int l = 0; l < kWarpLanes; ++l) write_at<M>(host, relative[l], static_cast<M>(values[l]));
  }
}

/// The elements of a lane as one number, where they make one.
template <int kBytes>
struct WholeOf {
  using type = void;
};
template <>
struct WholeOf<2> {
  using type = u16;
};
template <>
struct WholeOf<4> {
  using type = u32;
};
template <>
struct WholeOf<8> {
  using type = u64;
};

/// Four words of every lane, four lanes at a time: a row of each becomes a column.
RIDGE_INLINE void read_fours(u32 (*values)[kWarpLanes], const u8* host, const Pattern& pattern) {
  const int lanes_to_read = pattern.repeats ? 16 : kWarpLanes;
  for (int l = 0; l < lanes_to_read; l += 4) {
    __m128 rows[4];
    for (int k = 0; k < 4; ++k) std::memcpy(rows + k, host + pattern.relative[l + k], 16);
    _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
    for (int k = 0; k < 4; ++k) std::memcpy(values[k] + l, rows + k, 16);
  }
  if (pattern.repeats)
    for (int k = 0; k < 4; ++k) std::memcpy(values[k] + 16, values[k], 16 * sizeof(u32));
}

/// A vector of every lane.
template <class M, class R, int kVector>
RIDGE_INLINE void move_vectors_in(Warp& warp, Next i, const u8* host, const Pattern& pattern) {
  using Whole = typename WholeOf<static_cast<int>(sizeof(M)) * kVector>::type;
  const std::int32_t* relative = pattern.relative;
  if constexpr (!std::is_void_v<Whole>) {
    alignas(64) Whole whole[kWarpLanes];
    read_lanes<Whole>(whole, host, pattern);
    for (int k = 0; k < kVector; ++k) {
      if (i->list[k] == kNoSlot) continue;
      R* d = lanes_of<R>(warp, i->list[k]);
      RIDGE_LANE_LOOP
      for (int l = 0; l < kWarpLanes; ++l)
        d[l] = static_cast<R>(static_cast<M>(whole[l] >> (8 * static_cast<int>(sizeof(M)) * k)));
    }
  } else {
    alignas(64) R values[kVector][kWarpLanes];
    if (pattern.half[0] == Run::uniform && pattern.half[1] == Run::uniform) {
      for (int k = 0; k < kVector; ++k) {
        const R first = static_cast<R>(read_at<M>(host, k * static_cast<s64>(sizeof(M))));
        const R second = static_cast<R>(read_at<M>(host, relative[16] + k * static_cast<s64>(sizeof(M))));
        for (int l = 0; l < 16; ++l) values[k][l] = first;
        for (int l = 16; l < kWarpLanes; ++l) values[k][l] = second;
      }
    } else if constexpr (kVector == 4 && sizeof(M) == 4 && sizeof(R) == 4) {
      read_fours(reinterpret_cast<u32(*)[kWarpLanes]>(values), host, pattern);
    } else {
      for (int l = 0; l < kWarpLanes; ++l)
        for (int k = 0; k < kVector; ++k)
          values[k][l] = static_cast<R>(read_at<M>(host, relative[l] + k * static_cast<s64>(sizeof(M))));
    }
    for (int k = 0; k < kVector; ++k)
      if (i->list[k] != kNoSlot) std::memcpy(lanes_of<R>(warp, i->list[k]), values[k], sizeof values[k]);
  }
}

/// Memory elements M into registers R, kVector to a lane.
template <class M, class R, int kVector>
RIDGE_INLINE void bring_in(Warp& warp, Next i, u8* host, const Pattern& pattern, u32 lanes) {
  if (lanes == kAllLanes) {
    if constexpr (kVector == 1)
      read_lanes<M>(lanes_of<R>(warp, i->d), host, pattern);
    else
      move_vectors_in<M, R, kVector>(warp, i, host, pattern);
    return;
  }
  for (u32 left = lanes; left != 0; left &= left - 1) {
    const int l = std::countr_zero(left);
    for (int k = 0; k < kVector; ++k) {
      const u32 slot = slot_of<kVector, false>(i, k);
      if (slot != kNoSlot)
        lanes_of<R>(warp, slot)[l] =
            static_cast<R>(read_at<M>(host, pattern.relative[l] + k * static_cast<s64>(sizeof(M))));
    }
  }
}

/// Registers R into memory elements M. Of several lanes that write one place the highest wins.
template <class M, class R, int kVector>
RIDGE_INLINE void bring_out(Warp& warp, Next i, u8* host, const Pattern& pattern, u32 lanes) {
  using Whole = typename WholeOf<static_cast<int>(sizeof(M)) * kVector>::type;
  const R* sources[kVector];
  for (int k = 0; k < kVector; ++k) sources[k] = lanes_of<R>(warp, slot_of<kVector, true>(i, k));
  if (lanes == kAllLanes) {
    if constexpr (kVector == 1) {
      write_lanes<M>(sources[0], host, pattern);
      return;
    } else if constexpr (!std::is_void_v<Whole>) {
      alignas(64) Whole whole[kWarpLanes] = {};
      for (int k = 0; k < kVector; ++k) {
        RIDGE_LANE_LOOP
        for (int l = 0; l < kWarpLanes; ++l)
          whole[l] = static_cast<Whole>(
              whole[l] |
              static_cast<Whole>(static_cast<Whole>(static_cast<std::make_unsigned_t<M>>(sources[k][l]))
                                 << (8 * static_cast<int>(sizeof(M)) * k)));
      }
      write_lanes<Whole>(whole, host, pattern);
      return;
    } else if constexpr (kVector == 4 && sizeof(M) == 4 && sizeof(R) == 4) {
      for (int l = 0; l < kWarpLanes; l += 4) {
        __m128 rows[4];
        for (int k = 0; k < 4; ++k) std::memcpy(rows + k, sources[k] + l, 16);
        _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
        for (int k = 0; k < 4; ++k) std::memcpy(host + pattern.relative[l + k], rows + k, 16);
      }
      return;
    }
  }
  for (u32 left = lanes; left != 0; left &= left - 1) {
    const int l = std::countr_zero(left);
    for (int k = 0; k < kVector; ++k)
      write_at<M>(host, pattern.relative[l] + k * static_cast<s64>(sizeof(M)), static_cast<M>(sources[k][l]));
  }
}

template <class M, class R, int kVector>
void move_in(Warp& warp, Next i, u8* host, const Pattern& pattern, u32 lanes) {
  bring_in<M, R, kVector>(warp, i, host, pattern, lanes);
}
template <class M, class R, int kVector>
void move_out(Warp& warp, Next i, u8* host, const Pattern& pattern, u32 lanes) {
  bring_out<M, R, kVector>(warp, i, host, pattern, lanes);
}

/// How the data goes: through the instruction's mover…
struct ByMover {
  static RIDGE_INLINE void move(Warp& warp, Next i, u8* host, const Pattern& pattern, u32 lanes) {
    i->move(warp, i, host, pattern, lanes);
  }
};
/// …or at once, where every lane loads or stores one word: no access is more frequent.
template <AccessKind kKind>
struct OneWord {
  static RIDGE_INLINE void move(Warp& warp, Next i, u8* host, const Pattern& pattern, u32 lanes) {
    if constexpr (kKind == AccessKind::load)
      bring_in<u32, u32, 1>(warp, i, host, pattern, lanes);
    else
      bring_out<u32, u32, 1>(warp, i, host, pattern, lanes);
  }
};

template <class M, class R>
Mover mover_in(int vector) {
  switch (vector) {
    case 1:
      return move_in<M, R, 1>;
    case 2:
      return move_in<M, R, 2>;
    case 4:
      return move_in<M, R, 4>;
    case 8:
      return sizeof(M) <= 4 ? Mover(move_in<M, R, 8>) : nullptr;
    default:
      return nullptr;
  }
}
template <class M, class R>
Mover mover_out(int vector) {
  switch (vector) {
    case 1:
      return move_out<M, R, 1>;
    case 2:
      return move_out<M, R, 2>;
    case 4:
      return move_out<M, R, 4>;
    case 8:
      return sizeof(M) <= 4 ? Mover(move_out<M, R, 8>) : nullptr;
    default:
      return nullptr;
  }
}
template <class M>
Mover mover_into(int register_bytes, int vector) {
  switch (register_bytes) {
    case 2:
      return sizeof(M) <= 2 ? mover_in<M, u16>(vector) : nullptr;
    case 4:
      return sizeof(M) <= 4 ? mover_in<M, u32>(vector) : nullptr;
    case 8:
      return mover_in<M, u64>(vector);
    default:
      return nullptr;
  }
}
template <class M>
Mover mover_out_of(int register_bytes, int vector) {
  switch (register_bytes) {
    case 2:
      return sizeof(M) <= 2 ? mover_out<M, u16>(vector) : nullptr;
    case 4:
      return sizeof(M) <= 4 ? mover_out<M, u32>(vector) : nullptr;
    case 8:
      return mover_out<M, u64>(vector);
    default:
      return nullptr;
  }
}

// ---- the state spaces ----
// An access at which nothing is unusual (all lanes run, they have the shape that was seen last, the bounds
// hold, nobody counts or checks) calls nothing but a mover. All others leave to functions of their own.
template <AccessKind kKind, class Data>
[[gnu::noinline]] Next global_closely(Warp& warp, Next i, Pattern& pattern, u64 base) {
  const u32 lanes = open_global<kKind>(warp, i, pattern, base, i->flags);
  if (lanes != 0) Data::move(warp, i, reinterpret_cast<u8*>(base + warp.worker->global_bias), pattern, lanes);
  return i + 1;
}
template <class A, AccessKind kKind, class Data>
[[gnu::noinline]] Next global_anew(Warp& warp, Next i) {
  Pattern& pattern = warp.worker->patterns[i->target];
  const u64 base = match<A>(warp, i->a, i->immediate, warp.mask, pattern, i->flags);
  if (!pattern.wide) return global_closely<kKind, Data>(warp, i, pattern, base);
  one_by_one(warp, [&warp, i] { global_anew<A, kKind, Data>(warp, i); });
  return i + 1;
}
/// All lanes go to where the pattern says.
template <AccessKind kKind, class Data>
RIDGE_INLINE Next global_at(Warp& warp, Next i, Pattern& pattern, u64 base) {
  const Worker& worker = *warp.worker;
  if (worker.observing || !hits_again(worker, i, pattern, base, i->flags))
    return global_closely<kKind, Data>(warp, i, pattern, base);
  Data::move(warp, i, reinterpret_cast<u8*>(base + worker.global_bias), pattern, kAllLanes);
  return i + 1;
}
/// The next warp, or the next round of a loop, most often goes as far from here as this access lies from the
/// last one. Its data come into the cache in the meantime; an address that nobody has does no harm.
RIDGE_INLINE void fetch_ahead(const Worker& worker, Pattern& pattern, u64 base) {
  const u64 next = base + (base - pattern.last) + worker.global_bias;
  pattern.last = base;
  __builtin_prefetch(reinterpret_cast<const void*>(next));
  __builtin_prefetch(reinterpret_cast<const void*>(next + 64));
}
template <class A, AccessKind kKind, class Data = ByMover>
Next global_access(Warp& warp, Next i) {
  Pattern& pattern = warp.worker->patterns[i->target];
  const A* addresses = lanes_of<A>(warp, i->a);
  if (__builtin_expect(warp.mask != kAllLanes || !has_shape(addresses, pattern), 0))
    return global_anew<A, kKind, Data>(warp, i);
  const u64 base = static_cast<A>(addresses[0] + static_cast<A>(i->immediate));
  fetch_ahead(*warp.worker, pattern, base);
  return global_at<kKind, Data>(warp, i, pattern, base);
}
template <class A>
RIDGE_INLINE u64 first_address(Warp& warp, Next i) {
  return static_cast<A>(lanes_of<A>(warp, i->a)[std::countr_zero(warp.mask)] + static_cast<A>(i->immediate));
}
/// An earlier access of this warp, with the same addresses but for a constant, has just matched its pattern.
template <class A, AccessKind kKind, class Data>
Next global_again(Warp& warp, Next i) {
  Pattern& pattern = warp.worker->patterns[i->c];
  if (__builtin_expect(pattern.mask != warp.mask, 0)) return global_anew<A, kKind, Data>(warp, i);
  const u64 base = first_address<A>(warp, i);
  if (warp.mask != kAllLanes) return global_closely<kKind, Data>(warp, i, pattern, base);
  return global_at<kKind, Data>(warp, i, pattern, base);
}

template <AccessKind kKind, class Data>
[[gnu::noinline]] Next shared_closely(Warp& warp, Next i, Pattern& pattern, u64 base) {
  const u32 lanes = open_shared<kKind>(warp, i, pattern, base, i->flags);
  if (lanes != 0) Data::move(warp, i, warp.block->shared + base, pattern, lanes);
  return i + 1;
}
template <class A, AccessKind kKind, class Data>
[[gnu::noinline]] Next shared_anew(Warp& warp, Next i) {
  Pattern& pattern = warp.worker->patterns[i->target];
  const u64 base = match<A>(warp, i->a, i->immediate, warp.mask, pattern, i->flags);
  if (!pattern.wide) return shared_closely<kKind, Data>(warp, i, pattern, base);
  one_by_one(warp, [&warp, i] { shared_anew<A, kKind, Data>(warp, i); });
  return i + 1;
}
template <AccessKind kKind, class Data>
RIDGE_INLINE Next shared_at(Warp& warp, Next i, Pattern& pattern, u64 base) {
  const Worker& worker = *warp.worker;
  if (!SharedBounds(warp, worker.sites[i->target]).hold(pattern, base, i->flags))
    return shared_closely<kKind, Data>(warp, i, pattern, base);
  if (worker.observing && (kKind != AccessKind::load ||
                           !observe_at_a_glance(warp, static_cast<u32>(i->target), pattern, base)))
    return shared_closely<kKind, Data>(warp, i, pattern, base);
  Data::move(warp, i, warp.block->shared + base, pattern, kAllLanes);
  return i + 1;
}
template <class A, AccessKind kKind, class Data = ByMover>
Next shared_access(Warp& warp, Next i) {
  Pattern& pattern = warp.worker->patterns[i->target];
  const A* addresses = lanes_of<A>(warp, i->a);
  if (__builtin_expect(warp.mask != kAllLanes || !has_shape(addresses, pattern), 0))
    return shared_anew<A, kKind, Data>(warp, i);
  return shared_at<kKind, Data>(warp, i, pattern,
                                static_cast<A>(addresses[0] + static_cast<A>(i->immediate)));
}
template <class A, AccessKind kKind, class Data>
Next shared_again(Warp& warp, Next i) {
  Pattern& pattern = warp.worker->patterns[i->c];
  if (__builtin_expect(pattern.mask != warp.mask, 0)) return shared_anew<A, kKind, Data>(warp, i);
  const u64 base = first_address<A>(warp, i);
  if (warp.mask != kAllLanes) return shared_closely<kKind, Data>(warp, i, pattern, base);
  return shared_at<kKind, Data>(warp, i, pattern, base);
}

/// Local memory of the lanes lies side by side; `addresses` are offsets in it.
RIDGE_INLINE void local_at(Warp& warp, Next i, const s64* addresses, AccessKind kind) {
  Block& block = *warp.block;
  const u32 bytes = i->flags;
  const MemorySite& site = warp.worker->sites[i->target];
  s64 low = 0, high = static_cast<s64>(block.local_bytes);
  if (site.high > 0) {  // one variable of the frame
    low = site.low + warp.activation->local_offset;
    high = site.high + warp.activation->local_offset;
  }
  Pattern pattern;
  s64 least = high, greatest = low;
  u64 alignment = 0;
  const s64 stride = static_cast<s64>(block.local_bytes);
  for (int l = 0; l < kWarpLanes; ++l) {
    const bool active = (warp.mask >> l & 1) != 0;
    const s64 address = active ? addresses[l] : low;
    least = address < least ? address : least;
    greatest = active && address > greatest ? address : greatest;
    alignment |= active ? static_cast<u64>(address) : 0;
    pattern.relative[l] = static_cast<s32>(address + stride * l);
  }
  u32 lanes = warp.mask;
  if (__builtin_expect(
          least < low || greatest + static_cast<s64>(bytes) > high || (alignment & (bytes - 1)) != 0, 0))
    lanes = admit_local(warp, {i, &pattern, 0, warp.mask, bytes, kind}, addresses, low, high);
  if (warp.worker->counting) {
    SiteCount& count = warp.worker->site_counts[i->target];
    ++count.requests;
    count.lanes += static_cast<u32>(std::popcount(warp.mask));
    count.sectors +=
        (static_cast<u32>(std::popcount(warp.mask)) * bytes + 31) / 32;  // words of the lanes interleave
  }
  if (lanes != 0) i->move(warp, i, block.local + stride * kWarpLanes * warp.id, pattern, lanes);
}
template <class A, AccessKind kKind>
Next local_access(Warp& warp, Next i) {
  const A* a = lanes_of<A>(warp, i->a);
  alignas(64) s64 addresses[kWarpLanes];
  for (int l = 0; l < kWarpLanes; ++l)
    addresses[l] = static_cast<s64>(static_cast<A>(a[l] + static_cast<A>(i->immediate)));
  local_at(warp, i, addresses, kKind);
  return i + 1;
}

/// Generic addresses tell their space by their window; lanes of different spaces go one group after the
/// other.
template <AccessKind kKind>
Next generic_access(Warp& warp, Next i) {
  const u64* a = lanes_of<u64>(warp, i->a);
  const u32 mask = warp.mask;
  for (u32 left = mask; left != 0;) {
    const u64 window = (a[std::countr_zero(left)] + static_cast<u64>(i->immediate)) & kWindowMask;
    const u32 group = left & ballot([&](int l) {
                        return ((a[l] + static_cast<u64>(i->immediate)) & kWindowMask) == window;
                      });
    warp.mask = group;
    if (window == kLocalWindow) {
      alignas(64) s64 addresses[kWarpLanes];
      for (int l = 0; l < kWarpLanes; ++l)
        addresses[l] = static_cast<s64>(a[l] + static_cast<u64>(i->immediate) - kLocalWindow);
      local_at(warp, i, addresses, kKind);
    } else if (window == kSharedWindow) {
      Pattern& pattern = warp.worker->patterns[i->target];
      const u64 base = match<u64>(warp, i->a, i->immediate, group, pattern, i->flags);
      if (pattern.wide) {
        one_by_one(warp, [&warp, i] { generic_access<kKind>(warp, i); });
      } else if (base - kSharedWindow + static_cast<u64>(static_cast<s64>(pattern.high)) >= kClusterStride) {
        access_cluster(warp, i, kKind);
      } else {
        shared_closely<kKind, ByMover>(warp, i, pattern, base - kSharedWindow);
      }
    } else if (window == kParameterWindow && kKind == AccessKind::load) {
      Pattern& pattern = warp.worker->patterns[i->target];
      const u64 base = match<u64>(warp, i->a, i->immediate, group, pattern, i->flags) - kParameterWindow;
      const s64 first = static_cast<s64>(base) + pattern.low,
                last = static_cast<s64>(base) + pattern.high + i->flags;
      const s64 size = warp.worker->parameter_bytes;
      u32 lanes = group;
      if (pattern.wide || first < 0 || last > size || ((base | pattern.alignment) & (i->flags - 1)) != 0)
        lanes = admit_parameter(warp, {i, &pattern, base, group, i->flags, kKind}, size);
      if (lanes != 0) i->move(warp, i, warp.worker->parameters + base, pattern, lanes);
    } else {
      global_access<u64, kKind>(warp, i);
    }
    left &= ~group;
  }
  warp.mask = mask;
  return i + 1;
}

/// .param space of calls: constant offsets into the lanes' bytes in the frame; flags holds the stride.
Next frame_access(Warp& warp, Next i) {
  Pattern pattern;
  for (int l = 0; l < kWarpLanes; ++l) pattern.relative[l] = static_cast<s32>(i->flags) * l;
  i->move(warp, i, warp.frame + i->a + i->immediate, pattern, warp.mask);
  return i + 1;
}

template <AccessKind kKind, class Data>
Handler access_handler(const Operation& operation) {
  const bool narrow = operation.address_bytes == 4;
  switch (operation.space) {
    case StateSpace::global:
    case StateSpace::constant:
      if (operation.second)
        return narrow ? Handler(global_again<u32, kKind, Data>) : Handler(global_again<u64, kKind, Data>);
      return narrow ? Handler(global_access<u32, kKind, Data>) : Handler(global_access<u64, kKind, Data>);
    case StateSpace::shared:
      if (operation.second)
        return narrow ? Handler(shared_again<u32, kKind, Data>) : Handler(shared_again<u64, kKind, Data>);
      return narrow ? Handler(shared_access<u32, kKind, Data>) : Handler(shared_access<u64, kKind, Data>);
    case StateSpace::local:
      return narrow ? Handler(local_access<u32, kKind>) : Handler(local_access<u64, kKind>);
    case StateSpace::generic:
      return generic_access<kKind>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler memory_handler(const Operation& operation) {
  const bool one_word =
      operation.vector == 1 && operation.register_bytes == 4 && ptx::size_of(operation.type) == 4;
  switch (operation.op) {
    case Op::ld:
      return one_word ? access_handler<AccessKind::load, OneWord<AccessKind::load>>(operation)
                      : access_handler<AccessKind::load, ByMover>(operation);
    case Op::st:
      return one_word ? access_handler<AccessKind::store, OneWord<AccessKind::store>>(operation)
                      : access_handler<AccessKind::store, ByMover>(operation);
    case Op::atom:
    case Op::red:
      return access_handler<AccessKind::atomic, ByMover>(operation);
    case Op::ld_frame:
    case Op::st_frame:
      return frame_access;
    default:
      return nullptr;
  }
}

Instruction::Move memory_mover(const Operation& operation) {
  const int bytes = operation.register_bytes, vector = operation.vector;
  if (operation.op == Op::ld || operation.op == Op::ld_frame) {
    switch (operation.type) {
      case Type::b8:
      case Type::u8:
        return mover_into<u8>(bytes, vector);
      case Type::s8:
        return mover_into<s8>(bytes, vector);
      case Type::s16:
        return mover_into<s16>(bytes, vector);
      case Type::s32:
        return mover_into<s32>(bytes, vector);
      default:
        break;
    }
    switch (ptx::size_of(operation.type)) {
      case 1:
        return mover_into<u8>(bytes, vector);
      case 2:
        return mover_into<u16>(bytes, vector);
      case 4:
        return mover_into<u32>(bytes, vector);
      case 8:
        return mover_into<u64>(bytes, vector);
      default:
        return nullptr;
    }
  }
  switch (ptx::size_of(operation.type)) {
    case 1:
      return mover_out_of<u8>(bytes, vector);
    case 2:
      return mover_out_of<u16>(bytes, vector);
    case 4:
      return mover_out_of<u32>(bytes, vector);
    case 8:
      return mover_out_of<u64>(bytes, vector);
    default:
      return nullptr;
  }
}

RIDGE_LANES_END
