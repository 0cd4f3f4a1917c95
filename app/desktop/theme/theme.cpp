// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QPainter>
#include <QSvgRenderer>
#include <QToolTip>

#include "theme/style.h"

namespace ridge::desktop {

QPalette paletteOf(ThemeId theme) {
  const auto c = [theme](Role role) { return colour(theme, role); };
  QPalette palette;
  for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
    const bool off = group == QPalette::Disabled;
    palette.setColor(group, QPalette::Window, c(Role::window));
    palette.setColor(group, QPalette::WindowText, c(off ? Role::disabledText : Role::windowText));
    palette.setColor(group, QPalette::Base, c(off ? Role::window : Role::base));
    palette.setColor(group, QPalette::AlternateBase, c(Role::alternateBase));
    palette.setColor(group, QPalette::Text, c(off ? Role::disabledText : Role::text));
    palette.setColor(group, QPalette::Button, c(Role::button));
    palette.setColor(group, QPalette::ButtonText, c(off ? Role::disabledText : Role::buttonText));
    palette.setColor(group, QPalette::BrightText, c(Role::error));
    palette.setColor(group, QPalette::Highlight, c(off ? Role::window : Role::highlight));
    palette.setColor(group, QPalette::HighlightedText, c(off ? Role::disabledText : Role::highlightedText));
    palette.setColor(group, QPalette::Link, c(Role::link));
    palette.setColor(group, QPalette::LinkVisited, c(Role::link));
    palette.setColor(group, QPalette::PlaceholderText, c(Role::placeholder));
    palette.setColor(group, QPalette::ToolTipBase, c(Role::tooltip));
    palette.setColor(group, QPalette::ToolTipText, c(Role::tooltipText));
    palette.setColor(group, QPalette::Light, c(Role::alternateBase));
    palette.setColor(group, QPalette::Midlight, c(Role::button));
    palette.setColor(group, QPalette::Mid, c(Role::border));
    palette.setColor(group, QPalette::Dark, c(Role::border));
    palette.setColor(group, QPalette::Shadow, theme == ThemeId::light ? c(Role::border) : QColor(Qt::black));
  }
  return palette;
}

Theme::Theme(QObject* parent) : QObject(parent) {}

void Theme::setCurrent(ThemeId theme) {
  current_ = theme;
  auto* style = qobject_cast<Style*>(QApplication::style());
  if (!style) QApplication::setStyle(style = new Style);
  style->setTheme(theme);
  const QPalette palette = paletteOf(theme);
  QApplication::setPalette(palette);
  QToolTip::setPalette(palette);
  emit changed();
}

QIcon Theme::icon(const QString& name) const {
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QByteArray drawing = file.readAll();
  QIcon icon;
  const auto add = [&](QIcon::Mode mode, Role role) {
    QByteArray tinted = drawing;
    tinted.replace("currentColor", (*this)(role).name().toLatin1());
    QSvgRenderer renderer(tinted);
    for (const int size : {16, 20, 32, 40}) {
      QPixmap pixmap(size, size);
      pixmap.fill(Qt::transparent);
      QPainter painter(&pixmap);
      renderer.render(&painter);
      icon.addPixmap(pixmap, mode);
    }
  };
  add(QIcon::Normal, Role::windowText);
  add(QIcon::Disabled, Role::disabledText);
  return icon;
}

QFont Theme::codeFont() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setStyleHint(QFont::Monospace);
  font.setPointSizeF(10);
  return font;
}

}  // namespace ridge::desktop
