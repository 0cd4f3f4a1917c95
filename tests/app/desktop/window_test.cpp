// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "base/files.h"
#include "sample_runs.h"
#include "shell/actions.h"
#include "shell/help_dialog.h"
#include "shell/main_window.h"

namespace ridge::desktop {
namespace {

const QString kKernel = QStringLiteral(RIDGE_SOURCE_DIR "/kernels/softmax/");

class Window : public testing::Test {
 protected:
  Window() {
    theme.setCurrent(ThemeId::light);
    language.setCurrent(QStringLiteral("en"));
    options.keepSettings = false;
    options.worker.program = "/no/such/worker";  // these tests look at the window alone
    qputenv("RIDGE_KERNELS", RIDGE_SOURCE_DIR "/kernels");
    window = std::make_unique<MainWindow>(theme, language, options);
    window->resize(1400, 900);
    window->show();
    QApplication::processEvents();
  }
  ~Window() override {
    window.reset();
    language.setCurrent(QStringLiteral("en"));
    theme.setCurrent(ThemeId::light);
  }
  static void settle() { QTest::qWait(60); }
  void press(const char* id) { window->actions().action(QLatin1String(id))->trigger(); }
  static void write(const QString& file, const QByteArray& text) {
    QFile out(file);
    ASSERT_TRUE(out.open(QIODevice::WriteOnly));
    ASSERT_EQ(out.write(text), text.size());
  }
  /// A session file with these runs.
  QString stored(const char* name, const std::vector<RunPtr>& runs) {
    const QString file = folder.filePath(QLatin1String(name) + QStringLiteral(".ridge"));
    RunBook book;
    for (const RunPtr& run : runs) book.add(run);
    const auto saved = book.save(file, Json::object());
    EXPECT_TRUE(saved.ok()) << (saved ? "" : saved.error().message);
    return file;
  }

  Theme theme;
  Language language;
  Options options;
  QTemporaryDir folder;
  std::unique_ptr<MainWindow> window;
};

TEST_F(Window, EveryActionIsInThePaletteAndInAMenu) {
  window->palette().popUp();
  std::set<QString> listed;
  for (int i = 0; i < window->palette().list()->count(); ++i)
    listed.insert(window->palette().list()->item(i)->data(Qt::UserRole).toString());
  for (const ActionSpec& spec : Actions::specs()) {
    const QAction* action = window->actions().action(QLatin1String(spec.id));
    ASSERT_NE(action, nullptr) << spec.id;
    EXPECT_TRUE(listed.contains(QLatin1String(spec.id))) << spec.id;
    EXPECT_FALSE(action->text().isEmpty()) << spec.id;
    EXPECT_FALSE(action->statusTip().isEmpty()) << spec.id;
    bool inMenu = false;
    for (const QObject* object : action->associatedObjects()) inMenu = inMenu || object->inherits("QMenu");
    EXPECT_TRUE(inMenu) << spec.id;
    EXPECT_TRUE(window->actions().helpPage().contains(
        QString(action->text()).remove(QLatin1Char('&')).toHtmlEscaped()))
        << spec.id;
  }
  window->palette().hide();
}

TEST_F(Window, NoTwoActionsShareAKey) {
  std::set<QString> keys;
  for (const QAction* action : window->actions().all())
    for (const QKeySequence& key : action->shortcuts())
      EXPECT_TRUE(keys.insert(key.toString()).second) << key.toString().toStdString();
}

TEST_F(Window, ThePaletteRunsWhatIsTyped) {
  window->palette().popUp();
  QTest::keyClicks(window->palette().input(), QStringLiteral("contrast high"));
  QTest::keyClick(window->palette().input(), Qt::Key_Return);
  EXPECT_EQ(theme.current(), ThemeId::highContrast);
}

/// Own text of a widget, if it shows any.
QString shownBy(const QWidget* widget) {
  if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) return button->text();
  if (const auto* label = qobject_cast<const QLabel*>(widget)) return label->text();
  if (const auto* dock = qobject_cast<const QDockWidget*>(widget)) return dock->windowTitle();
  return {};
}

TEST_F(Window, EveryPaneAndControlHasAnAccessibleNameInEachLanguage) {
  for (const char* name : {"zh_CN", "en"}) {
    window->setLanguage(QLatin1String(name));
    settle();
    for (const QWidget* widget : window->findChildren<QWidget*>()) {
      if (!(widget->focusPolicy() & Qt::TabFocus) || widget->objectName().startsWith(QLatin1String("qt_")))
        continue;
      const bool insideOther =
          widget->parentWidget() && (qobject_cast<QComboBox*>(widget->parentWidget()) ||
                                     widget->parentWidget()->inherits("QAbstractScrollArea"));
      if (insideOther || widget->inherits("QTabBar") ||
          widget->parentWidget()->inherits("QComboBoxPrivateContainer") || widget->inherits("QScrollArea") ||
          widget->inherits("QHeaderView"))
        continue;
      EXPECT_FALSE(widget->accessibleName().isEmpty() && shownBy(widget).isEmpty())
          << name << ": " << widget->metaObject()->className() << " in "
          << widget->parentWidget()->metaObject()->className();
    }
  }
}

TEST_F(Window, SwitchingTheLanguageTranslatesEverything) {
  std::map<const QWidget*, QString> english;
  for (const QWidget* widget : window->findChildren<QWidget*>()) english[widget] = widget->accessibleName();
  std::map<const QAction*, QString> words;
  for (const QAction* action : window->actions().all()) words[action] = action->text();
  window->setLanguage(QStringLiteral("zh_CN"));
  settle();
  const auto hasChinese = [](const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= 0x2E80; });
  };
  const QStringList same{QStringLiteral("Ridgepoint"), QStringLiteral("SOL")};
  for (const auto& [widget, name] : english)
    if (!name.isEmpty() && !same.contains(name) && !widget->inherits("QMenu") &&
        !widget->parentWidget()->inherits("QTabBar") && window->isAncestorOf(widget)) {
      EXPECT_TRUE(hasChinese(widget->accessibleName()))
          << widget->metaObject()->className() << ": " << widget->accessibleName().toStdString();
    }
  for (const auto& [action, text] : words)
    if (action->objectName() != QLatin1String("language.en")) {
      EXPECT_TRUE(hasChinese(action->text())) << action->objectName().toStdString();
    }
  for (const QDockWidget* dock : window->findChildren<QDockWidget*>())
    EXPECT_TRUE(hasChinese(dock->windowTitle())) << dock->objectName().toStdString();
}

TEST_F(Window, OpensAProblemItsKernelAndItsWorkloads) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  ASSERT_TRUE(window->setup().problem().has_value());
  EXPECT_GE(window->setup().workloadList()->count(), 2);
  EXPECT_EQ(window->setup().workloads().size(), 1);
  ASSERT_FALSE(window->setup().kernelFiles().isEmpty());
  for (const QString& file : window->setup().kernelFiles())
    EXPECT_FALSE(file.endsWith(QStringLiteral("/reference.cu")));
  ASSERT_TRUE(window->sourceFile().open(window->setup().kernelFiles().front()));
  EXPECT_TRUE(window->windowTitle().startsWith(QFileInfo(window->setup().kernelFiles().front()).fileName()));
}

TEST_F(Window, OpeningAKernelChoosesItsProblem) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("saxpy")));
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  const QString kernel = window->setup().kernelFiles().front();
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("saxpy")));
  ASSERT_TRUE(window->sourceFile().open(kernel));
  EXPECT_EQ(window->setup().problem()->name, "softmax");
}

TEST_F(Window, AFileFromElsewhereKeepsItsTextWhenItNamesItsProblem) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("saxpy")));
  const QString file = folder.filePath(QStringLiteral("mine.cu"));
  write(file, "//@ problem: softmax\n__global__ void mine() {}\n");
  ASSERT_TRUE(window->sourceFile().open(file));
  EXPECT_EQ(window->setup().problem()->name, "softmax");
  EXPECT_EQ(window->sourceFile().file(), file);
  EXPECT_TRUE(window->editor().bytes().contains("mine"));
}

TEST_F(Window, DroppedFilesAreOpenedAlsoAboveTheEditor) {
  const QString kernel = folder.filePath(QStringLiteral("dropped.cu"));
  write(kernel, "__global__ void dropped() {}\n");
  const QString session = stored("dropped", samples::measured());
  QMimeData files;
  files.setUrls({QUrl::fromLocalFile(kernel), QUrl::fromLocalFile(session)});
  QDragEnterEvent enter({20, 20}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window->editor().viewport(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop({20, 20}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window->editor().viewport(), &drop);
  EXPECT_EQ(window->sourceFile().file(), kernel);
  EXPECT_EQ(window->editor().bytes(), QByteArray("__global__ void dropped() {}\n"))
      << "the file is opened, its name is not typed";
  EXPECT_EQ(window->book().sessions().size(), 2u);
}

TEST_F(Window, RecentFilesComeBackFromTheirList) {
  const QString first = folder.filePath(QStringLiteral("first.cu")),
                second = folder.filePath(QStringLiteral("second.cu"));
  write(first, "__global__ void first() {}\n");
  write(second, "__global__ void second() {}\n");
  ASSERT_TRUE(window->sourceFile().open(first));
  ASSERT_TRUE(window->sourceFile().open(second));
  press("file.recent");
  ASSERT_GE(window->palette().list()->count(), 2);
  EXPECT_EQ(window->palette().list()->item(0)->data(Qt::UserRole).toString(), second) << "newest first";
  QTest::keyClicks(window->palette().input(), QStringLiteral("first"));
  QTest::keyClick(window->palette().input(), Qt::Key_Return);
  EXPECT_EQ(window->sourceFile().file(), first);
  QFile::remove(second);
  press("file.recent");
  for (int i = 0; i < window->palette().list()->count(); ++i) {
    const QListWidgetItem* item = window->palette().list()->item(i);
    if (item->data(Qt::UserRole).toString() == second) {
      EXPECT_FALSE(item->flags() & Qt::ItemIsEnabled) << "it is gone";
    }
  }
  window->palette().hide();
}

TEST_F(Window, ANewKernelTakesTheProblemsParameters) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  press("file.new");
  const QByteArray text = window->editor().bytes();
  EXPECT_TRUE(text.startsWith("//@ problem: softmax\n")) << text.toStdString();
  EXPECT_TRUE(text.contains("(const float* x, float* y, int rows, int cols)")) << text.toStdString();
  EXPECT_TRUE(window->sourceFile().file().isEmpty());
  EXPECT_EQ(window->setup().problem()->name, "softmax");
}

TEST_F(Window, GoesToALine) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  press("edit.goToLine");
  QTest::keyClicks(window->palette().input(), QStringLiteral("7"));
  QTest::keyClick(window->palette().input(), Qt::Key_Return);
  int line = 0, column = 0;
  window->editor().getCursorPosition(&line, &column);
  EXPECT_EQ(line, 6);
  press("view.palette");
  EXPECT_GT(window->palette().list()->count(), 50) << "the palette lists actions again";
  EXPECT_FALSE(window->palette().list()->isHidden());
  window->palette().hide();
}

TEST_F(Window, KeysReachTheirActions) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  window->activateWindow();
  window->editor().setFocus();
  const std::pair<QKeySequence, const char*> keys[] = {
      {QKeySequence(Qt::Key_F5), "run.run"},
      {QKeySequence(Qt::CTRL | Qt::Key_B), "run.compile"},
      {QKeySequence(Qt::CTRL | Qt::Key_H), "edit.replace"},
      {QKeySequence(Qt::CTRL | Qt::Key_5), "view.verification"},
      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), "view.palette"}};
  for (const auto& [key, id] : keys) {
    int triggered = 0;
    QAction* action = window->actions().action(QLatin1String(id));
    const auto counting = QObject::connect(action, &QAction::triggered, [&] { ++triggered; });
    window->editor().setFocus();
    QTest::keySequence(window.get(), key);
    QObject::disconnect(counting);
    EXPECT_EQ(triggered, 1) << id;
    window->palette().hide();
  }
  // There is no worker: the run ends in a banner that stays, and the window is ready again.
  EXPECT_TRUE(QTest::qWaitFor([&] { return !window->control().busy(); }, 20000));
  settle();
  EXPECT_GT(window->banners().count(), 0);
  EXPECT_TRUE(window->actions().action(QStringLiteral("run.run"))->isEnabled());
}

TEST_F(Window, HelpHasItsPagesInEachLanguageAndListsEveryAction) {
  for (const char* name : {"en", "zh_CN"}) {
    window->setLanguage(QLatin1String(name));
    settle();
    HelpDialog help(window->actions(), nullptr);
    const QDir pages(QString::fromStdString((resources_folder() / "help").string()));
    EXPECT_EQ(help.pages()->count(), pages.entryList({QStringLiteral("*.md")}).size() + 1) << name;
    QStringList seen;
    QString keys;
    for (int row = 0; row < help.pages()->count(); ++row) {
      help.pages()->setCurrentRow(row);
      const QString text = help.text()->toPlainText();
      EXPECT_GT(text.size(), 200) << row;
      EXPECT_FALSE(seen.contains(text)) << row;
      static const QRegularExpression blank(QStringLiteral("[，；、] [\\x{4E00}-\\x{9FFF}]"));
      EXPECT_EQ(blank.match(text).captured().toStdString(), "") << row << ": Chinese has no blanks";
      seen << text;
      if (help.pages()->item(row)->data(Qt::UserRole).toString().isEmpty()) keys = text;
    }
    for (const QAction* action : window->actions().all())
      EXPECT_TRUE(keys.contains(QString(action->text()).remove(QLatin1Char('&'))))
          << action->objectName().toStdString();
  }
}

TEST_F(Window, ASmallWindowLeavesRoomForTheSource) {
  MainWindow small(theme, language, options);
  small.resize(1280, 800);
  small.show();
  settle();
  EXPECT_GE(small.editor().width(), 500);
  EXPECT_FALSE(small.panes().dock(PaneId::roofline)->visibleRegion().isEmpty());
}

TEST_F(Window, AnUnknownProblemOrFileIsABanner) {
  EXPECT_FALSE(window->chooseProblem(QStringLiteral("no such problem")));
  EXPECT_FALSE(window->sourceFile().open(QStringLiteral("/no/such.cu")));
  ASSERT_NE(window->banners().banner(QStringLiteral("open")), nullptr);
  EXPECT_TRUE(
      window->banners().banner(QStringLiteral("open"))->text().contains(QStringLiteral("/no/such.cu")));
}

TEST_F(Window, UnsavedTextIsGuarded) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  window->editor().insertAt(QStringLiteral("x"), 0, 0);
  window->sourceFile().setAnswer(false);
  const QString former = window->sourceFile().file();
  EXPECT_FALSE(window->sourceFile().open(kKernel + QStringLiteral("reference.cu")));
  EXPECT_EQ(window->sourceFile().file(), former);
  EXPECT_FALSE(window->close());
  window->sourceFile().setAnswer(true);
  EXPECT_TRUE(window->close());
}

TEST_F(Window, SavesAndNoticesOtherPrograms) {
  const QString file = folder.filePath(QStringLiteral("mine.cu"));
  {
    QFile out(file);
    ASSERT_TRUE(out.open(QIODevice::WriteOnly));
    out.write("__global__ void a() {}\n");
  }
  ASSERT_TRUE(window->sourceFile().open(file));
  window->editor().insertAt(QStringLiteral("// mine\n"), 0, 0);
  ASSERT_TRUE(window->sourceFile().save());
  EXPECT_FALSE(window->editor().unsaved());
  EXPECT_EQ(window->banners().banner(QStringLiteral("save")), nullptr);
  QFile out(file);
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write("__global__ void other() {}\n");
  out.close();
  EXPECT_TRUE(QTest::qWaitFor([&] { return window->editor().bytes().contains("other"); }, 5000));
  EXPECT_NE(window->banners().banner(QStringLiteral("outside")), nullptr);
}

TEST_F(Window, BothSidesChangedKeepsTheTypedText) {
  const QString file = folder.filePath(QStringLiteral("mine.cu"));
  QFile out(file);
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write("__global__ void a() {}\n");
  out.close();
  ASSERT_TRUE(window->sourceFile().open(file));
  window->editor().insertAt(QStringLiteral("// typed\n"), 0, 0);
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write("__global__ void other() {}\n");
  out.close();
  EXPECT_TRUE(
      QTest::qWaitFor([&] { return window->banners().banner(QStringLiteral("outside")) != nullptr; }, 5000));
  EXPECT_TRUE(window->editor().bytes().startsWith("// typed"));
  // Both can be kept: this text goes to another file, the other program's stays.
  QStringList offers;
  for (const auto* button :
       window->banners().banner(QStringLiteral("outside"))->findChildren<QAbstractButton*>())
    offers << button->text();
  EXPECT_TRUE(std::any_of(offers.begin(), offers.end(), [](const QString& text) {
    return text.startsWith(QStringLiteral("Keep both"));
  })) << offers.join(QLatin1Char('|')).toStdString();
  const QString other = folder.filePath(QStringLiteral("other.cu"));
  ASSERT_TRUE(window->sourceFile().saveTo(other));
  EXPECT_EQ(window->banners().banner(QStringLiteral("outside")), nullptr);
  EXPECT_EQ(window->sourceFile().file(), other);
  ASSERT_TRUE(out.open(QIODevice::ReadOnly));
  EXPECT_EQ(out.readAll(), QByteArray("__global__ void other() {}\n"));
}

TEST_F(Window, TwoSessionFilesOverlayInAllThreeCharts) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  const auto before = samples::measured(1.6), after = samples::measured(1.0);
  ASSERT_TRUE(window->openSessions({stored("before", before), stored("after", after)}));
  settle();
  ASSERT_EQ(window->book().sessions().size(), 3u);
  std::vector<double> medians, rates, percents;
  const auto values = [](const QCustomPlot* plot) {
    std::set<double> all;
    for (int i = 0; i < plot->graphCount(); ++i)
      for (const QCPGraphData& point : *plot->graph(i)->data()) all.insert(point.value);
    for (int i = 0; i < plot->plottableCount(); ++i)
      if (auto* bars = qobject_cast<QCPBars*>(const_cast<QCustomPlot*>(plot)->plottable(i)))
        for (const QCPBarsData& bar : *bars->data()) all.insert(bar.value);
    return all;
  };
  const auto timing = values(window->timing().plot()), roofline = values(window->roofline().plot()),
             sol = values(window->sol().plot());
  for (const auto& session : {before, after})
    for (const RunPtr& run : session) {
      EXPECT_TRUE(timing.contains(run->timing->cold->median_us));
      EXPECT_TRUE(roofline.contains(*run->model.achieved_flops));
      EXPECT_TRUE(sol.contains(*run->model.datasheet.sol_percent));
    }
  const int id = window->book().sessions()[1].id;
  window->book().setVisible(id, false);
  settle();
  EXPECT_FALSE(values(window->timing().plot()).contains(before.front()->timing->cold->median_us));
}

TEST_F(Window, ASessionThatIsNoneIsABannerNotACrash) {
  for (const char* name : {"not_a_session", "cut_short", "other_application"}) {
    const QString file = QStringLiteral(RIDGE_SOURCE_DIR "/tests/inputs/definitions/sessions/%1.ridge")
                             .arg(QLatin1String(name));
    EXPECT_FALSE(window->openSessions({file})) << name;
    EXPECT_NE(window->banners().banner(QStringLiteral("open ") + file), nullptr) << name;
  }
}

TEST_F(Window, SavesTheSessionAndReadsItBack) {
  window->book().add(samples::measured().front());
  EXPECT_EQ(window->book().unsaved(), 1);
  const QString file = folder.filePath(QStringLiteral("s.ridge"));
  ASSERT_TRUE(window->saveSession(file).ok());
  EXPECT_EQ(window->book().unsaved(), 0);
  window->book().add(samples::measured().back());
  EXPECT_EQ(window->book().unsaved(), 0) << "it is on its way";
  ASSERT_TRUE(QTest::qWaitFor([&] { return !window->book().current().runs.back()->id.empty(); }, 20000));
  RunBook other;
  const auto id = other.open(file);
  ASSERT_TRUE(id.ok()) << id.error().message;
  ASSERT_EQ(other.session(*id)->runs.size(), 2u);
  EXPECT_EQ(other.session(*id)->runs[0]->timing->cold->samples_us,
            samples::measured().front()->timing->cold->samples_us);
}

TEST_F(Window, NotesThatAreBeingTypedAreKeptWhenTheWindowCloses) {
  const QString file = folder.filePath(QStringLiteral("s.ridge"));
  window->book().add(samples::measured().front());
  ASSERT_TRUE(window->saveSession(file).ok());
  window->sessionsPane().select(window->book().current().runs.front());
  window->sessionsPane().findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("twice as fast"));
  ASSERT_TRUE(window->close());
  RunBook other;
  const auto id = other.open(file);
  ASSERT_TRUE(id.ok()) << id.error().message;
  EXPECT_EQ(other.session(*id)->runs.front()->notes, "twice as fast");
}

TEST_F(Window, ASessionFileThatTakesNothingCostsABannerAndNoRun) {
  const QString file = folder.filePath(QStringLiteral("s.ridge"));
  ASSERT_TRUE(window->saveSession(file).ok());
  ASSERT_TRUE(QFile::remove(file));
  ASSERT_TRUE(QDir().mkdir(file));
  window->book().add(samples::measured().front());
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return window->banners().banner(QStringLiteral("session")) != nullptr; }, 20000));
  EXPECT_EQ(window->book().current().runs.size(), 1u);
  EXPECT_EQ(window->book().unsaved(), 1);
  EXPECT_TRUE(window->saveSession(folder.filePath(QStringLiteral("elsewhere.ridge"))).ok());
  EXPECT_EQ(window->book().unsaved(), 0);
}

TEST_F(Window, OpeningTheFileOfThisSessionListsNothingTwice) {
  const QString file = folder.filePath(QStringLiteral("s.ridge"));
  window->book().add(samples::measured().front());
  ASSERT_TRUE(window->saveSession(file).ok());
  RunBook other;  // another program adds to the file
  ASSERT_TRUE(other.save(file, Json::object()).ok());
  other.add(samples::measured().back());
  other.settle();
  ASSERT_TRUE(window->openSessions({file}));
  EXPECT_EQ(window->book().sessions().size(), 1u);
  EXPECT_EQ(window->book().current().runs.size(), 2u) << "with what has been added";
  EXPECT_EQ(window->book().current().id, 0);
  const QString link = folder.filePath(QStringLiteral("link.ridge"));
  ASSERT_TRUE(QFile::link(file, link));
  ASSERT_TRUE(window->openSessions({link}));
  EXPECT_EQ(window->book().sessions().size(), 1u);
}

TEST_F(Window, BannersChangeTheirLanguageWithTheWindow) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  window->setup().setWorkloads({});
  press("run.run");                                                        // the window's own words
  EXPECT_FALSE(window->sourceFile().open(QStringLiteral("/no/such.cu")));  // those of an error
  const Banner* own = window->banners().banner(QStringLiteral("run"));
  const Banner* error = window->banners().banner(QStringLiteral("open"));
  ASSERT_TRUE(own && error);
  const QString english = own->text();
  EXPECT_TRUE(english.startsWith(QStringLiteral("No workload"))) << english.toStdString();
  EXPECT_EQ(error->text(), QStringLiteral("There is no file /no/such.cu."));
  window->setLanguage(QStringLiteral("zh_CN"));
  settle();
  EXPECT_FALSE(own->text().contains(QStringLiteral("workload"))) << own->text().toStdString();
  EXPECT_TRUE(error->text().contains(QStringLiteral("没有"))) << error->text().toStdString();
  window->setLanguage(QStringLiteral("en"));
  settle();
  EXPECT_EQ(own->text(), english);
}

TEST_F(Window, ARunOfANewerReleaseIsLeftOutWithASentence) {
  const QString file = stored("newer", samples::measured());
  SQLite::Database(file.toStdString(), SQLite::OPEN_READWRITE)
      .exec("UPDATE runs SET document = json_set(document, '$.verdict.status', 'splendid') WHERE id = 1");
  EXPECT_TRUE(window->openSessions({file}));
  const Banner* banner = window->banners().banner(QStringLiteral("left out of ") + file);
  ASSERT_NE(banner, nullptr);
  EXPECT_TRUE(banner->text().contains(QStringLiteral("'splendid'"))) << banner->text().toStdString();
}

TEST_F(Window, ThemesChangeWhatIsDrawn) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  window->book().adopt(QStringLiteral("h200"), {}, samples::measured());
  for (const ThemeId id : themes()) {
    window->setTheme(id);
    settle();
    const QImage picture = window->grab().toImage();
    std::set<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 7)
      for (int x = 0; x < picture.width(); x += 7) colours.insert(picture.pixel(x, y));
    EXPECT_GT(colours.size(), 20u) << nameOf(id).toStdString();
    EXPECT_EQ(picture.pixelColor(window->editor().mapTo(
                  window.get(), QPoint(window->editor().width() - 40, window->editor().height() - 40))),
              colour(id, Role::base))
        << nameOf(id).toStdString();
  }
}

TEST_F(Window, LayoutsShowTheirPanesAndResetComesBack) {
  for (const char* id : {"layout.edit", "layout.analyse", "layout.work", "layout.reset"}) {
    window->actions().action(QLatin1String(id))->trigger();
    settle();
    for (int i = 0; i < kPaneCount; ++i)
      EXPECT_NE(window->dockWidgetArea(window->panes().dock(static_cast<PaneId>(i))), Qt::NoDockWidgetArea)
          << id << ' ' << i;
  }
  const QByteArray state = window->panes().state();
  window->panes().dock(PaneId::sol)->hide();
  EXPECT_TRUE(window->panes().restore(state));
  EXPECT_FALSE(window->panes().dock(PaneId::sol)->isHidden());
  EXPECT_FALSE(window->panes().restore(QByteArray("nonsense")));
}

TEST_F(Window, F6GoesRoundThePanes) {
  window->activateWindow();
  window->editor().setFocus();
  std::set<const QWidget*> seen;
  for (int i = 0; i < 12; ++i) {
    window->actions().action(QStringLiteral("view.nextPane"))->trigger();
    seen.insert(QApplication::focusWidget());
  }
  EXPECT_GE(seen.size(), 6u);
  EXPECT_TRUE(seen.contains(&window->editor()));
}

TEST_F(Window, EditingMarksTheVerdictStale) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  session::Run run = *samples::measured().front();
  run.source.text = window->editor().bytes().toStdString();
  window->verification().setRun(samples::shared(run));
  EXPECT_FALSE(window->verification().headline()->text().contains(QStringLiteral("before the last change")));
  window->editor().insertAt(QStringLiteral(" "), 0, 0);
  EXPECT_TRUE(window->verification().headline()->text().contains(QStringLiteral("before the last change")));
}

TEST(Options, AreReadAndRefused) {
  const auto good =
      parseOptions({QStringLiteral("ridgepoint"), QStringLiteral("--problem"), QStringLiteral("softmax"),
                    QStringLiteral("a.cu"), QStringLiteral("b.ridge")});
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good->problem, QStringLiteral("softmax"));
  EXPECT_EQ(good->file, QStringLiteral("a.cu"));
  EXPECT_EQ(good->sessions, QStringList{QStringLiteral("b.ridge")});
  EXPECT_FALSE(
      parseOptions({QStringLiteral("ridgepoint"), QStringLiteral("--theme"), QStringLiteral("purple")}).ok());
  EXPECT_FALSE(parseOptions({QStringLiteral("ridgepoint"), QStringLiteral("--nonsense")}).ok());
  EXPECT_FALSE(
      parseOptions({QStringLiteral("ridgepoint"), QStringLiteral("a.cu"), QStringLiteral("b.cu")}).ok());
}

TEST(Banner, StaysUntilClosedAndOnePerKey) {
  Theme theme;
  BannerArea area(theme, nullptr);
  bool pressed = false;
  const auto saying = [](const char* text) { return [text] { return QString::fromLatin1(text); }; };
  area.raiseBanner(QStringLiteral("k"), Banner::Kind::error, saying("first"));
  area.raiseBanner(QStringLiteral("k"), Banner::Kind::error, saying("second"), saying("why"),
                   {{saying("Go"), [&] { pressed = true; }}});
  EXPECT_EQ(area.count(), 1);
  EXPECT_EQ(area.banner(QStringLiteral("k"))->text(), QStringLiteral("second"));
  area.banner(QStringLiteral("k"))->findChild<QAbstractButton*>()->click();
  EXPECT_TRUE(pressed);
  area.lower(QStringLiteral("k"));
  EXPECT_EQ(area.count(), 0);
}

}  // namespace
}  // namespace ridge::desktop
