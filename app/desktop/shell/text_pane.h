// SPDX-License-Identifier: GPL-3.0-or-later
// Plain text that is appended to: the log, and what kernels print.
#pragma once

#include <QPlainTextEdit>

namespace ridge::desktop {

class TextPane : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit TextPane(QWidget* parent);
  void append(const QString& line);
  void setWhole(const QString& text);
};

}  // namespace ridge::desktop
