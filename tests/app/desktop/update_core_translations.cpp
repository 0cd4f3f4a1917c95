// SPDX-License-Identifier: GPL-3.0-or-later
// `update_core_translations FILE.ts`: takes new sentences of core/ into a file of translations and drops what
// nothing says any more. lupdate does the same for tr().
#include <QCoreApplication>
#include <QMap>
#include <QSaveFile>
#include <cstdio>

#include "ts_file.h"

int main(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: update_core_translations FILE.ts\n");
    return 2;
  }
  const QString name = QString::fromLocal8Bit(argv[1]);
  QMap<QString, ridge::desktop::Message> known;
  for (const ridge::desktop::Message& message : ridge::desktop::messagesOf(name))
    known[message.source] = message;
  const QString language = name.section(QStringLiteral("core_"), -1).section(QLatin1Char('.'), 0, 0);
  QString text = QStringLiteral(
                     "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\" "
                     "language=\"%1\">\n<context>\n    <name>core</name>\n")
                     .arg(language);
  int unfinished = 0;
  const auto escaped = [](QString words) {
    return words.toHtmlEscaped().replace(QLatin1Char('\''), QStringLiteral("&apos;"));
  };
  for (const QString& pattern : ridge::desktop::corePatterns()) {
    const ridge::desktop::Message message = known.value(pattern);
    const bool done = message.finished && !message.translation.isEmpty();
    unfinished += done ? 0 : 1;
    text += QStringLiteral(
                "    <message>\n        <source>%1</source>\n        <translation%2>%3</translation>\n")
                .arg(escaped(pattern), done ? QString() : QStringLiteral(" type=\"unfinished\""),
                     escaped(message.translation)) +
            QStringLiteral("    </message>\n");
  }
  text += QStringLiteral("</context>\n</TS>\n");
  QSaveFile file(name);
  if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0 || !file.commit()) {
    std::fprintf(stderr, "%s could not be written\n", qPrintable(name));
    return 1;
  }
  if (unfinished > 0)
    std::printf("%d sentences of core/ wait for a translation in %s\n", unfinished, qPrintable(name));
  return 0;
}
