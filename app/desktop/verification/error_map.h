// SPDX-License-Identifier: GPL-3.0-or-later
// Where an output is wrong: a coarse picture of the tensor, of the blocks, or of the warps and lanes, darker
// where more elements are.
#pragma once

#include <QWidget>

#include "theme/theme.h"
#include "verify/verdict.h"

namespace ridge::desktop {

class ErrorMapView : public QWidget {
  Q_OBJECT

 public:
  ErrorMapView(Theme& theme, QWidget* parent);
  void setMap(const verify::ErrorMap& map);
  const verify::ErrorMap& map() const { return map_; }
  void retranslate();
  QSize sizeHint() const override { return {240, 170}; }
  /// What a cell stands for, and how many of its elements are wrong.
  QString describe(int row, int column) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF field() const;  ///< of the cells
  QRectF cell(int row, int column) const;
  void drawCaptions(QPainter& painter) const;

  Theme& theme_;
  verify::ErrorMap map_;
};

}  // namespace ridge::desktop
