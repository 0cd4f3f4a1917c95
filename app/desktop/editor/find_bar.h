// SPDX-License-Identifier: GPL-3.0-or-later
// Find and replace in the source: lines below the editor.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

class QsciScintilla;

namespace ridge::desktop {

class FindBar : public QWidget {
  Q_OBJECT

 public:
  FindBar(QsciScintilla* editor, QWidget* parent);
  void popUp(bool withReplace);
  void find(bool forward);
  /// Replaces the hit that is selected and goes to the next one.
  void replace();
  /// Every hit, as one step that undo takes back.
  void replaceAll();

 protected:
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void retranslate();
  bool findFrom(int line, int column, bool forward, bool wrap);
  bool atHit();

  QsciScintilla* editor_;
  QLabel* label_ = nullptr;
  QLineEdit* what_ = nullptr;
  QLabel* outcome_ = nullptr;
  QToolButton* case_ = nullptr;
  QToolButton* word_ = nullptr;
  QToolButton* regular_ = nullptr;
  QToolButton* previous_ = nullptr;
  QToolButton* next_ = nullptr;
  QToolButton* close_ = nullptr;
  QWidget* replaceRow_ = nullptr;
  QLabel* withLabel_ = nullptr;
  QLineEdit* with_ = nullptr;
  QToolButton* one_ = nullptr;
  QToolButton* all_ = nullptr;
};

}  // namespace ridge::desktop
