// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/sol_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace ridge::desktop {
namespace {

constexpr int kRowHeight = 19, kTwoLines = 32;
const QString kBetween = QStringLiteral(" · ");
constexpr std::array kFills{Qt::SolidPattern, Qt::BDiagPattern, Qt::Dense5Pattern, Qt::FDiagPattern,
                            Qt::DiagCrossPattern};

/// Percent of the speed of light; nothing when the run was not timed.
std::optional<double> reachedBy(const model::Basis& basis) {
  const bool timed = basis.sol_percent && std::isfinite(*basis.sol_percent) && *basis.sol_percent >= 0;
  return timed ? basis.sol_percent : std::nullopt;
}

}  // namespace

SolChart::SolChart(Theme& theme, QWidget* parent) : ChartPane(theme, parent) {
  plot()->yAxis->setRangeReversed(true);  // the first row is at the top
  plot()->yAxis->grid()->setVisible(false);
  plot()->yAxis->setTickLength(0, 0);  // beside a note a tick reads as a minus
  connect(plot(), &QCustomPlot::afterLayout, this, &SolChart::placeNotes);
  plot()->setInteractions(QCP::iNone);  // the wheel scrolls the rows
  retranslate();
}

QString SolChart::emptyText() const {
  return tr("No runs yet. A bar shows how much of the speed of light (T_SOL) a run reaches.");
}

std::vector<SolChart::Bar> SolChart::ordered() const {
  std::vector<Bar> bars;
  for (const Series& series : data().series)
    for (const RunPtr& run : series.runs) bars.push_back({run, &series});
  const auto place = [this](const RunPtr& run) {
    return data().workloads.indexOf(workloadLabel(*run, data().severalProblems));
  };
  std::stable_sort(bars.begin(), bars.end(), [&](const Bar& a, const Bar& b) {
    const auto first = place(a.run), second = place(b.run);
    if (first != second) return first < second;
    return a.run->model.datasheet.sol_percent.value_or(-1) > b.run->model.datasheet.sol_percent.value_or(-1);
  });
  return bars;
}

/// What a bar's note says, the most important first.
QStringList SolChart::noteOn(const model::Basis& basis) {
  const auto limit = [&] { return tr("T_SOL %1").arg(siTime(basis.t_sol_us)); };
  QStringList parts;
  if (const auto reached = reachedBy(basis))
    parts << siPercent(*reached) << limit() << boundLabel(basis.bound);
  else if (basis.t_sol_us)
    parts << limit() << tr("not timed") << boundLabel(basis.bound);
  else
    parts << tr("no ceiling: T_SOL is not known");
  parts.removeAll(QString());
  return parts;
}

void SolChart::draw() {
  setColumns({{tr("Session"), {}},
              {tr("Problem"), {}},
              {tr("Kernel"), {}},
              {tr("Workload"), {}},
              {tr("Device"), {}},
              {tr("SOL"), QStringLiteral("%")},
              {tr("SOL score"), {}},
              {tr("T_SOL"), QStringLiteral("us")},
              {tr("Cold median"), QStringLiteral("us")},
              {tr("Bound"), {}},
              {tr("Baseline"), {}}});
  plot()->xAxis->setLabel(tr("share of the speed of light [%], datasheet ceilings"));
  widest_ = 100;
  names_.clear();
  const auto bars = ordered();
  rows_ = static_cast<int>(bars.size());
  std::map<const Series*, QCPBars*> drawn;
  QVector<QPointF> untimed, baselines;
  for (int row = 0; row < rows_; ++row) {
    const auto& [run, series] = bars[static_cast<std::size_t>(row)];
    const model::Basis& basis = run->model.datasheet;
    names_.push_back({workloadLabel(*run, false) + kBetween + series->what, series->where});
    addTableRow(run, *series);
    const auto reached = reachedBy(basis);
    if (reached) {
      QCPBars*& plotted = drawn[series];
      if (!plotted) plotted = barsOf(*series);
      plotted->addData(row, *reached);
      if (run->baseline) baselines.append(QPointF(*reached, row));
    } else if (basis.t_sol_us) {
      untimed.append(QPointF(100, row));
    } else {
      leaveOut();
    }
    const QStringList parts = noteOn(basis);
    addNote(parts, reached, basis.t_sol_us.has_value());
    widest_ = std::max(widest_, reached.value_or(0));
    addPoint(
        {reached.value_or(100), static_cast<double>(row),
         QStringLiteral("%1, %2: %3").arg(series->label, workloadLabel(*run, false), parts.join(kBetween)),
         run});
  }
  const Theme& colours = theme();
  addMarks(untimed, {QCPScatterStyle::ssDiamond, QPen(colours(Role::axis), 1.4), Qt::NoBrush, 9},
           tr("T_SOL (not timed)"));
  addMarks(baselines, {QCPScatterStyle::ssStar, QPen(colours(Role::text), 1.6), Qt::NoBrush, 10},
           tr("baseline"));
  nameRows();
  auto* limit = new QCPItemStraightLine(plot());
  limit->point1->setCoords(100, 0);
  limit->point2->setCoords(100, 1);
  limit->setPen(QPen(colours(Role::roof), 1.4, Qt::DashLine));
  setSummary(tr("%n run(s); 100 % is T_SOL.", nullptr, rows_));
}

void SolChart::addTableRow(const RunPtr& run, const Series& series) {
  const model::Basis& basis = run->model.datasheet;
  const auto cold =
      run->timing && run->timing->cold ? std::optional(run->timing->cold->median_us) : std::nullopt;
  addRow(run, {series.session, series.problem, series.kernel, workloadLabel(*run, false), series.device,
               basis.sol_percent, basis.sol_score, basis.t_sol_us, cold, boundLabel(basis.bound),
               run->baseline ? tr("baseline") : QString()});
}

QCPBars* SolChart::barsOf(const Series& series) {
  auto* bars = new QCPBars(plot()->yAxis, plot()->xAxis);
  bars->setName(series.label);
  bars->setWidth(0.66);
  const QColor tint = theme().series(series.colour);
  bars->setPen(QPen(tint, 1));
  bars->setBrush(QBrush(tint, kFills[static_cast<std::size_t>(series.style) % kFills.size()]));
  return bars;
}

void SolChart::addNote(const QStringList& parts, std::optional<double> reached, bool limitKnown) {
  constexpr double kAlarming = 102;  ///< percent: nothing is faster than light by more than noise
  QCPItemText* text = addText(QString(), reached.value_or(0) > kAlarming ? Role::alarm : Role::text);
  text->position->setType(QCPItemPosition::ptAbsolute);
  text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  QColor paper = theme()(Role::base);  // of its own, for lines cross the place
  paper.setAlphaF(0.92F);
  text->setBrush(paper);
  text->setPadding(QMargins(3, 0, 3, 0));
  notes_.push_back({text, parts, reached.value_or(0), !reached && limitKnown});
}

void SolChart::addMarks(const QVector<QPointF>& places, const QCPScatterStyle& style, const QString& name) {
  if (places.isEmpty()) return;
  QCPGraph* marks = plot()->addGraph(plot()->xAxis, plot()->yAxis);
  marks->setLineStyle(QCPGraph::lsNone);
  marks->setScatterStyle(style);
  marks->setName(name);
  for (const QPointF& place : places) marks->addData(place.x(), place.y());
}

/// Where a name does not fit beside its bar, device and session go to a second line. What is too long even so
/// loses its middle: names that begin alike mostly differ at their ends.
void SolChart::nameRows() {
  const QFontMetricsF metrics(plot()->yAxis->tickLabelFont());
  const double room = std::max(110.0, plot()->width() * 0.4);
  const auto whole = [](const Name& name) {
    return name.where.isEmpty() ? name.what : name.what + kBetween + name.where;
  };
  const bool wrap = std::any_of(names_.begin(), names_.end(), [&](const Name& name) {
    return !name.where.isEmpty() && metrics.horizontalAdvance(whole(name)) > room;
  });
  const auto fitted = [&](const QString& text) { return metrics.elidedText(text, Qt::ElideMiddle, room); };
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (std::size_t row = 0; row < names_.size(); ++row) {
    const Name& name = names_[row];
    ticker->addTick(static_cast<double>(row), wrap && !name.where.isEmpty()
                                                  ? fitted(name.what) + QLatin1Char('\n') + fitted(name.where)
                                                  : fitted(whole(name)));
  }
  plot()->yAxis->setTicker(ticker);
  keepHeight(std::max(110, rows_ * (wrap ? kTwoLines : kRowHeight) + 70));
}

/// Behind its bar's end, or in the bar where that is long. What does not fit is left to the table and the
/// tooltip.
void SolChart::placeNotes() {
  const QRect area = plot()->axisRect()->rect();
  const QFontMetricsF metrics(plot()->xAxis->tickLabelFont());
  constexpr double kMargin = 4, kPadding = 8, kMark = 8;
  for (std::size_t row = 0; row < notes_.size(); ++row) {
    const Note& note = notes_[row];
    const double begin = area.left() + kMargin, end = plot()->xAxis->coordToPixel(note.end);
    // Neither a mark nor the limit itself is written over.
    const double limit = plot()->xAxis->coordToPixel(100) - kMark;
    const double right = note.marked || note.end < 100 ? limit : area.right();
    const double behind = right - end - kMargin, inside = end - begin - kMargin;
    QStringList parts = note.parts;
    const auto width = [&] { return metrics.horizontalAdvance(parts.join(kBetween)) + kPadding; };
    while (parts.size() > 1 && width() > std::max(behind, inside)) parts.removeLast();
    note.text->setText(parts.join(kBetween));
    note.text->position->setCoords(width() > behind && inside > behind ? begin : end + kMargin,
                                   plot()->yAxis->coordToPixel(static_cast<double>(row)));
  }
}

void SolChart::showAll() {
  plot()->xAxis->setRange(0, std::max(108.0, widest_ * 1.05));
  plot()->yAxis->setRange(-0.7, std::max(0.7, rows_ - 0.3));
}

}  // namespace ridge::desktop
