// SPDX-License-Identifier: GPL-3.0-or-later
// Find in the source: a line below the editor.
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
  void popUp();
  void find(bool forward);

 protected:
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void retranslate();

  QsciScintilla* editor_;
  QLabel* label_ = nullptr;
  QLineEdit* what_ = nullptr;
  QLabel* outcome_ = nullptr;
  QToolButton* previous_ = nullptr;
  QToolButton* next_ = nullptr;
  QToolButton* close_ = nullptr;
  bool found_ = true;
};

}  // namespace ridge::desktop
