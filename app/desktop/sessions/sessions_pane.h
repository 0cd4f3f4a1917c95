// SPDX-License-Identifier: GPL-3.0-or-later
// The open sessions and their runs: which are drawn, which run is looked at, which is the baseline, and
// notes.
#pragma once

#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QTreeWidget>
#include <QWidget>

#include "sessions/run_book.h"
#include "theme/theme.h"

namespace ridge::desktop {

class SessionsPane : public QWidget {
  Q_OBJECT

 public:
  SessionsPane(Theme& theme, RunBook& book, QWidget* parent);
  QTreeWidget* tree() const { return tree_; }
  QToolButton* openButton() const { return open_; }
  QToolButton* saveButton() const { return save_; }
  void select(const RunPtr& run);
  RunPtr selected() const;
  void toggleBaseline();
  void storeNotes();  ///< those that are being typed
  void closeSelected();

 signals:
  void runPicked(ridge::desktop::RunPtr run);
  void sourceWanted(ridge::desktop::RunPtr run);  ///< double click: show the source as it was run
  void failed(const ridge::desktop::Saying& what);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void retranslate();
  void refill();
  void picked();
  int sessionOf(const QTreeWidgetItem* item) const;
  QString problemOf(const QTreeWidgetItem* item) const;
  RunPtr runOf(const QTreeWidgetItem* item) const;
  QTreeWidgetItem* addRun(QTreeWidgetItem* problem, const OpenSession& session, std::size_t index);

  Theme& theme_;
  RunBook& book_;
  QToolButton* open_ = nullptr;
  QToolButton* save_ = nullptr;
  QToolButton* star_ = nullptr;
  QToolButton* close_ = nullptr;
  QTreeWidget* tree_ = nullptr;
  QLabel* notesLabel_ = nullptr;
  QPlainTextEdit* notes_ = nullptr;
  RunPtr notesOf_;
  int notesSession_ = 0;
  bool filling_ = false;
};

}  // namespace ridge::desktop
