// SPDX-License-Identifier: GPL-3.0-or-later
// Where an output is wrong: a coarse picture of the tensor, darker where more elements are.
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
  QSize sizeHint() const override { return {220, 160}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QString describe(int row, int column) const;
  QRectF cell(int row, int column) const;

  Theme& theme_;
  verify::ErrorMap map_;
};

}  // namespace ridge::desktop
