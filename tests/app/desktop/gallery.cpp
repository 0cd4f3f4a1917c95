// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the window in every state worth looking at: `desktop_gallery DIR THEME LANGUAGE [SESSION.ridge…]`.
// Not a test: a person looks at the pictures. QT_SCALE_FACTOR=2 makes them for a dense screen.
#include <QApplication>
#include <QDir>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <cstdio>

#include "sample_runs.h"
#include "shell/help_dialog.h"
#include "shell/main_window.h"

namespace ridge::desktop {
namespace {

class Gallery {
 public:
  Gallery(QString folder, const QString& theme, QString language, QStringList sessions)
      : folder_(std::move(folder)), language_(std::move(language)), sessions_(std::move(sessions)) {
    QDir().mkpath(folder_);
    theme_.setCurrent(themeNamed(theme, ThemeId::light));
    words_.setCurrent(language_);
    options_.keepSettings = false;
  }

  void draw() {
    firstStart();
    afterRuns();
  }

 private:
  std::unique_ptr<MainWindow> open(const QSize& size) {
    auto window = std::make_unique<MainWindow>(theme_, words_, options_);
    window->resize(size);
    window->setTheme(theme_.current());
    window->setLanguage(language_);
    window->show();
    window->openAtStart(options_);
    return window;
  }

  void shoot(QWidget& what, const char* name, int wait = 150) {
    QTest::qWait(wait);
    for (auto* plot : what.findChildren<QCustomPlot*>()) plot->replot(QCustomPlot::rpImmediateRefresh);
    const QString file = QDir(folder_).filePath(QLatin1String(name) + QStringLiteral(".png"));
    if (!what.grab().save(file)) std::fprintf(stderr, "%s could not be written\n", qPrintable(file));
  }

  void firstStart() {
    const auto window = open({1600, 1000});
    shoot(*window, "01-first-start", 2500);
    for (const PaneId pane : {PaneId::problems, PaneId::code, PaneId::output, PaneId::log, PaneId::launch})
      window->panes().dock(pane)->raise();
    window->panes().dock(PaneId::output)->raise();
    shoot(*window, "02-first-start-output-launch");
    window->panes().dock(PaneId::log)->raise();
    shoot(*window->panes().dock(PaneId::log), "03-log-empty");
  }

  void afterRuns() {
    const auto window = open({1600, 1000});
    MainWindow& w = *window;
    w.chooseProblem(QStringLiteral("softmax"));
    w.openSessions(sessions_);
    if (!w.book().sessions().back().runs.empty())
      w.sessionsPane().select(w.book().sessions().back().runs.front());
    w.panes().dock(PaneId::verification)->raise();
    shoot(w, "10-main", 2500);
    w.resize(1024, 700);
    w.panes().arrange(Arrangement::work);
    shoot(w, "11-narrow");
    w.resize(2560, 1440);
    w.panes().arrange(Arrangement::work);
    shoot(w, "12-huge");
    w.resize(1600, 1000);
    w.panes().arrange(Arrangement::edit);
    shoot(w, "13-edit");
    w.panes().arrange(Arrangement::analyse);
    shoot(w, "14-analyse");
    w.panes().arrange(Arrangement::work);
    panes(w);
    charts(w);
    surfaces(w);
  }

  void panes(MainWindow& w) {
    const RunPtr wrong = samples::shared(samples::wrong());
    VerificationPane& pane = w.verification();
    w.panes().dock(PaneId::verification)->raise();
    pane.setRun(wrong);
    for (int i = 0; i < 2; ++i) {
      pane.mapPicker()->setCurrentIndex(i);
      shoot(w, i == 0 ? "20-wrong-by-place" : "21-wrong-by-thread");
    }
    for (const auto& [id, name] : {std::pair{PaneId::problems, "22-problems"},
                                   {PaneId::code, "23-code"},
                                   {PaneId::output, "24-output"},
                                   {PaneId::log, "25-log"}}) {
      w.panes().dock(id)->raise();
      shoot(*w.panes().dock(id), name);
    }
    w.panes().dock(PaneId::launch)->raise();
    shoot(*w.panes().dock(PaneId::launch), "26-launch");
    w.panes().dock(PaneId::setup)->raise();
    shoot(*w.panes().dock(PaneId::setup), "27-setup");
    w.editor().setText(QString::fromUtf8(w.editor().bytes())
                           .replace(QStringLiteral("__global__ void"), QStringLiteral("__global__ vood")));
    w.panes().dock(PaneId::problems)->raise();
    shoot(w, "28-compile-error", 2500);
    w.editor().undo();
  }

  void charts(MainWindow& w) {
    const ChartData data = chartData(w.book(), QStringLiteral("softmax"));
    TimingChart timing(theme_, nullptr);
    RooflineChart roofline(theme_, nullptr);
    SolChart sol(theme_, nullptr);
    for (const auto& [chart, name] : {std::pair<ChartPane*, QByteArray>{&timing, "30-timing"},
                                      {&roofline, "31-roofline"},
                                      {&sol, "32-sol"}}) {
      chart->setData(data);
      chart->resize(1200, 760);
      chart->show();
      shoot(*chart, name);
      chart->resize(420, 260);
      shoot(*chart, name + "-small");
      chart->resize(900, 420);
      chart->setTableShown(true);
      shoot(*chart, name + "-table");
    }
  }

  void surfaces(MainWindow& w) {
    w.actions().action(QStringLiteral("edit.replace"))->trigger();
    shoot(w, "40-replace");
    w.actions().action(QStringLiteral("view.palette"))->trigger();
    shoot(w.palette(), "41-palette");
    w.palette().hide();
    int number = 0;
    for (QAction* action : w.menuBar()->actions()) {
      action->menu()->popup({0, 0});
      shoot(*action->menu(), qPrintable(QStringLiteral("42-menu-%1").arg(number++)));
      action->menu()->hide();
    }
    HelpDialog help(w.actions(), &w);
    help.show();
    shoot(help, "43-help");
    const auto saying = [](const char* text) { return [text] { return QString::fromUtf8(text); }; };
    w.banners().raiseBanner(QStringLiteral("a"), Banner::Kind::error,
                            saying("The source could not be compiled: NVRTC is not found. Set "
                                   "RIDGE_CUDA_ROOT or install the toolkit."),
                            saying("libnvrtc.so.13: cannot open shared object file"),
                            {{saying("Run again"), [] {}}});
    w.banners().raiseBanner(QStringLiteral("b"), Banner::Kind::warning, saying("A warning."));
    w.banners().raiseBanner(QStringLiteral("c"), Banner::Kind::note, saying("A note."));
    shoot(w, "44-banners");
  }

  QString folder_, language_;
  QStringList sessions_;
  Theme theme_;
  Language words_;
  Options options_;
};

}  // namespace
}  // namespace ridge::desktop

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("ridgepoint-gallery"));
  const QStringList arguments = QApplication::arguments();
  if (arguments.size() < 4) {
    std::fprintf(stderr, "Usage: desktop_gallery DIR THEME LANGUAGE [SESSION.ridge…]\n");
    return 2;
  }
  ridge::desktop::Gallery(arguments[1], arguments[2], arguments[3], arguments.mid(4)).draw();
  return 0;
}
