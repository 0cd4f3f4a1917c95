// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of `ridgepoint`.
#pragma once

#include <QString>
#include <QStringList>

#include "base/result.h"
#include "worker/worker.h"

namespace ridge::desktop {

struct Options {
  QString file;          ///< kernel to open
  QString problem;       ///< name in the library, or a folder
  QStringList sessions;  ///< .ridge files to open beside this session
  QString theme, language;
  QString device;
  QString demo;              ///< folder: run the demo off-screen, write into it, leave
  QString screenshot;        ///< file: draw the window into it, leave
  bool keepSettings = true;  ///< false: neither reads nor writes the user's layout
  worker::Launch worker;
  bool help = false, version = false;
  QString helpText;
};

Result<Options> parseOptions(const QStringList& arguments);
/// --scale acts before there is an application.
double scaleOption(int argc, char** argv);
/// Demo and screenshots need no display.
bool wantsOffscreen(int argc, char** argv);

}  // namespace ridge::desktop
