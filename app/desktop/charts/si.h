// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers for people: SI prefixes with a unit, the same in every locale, and the ticks of logarithmic axes.
#pragma once

#include <qcustomplot.h>

#include <QString>
#include <functional>
#include <optional>

namespace ridge::desktop {

/// Three significant digits and a prefix: si(1.95e12, "FLOP/s") = "1.95 TFLOP/s". Not finite: "–".
QString si(double value, const QString& unit);
QString siTime(double microseconds);                 ///< "0.00167 ns", "12.3 us", "1.2 ms"
QString siTime(std::optional<double> microseconds);  ///< "–" when unknown
QString siPercent(std::optional<double> percent);    ///< "62.1 %", "0.034 %"

/// Whether a logarithmic axis has a place for it.
bool onLogAxis(double value);

/// Ticks of a logarithmic axis: 1-2-5 steps in a short range, decades in a long one, never more than about a
/// dozen, whatever the range, and no more than `axis` has room for. Labels come from `label`.
class SiTicker : public QCPAxisTicker {
 public:
  explicit SiTicker(std::function<QString(double)> label, const QCPAxis* axis = nullptr);

 protected:
  double getTickStep(const QCPRange& range) override;
  int getSubTickCount(double tickStep) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QVector<double> createSubTickVector(int subTickCount, const QVector<double>& ticks) override;

 private:
  int mostTicks() const;

  std::function<QString(double)> label_;
  const QCPAxis* axis_;  ///< which owns this ticker
};

}  // namespace ridge::desktop
