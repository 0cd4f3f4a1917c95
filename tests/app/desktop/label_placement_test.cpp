// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/label_placement.h"

#include <gtest/gtest.h>

namespace ridge::desktop {
namespace {

const QRectF kArea(0, 0, 400, 300);

LineLabel flat(double y, double width = 100) {
  return {QLineF(0, y, 400, y), QLineF(0, y, 400, y), {{width, 12}}, true};
}

TEST(LabelPlacement, StandsAboveItsLineAtTheEndThatItPrefers) {
  const auto places = placeAlongLines({flat(100)}, kArea, {});
  ASSERT_TRUE(places[0].fits);
  EXPECT_TRUE(places[0].above);
  EXPECT_EQ(places[0].corner, QPointF(300, 98));
  EXPECT_EQ(places[0].area.boundingRect(), QRectF(300, 86, 100, 12));
}

TEST(LabelPlacement, StaysClearOfPoints) {
  const QVector<QPointF> points{{320, 100}, {350, 92}, {360, 110}};
  const auto places = placeAlongLines({flat(100)}, kArea, points);
  ASSERT_TRUE(places[0].fits);
  for (const QPointF& point : points)
    EXPECT_FALSE(places[0].area.boundingRect().adjusted(-4, -4, 4, 4).contains(point));
}

TEST(LabelPlacement, NamesOfLinesThatLieCloseTogetherDoNotMeet) {
  const auto places = placeAlongLines({flat(100), flat(96)}, kArea, {});
  ASSERT_TRUE(places[0].fits && places[1].fits);
  EXPECT_FALSE(places[0].area.intersects(places[1].area));
  EXPECT_FALSE(places[0].above) << "the line above would cross it";
}

TEST(LabelPlacement, GoesBelowAtTheTopOfThePicture) {
  const auto places = placeAlongLines({flat(5)}, kArea, {});
  ASSERT_TRUE(places[0].fits);
  EXPECT_FALSE(places[0].above);
}

TEST(LabelPlacement, TurnsWithASlopeAndStaysInside) {
  const LineLabel slope{QLineF(0, 300, 400, 0), QLineF(0, 300, 400, 0), {{120, 12}}, false};
  const auto places = placeAlongLines({slope}, kArea, {});
  ASSERT_TRUE(places[0].fits);
  EXPECT_NEAR(places[0].angle, -36.87, 0.01);
  EXPECT_TRUE(kArea.adjusted(-1, -1, 1, 1).contains(places[0].area.boundingRect()));
}

TEST(LabelPlacement, OnlyWhatIsSeenOfALineIsInTheWay) {
  LineLabel slope{QLineF(0, 200, 400, 0), QLineF(0, 200, 200, 100), {{50, 12}}, false};
  const auto places = placeAlongLines({flat(100), slope}, kArea, {});
  EXPECT_EQ(places[0].corner.x(), 300) << "where the slope would go on, nothing is drawn";
  EXPECT_LT(places[0].cost, 30);
}

TEST(LabelPlacement, TheShorterFormTakesASmallerGap) {
  LineLabel label = flat(100, 300);
  label.sizes.emplace_back(60, 12);
  EXPECT_EQ(placeAlongLines({label}, kArea, {})[0].form, 0u);
  QVector<QPointF> points;
  for (int x = 0; x <= 320; x += 20) points << QPointF(x, 100);
  const auto places = placeAlongLines({label}, kArea, points);
  ASSERT_TRUE(places[0].fits);
  EXPECT_EQ(places[0].form, 1u);
  EXPECT_GE(places[0].corner.x(), 320);
}

TEST(LabelPlacement, ANameThatHadToStandOnAPointIsNotDrawn) {
  QVector<QPointF> points;
  for (int x = 0; x <= 400; x += 20) points << QPointF(x, 100);
  EXPECT_FALSE(placeAlongLines({flat(100)}, kArea, points)[0].fits);
}

TEST(LabelPlacement, WithoutRoomThereIsNoName) {
  EXPECT_FALSE(placeAlongLines({flat(100, 500)}, kArea, {})[0].fits) << "longer than the line";
  EXPECT_FALSE(placeAlongLines({{QLineF(), QLineF(), {{10, 10}}, false}}, kArea, {})[0].fits) << "no line";
  const auto crowd = placeAlongLines({flat(100, 390), flat(100, 390), flat(100, 390)}, kArea, {});
  EXPECT_TRUE(crowd[0].fits && crowd[1].fits);
  EXPECT_FALSE(crowd[2].fits) << "above and below are taken";
}

}  // namespace
}  // namespace ridge::desktop
