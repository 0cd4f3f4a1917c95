// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/label_placement.h"

#include <cmath>

namespace ridge::desktop {
namespace {

constexpr double kStep = 6;    // pixels from one candidate to the next
constexpr double kGap = 2;     // between a line and its name
constexpr double kMarker = 7;  // half of a marker and some air

// What a candidate costs. Points matter more than lines, which can be read through, and names that would
// stand on each other or leave the picture are not drawn.
constexpr double kOnLabel = 1e6, kOnPoint = 50, kOnLine = 30, kBelow = 1, kFarFromEnd = 2;

bool crosses(const QLineF& line, const QPolygonF& polygon) {
  for (qsizetype i = 0; i < polygon.size(); ++i)
    if (line.intersects(QLineF(polygon[i], polygon[(i + 1) % polygon.size()]), nullptr) ==
        QLineF::BoundedIntersection)
      return true;
  return polygon.containsPoint(line.p1(), Qt::OddEvenFill);
}

}  // namespace

std::vector<LabelPlace> placeAlongLines(const std::vector<LineLabel>& labels, const QRectF& area,
                                        const QVector<QPointF>& points) {
  std::vector<LabelPlace> places;
  for (std::size_t own = 0; own < labels.size(); ++own) {
    const LineLabel& label = labels[own];
    const double length = label.line.length(), width = label.size.width(), height = label.size.height();
    LabelPlace best;
    best.cost = kOnLabel;
    const QPointF along = length > 0 ? (label.line.p2() - label.line.p1()) / length : QPointF();
    const QPointF up(along.y(), -along.x());  // away from the line, towards the top of the screen
    for (double start = 0; start + width <= length; start += kStep)
      for (const bool above : {true, false}) {
        const double from = label.fromEnd ? length - width - start : start;
        const QPointF away = above ? up : -up;
        LabelPlace place;
        place.above = above;
        place.corner = label.line.p1() + along * from + away * kGap;
        place.area = QPolygonF{place.corner, place.corner + along * width,
                               place.corner + along * width + away * height, place.corner + away * height};
        if (!area.adjusted(-1, -1, 1, 1).contains(place.area.boundingRect())) continue;
        double cost = (above ? 0 : kBelow) + kFarFromEnd * start / length;
        for (const QPointF& point : points) {
          const QPointF d = point - place.corner;
          const double x = QPointF::dotProduct(d, along), y = QPointF::dotProduct(d, away);
          if (x > -kMarker && x < width + kMarker && y > -kMarker && y < height + kMarker) cost += kOnPoint;
        }
        for (const LabelPlace& other : places)
          if (other.fits && other.area.intersects(place.area)) cost += kOnLabel;
        for (std::size_t i = 0; i < labels.size(); ++i)
          if (i != own && crosses(labels[i].drawn, place.area)) cost += kOnLine;
        if (cost >= best.cost) continue;
        place.cost = cost;
        place.fits = true;
        place.angle = std::atan2(along.y(), along.x()) * 180 / M_PI;
        best = place;
      }
    places.push_back(best);
  }
  return places;
}

}  // namespace ridge::desktop
