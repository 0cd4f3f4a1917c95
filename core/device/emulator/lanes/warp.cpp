// SPDX-License-Identifier: GPL-3.0-or-later
// Operations across the lanes of a warp. The *.sync forms wait until every lane that their mask names is
// there.
#include "device/emulator/exec/order.h"
#include "device/emulator/exec/splits.h"
#include "device/emulator/lanes/lanes.h"

RIDGE_LANES_BEGIN

namespace {

/// True when the members (a slot with each lane's mask) are exactly the active lanes; the common case by far.
RIDGE_INLINE bool all_here(Warp& warp, Next i, u32 slot, u32& members) {
  if (i->flags & kConstantMembers) {
    members = static_cast<u32>(static_cast<u64>(i->immediate) >> 32);
    return (members & warp.started) == warp.mask;
  }
  const u32* masks = lanes_of<u32>(warp, slot);
  members = masks[std::countr_zero(warp.mask)];
  u32 difference = 0;
  RIDGE_LANE_LOOP
  for (int l = 0; l < kWarpLanes; ++l) difference |= (warp.mask >> l & 1) != 0 ? masks[l] ^ members : 0;
  // Lanes that the block never had may be named; lanes that have exited may not.
  return difference == 0 && (members & warp.started) == warp.mask;
}

/// Runs `f` once all members are here; else the split parks (or goes on after a report).
template <class F>
RIDGE_INLINE Next together(Warp& warp, Next i, u32 slot, F&& f) {
  u32 members = 0;
  if (__builtin_expect(!all_here(warp, i, slot, members), 0)) {
    Next next = nullptr;
    if (!join(warp, at(warp, i), lanes_of<u32>(warp, slot), next)) return next;
    members = lanes_of<u32>(warp, slot)[std::countr_zero(warp.mask)];
  }
  note_warp_sync(warp, warp.mask);
  f(members);
  return i + 1;
}

typedef u32 Eight __attribute__((vector_size(32)));

/// values[l] = a[l ^ distance], bit by bit of the distance; both may be one slot.
RIDGE_INLINE void exchange(const u32* a, u32 distance, u32* values) {
  Eight v[4];
  __builtin_memcpy(v, a, sizeof v);
  if (distance & 1)
    for (Eight& x : v) x = __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
  if (distance & 2)
    for (Eight& x : v) x = __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5);
  if (distance & 4)
    for (Eight& x : v) x = __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
  const u32 turn = distance >> 3;
  for (u32 k = 0; k < 4; ++k) __builtin_memcpy(values + 8 * (k ^ turn), &v[k], sizeof v[k]);
}

/// Lanes that would read from beyond the warp keep their own value.
template <Mode kMode>
RIDGE_INLINE void shift_lanes(const u32* a, u32 distance, u32* values) {
  if constexpr (kMode == Mode::bfly) {
    exchange(a, distance, values);
  } else if constexpr (kMode == Mode::down) {
    __builtin_memcpy(values, a + distance, (kWarpLanes - distance) * sizeof(u32));
    __builtin_memcpy(values + (kWarpLanes - distance), a + (kWarpLanes - distance), distance * sizeof(u32));
  } else if constexpr (kMode == Mode::up) {
    __builtin_memcpy(values, a, distance * sizeof(u32));
    __builtin_memcpy(values + distance, a, (kWarpLanes - distance) * sizeof(u32));
  } else {
    for (int l = 0; l < kWarpLanes; ++l) values[l] = a[distance];
  }
}

template <Mode kMode>
Next shuffle(Warp& warp, Next i) {
  return together(warp, i, i->e, [&](u32) {
    const u32* a = lanes_of<u32>(warp, i->a);
    if (i->flags & kConstantShuffle) {
      const u32 distance = static_cast<u32>(i->immediate) & 31;
      if (kMode == Mode::bfly && warp.mask == kAllLanes && i->d != kNoSlot) {
        exchange(a, distance, lanes_of<u32>(warp, i->d));
      } else if (i->d != kNoSlot) {
        alignas(64) u32 shifted[kWarpLanes];
        shift_lanes<kMode>(a, distance, shifted);
        blend(warp.mask, lanes_of<u32>(warp, i->d), shifted);
      }
      if (i->list != nullptr && i->list[0] != kNoSlot)
        set_predicate(warp, i->list[0],
                      kMode == Mode::up     ? kAllLanes << distance
                      : kMode == Mode::down ? kAllLanes >> distance
                                            : kAllLanes);
      return;
    }
    const u32* b = lanes_of<u32>(warp, i->b);
    const u32* c = lanes_of<u32>(warp, i->c);
    alignas(64) u32 values[kWarpLanes];
    u32 in_range = 0;
    for (int l = 0; l < kWarpLanes; ++l) {
      const s32 lane = l, distance = static_cast<s32>(b[l] & 31);
      const s32 segment = static_cast<s32>(c[l] >> 8 & 31), clamp = static_cast<s32>(c[l] & 31);
      const s32 last = (lane & segment) | (clamp & ~segment), first = lane & segment;
      s32 source = 0;
      bool inside = false;
      switch (kMode) {
        case Mode::up:
          source = lane - distance;
          inside = source >= last;
          break;
        case Mode::down:
          source = lane + distance;
          inside = source <= last;
          break;
        case Mode::bfly:
          source = lane ^ distance;
          inside = source <= last;
          break;
        default:
          source = first | (distance & ~segment);
          inside = source <= last;
          break;
      }
      if (!inside) source = lane;
      values[l] = a[source & 31];
      in_range |= static_cast<u32>(inside) << l;
    }
    if (i->d != kNoSlot) blend(warp.mask, lanes_of<u32>(warp, i->d), values);
    if (i->list != nullptr && i->list[0] != kNoSlot) set_predicate(warp, i->list[0], in_range);
  });
}

template <Mode kMode>
Next vote(Warp& warp, Next i) {
  return together(warp, i, i->e, [&](u32 members) {
    const u32 voters = warp.mask & members;
    const u32 yes = (predicate(warp, i->a) ^ (i->flags & 1 ? kAllLanes : 0)) & voters;
    if constexpr (kMode == Mode::ballot) {
      for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [=](int) { return yes; });
    } else {
      const bool result = kMode == Mode::any   ? yes != 0
                          : kMode == Mode::all ? yes == voters
                                               : yes == 0 || yes == voters;
      set_predicate(warp, i->d, result ? kAllLanes : 0);
    }
  });
}

template <class T, bool kAll>
Next match_values(Warp& warp, Next i) {
  return together(warp, i, i->e, [&](u32 members) {
    const T* a = lanes_of<T>(warp, i->a);
    alignas(64) u32 values[kWarpLanes] = {};
    u32 equal = 0;
    const u32 everyone = warp.mask & members;
    for (int l = 0; l < kWarpLanes; ++l) {
      if (!(everyone >> l & 1)) continue;
      u32 same = 0;
      for (int k = 0; k < kWarpLanes; ++k) same |= a[k] == a[l] ? 1u << k : 0u;
      same &= everyone;
      values[l] = kAll && same != everyone ? 0 : same;
      if (same == everyone) equal |= 1u << l;
    }
    if (i->d != kNoSlot) blend(warp.mask, lanes_of<u32>(warp, i->d), values);
    if (kAll && i->list != nullptr && i->list[0] != kNoSlot) set_predicate(warp, i->list[0], equal);
  });
}

struct Sum {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Min {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct And {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <class T>
  static RIDGE_INLINE T apply(T a, T b) {
    return a ^ b;
  }
};
template <class F, class T>
Next reduce(Warp& warp, Next i) {
  return together(warp, i, i->e, [&](u32) {
    const T* a = lanes_of<T>(warp, i->a);
    T result = a[std::countr_zero(warp.mask)];
    for (u32 left = warp.mask & (warp.mask - 1); left != 0; left &= left - 1)
      result = F::apply(result, a[std::countr_zero(left)]);
    for_lanes(warp.mask, lanes_of<T>(warp, i->d), [=](int) { return result; });
  });
}

Next active_mask(Warp& warp, Next i) {
  const u32 mask = warp.mask;
  for_lanes(mask, lanes_of<u32>(warp, i->d), [=](int) { return mask; });
  return i + 1;
}

Next elect(Warp& warp, Next i) {
  return together(warp, i, i->e, [&](u32 members) {
    const u32 leader = static_cast<u32>(std::countr_zero(members & warp.mask));
    if (i->d != kNoSlot) for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [=](int) { return leader; });
    if (i->list != nullptr && i->list[0] != kNoSlot) set_predicate(warp, i->list[0], 1u << leader);
  });
}

Next warp_barrier(Warp& warp, Next i) {
  return together(warp, i, i->e, [](u32) {});
}

Handler reduction(const Operation& operation) {
  const bool is_signed = operation.type == Type::s32;
  switch (operation.atomic) {
    case AtomicOp::add:
      return reduce<Sum, u32>;
    case AtomicOp::min:
      return is_signed ? Handler(reduce<Min, s32>) : Handler(reduce<Min, u32>);
    case AtomicOp::max:
      return is_signed ? Handler(reduce<Max, s32>) : Handler(reduce<Max, u32>);
    case AtomicOp::bit_and:
      return reduce<And, u32>;
    case AtomicOp::bit_or:
      return reduce<Or, u32>;
    case AtomicOp::bit_xor:
      return reduce<Xor, u32>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler warp_handler(const Operation& operation) {
  const bool wide = ptx::size_of(operation.type) == 8;
  switch (operation.op) {
    case Op::shfl:
      switch (operation.mode) {
        case Mode::up:
          return shuffle<Mode::up>;
        case Mode::down:
          return shuffle<Mode::down>;
        case Mode::bfly:
          return shuffle<Mode::bfly>;
        default:
          return shuffle<Mode::idx>;
      }
    case Op::vote:
      switch (operation.mode) {
        case Mode::all:
          return vote<Mode::all>;
        case Mode::any:
          return vote<Mode::any>;
        case Mode::uni:
          return vote<Mode::uni>;
        default:
          return vote<Mode::ballot>;
      }
    case Op::match_any:
      return wide ? Handler(match_values<u64, false>) : Handler(match_values<u32, false>);
    case Op::match_all:
      return wide ? Handler(match_values<u64, true>) : Handler(match_values<u32, true>);
    case Op::redux:
      return reduction(operation);
    case Op::activemask:
      return active_mask;
    case Op::elect:
      return elect;
    case Op::warp_barrier:
      return warp_barrier;
    default:
      return nullptr;
  }
}

RIDGE_LANES_END
