// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "source/source.h"

namespace ridge::source {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

PreparedSource prepared(const std::string& text, const std::string& file = "k.cu") {
  const auto source = parse_source(text, file);
  EXPECT_TRUE(source);
  return source ? prepare(*source) : PreparedSource{};
}
const std::string kKernel = "__global__ void k(float *x) { x[0] = 1; }\n";

TEST(Prepare, LeavesDeviceCodeAlone) {
  const std::string text =
      "#include <cuda_fp16.h>\n#define N 4\nconstexpr int kTile = 32;\nconst float kScale = 2.0f;\n"
      "__constant__ float table[4];\n__device__ int count;\nstruct Pair { float a, b; };\nenum { kBlock = "
      "128 };\n"
      "typedef float real;\nusing Index = unsigned;\nnamespace ns { __device__ float twice(float v) { return "
      "2 * v; } }\n"
      "template <class T> __host__ __device__ T least(T a, T b) { return a < b ? a : b; }\n"
      "static_assert(sizeof(Pair) == 8, \"size\");\nusing namespace nvcuda;\n" +
      kKernel;
  const PreparedSource source = prepared(text);
  EXPECT_EQ(source.text, text);
  EXPECT_THAT(source.ignored, IsEmpty());
  EXPECT_THAT(source.questions, IsEmpty());
  EXPECT_THAT(source.options, IsEmpty());
}

TEST(Prepare, BlanksHostCodeInPlace) {
  const PreparedSource source =
      prepared("#include <iostream>\nusing namespace std;\nint runs = 3;\nvoid show(int);\n" + kKernel +
               "int main() {\n  k<<<1, 1>>>(nullptr);\n}\n");
  EXPECT_EQ(source.text, "                   \n                    \n             \n               \n" +
                             kKernel + "            \n                       \n \n");
  ASSERT_EQ(source.ignored.size(), 5u);
  EXPECT_EQ(source.ignored[4].first, 6);
  EXPECT_EQ(source.ignored[4].last, 8);
  EXPECT_EQ(source.ignored[4].reason, "main and its launches");
}

TEST(Prepare, PreprocessorLinesInHostCodeStay) {
  const PreparedSource source = prepared("void run() {\n#ifdef A\n  f();\n#endif\n}\n" + kKernel);
  EXPECT_EQ(source.text, "            \n#ifdef A\n      \n#endif\n \n" + kKernel);
}

TEST(Prepare, BranchesForOtherCompilersAreNotItsBusiness) {
  const std::string text =
      "#ifndef __CUDACC_RTC__\n#include <vector>\nint main() {}\n#endif\n#if 0\nint x = {;\n#endif\n" +
      kKernel;
  EXPECT_EQ(prepared(text).text, text);
}

TEST(Prepare, AMacroMayMakeAFunctionADeviceFunction) {
  const std::string text =
      "#define FN static __device__\nFN float f() { return 1; }\nCUTE_HOST_DEVICE float g();\n" + kKernel;
  EXPECT_EQ(prepared(text).text, text);
}

TEST(Prepare, FunctionsWithoutSpaceThatDeviceCodeMayUseGetTheOption) {
  EXPECT_THAT(prepared("constexpr int square(int v) { return v * v; }\n" + kKernel).options,
              ElementsAre("-default-device"));
  EXPECT_THAT(
      prepared("struct P { float v; float get() const { return v; } };\n__global__ void k(P p) {}\n").options,
      ElementsAre("-default-device"));
}

TEST(Prepare, NamesCarryTheirNamespaces) {
  const PreparedSource source = prepared(
      "namespace a::b { inline namespace v1 { __global__ void k(int n) {} } }\n"
      "namespace { extern \"C\" __global__ void l() {} }\nextern \"C\" { __global__ void m() {} }\n");
  ASSERT_EQ(source.kernels.size(), 3u);
  EXPECT_EQ(source.kernels[0].name, "a::b::v1::k");
  EXPECT_EQ(source.kernels[1].name, "(anonymous)::l");
  EXPECT_TRUE(source.kernels[1].extern_c);
  EXPECT_TRUE(source.kernels[2].extern_c);
  ASSERT_EQ(source.questions.size(), 1u);
  EXPECT_THAT(source.questions[0].choices, ElementsAre("a::b::k", "l", "m"));
}

TEST(Prepare, ParametersKnowPointersAndConst) {
  const PreparedSource source = prepared(
      "template <typename T, int N = 4>\n__global__ void __launch_bounds__(128)\nk(const T* __restrict__ x, "
      "T *const y, int n,"
      " const Vec<T*> v, float z[])\n{ }\n");
  ASSERT_EQ(source.kernels.size(), 1u);
  const Signature& kernel = source.kernels[0];
  EXPECT_EQ(kernel.line, 3);
  EXPECT_THAT(kernel.template_parameters, ElementsAre("typename T", "int N = 4"));
  ASSERT_EQ(kernel.parameters.size(), 5u);
  EXPECT_TRUE(kernel.parameters[0].pointer && kernel.parameters[0].constant);
  EXPECT_TRUE(kernel.parameters[1].pointer);
  EXPECT_FALSE(kernel.parameters[1].constant);
  EXPECT_FALSE(kernel.parameters[2].pointer);
  EXPECT_FALSE(kernel.parameters[3].pointer);
  EXPECT_TRUE(kernel.parameters[4].pointer);
  EXPECT_EQ(kernel.parameters[4].name, "z");
}

TEST(Prepare, LaunchesTellTemplateArguments) {
  const std::string kernel = "template <int TILE, typename T> __global__ void k(T *x) {}\n";
  EXPECT_THAT(
      prepared(kernel + "#define W 8\nint main() { const int t = 4 * W; k<t, float><<<1, t>>>(p); }\n")
          .kernels.at(0)
          .instances,
      ElementsAre("k<32, float>"));
  const PreparedSource unknown =
      prepared(kernel + "template <typename T> void f(T *p) { k<4, T><<<1, 1>>>(p); }\n");
  EXPECT_THAT(unknown.kernels.at(0).instances, IsEmpty());
  ASSERT_EQ(unknown.questions.size(), 1u);
  EXPECT_EQ(unknown.questions[0].kind, "template");
  EXPECT_THAT(unknown.questions[0].answer_with.english(), HasSubstr("//@ kernel: k<"));
  EXPECT_THAT(prepared("//@ kernel: k<1, int>\n" + kernel).questions, IsEmpty());
}

TEST(Prepare, ThePreludeLeavesOutWhatTheFileDefines) {
  const std::string whole = prepared(kKernel).prelude;
  EXPECT_THAT(whole, HasSubstr("typedef signed long long int64_t;"));
  EXPECT_THAT(whole, HasSubstr("#define M_PI "));
  EXPECT_THAT(whole, HasSubstr("using ::int64_t;"));
  const std::string less = prepared("typedef long int64_t;\n#define M_PI 3\n" + kKernel).prelude;
  EXPECT_THAT(less, Not(HasSubstr("int64_t;\ntypedef unsigned char uint8_t")));
  EXPECT_THAT(less, Not(HasSubstr(" int64_t;")));
  EXPECT_THAT(less, Not(HasSubstr("#define M_PI ")));
}

TEST(Prepare, LocalHeadersArePreparedToo) {
  const fs::path folder = fs::path(testing::TempDir()) / ("ridge_headers_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "math.cuh")
      << "#pragma once\n#include <cmath>\n#include \"math.cuh\"\n__device__ float f();\n";
  std::ofstream(folder / "host.h") << "void run();\n";
  const PreparedSource source =
      prepared("#include \"math.cuh\"\n#include \"host.h\"\n" + kKernel, (folder / "k.cu").string());
  fs::remove_all(folder);
  ASSERT_EQ(source.headers.size(), 1u);
  EXPECT_EQ(source.headers[0].first, "math.cuh");
  EXPECT_EQ(source.headers[0].second,
            "#pragma once\n                \n#include \"math.cuh\"\n__device__ float f();\n");
  ASSERT_EQ(source.ignored.size(), 1u);
  EXPECT_EQ(source.ignored[0].first, 2);
}

TEST(Prepare, AnAbsentHeaderIsAskedFor) {
  const PreparedSource source = prepared("#include \"project/vec.cuh\"\n" + kKernel);
  ASSERT_EQ(source.questions.size(), 1u);
  EXPECT_EQ(source.questions[0].kind, "include");
  EXPECT_EQ(source.questions[0].line, 1);
  EXPECT_THAT(source.questions[0].text.english(), HasSubstr("project/vec.cuh"));
}

TEST(Prepare, SaysWhenThereIsNoKernel) {
  for (const std::string text : {"", "// nothing\n", "int main() {}\n"}) {
    const PreparedSource source = prepared(text);
    ASSERT_EQ(source.diagnostics.size(), 1u) << text;
    EXPECT_EQ(source.diagnostics[0].code, "no_kernel");
  }
  EXPECT_THAT(prepared("struct S { __global__ void k() {} };\n").diagnostics.at(0).message.english(),
              HasSubstr("member function"));
}

TEST(Prepare, BrokenTextNeitherCrashesNorHangs) {
  for (const std::string text : {"template <",
                                 "template<typename T> __global__ void k(",
                                 "__global__ void k(int a",
                                 "namespace {",
                                 "extern \"C\" {",
                                 "}}}}",
                                 "R\"(",
                                 "/*",
                                 "\"",
                                 "'",
                                 "struct {",
                                 "int x = {",
                                 "#if\n#else\n#endif\n#endif\n",
                                 "operator",
                                 "#define",
                                 "k<<<",
                                 "template <int N> __global__ void k() {}\nk<",
                                 "#include \"",
                                 "#include <",
                                 "__global__",
                                 "using",
                                 "a(b)(c)(d"}) {
    const PreparedSource source = prepared(text);
    EXPECT_EQ(source.text.size(), text.size()) << text;
  }
}

TEST(PreparePtx, ReadsEntries) {
  const PreparedSource source = prepared(
      ".version 8.4\n.target sm_80\n// .entry none\n.visible .entry k(\n  .param .u64 .ptr .global .align 4 "
      "k_param_0,\n"
      "  .param .align 8 .b8 k_param_1[16]\n)\n{\n  ret;\n}\n",
      "k.ptx");
  ASSERT_EQ(source.kernels.size(), 1u);
  EXPECT_EQ(source.kernels[0].name, "k");
  EXPECT_EQ(source.kernels[0].line, 4);
  ASSERT_EQ(source.kernels[0].parameters.size(), 2u);
  EXPECT_TRUE(source.kernels[0].parameters[0].pointer);
  EXPECT_EQ(source.kernels[0].parameters[1].name, "k_param_1");
  EXPECT_TRUE(source.prelude.empty());
  EXPECT_THAT(prepared("__global__ void k() {}\n", "k.ptx").diagnostics.at(0).message.english(),
              HasSubstr("CUDA C++"));
}

}  // namespace
}  // namespace ridge::source
