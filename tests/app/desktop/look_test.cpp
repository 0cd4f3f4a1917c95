// SPDX-License-Identifier: GPL-3.0-or-later
// What a look at the window would find: words that are cut, marks under words, panes that say nothing.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTest>

#include "editor/find_bar.h"
#include "sample_runs.h"
#include "shell/help_dialog.h"
#include "shell/main_window.h"

namespace ridge::desktop {
namespace {

class Look : public testing::Test {
 protected:
  Look() {
    theme.setCurrent(ThemeId::light);
    language.setCurrent(QStringLiteral("en"));
    options.keepSettings = false;
    options.worker.program = "/no/such/worker";
    qputenv("RIDGE_KERNELS", RIDGE_SOURCE_DIR "/kernels");
    window = std::make_unique<MainWindow>(theme, language, options);
    window->resize(1600, 1000);
    window->show();
    QTest::qWait(50);
  }
  ~Look() override {
    window.reset();
    language.setCurrent(QStringLiteral("en"));
    theme.setCurrent(ThemeId::light);
  }

  Theme theme;
  Language language;
  Options options;
  std::unique_ptr<MainWindow> window;
};

int widthOf(const QWidget* widget, QString text) {
  return widget->fontMetrics().horizontalAdvance(text.remove(QLatin1Char('&')));
}

/// The text of `widget` that its place cuts off; nothing where all of it is seen.
QString cutText(const QWidget* widget) {
  if (const auto* label = qobject_cast<const QLabel*>(widget)) {
    // Those that give way on purpose have a tooltip with the whole text.
    if (label->wordWrap() || label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored) return {};
    return widthOf(label, label->text()) > label->width() ? label->text() : QString();
  }
  if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
    const int icon = button->icon().isNull() ? 0 : button->iconSize().width();
    return widthOf(button, button->text()) + icon > button->width() ? button->text() : QString();
  }
  if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
    QStyleOptionComboBox option;
    option.initFrom(box);
    const int room =
        box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width();
    return box->fontMetrics().horizontalAdvance(box->currentText()) > room ? box->currentText() : QString();
  }
  if (const auto* bar = qobject_cast<const QTabBar*>(widget))
    for (int i = 0; i < bar->count(); ++i)
      if (bar->fontMetrics().horizontalAdvance(bar->tabText(i)) + 8 > bar->tabRect(i).width())
        return bar->tabText(i);
  return {};
}

TEST_F(Look, NoTextIsCutInEitherLanguage) {
  window->chooseProblem(QStringLiteral("softmax"));
  window->book().adopt(QStringLiteral("h200"), {}, samples::measured());
  window->verification().setRun(samples::shared(samples::wrong()));
  for (const QSize& size : {QSize(1600, 1000), QSize(1024, 700)})
    for (const char* name : {"zh_CN", "en"}) {
      window->resize(size);
      window->panes().arrange(Arrangement::work);
      window->setLanguage(QLatin1String(name));
      for (int round = 0; round < 4; ++round)
        QTest::qWait(30);  // new words ask for new layouts, those for others
      int looked = 0;
      for (const QWidget* widget : window->findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
        ++looked;
        EXPECT_EQ(cutText(widget).toStdString(), "")
            << name << ' ' << size.width() << ": " << widget->metaObject()->className() << " in "
            << widget->parentWidget()->metaObject()->className();
      }
      EXPECT_GT(looked, 40);
    }
}

TEST_F(Look, TheFirstStartShowsTheSimplestProblemAndWhatToDo) {
  window->openAtStart(options);
  ASSERT_TRUE(window->setup().problem());
  EXPECT_EQ(window->setup().problem()->name, "saxpy");
  EXPECT_TRUE(window->editor().bytes().contains("__global__"));
  EXPECT_EQ(window->setup().workloads().size(), 1) << "F5 runs at once";
  EXPECT_TRUE(window->verification().headline()->text().contains(QStringLiteral("F5")));
}

TEST_F(Look, WithoutAGpuTheSetupSaysWhatTheEmulatorCannotDo) {
  const auto said = [&] {
    for (const QLabel* label : window->setup().findChildren<QLabel*>())
      if (label->isVisibleTo(&window->setup()) && label->text().contains(QStringLiteral("not timed")))
        return label->text();
    return QString();
  };
  worker::Capabilities here;
  here.device = "emulator";
  device::DeviceInfo emulator;
  emulator.kind = device::Kind::emulator;
  emulator.id = "emulator";
  here.devices = {emulator};
  window->setup().setCapabilities(here);
  EXPECT_TRUE(said().contains(QStringLiteral("No GPU"))) << said().toStdString();
  device::DeviceInfo gpu;
  gpu.kind = device::Kind::cuda;
  gpu.id = "cuda:0";
  gpu.name = "NVIDIA H200";
  here.device = "cuda:0";
  here.devices = {gpu, emulator};
  window->setup().setCapabilities(here);
  EXPECT_EQ(said().toStdString(), "");
  window->setup().setDevice(QStringLiteral("emulator"));
  EXPECT_FALSE(said().isEmpty());
  EXPECT_FALSE(said().contains(QStringLiteral("No GPU")));
}

TEST_F(Look, ARunOfAnotherProblemIsNotStaleForItsFilesName) {
  ASSERT_TRUE(window->chooseProblem(QStringLiteral("softmax")));
  session::Run run = *samples::measured().front();  // of …/softmax/naive.cu
  run.problem = "saxpy";
  window->book().adopt(QStringLiteral("other"), {}, {samples::shared(run)});
  window->sessionsPane().select(window->book().sessions().back().runs.front());
  ASSERT_TRUE(window->verification().run());
  const auto stale = [&] {
    return window->verification().headline()->text().contains(QStringLiteral("before the last change"));
  };
  EXPECT_FALSE(stale());
  window->editor().insertAt(QStringLiteral(" "), 0, 0);
  EXPECT_FALSE(stale());
}

TEST_F(Look, SessionsListRunsBelowTheirProblem) {
  auto runs = samples::measured();
  runs.push_back(samples::shared(samples::run("saxpy", "naive", "tiny", 1e6, 2e6, 3.0)));
  window->book().adopt(QStringLiteral("h200"), {}, runs);
  QTreeWidget* tree = window->sessionsPane().tree();
  const QTreeWidgetItem* session = tree->topLevelItem(tree->topLevelItemCount() - 1);
  ASSERT_EQ(session->childCount(), 2);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(session->child(i)->isExpanded()) << "a table of contents";
  window->sessionsPane().select(window->book().sessions().back().runs.back());
  ASSERT_TRUE(window->sessionsPane().selected());
  EXPECT_EQ(window->sessionsPane().selected()->problem, "saxpy");
  EXPECT_EQ(tree->currentItem()->text(0), QStringLiteral("naive · tiny"));
  EXPECT_EQ(tree->currentItem()->parent()->text(0), QStringLiteral("saxpy"));
  tree->setCurrentItem(tree->currentItem()->parent());
  EXPECT_FALSE(window->sessionsPane().selected()) << "a problem is no run";
}

TEST_F(Look, TheErrorMapIsSeenWhole) {
  window->panes().dock(PaneId::verification)->raise();
  window->verification().setRun(samples::shared(samples::wrong()));
  QTest::qWait(50);
  const auto* map = window->verification().findChild<ErrorMapView*>();
  EXPECT_EQ(map->visibleRegion().boundingRect(), map->rect());
}

TEST_F(Look, TheSetupStaysTogetherInATallPane) {
  window->panes().arrange(Arrangement::edit);
  window->panes().dock(PaneId::setup)->raise();
  QTest::qWait(50);
  int previous = -1;
  for (const QComboBox* box : window->setup().findChildren<QComboBox*>()) {
    const int top = box->mapTo(&window->setup(), QPoint()).y();
    if (previous >= 0) {
      EXPECT_LE(top - previous, 260) << box->accessibleName().toStdString();
    }
    previous = top;
  }
  EXPECT_LE(previous, 460) << "all of it is in the upper half";
}

TEST_F(Look, BothFieldsOfTheSearchBeginAtOneEdge) {
  for (const char* name : {"en", "zh_CN"}) {
    window->setLanguage(QLatin1String(name));
    window->actions().action(QStringLiteral("edit.replace"))->trigger();
    QTest::qWait(30);
    const auto fields = window->findChild<FindBar*>()->findChildren<QLineEdit*>();
    ASSERT_EQ(fields.size(), 2);
    EXPECT_EQ(fields[0]->mapTo(window.get(), QPoint()).x(), fields[1]->mapTo(window.get(), QPoint()).x())
        << name;
  }
}

TEST_F(Look, BannersHaveAnEdgeInEachTheme) {
  window->banners().raiseBanner(QStringLiteral("a"), Banner::Kind::error,
                                [] { return QStringLiteral("wrong"); });
  for (const ThemeId id : themes()) {
    window->setTheme(id);
    QTest::qWait(30);
    const auto* banner = window->banners().banner(QStringLiteral("a"));
    const QImage image = const_cast<Banner*>(banner)->grab().toImage();
    EXPECT_EQ(image.pixelColor(1, image.height() / 2), colour(id, Role::error));
  }
}

/// How far a menu's separators stand out from its paper.
TEST_F(Look, SeparatorsOfMenusAreSeenInEachTheme) {
  QMenu* menu = window->menuBar()->actions().front()->menu();
  const QAction* separator = nullptr;
  for (const QAction* action : menu->actions())
    if (action->isSeparator()) separator = action;
  ASSERT_NE(separator, nullptr);
  for (const ThemeId id : themes()) {
    window->setTheme(id);
    menu->popup({0, 0});
    QTest::qWait(30);
    const QImage image = menu->grab().toImage();
    const QRect place = menu->actionGeometry(const_cast<QAction*>(separator));
    double most = 0;
    for (int y = place.top(); y <= place.bottom(); ++y)
      most = std::max(most, contrast(image.pixelColor(place.center().x(), y), colour(id, Role::window)));
    menu->hide();
    EXPECT_GE(most, id == ThemeId::highContrast ? 7 : 3) << nameOf(id).toStdString();
  }
}

double mostContrast(QWidget& widget, const QColor& paper) {
  const QImage image = widget.grab().toImage();
  double most = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) most = std::max(most, contrast(image.pixelColor(x, y), paper));
  return most;
}

TEST_F(Look, ScrollBarsAndButtonsOfPanesAreSeenInEachTheme) {
  QScrollBar bar(Qt::Vertical, window.get());
  bar.setRange(0, 100);
  bar.setPageStep(50);
  bar.resize(bar.sizeHint().width(), 200);
  bar.show();
  auto* close = window->panes()
                    .dock(PaneId::setup)
                    ->findChild<QAbstractButton*>(QStringLiteral("qt_dockwidget_closebutton"));
  ASSERT_NE(close, nullptr);
  for (const ThemeId id : themes()) {
    window->setTheme(id);
    QTest::qWait(30);
    const double least = id == ThemeId::highContrast ? 7 : 3;
    EXPECT_GE(mostContrast(*close, colour(id, Role::window)), least) << nameOf(id).toStdString();
    // Between its arrows: the slider.
    const QImage image = bar.grab(QRect(0, 40, bar.width(), 40)).toImage();
    double edge = 0;
    for (int x = 0; x < image.width(); ++x)
      edge = std::max(edge, contrast(image.pixelColor(x, image.height() / 2), colour(id, Role::window)));
    EXPECT_GE(edge, least) << nameOf(id).toStdString();
  }
}

TEST_F(Look, FormsAreNotCutByTheirScrollBars) {
  window->chooseProblem(QStringLiteral("softmax"));
  for (const char* name : {"zh_CN", "en"}) {
    window->resize(1024, 700);
    window->panes().arrange(Arrangement::work);
    window->setLanguage(QLatin1String(name));
    for (int round = 0; round < 4; ++round) QTest::qWait(30);
    for (const QScrollArea* area : window->findChildren<QScrollArea*>())
      if (area->isVisible() && area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff) {
        EXPECT_LE(area->widget()->width(), area->viewport()->width())
            << name << ": " << area->widget()->metaObject()->className();
      }
  }
}

TEST_F(Look, EmptyFieldsOfTheLaunchSayWhatHoldsThen) {
  for (const char* key : {"kernel", "grid", "shared", "args", "arch"})
    EXPECT_FALSE(window->launchForm().field(QLatin1String(key))->placeholderText().isEmpty()) << key;
  EXPECT_EQ(window->launchForm().field(QStringLiteral("args"))->placeholderText(),
            QStringLiteral("matched by name"));
}

}  // namespace
}  // namespace ridge::desktop
