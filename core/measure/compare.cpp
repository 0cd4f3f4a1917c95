// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "measure/statistics.h"

namespace ridge::measure {
namespace {

constexpr double kGap = 0.005;
constexpr double kSpread = 0.02;
constexpr double kOverlap = 0.5;
constexpr double kCoverOne = 0.97, kCoverOther = 0.80;
constexpr std::size_t kFewest = 5;

struct Interval {
  double low = 0, centre = 0, high = 0;  ///< minimum, median, Q3
};

std::vector<double> sorted_valid(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value) || value <= 0; });
  std::sort(values.begin(), values.end());
  return values;
}

Interval interval_of(const std::vector<double>& sorted) {
  return {sorted.front(), quantile(sorted, 0.5), quantile(sorted, 0.75)};
}

/// Times x clock where every sample has a clock, else nothing.
std::vector<double> cycles_of(const Sampled& sampled) {
  if (sampled.sm_mhz.size() != sampled.samples_us.size()) return {};
  std::vector<double> cycles;
  for (std::size_t index = 0; index < sampled.samples_us.size(); ++index)
    cycles.push_back(sampled.samples_us[index] * sampled.sm_mhz[index]);
  cycles = sorted_valid(std::move(cycles));
  return cycles.size() == sampled.samples_us.size() ? cycles : std::vector<double>{};
}

/// -1: b lies below a by at least the gap; 1: above; 0: neither.
int side(const Interval& a, const Interval& b) {
  if (b.high <= a.low * (1 - kGap)) return -1;
  if (b.low >= a.high * (1 + kGap)) return 1;
  return 0;
}

/// The share of `from` that has a neighbour in `to` within the gap. Both are sorted.
double cover(const std::vector<double>& from, const std::vector<double>& to) {
  std::size_t covered = 0;
  for (const double value : from) {
    const auto near = std::lower_bound(to.begin(), to.end(), value * (1 - kGap));
    if (near != to.end() && *near <= value * (1 + kGap)) ++covered;
  }
  return static_cast<double>(covered) / static_cast<double>(from.size());
}

bool is_same(const std::vector<double>& a_times, const std::vector<double>& b_times, const Interval& a,
             const Interval& b) {
  const double forward = cover(a_times, b_times), backward = cover(b_times, a_times);
  if (std::max(forward, backward) >= kCoverOne && std::min(forward, backward) >= kCoverOther) return true;
  const double shared = std::min(a.high, b.high) - std::max(a.low, b.low);
  const double shorter = std::min(a.high - a.low, b.high - b.low);
  return std::abs(b.centre - a.centre) <= kGap * a.centre && shared >= kOverlap * shorter &&
         a.high - a.low <= kSpread * a.centre && b.high - b.low <= kSpread * b.centre;
}

Comparison cannot_tell(std::string reason, std::optional<double> ratio = {}) {
  return {Verdict::cannot_tell, "CANNOT TELL: " + std::move(reason), ratio, false};
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return "FASTER";
    case Verdict::slower:
      return "SLOWER";
    case Verdict::same:
      return "SAME";
    case Verdict::cannot_tell:
      break;
  }
  return "CANNOT TELL";
}

Comparison compare(const Sampled& a, const Sampled& b) {
  if (a.source != b.source)
    return cannot_tell("the times come from different clocks (" + a.source + " and " + b.source +
                       "). Measure both in the same way.");
  if (a.flush != b.flush)
    return cannot_tell("the caches were prepared differently (flush " + a.flush + " and " + b.flush +
                       "). Measure both with the same --flush.");
  const std::vector<double> a_times = sorted_valid(a.samples_us), b_times = sorted_valid(b.samples_us);
  if (a_times.size() < kFewest || b_times.size() < kFewest)
    return cannot_tell("there are only " + std::to_string(a_times.size()) + " and " +
                       std::to_string(b_times.size()) + " samples, and at least " + std::to_string(kFewest) +
                       " each are needed. Measure again.");

  const Interval a_time = interval_of(a_times), b_time = interval_of(b_times);
  const double ratio = b_time.centre / a_time.centre;
  const std::string medians = fmt::format("median {:.3f} us against {:.3f} us ({:+.1f} %)", b_time.centre,
                                          a_time.centre, (ratio - 1) * 100);
  const int by_time = side(a_time, b_time);
  if (by_time == 0) {
    if (is_same(a_times, b_times, a_time, b_time))
      return {Verdict::same, "SAME: " + medians + ".", ratio, false};
    return cannot_tell("the samples overlap, " + medians + ". More samples or a quieter GPU may decide it.",
                       ratio);
  }
  const std::vector<double> a_cycles = cycles_of(a), b_cycles = cycles_of(b);
  const bool clocks_known = !a_cycles.empty() && !b_cycles.empty();
  if (clocks_known && side(interval_of(a_cycles), interval_of(b_cycles)) != by_time)
    return cannot_tell(fmt::format("{}, but not in clock cycles: the GPU ran at {:.0f} against {:.0f} MHz. "
                                   "Measure again at equal clocks.",
                                   medians, median(b.sm_mhz), median(a.sm_mhz)),
                       ratio);
  const Verdict verdict = by_time < 0 ? Verdict::faster : Verdict::slower;
  return {verdict,
          std::string(name_of(verdict)) + ": " + medians +
              (clocks_known ? ", confirmed in clock cycles."
                            : "; clocks are unknown, so cycles do not confirm it."),
          ratio, clocks_known};
}

Json to_json(const Comparison& comparison) {
  Json json = Json::object();
  json["verdict"] = name_of(comparison.verdict);
  json["sentence"] = comparison.sentence;
  json["ratio"] = json_number(comparison.ratio);
  json["confirmed_in_cycles"] = comparison.confirmed_in_cycles;
  return json;
}

}  // namespace ridge::measure
