// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/recent_files.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace ridge::desktop {
namespace {

constexpr qsizetype kMost = 20;
const QString kKey = QStringLiteral("recent");

QString whole(const QString& file) {
  return QDir::cleanPath(QFileInfo(file).absoluteFilePath());
}

}  // namespace

RecentFiles::RecentFiles(bool keep) : keep_(keep) {
  if (keep_) files_ = QSettings().value(kKey).toStringList();
}

void RecentFiles::add(const QString& file) {
  files_.removeAll(whole(file));
  files_.prepend(whole(file));
  files_ = files_.mid(0, kMost);
  store();
}

void RecentFiles::remove(const QString& file) {
  files_.removeAll(whole(file));
  store();
}

void RecentFiles::store() const {
  if (keep_) QSettings().setValue(kKey, files_);
}

}  // namespace ridge::desktop
