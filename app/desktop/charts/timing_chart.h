// SPDX-License-Identifier: GPL-3.0-or-later
// Time by workload: every sample as a dot, the median as a marker with its quartiles. Cold, warm and
// launch-inclusive times are never in one picture.
#pragma once

#include <QComboBox>

#include "charts/chart_pane.h"

namespace ridge::desktop {

class TimingChart : public ChartPane {
  Q_OBJECT

 public:
  enum class Kind { cold, warm, launchInclusive };
  TimingChart(Theme& theme, QWidget* parent);
  QString title() const override { return tr("Timing"); }
  void setKind(Kind kind);

 protected:
  void draw() override;
  QString emptyText() const override;
  void retranslateControls() override;
  void showAll() override;
  void forgetItems() override { untimedNote_ = nullptr; }
  void resized() override { noteUntimed(); }

 private:
  const measure::Sampled* sampled(const session::Run& run) const;
  /// Runs of one workload.
  struct Count {
    int timed = 0, untimed = 0;
  };
  void drawSeries(const Series& series, int lane, int lanes, std::vector<Count>& counts);
  void noteUntimed();

  QComboBox* kind_ = nullptr;
  QCPItemText* untimedNote_ = nullptr;  ///< where no run has a time
  double lowest_ = 0, highest_ = 0;     ///< of the plotted times, us
};

}  // namespace ridge::desktop
