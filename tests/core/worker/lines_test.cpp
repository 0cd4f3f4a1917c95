// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/lines.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <vector>

namespace ridge::worker {
namespace {

std::vector<std::string> split(LineSplitter& splitter, std::string_view bytes) {
  std::vector<std::string> lines;
  splitter.push(
      bytes, [&](const std::string& line, bool oversized) { lines.push_back(oversized ? "<large>" : line); });
  return lines;
}

TEST(LineSplitter, JoinsPiecesAndCutsLines) {
  LineSplitter splitter(100);
  EXPECT_TRUE(split(splitter, "on").empty());
  EXPECT_EQ(split(splitter, "e\ntwo\r\n\nth"), (std::vector<std::string>{"one", "two", ""}));
  EXPECT_EQ(splitter.rest(), "th");
  EXPECT_EQ(split(splitter, "ree\n"), (std::vector<std::string>{"three"}));
}

TEST(LineSplitter, DropsWhatIsTooLongAndGoesOn) {
  LineSplitter splitter(4);
  EXPECT_EQ(split(splitter, "1234\n12345\n1\n"), (std::vector<std::string>{"1234", "<large>", "1"}));
  EXPECT_TRUE(split(splitter, "123").empty());
  EXPECT_TRUE(split(splitter, "456789").empty());
  EXPECT_EQ(splitter.rest(), "");
  EXPECT_EQ(split(splitter, "0\nab\n"), (std::vector<std::string>{"<large>", "ab"}));
}

TEST(WriteAll, SaysWhenNobodyReadsAndRaisesNoSignal) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  EXPECT_TRUE(write_all(ends[1], "x"));
  ::close(ends[0]);
  EXPECT_FALSE(write_all(ends[1], "x"));
  ::close(ends[1]);
}

TEST(WriteAll, GivesUpAtTheDeadline) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
  EXPECT_FALSE(write_all(ends[1], std::string(1 << 20, 'x'),
                         std::chrono::steady_clock::now() + std::chrono::milliseconds(50)));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace ridge::worker
