// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/find_bar.h"

#include <Qsci/qsciscintilla.h>

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>

namespace ridge::desktop {

FindBar::FindBar(QsciScintilla* editor, QWidget* parent) : QWidget(parent), editor_(editor) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 2, 6, 2);
  column->setSpacing(2);
  const auto row = [this, column](QWidget*& owner) {
    owner = new QWidget(this);
    auto* line = new QHBoxLayout(owner);
    line->setContentsMargins(0, 0, 0, 0);
    column->addWidget(owner);
    return line;
  };
  const auto field = [](QWidget* owner, QHBoxLayout* line, QLabel*& label, QLineEdit*& edit) {
    label = new QLabel(owner);
    edit = new QLineEdit(owner);
    label->setBuddy(edit);
    line->addWidget(label);
    line->addWidget(edit, 1);
  };
  const auto button = [](QWidget* owner, QHBoxLayout* line) {
    auto* b = new QToolButton(owner);
    b->setFocusPolicy(Qt::TabFocus);
    line->addWidget(b);
    return b;
  };
  QWidget* findRow = nullptr;
  QHBoxLayout* first = row(findRow);
  field(findRow, first, label_, what_);
  for (QToolButton** option : {&case_, &word_, &regular_}) {
    *option = button(findRow, first);
    (*option)->setCheckable(true);
  }
  previous_ = button(findRow, first);
  next_ = button(findRow, first);
  outcome_ = new QLabel(findRow);
  first->addWidget(outcome_);
  close_ = button(findRow, first);
  QHBoxLayout* second = row(replaceRow_);
  field(replaceRow_, second, withLabel_, with_);
  one_ = button(replaceRow_, second);
  all_ = button(replaceRow_, second);
  case_->setText(QStringLiteral("Aa"));
  word_->setText(QStringLiteral("|ab|"));
  regular_->setText(QStringLiteral(".*"));
  connect(what_, &QLineEdit::returnPressed, this, [this] { find(true); });
  connect(with_, &QLineEdit::returnPressed, this, &FindBar::replace);
  connect(next_, &QToolButton::clicked, this, [this] { find(true); });
  connect(previous_, &QToolButton::clicked, this, [this] { find(false); });
  connect(one_, &QToolButton::clicked, this, &FindBar::replace);
  connect(all_, &QToolButton::clicked, this, &FindBar::replaceAll);
  connect(close_, &QToolButton::clicked, this, [this] {
    hide();
    editor_->setFocus();
  });
  retranslate();
  hide();
}

void FindBar::retranslate() {
  setAccessibleName(tr("Find and replace"));
  label_->setText(tr("F&ind"));
  what_->setAccessibleName(tr("Text to find"));
  withLabel_->setText(tr("Rep&lace with"));
  with_->setAccessibleName(tr("Text to put in its place"));
  // The two fields begin at one edge.
  const int widest = std::max(label_->sizeHint().width(), withLabel_->sizeHint().width());
  for (QLabel* l : {label_, withLabel_}) l->setMinimumWidth(widest);
  previous_->setText(tr("Previous"));
  next_->setText(tr("Next"));
  close_->setText(tr("Close"));
  one_->setText(tr("Replace"));
  all_->setText(tr("Replace all"));
  for (QToolButton* b : {previous_, next_, close_, one_, all_}) b->setAccessibleName(b->text());
  previous_->setToolTip(tr("Find the place before (%1)").arg(QStringLiteral("Shift+F3")));
  next_->setToolTip(tr("Find the next place (%1)").arg(QStringLiteral("F3")));
  close_->setToolTip(tr("Close the search (%1)").arg(QStringLiteral("Esc")));
  case_->setToolTip(tr("Upper and lower case differ"));
  word_->setToolTip(tr("Whole words only"));
  regular_->setToolTip(tr("Regular expression; \\1 in the replacement is its first group"));
  for (QToolButton* b : {case_, word_, regular_}) b->setAccessibleName(b->toolTip());
  outcome_->setAccessibleName(tr("Outcome of the search"));
  outcome_->clear();
}

void FindBar::popUp(bool withReplace) {
  show();
  replaceRow_->setVisible(withReplace);
  if (editor_->hasSelectedText() && !editor_->selectedText().contains(QLatin1Char('\n')))
    what_->setText(editor_->selectedText());
  what_->selectAll();
  what_->setFocus();
}

bool FindBar::findFrom(int line, int column, bool forward, bool wrap) {
  return editor_->findFirst(what_->text(), regular_->isChecked(), case_->isChecked(), word_->isChecked(),
                            wrap, forward, line, column, true, false, true);
}

void FindBar::find(bool forward) {
  if (what_->text().isEmpty()) return;
  int line = 0, column = 0;
  editor_->getCursorPosition(&line, &column);
  if (!forward && editor_->hasSelectedText()) {  // else the hit under the cursor is found again
    int toLine = 0, toColumn = 0;
    editor_->getSelection(&line, &column, &toLine, &toColumn);
  }
  outcome_->setText(findFrom(line, column, forward, true) ? QString() : tr("not found"));
}

/// The selection is what a search from its beginning finds.
bool FindBar::atHit() {
  if (!editor_->hasSelectedText()) return false;
  int line = 0, column = 0, toLine = 0, toColumn = 0, againLine = 0, againColumn = 0;
  editor_->getSelection(&line, &column, &toLine, &toColumn);
  if (!findFrom(line, column, true, false)) return false;
  int endLine = 0, endColumn = 0;
  editor_->getSelection(&againLine, &againColumn, &endLine, &endColumn);
  const bool same = line == againLine && column == againColumn && toLine == endLine && toColumn == endColumn;
  if (!same) editor_->setSelection(line, column, toLine, toColumn);
  return same;
}

void FindBar::replace() {
  if (what_->text().isEmpty()) return;
  if (atHit()) editor_->replace(with_->text());
  find(true);
}

void FindBar::replaceAll() {
  if (what_->text().isEmpty()) return;
  int replaced = 0;
  editor_->beginUndoAction();
  // No wrapping round: what is put in may itself be found. An empty hit would be found for ever.
  for (bool found = findFrom(0, 0, true, false); found && editor_->hasSelectedText(); ++replaced) {
    editor_->replace(with_->text());
    found = editor_->findNext();
  }
  editor_->endUndoAction();
  outcome_->setText(replaced == 0 ? tr("not found") : tr("%n replaced", nullptr, replaced));
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
