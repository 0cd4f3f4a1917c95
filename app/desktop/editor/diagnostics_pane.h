// SPDX-License-Identifier: GPL-3.0-or-later
// The list of what is wrong in the source: from directives, the compiler and the last run.
#pragma once

#include <QLabel>
#include <QTreeWidget>
#include <QWidget>

#include "base/diagnostic.h"
#include "source/source.h"
#include "theme/theme.h"

namespace ridge::desktop {

class DiagnosticsPane : public QWidget {
  Q_OBJECT

 public:
  DiagnosticsPane(Theme& theme, QWidget* parent);

  void setDiagnostics(const Diagnostics& diagnostics, const std::vector<source::Question>& questions);
  /// The text has changed since these were found.
  void setStale(bool stale);
  bool stale() const { return stale_; }
  QTreeWidget* list() const { return list_; }

 signals:
  void activated(int line, int column);  ///< 1-based, as in Diagnostic

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refill();
  void updateHead();

  Theme& theme_;
  QLabel* head_ = nullptr;
  QTreeWidget* list_ = nullptr;
  Diagnostics diagnostics_;
  std::vector<source::Question> questions_;
  bool stale_ = false;
};

}  // namespace ridge::desktop
