// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/tokens.h"

#include <array>
#include <cmath>

namespace ridge::desktop {
namespace {

struct Token {
  Role role;
  QRgb light, dark, highContrast;
};

// One row a role. Light and dark keep 4.5:1 for text on its papers; high contrast keeps 7:1.
constexpr std::array<Token, kRoleCount> kTokens{{
    {Role::window, 0xfff1f3f5, 0xff1e2227, 0xff000000},
    {Role::windowText, 0xff1b1f24, 0xffdfe3e8, 0xffffffff},
    {Role::base, 0xffffffff, 0xff16191d, 0xff000000},
    {Role::alternateBase, 0xfff6f8fa, 0xff1c2025, 0xff101010},
    {Role::text, 0xff1b1f24, 0xffe4e8ec, 0xffffffff},
    {Role::button, 0xffe6e9ed, 0xff2b3138, 0xff000000},
    {Role::buttonText, 0xff1b1f24, 0xffe4e8ec, 0xffffffff},
    {Role::highlight, 0xff0b5cad, 0xff2f6fb3, 0xffffff00},
    {Role::highlightedText, 0xffffffff, 0xffffffff, 0xff000000},
    {Role::link, 0xff0b5cad, 0xff7ab8f5, 0xff80d0ff},
    {Role::placeholder, 0xff5d6670, 0xff9aa4ae, 0xffd0d0d0},
    {Role::tooltip, 0xff2b3138, 0xffe4e8ec, 0xffffffff},
    {Role::tooltipText, 0xffffffff, 0xff16191d, 0xff000000},
    {Role::disabledText, 0xff616a74, 0xff959fa9, 0xffb8b8b8},
    {Role::border, 0xffc4cad1, 0xff3b434c, 0xffffffff},
    {Role::outline, 0xff848d96, 0xff6f7a85, 0xffffffff},
    {Role::focus, 0xff0b5cad, 0xff5aa2ea, 0xffffff00},
    {Role::caretLine, 0xffeef4fb, 0xff20272f, 0xff202020},
    {Role::margin, 0xfff1f3f5, 0xff1b1f24, 0xff000000},
    {Role::marginText, 0xff5d6670, 0xff8f99a4, 0xffffffff},
    {Role::comment, 0xff52656b, 0xff8d9aa6, 0xffc0c0c0},
    {Role::keyword, 0xff7a2a9c, 0xffd39af0, 0xffff9dff},
    {Role::cudaKeyword, 0xff9c3a00, 0xfff0a36b, 0xffffc080},
    {Role::type, 0xff0b5cad, 0xff7ab8f5, 0xff80d0ff},
    {Role::string, 0xff1d6b2c, 0xff8fd19e, 0xffa0ffa0},
    {Role::number, 0xff0a6570, 0xff74cdd8, 0xff80ffff},
    {Role::preprocessor, 0xff7d4b00, 0xffdcb566, 0xffffe080},
    {Role::directive, 0xff00655a, 0xff5fd3c0, 0xff80ffe0},
    {Role::brace, 0xffd3e4f7, 0xff35506b, 0xff404000},
    {Role::error, 0xffb3261e, 0xffff8a80, 0xffff9a9a},
    {Role::warning, 0xff855300, 0xfff2bd5b, 0xffffe000},
    {Role::note, 0xff0b5cad, 0xff7ab8f5, 0xff80d0ff},
    {Role::pass, 0xff1d6b2c, 0xff8fd19e, 0xffa0ffa0},
    {Role::bannerError, 0xfffbe3e1, 0xff4a1f1c, 0xff000000},
    {Role::bannerWarning, 0xfffdf0d5, 0xff43340f, 0xff000000},
    {Role::bannerNote, 0xffe1eefb, 0xff1c3348, 0xff000000},
    {Role::bannerText, 0xff1b1f24, 0xfff2f4f6, 0xffffffff},
    {Role::grid, 0xffd5dae0, 0xff363d45, 0xff707070},
    {Role::subGrid, 0xffebeef1, 0xff262b31, 0xff303030},
    {Role::axis, 0xff3c444d, 0xffb9c1c9, 0xffffffff},
    {Role::roof, 0xff3c444d, 0xffc8d0d8, 0xffffffff},
    {Role::alarm, 0xffc21807, 0xffff7a6b, 0xffff6060},
}};

struct SeriesToken {
  QRgb light, dark, highContrast;
};
// Told apart with the common kinds of colour blindness (after Okabe and Ito), at least 3:1 on the chart's
// paper.
constexpr std::array<SeriesToken, kSeriesColours> kSeries{{
    {0xff0072b2, 0xff56b4e9, 0xff56b4e9},
    {0xffc25100, 0xffff9e4a, 0xffff9e4a},
    {0xff00805e, 0xff2fc79b, 0xff2fe0a8},
    {0xff9b4a7f, 0xffe29bc8, 0xffff9be0},
    {0xff6f5f00, 0xffe8d44d, 0xffffff40},
    {0xff5546b8, 0xffa79cf5, 0xffbdb4ff},
    {0xff7a3b2a, 0xffd49a86, 0xffffc0a8},
    {0xff4d5761, 0xffb4bec8, 0xffffffff},
}};

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
  return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

template <class T>
QColor pick(const T& token, ThemeId theme) {
  switch (theme) {
    case ThemeId::light:
      return QColor::fromRgba(token.light);
    case ThemeId::dark:
      return QColor::fromRgba(token.dark);
    case ThemeId::highContrast:
      return QColor::fromRgba(token.highContrast);
  }
  return {};
}

}  // namespace

QColor colour(ThemeId theme, Role role) {
  return pick(kTokens[static_cast<std::size_t>(role)], theme);
}

QColor seriesColour(ThemeId theme, int index) {
  return pick(kSeries[static_cast<std::size_t>(index) % kSeries.size()], theme);
}

double contrast(const QColor& a, const QColor& b) {
  const double first = luminance(a), second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

const std::vector<TextPair>& textPairs() {
  static const std::vector<TextPair> pairs{{Role::windowText, Role::window},
                                           {Role::text, Role::base},
                                           {Role::text, Role::alternateBase},
                                           {Role::buttonText, Role::button},
                                           {Role::highlightedText, Role::highlight},
                                           {Role::link, Role::base},
                                           {Role::link, Role::window},
                                           {Role::placeholder, Role::base},
                                           {Role::tooltipText, Role::tooltip},
                                           {Role::disabledText, Role::window},
                                           {Role::disabledText, Role::base},
                                           {Role::text, Role::caretLine},
                                           {Role::marginText, Role::margin},
                                           {Role::comment, Role::base},
                                           {Role::comment, Role::caretLine},
                                           {Role::keyword, Role::base},
                                           {Role::cudaKeyword, Role::base},
                                           {Role::type, Role::base},
                                           {Role::string, Role::base},
                                           {Role::number, Role::base},
                                           {Role::preprocessor, Role::base},
                                           {Role::directive, Role::base},
                                           {Role::keyword, Role::caretLine},
                                           {Role::cudaKeyword, Role::caretLine},
                                           {Role::type, Role::caretLine},
                                           {Role::string, Role::caretLine},
                                           {Role::number, Role::caretLine},
                                           {Role::preprocessor, Role::caretLine},
                                           {Role::directive, Role::caretLine},
                                           {Role::text, Role::brace},
                                           {Role::error, Role::base},
                                           {Role::warning, Role::base},
                                           {Role::note, Role::base},
                                           {Role::pass, Role::base},
                                           {Role::error, Role::window},
                                           {Role::warning, Role::window},
                                           {Role::note, Role::window},
                                           {Role::pass, Role::window},
                                           {Role::bannerText, Role::bannerError},
                                           {Role::bannerText, Role::bannerWarning},
                                           {Role::bannerText, Role::bannerNote},
                                           {Role::error, Role::bannerError},
                                           {Role::warning, Role::bannerWarning},
                                           {Role::note, Role::bannerNote},
                                           {Role::axis, Role::base},
                                           {Role::roof, Role::base},
                                           {Role::alarm, Role::base}};
  return pairs;
}

const std::vector<ThemeId>& themes() {
  static const std::vector<ThemeId> all{ThemeId::light, ThemeId::dark, ThemeId::highContrast};
  return all;
}

QString nameOf(ThemeId theme) {
  switch (theme) {
    case ThemeId::light:
      return QStringLiteral("light");
    case ThemeId::dark:
      return QStringLiteral("dark");
    case ThemeId::highContrast:
      return QStringLiteral("high-contrast");
  }
  return {};
}

ThemeId themeNamed(const QString& name, ThemeId fallback) {
  for (const ThemeId theme : themes())
    if (nameOf(theme) == name) return theme;
  return fallback;
}

}  // namespace ridge::desktop
