// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "charts/roofline_chart.h"
#include "charts/sol_chart.h"
#include "charts/timing_chart.h"
#include "files.h"
#include "sample_runs.h"

namespace ridge::desktop {
namespace {

/// Every value that a plot holds, by x then y.
std::vector<std::pair<double, double>> plotted(const QCustomPlot* plot) {
  std::vector<std::pair<double, double>> all;
  for (int i = 0; i < plot->graphCount(); ++i)
    for (const QCPGraphData& point : *plot->graph(i)->data()) all.emplace_back(point.key, point.value);
  return all;
}

bool holdsY(const QCustomPlot* plot, double y) {
  for (const auto& point : plotted(plot))
    if (point.second == y) return true;
  return false;
}

using samples::contentOf;

class Charts : public testing::Test {
 protected:
  void show(ChartPane& chart, const QString& problem = QStringLiteral("softmax")) {
    chart.resize(640, 420);
    chart.setData(chartData(book, problem));
    chart.plot()->replot();
  }
  void adopt(const QString& title, const std::vector<RunPtr>& runs) { book.adopt(title, {}, runs); }

  Theme theme;
  RunBook book;
};

TEST(Si, NamesPrefixesAndUnits) {
  EXPECT_EQ(si(1.95e12, QStringLiteral("FLOP/s")), QStringLiteral("1.95 TFLOP/s"));
  EXPECT_EQ(siTime(12.34), QStringLiteral("12.3 us"));
  EXPECT_EQ(siTime(1200.0), QStringLiteral("1.2 ms"));
  EXPECT_EQ(siTime(0.9), QStringLiteral("900 ns"));
  EXPECT_EQ(siTime(999.9), QStringLiteral("1 ms"));
  EXPECT_EQ(si(0, QStringLiteral("B/s")), QStringLiteral("0 B/s"));
  EXPECT_EQ(si(std::nan(""), QStringLiteral("s")), QStringLiteral("–"));
  EXPECT_EQ(siTime(std::optional<double>()), QStringLiteral("–"));
  EXPECT_EQ(siTime(1.6667e-6), QStringLiteral("0.00167 ns"));
  EXPECT_EQ(siTime(1e-9), QStringLiteral("<0.001 ns"));
  EXPECT_EQ(siTime(0.0009997), QStringLiteral("1 ns"));
  EXPECT_EQ(siPercent(62.14), QStringLiteral("62.1 %"));
  EXPECT_EQ(siPercent(0.0339), QStringLiteral("0.034 %"));
  EXPECT_EQ(siPercent(1e-5), QStringLiteral("<0.001 %"));
  EXPECT_EQ(siPercent(0.0), QStringLiteral("0.0 %"));
}

/// Opens up the ticks, which only axes ask for.
struct OpenTicker : SiTicker {
  using SiTicker::createSubTickVector;
  using SiTicker::createTickVector;
  using SiTicker::SiTicker;
};

TEST(SiTicker, NeverMakesManyTicksWhateverTheRange) {
  OpenTicker ticker([](double v) { return QString::number(v); });
  const std::pair<double, double> ranges[] = {{1, 1.01}, {1, 9},          {0.3, 70},
                                              {1, 1e4},  {1e-300, 1e300}, {5, 5.0000001}};
  for (const auto& [low, high] : ranges) {
    const QVector<double> ticks = ticker.createTickVector(1, QCPRange(low, high));
    EXPECT_GE(ticks.size(), 2) << low << " to " << high;
    EXPECT_LE(ticks.size(), 16) << low << " to " << high;
    EXPECT_LE(ticker.createSubTickVector(8, ticks).size(), 100);
  }
}

TEST(SiTicker, GivesNothingForARangeThatNoLogarithmHas) {
  OpenTicker ticker([](double v) { return QString::number(v); });
  EXPECT_TRUE(ticker.createTickVector(1, QCPRange(0, 10)).isEmpty());
  EXPECT_TRUE(ticker.createTickVector(1, QCPRange(-5, 10)).isEmpty());
}

TEST_F(Charts, TimingPlotsMediansAndEverySample) {
  const auto runs = samples::measured();
  adopt(QStringLiteral("h200"), runs);
  TimingChart chart(theme, nullptr);
  show(chart);
  for (const RunPtr& run : runs) {
    EXPECT_TRUE(holdsY(chart.plot(), run->timing->cold->median_us));
    for (const double sample : run->timing->cold->samples_us) EXPECT_TRUE(holdsY(chart.plot(), sample));
  }
  EXPECT_EQ(chart.leftOut(), 0);
}

TEST_F(Charts, TimingDrawsQuartilesAroundTheMedian) {
  const auto run = samples::measured().front();
  adopt(QStringLiteral("h200"), {run});
  TimingChart chart(theme, nullptr);
  show(chart);
  bool found = false;
  for (int i = 0; i < chart.plot()->plottableCount(); ++i)
    if (auto* bars = qobject_cast<QCPErrorBars*>(chart.plot()->plottable(i))) {
      ASSERT_EQ(bars->data()->size(), 1);
      EXPECT_DOUBLE_EQ(bars->data()->at(0).errorMinus,
                       run->timing->cold->median_us - run->timing->cold->q1_us);
      EXPECT_DOUBLE_EQ(bars->data()->at(0).errorPlus,
                       run->timing->cold->q3_us - run->timing->cold->median_us);
      found = true;
    }
  EXPECT_TRUE(found);
}

TEST_F(Charts, TimingNeverMixesKinds) {
  const auto run = samples::measured().front();
  adopt(QStringLiteral("h200"), {run});
  TimingChart chart(theme, nullptr);
  show(chart);
  EXPECT_FALSE(holdsY(chart.plot(), run->timing->warm->median_us));
  chart.setKind(TimingChart::Kind::warm);
  EXPECT_TRUE(holdsY(chart.plot(), run->timing->warm->median_us));
  EXPECT_FALSE(holdsY(chart.plot(), run->timing->cold->median_us));
}

TEST_F(Charts, ValuesThatNoLogarithmHasAreLeftOutAndCounted) {
  session::Run odd = *samples::measured().front();
  odd.timing->cold->samples_us = {1, 0, -3, std::nan(""), HUGE_VAL, 2};
  adopt(QStringLiteral("odd"), {samples::shared(odd)});
  TimingChart chart(theme, nullptr);
  show(chart);
  EXPECT_EQ(chart.leftOut(), 4);
  for (const auto& [x, y] : plotted(chart.plot())) EXPECT_TRUE(std::isfinite(y) && y > 0) << y;
  EXPECT_GT(chart.plot()->yAxis->range().lower, 0);
}

TEST_F(Charts, RooflinePutsARunAtItsIntensityAndRate) {
  const auto runs = samples::measured();
  adopt(QStringLiteral("h200"), runs);
  RooflineChart chart(theme, nullptr);
  show(chart);
  const auto points = plotted(chart.plot());
  for (const RunPtr& run : runs)
    EXPECT_NE(
        std::find(points.begin(), points.end(), std::pair(*run->model.intensity, *run->model.achieved_flops)),
        points.end());
}

TEST_F(Charts, RooflinePutsAnEmulatedRunHollowOnItsRoof) {
  adopt(QStringLiteral("here"), samples::emulated());
  RooflineChart chart(theme, nullptr);
  show(chart);
  const RunPtr run = samples::emulated().front();
  const double roof = std::min(67e12, *run->model.intensity * 4.8e12);
  bool hollow = false;
  for (int i = 0; i < chart.plot()->graphCount(); ++i) {
    const QCPGraph* graph = chart.plot()->graph(i);
    for (const QCPGraphData& point : *graph->data())
      if (point.key == *run->model.intensity && std::abs(point.value - roof) < 1e-3 * roof &&
          graph->lineStyle() == QCPGraph::lsNone)
        hollow = graph->name().contains(QStringLiteral("not timed")) &&
                 graph->scatterStyle().brush().color() == theme(Role::base);
  }
  EXPECT_TRUE(hollow);
}

TEST_F(Charts, RoofsCarryNameValueAndSource) {
  adopt(QStringLiteral("h200"), samples::measured());
  const auto roofs = roofsOf(chartData(book, QStringLiteral("softmax")));
  ASSERT_EQ(roofs.size(), 2u);
  EXPECT_EQ(roofs[0].source, hardware::CeilingSource::datasheet);
  EXPECT_EQ(roofs[1].source, hardware::CeilingSource::derived);
  RooflineChart chart(theme, nullptr);
  show(chart);
  QStringList texts;
  for (int i = 0; i < chart.plot()->itemCount(); ++i)
    if (auto* text = qobject_cast<QCPItemText*>(chart.plot()->item(i))) texts << text->text();
  EXPECT_TRUE(texts.contains(QStringLiteral("H200 fp32 67 TFLOP/s (datasheet)")))
      << texts.join(QLatin1Char('\n')).toStdString();
  EXPECT_TRUE(texts.contains(QStringLiteral("H200 dram 4.8 TB/s (datasheet)")));
}

TEST_F(Charts, RoofsThatReadTheSameShareOneName) {
  session::Run run = *samples::measured().front();
  run.model.derived = run.model.datasheet;
  run.model.derived->ceilings[0].value *= 0.92;
  adopt(QStringLiteral("h200"), {samples::shared(run)});
  RooflineChart chart(theme, nullptr);
  show(chart);
  QStringList texts;
  for (int i = 0; i < chart.plot()->itemCount(); ++i)
    if (auto* text = qobject_cast<QCPItemText*>(chart.plot()->item(i))) texts << text->text();
  texts.sort();
  EXPECT_EQ(texts, (QStringList{QStringLiteral("H200 dram 4.8 TB/s (datasheet, derived)"),
                                QStringLiteral("H200 fp32 61.6 TFLOP/s (derived)"),
                                QStringLiteral("H200 fp32 67 TFLOP/s (datasheet)")}));
}

TEST_F(Charts, NamesOfRoofsDoNotOverlap) {
  adopt(QStringLiteral("h200"), samples::measured());  // derived roofs lie 8 % below the datasheet's
  RooflineChart chart(theme, nullptr);
  show(chart);
  std::vector<QCPItemText*> texts;
  for (int i = 0; i < chart.plot()->itemCount(); ++i)
    if (auto* text = qobject_cast<QCPItemText*>(chart.plot()->item(i)); text && text->visible())
      texts.push_back(text);
  ASSERT_EQ(texts.size(), 4u);
  for (const QCPItemText* a : texts)
    for (const QCPItemText* b : texts) {
      if (a == b || std::abs(a->rotation() - b->rotation()) > 1) continue;
      // Distance of the two lines of text, across their common direction.
      const QPointF apart = a->bottomRight->pixelPosition() - b->bottomRight->pixelPosition();
      const double angle = a->rotation() * M_PI / 180;
      const double across = std::abs(-std::sin(angle) * apart.x() + std::cos(angle) * apart.y());
      EXPECT_GE(across, QFontMetricsF(a->font()).height() * 0.9)
          << a->text().toStdString() << " and " << b->text().toStdString();
    }
}

TEST_F(Charts, NamesOfRoofsStandOnNoPoint) {
  adopt(QStringLiteral("h200"), samples::measured());
  adopt(QStringLiteral("here"), samples::emulated());
  for (const QSize& size : {QSize(420, 260), QSize(640, 420), QSize(1200, 760)}) {
    RooflineChart chart(theme, nullptr);
    show(chart);
    chart.resize(size);
    chart.grab();
    int shown = 0;
    for (int i = 0; i < chart.plot()->itemCount(); ++i) {
      auto* text = qobject_cast<QCPItemText*>(chart.plot()->item(i));
      if (!text || !text->visible()) continue;
      ++shown;
      const QPolygonF name{text->topLeft->pixelPosition(), text->topRight->pixelPosition(),
                           text->bottomRight->pixelPosition(), text->bottomLeft->pixelPosition()};
      for (int g = 0; g < chart.plot()->graphCount(); ++g) {
        const QCPGraph* graph = chart.plot()->graph(g);
        if (graph->lineStyle() != QCPGraph::lsNone) continue;
        for (const QCPGraphData& point : *graph->data())
          EXPECT_FALSE(name.containsPoint(QPointF(chart.plot()->xAxis->coordToPixel(point.key),
                                                  chart.plot()->yAxis->coordToPixel(point.value)),
                                          Qt::OddEvenFill))
              << text->text().toStdString() << " at " << size.width();
      }
    }
    EXPECT_GE(shown, 2) << size.width();
  }
}

QStringList legendOf(const QCustomPlot* plot) {
  QStringList names;
  for (int i = 0; i < plot->legend->itemCount(); ++i)
    if (auto* item = qobject_cast<QCPPlottableLegendItem*>(plot->legend->item(i)))
      names << item->plottable()->name();
  return names;
}

TEST_F(Charts, RunsWithoutATimeTakeNoRoomInTheLegend) {
  adopt(QStringLiteral("h200"), samples::measured());
  adopt(QStringLiteral("here"), samples::emulated());
  RooflineChart roofline(theme, nullptr);
  show(roofline);
  EXPECT_EQ(legendOf(roofline.plot()).filter(QStringLiteral("not timed")).size(), 1);
  TimingChart timing(theme, nullptr);
  show(timing);
  EXPECT_EQ(legendOf(timing.plot()),
            (QStringList{QStringLiteral("naive · h200"), QStringLiteral("online · h200")}));
}

TEST_F(Charts, SamplesHaveTheColourOfTheirSeries) {
  adopt(QStringLiteral("h200"), samples::measured());
  TimingChart chart(theme, nullptr);
  show(chart);
  for (int i = 0; i < chart.plot()->graphCount(); ++i) {
    QColor ink = chart.plot()->graph(i)->pen().color();
    ink.setAlpha(255);
    EXPECT_TRUE(ink == theme.series(0) || ink == theme.series(1)) << i << ' ' << ink.name().toStdString();
  }
}

TEST_F(Charts, NotesOfSolBarsStayInThePictureHoweverNarrowItIs) {
  adopt(QStringLiteral("h200"), samples::measured());
  adopt(QStringLiteral("here"), samples::emulated());
  for (const int width : {300, 420, 1200}) {
    SolChart chart(theme, nullptr);
    show(chart);
    chart.resize(width, 420);
    chart.grab();
    const QCustomPlot* plot = chart.plot();
    for (int i = 0; i < plot->itemCount(); ++i)
      if (auto* text = qobject_cast<QCPItemText*>(chart.plot()->item(i))) {
        const double right = text->right->pixelPosition().x();
        EXPECT_LE(right, plot->axisRect()->right() + 2) << text->text().toStdString() << " at " << width;
        if (text->text().contains(QStringLiteral("not timed"))) {
          EXPECT_LT(right, plot->xAxis->coordToPixel(100)) << "its mark";
        }
      }
  }
}

TEST_F(Charts, TablesShowShortNumbersAndFilesKeepTheUnit) {
  const auto run = samples::measured().front();
  adopt(QStringLiteral("h200"), {run});
  RooflineChart chart(theme, nullptr);
  show(chart);
  int column = 0;
  while (column < chart.table()->columnCount() &&
         chart.table()->headerData(column, Qt::Horizontal).toString() !=
             QStringLiteral("Performance [GFLOP/s]"))
    ++column;
  ASSERT_LT(column, chart.table()->columnCount());
  EXPECT_EQ(chart.table()->item(0, column)->text(),
            QString::number(*run->model.achieved_flops * 1e-9, 'g', 5));
  const QTemporaryDir folder;
  ASSERT_TRUE(chart.exportTo(folder.filePath(QStringLiteral("c.csv"))).ok());
  const QByteArray csv = contentOf(folder.filePath(QStringLiteral("c.csv")));
  EXPECT_TRUE(csv.contains("Performance [FLOP/s]"));
  EXPECT_TRUE(csv.contains(QByteArray::number(*run->model.achieved_flops, 'g', 12)));
}

TEST_F(Charts, ALowChartHasFewTicksOnItsAxis) {
  adopt(QStringLiteral("h200"), samples::measured());
  RooflineChart chart(theme, nullptr);
  chart.setData(chartData(book, QStringLiteral("softmax")));
  chart.resize(400, 190);
  chart.grab();
  const QVector<double> ticks = chart.plot()->yAxis->tickVector();
  const QFontMetricsF metrics(chart.plot()->yAxis->tickLabelFont());
  for (int i = 1; i < ticks.size(); ++i) {
    const double gap = std::abs(chart.plot()->yAxis->coordToPixel(ticks[i]) -
                                chart.plot()->yAxis->coordToPixel(ticks[i - 1]));
    EXPECT_GE(gap, metrics.ascent()) << ticks[i];
  }
}

TEST_F(Charts, APointAboveItsRoofIsAnAlarm) {
  session::Run fast = *samples::measured().front();
  fast.model.achieved_flops = 3 * *fast.model.intensity * 4.8e12;
  fast.model.suspect = "The time is shorter than moving the bytes takes.";
  adopt(QStringLiteral("fast"), {samples::shared(fast)});
  RooflineChart chart(theme, nullptr);
  show(chart);
  EXPECT_TRUE(chart.summary().contains(QStringLiteral("above the roof"))) << chart.summary().toStdString();
}

TEST_F(Charts, ARunWithoutFlopsIsLeftOutOfTheRooflineOnly) {
  adopt(QStringLiteral("h200"), {samples::shared(samples::run("softmax", "copy", "tiny", 0, 2e6, 3.0))});
  RooflineChart roofline(theme, nullptr);
  show(roofline);
  EXPECT_EQ(roofline.leftOut(), 1);
  SolChart sol(theme, nullptr);
  show(sol);
  EXPECT_EQ(sol.leftOut(), 0);
}

TEST_F(Charts, SolBarsAreTheRunsPercentages) {
  const auto runs = samples::measured();
  adopt(QStringLiteral("h200"), runs);
  SolChart chart(theme, nullptr);
  show(chart);
  std::vector<double> bars;
  for (int i = 0; i < chart.plot()->plottableCount(); ++i)
    if (auto* plottable = qobject_cast<QCPBars*>(chart.plot()->plottable(i)))
      for (const QCPBarsData& bar : *plottable->data()) bars.push_back(bar.value);
  ASSERT_EQ(bars.size(), runs.size());
  for (const RunPtr& run : runs)
    EXPECT_NE(std::find(bars.begin(), bars.end(), *run->model.datasheet.sol_percent), bars.end());
}

TEST_F(Charts, SolShowsTSolAloneForAnEmulatedRun) {
  adopt(QStringLiteral("here"), samples::emulated());
  SolChart chart(theme, nullptr);
  show(chart);
  for (int i = 0; i < chart.plot()->plottableCount(); ++i)
    EXPECT_EQ(qobject_cast<QCPBars*>(chart.plot()->plottable(i)), nullptr);
  int notTimed = 0;
  for (int i = 0; i < chart.plot()->itemCount(); ++i)
    if (auto* text = qobject_cast<QCPItemText*>(chart.plot()->item(i)))
      notTimed += text->text().startsWith(QStringLiteral("T_SOL")) &&
                  text->text().contains(QStringLiteral("not timed"));
  EXPECT_EQ(notTimed, 2);
}

TEST_F(Charts, TwoSessionsOverlayInAllThree) {
  adopt(QStringLiteral("before"), samples::measured(1.6));
  adopt(QStringLiteral("after"), samples::measured(1.0));
  const ChartData data = chartData(book, QStringLiteral("softmax"));
  ASSERT_EQ(data.series.size(), 4u);
  EXPECT_NE(data.series[0].style, data.series[2].style);
  EXPECT_NE(data.series[0].colour, data.series[2].colour);
  TimingChart timing(theme, nullptr);
  RooflineChart roofline(theme, nullptr);
  SolChart sol(theme, nullptr);
  for (ChartPane* chart : {static_cast<ChartPane*>(&timing), static_cast<ChartPane*>(&roofline),
                           static_cast<ChartPane*>(&sol)}) {
    show(*chart);
    EXPECT_EQ(chart->table()->rowCount(), 12);
    QStringList legend;
    for (int i = 0; i < chart->plot()->legend->itemCount(); ++i)
      if (auto* item = qobject_cast<QCPPlottableLegendItem*>(chart->plot()->legend->item(i)))
        legend << item->plottable()->name();
    for (const char* name : {"naive · before", "online · before", "naive · after", "online · after"})
      EXPECT_TRUE(legend.contains(QString::fromUtf8(name)))
          << name << " not in " << legend.join(QStringLiteral(", ")).toStdString();
  }
}

TEST_F(Charts, AHiddenSessionIsNotDrawn) {
  adopt(QStringLiteral("one"), samples::measured());
  book.setVisible(book.sessions().back().id, false);
  EXPECT_TRUE(chartData(book, QStringLiteral("softmax")).empty());
}

TEST_F(Charts, TheNewestRunOfAWorkloadCounts) {
  adopt(QStringLiteral("one"), {samples::shared(samples::run("softmax", "naive", "tiny", 1e6, 2e6, 9.0)),
                                samples::shared(samples::run("softmax", "naive", "tiny", 1e6, 2e6, 7.0))});
  const ChartData data = chartData(book, QStringLiteral("softmax"));
  ASSERT_EQ(data.series.size(), 1u);
  ASSERT_EQ(data.series[0].runs.size(), 1u);
  EXPECT_DOUBLE_EQ(data.series[0].runs[0]->timing->cold->median_us, 7.0);
}

TEST_F(Charts, KeysWalkFromPointToPoint) {
  adopt(QStringLiteral("h200"), samples::measured());
  TimingChart chart(theme, nullptr);
  show(chart);
  chart.show();
  RunPtr picked;
  QObject::connect(&chart, &ChartPane::runPicked, [&](const RunPtr& run) { picked = run; });
  QTest::keyClick(chart.plot(), Qt::Key_Right);
  ASSERT_TRUE(picked);
  const RunPtr first = picked;
  QTest::keyClick(chart.plot(), Qt::Key_Right);
  EXPECT_NE(picked, first);
  QTest::keyClick(chart.plot(), Qt::Key_Home);
  EXPECT_EQ(picked, first);
  EXPECT_TRUE(chart.plot()->accessibleDescription().contains(QStringLiteral("median")))
      << chart.plot()->accessibleDescription().toStdString();
  EXPECT_NE(chart.plot()->focusPolicy() & Qt::TabFocus, 0);
}

TEST_F(Charts, ExportEachFormat) {
  adopt(QStringLiteral("h200"), samples::measured());
  TimingChart chart(theme, nullptr);
  show(chart);
  const QTemporaryDir folder;
  for (const char* name : {"c.png", "c.svg", "c.pdf", "c.csv"}) {
    const auto done = chart.exportTo(folder.filePath(QLatin1String(name)));
    EXPECT_TRUE(done.ok()) << (done ? "" : done.error().message);
  }
  EXPECT_TRUE(contentOf(folder.filePath(QStringLiteral("c.png"))).startsWith("\x89PNG"));
  EXPECT_TRUE(contentOf(folder.filePath(QStringLiteral("c.svg"))).contains("<svg"));
  EXPECT_TRUE(contentOf(folder.filePath(QStringLiteral("c.pdf"))).startsWith("%PDF"));
  EXPECT_TRUE(contentOf(folder.filePath(QStringLiteral("c.csv"))).contains("naive"));
}

TEST_F(Charts, CsvNumbersAreTheSameInEveryLocale) {
  const auto run = samples::measured().front();
  adopt(QStringLiteral("h200"), {run});
  QLocale::setDefault(QLocale(QLocale::German));
  TimingChart chart(theme, nullptr);
  show(chart);
  const QTemporaryDir folder;
  ASSERT_TRUE(chart.exportTo(folder.filePath(QStringLiteral("c.csv"))).ok());
  QLocale::setDefault(QLocale::c());
  const QByteArray csv = contentOf(folder.filePath(QStringLiteral("c.csv")));
  EXPECT_TRUE(csv.contains(QByteArray::number(run->timing->cold->median_us, 'g', 12))) << csv.toStdString();
}

TEST_F(Charts, ExportSaysWhyItFailed) {
  adopt(QStringLiteral("h200"), samples::measured());
  TimingChart chart(theme, nullptr);
  show(chart);
  EXPECT_EQ(chart.exportTo(QStringLiteral("/nowhere/at/all.png")).error().code, "export_failed");
  EXPECT_EQ(chart.exportTo(QStringLiteral("c.bmp")).error().code, "unknown_format");
}

TEST_F(Charts, EmptyChartsSayWhatToDo) {
  TimingChart chart(theme, nullptr);
  show(chart);
  bool said = false;
  for (const QLabel* label : chart.findChildren<QLabel*>())
    said = said || label->text().contains(QStringLiteral("F5"));
  EXPECT_TRUE(said);
  EXPECT_EQ(chart.table()->rowCount(), 0);
}

TEST_F(Charts, FollowTheTheme) {
  adopt(QStringLiteral("h200"), samples::measured());
  RooflineChart chart(theme, nullptr);
  for (const ThemeId id : themes()) {
    theme.setCurrent(id);
    show(chart);
    EXPECT_EQ(chart.plot()->xAxis->tickLabelColor(), colour(id, Role::text));
    EXPECT_GE(contrast(chart.plot()->legend->textColor(), colour(id, Role::base)), 4.5);
    const QImage image = chart.plot()->toPixmap(400, 300).toImage();
    EXPECT_EQ(image.pixelColor(1, 1), colour(id, Role::base));
  }
  theme.setCurrent(ThemeId::light);
}

}  // namespace
}  // namespace ridge::desktop
