// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/options.h"

#include <QCommandLineParser>
#include <cstdlib>
#include <cstring>

#include "shell/language.h"
#include "theme/tokens.h"

namespace ridge::desktop {

double scaleOption(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--scale") == 0) {
      const double scale = std::strtod(argv[i + 1], nullptr);
      return scale >= 0.5 && scale <= 4 ? scale : 0;
    }
  return 0;
}

bool wantsOffscreen(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    for (const char* option : {"--demo", "--screenshot", "--help", "-h", "--version", "-v"})
      if (std::strncmp(argv[i], option, std::strlen(option)) == 0) return true;
  return false;
}

Result<Options> parseOptions(const QStringList& arguments) {
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Ridgepoint: a workbench for CUDA kernels."));
  parser.addPositionalArgument(QStringLiteral("file"),
                               QStringLiteral("kernel (.cu, .ptx) and session (.ridge) files to open"),
                               QStringLiteral("[files…]"));
  const auto add = [&](const char* name, const char* help, const char* value) {
    parser.addOption({QLatin1String(name), QLatin1String(help), QLatin1String(value)});
  };
  add("problem", "problem of the library, or a problem folder", "NAME");
  add("device", "auto, emulator or cuda:N", "DEVICE");
  add("theme", "light, dark or high-contrast", "THEME");
  add("language", "en or zh_CN", "LANGUAGE");
  add("scale", "draw everything this much larger (0.5 to 4)", "FACTOR");
  add("demo",
      "run the softmax and sgemm problems off-screen, write window.png, report.html and demo.ridge into DIR, "
      "print a table",
      "DIR");
  add("screenshot", "draw the window into FILE and leave", "FILE");
  add("replay", "answer device requests from a recorded transcript", "FILE");
  add("worker", "the program that serves workers instead of the `ridge` beside this one", "PROGRAM");
  const QCommandLineOption help = parser.addHelpOption(), version = parser.addVersionOption();
  const auto usage = [](const QString& text) {
    return Error{ErrorKind::usage, "usage", text.toStdString(), "See ridgepoint --help.", {}, 0};
  };
  if (!parser.parse(arguments)) return usage(parser.errorText());
  Options options;
  options.help = parser.isSet(help);
  options.version = parser.isSet(version);
  options.helpText = parser.helpText();
  for (const QString& argument : parser.positionalArguments()) {
    if (argument.endsWith(QLatin1String(".ridge"), Qt::CaseInsensitive))
      options.sessions << argument;
    else if (options.file.isEmpty())
      options.file = argument;
    else
      return usage(
          QStringLiteral("One kernel file at a time: %1 and %2 were given.").arg(options.file, argument));
  }
  options.problem = parser.value(QStringLiteral("problem"));
  options.device = parser.value(QStringLiteral("device"));
  options.theme = parser.value(QStringLiteral("theme"));
  options.language = parser.value(QStringLiteral("language"));
  options.demo = parser.value(QStringLiteral("demo"));
  options.screenshot = parser.value(QStringLiteral("screenshot"));
  options.worker.replay = parser.value(QStringLiteral("replay")).toStdString();
  options.worker.program = parser.value(QStringLiteral("worker")).toStdString();
  options.keepSettings = options.demo.isEmpty() && options.screenshot.isEmpty();
  if (!options.theme.isEmpty() && nameOf(themeNamed(options.theme, ThemeId::light)) != options.theme)
    return usage(QStringLiteral("There is no theme “%1”.").arg(options.theme));
  if (const QString scale = parser.value(QStringLiteral("scale")); !scale.isEmpty()) {
    bool number = false;
    const double factor = scale.toDouble(&number);
    if (!number || !(factor >= 0.5 && factor <= 4))
      return usage(QStringLiteral("--scale %1 is no number from 0.5 to 4.").arg(scale));
  }
  if (!options.language.isEmpty() && !Language::available().contains(options.language))
    return usage(QStringLiteral("There is no language “%1”.").arg(options.language));
  return options;
}

}  // namespace ridge::desktop
