// SPDX-License-Identifier: GPL-3.0-or-later
// The units that do arithmetic and the kinds of ceilings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace ridge::hardware {

/// The unit whose rate is a problem's compute ceiling (tensor units accumulate in FP32/INT32); none:
/// bandwidth only.
enum class Unit { none, fp64, fp64_tensor, fp32, tf32, fp16, bf16, fp8, int8, fp4 };

std::string_view name_of(Unit unit);
std::optional<Unit> unit_named(std::string_view name);
std::vector<std::string> unit_names();

enum class CeilingSource { datasheet, derived, measured };
std::string_view name_of(CeilingSource source);
std::optional<CeilingSource> ceiling_source_named(std::string_view name);

/// A roof of a device: FLOP/s of a unit, or bytes/s of a memory level.
struct Ceiling {
  std::string name;  ///< "fp32", "bf16", "dram", "l2"
  double value = 0;  ///< in `unit`
  std::string unit;  ///< "FLOP/s" or "bytes/s"
  CeilingSource source = CeilingSource::datasheet;
  std::string note;      ///< where the figure comes from
  double clock_mhz = 0;  ///< the SM clock it holds at; 0: not tied to one
};
Json to_json(const Ceiling& ceiling);
Result<Ceiling> ceiling_from_json(const Json& json);  ///< error: unknown_word

}  // namespace ridge::hardware
