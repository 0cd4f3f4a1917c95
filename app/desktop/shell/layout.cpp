// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/layout.h"

namespace ridge::desktop {
namespace {

constexpr int kStateVersion = 1;  ///< raise when panes come or go
// In a window smaller than this two charts share a place, and the editor keeps its width.
constexpr int kRoomyWidth = 1500, kRoomyHeight = 880;

}  // namespace

QWidget* firstFocus(QWidget* pane) {
  QWidget* fallback = pane->focusPolicy() & Qt::TabFocus ? pane : nullptr;
  for (QWidget* child : pane->findChildren<QWidget*>()) {
    if (!child->isVisibleTo(pane) || !child->isEnabled() || !(child->focusPolicy() & Qt::TabFocus)) continue;
    // Text, lists and plots are what one goes to a pane for; buttons come second.
    if (!child->inherits("QAbstractButton") && !child->inherits("QLabel") && !child->inherits("QComboBox"))
      return child;
    if (!fallback) fallback = child;
  }
  return fallback;
}

Layout::Layout(QMainWindow* window) : window_(window), docks_(kPaneCount, nullptr) {
  window_->setDockNestingEnabled(true);
  window_->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  window_->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  window_->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

QDockWidget* Layout::add(PaneId id, const char* objectName, QWidget* pane) {
  auto* dock = new QDockWidget(window_);
  dock->setObjectName(QLatin1String(objectName));
  dock->setWidget(pane);
  docks_[static_cast<std::size_t>(id)] = dock;
  window_->addDockWidget(Qt::LeftDockWidgetArea, dock);
  return dock;
}

void Layout::stack(Qt::DockWidgetArea area, const std::vector<std::vector<PaneId>>& rows) {
  // Rows first, tabs second: splitting a dock that has tabs would add one more tab to it.
  for (std::size_t row = 0; row < rows.size(); ++row) {
    QDockWidget* first = dock(rows[row].front());
    window_->addDockWidget(area, first);
    if (row > 0) window_->splitDockWidget(dock(rows[row - 1].front()), first, Qt::Vertical);
    first->show();
  }
  for (const auto& tabs : rows)
    for (std::size_t i = 1; i < tabs.size(); ++i) {
      window_->tabifyDockWidget(dock(tabs[i - 1]), dock(tabs[i]));
      dock(tabs[i])->show();
    }
}

void Layout::arrange(Arrangement arrangement) {
  using enum PaneId;
  for (QDockWidget* d : docks_) {
    d->setFloating(false);
    window_->removeDockWidget(d);
  }
  const int width = window_->width(), height = window_->height();
  const bool roomy = width >= kRoomyWidth && height >= kRoomyHeight;
  const auto d = [this](PaneId id) { return dock(id); };
  switch (arrangement) {
    case Arrangement::work:
      stack(Qt::LeftDockWidgetArea, {{setup, launch}, {sessions}});
      stack(Qt::BottomDockWidgetArea, {{problems, verification, code, output, log}});
      if (roomy) {
        stack(Qt::RightDockWidgetArea, {{timing}, {roofline}, {sol}});
        window_->resizeDocks({d(timing), d(roofline), d(sol)},
                             {height * 29 / 100, height * 36 / 100, height * 31 / 100}, Qt::Vertical);
      } else {
        stack(Qt::RightDockWidgetArea, {{roofline}, {timing, sol}});
        window_->resizeDocks({d(roofline), d(timing)}, {height * 50 / 100, height * 40 / 100}, Qt::Vertical);
        d(timing)->raise();
      }
      window_->resizeDocks({d(setup), d(roofline)},
                           {width * (roomy ? 19 : 21) / 100, width * (roomy ? 34 : 35) / 100},
                           Qt::Horizontal);
      window_->resizeDocks({d(setup), d(sessions)}, {height * 46 / 100, height * 46 / 100}, Qt::Vertical);
      window_->resizeDocks({d(verification)}, {height * (roomy ? 29 : 34) / 100}, Qt::Vertical);
      d(verification)->raise();
      break;
    case Arrangement::edit:
      stack(Qt::LeftDockWidgetArea, {{setup, launch, sessions}});
      stack(Qt::BottomDockWidgetArea, {{problems, verification, output, log, timing, roofline, sol}});
      stack(Qt::RightDockWidgetArea, {{code}});
      window_->resizeDocks({d(setup), d(code)}, {width * 19 / 100, width * 38 / 100}, Qt::Horizontal);
      window_->resizeDocks({d(problems)}, {height * 28 / 100}, Qt::Vertical);
      d(problems)->raise();
      break;
    case Arrangement::analyse:
      stack(Qt::LeftDockWidgetArea, {{sessions}, {setup, launch}});
      stack(Qt::BottomDockWidgetArea, {{verification, problems, code, output, log}});
      stack(Qt::RightDockWidgetArea, {{roofline}, {timing}});
      window_->splitDockWidget(d(timing), d(sol), Qt::Horizontal);
      d(sol)->show();
      window_->resizeDocks({d(sessions), d(roofline)}, {width * 20 / 100, width * 56 / 100}, Qt::Horizontal);
      window_->resizeDocks({d(roofline), d(timing)}, {height * 52 / 100, height * 44 / 100}, Qt::Vertical);
      d(verification)->raise();
      break;
  }
  d(setup)->raise();
}

void Layout::reveal(PaneId id) {
  QDockWidget* pane = dock(id);
  pane->show();
  pane->raise();
  if (QWidget* target = firstFocus(pane->widget())) target->setFocus(Qt::ShortcutFocusReason);
}

std::vector<QDockWidget*> Layout::visible() const {
  std::vector<QDockWidget*> seen;
  for (QDockWidget* d : docks_)
    if (d->isVisible() && !d->visibleRegion().isEmpty()) seen.push_back(d);
  return seen;
}

QByteArray Layout::state() const {
  return window_->saveState(kStateVersion);
}

bool Layout::restore(const QByteArray& state) {
  return window_->restoreState(state, kStateVersion);
}

}  // namespace ridge::desktop
