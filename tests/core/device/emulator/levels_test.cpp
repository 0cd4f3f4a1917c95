// SPDX-License-Identifier: GPL-3.0-or-later
// Handlers are compiled for several CPU levels; the environment may hold the emulator to a lower one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "device/emulator/lanes/table.h"

namespace ridge::device::emulator {
namespace {

TEST(Levels, OneOfThoseCompiledIsChosen) {
  const auto compiled = compiled_lanes();
  ASSERT_FALSE(compiled.empty());
  EXPECT_NE(std::find(compiled.begin(), compiled.end(), &best_lanes()), compiled.end());
}

TEST(Levels, TheEnvironmentChooses) {
  const char* wanted = std::getenv("RIDGE_CPU_LEVEL");
  if (wanted == nullptr) GTEST_SKIP() << "RIDGE_CPU_LEVEL is not set";
  const std::string chosen = best_lanes().level;
  if (chosen < wanted) GTEST_SKIP() << "this CPU has no " << wanted << "; " << chosen << " is used";
  EXPECT_EQ(chosen, wanted);
}

}  // namespace
}  // namespace ridge::device::emulator
