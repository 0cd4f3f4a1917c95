// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/si.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridge::desktop {
namespace {

constexpr int kMostTicks = 12;
constexpr double kFlatSpacing = 62, kUprightSpacing = 17;  ///< pixels that a label needs along its axis

QString threeDigits(double value) {
  const double size = std::abs(value);
  const int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : 2;
  QString text = QString::number(value, 'f', decimals);
  if (text.contains(QLatin1Char('.'))) {
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    if (text.endsWith(QLatin1Char('.'))) text.chop(1);
  }
  return text;
}

}  // namespace

QString si(double value, const QString& unit) {
  if (!std::isfinite(value)) return QStringLiteral("–");
  struct Prefix {
    double factor;
    const char* name;
  };
  static constexpr std::array<Prefix, 9> prefixes{{{1e15, "P"},
                                                   {1e12, "T"},
                                                   {1e9, "G"},
                                                   {1e6, "M"},
                                                   {1e3, "k"},
                                                   {1, ""},
                                                   {1e-3, "m"},
                                                   {1e-6, "u"},
                                                   {1e-9, "n"}}};
  const double size = std::abs(value);
  if (size == 0) return QStringLiteral("0 ") + unit;
  for (const Prefix& prefix : prefixes)
    if (size >= prefix.factor * 0.9995)
      return threeDigits(value / prefix.factor) + QLatin1Char(' ') + QLatin1String(prefix.name) + unit;
  return QString::number(value, 'g', 3) + QLatin1Char(' ') + unit;
}

QString siTime(double microseconds) {
  const double nanoseconds = microseconds * 1e3;
  // No clock ticks in less; a T_SOL of a handful of bytes does.
  if (nanoseconds > 0 && nanoseconds < 0.0005) return QStringLiteral("<0.001 ns");
  if (nanoseconds > 0 && nanoseconds < 0.9995)
    return QString::number(nanoseconds, 'g', 3) + QStringLiteral(" ns");
  return si(microseconds * 1e-6, QStringLiteral("s"));
}

QString siTime(std::optional<double> microseconds) {
  return microseconds ? siTime(*microseconds) : QStringLiteral("–");
}

QString siPercent(std::optional<double> percent) {
  if (!percent || !std::isfinite(*percent)) return QStringLiteral("–");
  if (*percent > 0 && *percent < 0.001) return QStringLiteral("<0.001 %");
  if (*percent > 0 && *percent < 0.95) return QString::number(*percent, 'g', 2) + QStringLiteral(" %");
  return QString::number(*percent, 'f', 1) + QStringLiteral(" %");
}

bool onLogAxis(double value) {
  return std::isfinite(value) && value > 0;
}

SiTicker::SiTicker(std::function<QString(double)> label, const QCPAxis* axis)
    : label_(std::move(label)), axis_(axis) {}

int SiTicker::mostTicks() const {
  if (!axis_) return kMostTicks;
  const bool flat = axis_->orientation() == Qt::Horizontal;
  const QSize room = axis_->axisRect()->size();
  const double fit = flat ? room.width() / kFlatSpacing : room.height() / kUprightSpacing;
  return std::clamp(static_cast<int>(fit), 2, kMostTicks);
}

double SiTicker::getTickStep(const QCPRange&) {
  return 1;
}

int SiTicker::getSubTickCount(double) {
  return 8;
}

QString SiTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  return label_(tick);
}

QVector<double> SiTicker::createTickVector(double, const QCPRange& range) {
  QVector<double> ticks;
  if (!(range.lower > 0) || !std::isfinite(range.upper) || range.upper <= range.lower) return ticks;
  const int first = static_cast<int>(std::floor(std::log10(range.lower)));
  const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
  const double decades = std::log10(range.upper) - std::log10(range.lower);
  if (decades < 0.7) {  // inside one decade: linear steps read better
    const double raw = (range.upper - range.lower) / std::min(5, mostTicks());
    const double magnitude = std::pow(10, std::floor(std::log10(raw)));
    const double step = magnitude * (raw / magnitude < 1.5   ? 1
                                     : raw / magnitude < 3.5 ? 2
                                     : raw / magnitude < 7.5 ? 5
                                                             : 10);
    const double begin = std::floor(range.lower / step);
    for (int i = 0; i <= kMostTicks; ++i) ticks.append((begin + i) * step);
    return ticks;
  }
  const int most = mostTicks();
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / most)));
  const bool three = decades < 2 && decades * 3 <= most, two = !three && decades < 3.5 && decades * 2 <= most;
  for (int exponent = first; exponent <= last; exponent += stride) {
    const double decade = std::pow(10, exponent);
    ticks.append(decade);
    if (three) ticks << decade * 2 << decade * 5;
    if (two) ticks << decade * 3;
  }
  return ticks;
}

QVector<double> SiTicker::createSubTickVector(int, const QVector<double>& ticks) {
  QVector<double> sub;
  if (ticks.isEmpty() || !(ticks.first() > 0) || ticks.last() / ticks.first() > 1e8) return sub;
  const int first = static_cast<int>(std::floor(std::log10(ticks.first())));
  const int last = static_cast<int>(std::ceil(std::log10(ticks.last())));
  for (int exponent = first; exponent <= last; ++exponent)
    for (int digit = 2; digit <= 9; ++digit) sub.append(digit * std::pow(10, exponent));
  return sub;
}

}  // namespace ridge::desktop
