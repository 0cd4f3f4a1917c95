// SPDX-License-Identifier: GPL-3.0-or-later
#include "interchange/located_json.h"

#include <gtest/gtest.h>

namespace ridge::interchange {
namespace {

TEST(LocatedJson, KnowsTheLineOfEveryValue) {
  const auto result =
      parse_located("{\n \"a\": [1,\n  {\"b/c\": \"x\\\"\\n{\"}],\n \"d\":\n  true}", "f.json");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->line_of(""), 1);
  EXPECT_EQ(result->line_of("/a"), 2);
  EXPECT_EQ(result->line_of("/a/0"), 2);
  EXPECT_EQ(result->line_of("/a/1/b~1c"), 3);
  EXPECT_EQ(result->key_lines.at("/d"), 4);
  EXPECT_EQ(result->line_of("/d"), 5);
}

TEST(LocatedJson, AMissingValueStandsWhereItsParentDoes) {
  const auto result = parse_located("{\n\"a\": {}}", "f.json");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->line_of("/a/b/c"), 2);
}

TEST(LocatedJson, FindsDuplicateKeys) {
  const auto result = parse_located("{\"a\": 1,\n\"a\": 2}", "f.json");
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->duplicates.size(), 1u);
  EXPECT_EQ(result->duplicates.at("/a"), 2);
}

TEST(LocatedJson, NamesTheDanglingComma) {
  for (const char* text : {"{\n\"a\": 1,\n}", "[\n1,\n\n]"}) {
    const auto result = parse_located(text, "f.json");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().line, 2) << text;
    EXPECT_NE(result.error().message.english().find(','), std::string::npos);
    EXPECT_EQ(result.error().file, "f.json");
  }
}

TEST(LocatedJson, OtherFaultsKeepTheirLine) {
  const auto result = parse_located("{\n\"a\" 1\n}", "f.json");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().line, 2);
}

TEST(LocatedJson, ABomIsNoFault) {
  EXPECT_TRUE(parse_located("\xEF\xBB\xBF{}", "f.json").ok());
}

}  // namespace
}  // namespace ridge::interchange
