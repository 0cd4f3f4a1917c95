// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "source/source.h"

namespace ridge::source {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

KernelSource parse(const std::string& text) {
  auto source = parse_source(text, "k.cu");
  EXPECT_TRUE(source);
  return source ? *source : KernelSource{};
}

auto says(int line, const std::string& words) {
  return Contains(
      AllOf(Field(&Diagnostic::line, line),
            Field(&Diagnostic::message, testing::Property(&Sentence::english, HasSubstr(words)))));
}

TEST(Directives, AreReadWithTheirLines) {
  const KernelSource source = parse(
      "//@ problem: softmax          # may be left out\n"
      "//@ kernel: softmax_online<256>\n"
      "  //@ grid: ceil_div(rows, 4), 2\n"
      "//@ block: 256\n//@ shared: 4 * cols\n//@ cluster: 2\n//@ cooperative: true\n"
      "//@ args: x, y, rows\n//@ define: VEC = 4\n//@ define: FAST\n//@ symbol: table = x\n//@ zero: y, "
      "partial\n"
      "//@ scratch: partial float32 [ceil_div(rows, 4), 2]\n//@ tune: BLOCK = 128, 256, 512\n"
      "//@ arch: sm_90a\n//@ options: --use_fast_math\n");
  EXPECT_THAT(source.diagnostics, IsEmpty());
  const Directives& directives = source.directives;
  EXPECT_EQ(directives.problem.text, "softmax");
  ASSERT_EQ(directives.launches.size(), 1u);
  EXPECT_EQ(directives.launches[0].kernel.text, "softmax_online<256>");
  EXPECT_EQ(directives.launches[0].grid.text, "ceil_div(rows, 4), 2");
  EXPECT_EQ(directives.launches[0].grid.line, 3);
  EXPECT_EQ(directives.launches[0].cooperative.text, "true");
  ASSERT_EQ(directives.defines.size(), 2u);
  EXPECT_EQ(directives.defines[0].value, "4");
  EXPECT_EQ(directives.defines[1].value, "1");
  EXPECT_EQ(directives.symbols[0].tensor, "x");
  EXPECT_THAT(directives.zero, ElementsAre("y", "partial"));
  ASSERT_EQ(directives.scratch.size(), 1u);
  EXPECT_THAT(directives.scratch[0].shape, ElementsAre("ceil_div(rows, 4)", "2"));
  EXPECT_THAT(directives.tune[0].values, ElementsAre("128", "256", "512"));
  EXPECT_EQ(directives.arch.text, "sm_90a");
  EXPECT_EQ(directives.options.text, "--use_fast_math");
}

TEST(Directives, EachKernelLineBeginsALaunch) {
  const KernelSource source =
      parse("//@ grid: 1\n//@ kernel: a\n//@ block: 32\n//@ kernel: b\n//@ grid: 2\n");
  EXPECT_THAT(source.diagnostics, IsEmpty());
  ASSERT_EQ(source.directives.launches.size(), 2u);
  EXPECT_EQ(source.directives.launches[0].kernel.text, "a");
  EXPECT_EQ(source.directives.launches[0].grid.text, "1");
  EXPECT_EQ(source.directives.launches[1].kernel.text, "b");
  EXPECT_EQ(source.directives.launches[1].grid.text, "2");
  EXPECT_FALSE(source.directives.launches[1].block.given());
}

TEST(Directives, OnlyRealLinesCount) {
  const KernelSource source = parse(
      "/*\n//@ grid: 1\n*/\n// @ grid: 2\nint x; //@ grid: 3\nconst char *s = R\"(\n//@ grid: 4\n)\";\n"
      "// goes on \\\n//@ grid: 5\n//@{ a group\n//@}\n//@brief nothing of ours\n");
  EXPECT_THAT(source.diagnostics, IsEmpty());
  EXPECT_FALSE(source.directives.launches[0].grid.given());
}

TEST(Directives, MistakesAreNamedWithTheirLine) {
  const auto of = [](const std::string& text) { return parse(text).diagnostics; };
  EXPECT_THAT(of("//@ kernal: k\n"), says(1, "kernel is meant"));
  EXPECT_THAT(of("//@ grid: ceil_div(rows, 4\n"), says(1, "not closed"));
  EXPECT_THAT(of("//@ grid: 1, 2, 3, 4\n"), says(1, "4 parts"));
  EXPECT_THAT(of("//@ grid: 1\n\n//@ grid: 2\n"), says(3, "given twice (first in line 1)"));
  EXPECT_THAT(of("//@ block: 64, 32\n"), says(1, "more than 1024"));
  EXPECT_THAT(of("//@tune BLOCK = 128, 256\n"), says(1, "lacks its colon"));
  EXPECT_THAT(of("//@ tune: BLOCK = 128,, 2\n"), says(1, "no list of values"));
  EXPECT_THAT(of("//@ tune: B = 1\n//@ define: B = 2\n"), says(2, "given twice"));
  EXPECT_THAT(of("//@ cooperative: yes\n"), says(1, "yes"));
  EXPECT_THAT(of("//@ arch: hopper\n"), says(1, "hopper"));
  EXPECT_THAT(of("//@ arch: sm_52\n"), says(1, "sm_75"));
  EXPECT_THAT(of("//@ scratch: partial [4]\n"), says(1, "no name, dtype and [shape]"));
  EXPECT_THAT(of("//@ scratch: p float31 [4]\n"), says(1, "float32 is meant"));
  EXPECT_THAT(of("//@ symbol: table\n"), says(1, "names no tensor"));
  EXPECT_THAT(of("//@ args: x,, y\n"), says(1, "empty place"));
  EXPECT_THAT(of("//@ shared:\n"), says(1, "no value"));
  EXPECT_THAT(of("//@ shared: 1 / 2x\n"), says(1, "no whole number"));
  EXPECT_THAT(of("//@ define: 2x = 1\n"), says(1, "2x"));
  EXPECT_THAT(of("//@ args:    # none\n"), IsEmpty());
}

TEST(Directives, TensorMapsHaveExtentsAndWords) {
  const KernelSource source = parse(
      "//@ tensor_map: a_map = a box 64x64 swizzle 128B\n"
      "//@ tensor_map: b_map = b view (rows / 2) x 2 x (cols > 4 ? cols : 1) box BM x 1 x BK2 l2 256B fill "
      "nan # r\n"
      "//@ texture: tex = x filter linear address wrap coordinates normalized read normalized\n"
      "//@ texture: plain = y\n");
  EXPECT_THAT(source.diagnostics, IsEmpty());
  ASSERT_EQ(source.directives.tensor_maps.size(), 2u);
  const TensorMap &a = source.directives.tensor_maps[0], &b = source.directives.tensor_maps[1];
  EXPECT_EQ(a.name, "a_map");
  EXPECT_EQ(a.tensor, "a");
  EXPECT_THAT(a.box, ElementsAre("64", "64"));
  EXPECT_THAT(a.view, IsEmpty());
  EXPECT_EQ(a.swizzle, "128B");
  EXPECT_EQ(a.l2, "none");
  EXPECT_EQ(a.fill, "zero");
  EXPECT_EQ(b.line, 2);
  EXPECT_THAT(b.view, ElementsAre("(rows / 2)", "2", "(cols > 4 ? cols : 1)"));
  EXPECT_THAT(b.box, ElementsAre("BM", "1", "BK2"));
  EXPECT_EQ(b.l2, "256B");
  EXPECT_EQ(b.fill, "nan");
  ASSERT_EQ(source.directives.textures.size(), 2u);
  EXPECT_EQ(source.directives.textures[0].address, "wrap");
  EXPECT_EQ(source.directives.textures[0].filter, "linear");
  EXPECT_EQ(source.directives.textures[0].read, "normalized");
  EXPECT_EQ(source.directives.textures[1].tensor, "y");
  EXPECT_EQ(source.directives.textures[1].coordinates, "texels");
}

TEST(Directives, FaultyTensorMapsAndTexturesSayWhatToWrite) {
  const auto of = [](const std::string& text) { return parse(text).diagnostics; };
  EXPECT_THAT(of("//@ tensor_map: a_map\n"), says(1, "names no tensor"));
  EXPECT_THAT(of("//@ tensor_map: a_map = a\n"), says(1, "has no box"));
  EXPECT_THAT(of("//@ tensor_map: a_map = a box 4x4 box 2x2\n"), says(1, "given twice"));
  EXPECT_THAT(of("//@ tensor_map: a_map = a box 4x4 swizzle 16B\n"), says(1, "swizzle is"));
  EXPECT_THAT(of("//@ tensor_map: a_map = a box 4x4 view 16\n"), says(1, "view has 1 extents"));
  EXPECT_THAT(of("//@ tensor_map: a_map = a box 1x1x1x1x1x1\n"), says(1, "6 extents"));
  EXPECT_THAT(of("//@ tensor_map: a_map = a box 4x\n"), says(1, "box"));
  EXPECT_THAT(of("//@ tensor_map: m = a box 4\n//@ texture: m = a\n"), says(2, "given twice"));
  EXPECT_THAT(of("//@ texture: tex = x filter cubic\n"), says(1, "filter is"));
  EXPECT_THAT(of("//@ texture: tex = x y\n"), says(1, "NAME = TENSOR"));
  EXPECT_THAT(of("//@ texture: tex = x address\n"), says(1, "address has no value"));
}

TEST(WithDirective, ChangesExactlyTheValue) {
  const std::string text = "// first\r\n//@ grid: 1   # a remark\r\n//@ block: 2\r\ncode\r\n";
  EXPECT_EQ(with_directive(text, 0, "grid", "rows, 2"),
            "// first\r\n//@ grid: rows, 2   # a remark\r\n//@ block: 2\r\ncode\r\n");
  EXPECT_EQ(with_directive(text, 0, "grid", ""), "// first\r\n//@ block: 2\r\ncode\r\n");
  EXPECT_EQ(with_directive(text, 0, "shared", "64"),
            "// first\r\n//@ grid: 1   # a remark\r\n//@ block: 2\r\n//@ shared: 64\r\ncode\r\n");
  EXPECT_EQ(with_directive(text, 0, "cluster", ""), text);
}

TEST(WithDirective, KnowsTheLaunches) {
  const std::string text = "//@ kernel: a\n//@ grid: 1\n//@ kernel: b\n//@ grid: 2\n";
  EXPECT_EQ(with_directive(text, 1, "grid", "3"), "//@ kernel: a\n//@ grid: 1\n//@ kernel: b\n//@ grid: 3\n");
  EXPECT_EQ(with_directive(text, 0, "block", "32"),
            "//@ kernel: a\n//@ grid: 1\n//@ block: 32\n//@ kernel: b\n//@ grid: 2\n");
  EXPECT_EQ(with_directive(text, 2, "kernel", "c"), text + "//@ kernel: c\n");
}

TEST(WithDirective, StartsAFileAndKeepsItsMark) {
  EXPECT_EQ(with_directive("code", 0, "grid", "1"), "//@ grid: 1\ncode");
  EXPECT_EQ(with_directive("\xEF\xBB\xBF"
                           "code\n",
                           0, "grid", "1"),
            "\xEF\xBB\xBF//@ grid: 1\ncode\n");
  EXPECT_EQ(with_directive("//@ block: 1", 0, "grid", "2"), "//@ block: 1\n//@ grid: 2\n");
  EXPECT_EQ(with_directive("//@ grid:\n", 0, "grid", "2"), "//@ grid: 2\n");
}

TEST(WithDirective, RepeatableKeysGoByName) {
  const std::string text = "//@ define: A = 1\n//@ define: B = 2\n";
  EXPECT_EQ(with_directive(text, 0, "define", "B = 3"), "//@ define: A = 1\n//@ define: B = 3\n");
  EXPECT_EQ(with_directive(text, 0, "define", "C = 4"), text + "//@ define: C = 4\n");
  EXPECT_EQ(with_directive(text, 0, "define", "A ="), "//@ define: B = 2\n");
}

TEST(WithDirective, TheResultReadsBack) {
  std::string text = "__global__ void k(float* x) {}\n";
  for (const std::string& key : directive_keys()) {
    if (key == "define" || key == "tune" || key == "symbol" || key == "scratch" || key == "zero" ||
        key == "tensor_map" || key == "texture")
      continue;
    text = with_directive(text, 0, key, key == "cooperative" ? "true" : key == "arch" ? "sm_90" : "1");
  }
  const KernelSource source = parse(text);
  EXPECT_THAT(source.diagnostics, IsEmpty());
  EXPECT_EQ(source.directives.launches.size(), 1u);
  EXPECT_EQ(source.directives.launches[0].shared.text, "1");
}

}  // namespace
}  // namespace ridge::source
