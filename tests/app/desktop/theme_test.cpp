// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QListWidget>

namespace ridge::desktop {
namespace {

class EachTheme : public testing::TestWithParam<ThemeId> {};

TEST_P(EachTheme, TextHasContrast) {
  for (const TextPair& pair : textPairs())
    EXPECT_GE(contrast(colour(GetParam(), pair.text), colour(GetParam(), pair.paper)), 4.5)
        << "role " << static_cast<int>(pair.text) << " on role " << static_cast<int>(pair.paper);
}

TEST_P(EachTheme, SeriesStandOutFromThePaper) {
  for (int i = 0; i < kSeriesColours; ++i)
    EXPECT_GE(contrast(seriesColour(GetParam(), i), colour(GetParam(), Role::base)), 3) << "series " << i;
}

TEST_P(EachTheme, SeriesDifferFromEachOther) {
  for (int i = 0; i < kSeriesColours; ++i)
    for (int j = 0; j < i; ++j) EXPECT_NE(seriesColour(GetParam(), i), seriesColour(GetParam(), j));
}

TEST_P(EachTheme, EveryGroupOfThePaletteIsReadable) {
  const QPalette palette = paletteOf(GetParam());
  for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
    EXPECT_GE(contrast(palette.color(group, QPalette::Text), palette.color(group, QPalette::Base)), 4.5)
        << group;
    EXPECT_GE(contrast(palette.color(group, QPalette::WindowText), palette.color(group, QPalette::Window)),
              4.5)
        << group;
    EXPECT_GE(
        contrast(palette.color(group, QPalette::HighlightedText), palette.color(group, QPalette::Highlight)),
        4.5)
        << group;
    EXPECT_GE(
        contrast(palette.color(group, QPalette::ToolTipText), palette.color(group, QPalette::ToolTipBase)),
        4.5)
        << group;
    EXPECT_GE(contrast(palette.color(group, QPalette::PlaceholderText),
                       palette.color(QPalette::Active, QPalette::Base)),
              4.5)
        << group;
  }
}

INSTANTIATE_TEST_SUITE_P(Themes, EachTheme, testing::ValuesIn(themes()), [](const auto& parameter) {
  return nameOf(parameter.param).remove(QLatin1Char('-')).toStdString();
});

TEST_P(EachTheme, AnEmptyCheckBoxHasAnEdgeOneCanSee) {
  Theme theme;
  theme.setCurrent(GetParam());
  QListWidget list;
  list.resize(120, 60);
  auto* item = new QListWidgetItem(QStringLiteral("a"), &list);
  item->setCheckState(Qt::Unchecked);
  const QImage image = list.grab().toImage();
  const QRect row = list.visualItemRect(item).translated(list.viewport()->pos());
  double strongest = 0;
  for (int y = row.top(); y < row.bottom(); ++y)
    for (int x = row.left(); x < row.left() + 18; ++x)
      strongest = std::max(strongest, contrast(image.pixelColor(x, y), colour(GetParam(), Role::base)));
  EXPECT_GE(strongest, 3);
  EXPECT_GE(contrast(colour(GetParam(), Role::outline), colour(GetParam(), Role::window)), 3);
  EXPECT_GE(contrast(colour(GetParam(), Role::focus), colour(GetParam(), Role::window)), 3);
  theme.setCurrent(ThemeId::light);
}

TEST(Theme, SwitchesTheApplicationAtRunTime) {
  Theme theme;
  int changes = 0;
  QObject::connect(&theme, &Theme::changed, [&] { ++changes; });
  theme.setCurrent(ThemeId::dark);
  EXPECT_EQ(QApplication::palette().color(QPalette::Window), colour(ThemeId::dark, Role::window));
  theme.setCurrent(ThemeId::light);
  EXPECT_EQ(QApplication::palette().color(QPalette::Window), colour(ThemeId::light, Role::window));
  EXPECT_EQ(changes, 2);
}

TEST(Theme, NamesComeBack) {
  for (const ThemeId theme : themes()) EXPECT_EQ(themeNamed(nameOf(theme), ThemeId::light), theme);
  EXPECT_EQ(themeNamed(QStringLiteral("purple"), ThemeId::dark), ThemeId::dark);
}

TEST(Theme, IconsAreDrawnInItsInk) {
  Theme theme;
  for (const char* name :
       {"run", "stop", "open", "save", "error", "warning", "note", "session", "compile", "star"})
    EXPECT_FALSE(theme.icon(QLatin1String(name)).pixmap(16, 16).isNull()) << name;
  EXPECT_TRUE(theme.icon(QStringLiteral("no-such-icon")).isNull());
}

}  // namespace
}  // namespace ridge::desktop
