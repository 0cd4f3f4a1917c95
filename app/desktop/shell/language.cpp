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
  QCoreApplication::removeTranslator(&qt_);
  QLocale::setDefault(QLocale(name));
  current_ = name;
  // English has a file as well: its plural forms.
  if (qt_.load(QStringLiteral("qtbase_") + name, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    QCoreApplication::installTranslator(&qt_);
  if (own_.load(QStringLiteral(":/i18n/ridgepoint_") + name)) QCoreApplication::installTranslator(&own_);
  return true;
}

}  // namespace ridge::desktop
