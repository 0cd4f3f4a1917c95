// SPDX-License-Identifier: GPL-3.0-or-later
#include "verification/error_map.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace ridge::desktop {

ErrorMapView::ErrorMapView(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  setMinimumSize(120, 80);
  connect(&theme_, &Theme::changed, this, [this] { update(); });
}

void ErrorMapView::setMap(const verify::ErrorMap& map) {
  map_ = map;
  const auto cells = static_cast<std::size_t>(map_.grid_rows) * static_cast<std::size_t>(map_.grid_columns);
  if (map_.wrong.size() != cells) map_ = {};
  const auto total = std::accumulate(map_.wrong.begin(), map_.wrong.end(), std::int64_t{0});
  setAccessibleDescription(tr("%1: %2 wrong elements of %3 rows by %4 columns")
                               .arg(QString::fromStdString(map_.tensor))
                               .arg(total)
                               .arg(map_.rows)
                               .arg(map_.columns));
  update();
}

QRectF ErrorMapView::cell(int row, int column) const {
  const double w = double(width()) / std::max(1, map_.grid_columns),
               h = double(height()) / std::max(1, map_.grid_rows);
  return {column * w, row * h, w, h};
}

QString ErrorMapView::describe(int row, int column) const {
  const auto span = [](std::int64_t extent, int parts, int part) {
    return std::pair(extent * part / parts, extent * (part + 1) / parts - 1);
  };
  const auto [r0, r1] = span(map_.rows, map_.grid_rows, row);
  const auto [c0, c1] = span(map_.columns, map_.grid_columns, column);
  const auto wrong = map_.wrong[static_cast<std::size_t>(row * map_.grid_columns + column)];
  return tr("rows %1 to %2, columns %3 to %4: %5 wrong").arg(r0).arg(r1).arg(c0).arg(c1).arg(wrong);
}

void ErrorMapView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_(Role::alternateBase));
  if (map_.wrong.empty()) return;
  const auto most = std::max<std::int64_t>(1, *std::max_element(map_.wrong.begin(), map_.wrong.end()));
  for (int row = 0; row < map_.grid_rows; ++row)
    for (int column = 0; column < map_.grid_columns; ++column) {
      const auto wrong = map_.wrong[static_cast<std::size_t>(row * map_.grid_columns + column)];
      if (wrong <= 0) continue;
      QColor ink = theme_(Role::error);
      // A single wrong element must be seen as well, so the scale starts at a third.
      ink.setAlphaF(static_cast<float>(0.35 + 0.65 * std::sqrt(double(wrong) / double(most))));
      painter.fillRect(cell(row, column), ink);
    }
  painter.setPen(theme_(Role::border));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

bool ErrorMapView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && !map_.wrong.empty()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int column =
        std::clamp(help->pos().x() * map_.grid_columns / std::max(1, width()), 0, map_.grid_columns - 1);
    const int row =
        std::clamp(help->pos().y() * map_.grid_rows / std::max(1, height()), 0, map_.grid_rows - 1);
    QToolTip::showText(help->globalPos(), describe(row, column), this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace ridge::desktop
