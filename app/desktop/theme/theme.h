// SPDX-License-Identifier: GPL-3.0-or-later
// The theme in use. Widgets ask it for colours and redraw on changed().
#pragma once

#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>

#include "theme/tokens.h"

namespace ridge::desktop {

class Theme : public QObject {
  Q_OBJECT

 public:
  explicit Theme(QObject* parent = nullptr);

  ThemeId current() const { return current_; }
  /// Switches the whole application at once: style, palette, then changed().
  void setCurrent(ThemeId theme);
  QColor operator()(Role role) const { return colour(current_, role); }
  QColor series(int index) const { return seriesColour(current_, index); }
  bool isDark() const { return current_ != ThemeId::light; }

  /// An icon of resources/icons, drawn in the theme's text colour.
  QIcon icon(const QString& name) const;
  /// The fixed-width font of code.
  static QFont codeFont();

 signals:
  void changed();

 private:
  ThemeId current_ = ThemeId::light;
};

/// All three groups set: a palette made from a few colours leaves Disabled and Inactive unreadable.
QPalette paletteOf(ThemeId theme);

}  // namespace ridge::desktop
