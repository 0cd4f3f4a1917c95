// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include "shell/language.h"

namespace ridge::desktop {
namespace {

struct Message {
  QString context, source, translation;
  bool finished = true, plural = false;
};

std::vector<Message> messagesOf(const QString& file) {
  std::vector<Message> messages;
  QFile in(file);
  if (!in.open(QIODevice::ReadOnly)) return messages;
  QXmlStreamReader xml(&in);
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QLatin1String("name")) context = xml.readElementText();
    if (xml.name() == QLatin1String("message"))
      messages.push_back({context, {}, {}, true, xml.attributes().hasAttribute(QStringLiteral("numerus"))});
    if (xml.name() == QLatin1String("source")) messages.back().source = xml.readElementText();
    if (xml.name() == QLatin1String("translation")) {
      messages.back().finished = !xml.attributes().hasAttribute(QStringLiteral("type"));
      messages.back().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
    }
  }
  return messages;
}

QString translations(const char* language) {
  return QStringLiteral(RIDGE_SOURCE_DIR "/resources/translations/ridgepoint_%1.ts")
      .arg(QLatin1String(language));
}

/// The .ts file after taking in what the source says now.
QString updated(const char* language, const QTemporaryDir& folder, const QStringList& options) {
  const QString copy = folder.filePath(QStringLiteral("copy.ts"));
  QFile::copy(translations(language), copy);
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
  for (const Message& message : messagesOf(translations("zh_CN"))) {
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
    if (info.fileName() == QLatin1String("architecture.md")) continue;  // for developers
    ++pages;
    EXPECT_EQ(shape(info.filePath()), shape(english.filePath(QStringLiteral("zh_CN/") + info.fileName())))
        << info.fileName().toStdString();
  }
  EXPECT_GE(pages, 5);
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
