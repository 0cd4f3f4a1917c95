// SPDX-License-Identifier: GPL-3.0-or-later
// The demo: the window itself runs the softmax and sgemm problems, and what it shows is written to a folder.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>

#include "shell/main_window.h"

namespace ridge::desktop {

class Demo : public QObject {
  Q_OBJECT

 public:
  Demo(MainWindow& window, QString folder);
  void begin();

 signals:
  void done(int exitStatus);

 private:
  void nextProblem();
  void conclude();
  bool write();
  void printTable() const;

  MainWindow& window_;
  QString folder_;
  QStringList problems_{QStringLiteral("softmax"), QStringLiteral("sgemm")};
  QElapsedTimer clock_;
  bool failed_ = false;
};

}  // namespace ridge::desktop
