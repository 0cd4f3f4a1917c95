// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/find_bar.h"

#include <Qsci/qsciscintilla.h>

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>

namespace ridge::desktop {

FindBar::FindBar(QsciScintilla* editor, QWidget* parent) : QWidget(parent), editor_(editor) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(6, 2, 6, 2);
  label_ = new QLabel(this);
  what_ = new QLineEdit(this);
  label_->setBuddy(what_);
  outcome_ = new QLabel(this);
  previous_ = new QToolButton(this);
  next_ = new QToolButton(this);
  close_ = new QToolButton(this);
  row->addWidget(label_);
  row->addWidget(what_, 1);
  for (QWidget* w : {static_cast<QWidget*>(previous_), static_cast<QWidget*>(next_),
                     static_cast<QWidget*>(outcome_), static_cast<QWidget*>(close_)})
    row->addWidget(w);
  connect(what_, &QLineEdit::returnPressed, this, [this] { find(true); });
  connect(next_, &QToolButton::clicked, this, [this] { find(true); });
  connect(previous_, &QToolButton::clicked, this, [this] { find(false); });
  connect(close_, &QToolButton::clicked, this, [this] {
    hide();
    editor_->setFocus();
  });
  retranslate();
  hide();
}

void FindBar::retranslate() {
  setAccessibleName(tr("Find"));
  label_->setText(tr("&Find"));
  what_->setAccessibleName(tr("Text to find"));
  previous_->setText(tr("Previous"));
  next_->setText(tr("Next"));
  close_->setText(tr("Close"));
  for (QToolButton* b : {previous_, next_, close_}) b->setAccessibleName(b->text());
  outcome_->setAccessibleName(tr("Outcome of the search"));
  outcome_->setText(found_ ? QString() : tr("not found"));
}

void FindBar::popUp() {
  show();
  if (editor_->hasSelectedText() && !editor_->selectedText().contains(QLatin1Char('\n')))
    what_->setText(editor_->selectedText());
  what_->selectAll();
  what_->setFocus();
}

void FindBar::find(bool forward) {
  if (what_->text().isEmpty()) return;
  int line = 0, column = 0;
  editor_->getCursorPosition(&line, &column);
  if (!forward && editor_->hasSelectedText()) {  // else the hit under the cursor is found again
    int toLine = 0, toColumn = 0;
    editor_->getSelection(&line, &column, &toLine, &toColumn);
  }
  found_ = editor_->findFirst(what_->text(), false, false, false, true, forward, line, column, true);
  outcome_->setText(found_ ? QString() : tr("not found"));
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    close_->click();
  else
    QWidget::keyPressEvent(event);
}

void FindBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace ridge::desktop
