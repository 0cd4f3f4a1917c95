// SPDX-License-Identifier: GPL-3.0-or-later
// What every chart has: the plot, its table twin, export, a legend, keyboard access and a description for
// screen readers. A chart fills the plot, the points that keys walk over, and the table.
#pragma once

#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <optional>
#include <variant>

#include "base/result.h"
#include "charts/series.h"
#include "charts/si.h"
#include "shell/language.h"
#include "theme/theme.h"

namespace ridge::desktop {

class ChartPane : public QWidget {
  Q_OBJECT

 public:
  ChartPane(Theme& theme, QWidget* parent);

  void setData(ChartData data);
  QCustomPlot* plot() const { return plot_; }
  QStandardItemModel* table() const { return table_; }
  /// Values that no chart can hold (not finite, not positive on a logarithmic axis).
  int leftOut() const { return leftOut_; }
  QString summary() const { return summary_; }

  virtual QString title() const = 0;
  /// By the file's ending: png, svg, pdf or csv.
  Result<void> exportTo(const QString& file) const;
  void setTableShown(bool shown);
  bool tableShown() const;
  void retranslate();

 signals:
  void runPicked(ridge::desktop::RunPtr run);
  void failed(const ridge::desktop::Saying& what);

 protected:
  using Cell = std::variant<QString, std::optional<double>>;
  struct Column {
    QString title, unit;
    QString shownUnit = {};  ///< on the screen, where the unit's numbers would be long; files keep the unit
    double shownFactor = 1;  ///< from the unit to the one shown
  };
  /// Something that keys can walk to and the pointer can hover over.
  struct Point {
    double x = 0, y = 0;
    QString text;
    RunPtr run;
  };

  virtual void draw() = 0;
  virtual QString emptyText() const = 0;
  virtual void retranslateControls() {}
  /// The items of the plot are gone: keep no pointers to them.
  virtual void forgetItems() {}
  /// The plot has another size.
  virtual void resized() {}
  /// The extent that shows everything.
  virtual void showAll();

  const ChartData& data() const { return data_; }
  const Theme& theme() const { return theme_; }
  void redraw();
  QHBoxLayout* controls() const { return controls_; }
  void addPoint(Point point) { points_.push_back(std::move(point)); }
  const std::vector<Point>& points() const { return points_; }
  void setColumns(const std::vector<Column>& columns);
  void addRow(const RunPtr& run, const std::vector<Cell>& cells);
  void leaveOut() { ++leftOut_; }
  /// The plot is at least so high, with a legend of one row.
  void keepHeight(int least);
  void setSummary(const QString& summary) { summary_ = summary; }
  QPen seriesPen(const Series& series, double width = 1.6) const;
  QCPScatterStyle marker(const Series& series, double size = 8) const;
  QCPItemText* addText(const QString& text, Role role);
  /// `text` in lines that fit into the plot.
  QString wrapped(const QString& text) const;

  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  static QString headOf(const Column& column, const QString& unit);
  void build();
  void clear();
  void colourPlot();
  void layOutLegend();
  void select(int index);
  void hover(QMouseEvent* event);
  int nearest(const QPointF& position) const;
  bool handleKey(int key);
  void exportByDialog();
  Result<void> writeCsv(const QString& file) const;

  Theme& theme_;
  ChartData data_;
  QHBoxLayout* controls_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  QScrollArea* scroll_ = nullptr;
  QCustomPlot* plot_ = nullptr;
  QTableView* view_ = nullptr;
  QStandardItemModel* table_ = nullptr;
  QToolButton* tableButton_ = nullptr;
  QToolButton* exportButton_ = nullptr;
  QLabel* detail_ = nullptr;
  QLabel* empty_ = nullptr;
  QCPItemTracer* cursor_ = nullptr;
  QCPLayoutGrid* legendRow_ = nullptr;
  std::vector<Point> points_;
  std::vector<Column> columns_;
  std::vector<RunPtr> rows_;
  QString summary_;
  int least_ = 130;
  int leftOut_ = 0;
  int selected_ = -1;
};

}  // namespace ridge::desktop
