// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QSettings>
#include <QTimer>
#include <cstdio>

#include "base/version.h"
#include "shell/demo.h"
#include "shell/main_window.h"

using namespace ridge::desktop;

int main(int argc, char** argv) {
  if (const double scale = scaleOption(argc, argv); scale > 0)
    qputenv("QT_SCALE_FACTOR", QByteArray::number(scale));
  if (wantsOffscreen(argc, argv)) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("ridgepoint"));
  QApplication::setOrganizationName(QStringLiteral("ridgepoint"));
  QApplication::setApplicationVersion(QLatin1String(ridge::kVersion));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/ridgepoint.svg")));
  const auto options = parseOptions(QApplication::arguments());
  if (!options) {
    std::fprintf(stderr, "ridgepoint: %s %s\n", options.error().message.english().c_str(),
                 options.error().hint.english().c_str());
    return 2;
  }
  if (options->help || options->version) {
    std::puts(options->help ? qPrintable(options->helpText) : ridge::kVersion);
    return 0;
  }
  Theme theme;
  Language language;
  const QSettings settings;
  const auto setting = [&](const char* key, const QString& fallback) {
    return options->keepSettings ? settings.value(QLatin1String(key), fallback).toString() : fallback;
  };
  const QString themeName =
      options->theme.isEmpty() ? setting("theme", QStringLiteral("light")) : options->theme;
  const QString languageName = !options->language.isEmpty() ? options->language
                               : options->keepSettings      ? setting("language", Language::preferred())
                                                            : QStringLiteral("en");
  theme.setCurrent(themeNamed(themeName, ThemeId::light));
  language.setCurrent(languageName);
  MainWindow window(theme, language, *options);
  window.setTheme(theme.current());
  window.setLanguage(languageName);
  window.show();
  window.openAtStart(*options);

  if (!options->demo.isEmpty()) {
    auto* demo = new Demo(window, options->demo);
    QObject::connect(demo, &Demo::done, &application, [](int status) { QApplication::exit(status); });
    QTimer::singleShot(0, demo, &Demo::begin);
  } else if (!options->screenshot.isEmpty()) {
    // Long enough for the first live compilation to arrive.
    QTimer::singleShot(2500, &window, [&] {
      const bool saved = window.grab().save(options->screenshot);
      if (!saved)
        std::fprintf(stderr, "ridgepoint: %s could not be written.\n", qPrintable(options->screenshot));
      QApplication::exit(saved ? 0 : 3);
    });
  }
  return QApplication::exec();
}
