// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/diagnostics_pane.h"

#include <QEvent>
#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>

#include "shell/language.h"

namespace ridge::desktop {

DiagnosticsPane::DiagnosticsPane(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 2, 4, 2);
  column->setSpacing(2);
  head_ = new QLabel(this);
  list_ = new QTreeWidget(this);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(false);
  list_->setAlternatingRowColors(true);
  list_->setWordWrap(true);
  list_->setColumnCount(3);
  list_->header()->setStretchLastSection(true);
  column->addWidget(head_);
  column->addWidget(list_, 1);
  connect(list_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    emit activated(item->data(0, Qt::UserRole).toInt(), item->data(1, Qt::UserRole).toInt());
  });
  connect(list_, &QTreeWidget::itemClicked, list_, &QTreeWidget::itemActivated);
  connect(&theme_, &Theme::changed, this, &DiagnosticsPane::refill);
  refill();
}

void DiagnosticsPane::setDiagnostics(const Diagnostics& diagnostics,
                                     const std::vector<source::Question>& questions) {
  diagnostics_ = diagnostics;
  questions_ = questions;
  stale_ = false;
  refill();
}

void DiagnosticsPane::setStale(bool stale) {
  if (stale_ == stale) return;
  stale_ = stale;
  updateHead();
}

void DiagnosticsPane::updateHead() {
  const auto count = [this](Severity severity) {
    return static_cast<int>(
        std::count_if(diagnostics_.begin(), diagnostics_.end(),
                      [severity](const Diagnostic& d) { return d.severity == severity; }));
  };
  QString text = tr("%n error(s)", nullptr, count(Severity::error)) + QStringLiteral(", ") +
                 tr("%n warning(s)", nullptr, count(Severity::warning));
  if (!questions_.empty())
    text += QStringLiteral(", ") + tr("%n question(s)", nullptr, static_cast<int>(questions_.size()));
  if (stale_) text += QStringLiteral(" — ") + tr("of the text before the last change");
  head_->setText(text);
}

void DiagnosticsPane::refill() {
  list_->setAccessibleName(tr("Problems in the source"));
  head_->setAccessibleName(tr("Number of problems"));
  setAccessibleName(tr("Problems"));
  list_->setHeaderLabels({tr("Kind"), tr("Place"), tr("Message")});
  list_->clear();
  const auto add = [this](const QString& kind, Role ink, int line, int column, const QString& message,
                          const QString& file) {
    QString place = line > 0 ? QString::number(line) : QString();
    if (line > 0 && column > 0) place += QLatin1Char(':') + QString::number(column);
    auto* item = new QTreeWidgetItem({kind, place, message});
    item->setForeground(0, theme_(ink));
    item->setData(0, Qt::UserRole, line);
    item->setData(1, Qt::UserRole, column);
    item->setToolTip(2, file.isEmpty() ? message : file + QLatin1Char('\n') + message);
    list_->addTopLevelItem(item);
  };
  for (const Diagnostic& d : diagnostics_) {
    const QString kind = d.severity == Severity::error     ? tr("error")
                         : d.severity == Severity::warning ? tr("warning")
                                                           : tr("note");
    const Role ink = d.severity == Severity::error     ? Role::error
                     : d.severity == Severity::warning ? Role::warning
                                                       : Role::note;
    QString message = words(d.message);
    if (!d.hint.empty()) message += QStringLiteral(" — ") + words(d.hint);
    add(kind, ink, d.line, d.column, message, QString::fromStdString(d.file));
  }
  for (const source::Question& q : questions_) {
    QString message = words(q.text);
    if (!q.answer_with.empty())
      message += QStringLiteral(" — ") + tr("answer with %1").arg(words(q.answer_with));
    add(tr("question"), Role::note, q.line, 0, message, QString::fromStdString(q.file));
  }
  list_->resizeColumnToContents(0);
  list_->resizeColumnToContents(1);
  updateHead();
}

void DiagnosticsPane::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) refill();
  QWidget::changeEvent(event);
}

}  // namespace ridge::desktop
