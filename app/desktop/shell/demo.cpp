// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/demo.h"

#include <qcustomplot.h>

#include <QDir>
#include <QFileInfo>
#include <QTextStream>
#include <QTimer>
#include <cstdio>

#include "base/files.h"
#include "session/store.h"

namespace ridge::desktop {
namespace {

constexpr int kWorkloads = 3;  ///< of each problem: a minute in all on two cores without a GPU

}  // namespace

Demo::Demo(MainWindow& window, QString folder)
    : QObject(&window), window_(window), folder_(std::move(folder)) {
  connect(&window_.control(), &RunControl::finished, this, &Demo::nextProblem, Qt::QueuedConnection);
}

void Demo::begin() {
  clock_.start();
  if (!QDir().mkpath(folder_)) {
    std::fprintf(stderr, "ridgepoint: the folder %s cannot be made.\n", qPrintable(folder_));
    emit done(3);
    return;
  }
  nextProblem();
}

void Demo::nextProblem() {
  if (problems_.isEmpty()) {
    conclude();
    return;
  }
  const QString name = problems_.takeFirst();
  if (!window_.chooseProblem(name) || !window_.setup().problem()) {
    std::fprintf(stderr, "ridgepoint: the problem %s is not in the library; set RIDGE_KERNELS.\n",
                 qPrintable(name));
    failed_ = true;
    nextProblem();
    return;
  }
  QStringList workloads;
  for (const problem::Workload& workload : window_.setup().problem()->workloads)
    if (!workload.large && workloads.size() < kWorkloads) workloads << QString::fromStdString(workload.name);
  window_.setup().setWorkloads(workloads);
  window_.actions().action(QStringLiteral("run.all"))->trigger();
}

void Demo::printTable() const {
  QTextStream out(stdout);
  const QStringList heads{QStringLiteral("problem"), QStringLiteral("kernel"), QStringLiteral("workload"),
                          QStringLiteral("verdict"), QStringLiteral("time"),   QStringLiteral("T_SOL"),
                          QStringLiteral("bound"),   QStringLiteral("SOL %")};
  QList<QStringList> rows{heads};
  for (const RunPtr& run : window_.book().current().runs) {
    const auto cold =
        run->timing && run->timing->cold ? std::optional(run->timing->cold->median_us) : std::nullopt;
    const bool emulated = run->device.kind == device::Kind::emulator;
    rows << QStringList{QString::fromStdString(run->problem),
                        kernelLabel(*run),
                        QString::fromStdString(run->workload),
                        QString::fromStdString(std::string(hardware::name_of(run->verdict.status))),
                        cold       ? siTime(cold)
                        : emulated ? QStringLiteral("emulated")
                                   : QStringLiteral("-"),
                        siTime(run->model.datasheet.t_sol_us),
                        QString::fromStdString(run->model.datasheet.bound),
                        run->model.datasheet.sol_percent
                            ? QString::number(*run->model.datasheet.sol_percent, 'f', 1)
                            : QStringLiteral("-")};
  }
  QList<qsizetype> widths(heads.size(), 0);
  for (const QStringList& row : rows)
    for (qsizetype c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  for (const QStringList& row : rows) {
    for (qsizetype c = 0; c < row.size(); ++c) out << row[c].leftJustified(static_cast<int>(widths[c]) + 2);
    out << '\n';
  }
  out.flush();
}

bool Demo::write() {
  const auto complain = [](const Error& error) {
    std::fprintf(stderr, "ridgepoint: %s %s\n", error.message.english().c_str(),
                 error.hint.english().c_str());
    return false;
  };
  const QDir folder(folder_);
  QFile::remove(folder.filePath(QStringLiteral("demo.ridge")));  // a former demo's runs are not this one's
  if (const auto saved = window_.saveSession(folder.filePath(QStringLiteral("demo.ridge"))); !saved)
    return complain(saved.error());
  std::vector<session::Run> runs;
  for (const RunPtr& run : window_.book().current().runs) runs.push_back(*run);
  const auto html = session::export_runs(runs, "html", "Ridgepoint demo");
  if (!html) return complain(html.error());
  if (const auto written = write_file(folder.filePath(QStringLiteral("report.html")).toStdString(), *html);
      !written)
    return complain(written.error());
  if (!window_.grab().save(folder.filePath(QStringLiteral("window.png")))) {
    std::fprintf(stderr, "ridgepoint: window.png could not be written.\n");
    return false;
  }
  return true;
}

void Demo::conclude() {
  // Measured runs beside these, so that every chart holds data where there is no GPU as well.
  const QString recorded = QString::fromStdString((resources_folder() / "demo" / "h200.ridge").string());
  if (QFileInfo::exists(recorded)) window_.openSessions({recorded});
  // Charts and panes draw once the events that are queued now are through.
  QTimer::singleShot(400, this, [this] {
    for (QCustomPlot* plot : window_.findChildren<QCustomPlot*>())
      plot->replot(QCustomPlot::rpImmediateRefresh);
    const bool written = write();
    printTable();
    const auto& runs = window_.book().current().runs;
    bool pass = !runs.empty() && !failed_;
    for (const RunPtr& run : runs)
      pass = pass && (run->verdict.status == hardware::Status::pass ||
                      run->verdict.status == hardware::Status::skipped);
    std::printf("%zu runs in %.1f s; window.png, report.html and demo.ridge are in %s\n", runs.size(),
                double(clock_.elapsed()) / 1000, qPrintable(folder_));
    std::fflush(stdout);
    emit done(!written || runs.empty() ? 3 : pass ? 0 : 1);
  });
}

}  // namespace ridge::desktop
