// SPDX-License-Identifier: GPL-3.0-or-later
// Where names stand that are written along lines: beside their own line, clear of points, of each other and
// of the other lines. Plain geometry in pixels.
#pragma once

#include <QLineF>
#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <QVector>
#include <vector>

namespace ridge::desktop {

struct LineLabel {
  QLineF line;                ///< from left to right; the name may stand anywhere along it
  QLineF drawn;               ///< the part of it that is seen, which other names had better not cross
  std::vector<QSizeF> sizes;  ///< of the name and of its shorter forms, not turned
  bool fromEnd = false;       ///< it rather stands at the right end
};

struct LabelPlace {
  std::size_t form = 0;  ///< which of the label's sizes
  QPointF corner;        ///< where the name begins: its lower left corner, below the line its upper left one
  double angle = 0;      ///< degrees, clockwise as on screens
  bool above = true;     ///< of its line
  bool fits = false;     ///< false: there is no room for the name
  double cost = 0;       ///< how many points and lines the name stands on, weighed; below 30 on none
  QPolygonF area;        ///< that the name covers
};

/// One place for each label. Earlier labels choose first.
std::vector<LabelPlace> placeAlongLines(const std::vector<LineLabel>& labels, const QRectF& area,
                                        const QVector<QPointF>& points);

}  // namespace ridge::desktop
