// SPDX-License-Identifier: GPL-3.0-or-later
// The window with real workers: live diagnostics, a run, a worker that is killed.
#include <gtest/gtest.h>
#include <signal.h>

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

TEST_F(WithWorkers, NoWorkloadAndNoProblemAreBanners) {
  window->setup().setWorkloads({});
  press("run.run");
  EXPECT_NE(window->banners().banner(QStringLiteral("run")), nullptr);
  EXPECT_FALSE(window->control().busy());
}

}  // namespace
}  // namespace ridge::desktop
