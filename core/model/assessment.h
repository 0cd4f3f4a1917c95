// SPDX-License-Identifier: GPL-3.0-or-later
// How good a time can be and how good it is: T_SOL = max(FLOPs / compute ceiling, fused bytes / memory
// ceiling).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "hardware/device_model.h"
#include "hardware/units.h"
#include "problem/problem.h"

namespace ridge::model {

/// T_SOL and what follows from it, on one basis of ceilings.
struct Basis {
  std::optional<double> t_sol_us, sol_percent, sol_score;
  std::string bound;                        ///< "memory", "compute", or empty
  std::vector<hardware::Ceiling> ceilings;  ///< the compute ceiling (if any) and the memory ceiling
};

struct Assessment {
  std::string device;  ///< catalogue entry
  double flops = 0, bytes = 0;
  std::string unit;  ///< compute ceiling: "fp32", "none"
  Basis datasheet;   ///< the one of record
  std::optional<Basis> derived, measured;
  std::optional<double> intensity;                           ///< FLOP / fused byte
  std::optional<double> achieved_flops, achieved_bandwidth;  ///< of the cold median
  std::optional<Sentence> suspect;                           ///< faster than physics: the likely causes
  Diagnostics diagnostics;                                   ///< no ceiling for the unit …
};

struct AssessmentInput {
  const hardware::DeviceModel* device = nullptr;  ///< null: unknown device, nothing is assessed
  double flops = 0, bytes = 0;
  hardware::Unit unit = hardware::Unit::none;
  std::optional<double> cold_us;  ///< absent: not timed
  std::optional<double> baseline_us;
  std::optional<double> sm_mhz;             ///< of this very run
  std::vector<hardware::Ceiling> measured;  ///< roofs of this device, by micro-benchmarks
};
Assessment assess(const AssessmentInput& input);

Json to_json(const Assessment& assessment);                 ///< the "model" object of a run
Result<Assessment> assessment_from_json(const Json& json);  ///< error: unknown_word

}  // namespace ridge::model
