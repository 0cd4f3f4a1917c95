// SPDX-License-Identifier: GPL-3.0-or-later
// cp.async: every size and form against what the ISA says it copies, and what a missing wait leads to.
#include "async_fixture.h"

namespace ridge::device {
namespace {

using hardware::Status;

constexpr const char* kCopied = ".shared .align 16 .b8 s[2048];";

struct Form {
  std::string cache;
  int bytes;
  std::string source;  ///< what follows the size
  int read;            ///< bytes that come from the source
};

std::vector<Form> forms() {
  std::vector<Form> all;
  for (const int bytes : {4, 8, 16})
    for (const char* cache : {"ca", "cg"}) {
      if (std::string(cache) == "cg" && bytes != 16) continue;
      all.push_back({cache, bytes, "", bytes});
      for (const int read : {0, 1, 3, 4, bytes})
        all.push_back({cache, bytes, ", " + std::to_string(read), std::min(read, bytes)});
      all.push_back({cache, bytes, ", %p1", 0});
      all.push_back({cache, bytes, ", %p2", bytes});
    }
  return all;
}

TEST(CopyAsync, EveryFormCopiesAndFillsWithZeros) {
  for (const Form& form : forms()) {
    const std::string size = std::to_string(form.bytes);
    const std::string operation =
        "cp.async." + form.cache + ".shared.global [%r3], [%rd6], " + size + form.source;
    // Each thread copies its own run of bytes, waits and writes them out word by word.
    std::string body =
        "setp.eq.s32 %p1, %r1, %r1;\nsetp.ne.s32 %p2, %r1, %r1;\nmov.u32 %r2, s;\nmad.lo.s32 %r3, "
        "%r1, " +
        size + ", %r2;\nmul.wide.u32 %rd7, %r1, " + size +
        ";\nadd.s64 %rd6, %rd1, %rd7;\nadd.s64 %rd8, %rd2, %rd7;\n" + operation +
        ";\ncp.async.commit_group;\ncp.async.wait_group 0;\n";
    for (int at = 0; at < form.bytes; at += 4)
      body += "ld.shared.u32 %r4, [%r3+" + std::to_string(at) + "];\nst.global.u32 [%rd8+" +
              std::to_string(at) + "], %r4;\n";
    const Ran ran = run_async(body, {}, kCopied);
    EXPECT_EQ(ran.message(), "") << operation;
    const auto words = static_cast<std::uint32_t>(32 * form.bytes / 4);
    std::vector<std::uint8_t> expected(32u * static_cast<unsigned>(form.bytes), 0);
    for (std::size_t thread = 0; thread < 32; ++thread)
      for (int k = 0; k < form.read; ++k) {
        const std::size_t at = thread * static_cast<std::size_t>(form.bytes) + static_cast<std::size_t>(k);
        expected[at] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(at / 4) >> (8 * (at % 4)));
      }
    Words wanted(words);
    std::memcpy(wanted.data(), expected.data(), expected.size());
    EXPECT_EQ(Words(ran.y.begin(), ran.y.begin() + words), wanted) << operation;
  }
}

const std::string kCopyWord =
    "mov.u32 %r2, s;\nshl.b32 %r3, %r1, 2;\nadd.s32 %r3, %r3, %r2;\nst.shared.u32 [%r3], 77;\nbar.sync 0;\n"
    "cp.async.ca.shared.global [%r3], [%rd3], 4;\n";

TEST(CopyAsync, AMissingWaitShows) {
  const Ran good = run_async(kCopyWord + "cp.async.wait_all;\n" + kStoreWord, {}, kCopied);
  EXPECT_EQ(good.message(), "");
  EXPECT_EQ(good.y[31], 31u);
  const Ran checked = run_async(kCopyWord + "cp.async.commit_group;\n" + kStoreWord, {}, kCopied);
  EXPECT_EQ(checked.first(), Status::race);
  EXPECT_NE(checked.message().find("asynchronous copy that is still under way"), std::string::npos)
      << checked.message();
  Shape unchecked;
  unchecked.checks = false;
  EXPECT_EQ(run_async(kCopyWord + kStoreWord, unchecked, kCopied).y[31], 77u);
}

TEST(CopyAsync, GroupsCompleteInOrderAndOnlyTheOldestAreWaitedFor) {
  // Three groups of one word each; wait_group N leaves the N newest on their way.
  for (int left = 0; left < 4; ++left) {
    std::string body = "mov.u32 %r2, s;\nshl.b32 %r3, %r1, 4;\nadd.s32 %r3, %r3, %r2;\n";
    for (int k = 0; k < 3; ++k) body += "st.shared.u32 [%r3+" + std::to_string(4 * k) + "], 99;\n";
    for (int k = 0; k < 3; ++k)
      body += "cp.async.ca.shared.global [%r3+" + std::to_string(4 * k) + "], [%rd3+" +
              std::to_string(4 * k) + "], 4;\ncp.async.commit_group;\n";
    body += "cp.async.wait_group " + std::to_string(left) + ";\n";
    for (int k = 0; k < 3; ++k)
      body += "ld.shared.u32 %r4, [%r3+" + std::to_string(4 * k) + "];\nst.global.u32 [%rd4+" +
              std::to_string(128 * k) + "], %r4;\n";
    Shape shape;
    shape.checks = false;
    const Ran ran = run_async(body, shape, kCopied);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(ran.y[32 * k + 5], static_cast<int>(k) < 3 - left ? 5 + k : 99u) << left << " " << k;
  }
}

TEST(CopyAsync, OtherWarpsNeedABarrierBehindTheWait) {
  const std::string mirror =
      "sub.s32 %r5, 63, %r1;\nshl.b32 %r5, %r5, 2;\nadd.s32 %r5, %r5, %r2;\nld.shared.u32 %r4, [%r5];\n"
      "st.global.u32 [%rd4], %r4;\n";
  Shape shape;
  shape.block = {64, 1, 1};
  const Ran good = run_async(kCopyWord + "cp.async.wait_all;\nbar.sync 0;\n" + mirror, shape, kCopied);
  EXPECT_EQ(good.message(), "");
  EXPECT_EQ(good.y[0], 63u);
  EXPECT_EQ(run_async(kCopyWord + "cp.async.wait_all;\n" + mirror, shape, kCopied).first(), Status::race);
}

TEST(CopyAsync, FaultsAreThoseOfLoadsAndStores) {
  const auto copy = [](const std::string& to, const std::string& from, const std::string& rest) {
    return "mov.u32 %r2, s;\ncp.async.ca.shared.global [%r2+" + to + "], [%rd1+" + from + "], " + rest +
           ";\ncp.async.wait_all;\n";
  };
  Shape one;
  one.block = {1, 1, 1};
  EXPECT_EQ(run_async(copy("0", "4080", "16"), one, kCopied).first(), Status::pass);
  EXPECT_EQ(run_async(copy("0", "4096", "16"), one, kCopied).first(), Status::out_of_bounds);
  EXPECT_EQ(run_async(copy("0", "4096", "16, 0"), one, kCopied).first(), Status::pass);
  EXPECT_EQ(run_async(copy("0", "4094", "16, 4"), one, kCopied).first(), Status::out_of_bounds);
  EXPECT_EQ(run_async(copy("2048", "0", "16"), one, kCopied).first(), Status::out_of_bounds);
  EXPECT_EQ(run_async(copy("8", "0", "16"), one, kCopied).first(), Status::misaligned);
  EXPECT_EQ(run_async(copy("0", "8", "16"), one, kCopied).first(), Status::misaligned);
  EXPECT_EQ(run_async(copy("0", "0", "4, 5"), one, kCopied).first(), Status::launch_failed);
  // y counts as uninitialised.
  EXPECT_EQ(run_async("mov.u32 %r2, s;\ncp.async.ca.shared.global [%r2], [%rd2], 4;\ncp.async.wait_all;\n",
                      one, kCopied)
                .first(),
            Status::uninitialised);
}

TEST(CopyAsync, CountsSectorsAndWavefronts) {
  const Ran ran = run_async(kCopyWord + "cp.async.wait_all;\n", {}, kCopied);
  EXPECT_EQ(ran.counters.at("global_load_sectors"), 4);
  EXPECT_EQ(ran.counters.at("global_load_bytes"), 128);
  EXPECT_EQ(ran.counters.at("shared_store_wavefronts"), 2);  // one of the store, one of the copy
}

}  // namespace
}  // namespace ridge::device
