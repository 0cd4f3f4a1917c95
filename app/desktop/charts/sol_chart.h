// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of light: one bar a run, how much of T_SOL is reached. Runs without a time show T_SOL alone.
#pragma once

#include <QScrollArea>

#include "charts/chart_pane.h"

namespace ridge::desktop {

class SolChart : public ChartPane {
  Q_OBJECT

 public:
  SolChart(Theme& theme, QWidget* parent);
  QString title() const override { return tr("Speed of light"); }

 protected:
  void draw() override;
  QString emptyText() const override;
  void showAll() override;
  void resized() override { nameRows(); }

 private:
  struct Bar {
    RunPtr run;
    const Series* series;
  };
  std::vector<Bar> ordered() const;
  void nameRows();

  int rows_ = 0;
  QStringList names_;  ///< of the rows
  double widest_ = 100;
};

}  // namespace ridge::desktop
