// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>

#include "shell/language.h"
#include "ts_file.h"

namespace ridge::desktop {
namespace {

/// The .ts file after taking in what the source says now.
QString updated(const char* language, const QTemporaryDir& folder, const QStringList& options) {
  const QString copy = folder.filePath(QStringLiteral("copy.ts"));
  QFile::copy(translationFile("ridgepoint", language), copy);
  QProcess lupdate;
  lupdate.start(
      QStringLiteral(RIDGE_LUPDATE),
      QStringList{QStringLiteral("-silent"), QStringLiteral("-no-obsolete"), QStringLiteral("-locations"),
                  QStringLiteral("none")} +
          options +
          QStringList{QStringLiteral(RIDGE_SOURCE_DIR "/app/desktop"), QStringLiteral("-ts"), copy});
  lupdate.waitForFinished(60000);
  return lupdate.exitCode() == 0 ? copy : QString();
}

TEST(Translation, ChineseIsComplete) {
  const QTemporaryDir folder;
  const QString file = updated("zh_CN", folder, {});
  ASSERT_FALSE(file.isEmpty()) << "lupdate failed";
  const auto messages = messagesOf(file);
  EXPECT_GT(messages.size(), 300u);
  for (const Message& message : messages)
    EXPECT_TRUE(message.finished && !message.translation.isEmpty())
        << message.context.toStdString() << ": " << message.source.toStdString();
}

TEST(Translation, EnglishHasItsPlurals) {
  const QTemporaryDir folder;
  const QString file = updated("en", folder, {QStringLiteral("-pluralonly")});
  ASSERT_FALSE(file.isEmpty()) << "lupdate failed";
  const auto messages = messagesOf(file);
  EXPECT_GE(messages.size(), 5u);
  for (const Message& message : messages) {
    EXPECT_TRUE(message.finished && !message.translation.isEmpty()) << message.source.toStdString();
    EXPECT_FALSE(message.translation.contains(QStringLiteral("(s)"))) << message.source.toStdString();
  }
}

TEST(Translation, KeepsPlaceholders) {
  static const QRegularExpression marker(QStringLiteral("%(\\d|n)"));
  for (const Message& message : messagesOf(translationFile("ridgepoint", "zh_CN"))) {
    QSet<QString> wanted, got;
    for (auto it = marker.globalMatch(message.source); it.hasNext();) wanted.insert(it.next().captured());
    for (auto it = marker.globalMatch(message.translation); it.hasNext();) got.insert(it.next().captured());
    EXPECT_EQ(wanted, got) << message.source.toStdString() << " -> " << message.translation.toStdString();
  }
}

TEST(Translation, HelpPagesHaveAChineseTwinWithTheSameSections) {
  const QDir english(QStringLiteral(RIDGE_SOURCE_DIR "/resources/help"));
  const auto shape = [](const QString& name) {
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly)) return QStringList();
    QStringList lines;
    for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
      if (line.startsWith(QLatin1Char('#'))) lines << line.section(QLatin1Char(' '), 0, 0);
      if (line.startsWith(QLatin1String("```"))) lines << line;
    }
    return lines;
  };
  int pages = 0;
  for (const QFileInfo& info : english.entryInfoList({QStringLiteral("*.md")}, QDir::Files)) {
    ++pages;
    EXPECT_EQ(shape(info.filePath()), shape(english.filePath(QStringLiteral("zh_CN/") + info.fileName())))
        << info.fileName().toStdString();
  }
  EXPECT_GE(pages, 7);
}

TEST(Language, SwitchesAndRefusesUnknownOnes) {
  Language language;
  EXPECT_TRUE(language.setCurrent(QStringLiteral("zh_CN")));
  EXPECT_EQ(QCoreApplication::translate("Series", "pass"), QStringLiteral("通过"));
  EXPECT_FALSE(language.setCurrent(QStringLiteral("tlh")));
  EXPECT_EQ(language.current(), QStringLiteral("zh_CN"));
  EXPECT_TRUE(language.setCurrent(QStringLiteral("en")));
  EXPECT_EQ(QCoreApplication::translate("Series", "pass"), QStringLiteral("pass"));
}

}  // namespace
}  // namespace ridge::desktop
