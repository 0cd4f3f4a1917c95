// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/closure.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/files.h"

namespace ridge::compile {
namespace {
namespace fs = std::filesystem;

class ClosureTest : public testing::Test {
 protected:
  ClosureTest() {
    write("a.h", "#pragma once\n#  include \"deep/b.h\"\n#include <cuda_fp16.h>\n");
    write("deep/b.h", "#include \"c.h\"\n#include \"../a.h\"\n");
    write("deep/c.h", "int c;\n");
    write("toolkit/cuda_fp16.h", "#include \"not_followed.h\"\n");
  }
  ~ClosureTest() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file(folder_ / name, text).ok());
  }
  Closure closure(const std::string& text) {
    return include_closure(text, folder_, {folder_}, {folder_ / "toolkit"});
  }

  const fs::path folder_ = fs::temp_directory_path() / ("ridge_closure_" + std::to_string(::getpid()));
};

TEST_F(ClosureTest, FollowsFilesOutsideOfTheToolkit) {
  const Closure found = closure("int x;\n\n#include \"a.h\"\n");
  EXPECT_TRUE(found.complete);
  EXPECT_TRUE(found.local_files);
  ASSERT_EQ(found.files.size(), 4u);
  EXPECT_EQ(found.files[0].name, "a.h");
  EXPECT_EQ(found.files[1].name, "deep/b.h");
  EXPECT_EQ(found.files[2].name, "cuda_fp16.h");
  EXPECT_TRUE(found.files[2].toolkit);
  EXPECT_EQ(found.files[3].name, "c.h");
  for (const Included& file : found.files) EXPECT_EQ(file.root_line, 3) << file.name;
}

TEST_F(ClosureTest, InactiveBranchesAndAbsentFilesCount) {
  const Closure found =
      closure("#if 0\n#include \"deep/c.h\"\n#endif\n#if __has_include(<nowhere.h>)\n#endif\n");
  ASSERT_EQ(found.files.size(), 2u);
  EXPECT_FALSE(found.files[0].file.empty());
  EXPECT_TRUE(found.files[1].file.empty());
  EXPECT_EQ(found.files[1].name, "nowhere.h");
}

TEST_F(ClosureTest, ContentMakesTheHash) {
  const std::string before = closure("#include \"deep/c.h\"\n").files[0].hash;
  write("deep/c.h", "int d;\n");
  EXPECT_NE(closure("#include \"deep/c.h\"\n").files[0].hash, before);
}

TEST_F(ClosureTest, AMacroForANameIsNotFollowed) {
  EXPECT_FALSE(closure("#include HEADER\n").complete);
  EXPECT_TRUE(closure("// #include HEADER\n#define include\n").complete);
}

}  // namespace
}  // namespace ridge::compile
