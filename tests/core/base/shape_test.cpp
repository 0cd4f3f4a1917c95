// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shape.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

bool fits(const Shape& shape, const Json& json) {
  return !shape.misfit(json);
}

TEST(Shape, IntegersAreWrittenAsJsonIntegerWritesThem) {
  const Shape count = Shape::integer(0);
  EXPECT_TRUE(fits(count, 5));
  EXPECT_TRUE(fits(count, json_integer(std::int64_t{1} << 60)));
  for (const Json& wrong : {Json(-1), Json(5.0), Json("5"), Json("abc"), Json(""), Json(true), Json(),
                            Json("09223372036854775807"), Json(18446744073709551615u)})
    EXPECT_FALSE(fits(count, wrong)) << wrong;
  EXPECT_FALSE(fits(Shape::integer(1, 10), 11));
  EXPECT_TRUE(fits(Shape::unsigned_integer(), json_unsigned(18446744073709551615u)));
  EXPECT_FALSE(fits(Shape::unsigned_integer(), -1));
}

TEST(Shape, NumbersMayBeOfSeveralKinds) {
  EXPECT_TRUE(fits(Shape::number(), "-inf"));
  EXPECT_FALSE(fits(Shape::number(), "1.5"));
  EXPECT_TRUE(fits(Shape::magnitude(), "nan"));
  EXPECT_FALSE(fits(Shape::magnitude(), -0.5));
  EXPECT_FALSE(fits(Shape::quantity(), "inf"));
  EXPECT_TRUE(fits(Shape::quantity(), 0));
  EXPECT_FALSE(fits(Shape::positive(), 0));
}

TEST(Shape, TheFirstMisfitIsNamedByItsPath) {
  const Shape shape = Shape::record(
      {{"runs", Shape::list(Shape::record({{"flops", Shape::quantity()},
                                           {"bound", Shape::word({"memory", "compute"}).or_null()},
                                           {"axes", Shape::map(Shape::integer(0))}}))}});
  EXPECT_TRUE(fits(shape, {{"runs", {{{"flops", 1}, {"bound", nullptr}, {"of a newer release", {}}}}}}));
  const auto path = [&](const Json& run) {
    const auto misfit = shape.misfit({{"runs", Json::array({Json{{"flops", 1}}, run})}});
    return misfit ? misfit->path + " = " + misfit->value : std::string();
  };
  EXPECT_EQ(path({{"flops", "abc"}}), "runs[1].flops = \"abc\"");
  EXPECT_EQ(path({{"flops", 1}, {"axes", {{"M", -1}}}}), "runs[1].axes.M = -1");
  EXPECT_EQ(path({{"bound", "memory"}}), "runs[1].flops = missing");
  EXPECT_EQ(path(7), "runs[1] = 7");
}

TEST(Shape, AnUnknownWordIsOfAnotherRelease) {
  const Shape shape = Shape::record({{"bound", Shape::word({"memory", "compute"}).or_null()}});
  const Error unknown = to_error(*shape.misfit({{"bound", "luck"}}));
  EXPECT_EQ(unknown.code, "unknown_word");
  EXPECT_EQ(unknown.message.english(),
            "bound is \"luck\", and should be one of 'memory', 'compute', or null");
  EXPECT_EQ(to_error(*shape.misfit({{"bound", 5}})).code, "wrong_value");
}

TEST(Shape, ALongValueIsCut) {
  const Error error =
      to_error(*Shape::record({{"n", Shape::integer(0)}}).misfit({{"n", std::string(5000, 'x')}}));
  EXPECT_LT(error.message.english().size(), 200u);
}

}  // namespace
}  // namespace ridge
