// SPDX-License-Identifier: GPL-3.0-or-later
// Moves: copies, packing and unpacking of registers, clocks, and addresses that depend on the call.
#include "device/emulator/lanes/lanes.h"

RIDGE_LANES_BEGIN

namespace {

struct Copy {
  template <class T>
  static RIDGE_INLINE T apply(T a) {
    return a;
  }
};

Next copy_predicate(Warp& warp, Next i) {
  set_predicate(warp, i->d, predicate(warp, i->a) ^ (i->flags & 1 ? kAllLanes : 0));
  return i + 1;
}

/// d = list[0] in the low bits, then list[1]…
template <class D, class S, int kCount>
Next pack(Warp& warp, Next i) {
  const S* parts[kCount];
  for (int k = 0; k < kCount; ++k) parts[k] = lanes_of<S>(warp, i->list[k]);
  for_lanes(warp.mask, lanes_of<D>(warp, i->d), [&](int l) {
    D value = 0;
    for (int k = 0; k < kCount; ++k)
      value = static_cast<D>(
          value | static_cast<D>(static_cast<D>(parts[k][l]) << (8 * static_cast<int>(sizeof(S)) * k)));
    return value;
  });
  return i + 1;
}
template <class D, class S, int kCount>
Next unpack(Warp& warp, Next i) {
  alignas(64) S source[kWarpLanes];
  std::memcpy(source, lanes_of<S>(warp, i->a), sizeof source);
  for (int k = 0; k < kCount; ++k) {
    if (i->list[k] == kNoSlot) continue;
    for_lanes(warp.mask, lanes_of<D>(warp, i->list[k]),
              [&](int l) { return static_cast<D>(source[l] >> (8 * static_cast<int>(sizeof(D)) * k)); });
  }
  return i + 1;
}
// 8-bit parts live in 16-bit registers.
template <class S, int kCount>
Next pack_bytes(Warp& warp, Next i) {
  for_lanes(warp.mask, lanes_of<S>(warp, i->d), [&](int l) {
    S value = 0;
    for (int k = 0; k < kCount; ++k)
      value = static_cast<S>(value | static_cast<S>((lanes_of<u16>(warp, i->list[k])[l] & 0xffu) << (8 * k)));
    return value;
  });
  return i + 1;
}
template <class S, int kCount>
Next unpack_bytes(Warp& warp, Next i) {
  alignas(64) S source[kWarpLanes];
  std::memcpy(source, lanes_of<S>(warp, i->a), sizeof source);
  for (int k = 0; k < kCount; ++k) {
    if (i->list[k] == kNoSlot) continue;
    for_lanes(warp.mask, lanes_of<u16>(warp, i->list[k]),
              [&](int l) { return static_cast<u16>(source[l] >> (8 * k) & 0xff); });
  }
  return i + 1;
}

/// Virtual time: instructions that this warp has executed. It advances, and it is the same in every run.
template <class T>
Next read_clock(Warp& warp, Next i) {
  const s64 executed = warp.executed + (warp.slice - warp.fuel);
  const u64 value = static_cast<u64>(executed) * (i->flags & 1 ? 1 : 4);
  const T part = static_cast<T>(i->flags & 2 ? value >> 32 : value);
  for_lanes(warp.mask, lanes_of<T>(warp, i->d), [=](int) { return part; });
  return i + 1;
}

/// Local variables lie in the frame of the call.
template <class T>
Next local_address(Warp& warp, Next i) {
  const T address = static_cast<T>(i->immediate + warp.activation->local_offset);
  for_lanes(warp.mask, lanes_of<T>(warp, i->d), [=](int) { return address; });
  return i + 1;
}

/// cvta: between a state space and generic addresses; the immediate is added.
Next convert_address(Warp& warp, Next i) {
  const u64* a = lanes_of<u64>(warp, i->a);
  const u64 window = static_cast<u64>(i->immediate);
  for_lanes(warp.mask, lanes_of<u64>(warp, i->d), [=](int l) { return a[l] + window; });
  return i + 1;
}
Next convert_narrow_address(Warp& warp, Next i) {
  const u32* a = lanes_of<u32>(warp, i->a);
  const u32 window = static_cast<u32>(i->immediate);
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [=](int l) { return a[l] + window; });
  return i + 1;
}

/// isspacep: is a generic address in a window? flags: in the part of the shared window that is the block's
/// own.
Next is_in_space(Warp& warp, Next i) {
  const u64* a = lanes_of<u64>(warp, i->a);
  const u64 window = static_cast<u64>(i->immediate);
  const u64 most = i->flags != 0 ? kClusterStride : ~u64{0};
  set_predicate(warp, i->d,
                ballot([=](int l) { return (a[l] & kWindowMask) == window && a[l] - window < most; }));
  return i + 1;
}

Handler pack_handler(const Operation& operation) {
  const int bytes = ptx::size_of(operation.type);
  switch (bytes * 16 + operation.vector) {
    case 0x22:
      return pack_bytes<u16, 2>;
    case 0x42:
      return pack<u32, u16, 2>;
    case 0x44:
      return pack_bytes<u32, 4>;
    case 0x82:
      return pack<u64, u32, 2>;
    case 0x84:
      return pack<u64, u16, 4>;
    default:
      return nullptr;
  }
}
Handler unpack_handler(const Operation& operation) {
  const int bytes = ptx::size_of(operation.type);
  switch (bytes * 16 + operation.vector) {
    case 0x22:
      return unpack_bytes<u16, 2>;
    case 0x42:
      return unpack<u16, u32, 2>;
    case 0x44:
      return unpack_bytes<u32, 4>;
    case 0x82:
      return unpack<u32, u64, 2>;
    case 0x84:
      return unpack<u16, u64, 4>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler move_handler(const Operation& operation) {
  const int bytes = ptx::size_of(operation.type);
  switch (operation.op) {
    case Op::mov:
      if (operation.type == Type::pred) return copy_predicate;
      return bytes <= 2   ? Handler(unary<Copy, u16, u16>)
             : bytes == 4 ? Handler(unary<Copy, u32, u32>)
                          : Handler(unary<Copy, u64, u64>);
    case Op::pack:
      return pack_handler(operation);
    case Op::unpack:
      return unpack_handler(operation);
    case Op::read_clock:
      return bytes == 4 ? Handler(read_clock<u32>) : Handler(read_clock<u64>);
    case Op::local_address:
      return bytes == 4 ? Handler(local_address<u32>) : Handler(local_address<u64>);
    case Op::cvta_shared:
      return bytes == 4 ? Handler(convert_narrow_address) : Handler(convert_address);
    case Op::isspacep:
      return is_in_space;
    default:
      return nullptr;
  }
}

RIDGE_LANES_END
