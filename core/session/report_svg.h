// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: a drawing that grows by shapes, and the axes of charts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::session {

struct Point {
  double x = 0, y = 0;
};

/// Shapes take a class, which the page's style sheet gives a look, and may have a tooltip.
class Svg {
 public:
  Svg(double width, double height) : width_(width), height_(height) {}

  void line(Point from, Point to, std::string_view style);
  void rectangle(Point corner, double width, double height, std::string_view style,
                 std::string_view tip = {});
  void circle(Point centre, double radius, std::string_view style, std::string_view tip = {});
  void cross(Point centre, double radius, std::string_view style, std::string_view tip = {});
  /// `anchor`: start, middle or end. `degrees` turns the text around its point.
  void text(Point at, std::string_view anchor, std::string_view style, std::string_view text,
            double degrees = 0);
  /// The element, with an accessible name and description.
  std::string finished(std::string_view name, std::string_view description) const;

 private:
  double width_, height_;
  std::string body_;
};

/// A logarithmic axis over the positive, finite ones of the values; the others are counted and left out,
/// because a zero has no place on it.
class LogAxis {
 public:
  LogAxis(const std::vector<double>& values, double first_pixel, double last_pixel);

  bool empty() const { return high_ <= low_; }
  std::size_t left_out() const { return left_out_; }
  double low() const { return low_; }
  double high() const { return high_; }
  double at(double value) const;      ///< pixel; values beyond the ends are put on them
  std::vector<double> ticks() const;  ///< at most 12

 private:
  double low_ = 1, high_ = 1;
  double first_pixel_, last_pixel_;
  std::size_t left_out_ = 0;
};

}  // namespace ridge::session
