// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/report_svg.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "session/report.h"

namespace ridge::session {
namespace {

/// A coordinate with a tenth of a pixel.
std::string pixel(double value) {
  std::array<char, 32> text{};
  const double rounded = std::round((std::isfinite(value) ? value : 0) * 10) / 10;
  const auto [end, problem] = std::to_chars(text.data(), text.data() + text.size(), rounded);
  return {text.data(), end};
}

std::string attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + pixel(value) + "\"";
}

std::string style_of(std::string_view style) {
  return " class=\"" + escaped(style) + "\"";
}

/// The end of an element that may have a tooltip.
std::string closed(std::string_view element, std::string_view tip) {
  if (tip.empty()) return "/>\n";
  return "><title>" + escaped(tip) + "</title></" + std::string(element) + ">\n";
}

}  // namespace

void Svg::line(Point from, Point to, std::string_view style) {
  body_ += "<line" + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
           attribute("y2", to.y) + style_of(style) + "/>\n";
}

void Svg::rectangle(Point corner, double width, double height, std::string_view style, std::string_view tip) {
  body_ += "<rect" + attribute("x", corner.x) + attribute("y", corner.y) +
           attribute("width", std::max(0.0, width)) + attribute("height", std::max(0.0, height)) +
           style_of(style) + closed("rect", tip);
}

void Svg::circle(Point centre, double radius, std::string_view style, std::string_view tip) {
  body_ += "<circle" + attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", radius) +
           style_of(style) + closed("circle", tip);
}

void Svg::cross(Point centre, double radius, std::string_view style, std::string_view tip) {
  const auto stroke = [&](double sign) {
    return "M" + pixel(centre.x - radius) + " " + pixel(centre.y - sign * radius) + "L" +
           pixel(centre.x + radius) + " " + pixel(centre.y + sign * radius);
  };
  body_ += "<path d=\"" + stroke(1) + stroke(-1) + "\"" + style_of(style) + closed("path", tip);
}

void Svg::text(Point at, std::string_view anchor, std::string_view style, std::string_view text,
               double degrees) {
  body_ += "<text" + attribute("x", at.x) + attribute("y", at.y) + " text-anchor=\"" + std::string(anchor) +
           "\"" + style_of(style);
  if (degrees != 0)
    body_ += " transform=\"rotate(" + pixel(degrees) + " " + pixel(at.x) + " " + pixel(at.y) + ")\"";
  body_ += ">" + escaped(text) + "</text>\n";
}

std::string Svg::finished(std::string_view name, std::string_view description) const {
  return "<svg role=\"img\" viewBox=\"0 0 " + pixel(width_) + " " + pixel(height_) + "\" aria-label=\"" +
         escaped(name) + "\">\n<desc>" + escaped(description) + "</desc>\n" + body_ + "</svg>\n";
}

LogAxis::LogAxis(const std::vector<double>& values, double first_pixel, double last_pixel)
    : first_pixel_(first_pixel), last_pixel_(last_pixel) {
  std::vector<double> usable;
  for (const double value : values)
    if (std::isfinite(value) && value > 0) usable.push_back(value);
  left_out_ = values.size() - usable.size();
  if (usable.empty()) return;
  const auto [least, most] = std::minmax_element(usable.begin(), usable.end());
  constexpr double kMargin = 1.5;
  low_ = std::max(*least / kMargin, 1e-300);
  high_ = std::min(*most * kMargin, 1e300);
}

double LogAxis::at(double value) const {
  if (empty()) return first_pixel_;
  const double clamped = std::clamp(value, low_, high_);
  const double share = (std::log10(clamped) - std::log10(low_)) / (std::log10(high_) - std::log10(low_));
  return first_pixel_ + share * (last_pixel_ - first_pixel_);
}

std::vector<double> LogAxis::ticks() const {
  std::vector<double> ticks;
  if (empty()) return ticks;
  const int first = static_cast<int>(std::floor(std::log10(low_))),
            last = static_cast<int>(std::ceil(std::log10(high_)));
  const int decades = last - first;
  const bool fine = decades <= 3;
  const int step = std::max(1, (decades + 9) / 10);
  for (int exponent = first; exponent <= last; exponent += step)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10.0, exponent);
      if (tick >= low_ && tick <= high_ && (fine || factor == 1.0)) ticks.push_back(tick);
    }
  return ticks;
}

}  // namespace ridge::session
