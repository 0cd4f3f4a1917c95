// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/statistics.h"

#include <algorithm>
#include <cmath>

#include "measure/timing.h"

namespace ridge::measure {

double quantile(const std::vector<double>& sorted, double p) {
  if (sorted.empty()) return 0;
  const double position = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
}

double median(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value) || value <= 0; });
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

Sampled summarise(std::vector<double> samples_us) {
  std::erase_if(samples_us, [](double value) { return !std::isfinite(value); });
  std::vector<double> sorted = samples_us;
  std::sort(sorted.begin(), sorted.end());
  Sampled result;
  result.median_us = quantile(sorted, 0.5);
  result.q1_us = quantile(sorted, 0.25);
  result.q3_us = quantile(sorted, 0.75);
  result.n = static_cast<int>(sorted.size());
  result.samples_us = std::move(samples_us);
  return result;
}

}  // namespace ridge::measure
