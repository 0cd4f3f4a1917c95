// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/roofline_chart.h"

#include <algorithm>
#include <cmath>

#include "charts/label_placement.h"
#include "shell/language.h"

namespace ridge::desktop {
namespace {

const QString kRate = QStringLiteral("FLOP/s");
const QString kBandwidth = QStringLiteral("B/s");

/// Points may lie a little above a datasheet roof by clock and rounding; more is an alarm (design, section
/// 5).
constexpr double kAlarm = 1.02;

QString sourceLabel(hardware::CeilingSource source) {
  switch (source) {
    case hardware::CeilingSource::datasheet:
      return RooflineChart::tr("datasheet");
    case hardware::CeilingSource::derived:
      return RooflineChart::tr("derived");
    case hardware::CeilingSource::measured:
      return RooflineChart::tr("measured");
  }
  return {};
}

bool same(const std::optional<hardware::Ceiling>& a, const std::optional<hardware::Ceiling>& b) {
  if (a.has_value() != b.has_value()) return false;
  // Derived roofs follow the clock of each run: within 2 % they are drawn once.
  return !a || (a->name == b->name && std::abs(a->value - b->value) <= 0.02 * std::abs(a->value));
}

}  // namespace

std::optional<double> Roof::at(double intensity) const {
  std::optional<double> rate;
  if (compute && onLogAxis(compute->value)) rate = compute->value;
  if (memory && onLogAxis(memory->value)) rate = std::min(rate.value_or(HUGE_VAL), memory->value * intensity);
  return rate;
}

std::vector<Roof> roofsOf(const ChartData& data) {
  std::vector<Roof> roofs;
  const auto add = [&](const session::Run& run, const model::Basis& basis, hardware::CeilingSource source) {
    Roof roof{QString::fromStdString(run.model.device), source, {}, {}};
    for (const hardware::Ceiling& ceiling : basis.ceilings)
      (ceiling.unit == "FLOP/s" ? roof.compute : roof.memory) = ceiling;
    if (!roof.compute && !roof.memory) return;
    for (const Roof& known : roofs)
      if (known.device == roof.device && known.source == source && same(known.compute, roof.compute) &&
          same(known.memory, roof.memory))
        return;
    roofs.push_back(std::move(roof));
  };
  for (const Series& series : data.series)
    for (const RunPtr& run : series.runs) {
      add(*run, run->model.datasheet, hardware::CeilingSource::datasheet);
      if (run->model.derived) add(*run, *run->model.derived, hardware::CeilingSource::derived);
      if (run->model.measured) add(*run, *run->model.measured, hardware::CeilingSource::measured);
    }
  std::stable_sort(roofs.begin(), roofs.end(),
                   [](const Roof& a, const Roof& b) { return a.source < b.source; });
  return roofs;
}

RooflineChart::RooflineChart(Theme& theme, QWidget* parent) : ChartPane(theme, parent) {
  plot()->xAxis->setScaleType(QCPAxis::stLogarithmic);
  plot()->yAxis->setScaleType(QCPAxis::stLogarithmic);
  plot()->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new SiTicker(
      [](double intensity) {
        return intensity < 1 ? QString::number(intensity, 'g', 3) : QString::number(intensity, 'f', 0);
      },
      plot()->xAxis)));
  plot()->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(
      new SiTicker([](double rate) { return si(rate, kRate); }, plot()->yAxis)));
  connect(plot(), &QCustomPlot::afterLayout, this, [this] {
    fitHeight();
    placeLabels();
  });
  retranslate();
}

QString RooflineChart::emptyText() const {
  return tr(
      "No runs yet. A run is placed here by its FLOPs and fused bytes; without a GPU as “attainable, not "
      "timed”.");
}

void RooflineChart::include(double x, double y) {
  left_ = left_ > 0 ? std::min(left_, x) : x;
  right_ = std::max(right_, x);
  bottom_ = bottom_ > 0 ? std::min(bottom_, y) : y;
  top_ = std::max(top_, y);
}

void RooflineChart::forgetItems() {
  flat_.clear();
  slopes_.clear();
}

void RooflineChart::draw() {
  left_ = right_ = bottom_ = top_ = 0;
  aboveRoof_ = 0;
  plot()->xAxis->setLabel(tr("intensity [FLOP per fused byte]"));
  plot()->yAxis->setLabel(tr("performance"));
  setColumns({{tr("Session"), {}},
              {tr("Problem"), {}},
              {tr("Kernel"), {}},
              {tr("Workload"), {}},
              {tr("Device"), {}},
              {tr("Intensity"), QStringLiteral("FLOP/B")},
              {tr("Performance"), kRate, QStringLiteral("GFLOP/s"), 1e-9},
              {tr("Attainable"), kRate, QStringLiteral("GFLOP/s"), 1e-9},
              {tr("Share of roof"), QStringLiteral("%")},
              {tr("Bandwidth"), QStringLiteral("B/s"), QStringLiteral("GB/s"), 1e-9},
              {tr("Bound"), {}}});
  hollowX_.clear();
  hollowY_.clear();
  for (const Series& series : data().series) drawSeries(series);
  const auto roofs = roofsOf(data());
  for (const Roof& roof : roofs)
    if (roof.compute && roof.memory && onLogAxis(roof.memory->value)) {
      const double ridge = roof.compute->value / roof.memory->value;
      include(ridge * 3, roof.compute->value);
      if (left_ > ridge / 3) include(ridge / 3, roof.memory->value * ridge / 3);
    }
  for (const Roof& roof : roofs) drawRoof(roof);
  drawUntimed();  // over the roofs, on which they lie
  drawLabels();
  QString summary =
      tr("%1 series under %n roof(s).", nullptr, static_cast<int>(roofs.size())).arg(data().series.size());
  if (aboveRoof_ > 0)
    summary += QLatin1Char(' ') +
               tr("%n point(s) above the roof: faster than physics, so the work or the time is wrong.",
                  nullptr, aboveRoof_);
  setSummary(summary);
}

void RooflineChart::drawSeries(const Series& series) {
  QVector<double> x, y, alarmX, alarmY;
  for (const RunPtr& run : series.runs) {
    const std::optional<double> intensity = run->model.intensity, rate = run->model.achieved_flops;
    Roof roof;
    for (const hardware::Ceiling& ceiling : run->model.datasheet.ceilings)
      (ceiling.unit == "FLOP/s" ? roof.compute : roof.memory) = ceiling;
    const auto attainable = intensity && onLogAxis(*intensity) ? roof.at(*intensity) : std::nullopt;
    const bool timed = rate.has_value();
    const auto share = timed && attainable ? std::optional(100 * *rate / *attainable) : std::nullopt;
    addRow(run, {series.session, series.problem, series.kernel, workloadLabel(*run, false), series.device,
                 intensity, rate, attainable, share, run->model.achieved_bandwidth,
                 boundLabel(run->model.datasheet.bound)});
    const auto height = timed ? rate : attainable;
    if (!intensity || !height || !onLogAxis(*intensity) || !onLogAxis(*height)) {
      leaveOut();
      continue;
    }
    const bool alarm = share && *share > 100 * kAlarm;
    (timed ? x : hollowX_).append(*intensity);
    (timed ? y : hollowY_).append(*height);
    if (alarm) {
      alarmX.append(*intensity);
      alarmY.append(*height);
      ++aboveRoof_;
    }
    include(*intensity, *height);
    QString text = timed ? tr("%1, %2: %3 at %4 FLOP/B, %5 of the roof")
                               .arg(series.label, workloadLabel(*run, false), si(*rate, kRate))
                               .arg(*intensity, 0, 'g', 3)
                               .arg(siPercent(share))
                         : tr("%1, %2: attainable %3 at %4 FLOP/B, not timed")
                               .arg(series.label, workloadLabel(*run, false), si(*height, kRate))
                               .arg(*intensity, 0, 'g', 3);
    if (alarm)
      text += QLatin1Char('\n') + (run->model.suspect ? words(*run->model.suspect)
                                                      : tr("Above the roof: the work or the time is wrong."));
    addPoint({*intensity, *height, text, run});
  }
  if (!x.isEmpty()) {
    QCPGraph* points = plot()->addGraph();
    points->setLineStyle(QCPGraph::lsNone);
    points->setPen(seriesPen(series));
    points->setScatterStyle(marker(series, 9));
    points->setData(x, y);
    points->setName(series.label);
  }
  if (alarmX.isEmpty()) return;
  QCPGraph* alarms = plot()->addGraph();
  alarms->setLineStyle(QCPGraph::lsNone);
  alarms->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssCrossCircle, QPen(theme()(Role::alarm), 2), Qt::NoBrush, 16));
  alarms->setData(alarmX, alarmY);
  alarms->removeFromLegend();
}

/// What is attainable depends on the workload alone, so kernels without a time share their marks.
void RooflineChart::drawUntimed() {
  if (hollowX_.isEmpty()) return;
  QCPGraph* marks = plot()->addGraph();
  marks->setLineStyle(QCPGraph::lsNone);
  marks->setPen(QPen(theme()(Role::axis), 1.6));
  marks->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme()(Role::axis), 1.6),
                                         QBrush(theme()(Role::base)), 9));
  marks->setData(hollowX_, hollowY_);
  marks->setName(tr("attainable, not timed"));
}

void RooflineChart::drawRoof(const Roof& roof) {
  constexpr double kFar = 1e6;  // roofs go on beyond what is shown at first
  QPen pen(theme()(Role::roof), 1.6);
  pen.setStyle(roof.source == hardware::CeilingSource::datasheet ? Qt::SolidLine
               : roof.source == hardware::CeilingSource::derived ? Qt::DashLine
                                                                 : Qt::DotLine);
  QVector<double> x, y;
  if (roof.memory && onLogAxis(roof.memory->value)) {
    const double end = roof.compute ? roof.compute->value / roof.memory->value : kFar;
    x << end * 1e-9 << end;
    y << end * 1e-9 * roof.memory->value << end * roof.memory->value;
  }
  if (roof.compute && onLogAxis(roof.compute->value)) {
    const double begin = x.isEmpty() ? 1e-6 : x.last();
    x << begin << begin * kFar;
    y << roof.compute->value << roof.compute->value;
  }
  QCPGraph* line = plot()->addGraph();
  line->setPen(pen);
  line->setData(x, y);
  line->setName(QStringLiteral("%1 %2").arg(roof.device, sourceLabel(roof.source)));
  line->removeFromLegend();

  if (roof.compute && onLogAxis(roof.compute->value)) addLabel(flat_, roof, *roof.compute, kRate);
  if (roof.memory && onLogAxis(roof.memory->value)) addLabel(slopes_, roof, *roof.memory, kBandwidth);
}

QString RooflineChart::Label::form(std::size_t index) const {
  return index == 0   ? QStringLiteral("%1 (%2)").arg(name, sources.join(QStringLiteral(", ")))
         : index == 1 ? name
                      : brief;
}

void RooflineChart::addLabel(std::vector<Label>& labels, const Roof& roof, const hardware::Ceiling& ceiling,
                             const QString& unit) {
  const QString brief =
      QStringLiteral("%1 %2").arg(QString::fromStdString(ceiling.name), si(ceiling.value, unit));
  const QString name = roof.device + QLatin1Char(' ') + brief;
  auto found =
      std::find_if(labels.begin(), labels.end(), [&](const Label& label) { return label.name == name; });
  if (found == labels.end()) {
    const double ridge = roof.compute && roof.memory && onLogAxis(roof.memory->value)
                             ? roof.compute->value / roof.memory->value
                             : 0;
    labels.push_back({name, brief, {}, ceiling.value, ridge, nullptr});
    found = std::prev(labels.end());
  }
  if (const QString text = sourceLabel(roof.source); !found->sources.contains(text)) found->sources << text;
}

void RooflineChart::drawLabels() {
  for (std::vector<Label>* labels : {&flat_, &slopes_}) {
    std::sort(labels->begin(), labels->end(),
              [](const Label& a, const Label& b) { return a.value < b.value; });
    for (Label& label : *labels) {
      label.text = addText(label.form(0), Role::roof);
      label.text->position->setType(QCPItemPosition::ptAbsolute);
    }
  }
}

/// The plot has another height than the one that everything was shown for: the legend takes its room after
/// that.
void RooflineChart::fitHeight() {
  const QCPRange before = whole_;
  if (plot()->yAxis->range() != before) return;  // the user looks at a part
  const QCPRange across = plot()->xAxis->range();
  showAll();
  plot()->xAxis->setRange(across);
  if (whole_ != before) plot()->replot(QCustomPlot::rpQueuedReplot);
}

void RooflineChart::placeLabels() {
  const QRectF area = plot()->axisRect()->rect();
  const QCPRange across = plot()->xAxis->range(), up = plot()->yAxis->range();
  const auto pixel = [this](double intensity, double rate) {
    return QPointF(plot()->xAxis->coordToPixel(intensity), plot()->yAxis->coordToPixel(rate));
  };
  QVector<QPointF> marks;
  for (const Point& point : points()) marks << pixel(point.x, point.y);
  std::vector<LineLabel> lines;
  std::vector<const Label*> labels;
  const auto add = [&](const Label& label, const QLineF& line, const QLineF& drawn, bool fromEnd) {
    const QFontMetricsF metrics(label.text->font());
    lines.push_back({line, drawn, {}, fromEnd});
    for (std::size_t form = 0; form < Label::kForms; ++form)
      lines.back().sizes.emplace_back(metrics.horizontalAdvance(label.form(form)) + 4, metrics.height());
    labels.push_back(&label);
  };
  // A name may go on past its roof's end: above the roofs nothing else stands.
  for (const Label& label : flat_) {
    const double begin = std::clamp(label.ridge, across.lower, across.upper);
    add(label, {pixel(across.lower, label.value), pixel(across.upper, label.value)},
        {pixel(begin, label.value), pixel(across.upper, label.value)}, true);
  }
  for (const Label& label : slopes_) {
    const double enter = std::max(across.lower, up.lower / label.value),
                 leave = std::min(across.upper, up.upper / label.value);
    const double end = std::min(leave, label.ridge > 0 ? label.ridge : leave);
    const auto at = [&](double intensity) { return pixel(intensity, intensity * label.value); };
    add(label, enter < leave ? QLineF(at(enter), at(leave)) : QLineF(),
        enter < end ? QLineF(at(enter), at(end)) : QLineF(), false);
  }
  const auto places = placeAlongLines(lines, area, marks);
  for (std::size_t i = 0; i < places.size(); ++i) {
    QCPItemText* text = labels[i]->text;
    text->setText(labels[i]->form(places[i].form));
    text->setVisible(places[i].fits);
    text->setPositionAlignment(Qt::AlignLeft | (places[i].above ? Qt::AlignBottom : Qt::AlignTop));
    text->position->setCoords(places[i].corner);
    text->setRotation(places[i].angle);
  }
}

void RooflineChart::showAll() {
  if (!(left_ > 0) || !(bottom_ > 0)) {
    plot()->xAxis->setRange(0.1, 1000);
    plot()->yAxis->setRange(1e9, 1e15);
    return;
  }
  plot()->xAxis->setRange(left_ / 2.5, right_ * 2.5);
  // Above the highest roof there is room for its name, however low the chart is.
  const double name = QFontMetricsF(plot()->xAxis->tickLabelFont()).height() + 6;
  const double below = std::max(40.0, plot()->axisRect()->height() - name);
  const double decades = std::log10(top_) - std::log10(bottom_ / 3);
  plot()->yAxis->setRange(bottom_ / 3, top_ * std::max(6.0, std::pow(10, decades * name / below)));
  whole_ = plot()->yAxis->range();
}

}  // namespace ridge::desktop
