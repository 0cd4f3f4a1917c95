// SPDX-License-Identifier: GPL-3.0-or-later
// Times of a run: three numbers that are never mixed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace ridge::measure {

/// A sampled time in microseconds; raw samples are kept.
struct Sampled {
  double median_us = 0, q1_us = 0, q3_us = 0;
  int n = 0;
  std::string source;  ///< "activity" or "event"; launch-inclusive: "host"
  std::vector<double> samples_us;
  std::vector<double> sm_mhz;   ///< one per sample where known, else empty
  int dropped = 0;              ///< throttled samples left out
  std::string flush;            ///< cold: "read" or "write"; warm: "none"
  std::string stopped_because;  ///< "settled", "cap", "time limit"
};

struct Timing {
  std::optional<Sampled> cold, warm, launch_inclusive;
  int protocol = 1;              ///< base/version.h: kMeasureProtocol
  std::optional<double> sm_mhz;  ///< median during the cold samples
  std::optional<double> memory_mhz, temperature_c, power_w;
  std::vector<std::string> throttle_reasons;
  Sentence note;  ///< why a fallback was used, why a number is missing
};

Json to_json(const Timing& timing, bool with_samples = true);
Timing timing_from_json(const Json& json);

/// Quartiles by linear interpolation (type 7 of Hyndman & Fan 1996). Empty input: all 0 with n = 0.
Sampled summarise(std::vector<double> samples_us);

}  // namespace ridge::measure
