// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels and sessions that were open before, newest first.
#pragma once

#include <QStringList>

namespace ridge::desktop {

class RecentFiles {
 public:
  /// `keep`: across starts, in the settings.
  explicit RecentFiles(bool keep);
  void add(const QString& file);
  void remove(const QString& file);
  const QStringList& files() const { return files_; }

 private:
  void store() const;

  bool keep_;
  QStringList files_;
};

}  // namespace ridge::desktop
