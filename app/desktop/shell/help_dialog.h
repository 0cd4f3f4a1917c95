// SPDX-License-Identifier: GPL-3.0-or-later
// The help pages of resources/help, and the page of keys that the action registry writes. Needs no network.
#pragma once

#include <QDialog>
#include <QListWidget>
#include <QTextBrowser>

#include "actions/registry.h"

namespace ridge::desktop {

class HelpDialog : public QDialog {
  Q_OBJECT

 public:
  HelpDialog(const ActionRegistry& actions, QWidget* parent);
  QListWidget* pages() const { return pages_; }
  QTextBrowser* text() const { return text_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void showPage(int row);
  void dressTables();
  void follow(const QUrl& link);

  const ActionRegistry& actions_;
  QListWidget* pages_ = nullptr;
  QTextBrowser* text_ = nullptr;
};

}  // namespace ridge::desktop
