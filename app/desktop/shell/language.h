// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window, switched at run time. Files, logs and numbers are the same in every language.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTranslator>
#include <functional>

#include "base/diagnostic.h"

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
  QTranslator own_, core_, qt_;
  QString current_;
};

/// What core/ says, in the language of the window. Its patterns are the context "core" of the translations.
QString words(const Sentence& sentence);
QString words(const Error& error);            ///< with the way out
QString words(const Diagnostic& diagnostic);  ///< with its place, kind and way out

/// How to say a text: what stays on the screen is said again when the language changes.
using Saying = std::function<QString()>;

template <class Said>
Saying sayingOf(Said what) {
  return [what = std::move(what)] { return words(what); };
}

}  // namespace ridge::desktop
