// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <gtest/gtest.h>

#include <limits>

namespace ridge {
namespace {

TEST(Text, Trim) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Text, SplitListKeepsWhatIsNested) {
  EXPECT_EQ(split_list("ceil_div(n, 256), 1"), (std::vector<std::string>{"ceil_div(n, 256)", "1"}));
  EXPECT_EQ(split_list("k<4, 8>, \"a,b\""), (std::vector<std::string>{"k<4, 8>", "\"a,b\""}));
  EXPECT_EQ(split_list("a,,b"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_TRUE(split_list("  ").empty());
}

TEST(Text, SplitLinesTakesBothLineEnds) {
  const auto lines = split_lines("a\r\nb\n\nc");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "a");
  EXPECT_EQ(lines[2], "");
  EXPECT_EQ(lines[3], "c");
}

TEST(Text, HumanBytes) {
  EXPECT_EQ(human_bytes(512), "512 bytes");
  EXPECT_EQ(human_bytes(1516), "1.52 KB");
  EXPECT_EQ(human_bytes(21.99e12), "21.99 TB");
  EXPECT_EQ(human_bytes(std::numeric_limits<double>::quiet_NaN()), "unknown size");
}

}  // namespace
}  // namespace ridge
