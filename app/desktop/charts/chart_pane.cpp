// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_pane.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSaveFile>
#include <QScrollArea>
#include <QSvgGenerator>
#include <QTextBoundaryFinder>
#include <QToolTip>
#include <array>
#include <cmath>

#include "shell/language.h"

namespace ridge::desktop {
namespace {

constexpr int kRawRole = Qt::UserRole + 1;  ///< the number behind a cell's text

constexpr std::array kMarkers{QCPScatterStyle::ssDisc,    QCPScatterStyle::ssSquare,
                              QCPScatterStyle::ssDiamond, QCPScatterStyle::ssTriangle,
                              QCPScatterStyle::ssPlus,    QCPScatterStyle::ssCross,
                              QCPScatterStyle::ssStar};
constexpr std::array kLines{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};

Error cannotWrite(const QString& file, const Sentence& why) {
  return {ErrorKind::component,
          "export_failed",
          say("{} could not be written: {}.", file.toStdString(), why),
          say("Choose another folder."),
          file.toStdString(),
          0};
}

Error cannotWrite(const QSaveFile& out) {
  return cannotWrite(out.fileName(), out.errorString().toStdString());
}

}  // namespace

ChartPane::ChartPane(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  build();
}

void ChartPane::build() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 2, 4, 2);
  column->setSpacing(2);
  controls_ = new QHBoxLayout;
  controls_->setSpacing(4);
  tableButton_ = new QToolButton(this);
  tableButton_->setCheckable(true);
  tableButton_->setAutoRaise(true);
  exportButton_ = new QToolButton(this);
  exportButton_->setAutoRaise(true);
  controls_->addStretch(1);
  controls_->addWidget(tableButton_);
  controls_->addWidget(exportButton_);
  column->addLayout(controls_);

  pages_ = new QStackedWidget(this);
  plot_ = new QCustomPlot;
  plot_->setMinimumSize(180, least_);
  plot_->setFocusPolicy(Qt::StrongFocus);
  plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot_->setNoAntialiasingOnDrag(true);
  plot_->installEventFilter(this);
  plot_->setMouseTracking(true);
  table_ = new QStandardItemModel(this);
  table_->setSortRole(kRawRole);
  view_ = new QTableView(pages_);
  view_->setModel(table_);
  view_->setAlternatingRowColors(true);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  view_->setTabKeyNavigation(false);
  empty_ = new QLabel(pages_);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  scroll_ = new QScrollArea(pages_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(plot_);
  pages_->addWidget(scroll_);
  pages_->addWidget(view_);
  pages_->addWidget(empty_);
  column->addWidget(pages_, 1);
  detail_ = new QLabel(this);
  detail_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  detail_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  column->addWidget(detail_);

  plot_->plotLayout()->addElement(1, 0, legendRow_ = new QCPLayoutGrid);
  legendRow_->setMargins(QMargins(6, 0, 6, 2));
  legendRow_->addElement(0, 0, plot_->legend);
  plot_->plotLayout()->setRowStretchFactor(1, 0.001);
  plot_->legend->setFillOrder(QCPLegend::foColumnsFirst);
  plot_->legend->setBorderPen(Qt::NoPen);
  plot_->legend->setIconSize(22, 12);
  plot_->legend->setRowSpacing(0);

  connect(tableButton_, &QToolButton::toggled, this, &ChartPane::setTableShown);
  connect(exportButton_, &QToolButton::clicked, this, &ChartPane::exportByDialog);
  connect(plot_, &QCustomPlot::mouseMove, this, &ChartPane::hover);
  connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this] {
    showAll();
    plot_->replot();
  });
  connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    if (const int index = nearest(event->position()); index >= 0) select(index);
  });
  connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const QVariant row = table_->item(index.row(), 0)->data(Qt::UserRole + 2);
    if (row.isValid()) emit runPicked(rows_[row.toUInt()]);
  });
  connect(&theme_, &Theme::changed, this, &ChartPane::redraw);
}

void ChartPane::setData(ChartData data) {
  data_ = std::move(data);
  redraw();
}

void ChartPane::retranslate() {
  const QString name = title();
  plot_->setAccessibleName(tr("%1 chart").arg(name));
  view_->setAccessibleName(tr("%1 as a table").arg(name));
  tableButton_->setText(tr("Table"));
  tableButton_->setToolTip(tr("Show the numbers of this chart as a table"));
  tableButton_->setAccessibleName(tr("%1 as a table").arg(name));
  exportButton_->setText(tr("Export…"));
  exportButton_->setToolTip(tr("Export this chart as PNG, SVG, PDF or CSV"));
  exportButton_->setAccessibleName(tr("Export the %1 chart").arg(name));
  detail_->setAccessibleName(tr("Selected point of the %1 chart").arg(name));
  empty_->setAccessibleName(name);
  setAccessibleName(name);
  retranslateControls();
  redraw();
}

void ChartPane::clear() {
  plot_->clearPlottables();
  plot_->clearItems();
  forgetItems();
  points_.clear();
  rows_.clear();
  columns_.clear();
  table_->clear();
  leftOut_ = 0;
  selected_ = -1;
  summary_.clear();
  cursor_ = new QCPItemTracer(plot_);
  cursor_->setStyle(QCPItemTracer::tsCircle);
  cursor_->setSize(15);
  cursor_->setVisible(false);
}

void ChartPane::redraw() {
  clear();
  colourPlot();
  if (!data_.empty()) draw();
  QStringList headers;
  for (const Column& column : columns_)
    headers << headOf(column, column.shownUnit.isEmpty() ? column.unit : column.shownUnit);
  table_->setHorizontalHeaderLabels(headers);
  view_->setSortingEnabled(true);
  view_->sortByColumn(-1, Qt::AscendingOrder);
  view_->resizeColumnsToContents();
  empty_->setText(emptyText());
  plot_->setAccessibleDescription(summary_);
  QString note = summary_;
  if (leftOut_ > 0)
    note =
        tr("%n value(s) left out: not finite or not positive.", nullptr, leftOut_) + QLatin1Char(' ') + note;
  detail_->setText(note);
  detail_->setToolTip(note);
  layOutLegend();
  showAll();
  setTableShown(tableButton_->isChecked());
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartPane::colourPlot() {
  const QColor ink = theme_(Role::axis);
  QFont small = font();
  small.setPointSizeF(std::max(7.0, small.pointSizeF() * 0.88));
  plot_->setBackground(theme_(Role::base));
  for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis, plot_->xAxis2, plot_->yAxis2}) {
    axis->setBasePen(QPen(ink));
    axis->setTickPen(QPen(ink));
    axis->setSubTickPen(QPen(ink));
    axis->setLabelColor(theme_(Role::text));
    axis->setTickLabelColor(theme_(Role::text));
    axis->setTickLabelFont(small);
    axis->setLabelFont(small);
    axis->setLabelPadding(2);
    axis->setTickLabelPadding(3);
    axis->grid()->setPen(QPen(theme_(Role::grid), 0));
    axis->grid()->setSubGridPen(QPen(theme_(Role::subGrid), 0));
    axis->grid()->setZeroLinePen(QPen(theme_(Role::grid), 0));
  }
  plot_->legend->setFont(small);
  plot_->legend->setTextColor(theme_(Role::text));
  plot_->legend->setBrush(Qt::NoBrush);
  cursor_->setPen(QPen(theme_(Role::highlight), 2));
  cursor_->setBrush(Qt::NoBrush);
}

void ChartPane::layOutLegend() {
  QCPLegend* legend = plot_->legend;
  legend->setVisible(legend->itemCount() > 0);
  if (legend->itemCount() == 0) {
    plot_->setMinimumHeight(least_);
    return;
  }
  const QFontMetrics metrics(legend->font());
  int widest = 1;
  for (int i = 0; i < legend->itemCount(); ++i)
    if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend->item(i)))
      widest = std::max(widest, metrics.horizontalAdvance(item->plottable()->name()) + 44);
  legend->setWrap(std::clamp((plot_->width() - 24) / widest, 1, 4));
  legend->setFillOrder(QCPLegend::foColumnsFirst, true);
  // A legend of many rows makes the chart higher, which then scrolls, rather than the plot lower.
  const int rows = (legend->itemCount() + legend->wrap() - 1) / legend->wrap();
  plot_->setMinimumHeight(least_ + (rows - 1) * std::max(metrics.height(), legend->iconSize().height()));
}

void ChartPane::keepHeight(int least) {
  least_ = least;
  layOutLegend();
}

void ChartPane::showAll() {
  plot_->rescaleAxes();
}

QString ChartPane::headOf(const Column& column, const QString& unit) {
  return unit.isEmpty() ? column.title : QStringLiteral("%1 [%2]").arg(column.title, unit);
}

void ChartPane::setColumns(const std::vector<Column>& columns) {
  columns_ = columns;
}

void ChartPane::addRow(const RunPtr& run, const std::vector<Cell>& cells) {
  QList<QStandardItem*> items;
  for (const Cell& cell : cells) {
    auto* item = new QStandardItem;
    if (const auto* text = std::get_if<QString>(&cell)) {
      item->setText(*text);
      item->setData(*text, kRawRole);
    } else if (const auto& number = std::get<std::optional<double>>(cell)) {
      const double factor = columns_[static_cast<std::size_t>(items.size())].shownFactor;
      item->setText(QString::number(*number * factor, 'g', 5));
      item->setData(*number, kRawRole);
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    } else {
      item->setText(QStringLiteral("–"));
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    items << item;
  }
  if (items.isEmpty()) return;
  items.first()->setData(static_cast<uint>(rows_.size()), Qt::UserRole + 2);
  rows_.push_back(run);
  table_->appendRow(items);
}

QPen ChartPane::seriesPen(const Series& series, double width) const {
  QPen pen(theme_.series(series.colour), width);
  pen.setStyle(kLines[static_cast<std::size_t>(series.style) % kLines.size()]);
  return pen;
}

QCPScatterStyle ChartPane::marker(const Series& series, double size) const {
  const QColor colour = theme_.series(series.colour);
  // Colours repeat; the marker then moves on as well, so that no two series look alike.
  const auto index = static_cast<std::size_t>(series.style + series.colour / kSeriesColours);
  return QCPScatterStyle(kMarkers[index % kMarkers.size()], QPen(colour, 1.6), QBrush(colour), size);
}

QCPItemText* ChartPane::addText(const QString& text, Role role) {
  auto* item = new QCPItemText(plot_);
  QFont small = plot_->xAxis->tickLabelFont();
  item->setFont(small);
  item->setText(text);
  item->setColor(theme_(role));
  item->setClipToAxisRect(false);
  return item;
}

QString ChartPane::wrapped(const QString& text) const {
  const QFontMetrics metrics(plot_->xAxis->tickLabelFont());
  const int room = std::max(120, plot_->axisRect()->width() - 16);
  QString lines, line;
  QTextBoundaryFinder finder(QTextBoundaryFinder::Line, text);
  qsizetype from = 0;
  while (finder.toNextBoundary() > 0) {
    const QString part = text.mid(from, finder.position() - from);
    from = finder.position();
    if (!line.isEmpty() && metrics.horizontalAdvance((line + part).trimmed()) > room) {
      lines += line.trimmed() + QLatin1Char('\n');
      line.clear();
    }
    line += part;
  }
  return lines + line.trimmed();
}

void ChartPane::setTableShown(bool shown) {
  if (tableButton_->isChecked() != shown) {
    tableButton_->setChecked(shown);
    return;
  }
  if (data_.empty())
    pages_->setCurrentWidget(empty_);
  else
    pages_->setCurrentWidget(shown ? static_cast<QWidget*>(view_) : scroll_);
}

bool ChartPane::tableShown() const {
  return tableButton_->isChecked();
}

int ChartPane::nearest(const QPointF& position) const {
  constexpr double kReach = 12;  // logical pixels
  int best = -1;
  double distance = kReach * kReach;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const QPointF at(plot_->xAxis->coordToPixel(points_[i].x), plot_->yAxis->coordToPixel(points_[i].y));
    const QPointF away = at - position;
    if (const double d = QPointF::dotProduct(away, away); d < distance) {
      distance = d;
      best = static_cast<int>(i);
    }
  }
  return best;
}

void ChartPane::hover(QMouseEvent* event) {
  const int index = nearest(event->position());
  if (index < 0)
    QToolTip::hideText();
  else
    QToolTip::showText(event->globalPosition().toPoint(), points_[static_cast<std::size_t>(index)].text,
                       plot_);
}

void ChartPane::select(int index) {
  if (points_.empty()) return;
  selected_ = std::clamp(index, 0, static_cast<int>(points_.size()) - 1);
  const Point& point = points_[static_cast<std::size_t>(selected_)];
  cursor_->position->setCoords(point.x, point.y);
  cursor_->setVisible(true);
  detail_->setText(point.text);
  detail_->setToolTip(point.text);
  plot_->setAccessibleDescription(point.text);
  plot_->replot(QCustomPlot::rpQueuedReplot);
  if (point.run) emit runPicked(point.run);
}

bool ChartPane::handleKey(int key) {
  const auto zoom = [this](double factor) {
    plot_->xAxis->scaleRange(factor, plot_->xAxis->range().center());
    plot_->yAxis->scaleRange(factor, plot_->yAxis->range().center());
    plot_->replot();
  };
  switch (key) {
    case Qt::Key_Right:
    case Qt::Key_Down:
      select(selected_ + 1);
      return true;
    case Qt::Key_Left:
    case Qt::Key_Up:
      select(selected_ < 0 ? 0 : selected_ - 1);
      return true;
    case Qt::Key_Home:
      select(0);
      return true;
    case Qt::Key_End:
      select(static_cast<int>(points_.size()) - 1);
      return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom(0.8);
      return true;
    case Qt::Key_Minus:
      zoom(1.25);
      return true;
    case Qt::Key_0:
      showAll();
      plot_->replot();
      return true;
    default:
      return false;
  }
}

bool ChartPane::eventFilter(QObject* watched, QEvent* event) {
  if (watched == plot_ && event->type() == QEvent::KeyPress &&
      handleKey(static_cast<QKeyEvent*>(event)->key()))
    return true;
  if (watched == plot_ && event->type() == QEvent::Resize) {
    layOutLegend();
    resized();
  }
  return QWidget::eventFilter(watched, event);
}

void ChartPane::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void ChartPane::exportByDialog() {
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Export the %1 chart").arg(title()), QString(),
                                   tr("Image (*.png);;Vector drawing (*.svg);;PDF (*.pdf);;Table (*.csv)"));
  if (file.isEmpty()) return;
  if (const auto done = exportTo(file); !done) emit failed(sayingOf(done.error()));
}

Result<void> ChartPane::exportTo(const QString& file) const {
  const QString ending = QFileInfo(file).suffix().toLower();
  const QSize size = plot_->size().expandedTo({720, 440});
  if (ending == QLatin1String("csv")) return writeCsv(file);
  if (ending == QLatin1String("png")) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) ||
        !plot_->toPixmap(size.width(), size.height(), 2).toImage().save(&out, "PNG") || !out.commit())
      return cannotWrite(out);
    return {};
  }
  if (ending == QLatin1String("pdf")) {
    if (!plot_->savePdf(file, size.width(), size.height(), QCP::epAllowCosmetic, QString(), title()))
      return cannotWrite(file, say("the folder is not writable"));
    return {};
  }
  if (ending == QLatin1String("svg")) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly)) return cannotWrite(out);
    QSvgGenerator svg;
    svg.setOutputDevice(&out);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(0, 0), size));
    svg.setTitle(title());
    svg.setDescription(summary_);
    QCPPainter painter;
    if (!painter.begin(&svg)) return cannotWrite(out);
    painter.setMode(QCPPainter::pmVectorized);
    painter.fillRect(QRect(QPoint(0, 0), size), theme_(Role::base));
    plot_->toPainter(&painter, size.width(), size.height());
    painter.end();
    if (!out.commit()) return cannotWrite(out);
    return {};
  }
  return Error{ErrorKind::usage,
               "unknown_format",
               say("Charts are not written as “{}”.", ending.toStdString()),
               say("Name a file that ends in .png, .svg, .pdf or .csv."),
               file.toStdString(),
               0};
}

Result<void> ChartPane::writeCsv(const QString& file) const {
  const auto quoted = [](QString text) {
    if (text.contains(QLatin1Char('"')) || text.contains(QLatin1Char(',')) ||
        text.contains(QLatin1Char('\n')))
      text = QLatin1Char('"') + text.replace(QLatin1String("\""), QLatin1String("\"\"")) + QLatin1Char('"');
    return text;
  };
  QString text;
  QStringList fields;
  for (const Column& column : columns_) fields << quoted(headOf(column, column.unit));
  text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
  for (int r = 0; r < table_->rowCount(); ++r) {
    fields.clear();
    for (int c = 0; c < table_->columnCount(); ++c) {
      const QVariant raw = table_->item(r, c)->data(kRawRole);  // nothing when the value is not known
      fields << (raw.typeId() == QMetaType::Double ? QString::number(raw.toDouble(), 'g', 12)
                                                   : quoted(raw.toString()));
    }
    text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
  }
  QSaveFile out(file);
  const QByteArray bytes = text.toUtf8();
  if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit())
    return cannotWrite(out);
  return {};
}

}  // namespace ridge::desktop
