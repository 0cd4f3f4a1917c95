// SPDX-License-Identifier: GPL-3.0-or-later
// The token table: every colour of the window by its role, for each theme. QPalette, QScintilla and
// QCustomPlot are all coloured from here, so a theme is one column of one table.
#pragma once

#include <QColor>
#include <QString>
#include <vector>

namespace ridge::desktop {

enum class ThemeId { light, dark, highContrast };

enum class Role {
  // surfaces and the text on them
  window,
  windowText,
  base,
  alternateBase,
  text,
  button,
  buttonText,
  highlight,
  highlightedText,
  link,
  placeholder,
  tooltip,
  tooltipText,
  disabledText,
  border,
  outline,  ///< of check boxes, fields and lists
  focus,    ///< around what has the keyboard
  // editor
  caretLine,
  margin,
  marginText,
  comment,
  keyword,
  cudaKeyword,
  type,
  string,
  number,
  preprocessor,
  directive,
  brace,
  // meaning
  error,
  warning,
  note,
  pass,
  bannerError,
  bannerWarning,
  bannerNote,
  bannerText,
  // charts
  grid,
  subGrid,
  axis,
  roof,
  alarm
};

inline constexpr int kRoleCount = static_cast<int>(Role::alarm) + 1;
inline constexpr int kSeriesColours = 8;

QColor colour(ThemeId theme, Role role);
/// The colour of series `index` in a chart; repeats after kSeriesColours (markers and line styles tell the
/// rest apart).
QColor seriesColour(ThemeId theme, int index);

/// Contrast of WCAG 2.1: 1 to 21.
double contrast(const QColor& a, const QColor& b);

/// Text that is drawn in `text` on `paper`; each pair has a contrast of at least 4.5 in each theme.
struct TextPair {
  Role text, paper;
};
const std::vector<TextPair>& textPairs();

const std::vector<ThemeId>& themes();
/// For settings and the command line: "light", "dark", "high-contrast".
QString nameOf(ThemeId theme);
ThemeId themeNamed(const QString& name, ThemeId fallback);

}  // namespace ridge::desktop
