// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion with outlines of the theme. Fusion darkens the window's colour for its outlines, which nobody sees
// on dark paper: check boxes, fields, tabs, scroll bars and the buttons of panes would have no edge.
#pragma once

#include <QProxyStyle>

#include "theme/tokens.h"

namespace ridge::desktop {

class Style : public QProxyStyle {
  Q_OBJECT

 public:
  Style();
  void setTheme(ThemeId theme) { theme_ = theme; }

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;

 private:
  QColor colourOf(Role role) const { return colour(theme_, role); }
  void outline(QPainter* painter, const QStyleOption* option) const;
  void checkBox(const QStyleOption* option, QPainter* painter) const;
  void paneButton(const QStyleOption* option, QPainter* painter, bool closes) const;
  void grip(const QStyleOption* option, QPainter* painter) const;

  ThemeId theme_ = ThemeId::light;
};

}  // namespace ridge::desktop
