// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/label_placement.h"

#include <cmath>

namespace ridge::desktop {
namespace {

constexpr double kStep = 6;    // pixels from one candidate to the next
constexpr double kGap = 2;     // between a line and its name
constexpr double kMarker = 7;  // half of a marker and some air

// What a candidate costs. One line can be read through; on a point, on two lines or on another name none is
// drawn.
constexpr double kTooMuch = 50, kOnLabel = 1e6, kOnPoint = 50, kOnLine = 30, kShorter = 10, kBelow = 1,
                 kFarFromEnd = 2;

bool crosses(const QLineF& line, const QPolygonF& polygon) {
  for (qsizetype i = 0; i < polygon.size(); ++i)
    if (line.intersects(QLineF(polygon[i], polygon[(i + 1) % polygon.size()]), nullptr) ==
        QLineF::BoundedIntersection)
      return true;
  return polygon.containsPoint(line.p1(), Qt::OddEvenFill);
}

/// `start` pixels from the end that the label prefers. `along` is the line's direction.
LabelPlace candidate(const LineLabel& label, const QPointF& along, std::size_t form, double start,
                     bool above) {
  const QSizeF size = label.sizes[form];
  const double from = label.fromEnd ? label.line.length() - size.width() - start : start;
  const QPointF up(along.y(), -along.x());  // away from the line, towards the top of the screen
  const QPointF away = above ? up : -up;
  LabelPlace place;
  place.form = form;
  place.above = above;
  place.fits = true;
  place.angle = std::atan2(along.y(), along.x()) * 180 / M_PI;
  place.corner = label.line.p1() + along * from + away * kGap;
  place.area = QPolygonF{place.corner, place.corner + along * size.width(),
                         place.corner + along * size.width() + away * size.height(),
                         place.corner + away * size.height()};
  return place;
}

double costOfPoints(const LabelPlace& place, const QPointF& along, const QSizeF& size,
                    const QVector<QPointF>& points) {
  const QPointF up(along.y(), -along.x()), away = place.above ? up : -up;
  double cost = 0;
  for (const QPointF& point : points) {
    const QPointF d = point - place.corner;
    const double x = QPointF::dotProduct(d, along), y = QPointF::dotProduct(d, away);
    if (x > -kMarker && x < size.width() + kMarker && y > -kMarker && y < size.height() + kMarker)
      cost += kOnPoint;
  }
  return cost;
}

}  // namespace

std::vector<LabelPlace> placeAlongLines(const std::vector<LineLabel>& labels, const QRectF& area,
                                        const QVector<QPointF>& points) {
  std::vector<LabelPlace> places;
  for (std::size_t own = 0; own < labels.size(); ++own) {
    const LineLabel& label = labels[own];
    const double length = label.line.length();
    const QPointF along = length > 0 ? (label.line.p2() - label.line.p1()) / length : QPointF();
    LabelPlace best;
    best.cost = kTooMuch;
    for (std::size_t form = 0; form < label.sizes.size(); ++form)
      for (double start = 0; start + label.sizes[form].width() <= length; start += kStep)
        for (const bool above : {true, false}) {
          LabelPlace place = candidate(label, along, form, start, above);
          if (!area.adjusted(-1, -1, 1, 1).contains(place.area.boundingRect())) continue;
          place.cost = kShorter * static_cast<double>(form) + (above ? 0 : kBelow) +
                       kFarFromEnd * start / length + costOfPoints(place, along, label.sizes[form], points);
          for (const LabelPlace& other : places)
            if (other.fits && other.area.intersects(place.area)) place.cost += kOnLabel;
          for (std::size_t i = 0; i < labels.size(); ++i)
            if (i != own && crosses(labels[i].drawn, place.area)) place.cost += kOnLine;
          if (place.cost < best.cost) best = place;
        }
    places.push_back(best);
  }
  return places;
}

}  // namespace ridge::desktop
