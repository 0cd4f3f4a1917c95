// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions/command_palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace ridge::desktop {
namespace {

constexpr int kIcon = 16, kKeys = Qt::UserRole + 1;

/// Names begin at one edge, with or without an icon, and keys end at another.
class ChoiceDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const bool chosen = option.state.testFlag(QStyle::State_Selected);
    const auto group = option.state.testFlag(QStyle::State_Enabled) ? QPalette::Active : QPalette::Disabled;
    painter->setPen(
        option.palette.color(group, chosen ? QPalette::HighlightedText : QPalette::PlaceholderText));
    painter->drawText(option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                      index.data(kKeys).toString());
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width(), std::max(size.height(), kIcon) + 4};
  }
};

QIcon blank() {
  QPixmap nothing(kIcon, kIcon);
  nothing.fill(Qt::transparent);
  return nothing;
}

}  // namespace

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
  list_->setIconSize({kIcon, kIcon});
  list_->setItemDelegate(new ChoiceDelegate(list_));
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
  input_->setAccessibleName(tr("Command"));
  list_->setAccessibleName(tr("Matching commands"));
}

void CommandPalette::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QDialog::changeEvent(event);
}

void CommandPalette::popUp() {
  std::vector<Choice> choices;
  for (QAction* action : actions_.all()) {
    const QString name = action->iconText();  // the text without its letter for the menu
    const QString key = action->shortcut().toString(QKeySequence::NativeText);
    choices.push_back(
        {name, action->statusTip(), action->icon(), action->isEnabled(), action->objectName(), key});
  }
  popUp(tr("Type what you want to do"), std::move(choices), [this](const QString& id) {
    if (QAction* action = actions_.action(id)) action->trigger();
  });
}

void CommandPalette::popUp(const QString& prompt, std::vector<Choice> choices,
                           std::function<void(const QString& id)> chosen) {
  asks_ = false;
  list_->show();
  choices_ = std::move(choices);
  chosen_ = std::move(chosen);
  input_->setPlaceholderText(prompt);
  open();
}

void CommandPalette::ask(const QString& prompt, std::function<void(const QString& typed)> answered) {
  popUp(prompt, {}, std::move(answered));
  asks_ = true;
  list_->hide();
  resize(width(), sizeHint().height());
}

void CommandPalette::open() {
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
  for (const Choice& choice : choices_) {
    if (!matches(choice.text + QLatin1Char(' ') + choice.keys + QLatin1Char(' ') + choice.detail,
                 input_->text()))
      continue;
    auto* item = new QListWidgetItem(choice.icon.isNull() ? blank() : choice.icon, choice.text);
    item->setData(kKeys, choice.keys);
    item->setData(Qt::AccessibleTextRole,
                  choice.keys.isEmpty() ? choice.text : choice.text + QStringLiteral(", ") + choice.keys);
    item->setData(Qt::UserRole, choice.id);
    item->setToolTip(choice.detail);
    if (!choice.enabled) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
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
  if (!asks_ && (!item || !(item->flags() & Qt::ItemIsEnabled))) return;
  const QString id = asks_ ? input_->text() : item->data(Qt::UserRole).toString();
  accept();
  if (formerFocus_) formerFocus_->setFocus();
  const auto chosen = chosen_;  // it may open this list anew
  chosen(id);
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
