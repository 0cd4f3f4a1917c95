// SPDX-License-Identifier: GPL-3.0-or-later
// Video instructions, as the ISA writes them down: parts are taken out of the operands and extended,
// combined, saturated, and then added to a third operand or merged into it.
#include "device/emulator/exec/video.h"
#include "device/emulator/lanes/wide.h"

RIDGE_LANES_BEGIN

namespace {

using Second = VideoPlan::Second;

template <class T>
RIDGE_INLINE T clamp(T value, T low, T high) {
  return value < low ? low : value > high ? high : value;
}
/// Into the range of a number of so many bits.
template <class T>
RIDGE_INLINE T saturate(T value, bool is_signed, u32 width) {
  const T one = 1;
  return is_signed ? clamp<T>(value, -(one << (width - 1)), (one << (width - 1)) - 1)
                   : clamp<T>(value, 0, (one << width) - 1);
}

/// Of up to 32 bits, extended to 64.
RIDGE_INLINE s64 extended(u32 word, const VideoPart& part, bool is_signed) {
  const u64 bits = static_cast<u64>(word >> part.shift) << (64 - part.width);
  return is_signed ? static_cast<s64>(bits) >> (64 - part.width)
                   : static_cast<s64>(bits >> (64 - part.width));
}

template <class T>
RIDGE_INLINE bool compares(T a, T b, Compare compare) {
  switch (compare) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return a != b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    default:
      return a >= b;
  }
}

/// What scalar and SIMD instructions share.
template <VideoOp kOp, class T>
RIDGE_INLINE T combined(T a, T b, Compare compare) {
  switch (kOp) {
    case VideoOp::add:
      return a + b;
    case VideoOp::sub:
      return a - b;
    case VideoOp::absdiff:
      return a < b ? b - a : a - b;
    case VideoOp::min:
      return a < b ? a : b;
    case VideoOp::max:
      return a < b ? b : a;
    case VideoOp::average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    default:
      return compares(a, b, compare) ? 1 : 0;
  }
}

RIDGE_INLINE s128 second_operation(Second second, s128 value, s128 c) {
  switch (second) {
    case Second::add:
      return value + c;
    case Second::min:
      return value < c ? value : c;
    case Second::max:
      return value > c ? value : c;
    default:
      return value;
  }
}

/// Saturation, second operation and merge of a scalar result.
RIDGE_INLINE u32 finished(const VideoPlan& plan, s128 value, u32 c) {
  const VideoPart& part = plan.result[0];
  if (plan.saturates) value = saturate<s128>(value, plan.signed_result, part.width);
  value = second_operation(
      plan.second, value, plan.signed_result ? static_cast<s128>(static_cast<s32>(c)) : static_cast<s128>(c));
  const u32 bits = static_cast<u32>(value);
  if (part.width == 32) return bits;
  const u32 mask = ((1u << part.width) - 1) << part.shift;
  return (c & ~mask) | (bits << part.shift & mask);
}

template <VideoOp kOp>
Next scalar(Warp& warp, Next i) {
  const VideoPlan& plan = *i->video;
  const u32* a = lanes_of<u32>(warp, i->a);
  const u32* b = lanes_of<u32>(warp, i->b);
  const u32* c = i->c == kNoSlot ? a : lanes_of<u32>(warp, i->c);
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [&](int l) {
    const s64 x = extended(a[l], plan.a[0], plan.signed_a), y = extended(b[l], plan.b[0], plan.signed_b);
    s128 value = 0;
    if constexpr (kOp == VideoOp::shl || kOp == VideoOp::shr) {
      const int amount = static_cast<int>(plan.wraps ? y & 31 : y > 32 ? 32 : y);
      value = kOp == VideoOp::shl ? static_cast<s128>(x) << amount : static_cast<s128>(x >> amount);
    } else {
      value = combined<kOp, s64>(x, y, plan.compare);
    }
    return finished(plan, value, c[l]);
  });
  return i + 1;
}

Next multiply_add(Warp& warp, Next i) {
  const VideoPlan& plan = *i->video;
  const u32* a = lanes_of<u32>(warp, i->a);
  const u32* b = lanes_of<u32>(warp, i->b);
  const u32* c = lanes_of<u32>(warp, i->c);
  const bool is_signed = plan.signed_a || plan.signed_b || plan.minus_product || plan.minus_addend;
  for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [&](int l) {
    s128 value = static_cast<s128>(extended(a[l], plan.a[0], plan.signed_a)) *
                 extended(b[l], plan.b[0], plan.signed_b);
    if (plan.minus_product) value = -value;
    const u32 word = plan.minus_addend ? ~c[l] : c[l];
    value += is_signed ? static_cast<s128>(static_cast<s32>(word)) : static_cast<s128>(word);
    value += plan.minus_addend || plan.plus_one ? 1 : 0;
    value >>= plan.scale;
    return static_cast<u32>(plan.saturates ? saturate<s128>(value, is_signed, 32) : value);
  });
  return i + 1;
}

/// Part by part, all lanes of each at once.
template <VideoOp kOp>
Next parallel(Warp& warp, Next i) {
  const VideoPlan& plan = *i->video;
  const u32* c = lanes_of<u32>(warp, i->c);
  const bool adds = plan.second == Second::add;
  alignas(64) u32 results[kWarpLanes];
  for (int l = 0; l < kWarpLanes; ++l) results[l] = c[l];
  for (u32 k = 0; k < plan.parts; ++k) {
    if ((plan.written >> k & 1) == 0) continue;
    const VideoPart from_a = plan.a[k], from_b = plan.b[k], to = plan.result[k];
    const u32* a = lanes_of<u32>(warp, from_a.second ? i->b : i->a);
    const u32* b = lanes_of<u32>(warp, from_b.second ? i->b : i->a);
    const u32 unused = 32u - to.width, mask = ((1u << to.width) - 1) << to.shift;
    const Compare compare = plan.compare;
    const bool signed_a = plan.signed_a, signed_b = plan.signed_b;
    RIDGE_LANE_LOOP
    for (int l = 0; l < kWarpLanes; ++l) {
      const u32 high_a = (a[l] >> from_a.shift) << unused, high_b = (b[l] >> from_b.shift) << unused;
      const s32 x = signed_a ? static_cast<s32>(high_a) >> unused : static_cast<s32>(high_a >> unused);
      const s32 y = signed_b ? static_cast<s32>(high_b) >> unused : static_cast<s32>(high_b >> unused);
      s32 value = combined<kOp, s32>(x, y, compare);
      if (plan.saturates) value = saturate<s32>(value, plan.signed_result, to.width);
      const u32 bits = static_cast<u32>(value);
      results[l] = adds ? results[l] + bits : (results[l] & ~mask) | (bits << to.shift & mask);
    }
  }
  blend(warp.mask, lanes_of<u32>(warp, i->d), results);
  return i + 1;
}

template <VideoOp kOp>
Handler either(bool simd) {
  return simd ? Handler(parallel<kOp>) : Handler(scalar<kOp>);
}

}  // namespace

Handler video_handler(const Operation& operation) {
  if (operation.op != Op::video) return nullptr;
  const bool simd = operation.vector > 1;
  switch (operation.video) {
    case VideoOp::add:
      return either<VideoOp::add>(simd);
    case VideoOp::sub:
      return either<VideoOp::sub>(simd);
    case VideoOp::absdiff:
      return either<VideoOp::absdiff>(simd);
    case VideoOp::min:
      return either<VideoOp::min>(simd);
    case VideoOp::max:
      return either<VideoOp::max>(simd);
    case VideoOp::set:
      return either<VideoOp::set>(simd);
    case VideoOp::average:
      return simd ? Handler(parallel<VideoOp::average>) : nullptr;
    case VideoOp::shl:
      return simd ? nullptr : Handler(scalar<VideoOp::shl>);
    case VideoOp::shr:
      return simd ? nullptr : Handler(scalar<VideoOp::shr>);
    case VideoOp::mad:
      return simd ? nullptr : Handler(multiply_add);
  }
  return nullptr;
}

RIDGE_LANES_END
