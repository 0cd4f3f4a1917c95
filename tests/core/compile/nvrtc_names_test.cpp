// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels a module holds, and by which names they are had.
#include "nvrtc_fixture.h"

namespace ridge::compile {
namespace {

constexpr const char* kTemplate =
    "template <int B> __global__ void fill(float* x) { x[threadIdx.x] = B; }\n"
    "__global__ void m(int* p) { *p = 1; }\n"
    "__global__ void m(float* p) { *p = 2; }\n"
    "static __global__ void hidden(int* p) { *p = 3; }\n"
    "namespace a::b { __global__ void deep(int* p) { *p = 4; } }\n"
    "extern \"C\" __global__ void plain(int* p) { *p = 5; }\n";

std::vector<source::Signature> signatures() {
  return {{"fill", 1, {{"float *", "x", true, false}}, {"int B"}, false},
          {"m", 2, {{"int *", "p", true, false}}, {}, false},
          {"m", 3, {{"float *", "p", true, false}}, {}, false},
          {"hidden", 4, {{"int *", "p", true, false}}, {}, false},
          {"a::b::deep", 5, {{"int *", "p", true, false}}, {}, false},
          {"plain", 6, {{"int *", "p", true, false}}, {}, true}};
}

class NvrtcNames : public NvrtcTest {
 protected:
  CompiledKernel named(const std::vector<std::string>& names) {
    CompileRequest asked = request(kTemplate, names);
    asked.source.kernels = signatures();
    return compile(asked);
  }
};

TEST_F(NvrtcNames, TemplatesOverloadsAndHiddenKernelsAreHad) {
  const CompiledKernel kernel =
      named({"fill<64>", "fill< 128 >", "(void (*)(int *))m", "hidden", "a::b::deep", "plain"});
  ASSERT_TRUE(kernel.ok) << said(kernel);
  EXPECT_EQ(kernel.lowered.size(), 6u);
  EXPECT_EQ(kernel.entries.size(), 7u) << "both m are in the module";
  EXPECT_EQ(kernel.entry("fill<64>")->name, "fill<64>");
  EXPECT_EQ(kernel.entry("fill< 128 >")->name, "fill<128>");
  EXPECT_EQ(kernel.entry("(void (*)(int *))m")->name, "m(int*)");
  EXPECT_EQ(kernel.entry("hidden")->line, 4);
  EXPECT_EQ(kernel.entry("a::b::deep")->symbol, "_ZN1a1b4deepEPi");
  EXPECT_EQ(kernel.entry("plain")->symbol, "plain");
  EXPECT_EQ(kernel.entry("m"), nullptr);
}

TEST_F(NvrtcNames, OneWrongNameCostsOnlyItself) {
  const CompiledKernel kernel = named({"fill<64>", "fil<32>", "plain"});
  EXPECT_FALSE(kernel.ok);
  ASSERT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
  EXPECT_EQ(kernel.diagnostics[0].code, "unknown_kernel");
  EXPECT_NE(kernel.diagnostics[0].message.english().find("fil<32>"), std::string::npos);
  EXPECT_NE(kernel.diagnostics[0].hint.english().find("Did you mean 'fill'"), std::string::npos)
      << kernel.diagnostics[0].hint;
  EXPECT_NE(kernel.entry("fill<64>"), nullptr) << "the others are still there to look at";
  EXPECT_FALSE(kernel.ptx.empty());
}

TEST_F(NvrtcNames, OverloadsAreOfferedByTheirParameters) {
  const CompiledKernel kernel = named({"m"});
  ASSERT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
  EXPECT_EQ(kernel.diagnostics[0].code, "ambiguous_kernel");
  EXPECT_NE(kernel.diagnostics[0].hint.english().find("(void (*)(float *))m"), std::string::npos);
}

TEST_F(NvrtcNames, ATemplateWithoutArgumentsListsThem) {
  const CompiledKernel kernel = named({"fill"});
  EXPECT_FALSE(kernel.ok);
  ASSERT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
  EXPECT_NE(kernel.diagnostics[0].hint.english().find("int B"), std::string::npos)
      << kernel.diagnostics[0].hint;
}

TEST_F(NvrtcNames, AnErrorInTheSourceIsNotTheNamesFault) {
  const CompiledKernel kernel = compile("__global__ void k(int* p) { *p = oops; }\n", {"k", "nope"});
  ASSERT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
  EXPECT_EQ(kernel.diagnostics[0].line, 1);
  EXPECT_NE(kernel.diagnostics[0].message.english().find("oops"), std::string::npos);
}

TEST_F(NvrtcNames, AnInstanceThatDoesNotCompileSaysWhy) {
  const CompiledKernel kernel = compile(
      "template <int B> __global__ void k(int* p) { static_assert(B > 16, \"B too small\"); *p = B; }\n",
      {"k<8>"});
  EXPECT_FALSE(kernel.ok);
  ASSERT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
  EXPECT_NE(kernel.diagnostics[0].message.english().find("B too small"), std::string::npos);
  EXPECT_NE(kernel.diagnostics[0].message.english().find("B=8"), std::string::npos)
      << "which instance it was";
}

TEST_F(NvrtcNames, AModuleWithoutKernelIsSaid) {
  CompileRequest asked = request("\n\ntemplate <typename T, int BM> __global__ void mm(T* p) { *p = BM; }\n");
  asked.source.kernels = {{"mm", 3, {{"T *", "p", true, false}}, {"typename T", "int BM"}, false}};
  CompiledKernel kernel = compile(asked);
  EXPECT_FALSE(kernel.ok);
  ASSERT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
  EXPECT_EQ(kernel.diagnostics[0].code, "no_kernel");
  EXPECT_EQ(kernel.diagnostics[0].line, 3);
  EXPECT_NE(kernel.diagnostics[0].message.english().find("mm is a template"), std::string::npos);
  EXPECT_NE(kernel.diagnostics[0].hint.english().find("typename T, int BM"), std::string::npos);
  for (const char* text : {"", "// __global__ void planned();\n", "__device__ int f() { return 1; }\n"}) {
    kernel = compile(text);
    EXPECT_FALSE(kernel.ok);
    ASSERT_EQ(kernel.diagnostics.size(), 1u) << text;
    EXPECT_EQ(kernel.diagnostics[0].code, "no_kernel");
  }
}

TEST_F(NvrtcNames, OrdinaryWallsAreFoldedToTheFirstCause) {
  std::string text = "__global__ void k(half* p) {\n";
  for (int i = 0; i < 20; ++i) text += "  half h" + std::to_string(i) + " = p[0];\n";
  const CompiledKernel kernel = compile(text + "}\n");
  EXPECT_FALSE(kernel.ok);
  ASSERT_FALSE(kernel.diagnostics.empty());
  EXPECT_EQ(kernel.diagnostics[0].line, 1);
  EXPECT_NE(kernel.diagnostics[0].hint.english().find("cuda_fp16.h"), std::string::npos);
  EXPECT_LE(kernel.diagnostics.size(), 3u) << said(kernel);
}

TEST_F(NvrtcNames, TheUmbrellaHeaderOfCubIsFoldedIntoOneLine) {
  const CompiledKernel kernel = compile(
      "// row means\n#include <cub/cub.cuh>\n__global__ void k(float* x) {\n"
      "  using Reduce = cub::BlockReduce<float, 128>;\n  __shared__ typename Reduce::TempStorage t;\n"
      "  x[0] = Reduce(t).Sum(x[threadIdx.x]);\n}\n");
  EXPECT_FALSE(kernel.ok);
  ASSERT_FALSE(kernel.diagnostics.empty());
  EXPECT_EQ(kernel.diagnostics[0].code, "header_not_for_nvrtc") << said(kernel);
  EXPECT_EQ(kernel.diagnostics[0].line, 2);
  EXPECT_NE(kernel.diagnostics[0].message.english().find("cub/cub.cuh"), std::string::npos);
  EXPECT_NE(kernel.diagnostics[0].hint.english().find("cub/block/block_reduce.cuh"), std::string::npos);
  EXPECT_LE(kernel.diagnostics.size(), 2u) << said(kernel);
}

}  // namespace
}  // namespace ridge::compile
