// SPDX-License-Identifier: GPL-3.0-or-later
// The one list of everything the window can do. Menus, shortcuts, the command palette and the help page are
// made from it, so an action that is not here cannot be reached and one that is here can be reached from
// everywhere.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <functional>
#include <vector>

#include "theme/theme.h"

class QMenu;

namespace ridge::desktop {

enum class MenuId { file, edit, run, view, theme, language, layout, help };

struct ActionSpec {
  const char* id;
  MenuId menu;
  const char* text;       ///< to be translated, in the context of Actions
  const char* help;       ///< one sentence, translated alike
  const char* keys = "";  ///< portable text; several parted by a blank
  const char* icon = "";  ///< in resources/icons
  bool checkable = false;
  bool separatorBefore = false;
};

class ActionRegistry : public QObject {
  Q_OBJECT

 public:
  ActionRegistry(Theme& theme, QObject* parent);

  QAction* add(const ActionSpec& spec, std::function<void()> handler);
  QAction* action(const QString& id) const;  ///< null: there is no such action
  const std::vector<QAction*>& all() const { return actions_; }
  void fill(QMenu* menu, MenuId id) const;
  void retranslate();
  /// The help page: every action with its keys and its sentence.
  QString helpPage() const;
  static QString menuTitle(MenuId id);

 private:
  void refreshIcons();

  Theme& theme_;
  std::vector<ActionSpec> specs_;
  std::vector<QAction*> actions_;
};

}  // namespace ridge::desktop
