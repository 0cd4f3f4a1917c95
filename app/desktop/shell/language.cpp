// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace ridge::desktop {

Language::Language(QObject* parent) : QObject(parent) {}

QStringList Language::available() {
  return {QStringLiteral("en"), QStringLiteral("zh_CN")};
}

QString Language::preferred() {
  return QLocale::system().language() == QLocale::Chinese ? QStringLiteral("zh_CN") : QStringLiteral("en");
}

bool Language::setCurrent(const QString& name) {
  if (!available().contains(name)) return false;
  if (name == current_) return true;
  QCoreApplication::removeTranslator(&own_);
  QCoreApplication::removeTranslator(&core_);
  QCoreApplication::removeTranslator(&qt_);
  QLocale::setDefault(QLocale(name));
  current_ = name;
  // English has a file as well: its plural forms.
  if (qt_.load(QStringLiteral("qtbase_") + name, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    QCoreApplication::installTranslator(&qt_);
  if (core_.load(QStringLiteral(":/i18n/core_") + name)) QCoreApplication::installTranslator(&core_);
  if (own_.load(QStringLiteral(":/i18n/ridgepoint_") + name)) QCoreApplication::installTranslator(&own_);
  return true;
}

QString words(const Sentence& sentence) {
  if (!sentence.has_pattern()) return QString::fromStdString(sentence.english());
  std::vector<std::string> arguments;
  for (const Sentence& argument : sentence.arguments()) arguments.push_back(words(argument).toStdString());
  const QString pattern = QCoreApplication::translate("core", sentence.pattern().c_str());
  return QString::fromStdString(fill(pattern.toStdString(), arguments));
}

QString words(const Error& error) {
  if (error.hint.empty() || error.message.english().ends_with('.'))
    return words(join(error.message, error.hint));
  return words(error.message) + QStringLiteral(" — ") + words(error.hint);
}

QString words(const Diagnostic& diagnostic) {
  QString place = QString::fromStdString(diagnostic.file);
  if (!place.isEmpty() && diagnostic.line > 0) {
    place += QStringLiteral(":%1").arg(diagnostic.line);
    if (diagnostic.column > 0) place += QStringLiteral(":%1").arg(diagnostic.column);
  }
  const QString kind = diagnostic.severity == Severity::error     ? Language::tr("error")
                       : diagnostic.severity == Severity::warning ? Language::tr("warning")
                                                                  : Language::tr("note");
  QString text = place.isEmpty() ? kind : place + QStringLiteral(": ") + kind;
  text += QStringLiteral(": ") + words(diagnostic.message);
  if (!diagnostic.hint.empty()) text += QStringLiteral(" (%1)").arg(words(diagnostic.hint));
  return text;
}

}  // namespace ridge::desktop
