// SPDX-License-Identifier: GPL-3.0-or-later
// What all handlers are made of. The files of lanes/ are compiled once per CPU level (RIDGE_LANES names it
// and is the namespace); they must not instantiate anything of the standard library that could be shared with
// other files.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "device/emulator/exec/state.h"

#ifndef RIDGE_LANES
#error "compile through the ridge_lanes targets, which name the CPU level"
#endif

#define RIDGE_LANES_BEGIN namespace ridge::device::emulator::RIDGE_LANES {
#define RIDGE_LANES_END }
/// The loop that follows may run its iterations in any order: slots never overlap in part.
#ifdef __clang__
#define RIDGE_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define RIDGE_LANE_LOOP _Pragma("GCC ivdep")
#endif
#define RIDGE_INLINE inline __attribute__((always_inline))

RIDGE_LANES_BEGIN

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;
using Next = const Instruction*;

/// The 32 values of a slot.
template <class T>
RIDGE_INLINE T* lanes_of(Warp& warp, u32 slot) {
  return static_cast<T*>(__builtin_assume_aligned(warp.frame + slot, 64));
}

/// The mask of a predicate.
RIDGE_INLINE u32& predicate(Warp& warp, u32 slot) {
  return *reinterpret_cast<u32*>(warp.frame + slot);
}
RIDGE_INLINE void set_predicate(Warp& warp, u32 slot, u32 bits) {
  u32& p = predicate(warp, slot);
  p = (p & ~warp.mask) | (bits & warp.mask);
}

/// d[l] = f(l) for the active lanes; f runs for all 32 and must not trap or touch memory.
template <class D, class F>
RIDGE_INLINE void for_lanes(u32 mask, D* d, F&& f) {
  if (__builtin_expect(mask == kAllLanes, 1)) {
    RIDGE_LANE_LOOP
    for (int l = 0; l < kWarpLanes; ++l) d[l] = f(l);
  } else {
#ifdef __AVX512BW__
    // GCC 12 makes masked 16-bit minima that it cannot encode; kept apart, minimum and mask compile.
    if constexpr (sizeof(D) == 2) {
      alignas(64) D values[kWarpLanes];
      for (int l = 0; l < kWarpLanes; ++l) values[l] = f(l);
      asm volatile("" : : "r"(values) : "memory");
      for (int l = 0; l < kWarpLanes; ++l) d[l] = (mask >> l & 1) != 0 ? values[l] : d[l];
      return;
    }
#endif
    RIDGE_LANE_LOOP
    for (int l = 0; l < kWarpLanes; ++l) {
      const D value = f(l);
      d[l] = (mask >> l & 1) != 0 ? value : d[l];
    }
  }
}

/// Copies finished values into the active lanes of a slot.
template <class D>
RIDGE_INLINE void blend(u32 mask, D* d, const D* values) {
  for_lanes(mask, d, [&](int l) { return values[l]; });
}

// One handler per number of sources. F::apply(values…) gives the result; all sources have the types named.
template <class F, class D, class A>
Next unary(Warp& warp, Next i) {
  const A* a = lanes_of<A>(warp, i->a);
  for_lanes(warp.mask, lanes_of<D>(warp, i->d), [=](int l) { return F::apply(a[l]); });
  return i + 1;
}
template <class F, class D, class A, class B>
Next binary(Warp& warp, Next i) {
  const A* a = lanes_of<A>(warp, i->a);
  const B* b = lanes_of<B>(warp, i->b);
  for_lanes(warp.mask, lanes_of<D>(warp, i->d), [=](int l) { return F::apply(a[l], b[l]); });
  return i + 1;
}
template <class F, class D, class A, class B, class C>
Next ternary(Warp& warp, Next i) {
  const A* a = lanes_of<A>(warp, i->a);
  const B* b = lanes_of<B>(warp, i->b);
  const C* c = lanes_of<C>(warp, i->c);
  for_lanes(warp.mask, lanes_of<D>(warp, i->d), [=](int l) { return F::apply(a[l], b[l], c[l]); });
  return i + 1;
}

/// A mask of the lanes for which f holds.
template <class F>
RIDGE_INLINE u32 ballot(F&& f) {
  alignas(64) u32 bits[kWarpLanes];
  RIDGE_LANE_LOOP
  for (int l = 0; l < kWarpLanes; ++l) bits[l] = f(l) ? 1u << l : 0u;
  u32 result = 0;
  for (int l = 0; l < kWarpLanes; ++l) result |= bits[l];
  return result;
}

/// The instruction itself, also when the handler runs inside of a guard.
RIDGE_INLINE Next at(const Warp& warp, Next i) {
  return warp.code + i->index;
}

// Every family answers with a handler, or null when the operation is not its own.
Handler arithmetic_handler(const Operation& operation);
Handler float_handler(const Operation& operation);
Handler half_handler(const Operation& operation);
Handler bits_handler(const Operation& operation);
Handler video_handler(const Operation& operation);
Handler compare_handler(const Operation& operation);
Handler convert_handler(const Operation& operation);
Handler move_handler(const Operation& operation);
Handler memory_handler(const Operation& operation);
Instruction::Move memory_mover(const Operation& operation);
Instruction::Move atomic_mover(const Operation& operation);
Handler warp_handler(const Operation& operation);
Handler tensor_handler(const Operation& operation);
Instruction::Move tensor_mover(const Operation& operation);
Handler warpgroup_handler(const Operation& operation);
Handler async_handler(const Operation& operation);
Handler control_handler(const Operation& operation);

RIDGE_LANES_END
