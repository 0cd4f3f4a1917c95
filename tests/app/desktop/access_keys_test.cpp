// SPDX-License-Identifier: GPL-3.0-or-later
// Letters behind Alt: none does two things in one menu or one window.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QDialog>
#include <QKeySequence>
#include <QLabel>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QTest>

#include "shell/main_window.h"

namespace ridge::desktop {
namespace {

class AccessKeys : public testing::TestWithParam<const char*> {
 protected:
  AccessKeys() {
    language.setCurrent(QLatin1String(GetParam()));
    options.keepSettings = false;
    options.worker.program = "/no/such/worker";
    qputenv("RIDGE_KERNELS", RIDGE_SOURCE_DIR "/kernels");
    window = std::make_unique<MainWindow>(theme, language, options);
    window->show();
    QApplication::processEvents();
  }
  ~AccessKeys() override {
    window.reset();
    language.setCurrent(QStringLiteral("en"));
  }

  /// Returns how many of the texts have a key.
  static int expectUnique(const std::string& where, const QStringList& texts) {
    QMap<QString, QString> owners;
    for (const QString& text : texts) {
      const QString key = QKeySequence::mnemonic(text).toString();
      if (key.isEmpty()) continue;
      EXPECT_FALSE(owners.contains(key))
          << where << ": " << owners[key].toStdString() << " and " << text.toStdString();
      owners[key] = text;
    }
    return static_cast<int>(owners.size());
  }
  static QStringList textsOf(const QList<QAction*>& actions) {
    QStringList texts;
    for (const QAction* action : actions) texts << action->text();
    return texts;
  }
  /// Of the controls in one window, shown or not.
  static QStringList controlsOf(const QWidget& owner) {
    QStringList texts;
    for (const QAbstractButton* button : owner.findChildren<QAbstractButton*>())
      if (button->window() == &owner) texts << button->text();
    for (const QLabel* label : owner.findChildren<QLabel*>())
      if (label->buddy() && label->window() == &owner) texts << label->text();
    return texts;
  }
  static int menus(const QList<QAction*>& actions) {
    int seen = 0;
    for (const QAction* action : actions)
      if (const QMenu* menu = action->menu()) {
        expectUnique(action->text().toStdString(), textsOf(menu->actions()));
        seen += 1 + menus(menu->actions());
      }
    return seen;
  }

  Theme theme;
  Language language;
  Options options;
  std::unique_ptr<MainWindow> window;
};

TEST_P(AccessKeys, AreUniqueInEveryMenu) {
  EXPECT_GE(menus(window->menuBar()->actions()), 8);
}

TEST_P(AccessKeys, AreUniqueInTheWindow) {
  EXPECT_GE(expectUnique("window", textsOf(window->menuBar()->actions()) + controlsOf(*window)), 10);
}

TEST_P(AccessKeys, AreUniqueInEveryDialog) {
  for (const char* id : {"help.pages", "help.keys", "help.about"})
    window->actions().action(QLatin1String(id))->trigger();
  QTest::qWait(20);
  const auto dialogs = window->findChildren<QDialog*>();
  EXPECT_GE(dialogs.size(), 3);
  for (const QDialog* dialog : dialogs)
    expectUnique(dialog->windowTitle().toStdString(), controlsOf(*dialog));
}

INSTANTIATE_TEST_SUITE_P(Languages, AccessKeys, testing::Values("en", "zh_CN"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace ridge::desktop
