// SPDX-License-Identifier: GPL-3.0-or-later
// Integer types of twice the width.
#pragma once

#include "device/emulator/lanes/lanes.h"

RIDGE_LANES_BEGIN

__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

template <class T>
struct WideOf;
template <>
struct WideOf<u16> {
  using type = u32;
};
template <>
struct WideOf<s16> {
  using type = s32;
};
template <>
struct WideOf<u32> {
  using type = u64;
};
template <>
struct WideOf<s32> {
  using type = s64;
};
template <>
struct WideOf<u64> {
  using type = u128;
};
template <>
struct WideOf<s64> {
  using type = s128;
};
template <class T>
using Wide = typename WideOf<T>::type;

RIDGE_LANES_END
