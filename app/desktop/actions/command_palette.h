// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette: type words in any order, Enter runs, Escape goes back to where the focus was.
#pragma once

#include <QDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>

#include "actions/registry.h"

namespace ridge::desktop {

/// All words of `typed` occur in `text`, whatever their order and case.
bool matches(const QString& text, const QString& typed);

class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(ActionRegistry& actions, QWidget* parent);
  void popUp();
  QListWidget* list() const { return list_; }
  QLineEdit* input() const { return input_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void refill();
  void runCurrent();

  ActionRegistry& actions_;
  QLineEdit* input_ = nullptr;
  QListWidget* list_ = nullptr;
  QPointer<QWidget> formerFocus_;
};

}  // namespace ridge::desktop
