// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar's right end: what is going on, for how long, and the way to stop it.
#pragma once

#include <QElapsedTimer>
#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

namespace ridge::desktop {

class Busy : public QWidget {
  Q_OBJECT

 public:
  explicit Busy(QWidget* parent);
  void begin();
  void setStage(const QString& stage, const QString& workload, int step, int steps);
  void end();
  void setCompiling(bool compiling);
  QToolButton* stopButton() const { return stop_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();

  QLabel* text_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QToolButton* stop_ = nullptr;
  QElapsedTimer since_;
  QTimer tick_;
  QString stage_, workload_;
  bool running_ = false, compiling_ = false;
};

}  // namespace ridge::desktop
