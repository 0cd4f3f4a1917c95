// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/ptx/type.h"

#include <array>

namespace ridge::device::emulator::ptx {

namespace {
// In the order of the enumeration.
constexpr std::array<std::string_view, 32> kNames{
    "",      "pred",  "b8",   "b16",  "b32",  "b64",    "b128",   "u8",  "u16",   "u32",    "u64",
    "s8",    "s16",   "s32",  "s64",  "f16",  "bf16",   "f32",    "f64", "f16x2", "bf16x2", "u16x2",
    "s16x2", "f32x2", "tf32", "e4m3", "e5m2", "e4m3x2", "e5m2x2", "b1",  "u4",    "s4"};
static_assert(kNames.size() == static_cast<std::size_t>(Type::s4) + 1);
}  // namespace

std::optional<Type> type_named(std::string_view name) {
  for (std::size_t i = 1; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<Type>(i);
  return std::nullopt;
}

std::string_view name_of(Type type) {
  return kNames[static_cast<std::size_t>(type)];
}

}  // namespace ridge::device::emulator::ptx
