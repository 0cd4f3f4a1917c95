// SPDX-License-Identifier: GPL-3.0-or-later
#include "ts_file.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>
#include <algorithm>

namespace ridge::desktop {
namespace {

QString textOf(const QString& name) {
  QFile file(name);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Adjacent literals as one text.
QString unquoted(const QString& literals) {
  static const QRegularExpression literal(QStringLiteral(R"re("((?:\\.|[^"\\])*)")re"));
  QString text;
  for (auto it = literal.globalMatch(literals); it.hasNext();) text += it.next().captured(1);
  return text.replace(QStringLiteral("\\n"), QStringLiteral("\n"))
      .replace(QStringLiteral("\\\""), QStringLiteral("\""))
      .replace(QStringLiteral("\\\\"), QStringLiteral("\\"));
}

}  // namespace

std::vector<Message> messagesOf(const QString& file) {
  std::vector<Message> messages;
  QXmlStreamReader xml(textOf(file));
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

QString translationFile(const char* stem, const char* language) {
  return QStringLiteral(RIDGE_SOURCE_DIR "/resources/translations/%1_%2.ts")
      .arg(QLatin1String(stem), QLatin1String(language));
}

std::vector<QString> corePatterns() {
  static const QRegularExpression comment(QStringLiteral("^\\s*//.*$"), QRegularExpression::MultilineOption);
  static const QRegularExpression call(
      QStringLiteral(R"re(\b(?:say|phrase(?:<\d+>)?)\(\s*((?:"(?:\\.|[^"\\])*"\s*)+))re"));
  QStringList files;
  for (const char* folder : {"core", "app/desktop"}) {
    QDirIterator it(QStringLiteral(RIDGE_SOURCE_DIR "/") + QLatin1String(folder),
                    {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) files << it.next();
  }
  files.sort();
  std::vector<QString> patterns;
  QSet<QString> known;
  for (const QString& file : files) {
    const QString text = textOf(file).remove(comment);
    for (auto it = call.globalMatch(text); it.hasNext();) {
      const QString pattern = unquoted(it.next().captured(1));
      if (known.contains(pattern)) continue;
      known.insert(pattern);
      patterns.push_back(pattern);
    }
  }
  return patterns;
}

std::vector<int> placesOf(const QString& pattern) {
  static const QRegularExpression place(QStringLiteral("\\{(\\d?)\\}"));
  std::vector<int> places;
  int next = 0;
  for (auto it = place.globalMatch(pattern); it.hasNext();) {
    const QString number = it.next().captured(1);
    places.push_back(number.isEmpty() ? next++ : number.toInt());
  }
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace ridge::desktop
