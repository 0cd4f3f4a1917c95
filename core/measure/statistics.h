// SPDX-License-Identifier: GPL-3.0-or-later
// Order statistics of times.
#pragma once

#include <vector>

namespace ridge::measure {

/// The `p` quantile (0 to 1) of sorted numbers by linear interpolation (type 7); 0 when there are none.
double quantile(const std::vector<double>& sorted, double p);
/// The median of the positive, finite numbers; 0 when there are none.
double median(std::vector<double> values);

}  // namespace ridge::measure
