// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions/command_palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace ridge::desktop {

bool matches(const QString& text, const QString& typed) {
  for (const QString& word : typed.split(QLatin1Char(' '), Qt::SkipEmptyParts))
    if (!text.contains(word, Qt::CaseInsensitive)) return false;
  return true;
}

CommandPalette::CommandPalette(ActionRegistry& actions, QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), actions_(actions) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 6);
  input_ = new QLineEdit(this);
  list_ = new QListWidget(this);
  list_->setUniformItemSizes(true);
  list_->setFocusPolicy(Qt::NoFocus);
  column->addWidget(input_);
  column->addWidget(list_);
  input_->installEventFilter(this);
  connect(input_, &QLineEdit::textChanged, this, &CommandPalette::refill);
  connect(list_, &QListWidget::itemActivated, this, &CommandPalette::runCurrent);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
  retranslate();
}

void CommandPalette::retranslate() {
  setWindowTitle(tr("Command palette"));
  setAccessibleName(tr("Command palette"));
  input_->setPlaceholderText(tr("Type what you want to do"));
  input_->setAccessibleName(tr("Command"));
  list_->setAccessibleName(tr("Matching commands"));
}

void CommandPalette::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QDialog::changeEvent(event);
}

void CommandPalette::popUp() {
  formerFocus_ = QApplication::focusWidget();
  input_->clear();
  refill();
  const QWidget* window = parentWidget()->window();
  resize(std::min(620, window->width() - 40), std::min(420, window->height() - 80));
  move(window->mapToGlobal(QPoint((window->width() - width()) / 2, 60)));
  show();
  input_->setFocus();
}

void CommandPalette::refill() {
  list_->clear();
  for (QAction* action : actions_.all()) {
    const QString name = action->text().remove(QLatin1Char('&'));
    if (!matches(name + QLatin1Char(' ') + action->statusTip(), input_->text())) continue;
    const QString key = action->shortcut().toString(QKeySequence::NativeText);
    auto* item =
        new QListWidgetItem(action->icon(), key.isEmpty() ? name : QStringLiteral("%1    %2").arg(name, key));
    item->setData(Qt::UserRole, action->objectName());
    item->setToolTip(action->statusTip());
    if (!action->isEnabled()) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    list_->addItem(item);
  }
  for (int row = 0; row < list_->count(); ++row)
    if (list_->item(row)->flags() & Qt::ItemIsEnabled) {
      list_->setCurrentRow(row);
      break;
    }
}

void CommandPalette::runCurrent() {
  const QListWidgetItem* item = list_->currentItem();
  if (!item || !(item->flags() & Qt::ItemIsEnabled)) return;
  QAction* action = actions_.action(item->data(Qt::UserRole).toString());
  accept();
  if (formerFocus_) formerFocus_->setFocus();
  if (action) action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == input_ && event->type() == QEvent::KeyPress) {
    switch (static_cast<QKeyEvent*>(event)->key()) {
      case Qt::Key_Down:
        list_->setCurrentRow(std::min(list_->currentRow() + 1, list_->count() - 1));
        return true;
      case Qt::Key_Up:
        list_->setCurrentRow(std::max(list_->currentRow() - 1, 0));
        return true;
      case Qt::Key_Return:
      case Qt::Key_Enter:
        runCurrent();
        return true;
      case Qt::Key_Escape:
        reject();
        if (formerFocus_) formerFocus_->setFocus();
        return true;
      default:
        break;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace ridge::desktop
