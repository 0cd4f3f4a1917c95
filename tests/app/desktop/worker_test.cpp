// SPDX-License-Identifier: GPL-3.0-or-later
// The window with real workers: live diagnostics, a run, a worker that is killed, and workers that do not
// obey.
#include <gtest/gtest.h>
#include <signal.h>

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "shell/main_window.h"

namespace ridge::desktop {
namespace {

class WithWorkers : public testing::Test {
 protected:
  void SetUp() override {
    const QString program = QStringLiteral(RIDGE_BINARY_DIR "/bin/ridge");
    if (!QFile::exists(program)) GTEST_SKIP() << "the program ridge is not built";
    options.worker.program = program.toStdString();
    options.keepSettings = false;
    qputenv("RIDGE_KERNELS", RIDGE_SOURCE_DIR "/kernels");
    theme.setCurrent(ThemeId::light);
    language.setCurrent(QStringLiteral("en"));
    window = std::make_unique<MainWindow>(theme, language, options);
    window->resize(1400, 900);
    window->show();
    window->setup().setDevice(QStringLiteral("emulator"));
    ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->control().lastCompiled() != nullptr; }, 60000));
    if (window->control().lastCompiled()->failure)
      GTEST_SKIP() << window->control().lastCompiled()->failure->message;
  }
  bool finish() {
    return QTest::qWaitFor([&] { return !window->control().busy(); }, 100000);
  }
  void press(const char* id) { window->actions().action(QLatin1String(id))->trigger(); }

  Theme theme;
  Language language;
  Options options;
  std::unique_ptr<MainWindow> window;
};

TEST_F(WithWorkers, DiagnosticsAppearWhileTyping) {
  ASSERT_TRUE(QTest::qWaitFor([&] { return !window->control().jobs().compiling(); }, 60000));
  EXPECT_EQ(window->editor().annotatedLines(), 0);
  EXPECT_FALSE(window->codePane().map().sourceOf.empty());
  const int last = window->editor().lines() - 1;
  window->editor().insertAt(QStringLiteral("\n__device__ int broken() { return nonsense; }\n"), last, 0);
  ASSERT_TRUE(QTest::qWaitFor([&] { return window->editor().annotatedLines() > 0; }, 60000));
  EXPECT_GT(window->diagnosticsPane().list()->topLevelItemCount(), 0);
  EXPECT_FALSE(window->codePane().view()->bytes().isEmpty()) << "the former PTX stays, marked stale";
  window->editor().undo();
  EXPECT_TRUE(QTest::qWaitFor([&] { return window->editor().annotatedLines() == 0; }, 60000));
}

TEST_F(WithWorkers, F5RunsToAVerdictInEveryPane) {
  press("run.run");
  EXPECT_FALSE(window->actions().action(QStringLiteral("run.run"))->isEnabled());
  ASSERT_TRUE(finish());
  ASSERT_EQ(window->book().current().runs.size(), 1u)
      << (window->banners().banner(QStringLiteral("run"))
              ? window->banners().banner(QStringLiteral("run"))->text().toStdString()
              : "");
  const RunPtr run = window->book().current().runs.front();
  EXPECT_EQ(run->verdict.status, hardware::Status::pass) << run->verdict.message;
  EXPECT_FALSE(run->timing.has_value()) << "the emulator has no clock";
  EXPECT_TRUE(run->model.datasheet.t_sol_us.has_value());
  EXPECT_TRUE(window->verification().headline()->text().startsWith(QStringLiteral("pass")));
  QTest::qWait(60);
  EXPECT_EQ(window->sol().table()->rowCount(), 1);
  EXPECT_EQ(window->roofline().table()->rowCount(), 1);
}

TEST_F(WithWorkers, AKilledWorkerCostsABannerAndTheNextRunPasses) {
  press("run.all");
  ASSERT_TRUE(QTest::qWaitFor([&] { return window->control().jobs().deviceProcess() > 0; }, 30000));
  QTest::qWait(50);
  ASSERT_EQ(::kill(static_cast<pid_t>(window->control().jobs().deviceProcess()), SIGKILL), 0);
  ASSERT_TRUE(finish());
  const Banner* banner = window->banners().banner(QStringLiteral("worker"));
  ASSERT_NE(banner, nullptr);
  EXPECT_EQ(banner->kind(), Banner::Kind::error);
  EXPECT_TRUE(window->isVisible());
  const std::size_t before = window->book().current().runs.size();
  press("run.run");
  ASSERT_TRUE(finish());
  ASSERT_EQ(window->book().current().runs.size(), before + 1);
  EXPECT_EQ(window->book().current().runs.back()->verdict.status, hardware::Status::pass);
  EXPECT_EQ(window->banners().banner(QStringLiteral("worker")), nullptr);
}

TEST_F(WithWorkers, StopEndsARunAndTheNextOneWorks) {
  window->editor().replaceText(
      "//@ problem: softmax\n//@ grid: 1\n//@ block: 32\n__global__ void spin(const float* x, float* y) {\n"
      "  volatile int go = 1;\n  while (go) { }\n  y[0] = x[0];\n}\n");
  press("run.run");
  QTest::qWait(1500);
  press("run.stop");
  ASSERT_TRUE(finish());
  window->editor().undo();
  press("run.run");
  ASSERT_TRUE(finish());
  ASSERT_FALSE(window->book().current().runs.empty());
  EXPECT_EQ(window->book().current().runs.back()->verdict.status, hardware::Status::pass);
}

TEST_F(WithWorkers, TheMemoryModelCountsWhatPassesDeviceMemory) {
  const auto counted = [&] {
    press("run.run");
    EXPECT_TRUE(finish());
    return window->book().current().runs.back()->counters.contains("dram_bytes");
  };
  EXPECT_FALSE(counted());
  press("run.memory");
  EXPECT_TRUE(counted());
}

TEST_F(WithWorkers, NoWorkloadAndNoProblemAreBanners) {
  window->setup().setWorkloads({});
  press("run.run");
  EXPECT_NE(window->banners().banner(QStringLiteral("run")), nullptr);
  EXPECT_FALSE(window->control().busy());
}

/// Workers that are started through a script, in which "$@" is the worker.
class Scripted : public testing::Test {
 protected:
  void SetUp() override {
    if (!QFile::exists(program)) GTEST_SKIP() << "the program ridge is not built";
    qputenv("RIDGE_KERNELS", RIDGE_SOURCE_DIR "/kernels");
    theme.setCurrent(ThemeId::light);
    language.setCurrent(QStringLiteral("en"));
  }
  worker::Launch by(const QString& script) const {
    worker::Launch launch;
    launch.program = program.toStdString();
    launch.target = {"/bin/sh", "-c", script.toStdString(), "sh"};
    return launch;
  }
  /// Starts as it should; then nothing that is asked reaches it. `mark` appears with the first request.
  static QString deafAfterItsStart(const QString& mark) {
    return QStringLiteral(
               "{ read -r first; printf '%s\\n' \"$first\"; read -r next; : >'%1'; exec sleep 600; } | "
               "\"$@\"")
        .arg(mark);
  }
  std::unique_ptr<MainWindow> opened(const worker::Launch& launch) {
    Options options;
    options.keepSettings = false;
    options.worker = launch;
    auto window = std::make_unique<MainWindow>(theme, language, options);
    window->show();
    window->setup().setDevice(QStringLiteral("emulator"));
    EXPECT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
    return window;
  }
  static bool idle(Jobs& jobs) {
    return QTest::qWaitFor([&] { return !jobs.running(); }, 20000);  // far less than a start may take
  }

  const QString program = QStringLiteral(RIDGE_BINARY_DIR "/bin/ridge"),
                silent = QStringLiteral("exec sleep 600");
  QTemporaryDir folder;
  Theme theme;
  Language language;
};

TEST_F(Scripted, AStopReachesADeviceThatIsStillStarting) {
  Jobs jobs(by(silent));
  RunEndPtr end;
  QObject::connect(&jobs, &Jobs::ended, [&](const RunEndPtr& e) { end = e; });
  ASSERT_NE(jobs.run({}), 0u);
  QTest::qWait(300);
  EXPECT_TRUE(jobs.running());
  jobs.stop();
  ASSERT_TRUE(idle(jobs));
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->stopped);
}

TEST_F(Scripted, AStopBeforeTheRunHasBegunIsNotLost) {
  Jobs jobs(by(silent));
  int ended = 0;
  QObject::connect(&jobs, &Jobs::ended, [&](const RunEndPtr& end) { ended += end->stopped ? 1 : 100; });
  jobs.probe(QStringLiteral("auto"), {});  // the run waits behind it
  for (int i = 1; i <= 2; ++i) {
    ASSERT_NE(jobs.run({}), 0u);
    jobs.stop();
    EXPECT_FALSE(jobs.running());
    EXPECT_EQ(ended, i);
  }
}

TEST_F(Scripted, ClosingDoesNotWaitForAWorkerThatIsStarting) {
  QElapsedTimer clock;
  {
    Jobs jobs(by(silent));
    jobs.probe(QStringLiteral("auto"), {});
    jobs.compileLive("__global__ void k() {}", "k.cu", "sm_90");
    QTest::qWait(300);
    clock.start();
  }
  EXPECT_LT(clock.elapsed(), 20000);
}

TEST_F(Scripted, ACompilationWithoutAnEndIsEndedAsOneThatTookTooLong) {
  worker::Launch launch = by(deafAfterItsStart(folder.filePath(QStringLiteral("asked"))));
  launch.compile_limit = std::chrono::milliseconds(300);
  Jobs jobs(launch);
  LiveResultPtr result;
  Sentence noSass;
  QObject::connect(&jobs, &Jobs::compiled, [&](const LiveResultPtr& r) { result = r; });
  QObject::connect(&jobs, &Jobs::disassembled, [&](const QString&, const Sentence& why) { noSass = why; });
  jobs.compileLive("__global__ void k() {}", "k.cu", "sm_90");
  jobs.disassemble("cubin");
  ASSERT_TRUE(QTest::qWaitFor([&] { return result && !noSass.empty(); }, 20000));
  ASSERT_TRUE(result->failure);
  EXPECT_EQ(result->failure->code, "worker_timeout");
  EXPECT_NE(noSass.english().find("did not answer 'disassemble' in time"), std::string::npos) << noSass;
}

TEST_F(Scripted, StopReturnsAtOnceAndLeavesTheLiveCompilationAlone) {
  const QString asked = folder.filePath(QStringLiteral("asked"));
  const auto window = opened(
      by(QStringLiteral("case \"$*\" in *compile*) exec \"$@\" ;; esac; ") + deafAfterItsStart(asked)));
  RunControl& control = window->control();
  ASSERT_TRUE(QTest::qWaitFor([&] { return control.lastCompiled() != nullptr; }, 60000));
  if (control.lastCompiled()->failure) GTEST_SKIP() << control.lastCompiled()->failure->message;
  control.run();
  ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(asked); }, 60000));
  const LiveResultPtr former = control.lastCompiled();
  window->editor().insertAt(QStringLiteral("// another text\n"), 0, 0);
  control.compileNow();
  QElapsedTimer clock;
  clock.start();
  control.stop();
  EXPECT_LT(clock.elapsed(), 1000) << "the worker has two seconds to obey";
  ASSERT_TRUE(idle(control.jobs()));
  const Banner* note = window->banners().banner(QStringLiteral("run"));
  ASSERT_NE(note, nullptr);
  EXPECT_EQ(note->kind(), Banner::Kind::note) << note->text().toStdString();
  ASSERT_TRUE(QTest::qWaitFor([&] { return control.lastCompiled() != former; }, 60000));
  EXPECT_FALSE(control.lastCompiled()->failure);
  EXPECT_EQ(window->banners().banner(QStringLiteral("compile")), nullptr);
}

TEST_F(Scripted, AStoppedRunLeavesTheCompilerToWhoeverHasIt) {
  const QString asked = folder.filePath(QStringLiteral("asked"));
  const auto window =
      opened(by(QStringLiteral("case \"$*\" in *device*) exec \"$@\" ;; esac; ") + deafAfterItsStart(asked)));
  RunControl& control = window->control();
  ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(asked); }, 60000));
  QString stage;
  QObject::connect(&control.jobs(), &Jobs::progressed, [&](const QString& s) { stage = s; });
  control.run();
  ASSERT_TRUE(QTest::qWaitFor([&] { return stage == QLatin1String("compile"); }, 60000));
  QTest::qWait(100);
  EXPECT_TRUE(control.jobs().running());
  control.stop();
  ASSERT_TRUE(idle(control.jobs()));
  EXPECT_EQ(window->banners().banner(QStringLiteral("run"))->kind(), Banner::Kind::note);
  EXPECT_TRUE(control.jobs().compiling()) << "it goes on";
  EXPECT_EQ(window->banners().banner(QStringLiteral("compile")), nullptr);
}

}  // namespace
}  // namespace ridge::desktop
