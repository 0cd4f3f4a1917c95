// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window, switched at run time. Files, logs and numbers are the same in every language.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTranslator>

namespace ridge::desktop {

class Language : public QObject {
  Q_OBJECT

 public:
  explicit Language(QObject* parent = nullptr);
  static QStringList available();  ///< "en", "zh_CN"
  const QString& current() const { return current_; }
  /// False: there is no such language, nothing changes.
  bool setCurrent(const QString& name);
  /// What the system asks for, where we have it.
  static QString preferred();

 private:
  QTranslator own_, qt_;
  QString current_;
};

}  // namespace ridge::desktop
