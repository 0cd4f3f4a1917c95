// SPDX-License-Identifier: GPL-3.0-or-later
// Where the panes stand: three arrangements to choose from, and saving what the user made of them.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <vector>

namespace ridge::desktop {

enum class PaneId {
  setup,
  launch,
  sessions,
  problems,
  verification,
  code,
  output,
  log,
  timing,
  roofline,
  sol
};
inline constexpr int kPaneCount = static_cast<int>(PaneId::sol) + 1;
enum class Arrangement { work, edit, analyse };

class Layout {
 public:
  explicit Layout(QMainWindow* window);
  QDockWidget* add(PaneId id, const char* objectName, QWidget* pane);
  QDockWidget* dock(PaneId id) const { return docks_[static_cast<std::size_t>(id)]; }
  void arrange(Arrangement arrangement);
  void reveal(PaneId id);  ///< shows, raises and focuses it
  /// Docks that can be seen, in the order of PaneId.
  std::vector<QDockWidget*> visible() const;
  QByteArray state() const;
  bool restore(const QByteArray& state);  ///< false: of another version, nothing changed

 private:
  void stack(Qt::DockWidgetArea area, const std::vector<std::vector<PaneId>>& rows);

  QMainWindow* window_;
  std::vector<QDockWidget*> docks_;
};

/// The first widget inside that takes the keyboard, for going from pane to pane.
QWidget* firstFocus(QWidget* pane);

}  // namespace ridge::desktop
