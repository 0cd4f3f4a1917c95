// SPDX-License-Identifier: GPL-3.0-or-later
// GUI tests need an application, settings of their own, and no display.
#include <gtest/gtest.h>

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("ridgepoint-tests"));
  QApplication::setOrganizationName(QStringLiteral("ridgepoint-tests"));
  const QTemporaryDir settings;
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  QStandardPaths::setTestModeEnabled(true);
  return RUN_ALL_TESTS();
}
