// SPDX-License-Identifier: GPL-3.0-or-later
// Performance over intensity, log-log, under the roofs of the devices: each roof with its value and source. A
// run without a time is a hollow mark on its roof: attainable, not timed.
#pragma once

#include <map>

#include "charts/chart_pane.h"

namespace ridge::desktop {

/// One pair of ceilings under which points lie.
struct Roof {
  QString device;
  hardware::CeilingSource source = hardware::CeilingSource::datasheet;
  std::optional<hardware::Ceiling> compute, memory;
  /// Attainable FLOP/s at an intensity; empty when neither ceiling is known.
  std::optional<double> at(double intensity) const;
};

/// The distinct roofs of all runs, datasheet ones first.
std::vector<Roof> roofsOf(const ChartData& data);

class RooflineChart : public ChartPane {
  Q_OBJECT

 public:
  RooflineChart(Theme& theme, QWidget* parent);
  QString title() const override { return tr("Roofline"); }

 protected:
  void draw() override;
  QString emptyText() const override;
  void showAll() override;
  void forgetItems() override;

 private:
  /// The name of a ceiling on its line. Ceilings of several sources that read the same share one.
  struct Label {
    QString name;   ///< device, ceiling and value
    QString brief;  ///< ceiling and value, for a small picture
    QStringList sources;
    double value = 0;
    double ridge = 0;  ///< intensity at which the two ceilings of the roof meet; 0 when it has only one
    QCPItemText* text = nullptr;
    static constexpr std::size_t kForms = 3;
    QString form(std::size_t index) const;  ///< 0: name and sources, 1: name, 2: brief
  };

  void drawRoof(const Roof& roof);
  static void addLabel(std::vector<Label>& labels, const Roof& roof, const hardware::Ceiling& ceiling,
                       const QString& unit);
  void drawSeries(const Series& series);
  void drawUntimed();
  void drawLabels();
  void fitHeight();
  void placeLabels();
  void include(double x, double y);

  double left_ = 0, right_ = 0, bottom_ = 0, top_ = 0;  ///< of what is plotted
  QCPRange whole_;                                      ///< upwards, where all is shown
  std::vector<Label> flat_, slopes_;                    ///< of compute and of memory ceilings
  QVector<double> hollowX_, hollowY_;                   ///< runs without a time
  int aboveRoof_ = 0;
};

}  // namespace ridge::desktop
