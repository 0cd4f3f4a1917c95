// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>

#include "nvrtc_fixture.h"

namespace ridge::compile {
namespace {
namespace fs = std::filesystem;

constexpr const char* kKernel = "#include \"scale.h\"\n__global__ void k(float* x) { x[0] *= kScale; }\n";

class NvrtcCache : public NvrtcTest {
 protected:
  void SetUp() override {
    NvrtcTest::SetUp();
    if (IsSkipped()) return;
    write("scale.h", "#ifdef NEVER\n#include \"unused.h\"\n#endif\n#define kScale 2.0f\n");
    write("unused.h", "// nothing\n");
  }

  fs::path only_entry() const {
    fs::path found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / "cache/compile"))
      if (entry.is_regular_file()) found = entry.path();
    return found;
  }
};

TEST_F(NvrtcCache, TheSecondTimeItIsThere) {
  const CompiledKernel first = compile(kKernel);
  ASSERT_TRUE(first.ok) << said(first);
  EXPECT_FALSE(first.cached);
  CompiledKernel second = compile(kKernel);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.cubin, first.cubin);
  EXPECT_EQ(second.ptx, first.ptx);
  EXPECT_EQ(second.key, first.key);
  reopen();
  EXPECT_TRUE(compile(kKernel).cached) << "also for another process";
}

TEST_F(NvrtcCache, AChangedHeaderIsNoticed) {
  const CompiledKernel before = compile(kKernel);
  write("scale.h", "#define kScale 3.0f\n");
  const CompiledKernel after = compile(kKernel);
  EXPECT_FALSE(after.cached);
  EXPECT_NE(after.ptx, before.ptx);
}

TEST_F(NvrtcCache, HeadersInInactiveBranchesCountToo) {
  compile(kKernel);
  write("unused.h", "// something\n");
  EXPECT_FALSE(compile(kKernel).cached);
}

TEST_F(NvrtcCache, WhateverChangesTheResultChangesTheKey) {
  const CompileRequest base = request(kKernel);
  compile(base);
  CompileRequest changed = base;
  changed.arch = "sm_80";
  EXPECT_FALSE(compile(changed).cached);
  changed = base;
  changed.options = {"--use_fast_math"};
  EXPECT_FALSE(compile(changed).cached);
  changed = base;
  changed.defines = {{"A", "1"}};
  EXPECT_FALSE(compile(changed).cached);
  changed = base;
  changed.name_expressions = {"k"};
  EXPECT_FALSE(compile(changed).cached);
  changed = base;
  changed.source.prelude = "// other\n";
  EXPECT_FALSE(compile(changed).cached);
  changed = base;
  changed.line_info = false;
  EXPECT_FALSE(compile(changed).cached);
  changed = base;
  changed.use_cache = false;
  EXPECT_FALSE(compile(changed).cached);
  EXPECT_TRUE(compile(base).cached);
}

TEST_F(NvrtcCache, AHalfWrittenEntryIsCompiledAgain) {
  const CompiledKernel first = compile(kKernel);
  const fs::path entry = only_entry();
  ASSERT_FALSE(entry.empty());
  fs::resize_file(entry, fs::file_size(entry) / 2);
  const CompiledKernel second = compile(kKernel);
  EXPECT_FALSE(second.cached);
  EXPECT_EQ(second.cubin, first.cubin);
  EXPECT_TRUE(compile(kKernel).cached) << "and written anew";
}

TEST_F(NvrtcCache, FailuresAreNotKept) {
  const std::string text = "#include \"scale.h\"\n__global__ void k(float* x) { x[0] = missing; }\n";
  EXPECT_FALSE(compile(text).ok);
  EXPECT_FALSE(compile(text).cached);
  write("scale.h", "#define missing 1\n");
  EXPECT_TRUE(compile(text).ok);
}

TEST_F(NvrtcCache, PrecompiledHeadersOfDeadProcessesAreSweptAway) {
  const fs::path dead = folder_ / "cache/pch/999999999";
  fs::create_directories(dead);
  reopen();
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(folder_ / "cache/pch" / std::to_string(::getpid())));
  compiler_.reset();
  EXPECT_FALSE(fs::exists(folder_ / "cache/pch" / std::to_string(::getpid())));
}

}  // namespace
}  // namespace ridge::compile
