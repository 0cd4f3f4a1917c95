// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/hashing.h"

namespace ridge {
namespace {
namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  Files() { fs::create_directories(folder_); }
  ~Files() override { fs::remove_all(folder_); }
  const fs::path folder_ = fs::temp_directory_path() / ("ridge_files_" + std::to_string(::getpid()));
};

TEST_F(Files, WriteThenRead) {
  const std::string bytes("a\0b\r\n", 5);
  ASSERT_TRUE(write_file(folder_ / "new" / "x.bin", bytes).ok());
  const auto back = read_file(folder_ / "new" / "x.bin");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, bytes);
}

TEST_F(Files, WriteLeavesNoTemporaryAndKeepsMode) {
  const fs::path file = folder_ / "x.txt";
  ASSERT_TRUE(write_file(file, "one").ok());
  ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  ASSERT_TRUE(write_file(file, "two").ok());
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}), 1);
}

TEST_F(Files, WhatIsNoFileIsWrittenToAndNeverReplaced) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(write_file(pipe, "through").ok());
  char bytes[16] = {};
  EXPECT_EQ(::read(reader, bytes, sizeof bytes), 7);
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_TRUE(write_file("/dev/null", "gone").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, ALinkStaysALink) {
  const fs::path file = folder_ / "target.txt", link = folder_ / "link.txt";
  ASSERT_TRUE(write_file(file, "old").ok());
  fs::create_symlink("target.txt", link);
  ASSERT_TRUE(write_file(link, "new").ok());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(*read_file(file), "new");
}

TEST_F(Files, FailedWriteKeepsTheOldFile) {
  const fs::path file = folder_ / "old.txt";
  ASSERT_TRUE(write_file(file, "old").ok());
  const auto failed = write_file(file / "below-a-file", "x");
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().message.english().find("old.txt"), std::string::npos);
  EXPECT_EQ(*read_file(file), "old");
}

TEST_F(Files, RefusesWhatIsNoFileAndWhatIsTooLarge) {
  EXPECT_EQ(read_file(folder_).error().code, "no_file");
  EXPECT_EQ(read_file("/dev/zero").error().code, "no_file");
  ASSERT_TRUE(write_file(folder_ / "ten", "0123456789").ok());
  EXPECT_EQ(read_file(folder_ / "ten", 9).error().code, "too_large");
  EXPECT_TRUE(read_file(folder_ / "ten", 10).ok());
  EXPECT_EQ(read_file(folder_ / "none").error().code, "io");
}

TEST_F(Files, APipeWithoutWriterDoesNotHang) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read_file(pipe).error().code, "no_file");
}

TEST_F(Files, FoldersFollowTheEnvironment) {
  ::setenv("RIDGE_KERNELS", "/somewhere/kernels", 1);
  EXPECT_EQ(kernels_folder(), "/somewhere/kernels");
  ::unsetenv("RIDGE_KERNELS");
  EXPECT_TRUE(fs::is_directory(kernels_folder()));
  ::setenv("RIDGE_CACHE", "/somewhere/cache", 1);
  EXPECT_EQ(cache_folder(), "/somewhere/cache");
  ::unsetenv("RIDGE_CACHE");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_TRUE(cache_folder().is_absolute());
}

TEST(ContentHash, NamesContent) {
  EXPECT_EQ(content_hash("").size(), 32u);
  EXPECT_EQ(content_hash(""),
            "99aa06d3014798d86001c324468d497f");  // XXH3-128 of nothing, from the xxHash specification
  EXPECT_NE(content_hash("a"), content_hash("b"));
}

}  // namespace
}  // namespace ridge
