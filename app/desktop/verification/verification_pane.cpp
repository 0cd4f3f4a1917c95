// SPDX-License-Identifier: GPL-3.0-or-later
#include "verification/verification_pane.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "charts/series.h"
#include "charts/si.h"
#include "shell/language.h"

namespace ridge::desktop {
namespace {

/// A value of a tensor: digits enough to tell floats apart.
QString exact(double value) {
  return QString::number(value, 'g', 8);
}

/// An error or a tolerance: three digits say it all.
QString brief(double value) {
  return QString::number(value, 'g', 3);
}

QString place(const std::array<std::int64_t, 3>& at) {
  return QStringLiteral("(%1, %2, %3)").arg(at[0]).arg(at[1]).arg(at[2]);
}

}  // namespace

VerificationPane::VerificationPane(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  // The map beside the words, not among them: it is seen whole however long they are.
  auto* outer = new QHBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  outer->addWidget(scroll, 3);
  auto* body = new QWidget(scroll);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(8, 6, 8, 6);
  const auto label = [&](QWidget* owner) {
    auto* l = new QLabel(owner);
    l->setWordWrap(true);
    l->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByKeyboard |
                               Qt::LinksAccessibleByMouse);
    return l;
  };
  headline_ = label(body);
  QFont big = font();
  big.setPointSizeF(big.pointSizeF() * 1.25);
  big.setBold(true);
  headline_->setFont(big);
  message_ = label(body);
  numbers_ = label(body);
  tolerance_ = label(body);
  for (QLabel* l : {headline_, message_, numbers_}) column->addWidget(l);
  mismatchTitle_ = label(body);
  mismatches_ = new QTableWidget(body);
  mismatches_->verticalHeader()->hide();
  mismatches_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  mismatches_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  mismatches_->setAlternatingRowColors(true);
  mismatches_->setTabKeyNavigation(false);
  mismatches_->setMinimumHeight(90);
  column->addWidget(mismatchTitle_);
  column->addWidget(mismatches_, 1);
  mapBox_ = new QWidget(this);
  auto* right = new QVBoxLayout(mapBox_);
  right->setContentsMargins(4, 6, 8, 6);
  mapTitle_ = label(mapBox_);
  maps_ = new QComboBox(mapBox_);
  maps_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  maps_->setMinimumContentsLength(8);
  map_ = new ErrorMapView(theme, mapBox_);
  mapNote_ = label(mapBox_);
  right->addWidget(mapTitle_);
  right->addWidget(maps_);
  right->addWidget(map_, 1);
  right->addWidget(mapNote_);
  outer->addWidget(mapBox_, 2);
  column->addWidget(tolerance_);
  column->addStretch();
  scroll->setWidget(body);
  scroll->setFocusPolicy(Qt::StrongFocus);
  connect(message_, &QLabel::linkActivated, this,
          [this](const QString& link) { emit linePicked(link.toInt()); });
  connect(maps_, &QComboBox::currentIndexChanged, this, &VerificationPane::showMap);
  connect(&theme_, &Theme::changed, this, &VerificationPane::refresh);
  refresh();
}

void VerificationPane::setRun(const RunPtr& run) {
  run_ = run;
  stale_ = false;
  refresh();
}

void VerificationPane::setStale(bool stale) {
  if (stale_ == stale) return;
  stale_ = stale;
  refresh();
}

QString VerificationPane::findingsText() const {
  const verify::Verdict& verdict = run_->verdict;
  const auto linked = [this](int line) {
    return QStringLiteral("<a href='%1' style='color:%2'>%3</a>")
        .arg(line)
        .arg(theme_(Role::link).name(), tr("line %1").arg(line));
  };
  QStringList lines;
  QString first = words(verdict.message).toHtmlEscaped();
  if (verdict.line > 0 && verdict.findings.empty()) first += QLatin1Char(' ') + linked(verdict.line);
  if (!first.isEmpty()) lines << first;
  for (const hardware::Finding& finding : verdict.findings) {
    QString text = words(finding.message).toHtmlEscaped();
    if (finding.line > 0) text += QStringLiteral(" · ") + linked(finding.line);
    if (finding.block) text += QStringLiteral(" · ") + tr("block %1").arg(place(*finding.block));
    if (finding.thread) text += QStringLiteral(" · ") + tr("thread %1").arg(place(*finding.thread));
    if (finding.count > 1) text += QStringLiteral(" · ") + tr("seen %1 times").arg(finding.count);
    if (!lines.contains(text)) lines << text;
  }
  for (const Sentence& warning : verdict.warnings)
    lines << QStringLiteral("<span style='color:%1'>%2</span>")
                 .arg(theme_(Role::warning).name(), tr("Warning: %1").arg(words(warning)).toHtmlEscaped());
  return lines.join(QStringLiteral("<br>"));
}

QString VerificationPane::numbersText() const {
  const verify::Verdict& v = run_->verdict;
  QStringList parts;
  // A message of wrong values begins with their number.
  const bool told = v.status == hardware::Status::wrong_values || v.status == hardware::Status::nan;
  if (v.elements && !told)
    parts << tr("%1 of %2 elements wrong").arg(v.mismatches.value_or(0)).arg(*v.elements);
  if (v.max_abs) parts << tr("largest absolute error %1").arg(brief(*v.max_abs));
  if (v.max_rel) parts << tr("largest relative error %1").arg(brief(*v.max_rel));
  if (v.max_ulp) parts << tr("largest error %1 ULP").arg(brief(*v.max_ulp));
  if (v.mse) parts << tr("mean squared error %1").arg(brief(*v.mse));
  if (v.launches > 0) parts << tr("%n judged launch(es)", nullptr, v.launches);
  if (v.deterministic)
    parts << (*v.deterministic ? tr("the same bits each time") : tr("not the same bits each time"));
  return parts.join(QStringLiteral(" · "));
}

QString VerificationPane::toleranceText() const {
  QStringList lines;
  for (const verify::Tolerance& t : run_->verdict.tolerances) {
    QString line = tr("Tolerance of %1: |got − expected| ≤ %2 + %3 · |expected|")
                       .arg(QString::fromStdString(t.tensor), brief(t.atol), brief(t.rtol));
    // No line ends between a bar and what it encloses.
    line.replace(QLatin1Char('|'), QStringLiteral("|\u2060"));
    if (t.mse) line += QStringLiteral(" · ") + tr("mean squared error ≤ %1").arg(brief(*t.mse));
    if (!t.derived) line += QStringLiteral(" · ") + tr("as the problem states");
    if (t.margin)
      line += QStringLiteral(" · ") + (*t.margin > 1 ? tr("exceeded %1 times").arg(brief(*t.margin))
                                                     : tr("%1 of it used").arg(siPercent(100 * *t.margin)));
    if (!t.explanation.empty()) line += QStringLiteral("\n    ") + words(t.explanation);
    lines << line;
  }
  return lines.join(QLatin1Char('\n'));
}

void VerificationPane::fillMismatches() {
  const auto& first = run_->verdict.first;
  // Who stored the element last, where the device can tell.
  const bool written =
      std::any_of(first.begin(), first.end(), [](const verify::Mismatch& m) { return m.writer.has_value(); });
  mismatches_->setColumnCount(written ? 8 : 5);
  mismatches_->setHorizontalHeaderLabels({tr("Tensor"), tr("Index"), tr("Expected"), tr("Got"),
                                          tr("Difference"), tr("Block"), tr("Warp"), tr("Lane")});
  mismatches_->setRowCount(static_cast<int>(first.size()));
  for (int row = 0; row < mismatches_->rowCount(); ++row) {
    const verify::Mismatch& m = first[static_cast<std::size_t>(row)];
    QStringList index;
    for (const std::int64_t i : m.index) index << QString::number(i);
    QStringList cells{QString::fromStdString(m.tensor),
                      QStringLiteral("[%1]").arg(index.join(QStringLiteral(", "))), exact(m.expected),
                      exact(m.got), brief(m.got - m.expected)};
    if (m.writer)
      cells << place(m.writer->block) << QString::number(m.writer->warp) << QString::number(m.writer->lane);
    else if (written)
      cells << QStringLiteral("–") << QStringLiteral("–") << QStringLiteral("–");
    for (int c = 0; c < cells.size(); ++c) {
      auto* item = new QTableWidgetItem(cells[c]);
      if (c >= 2) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      mismatches_->setItem(row, c, item);
    }
  }
  mismatches_->resizeColumnsToContents();
}

void VerificationPane::fillMaps() {
  const auto& maps = run_->verdict.error_maps;
  const QSignalBlocker quiet(maps_);
  const int former = maps_->currentIndex();
  maps_->clear();
  int launches = 1;
  for (const verify::ErrorMap& map : maps) launches = std::max(launches, map.launch + 1);
  for (const verify::ErrorMap& map : maps) {
    const QString tensor = QString::fromStdString(map.tensor);
    QString text = map.kind == verify::MapKind::blocks    ? tr("%1: wrong by block").arg(tensor)
                   : map.kind == verify::MapKind::threads ? tr("%1: wrong by warp and lane").arg(tensor)
                                                          : tr("%1: wrong by place").arg(tensor);
    if (launches > 1 && map.kind != verify::MapKind::tensor)
      text += QStringLiteral(" · ") + tr("launch %1").arg(map.launch + 1);
    maps_->addItem(text);
  }
  int start = former >= 0 && former < maps_->count() ? former : 0;
  for (int i = 0; former < 0 && i < maps_->count(); ++i)  // the tensor of the first mismatch
    if (!run_->verdict.first.empty() &&
        maps[static_cast<std::size_t>(i)].tensor == run_->verdict.first.front().tensor) {
      start = i;
      break;
    }
  maps_->setCurrentIndex(start);
  maps_->setVisible(maps_->count() > 1);
  mapTitle_->setVisible(maps_->count() <= 1);  // the choice says it as well
  showMap(start);
}

void VerificationPane::showMap(int index) {
  if (!run_ || index < 0 || index >= static_cast<int>(run_->verdict.error_maps.size())) return;
  const verify::ErrorMap& map = run_->verdict.error_maps[static_cast<std::size_t>(index)];
  map_->setMap(map);
  QString note;
  if (map.kind != verify::MapKind::tensor && map.unknown > 0)
    note = tr("%n wrong element(s) are not in here: stored by no thread, or by several blocks.", nullptr,
              static_cast<int>(std::min<std::int64_t>(map.unknown, std::numeric_limits<int>::max())));
  else if (run_->device.kind == device::Kind::cuda)
    note =
        tr("Which thread stored an element only the emulator can tell: run it there to see blocks, warps "
           "and lanes.");
  mapNote_->setText(note);
  mapNote_->setVisible(!note.isEmpty());
}

void VerificationPane::refresh() {
  setAccessibleName(tr("Verification"));
  headline_->setAccessibleName(tr("Verdict"));
  message_->setAccessibleName(tr("Findings"));
  numbers_->setAccessibleName(tr("Errors in numbers"));
  tolerance_->setAccessibleName(tr("Tolerance"));
  mismatchTitle_->setText(tr("First mismatches"));
  mismatchTitle_->setAccessibleName(mismatchTitle_->text());
  mismatches_->setAccessibleName(tr("First mismatches"));
  mapTitle_->setText(tr("Where the output is wrong"));
  mapTitle_->setAccessibleName(mapTitle_->text());
  map_->setAccessibleName(tr("Error map"));
  map_->retranslate();
  maps_->setAccessibleName(tr("What the error map shows"));
  mapNote_->setAccessibleName(tr("Note on the error map"));
  mapBox_->setAccessibleName(tr("Where the output is wrong"));
  const bool any = run_ != nullptr;
  for (QWidget* w :
       {static_cast<QWidget*>(message_), static_cast<QWidget*>(numbers_), static_cast<QWidget*>(tolerance_)})
    w->setVisible(any);
  QPalette ink = palette();
  if (!any) {
    headline_->setText(tr("No verdict yet. Press F5 to run the kernel against the problem's reference."));
    headline_->setPalette(ink);
    for (QWidget* w : {static_cast<QWidget*>(mismatchTitle_), static_cast<QWidget*>(mismatches_), mapBox_})
      w->hide();
    return;
  }
  const verify::Verdict& verdict = run_->verdict;
  const bool good = verdict.status == hardware::Status::pass;
  const bool neutral =
      verdict.status == hardware::Status::skipped || verdict.status == hardware::Status::no_reference;
  QString head = QStringLiteral("%1 — %2 · %3 · %4")
                     .arg(statusLabel(verdict.status), kernelLabel(*run_), workloadLabel(*run_, true),
                          deviceLabel(*run_));
  if (stale_) head += QStringLiteral(" — ") + tr("of the text before the last change");
  headline_->setText(head);
  ink.setColor(QPalette::WindowText, theme_(good ? Role::pass : neutral ? Role::note : Role::error));
  headline_->setPalette(ink);
  message_->setText(findingsText());
  message_->setVisible(!message_->text().isEmpty());
  numbers_->setText(numbersText());
  numbers_->setVisible(!numbers_->text().isEmpty());
  tolerance_->setText(toleranceText());
  tolerance_->setVisible(!tolerance_->text().isEmpty());
  fillMismatches();
  const bool mapped = !verdict.error_maps.empty();
  mapBox_->setVisible(mapped);
  if (mapped) fillMaps();
  mismatchTitle_->setVisible(!verdict.first.empty());
  mismatches_->setVisible(!verdict.first.empty());
}

void VerificationPane::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) refresh();
  QWidget::changeEvent(event);
}

}  // namespace ridge::desktop
