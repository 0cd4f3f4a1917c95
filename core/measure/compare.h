// SPDX-License-Identifier: GPL-3.0-or-later
// Is B faster than A? A verdict from intervals of samples, confirmed in clock cycles: never a bare ratio,
// never NaN.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "measure/timing.h"

namespace ridge::measure {

enum class Verdict { faster, slower, same, cannot_tell };
std::string_view name_of(Verdict verdict);  ///< "FASTER", "SLOWER", "SAME", "CANNOT TELL"

struct Comparison {
  Verdict verdict = Verdict::cannot_tell;
  std::string sentence;              ///< the verdict with its reason, for people
  std::optional<double> ratio;       ///< median of B over median of A; below 1: B is faster
  bool confirmed_in_cycles = false;  ///< clocks of both were known and cycles say the same
};

/// The verdict on B against A. An interval is [minimum, Q3]: a sample can be late, but not early.
///  - FASTER, SLOWER: the intervals lie apart by at least 0.5 %, and so do they in cycles (time x SM clock),
///  on the same
///    side. Where clocks are unknown the sentence says that cycles do not confirm it.
///  - SAME: the medians differ by at most 0.5 %, the intervals share at least half of the shorter one, and
///  neither
///    spreads more than 2 %; or nearly every sample of the one (97 %) and most of the other (80 %) has a
///    neighbour within 0.5 % on the other side.
///  - CANNOT TELL: everything else, above all different clocks (sources), different flushes, or fewer than 5
///  samples.
Comparison compare(const Sampled& a, const Sampled& b);

Json to_json(const Comparison& comparison);

}  // namespace ridge::measure
