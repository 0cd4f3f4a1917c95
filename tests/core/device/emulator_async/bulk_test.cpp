// SPDX-License-Identifier: GPL-3.0-or-later
// Bulk copies: where the bytes go, whom they tell, and what is wrong with a copy that is not waited for.
#include "async_fixture.h"
#include "device/emulator/memory/tensor_map.h"

namespace ridge::device {
namespace {

using emulator::Swizzle;
using emulator::TensorMap;
using hardware::Status;

constexpr const char* kTilesAndBarrier = ".shared .align 1024 .b8 s[8192];\n.shared .align 8 .b64 bar;";

/// One thread initialises the mbarrier and all wait for its phase 0.
std::string init(int count = 1) {
  return "mov.u32 %r2, bar;\nmov.u32 %r6, s;\nshl.b32 %r3, %r1, 2;\nadd.s32 %r3, %r3, %r6;\n"
         "setp.eq.s32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared::cta.b64 [%r2], " +
         std::to_string(count) + ";\nfence.proxy.async;\nbar.sync 0;\n";
}
std::string load(const std::string& to, const std::string& from, int bytes) {
  const std::string size = std::to_string(bytes);
  return "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd6, [%r2], " + size +
         ";\n@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" + to + "], [" + from +
         "], " + size + ", [%r2];\n";
}
const std::string kWait = "W:\nmbarrier.try_wait.parity.shared::cta.b64 %p5, [%r2], 0;\n@!%p5 bra W;\n";

TEST(Bulk, LoadsTellTheirMbarrier) {
  Shape shape;
  shape.block = {64, 1, 1};
  const Ran good =
      run_async(init() + load("%r6", "%rd1+64", 256) + kWait + kStoreWord, shape, kTilesAndBarrier);
  EXPECT_EQ(good.message(), "");
  EXPECT_EQ(good.y[0], 16u);
  EXPECT_EQ(good.y[63], 79u);
  EXPECT_EQ(good.counters.at("global_load_sectors"), 8);
  EXPECT_EQ(good.counters.at("global_load_bytes"), 256);
  const Ran unwaited = run_async(init() + load("%r6", "%rd1+64", 256) + kStoreWord, {}, kTilesAndBarrier);
  EXPECT_EQ(unwaited.first(), Status::race);
  EXPECT_NE(unwaited.message().find("still under way"), std::string::npos) << unwaited.message();
}

TEST(Bulk, TooFewBytesEndTheWaitTooManyNever) {
  Shape shape;
  const std::string expects_more =
      init() +
      "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd6, [%r2], 320;\n@%p1 "
      "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r6], [%rd1], 256, [%r2];\n" +
      kWait;
  const Ran ran = run_async(expects_more, shape, kTilesAndBarrier);
  EXPECT_EQ(ran.first(), Status::timeout);
  EXPECT_NE(ran.message().find("64 bytes of copies"), std::string::npos) << ran.message();
}

TEST(Bulk, FaultsOfLoads) {
  const auto first = [](const std::string& to, const std::string& from, int bytes) {
    return run_async(init() + load(to, from, bytes), {}, kTilesAndBarrier).first();
  };
  EXPECT_EQ(first("%r6", "%rd1+3840", 256), Status::pass);
  EXPECT_EQ(first("%r6", "%rd1+3856", 256), Status::out_of_bounds);
  EXPECT_EQ(first("%r6+8048", "%rd1", 256), Status::out_of_bounds);
  EXPECT_EQ(first("%r6", "%rd1+8", 256), Status::misaligned);
  EXPECT_EQ(first("%r6+8", "%rd1", 256), Status::misaligned);
  EXPECT_EQ(first("%r6", "%rd1", 40), Status::misaligned);
  EXPECT_EQ(first("%r6", "%rd2", 256), Status::uninitialised);
}

std::string store_all(const std::string& fence) {
  return init() + "add.s32 %r5, %r1, 7;\nst.shared.u32 [%r3], %r5;\n" + fence + "bar.sync 0;\n";
}
const std::string kStoreBulk = "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r6], 128;\n";
const std::string kCommit = "cp.async.bulk.commit_group;\n";

TEST(Bulk, StoresCompleteByGroups) {
  const std::string fence = "fence.proxy.async.shared::cta;\n";
  const Ran good = run_async(store_all(fence) + kStoreBulk + kCommit + "cp.async.bulk.wait_group.read 0;\n",
                             {}, kTilesAndBarrier);
  EXPECT_EQ(good.message(), "");
  EXPECT_EQ(good.y[31], 38u);
  EXPECT_EQ(good.counters.at("global_store_sectors"), 4);
  const Ran unfenced = run_async(store_all("") + kStoreBulk + kCommit + "cp.async.bulk.wait_group.read 0;\n",
                                 {}, kTilesAndBarrier);
  EXPECT_EQ(unfenced.first(), Status::race);
  EXPECT_NE(unfenced.message().find("fence.proxy.async"), std::string::npos) << unfenced.message();
  const Ran unwaited = run_async(store_all(fence) + kStoreBulk + kCommit, {}, kTilesAndBarrier);
  EXPECT_EQ(unwaited.first(), Status::race);
  EXPECT_NE(unwaited.message().find("The block ends"), std::string::npos) << unwaited.message();
  // The source is written to while it is read.
  const Ran reused = run_async(store_all(fence) + kStoreBulk + kCommit +
                                   "bar.sync 0;\nst.shared.u32 [%r3], 0;\ncp.async.bulk.wait_group.read 0;\n",
                               {}, kTilesAndBarrier);
  EXPECT_EQ(reused.first(), Status::race);
  const Ran waited = run_async(store_all(fence) + kStoreBulk + kCommit +
                                   "cp.async.bulk.wait_group.read 0;\nbar.sync 0;\nst.shared.u32 [%r3], 0;\n",
                               {}, kTilesAndBarrier);
  EXPECT_EQ(waited.message(), "");
  EXPECT_EQ(waited.y[0], 7u);
}

TEST(Bulk, ReductionsOfEveryType) {
  struct Case {
    const char* operation;
    std::uint32_t expected;  ///< of 12 and 5 in memory
  };
  // Memory holds thread + 12, shared memory 5.
  for (const Case& one : {Case{"add.u32", 17},
                          {"add.s32", 17},
                          {"min.u32", 5},
                          {"max.u32", 12},
                          {"min.s32", 5},
                          {"max.s32", 12},
                          {"inc.u32", 0},
                          {"dec.u32", 5},
                          {"and.b32", 4},
                          {"or.b32", 13},
                          {"xor.b32", 9}}) {
    const std::string body =
        init() + "st.global.u32 [%rd4], 12;\nst.shared.u32 [%r3], 5;\nfence.proxy.async;\nbar.sync 0;\n" +
        "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group." + one.operation +
        " [%rd2], [%r6], 128;\n" + kCommit + "cp.async.bulk.wait_group 0;\n";
    const Ran ran = run_async(body, {}, kTilesAndBarrier);
    EXPECT_EQ(ran.message(), "") << one.operation;
    EXPECT_EQ(ran.y[0], one.expected) << one.operation;
    EXPECT_EQ(ran.y[31], one.expected) << one.operation;
  }
  const Ran floats = run_async(
      init() +
          "st.global.u32 [%rd4], 0x3f800000;\nst.shared.u32 [%r3], 0x40000000;\nfence.proxy.async;\nbar.sync "
          "0;\n@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd2], [%r6], 128;\n" +
          kCommit + "cp.async.bulk.wait_group 0;\n",
      {}, kTilesAndBarrier);
  EXPECT_EQ(floats.y[7], 0x40400000u);
}

TEST(Bulk, BytesThatTheMaskLeavesOutStay) {
  const std::string body =
      init() +
      "st.global.u32 [%rd4], -1;\nst.shared.u32 [%r3], 0;\nfence.proxy.async;\nbar.sync 0;\n"
      "mov.u16 %h1, 0x00f1;\n@%p1 cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd2], "
      "[%r6], 128, %h1;\n" +
      kCommit + "cp.async.bulk.wait_group 0;\n";
  const Ran ran = run_async(body, {}, kTilesAndBarrier);
  EXPECT_EQ(ran.message(), "");
  EXPECT_EQ((Words{ran.y[0], ran.y[1], ran.y[2], ran.y[4]}),
            (Words{0xffffff00u, 0, 0xffffffffu, 0xffffff00u}));
}

/// Loads a box at the given coordinates into shared memory and writes shared memory out.
Ran load_tile(const TensorMap& shape_of_map, const std::vector<int>& at, int words) {
  std::string coordinates, dimension = std::to_string(at.size()) + "d";
  for (const int coordinate : at)
    coordinates += (coordinates.empty() ? "" : ", ") + std::to_string(coordinate);
  const std::string bytes = std::to_string(shape_of_map.box_bytes());
  std::string body = kPrologue + init() + "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd6, [%r2], " +
                     bytes + ";\nmov.b64 %rd7, map;\n@%p1 cp.async.bulk.tensor." + dimension +
                     ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r6], [%rd7, {" +
                     coordinates + "}], [%r2];\n" + kWait;
  body +=
      "mov.u32 %r10, %r1;\nO:\nshl.b32 %r11, %r10, 2;\nadd.s32 %r12, %r11, %r6;\nld.shared.u32 %r4, [%r12];\n"
      "cvt.u64.u32 %rd8, %r11;\nadd.s64 %rd8, %rd8, %rd2;\nst.global.u32 [%rd8], %r4;\nadd.s32 %r10, %r10, "
      "32;\nsetp.lt.s32 %p6, %r10, " +
      std::to_string(words) + ";\n@%p6 bra O;\n";
  const std::string text = kernel_text("u64 x, u64 y, align 64 .b8 map[128]", body, kTilesAndBarrier);
  Emulated emulated(text);
  EXPECT_EQ(emulated.load_error.message, "");
  Words values(4096);
  std::iota(values.begin(), values.end(), 0u);
  TensorMap map = shape_of_map;
  const Address x = emulated.buffer(values, "x");
  map.address = x;
  const Address y = emulated.scratch(16384, "y");
  const LaunchOutcome outcome =
      emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(x), argument(y), map.encode()});
  return {emulated.read<std::uint32_t>(y, static_cast<std::size_t>(words)), outcome.findings,
          outcome.counters};
}

TensorMap words_map(std::vector<std::uint32_t> extents, std::vector<std::uint16_t> box, Swizzle swizzle) {
  TensorMap map;
  map.rank = static_cast<std::uint8_t>(extents.size());
  map.swizzle = swizzle;
  std::uint64_t stride = 4;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    map.extents[k] = extents[k];
    map.box[k] = box[k];
    map.strides[k] = stride;
    stride *= extents[k];
  }
  return map;
}

TEST(Bulk, TilesOfEverySwizzle) {
  // The swizzles of the ISA: 16-byte pieces of a row are exchanged by the row's number, in patterns of 8, 4
  // and 2.
  struct Case {
    Swizzle swizzle;
    std::uint32_t width, pieces, rows_per_step;
  };
  for (const Case& one : {Case{Swizzle::none, 32, 1, 1},
                          {Swizzle::bytes128, 32, 8, 1},
                          {Swizzle::bytes64, 16, 4, 2},
                          {Swizzle::bytes32, 8, 2, 4}}) {
    const auto map = words_map({64, 32}, {static_cast<std::uint16_t>(one.width), 16}, one.swizzle);
    const Ran ran = load_tile(map, {8, 3}, static_cast<int>(one.width * 16));
    ASSERT_EQ(ran.message(), "");
    for (std::uint32_t row = 0; row < 16; ++row)
      for (std::uint32_t column = 0; column < one.width; ++column) {
        const std::uint32_t piece = column / 4 ^ row / one.rows_per_step % one.pieces;
        EXPECT_EQ(ran.y[row * one.width + piece * 4 + column % 4], (row + 3) * 64 + column + 8)
            << static_cast<int>(one.swizzle) << " " << row << " " << column;
      }
  }
}

TEST(Bulk, TilesAreZeroOutsideOfTheTensorInEveryDimension) {
  for (const std::vector<int>& at : {std::vector<int>{-2, 1, 0}, {6, -1, 1}, {4, 3, 2}, {20, 0, 0}}) {
    const Ran ran = load_tile(words_map({8, 4, 3}, {4, 4, 2}, Swizzle::none), at, 32);
    ASSERT_EQ(ran.message(), "");
    for (int k = 0; k < 32; ++k) {
      const int x = at[0] + k % 4, y = at[1] + k / 4 % 4, z = at[2] + k / 16;
      const bool inside = x >= 0 && x < 8 && y >= 0 && y < 4 && z >= 0 && z < 3;
      EXPECT_EQ(ran.y[static_cast<std::size_t>(k)],
                inside ? static_cast<std::uint32_t>((z * 4 + y) * 8 + x) : 0u)
          << k << " of " << at[0];
    }
  }
}

TEST(Bulk, ACopyWithoutATensorMapSaysSo) {
  const std::string body =
      init() +
      "@%p1 cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r6], [%rd1, "
      "{0}], [%r2];\n";
  const Ran ran = run_async(body, {}, kTilesAndBarrier);
  EXPECT_EQ(ran.first(), Status::launch_failed);
  EXPECT_NE(ran.message().find("//@ tensor_map:"), std::string::npos) << ran.message();
}

}  // namespace
}  // namespace ridge::device
