// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessions/sessions_pane.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>
#include <map>

#include "charts/series.h"
#include "charts/si.h"
#include "shell/language.h"

namespace ridge::desktop {
namespace {

constexpr int kSession = Qt::UserRole, kRun = Qt::UserRole + 1, kProblem = Qt::UserRole + 2;
enum Column { name, verdict, time, sol };
// In a pane narrower than this, in pixels, the names need the place of the last columns.
constexpr int kRoomForAll = 360, kRoomForTime = 250;

}  // namespace

SessionsPane::SessionsPane(Theme& theme, RunBook& book, QWidget* parent)
    : QWidget(parent), theme_(theme), book_(book) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 2, 4, 2);
  column->setSpacing(3);
  auto* row = new QHBoxLayout;
  const auto button = [&] {
    auto* b = new QToolButton(this);
    b->setAutoRaise(true);
    b->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(b);
    return b;
  };
  open_ = button();
  save_ = button();
  star_ = button();
  close_ = button();
  row->addStretch(1);
  column->addLayout(row);
  tree_ = new QTreeWidget(this);
  tree_->setColumnCount(4);
  tree_->setAlternatingRowColors(true);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(12);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(name, QHeaderView::Stretch);
  for (const int c : {verdict, time, sol})
    tree_->header()->setSectionResizeMode(c, QHeaderView::ResizeToContents);
  column->addWidget(tree_, 1);
  notesLabel_ = new QLabel(this);
  notes_ = new QPlainTextEdit(this);
  notes_->setMaximumHeight(64);
  notes_->setTabChangesFocus(true);
  notesLabel_->setBuddy(notes_);
  column->addWidget(notesLabel_);
  column->addWidget(notes_);
  connect(star_, &QToolButton::clicked, this, &SessionsPane::toggleBaseline);
  connect(close_, &QToolButton::clicked, this, &SessionsPane::closeSelected);
  connect(tree_, &QTreeWidget::itemSelectionChanged, this, &SessionsPane::picked);
  connect(tree_, &QTreeWidget::itemActivated, this, [this] {
    if (const RunPtr run = selected()) emit sourceWanted(run);
  });
  connect(tree_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
    if (!filling_ && !item->parent())
      book_.setVisible(sessionOf(item), item->checkState(name) == Qt::Checked);
  });
  connect(&book_, &RunBook::changed, this, &SessionsPane::refill);
  connect(&theme_, &Theme::changed, this, &SessionsPane::refill);
  retranslate();
}

int SessionsPane::sessionOf(const QTreeWidgetItem* item) const {
  return item->data(name, kSession).toInt();
}

QString SessionsPane::problemOf(const QTreeWidgetItem* item) const {
  return item->data(name, kProblem).toString();
}

/// Nothing for a session and for a problem.
RunPtr SessionsPane::runOf(const QTreeWidgetItem* item) const {
  const QVariant place = item->data(name, kRun);
  const OpenSession* session = book_.session(sessionOf(item));
  if (!place.isValid() || !session) return {};
  const auto index = static_cast<std::size_t>(place.toInt());
  return index < session->runs.size() ? session->runs[index] : RunPtr();
}

RunPtr SessionsPane::selected() const {
  const QList<QTreeWidgetItem*> items = tree_->selectedItems();
  return items.isEmpty() ? RunPtr() : runOf(items.first());
}

void SessionsPane::retranslate() {
  setAccessibleName(tr("Sessions"));
  tree_->setAccessibleName(tr("Sessions and runs"));
  tree_->setHeaderLabels({tr("Session and run"), tr("Verdict"), tr("Time"), tr("SOL")});
  open_->setText(tr("Open"));
  open_->setToolTip(tr("Open session files beside this session; their runs are drawn in the same charts"));
  save_->setText(tr("Save"));
  save_->setToolTip(tr("Save this session's runs to a file"));
  star_->setText(tr("Baseline"));
  star_->setToolTip(tr("Make the selected run the baseline of its device, problem and workload"));
  close_->setText(tr("Close"));
  close_->setToolTip(tr("Close the selected session"));
  for (QToolButton* b : {open_, save_, star_, close_}) b->setAccessibleName(b->toolTip());
  notesLabel_->setText(tr("&Notes on the selected run"));
  notes_->setAccessibleName(tr("Notes on the selected run"));
  refill();
}

void SessionsPane::refill() {
  storeNotes();
  const QList<QTreeWidgetItem*> chosen = tree_->selectedItems();
  const bool hadRun = selected() != nullptr;
  const std::pair former(hadRun ? sessionOf(chosen.first()) : -1,
                         hadRun ? chosen.first()->data(name, kRun).toInt() : -1);
  std::map<std::pair<int, QString>, bool> expanded;  // sessions and the problems in them
  for (QTreeWidgetItemIterator it(tree_, QTreeWidgetItemIterator::HasChildren); *it; ++it)
    expanded[{sessionOf(*it), problemOf(*it)}] = (*it)->isExpanded();
  const auto expand = [&](QTreeWidgetItem* item, bool atFirst) {
    const auto known = expanded.find({sessionOf(item), problemOf(item)});
    item->setExpanded(known == expanded.end() ? atFirst : known->second);
  };
  filling_ = true;
  tree_->clear();
  for (const OpenSession& session : book_.sessions()) {
    QString title = book_.label(session);
    if (session.id == 0 && book_.unsaved() > 0) title += QStringLiteral(" *");
    auto* top = new QTreeWidgetItem(tree_, {title});
    top->setData(name, kSession, session.id);
    top->setFlags(top->flags() | Qt::ItemIsUserCheckable);
    top->setCheckState(name, session.visible ? Qt::Checked : Qt::Unchecked);
    top->setFirstColumnSpanned(true);
    top->setToolTip(name, session.file.isEmpty() ? tr("Not saved") : session.file);
    std::map<std::string, QTreeWidgetItem*> problems;
    for (std::size_t i = 0; i < session.runs.size(); ++i) {
      QTreeWidgetItem*& problem = problems[session.runs[i]->problem];
      if (!problem) {
        problem = new QTreeWidgetItem(top, {QString::fromStdString(session.runs[i]->problem)});
        problem->setData(name, kSession, session.id);
        problem->setData(name, kProblem, problem->text(name));
        problem->setFirstColumnSpanned(true);
      }
      QTreeWidgetItem* item = addRun(problem, session, i);
      if (former == std::pair(session.id, static_cast<int>(i))) item->setSelected(true);
    }
    expand(top, true);
    // A recorded session may hold hundreds of runs; its problems are a table of contents.
    for (const auto& [key, problem] : problems) expand(problem, session.id == 0 || problems.size() == 1);
  }
  filling_ = false;
  if (hadRun) {
    notesOf_ = selected();  // the same place may hold an altered copy now
    if (!notesOf_) picked();
  }
}

QTreeWidgetItem* SessionsPane::addRun(QTreeWidgetItem* problem, const OpenSession& session,
                                      std::size_t index) {
  const session::Run& run = *session.runs[index];
  const auto cold =
      run.timing && run.timing->cold ? std::optional(run.timing->cold->median_us) : std::nullopt;
  const bool emulated = run.device.kind == device::Kind::emulator;
  const QString star = run.baseline ? QStringLiteral("★ ") : QString();
  auto* item = new QTreeWidgetItem(
      problem, {star + QStringLiteral("%1 · %2").arg(kernelLabel(run), workloadLabel(run, false)),
                statusLabel(run.verdict.status),
                cold       ? siTime(cold)
                : emulated ? tr("emulated")
                           : QStringLiteral("–"),
                siPercent(run.model.datasheet.sol_percent)});
  item->setData(name, kSession, session.id);
  item->setData(name, kRun, static_cast<int>(index));
  const bool good = run.verdict.status == hardware::Status::pass;
  const bool neutral =
      run.verdict.status == hardware::Status::skipped || run.verdict.status == hardware::Status::no_reference;
  item->setForeground(verdict, theme_(good ? Role::pass : neutral ? Role::note : Role::error));
  item->setTextAlignment(time, Qt::AlignRight | Qt::AlignVCenter);
  item->setTextAlignment(sol, Qt::AlignRight | Qt::AlignVCenter);
  item->setToolTip(name, QStringLiteral("%1%2 · %3\n%4\n%5")
                             .arg(star, kernelLabel(run), workloadLabel(run, true), deviceLabel(run),
                                  QString::fromStdString(run.time)));
  item->setToolTip(verdict, words(run.verdict.message));
  return item;
}

void SessionsPane::select(const RunPtr& run) {
  for (QTreeWidgetItemIterator it(tree_); *it; ++it)
    if (runOf(*it) == run) {
      tree_->setCurrentItem(*it);
      return;
    }
}

void SessionsPane::picked() {
  if (filling_) return;
  storeNotes();
  notesOf_ = selected();
  const QList<QTreeWidgetItem*> items = tree_->selectedItems();
  notesSession_ = items.isEmpty() ? 0 : sessionOf(items.first());
  notes_->setPlainText(notesOf_ ? QString::fromStdString(notesOf_->notes) : QString());
  notes_->setEnabled(notesOf_ != nullptr);
  star_->setEnabled(notesOf_ != nullptr);
  close_->setEnabled(notesSession_ != 0);
  if (notesOf_) emit runPicked(notesOf_);
}

void SessionsPane::storeNotes() {
  if (!notesOf_ || notes_->toPlainText() == QString::fromStdString(notesOf_->notes)) return;
  const RunPtr run = notesOf_;
  notesOf_.reset();
  book_.setNotes(notesSession_, run, notes_->toPlainText());
}

void SessionsPane::toggleBaseline() {
  const RunPtr run = selected();
  const QList<QTreeWidgetItem*> items = tree_->selectedItems();
  if (!run || items.isEmpty()) return;
  if (run->verdict.status != hardware::Status::pass) {
    emit failed([] { return tr("Only a run whose verdict is pass can be a baseline."); });
    return;
  }
  book_.setBaseline(sessionOf(items.first()), run, !run->baseline);
}

void SessionsPane::closeSelected() {
  if (const QList<QTreeWidgetItem*> items = tree_->selectedItems(); !items.isEmpty())
    book_.close(sessionOf(items.first()));
}

void SessionsPane::resizeEvent(QResizeEvent* event) {
  tree_->setColumnHidden(sol, width() < kRoomForAll);
  tree_->setColumnHidden(time, width() < kRoomForTime);
  QWidget::resizeEvent(event);
}

void SessionsPane::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace ridge::desktop
