// SPDX-License-Identifier: GPL-3.0-or-later
// Which thread stored an element last.
#include "support/emulated.h"

namespace ridge::device {
namespace {

/// Global thread number in %r1, the address of its word of `x` in %rd2.
constexpr const char* kWordOfGrid =
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.s32 %r1, %r2, %r3, %r4;\n"
    "ld.param.u64 %rd1, [x];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n";

/// The last writers of the first `watched` words of a buffer of 128.
Writers writers_of(const std::string& body, Extent grid, Extent block, std::int64_t watched) {
  Emulated emulated(kernel_text("u64 x", body));
  EXPECT_EQ(emulated.load_error.message, "");
  const Address x = emulated.scratch(128 * 4, "x");
  emulated.options.watches = {{x, watched, 4}};
  LaunchOutcome outcome = emulated.run("k", grid, block, {argument(x)});
  EXPECT_EQ(outcome.writers.size(), 1u);
  return outcome.writers.empty() ? Writers(0) : outcome.writers.front();
}

TEST(Writers, EveryElementNamesItsThread) {
  const Writers writers =
      writers_of(std::string(kWordOfGrid) + "st.global.u32 [%rd2], %r1;\n", {2, 1, 1}, {48, 1, 1}, 128);
  for (const std::int64_t element : {0, 31, 47, 48, 95}) {
    ASSERT_TRUE(writers.at(element).has_value()) << element;
    EXPECT_EQ(writers.at(element)->block, element / 48) << element;
    EXPECT_EQ(writers.at(element)->thread, element % 48) << element;
    EXPECT_EQ(writers.at(element)->launch, 0);
  }
  EXPECT_FALSE(writers.at(96).has_value()) << "nobody stores there";
  EXPECT_FALSE(writers.at(-1).has_value());
  EXPECT_FALSE(writers.at(128).has_value());
}

TEST(Writers, AVectorStoreWritesAllItsElements) {
  const std::string body = std::string(kWordOfGrid) +
                           "mul.wide.u32 %rd3, %r1, 16;\nadd.s64 %rd3, %rd1, %rd3;\n"
                           "st.global.v4.u32 [%rd3], {%r1, %r1, %r1, %r1};\n";
  const Writers writers = writers_of(body, {1, 1, 1}, {32, 1, 1}, 128);
  for (std::int64_t element = 0; element < 128; ++element) {
    ASSERT_TRUE(writers.at(element).has_value()) << element;
    EXPECT_EQ(writers.at(element)->thread, element / 4) << element;
  }
}

TEST(Writers, TheLastThreadOfABlockCountsAndOnlyWhatIsWatched) {
  const std::string body = std::string(kWordOfGrid) +
                           "st.global.u32 [%rd2], %r1;\nbar.sync 0;\nsetp.eq.u32 %p1, %r4, 40;\n"
                           "@%p1 st.global.u32 [%rd1+12], 1;\n@%p1 ld.global.u32 %r5, [%rd1+8];\n";
  const Writers writers = writers_of(body, {1, 1, 1}, {64, 1, 1}, 10);
  EXPECT_EQ(writers.elements(), 10);
  EXPECT_EQ(writers.at(3)->thread, 40);
  EXPECT_EQ(writers.at(2)->thread, 2) << "a load is no store";
}

TEST(Writers, WhatSeveralBlocksStoreHasNoLastOne) {
  const std::string body =
      std::string(kWordOfGrid) + "red.global.add.u32 [%rd1], 1;\nst.global.u32 [%rd2+256], %r1;\n";
  const Writers writers = writers_of(body, {2, 1, 1}, {32, 1, 1}, 128);
  EXPECT_FALSE(writers.at(0).has_value());
  EXPECT_EQ(writers.at(64 + 33)->block, 1);
}

TEST(Writers, NothingIsRecordedUnasked) {
  Emulated emulated(kernel_text("u64 x", std::string(kWordOfGrid) + "st.global.u32 [%rd2], %r1;\n"));
  const Address x = emulated.scratch(128 * 4, "x");
  EXPECT_TRUE(emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(x)}).writers.empty());
}

TEST(Writers, ALaterLaunchTakesOver) {
  Writers writers(1);
  writers.note(0, {0, 5, 7});
  writers.note(0, {1, 9, 3});
  ASSERT_TRUE(writers.at(0).has_value());
  EXPECT_EQ(writers.at(0)->launch, 1);
  EXPECT_EQ(writers.at(0)->block, 9);
  EXPECT_EQ(writers.at(0)->thread, 3);
}

}  // namespace
}  // namespace ridge::device
