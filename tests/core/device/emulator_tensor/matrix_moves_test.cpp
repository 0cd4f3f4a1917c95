// SPDX-License-Identifier: GPL-3.0-or-later
// ldmatrix, stmatrix and movmatrix: thread t of group g holds elements (g, 2 t) and (g, 2 t + 1) of a matrix;
// with .trans those of its transpose.
#include <numeric>

#include "device/emulator_tensor/matrix.h"
#include "support/emulated.h"

namespace ridge::device::tensor {
namespace {

struct Move {
  int matrices;
  bool transposed, generic;
  std::string name() const {
    return "x" + std::to_string(matrices) + (transposed ? ".trans" : "") + (generic ? ".generic" : ".shared");
  }
};
std::vector<Move> all() {
  std::vector<Move> moves;
  for (const int matrices : {1, 2, 4})
    for (const bool transposed : {false, true})
      for (const bool generic : {false, true}) moves.push_back({matrices, transposed, generic});
  return moves;
}
std::string list_of(int count) {
  std::string list;
  for (int r = 0; r < count; ++r) list += (r == 0 ? "{%r" : ", %r") + std::to_string(10 + r);
  return list + "}";
}
/// Row l of all matrices lies 48 bytes after row l - 1; %rd1 is its address, for lane l.
constexpr int kPitch = 48;
constexpr const char* kRowAddress =
    "mov.u32 %r1, %tid.x;\nmov.u64 %rd1, s;\nmul.wide.u32 %rd2, %r1, 48;\nadd.s64 %rd1, %rd1, %rd2;\n"
    "cvt.u32.u64 %r2, %rd1;\ncvta.shared.u64 %rd3, %rd1;\nld.param.u64 %rd4, [x];\nmul.wide.u32 %rd2, %r1, "
    "16;\n"
    "add.s64 %rd4, %rd4, %rd2;\n";
constexpr const char* kShared = ".shared .align 16 .b8 s[1536];";

/// The element that lane l's register r holds in half h: matrix r, row and column.
Position position(bool transposed, int lane, int half) {
  const int group = lane / 4, thread = lane % 4;
  return transposed ? Position{2 * thread + half, group} : Position{group, 2 * thread + half};
}

class MatrixMoves : public testing::TestWithParam<Move> {};

TEST_P(MatrixMoves, LoadGivesEveryLaneItsElements) {
  const Move& move = GetParam();
  std::string body =
      std::string(kRowAddress) +
      "ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd4];\nst.shared.v4.u32 [%rd1], {%r3, %r4, %r5, %r6};\n"
      "bar.warp.sync 0xffffffff;\nldmatrix.sync.aligned.m8n8.x" +
      std::to_string(move.matrices) + (move.transposed ? ".trans" : "") +
      (move.generic ? ".b16 " : ".shared.b16 ") + list_of(move.matrices) +
      (move.generic ? ", [%rd3];\n" : ", [%r2];\n") +
      "ld.param.u64 %rd5, [y];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd5, %rd5, %rd2;\n";
  for (int r = 0; r < move.matrices; ++r)
    body += "st.global.u32 [%rd5+" + std::to_string(128 * r) + "], %r" + std::to_string(10 + r) + ";\n";
  Emulated emulated(kernel_text("u64 x, u64 y", body, kShared));
  ASSERT_EQ(emulated.load_error.message, "");
  std::vector<std::uint16_t> rows(256);
  std::iota(rows.begin(), rows.end(), std::uint16_t{1000});
  const Address y = emulated.scratch(512);
  const LaunchOutcome outcome =
      emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(emulated.buffer(rows)), argument(y)});
  ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  const auto got = emulated.read<std::uint16_t>(y, static_cast<std::size_t>(64 * move.matrices));
  for (int matrix = 0; matrix < move.matrices; ++matrix)
    for (int lane = 0; lane < 32; ++lane)
      for (int half = 0; half < 2; ++half) {
        const auto [row, column] = position(move.transposed, lane, half);
        EXPECT_EQ(got[static_cast<std::size_t>(64 * matrix + 2 * lane + half)],
                  1000 + 64 * matrix + 8 * row + column)
            << "matrix " << matrix << ", lane " << lane;
      }
  // Rows that are 48 bytes apart lie in different banks.
  EXPECT_EQ(outcome.counters.at("shared_load_wavefronts"), move.matrices);
  EXPECT_EQ(outcome.counters.at("shared_load_requests"), 1);
}

TEST_P(MatrixMoves, StoreIsTheReverse) {
  const Move& move = GetParam();
  std::string body = std::string(kRowAddress) +
                     "ld.param.u64 %rd5, [y];\nmul.wide.u32 %rd2, %r1, 4;\n"
                     "add.s64 %rd5, %rd5, %rd2;\n";
  for (int r = 0; r < move.matrices; ++r)
    body += "ld.global.u32 %r" + std::to_string(10 + r) + ", [%rd5+" + std::to_string(128 * r) + "];\n";
  body += "stmatrix.sync.aligned.m8n8.x" + std::to_string(move.matrices) + (move.transposed ? ".trans" : "") +
          (move.generic ? ".b16 [%rd3], " : ".shared.b16 [%r2], ") + list_of(move.matrices) +
          ";\nbar.warp.sync 0xffffffff;\nsetp.ge.u32 %p1, %r1, " + std::to_string(8 * move.matrices) +
          ";\n@%p1 bra END;\nld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1];\n"
          "st.global.v4.u32 [%rd4], {%r3, %r4, %r5, %r6};\nEND:\n";
  Emulated emulated(kernel_text("u64 x, u64 y", body, kShared));
  ASSERT_EQ(emulated.load_error.message, "");
  std::vector<std::uint16_t> fragments(256);
  for (std::size_t k = 0; k < fragments.size(); ++k) fragments[k] = static_cast<std::uint16_t>(3 * k);
  const Address x = emulated.scratch(512);
  const LaunchOutcome outcome =
      emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(x), argument(emulated.buffer(fragments))});
  ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  const auto got = emulated.read<std::uint16_t>(x, static_cast<std::size_t>(64 * move.matrices));
  for (int matrix = 0; matrix < move.matrices; ++matrix)
    for (int lane = 0; lane < 32; ++lane)
      for (int half = 0; half < 2; ++half) {
        const auto [row, column] = position(move.transposed, lane, half);
        EXPECT_EQ(got[static_cast<std::size_t>(64 * matrix + 8 * row + column)],
                  3 * (64 * matrix + 2 * lane + half))
            << "matrix " << matrix << ", lane " << lane;
      }
}

INSTANTIATE_TEST_SUITE_P(All, MatrixMoves, testing::ValuesIn(all()),
                         [](const auto& test) { return test_name(test.param.name()); });

TEST(MoveMatrix, Transposes) {
  Emulated emulated(
      kernel_text("u64 x",
                  "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [x];\nmul.wide.u32 %rd2, %r1, 4;\n"
                  "add.s64 %rd1, %rd1, %rd2;\nld.global.u32 %r2, [%rd1];\n"
                  "movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2;\nst.global.u32 [%rd1], %r3;\n"));
  ASSERT_EQ(emulated.load_error.message, "");
  std::vector<std::uint16_t> values(64);
  std::iota(values.begin(), values.end(), std::uint16_t{0});
  const Address x = emulated.buffer(values);
  EXPECT_TRUE(emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(x)}).findings.empty());
  const auto got = emulated.read<std::uint16_t>(x, 64);
  for (std::size_t k = 0; k < 64; ++k) EXPECT_EQ(got[k], k % 8 * 8 + k / 8);
}

}  // namespace
}  // namespace ridge::device::tensor
