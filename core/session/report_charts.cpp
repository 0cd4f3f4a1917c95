// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "session/report.h"
#include "session/report_svg.h"

namespace ridge::session {
namespace {

constexpr double kWidth = 900, kLabels = 330, kRight = 860, kTop = 14, kRow = 20, kBottom = 34;
constexpr std::size_t kSamplesDrawn = 200;  ///< a run; more would only thicken the same line

constexpr double kLine = 14;  ///< of small text

std::string series(const Numbered& numbered) {
  return "s" + std::to_string(numbered.series % 8);
}

std::string label(const Numbered& numbered) {
  constexpr std::size_t kLongest = 46;
  std::string text = std::to_string(numbered.number) + " · " + place_of(*numbered.run);
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character
  return text.substr(0, end) + "…";
}

double row_middle(std::size_t row) {
  return kTop + (static_cast<double>(row) + 0.5) * kRow;
}

double rows_end(std::size_t rows) {
  return kTop + static_cast<double>(rows) * kRow;
}

const measure::Sampled* cold_of(const Run& run) {
  return run.timing && run.timing->cold ? &*run.timing->cold : nullptr;
}

std::string left_out_note(std::size_t count) {
  return count == 0 ? std::string() : std::to_string(count) + " values that are not positive were left out. ";
}

/// Verticals of an axis at the bottom, with their values.
template <class Text>
void draw_time_axis(Svg& svg, const LogAxis& axis, double bottom, const Text& text) {
  for (const double tick : axis.ticks()) {
    const double x = axis.at(tick);
    svg.line({x, kTop}, {x, bottom}, "grid");
    svg.text({x, bottom + 16}, "middle", "tick", text(tick));
  }
}

void draw_box(Svg& svg, const LogAxis& axis, double y, const measure::Sampled& cold, const std::string& style,
              const std::string& tip) {
  const std::size_t stride = cold.samples_us.size() / kSamplesDrawn + 1;
  for (std::size_t i = 0; i < cold.samples_us.size(); i += stride)
    if (cold.samples_us[i] > 0)
      svg.line({axis.at(cold.samples_us[i]), y - 3}, {axis.at(cold.samples_us[i]), y + 3}, "sample " + style);
  const double q1 = axis.at(cold.q1_us), q3 = axis.at(cold.q3_us), median = axis.at(cold.median_us);
  svg.rectangle({q1, y - 6}, std::max(1.0, q3 - q1), 12, "box " + style, tip);
  svg.line({median, y - 8}, {median, y + 8}, "median " + style);
}

std::string untimed_words(const Run& run) {
  if (is_emulated(run)) return "emulated: not timed";
  return "not timed: " + std::string(hardware::name_of(run.verdict.status));
}

}  // namespace

std::string timing_chart(std::span<const Numbered> runs) {
  std::vector<double> times;
  for (const Numbered& numbered : runs)
    if (const auto* cold = cold_of(*numbered.run)) {
      times.insert(times.end(), {cold->q1_us, cold->median_us, cold->q3_us});
      times.insert(times.end(), cold->samples_us.begin(), cold->samples_us.end());
    }
  if (times.empty() && std::all_of(runs.begin(), runs.end(),
                                   [](const Numbered& numbered) { return is_emulated(*numbered.run); }))
    return {};
  const LogAxis axis(times, kLabels, kRight);
  const double bottom = rows_end(runs.size());
  Svg svg(kWidth, bottom + kBottom);
  draw_time_axis(svg, axis, bottom, [](double us) { return time_text(us); });
  for (std::size_t row = 0; row < runs.size(); ++row) {
    const Run& run = *runs[row].run;
    const double y = row_middle(row);
    svg.text({kLabels - 8, y + 4}, "end", "label", (run.baseline ? "★ " : "") + label(runs[row]));
    const auto* cold = cold_of(run);
    if (!cold || !(cold->median_us > 0)) {
      svg.text({kLabels + 6, y + 4}, "start", "quiet", untimed_words(run));
      continue;
    }
    draw_box(svg, axis, y, *cold, series(runs[row]),
             label(runs[row]) + ": median " + time_text(cold->median_us) + ", quartiles " +
                 time_text(cold->q1_us) + " to " + time_text(cold->q3_us) +
                 ", n = " + std::to_string(cold->n));
  }
  svg.line({kLabels, kTop}, {kLabels, bottom}, "axis");
  return svg.finished("Timing",
                      left_out_note(axis.left_out()) +
                          "Cold times on the device: every sample, the box from the first to the third "
                          "quartile, the median as a bar. The table holds the same numbers.");
}

void number_series(std::span<Numbered> runs) {
  std::vector<std::pair<std::string, std::string>> known;
  for (Numbered& numbered : runs) {
    const std::pair key(numbered.run->kernel, numbered.run->device.name);
    const auto found = std::find(known.begin(), known.end(), key);
    numbered.series = static_cast<std::size_t>(found - known.begin());
    if (found == known.end()) known.push_back(key);
  }
}

bool is_emulated(const Run& run) {
  return run.device.kind == device::Kind::emulator;
}

std::vector<hardware::Ceiling> ceilings_of(std::span<const Numbered> runs) {
  std::vector<hardware::Ceiling> ceilings;
  const auto add = [&](const std::vector<hardware::Ceiling>& more, const std::string& device) {
    for (hardware::Ceiling ceiling : more) {
      ceiling.name = (device.empty() ? "" : device + " ") + ceiling.name;
      const bool known = std::any_of(ceilings.begin(), ceilings.end(), [&](const hardware::Ceiling& other) {
        return other.name == ceiling.name && other.unit == ceiling.unit && other.source == ceiling.source;
      });
      if (!known && std::isfinite(ceiling.value) && ceiling.value > 0) ceilings.push_back(std::move(ceiling));
    }
  };
  for (const Numbered& numbered : runs) {
    const model::Assessment& assessment = numbered.run->model;
    add(assessment.datasheet.ceilings, assessment.device);
    if (assessment.derived) add(assessment.derived->ceilings, assessment.device);
    if (assessment.measured) add(assessment.measured->ceilings, assessment.device);
  }
  return ceilings;
}

namespace {

struct RooflinePoint {
  const Numbered* run = nullptr;
  double intensity = 0, rate = 0;  ///< FLOP/byte, FLOP/s
  enum class Kind { measured, attainable, above } kind = Kind::measured;
};

/// Where a run stands: its rate when it was timed, else what its roof would allow.
std::optional<RooflinePoint> point_of(const Numbered& numbered) {
  const Run& run = *numbered.run;
  const model::Assessment& assessment = run.model;
  if (!assessment.intensity || !(*assessment.intensity > 0) || !(assessment.flops > 0)) return std::nullopt;
  RooflinePoint point{&numbered, *assessment.intensity, 0, RooflinePoint::Kind::measured};
  const auto* cold = cold_of(run);
  if (cold && cold->median_us > 0) {
    point.rate = assessment.flops / (cold->median_us * 1e-6);
    const auto& best = assessment.datasheet.sol_percent;
    constexpr double kTooGood = 102;
    if (run.verdict.status == hardware::Status::suspect || assessment.suspect || (best && *best > kTooGood))
      point.kind = RooflinePoint::Kind::above;
    return point;
  }
  if (!is_emulated(run) || !assessment.datasheet.t_sol_us || !(*assessment.datasheet.t_sol_us > 0))
    return std::nullopt;
  point.rate = assessment.flops / (*assessment.datasheet.t_sol_us * 1e-6);
  point.kind = RooflinePoint::Kind::attainable;
  return point;
}

constexpr double kPlotLeft = 90, kPlotTop = 20, kPlotBottom = 400, kPlotHeight = 450;

struct Plane {
  LogAxis x, y;
  Point at(double intensity, double rate) const { return {x.at(intensity), y.at(rate)}; }
};

/// Roofs that lie on each other (a derived one often lies on the datasheet's) and share a name.
struct NamedRoof {
  hardware::Ceiling roof;
  std::string sources;
  std::string name() const {
    return roof.name + " " + rate_text(roof.value, roof.unit) + " (" + sources + ")";
  }
};

std::vector<NamedRoof> named(const std::vector<hardware::Ceiling>& roofs, std::string_view unit) {
  constexpr double kSame = 0.005;
  std::vector<NamedRoof> result;
  for (const hardware::Ceiling& roof : roofs) {
    if (roof.unit != unit) continue;
    const auto found = std::find_if(result.begin(), result.end(), [&](const NamedRoof& other) {
      return other.roof.name == roof.name && std::abs(other.roof.value - roof.value) <= kSame * roof.value;
    });
    const std::string source(hardware::name_of(roof.source));
    if (found == result.end())
      result.push_back({roof, source});
    else
      found->sources += ", " + source;
  }
  std::sort(result.begin(), result.end(),
            [](const NamedRoof& a, const NamedRoof& b) { return a.roof.value < b.roof.value; });
  return result;
}

/// Bandwidths as slanted lines, cut to the plane. Where the next one is close above, the name goes below.
void draw_bandwidths(Svg& svg, const Plane& plane, const std::vector<NamedRoof>& roofs, double highest) {
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    const double value = roofs[i].roof.value;
    const double from = std::max(plane.x.low(), plane.y.low() / value);
    const double to = std::min(plane.x.high(), highest / value);
    if (!(from < to)) continue;
    const Point first = plane.at(from, from * value), last = plane.at(to, to * value);
    svg.line(first, last, "roof " + std::string(hardware::name_of(roofs[i].roof.source)));
    constexpr double kDegrees = 57.29577951308232;
    const double angle = std::atan2(last.y - first.y, last.x - first.x);
    const bool crowded = i + 1 < roofs.size() &&
                         first.y - plane.y.at(from * roofs[i + 1].roof.value) < kLine / std::cos(angle);
    const double off = crowded ? -kLine : 5;  // above the line, at right angles to it
    svg.text({first.x + 0.3 * (last.x - first.x) + off * std::sin(angle),
              first.y + 0.3 * (last.y - first.y) - off * std::cos(angle)},
             "start", "roof-label", roofs[i].name(), angle * kDegrees);
  }
}

void draw_computes(Svg& svg, const Plane& plane, const std::vector<NamedRoof>& roofs, double widest) {
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    const double value = roofs[i].roof.value, y = plane.y.at(value);
    const double from = widest > 0 ? value / widest : plane.x.low();
    svg.line(plane.at(std::clamp(from, plane.x.low(), plane.x.high()), value),
             plane.at(plane.x.high(), value), "roof " + std::string(hardware::name_of(roofs[i].roof.source)));
    const bool crowded = i + 1 < roofs.size() && y - plane.y.at(roofs[i + 1].roof.value) < kLine;
    svg.text({kRight - 4, crowded ? y + kLine - 1 : y - 5}, "end", "roof-label", roofs[i].name());
  }
}

void draw_roofs(Svg& svg, const Plane& plane, const std::vector<hardware::Ceiling>& roofs) {
  const auto computes = named(roofs, "FLOP/s"), bandwidths = named(roofs, "bytes/s");
  draw_computes(svg, plane, computes, bandwidths.empty() ? 0 : bandwidths.back().roof.value);
  draw_bandwidths(svg, plane, bandwidths, computes.empty() ? plane.y.high() : computes.back().roof.value);
}

void draw_point(Svg& svg, const Plane& plane, const RooflinePoint& point) {
  const Point at = plane.at(point.intensity, point.rate);
  const std::string where = label(*point.run) + ": " + rate_text(point.rate, "FLOP/s") + " at " +
                            figure(point.intensity) + " FLOP/byte";
  const std::string style = series(*point.run);
  switch (point.kind) {
    case RooflinePoint::Kind::measured:
      svg.circle(at, 5, "point " + style, where);
      break;
    case RooflinePoint::Kind::attainable:
      svg.circle(at, 6, "hollow " + style, where + ", attainable, not timed");
      break;
    case RooflinePoint::Kind::above:
      svg.cross(at, 6, "wrong",
                where + ", above the roof: " +
                    point.run->run->model.suspect.value_or("faster than the device can be").english());
      break;
  }
}

/// "1–4, 7": the numbers in rising order.
std::string numbers_text(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (last > i) text += (last > i + 1 ? "–" : ", ") + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

/// The numbers of the runs beside their marks; marks that lie on each other share one text.
void draw_numbers(Svg& svg, const Plane& plane, const std::vector<RooflinePoint>& points) {
  constexpr double kWide = 24, kHigh = 9;  // of a text
  struct Group {
    Point at;
    std::vector<std::size_t> numbers;
  };
  std::vector<Group> groups;
  for (const RooflinePoint& point : points) {
    const Point at = plane.at(point.intensity, point.rate);
    const auto near = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return std::abs(group.at.x - at.x) < kWide && std::abs(group.at.y - at.y) < kHigh;
    });
    if (near == groups.end())
      groups.push_back({at, {point.run->number}});
    else
      near->numbers.push_back(point.run->number);
  }
  for (const Group& group : groups)
    svg.text({group.at.x + 9, group.at.y + 12}, "start", "number", numbers_text(group.numbers));
}

}  // namespace

std::string roofline_chart(std::span<const Numbered> runs) {
  std::vector<RooflinePoint> points;
  for (const Numbered& numbered : runs)
    if (auto point = point_of(numbered)) points.push_back(*point);
  const std::vector<hardware::Ceiling> roofs = ceilings_of(runs);
  std::vector<double> intensities, rates;
  for (const RooflinePoint& point : points) {
    intensities.insert(intensities.end(), {point.intensity / 4, point.intensity * 4});
    rates.push_back(point.rate);
  }
  for (const hardware::Ceiling& compute : roofs) {
    if (compute.unit != "FLOP/s") continue;
    rates.push_back(compute.value);
    for (const hardware::Ceiling& memory : roofs)
      if (memory.unit == "bytes/s") intensities.push_back(2 * compute.value / memory.value);
  }
  const Plane plane{LogAxis(intensities, kPlotLeft, kRight), LogAxis(rates, kPlotBottom, kPlotTop)};
  if (points.empty() || plane.x.empty() || plane.y.empty()) return {};
  Svg svg(kWidth, kPlotHeight);
  for (const double tick : plane.x.ticks()) {
    svg.line({plane.x.at(tick), kPlotTop}, {plane.x.at(tick), kPlotBottom}, "grid");
    svg.text({plane.x.at(tick), kPlotBottom + 16}, "middle", "tick", figure(tick));
  }
  for (const double tick : plane.y.ticks()) {
    svg.line({kPlotLeft, plane.y.at(tick)}, {kRight, plane.y.at(tick)}, "grid");
    svg.text({kPlotLeft - 6, plane.y.at(tick) + 4}, "end", "tick", rate_text(tick, "FLOP/s"));
  }
  svg.text({(kPlotLeft + kRight) / 2, kPlotBottom + 36}, "middle", "tick", "FLOP per fused byte");
  draw_roofs(svg, plane, roofs);
  for (const RooflinePoint& point : points) draw_point(svg, plane, point);
  draw_numbers(svg, plane, points);
  const std::size_t left_out = runs.size() - points.size();
  return svg.finished(
      "Roofline",
      (left_out ? std::to_string(left_out) + " runs without FLOPs or without a rate are not drawn. " : "") +
          std::string("FLOP/s over FLOP per byte under the roofs of the device. Filled: timed. Hollow: "
                      "attainable, not timed. Cross: above the roof. The table holds the same numbers."));
}

std::string sol_chart(std::span<const Numbered> runs) {
  const double bottom = rows_end(runs.size());
  Svg svg(kWidth, bottom + kBottom);
  const auto at = [](double percent) {
    return kLabels + std::clamp(percent, 0.0, 110.0) / 110 * (kRight - kLabels);
  };
  for (int percent = 0; percent <= 100; percent += 20) {
    svg.line({at(percent), kTop}, {at(percent), bottom}, percent == 100 ? "roof datasheet" : "grid");
    svg.text({at(percent), bottom + 16}, "middle", "tick", std::to_string(percent) + " %");
  }
  for (std::size_t row = 0; row < runs.size(); ++row) {
    const model::Basis& basis = runs[row].run->model.datasheet;
    const double y = row_middle(row);
    svg.text({kLabels - 8, y + 4}, "end", "label", label(runs[row]));
    const std::string t_sol = "T_SOL " + time_text(basis.t_sol_us);
    if (!basis.sol_percent || !std::isfinite(*basis.sol_percent)) {
      svg.text({kLabels + 6, y + 4}, "start", "quiet", t_sol + " · " + untimed_words(*runs[row].run));
      continue;
    }
    const bool above = *basis.sol_percent > 102;
    const std::string percent = percent_text(basis.sol_percent);
    svg.rectangle({kLabels, y - 6}, at(*basis.sol_percent) - kLabels, 12,
                  above ? "bar wrong" : "bar " + series(runs[row]),
                  label(runs[row]) + ": " + percent + " of Speed of Light, " + t_sol +
                      (above ? ", faster than the device can be" : ""));
    svg.text({at(*basis.sol_percent) + 5, y + 4}, "start", "number", percent);
  }
  svg.line({kLabels, kTop}, {kLabels, bottom}, "axis");
  return svg.finished(
      "Speed of Light",
      "SOL %: the best possible time by the datasheet over the cold median. Runs without a time show "
      "their T_SOL alone. The table holds the same numbers.");
}

}  // namespace ridge::session
