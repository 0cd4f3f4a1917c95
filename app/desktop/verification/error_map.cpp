// SPDX-License-Identifier: GPL-3.0-or-later
#include "verification/error_map.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace ridge::desktop {
namespace {

/// "4" or "4 to 7".
QString range(std::int64_t extent, int parts, int part) {
  const std::int64_t first = extent * part / parts, last = extent * (part + 1) / parts - 1;
  return first >= last ? QString::number(first) : ErrorMapView::tr("%1 to %2").arg(first).arg(last);
}

QString whole(const QString& what, std::int64_t extent) {
  return extent == 1 ? QStringLiteral("%1 0").arg(what)
                     : QStringLiteral("%1 0 – %2").arg(what).arg(extent - 1);
}

}  // namespace

ErrorMapView::ErrorMapView(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  setMinimumSize(140, 110);
  connect(&theme_, &Theme::changed, this, [this] { update(); });
}

void ErrorMapView::setMap(const verify::ErrorMap& map) {
  map_ = map;
  const auto cells = static_cast<std::size_t>(map_.grid_rows) * static_cast<std::size_t>(map_.grid_columns);
  if (map_.wrong.size() != cells) map_ = {};
  retranslate();
}

void ErrorMapView::retranslate() {
  const auto total = std::accumulate(map_.wrong.begin(), map_.wrong.end(), std::int64_t{0});
  const QString of = map_.kind == verify::MapKind::tensor   ? tr("%1 rows by %2 columns")
                     : map_.kind == verify::MapKind::blocks ? tr("%1 rows by %2 columns of blocks")
                                                            : tr("%1 warps of %2 lanes");
  setAccessibleDescription(tr("%1: %2 wrong elements, %3")
                               .arg(QString::fromStdString(map_.tensor))
                               .arg(total)
                               .arg(of.arg(map_.rows).arg(map_.columns)));
  update();
}

QRectF ErrorMapView::field() const {
  const double line = fontMetrics().height() + 2;
  return QRectF(rect()).adjusted(line, 0, -1, -line);
}

QRectF ErrorMapView::cell(int row, int column) const {
  const QRectF all = field();
  const double w = all.width() / std::max(1, map_.grid_columns),
               h = all.height() / std::max(1, map_.grid_rows);
  return {all.left() + column * w, all.top() + row * h, w, h};
}

QString ErrorMapView::describe(int row, int column) const {
  const auto wrong = map_.wrong[static_cast<std::size_t>(row * map_.grid_columns + column)];
  const QString rows = range(map_.rows, map_.grid_rows, row),
                columns = range(map_.columns, map_.grid_columns, column);
  switch (map_.kind) {
    case verify::MapKind::blocks:
      return map_.rows == 1 ? tr("block x %1: %2 wrong").arg(columns).arg(wrong)
                            : tr("block x %1, y %2: %3 wrong").arg(columns, rows).arg(wrong);
    case verify::MapKind::threads:
      return tr("warp %1, lane %2: %3 wrong").arg(rows, columns).arg(wrong);
    default:
      return tr("rows %1, columns %2: %3 wrong").arg(rows, columns).arg(wrong);
  }
}

void ErrorMapView::drawCaptions(QPainter& painter) const {
  QString across, down;
  switch (map_.kind) {
    case verify::MapKind::blocks:
      across = tr("block x"), down = tr("block y");
      break;
    case verify::MapKind::threads:
      across = tr("lane"), down = tr("warp");
      break;
    default:
      across = tr("column"), down = tr("row");
  }
  const QRectF all = field();
  painter.setPen(theme_(Role::windowText));
  painter.drawText(QRectF(all.left(), all.bottom(), all.width(), height() - all.bottom()), Qt::AlignCenter,
                   whole(across, map_.columns));
  painter.save();
  painter.translate(0, all.bottom());
  painter.rotate(-90);
  painter.drawText(QRectF(0, 0, all.height(), all.left()), Qt::AlignCenter, whole(down, map_.rows));
  painter.restore();
}

void ErrorMapView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRectF all = field();
  painter.fillRect(all, theme_(Role::base));
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
  painter.setPen(theme_(Role::outline));
  painter.drawRect(all);
  drawCaptions(painter);
}

bool ErrorMapView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && !map_.wrong.empty()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QRectF all = field();
    if (!all.contains(help->pos())) {
      QToolTip::hideText();
      return true;
    }
    const auto part = [](double at, double length, int parts) {
      return std::clamp(static_cast<int>(at * parts / length), 0, parts - 1);
    };
    QToolTip::showText(help->globalPos(),
                       describe(part(help->pos().y() - all.top(), all.height(), map_.grid_rows),
                                part(help->pos().x() - all.left(), all.width(), map_.grid_columns)),
                       this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace ridge::desktop
