// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "base/files.h"

namespace ridge::compile {
namespace {
namespace fs = std::filesystem;

const std::string kKey = "0123456789abcdef0123456789abcdef";

CompiledKernel kernel_of(const std::string& key, std::size_t bytes = 16) {
  CompiledKernel kernel;
  kernel.ok = true;
  kernel.arch = "sm_90a";
  kernel.key = key;
  kernel.ptx = ".version 9.0\n";
  kernel.cubin = std::string(bytes, '\x7f');
  kernel.entries.push_back({"k", "_Z1kv", {{0, 8}}, Resources{}, 3});
  return kernel;
}

class CacheTest : public testing::Test {
 protected:
  ~CacheTest() override { fs::remove_all(folder_); }
  const fs::path folder_ = fs::temp_directory_path() / ("ridge_cache_" + std::to_string(::getpid()));
  Cache cache_{folder_};
};

TEST_F(CacheTest, GivesBackWhatWasStored) {
  EXPECT_FALSE(cache_.load(kKey));
  cache_.store(kKey, kernel_of(kKey));
  const std::optional<CompiledKernel> back = cache_.load(kKey);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_json(*back), to_json(kernel_of(kKey)));
}

TEST_F(CacheTest, AHalfWrittenEntryIsAbsentAndRewritten) {
  cache_.store(kKey, kernel_of(kKey));
  const std::string whole = *read_file(cache_.file_of(kKey));
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{60}, whole.size() - 1}) {
    std::ofstream(cache_.file_of(kKey), std::ios::binary | std::ios::trunc) << whole.substr(0, length);
    EXPECT_FALSE(cache_.load(kKey)) << length;
  }
  cache_.store(kKey, kernel_of(kKey));
  EXPECT_TRUE(cache_.load(kKey));
}

TEST_F(CacheTest, ADamagedEntryIsAbsent) {
  cache_.store(kKey, kernel_of(kKey));
  std::string bytes = *read_file(cache_.file_of(kKey));
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(cache_.file_of(kKey), std::ios::binary | std::ios::trunc) << bytes;
  EXPECT_FALSE(cache_.load(kKey));
}

TEST_F(CacheTest, AnEntryUnderAnotherKeyIsAbsent) {
  cache_.store(kKey, kernel_of(kKey));
  const std::string other = "01" + std::string(30, 'f');
  fs::rename(cache_.file_of(kKey), cache_.file_of(other));
  EXPECT_FALSE(cache_.load(other));
}

TEST_F(CacheTest, TheLongestUnusedGoFirst) {
  std::vector<std::string> keys;
  for (char c = 'a'; c < 'e'; ++c) keys.push_back(std::string(32, c));
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    cache_.store(keys[i], kernel_of(keys[i], 600));  // some 1200 bytes each
    fs::last_write_time(cache_.file_of(keys[i]),
                        fs::file_time_type::clock::now() - std::chrono::hours(10 - static_cast<int>(i)));
  }
  EXPECT_TRUE(cache_.load(keys[0]));                             // and so it is the one used last
  Cache(folder_, 3000).store(keys[3], kernel_of(keys[3], 600));  // by a process that has stored nothing yet
  EXPECT_TRUE(cache_.load(keys[0]));
  EXPECT_TRUE(cache_.load(keys[3]));
  EXPECT_FALSE(cache_.load(keys[1]));
  EXPECT_FALSE(cache_.load(keys[2]));
}

TEST_F(CacheTest, AFolderThatCannotBeMadeIsNoFault) {
  ASSERT_TRUE(write_file(folder_ / "file", "x").ok());
  Cache cache(folder_ / "file");
  cache.store(kKey, kernel_of(kKey));
  EXPECT_FALSE(cache.load(kKey));
}

}  // namespace
}  // namespace ridge::compile
