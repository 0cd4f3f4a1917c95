// SPDX-License-Identifier: GPL-3.0-or-later
// How far an output may lie from its reference: stated gates, and derived ones where a gate is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/dtype.h"
#include "hardware/units.h"
#include "verify/verdict.h"

namespace ridge::verify {

/// What the reference's values are like; only finite ones enter.
struct Magnitude {
  double max_abs = 0;
  double rms = 0;
  std::int64_t elements = 0;  ///< finite ones
};

struct ToleranceInput {
  std::string tensor;
  DType output = DType::float32;  ///< as the candidate stores it
  hardware::Unit unit = hardware::Unit::none;
  std::int64_t reduction = 1;             ///< accumulation length
  std::optional<double> mse, rtol, atol;  ///< as stated
  Magnitude reference;
};

/// Stated gates stay. Left out, rtol and atol follow from the rounding of the output type, of the unit's
/// accumulator over `reduction` terms and of the unit's input type, scaled by the reference's magnitude. A
/// tolerance that an all-zero answer would meet is lowered until it does not.
Tolerance tolerance_for(const ToleranceInput& input);

/// Would zeros in place of every element hold all gates?
bool accepts_zeros(const Tolerance& tolerance, const Magnitude& reference);

}  // namespace ridge::verify
