// SPDX-License-Identifier: GPL-3.0-or-later
// What charts draw: the runs of the visible sessions, grouped into one series per session, problem, kernel
// and device.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "sessions/run_book.h"

namespace ridge::desktop {

struct Series {
  QString session;  ///< label of the session
  QString problem, kernel, device;
  QString what, where;       ///< the label's halves: the kernel; device and session where they differ
  QString label;             ///< for the legend: unique among the series
  int colour = 0;            ///< one per series
  int style = 0;             ///< one per session: marker, line style and fill
  std::vector<RunPtr> runs;  ///< newest per workload, in the order of ChartData::workloads
};

struct ChartData {
  std::vector<Series> series;
  QStringList workloads;  ///< "softmax/ragged" when several problems are drawn, else "ragged"
  bool severalProblems = false;
  bool empty() const { return series.empty(); }
};

/// `problem` empty: all problems.
ChartData chartData(const RunBook& book, const QString& problem);
/// Problems that have runs, in the order of their first run.
QStringList problemsIn(const RunBook& book);

/// What people call the candidate: its file's name without folder and ending, else its entry.
QString kernelLabel(const session::Run& run);
QString deviceLabel(const session::Run& run);
QString workloadLabel(const session::Run& run, bool withProblem);
/// "pass", "wrong values" … translated.
QString statusLabel(hardware::Status status);
/// "memory", "compute" or empty, translated.
QString boundLabel(const std::string& bound);

}  // namespace ridge::desktop
