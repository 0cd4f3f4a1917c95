// SPDX-License-Identifier: GPL-3.0-or-later
// Address patterns: wavefronts and bank conflicts of shared memory as an H200 counts them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "device/emulator/memory/pattern.h"

namespace ridge::device::emulator {
namespace {

struct Room {
  std::vector<std::int32_t> units = std::vector<std::int32_t>(Pattern::kMaxUnits);
  std::vector<std::uint32_t> marks = std::vector<std::uint32_t>(Pattern::kMaxUnits);
};

Pattern analysed(Room& room, const std::vector<std::int64_t>& offsets, std::uint32_t mask, int bytes,
                 bool load) {
  Pattern pattern;
  pattern.units = room.units.data();
  pattern.unit_marks = room.marks.data();
  analyse(pattern, offsets.data(), mask, bytes);
  analyse_shared(pattern, 0, bytes, 2, load);
  return pattern;
}

TEST(Pattern, SharedWavefrontsAreThoseOfAnH200) {
  std::ifstream file(RIDGE_SOURCE_DIR "/tests/core/device/emulator/shared_wavefronts_h200.txt");
  Room room;
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string kind;
    int bytes = 0, wavefronts = 0, conflicts = 0;
    fields >> kind >> bytes >> wavefronts >> conflicts;
    std::vector<std::int64_t> offsets(32);
    for (std::int64_t& offset : offsets) fields >> offset;
    ASSERT_TRUE(fields) << line;
    const Pattern pattern = analysed(room, offsets, 0xffffffffu, bytes, kind == "ld");
    EXPECT_EQ(pattern.wavefronts, wavefronts) << line;
    EXPECT_EQ(pattern.wavefronts - pattern.ideal_wavefronts, conflicts) << line;
    ++count;
  }
  EXPECT_EQ(count, 318);
}

TEST(Pattern, LanesThatAreOffNeedNoWavefront) {
  Room room;
  std::vector<std::int64_t> offsets(32);
  for (std::size_t lane = 0; lane < 32; ++lane) offsets[lane] = static_cast<std::int64_t>(16 * lane);
  EXPECT_EQ(analysed(room, offsets, 0xffffffffu, 16, true).wavefronts, 4);
  EXPECT_EQ(analysed(room, offsets, 0x000000ffu, 16, true).wavefronts, 1);
  EXPECT_EQ(analysed(room, offsets, 0x00000001u, 16, true).wavefronts, 1);
}

TEST(Pattern, SectorsDependOnWhereTheAccessBegins) {
  Room room;
  std::vector<std::int64_t> offsets(32);
  for (std::size_t lane = 0; lane < 32; ++lane) offsets[lane] = static_cast<std::int64_t>(4 * lane);
  Pattern pattern = analysed(room, offsets, 0xffffffffu, 4, true);
  EXPECT_EQ(count_sectors(pattern, 0, 4), 4);
  EXPECT_EQ(count_sectors(pattern, 4, 4), 5);
  EXPECT_EQ(count_sectors(pattern, 64, 4), 4);
}

}  // namespace
}  // namespace ridge::device::emulator
