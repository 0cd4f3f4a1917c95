// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette: type words in any order, Enter runs, Escape goes back to where the focus was. Other
// lists to choose from (recent files) look and behave alike.
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
  struct Choice {
    QString text, detail;  ///< typed words are looked for in both
    QIcon icon;
    bool enabled = true;
    QString id;
    QString keys = {};  ///< that do the same
  };

  void popUp();  ///< with every action
  void popUp(const QString& prompt, std::vector<Choice> choices,
             std::function<void(const QString& id)> chosen);
  /// Without a list: Enter hands over what was typed.
  void ask(const QString& prompt, std::function<void(const QString& typed)> answered);
  QListWidget* list() const { return list_; }
  QLineEdit* input() const { return input_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void refill();
  void open();
  void runCurrent();

  ActionRegistry& actions_;
  QLineEdit* input_ = nullptr;
  QListWidget* list_ = nullptr;
  std::vector<Choice> choices_;
  std::function<void(const QString&)> chosen_;
  bool asks_ = false;  ///< for text, not for one of a list
  QPointer<QWidget> formerFocus_;
};

}  // namespace ridge::desktop
