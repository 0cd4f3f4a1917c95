// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/timing_chart.h"

#include <algorithm>
#include <cmath>

namespace ridge::desktop {
TimingChart::TimingChart(Theme& theme, QWidget* parent) : ChartPane(theme, parent) {
  kind_ = new QComboBox(this);
  for (int i = 0; i < 3; ++i) kind_->addItem(QString());
  controls()->insertWidget(0, kind_);
  plot()->yAxis->setScaleType(QCPAxis::stLogarithmic);
  plot()->yAxis->setTicker(
      QSharedPointer<QCPAxisTicker>(new SiTicker([](double us) { return siTime(us); }, plot()->yAxis)));
  connect(kind_, &QComboBox::currentIndexChanged, this, [this] { redraw(); });
  keepHeight(190);  // the names of the workloads stand aslant
  retranslate();
}

void TimingChart::retranslateControls() {
  if (!kind_) return;
  kind_->setItemText(0, tr("Cold: L2 flushed"));
  kind_->setItemText(1, tr("Warm: back to back"));
  kind_->setItemText(2, tr("Launch-inclusive: as the host sees it"));
  kind_->setAccessibleName(tr("Kind of time"));
  kind_->setToolTip(tr("Three kinds of time that are never mixed in one picture"));
}

void TimingChart::setKind(Kind kind) {
  kind_->setCurrentIndex(static_cast<int>(kind));
}

QString TimingChart::emptyText() const {
  return tr("No runs yet. Press F5 to compile, verify and time the kernel, or open a session.");
}

const measure::Sampled* TimingChart::sampled(const session::Run& run) const {
  if (!run.timing) return nullptr;
  const std::optional<measure::Sampled>* choice[] = {&run.timing->cold, &run.timing->warm,
                                                     &run.timing->launch_inclusive};
  const auto& chosen = *choice[std::clamp(kind_->currentIndex(), 0, 2)];
  return chosen ? &*chosen : nullptr;
}

void TimingChart::draw() {
  lowest_ = highest_ = 0;
  setColumns({{tr("Session"), {}},
              {tr("Problem"), {}},
              {tr("Kernel"), {}},
              {tr("Workload"), {}},
              {tr("Device"), {}},
              {tr("Verdict"), {}},
              {tr("Median"), QStringLiteral("us")},
              {tr("Q1"), QStringLiteral("us")},
              {tr("Q3"), QStringLiteral("us")},
              {tr("Samples"), {}},
              {tr("SM clock"), QStringLiteral("MHz")},
              {tr("Source"), {}}});
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (int i = 0; i < data().workloads.size(); ++i) ticker->addTick(i, data().workloads[i]);
  plot()->xAxis->setTicker(ticker);
  plot()->xAxis->setTickLength(0, 4);
  plot()->xAxis->setTickLabelRotation(data().workloads.size() > 6 ? -30 : 0);
  plot()->yAxis->setLabel(tr("time per run"));

  std::vector<Count> counts(static_cast<std::size_t>(data().workloads.size()));
  const int lanes = static_cast<int>(data().series.size());
  int lane = 0, timed = 0;
  for (const Series& series : data().series) {
    drawSeries(series, lane++, lanes, counts);
    for (const RunPtr& run : series.runs) timed += sampled(*run) ? 1 : 0;
  }
  // The words stand where the marks would, unless other marks are there.
  int withoutTime = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    withoutTime += counts[i].untimed;
    if (counts[i].untimed == 0 || counts[i].timed > 0) continue;
    QCPItemText* text =
        addText(counts[i].untimed == 1 ? tr("not timed") : tr("%n not timed", nullptr, counts[i].untimed),
                Role::placeholder);
    text->position->setTypeX(QCPItemPosition::ptPlotCoords);
    text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    text->position->setAxes(plot()->xAxis, plot()->yAxis);
    text->position->setAxisRect(plot()->axisRect());
    text->position->setCoords(static_cast<double>(i), 0.985);
    text->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
    if (counts.size() > 4) text->setRotation(-90);
    if (counts.size() > 4) text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  }
  if (timed == 0) {
    untimedNote_ = addText(QString(), Role::text);
    untimedNote_->position->setType(QCPItemPosition::ptAxisRectRatio);
    untimedNote_->position->setCoords(0.5, 0.45);
    untimedNote_->setPositionAlignment(Qt::AlignCenter);
    untimedNote_->setBrush(theme()(Role::base));
    noteUntimed();
  }
  setSummary(tr("%1 timed and %2 not timed runs of %3 series.").arg(timed).arg(withoutTime).arg(lanes));
}

void TimingChart::noteUntimed() {
  if (untimedNote_)
    untimedNote_->setText(
        wrapped(tr("Not timed: these runs come from the emulator, which has no clock, or did not pass. "
                   "Verdicts and T_SOL are in the other panes.")));
}

void TimingChart::drawSeries(const Series& series, int lane, int lanes, std::vector<Count>& counts) {
  const double width = 0.8 / lanes;
  QVector<double> dotX, dotY, x, median, below, above;
  for (const RunPtr& run : series.runs) {
    const auto place =
        static_cast<int>(data().workloads.indexOf(workloadLabel(*run, data().severalProblems)));
    const double centre = place - 0.4 + width * (lane + 0.5);
    const measure::Sampled* times = sampled(*run);
    const QString verdict = statusLabel(run->verdict.status);
    const auto known = [&](double value) { return times ? std::optional(value) : std::nullopt; };
    addRow(run, {series.session, series.problem, series.kernel, workloadLabel(*run, false), series.device,
                 verdict, known(times ? times->median_us : 0), known(times ? times->q1_us : 0),
                 known(times ? times->q3_us : 0), known(times ? times->n : 0),
                 run->timing ? run->timing->sm_mhz : std::nullopt,
                 times ? QString::fromStdString(times->source) : tr("not timed")});
    Count& runs = counts[static_cast<std::size_t>(place)];
    ++(times ? runs.timed : runs.untimed);
    if (!times) continue;
    const std::size_t count = times->samples_us.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (!onLogAxis(times->samples_us[i])) {
        leaveOut();
        continue;
      }
      // Spread over the lane in the order of sampling, so that a drift shows as a slope.
      const double along = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) - 0.5 : 0;
      dotX.append(centre + along * width * 0.7);
      dotY.append(times->samples_us[i]);
    }
    if (!onLogAxis(times->median_us) || !onLogAxis(times->q1_us) || !onLogAxis(times->q3_us)) {
      leaveOut();
      continue;
    }
    x.append(centre);
    median.append(times->median_us);
    below.append(times->median_us - times->q1_us);
    above.append(times->q3_us - times->median_us);
    addPoint({centre, times->median_us,
              tr("%1, %2: median %3, quartiles %4 to %5, %6 samples (%7), verdict %8")
                  .arg(series.label, workloadLabel(*run, false), siTime(times->median_us),
                       siTime(times->q1_us), siTime(times->q3_us))
                  .arg(times->n)
                  .arg(QString::fromStdString(times->source), verdict),
              run});
  }
  for (const double y : dotY + median) {
    lowest_ = lowest_ > 0 ? std::min(lowest_, y) : y;
    highest_ = std::max(highest_, y);
  }
  QCPGraph* dots = plot()->addGraph();
  dots->setLineStyle(QCPGraph::lsNone);
  QColor faint = theme().series(series.colour);
  faint.setAlphaF(0.45F);
  dots->setPen(QPen(faint));  // a marker without an edge takes the graph's pen
  dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(Qt::NoPen), QBrush(faint), 3));
  dots->setData(dotX, dotY);
  dots->setName(series.label);
  dots->removeFromLegend();
  QCPGraph* medians = plot()->addGraph();
  medians->setPen(seriesPen(series, 1.2));
  medians->setScatterStyle(marker(series));
  medians->setData(x, median);
  medians->setName(series.label);
  if (x.isEmpty()) medians->removeFromLegend();  // it has no mark
  auto* quartiles = new QCPErrorBars(plot()->xAxis, plot()->yAxis);
  quartiles->setDataPlottable(medians);
  quartiles->setPen(QPen(theme().series(series.colour), 1.6));
  quartiles->setWhiskerWidth(9);
  quartiles->setSymbolGap(4);
  quartiles->setData(below, above);
  quartiles->removeFromLegend();
}

void TimingChart::showAll() {
  plot()->xAxis->setRange(-0.55, std::max<double>(0.55, static_cast<double>(data().workloads.size()) - 0.45));
  if (lowest_ > 0)
    plot()->yAxis->setRange(lowest_ / 1.6, highest_ * 1.6);
  else
    plot()->yAxis->setRange(1, 1000);
}

}  // namespace ridge::desktop
