// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/series.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <set>

namespace ridge::desktop {
namespace {

QString qstring(const std::string& text) {
  return QString::fromStdString(text);
}

QString translated(const char* text) {
  return QCoreApplication::translate("Series", text);
}

/// Axes tell apart two workloads of one name ("--axis").
bool sameWorkload(const session::Run& a, const session::Run& b) {
  return a.problem == b.problem && a.workload == b.workload && a.axes == b.axes;
}

}  // namespace

QString kernelLabel(const session::Run& run) {
  const QString file = QFileInfo(qstring(run.source.file)).completeBaseName();
  return file.isEmpty() ? qstring(run.kernel) : file;
}

QString deviceLabel(const session::Run& run) {
  if (run.device.kind == device::Kind::emulator) return translated(QT_TRANSLATE_NOOP("Series", "emulator"));
  return qstring(run.device.model.empty() ? run.device.name : run.device.model);
}

QString workloadLabel(const session::Run& run, bool withProblem) {
  const QString name = qstring(run.workload);
  return withProblem ? qstring(run.problem) + QLatin1Char('/') + name : name;
}

QString statusLabel(hardware::Status status) {
  using hardware::Status;
  switch (status) {
    case Status::compile_error:
      return translated(QT_TRANSLATE_NOOP("Series", "compile error"));
    case Status::unsupported:
      return translated(QT_TRANSLATE_NOOP("Series", "unsupported"));
    case Status::launch_failed:
      return translated(QT_TRANSLATE_NOOP("Series", "launch failed"));
    case Status::device_lost:
      return translated(QT_TRANSLATE_NOOP("Series", "device lost"));
    case Status::out_of_memory:
      return translated(QT_TRANSLATE_NOOP("Series", "out of memory"));
    case Status::timeout:
      return translated(QT_TRANSLATE_NOOP("Series", "timeout"));
    case Status::trapped:
      return translated(QT_TRANSLATE_NOOP("Series", "trapped"));
    case Status::out_of_bounds:
      return translated(QT_TRANSLATE_NOOP("Series", "out of bounds"));
    case Status::misaligned:
      return translated(QT_TRANSLATE_NOOP("Series", "misaligned"));
    case Status::barrier_divergence:
      return translated(QT_TRANSLATE_NOOP("Series", "barrier divergence"));
    case Status::race:
      return translated(QT_TRANSLATE_NOOP("Series", "race"));
    case Status::uninitialised:
      return translated(QT_TRANSLATE_NOOP("Series", "uninitialised"));
    case Status::input_modified:
      return translated(QT_TRANSLATE_NOOP("Series", "input modified"));
    case Status::unwritten:
      return translated(QT_TRANSLATE_NOOP("Series", "unwritten"));
    case Status::nan:
      return translated(QT_TRANSLATE_NOOP("Series", "NaN"));
    case Status::wrong_values:
      return translated(QT_TRANSLATE_NOOP("Series", "wrong values"));
    case Status::nondeterministic:
      return translated(QT_TRANSLATE_NOOP("Series", "nondeterministic"));
    case Status::suspect:
      return translated(QT_TRANSLATE_NOOP("Series", "suspect"));
    case Status::pass:
      return translated(QT_TRANSLATE_NOOP("Series", "pass"));
    case Status::no_reference:
      return translated(QT_TRANSLATE_NOOP("Series", "no reference"));
    case Status::skipped:
      return translated(QT_TRANSLATE_NOOP("Series", "skipped"));
  }
  return {};
}

QString boundLabel(const std::string& bound) {
  if (bound == "memory") return translated(QT_TRANSLATE_NOOP("Series", "memory"));
  if (bound == "compute") return translated(QT_TRANSLATE_NOOP("Series", "compute"));
  return {};
}

QStringList problemsIn(const RunBook& book) {
  QStringList problems;
  for (const OpenSession& session : book.sessions())
    for (const RunPtr& run : session.runs)
      if (const QString name = qstring(run->problem); !problems.contains(name)) problems.append(name);
  return problems;
}

ChartData chartData(const RunBook& book, const QString& problem) {
  ChartData data;
  std::set<QString> problems, sessions;
  int style = 0;
  for (const OpenSession& session : book.sessions()) {
    const int sessionStyle = style++;
    if (!session.visible) continue;
    for (const RunPtr& run : session.runs) {
      const QString runProblem = qstring(run->problem);
      if (!problem.isEmpty() && runProblem != problem) continue;
      if (run->verdict.status == hardware::Status::skipped) continue;
      const QString kernel = kernelLabel(*run), device = deviceLabel(*run), label = book.label(session);
      problems.insert(runProblem);
      sessions.insert(label);
      auto series = std::find_if(data.series.begin(), data.series.end(), [&](const Series& s) {
        return s.style == sessionStyle && s.problem == runProblem && s.kernel == kernel && s.device == device;
      });
      if (series == data.series.end()) {
        data.series.push_back({label, runProblem, kernel, device, {}, {}, {}, 0, sessionStyle, {}});
        series = std::prev(data.series.end());
      }
      const auto older = std::find_if(series->runs.begin(), series->runs.end(),
                                      [&](const RunPtr& other) { return sameWorkload(*other, *run); });
      if (older != series->runs.end())
        *older = run;
      else
        series->runs.push_back(run);
    }
  }
  data.severalProblems = problems.size() > 1;
  // The session tells the device as well, unless it has runs of several.
  std::set<QString> severalDevices;
  for (const Series& a : data.series)
    for (const Series& b : data.series)
      if (a.session == b.session && a.device != b.device) severalDevices.insert(a.session);
  int colour = 0;
  for (Series& series : data.series) {
    series.colour = colour++;
    series.what = data.severalProblems ? series.problem + QLatin1Char('/') + series.kernel : series.kernel;
    QStringList where;
    if (severalDevices.contains(series.session)) where << series.device;
    if (sessions.size() > 1) where << series.session;
    series.where = where.join(QStringLiteral(" · "));
    series.label = (QStringList(series.what) + where).join(QStringLiteral(" · "));
    for (const RunPtr& run : series.runs)
      if (const QString name = workloadLabel(*run, data.severalProblems); !data.workloads.contains(name))
        data.workloads.append(name);
  }
  return data;
}

}  // namespace ridge::desktop
