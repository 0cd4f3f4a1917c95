// SPDX-License-Identifier: GPL-3.0-or-later
// Memory checks on kernels as NVRTC compiles them: each fault, its line, and a correct twin.
#include "core/device/emulator_checks/checked.h"

namespace ridge::device {
namespace {

TEST(MemoryChecks, DeviceMemory) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& index) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    const int i = blockIdx.x * 32 + threadIdx.x;\n"
           "    x[" +
           index + "] = i;\n}\n";
  };
  EXPECT_TRUE(found(kernel("i"), {2, 1, 1}, {32, 1, 1}).empty());
  const auto beyond = found(kernel("i + 1"), {2, 1, 1}, {32, 1, 1});
  expect_finding(beyond, Status::out_of_bounds, 4, "behind the end of x");
  EXPECT_EQ(beyond[0].block, (std::array<std::int64_t, 3>{1, 0, 0}));
  EXPECT_EQ(beyond[0].thread, (std::array<std::int64_t, 3>{31, 0, 0}));
  expect_finding(found(kernel("i - 1"), {2, 1, 1}, {32, 1, 1}), Status::out_of_bounds, 4,
                 "before the start of x");
}

TEST(MemoryChecks, InlinedFunctionsTellWhereTheyWereCalled) {
  RIDGE_NEEDS_NVRTC();
  const auto findings = found(
      "__device__ int look(const int* x, int i)\n{\n    return x[i];\n}\n"
      "extern \"C\" __global__ void k(int* x)\n{\n    x[0] = look(x, 64 + threadIdx.x);\n}\n",
      {1, 1, 1}, {1, 1, 1});
  expect_finding(findings, Status::out_of_bounds, 3,
                 "In look, called at line 7: Out-of-bounds read of 4 bytes in device memory: right behind "
                 "the end of x.");
}

TEST(MemoryChecks, FunctionsAreCalledWhatPeopleCallThem) {
  RIDGE_NEEDS_NVRTC();
  const std::string text =
      "#include <cooperative_groups.h>\nnamespace lib { inline namespace __v2 {\n"
      "template <class T> __device__ T look(const T* x, int i)\n{\n    return x[i];\n}\n} }\n"
      "extern \"C\" __global__ void k(int* x)\n{\n    x[0] = lib::look<int>(x, 64);\n}\n";
  expect_finding(found(text, {1, 1, 1}, {1, 1, 1}), Status::out_of_bounds, 5,
                 "In lib::look, called at line 10: ");
}

TEST(MemoryChecks, AOneLetterArrayIsNoType) {
  RIDGE_NEEDS_NVRTC();
  const std::string text =
      "extern \"C\" __global__ void k(int* x)\n{\n    extern __shared__ float f[];\n"
      "    f[threadIdx.x] = 1;\n    __syncthreads();\n    x[0] = f[0];\n}\n";
  expect_finding(found(text, {1, 1, 1}, {32, 1, 1}, 64, 124), Status::out_of_bounds, 4,
                 "in shared memory: right behind the end of f.");
}

TEST(MemoryChecks, AcrossTheEndOfASharedArray) {
  RIDGE_NEEDS_NVRTC();
  const std::string text =
      "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ __align__(16) int a[6];\n"
      "    a[threadIdx.x] = x[threadIdx.x];\n    __syncthreads();\n"
      "    x[0] = reinterpret_cast<int4*>(a)[x[1] - 6].w;\n}\n";
  const auto findings = found(text, {1, 1, 1}, {6, 1, 1});
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].message.english().find("-"), findings[0].message.english().find("-of-bounds"));
}

TEST(MemoryChecks, MemoryThatWasFreed) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& statement) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    int* p = (int*)malloc(64);\n    p[3] = 1;\n"
           "    x[1] = p[3];\n    free(p);\n    " +
           statement + "\n}\n";
  };
  EXPECT_TRUE(found(kernel(""), {1, 1, 1}, {1, 1, 1}).empty());
  expect_finding(found(kernel("x[0] = *(volatile int*)(p + 3);"), {1, 1, 1}, {1, 1, 1}),
                 Status::out_of_bounds, 7, "in memory that free() has given back.");
  expect_finding(found(kernel("free(p);"), {1, 1, 1}, {1, 1, 1}), Status::out_of_bounds, 7,
                 "free() of memory that has been freed already.");
  expect_finding(found(kernel("free(x);"), {1, 1, 1}, {1, 1, 1}), Status::out_of_bounds, 7,
                 "that malloc() did not give.");
}

TEST(MemoryChecks, NullPointers) {
  RIDGE_NEEDS_NVRTC();
  const auto run = [](const std::string& index) {
    Checked checked("extern \"C\" __global__ void k(int* x, int* p)\n{\n    p[" + index + "] = 1;\n}\n");
    checked.more = {argument(std::uint64_t{0})};
    return checked.findings({1, 1, 1}, {1, 1, 1});
  };
  expect_finding(run("0"), Status::out_of_bounds, 3, "the pointer is null.");
  expect_finding(run("x[1]"), Status::out_of_bounds, 3, "28 bytes behind a null pointer.");
}

TEST(MemoryChecks, TooMuchLocalMemoryIsTheKernelsOwn) {
  RIDGE_NEEDS_NVRTC();
  const auto findings = found(
      "extern \"C\" __global__ void k(int* x)\n{\n    int a[1000000];\n    for (int i = 0; i < 1000000; "
      "++i)\n"
      "        a[i] = x[i & 63];\n    x[0] = a[x[1]];\n}\n",
      {1, 1, 1}, {1, 1, 1});
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].status, Status::launch_failed);
  EXPECT_EQ(findings[0].line, 1);
  EXPECT_TRUE(findings[0].message.english().starts_with("Kernel k needs 4000000 bytes of local memory"))
      << findings[0].message;
}

TEST(MemoryChecks, DynamicSharedMemory) {
  RIDGE_NEEDS_NVRTC();
  const std::string text =
      "extern \"C\" __global__ void k(int* x)\n{\n    extern __shared__ int s[];\n    s[threadIdx.x] = "
      "x[threadIdx.x];\n"
      "    __syncthreads();\n    x[threadIdx.x] = s[31 - threadIdx.x];\n}\n";
  EXPECT_TRUE(found(text, {1, 1, 1}, {32, 1, 1}, 64, 128).empty());
  expect_finding(found(text, {1, 1, 1}, {32, 1, 1}, 64, 124), Status::out_of_bounds, 4, "shared");
}

/// One array inside shared memory: beyond it lies another one, so that only the array tells.
TEST(MemoryChecks, NeighbouringSharedArrays) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& index) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ int a[32];\n    __shared__ int b[32];\n"
           "    const int t = threadIdx.x;\n    a[t] = x[t];\n    b[t] = x[t + 32];\n    __syncthreads();\n"
           "    x[t] = a[" +
           index + "] + b[31 - t];\n}\n";
  };
  EXPECT_TRUE(found(kernel("31 - t"), {1, 1, 1}, {32, 1, 1}).empty());
  expect_finding(found(kernel("t + 1"), {1, 1, 1}, {32, 1, 1}), Status::out_of_bounds, 9, "of a");
  expect_finding(found(kernel("x[0] - 7 + 32"), {1, 1, 1}, {32, 1, 1}), Status::out_of_bounds, 9, "of a");
  expect_finding(found(kernel("32"), {1, 1, 1}, {32, 1, 1}), Status::out_of_bounds, 9, "of a");
  expect_finding(found(kernel("-1"), {1, 1, 1}, {32, 1, 1}), Status::out_of_bounds, 9, "of a");
}

TEST(MemoryChecks, LocalArrays) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& index) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    int a[8];\n    for (int i = 0; i < 8; ++i)\n"
           "        a[i] = x[i] + threadIdx.x;\n    x[threadIdx.x] = a[" +
           index + "];\n}\n";
  };
  EXPECT_TRUE(found(kernel("x[40] & 7"), {1, 1, 1}, {1, 1, 1}).empty());
  expect_finding(found(kernel("x[40] + 1"), {1, 1, 1}, {1, 1, 1}), Status::out_of_bounds, 6,
                 "in local memory: right behind the end of a local array.");
}

TEST(MemoryChecks, ConstantMemory) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& index) {
    return "__constant__ int table[16] = {1, 2, 3};\nextern \"C\" __global__ void k(int* x)\n{\n"
           "    x[threadIdx.x] = table[" +
           index + "];\n}\n";
  };
  EXPECT_TRUE(found(kernel("threadIdx.x"), {1, 1, 1}, {16, 1, 1}).empty());
  expect_finding(found(kernel("threadIdx.x + 1"), {1, 1, 1}, {16, 1, 1}), Status::out_of_bounds, 4,
                 "in constant memory: right behind the end of table.");
}

TEST(MemoryChecks, Misaligned) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& first) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    const int4 v = *(const int4*)(x + " + first +
           ");\n    x[0] = v.x + v.w;\n}\n";
  };
  EXPECT_TRUE(found(kernel("4"), {1, 1, 1}, {1, 1, 1}).empty());
  expect_finding(found(kernel("2"), {1, 1, 1}, {1, 1, 1}), Status::misaligned, 3, "multiple of 16");
}

TEST(MemoryChecks, Uninitialised) {
  RIDGE_NEEDS_NVRTC();
  const auto shared = [](const std::string& condition) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ int s[32];\n    const int t = "
           "threadIdx.x;\n"
           "    if (" +
           condition + ")\n        s[t] = t;\n    __syncthreads();\n    x[t] = s[31 - t];\n}\n";
  };
  EXPECT_TRUE(found(shared("t >= 0"), {1, 1, 1}, {32, 1, 1}).empty());
  expect_finding(found(shared("t != 5"), {1, 1, 1}, {32, 1, 1}), Status::uninitialised, 8, "no thread");

  Checked device(
      "extern \"C\" __global__ void k(int* x, const int* y)\n{\n    x[threadIdx.x] = y[threadIdx.x];\n}\n");
  const Address y = device.emulated().scratch(256, "y");
  device.more = {argument(y)};
  expect_finding(device.findings({1, 1, 1}, {32, 1, 1}), Status::uninitialised, 3, "of y");
}

/// Reads alone are no race, however many warps see what nobody wrote.
TEST(SharedMemory, UninitialisedReadsOfSeveralWarpsAreNoRace) {
  RIDGE_NEEDS_NVRTC();
  Checked kernel(
      "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ int s[64];\n    const int t = threadIdx.x;\n"
      "    if (x[0] < 0)\n        s[t / 4] = t;\n    int sum = s[t / 64];\n    __syncthreads();\n"
      "    sum += s[t / 64];\n    if (sum == 1)\n        x[t / 4] = sum;\n}\n");
  const std::vector<Finding> findings = kernel.findings({2, 1, 1}, {256, 1, 1});
  expect_finding(findings, Status::uninitialised, 7, "no thread");
  for (const Finding& finding : findings) EXPECT_NE(finding.status, Status::race) << told(findings);
}

TEST(MemoryChecks, StoresToInputsNameTheirLine) {
  RIDGE_NEEDS_NVRTC();
  const std::string text =
      "extern \"C\" __global__ void k(int* x, const int* __restrict__ y)\n{\n    const int t = threadIdx.x;\n"
      "    int* sneaky = const_cast<int*>(y);\n    sneaky[t] = x[t];\n    x[t] = 1;\n}\n";
  Checked kernel(text);
  const Address y = kernel.emulated().buffer(std::vector<std::int32_t>(32, 3), "y");
  kernel.more = {argument(y)};
  EXPECT_TRUE(kernel.findings({1, 1, 1}, {32, 1, 1}).empty());
  kernel.emulated().device().protect(y);
  expect_finding(kernel.findings({1, 1, 1}, {32, 1, 1}), Status::input_modified, 5, "the input y");
}

TEST(MemoryChecks, FindingsAreCollectedOnceALineTheCauseFirst) {
  RIDGE_NEEDS_NVRTC();
  const auto findings = found(
      "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ int s[32];\n    const int t = threadIdx.x;\n"
      "    const int a = s[t];\n    for (int i = 0; i < 4; ++i)\n        x[64 + t + i * a] = i;\n    x[t] = "
      "a;\n}\n",
      {2, 1, 1}, {32, 1, 1});
  ASSERT_GE(findings.size(), 2u) << told(findings);
  EXPECT_EQ(findings[0].status, Status::out_of_bounds);
  EXPECT_EQ(findings[0].line, 7);
  EXPECT_GT(findings[0].count, 32u);
  const auto second = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.status == Status::uninitialised;
  });
  ASSERT_NE(second, findings.end()) << told(findings);
  EXPECT_EQ(second->line, 5);
}

TEST(MemoryChecks, IntegerDivisionByZero) {
  RIDGE_NEEDS_NVRTC();
  const std::string text =
      "extern \"C\" __global__ void k(int* x, int d)\n{\n    const int t = threadIdx.x;\n    x[t] = x[t] / "
      "(t + d);\n}\n";
  Checked fine(text);
  fine.more = {argument(1)};
  EXPECT_TRUE(fine.findings({1, 1, 1}, {32, 1, 1}).empty());
  Checked zero(text);
  zero.more = {argument(0)};
  expect_finding(zero.findings({1, 1, 1}, {32, 1, 1}), Status::suspect, 4, "division by zero");
}

TEST(MemoryChecks, StackOverflowAndAssertions) {
  RIDGE_NEEDS_NVRTC();
  const auto recursion = [](int depth) {
    return "__device__ __noinline__ int down(int n, int* x)\n{\n    int pad[16];\n    for (int i = 0; i < "
           "16; ++i)\n"
           "        pad[i] = x[i];\n    if (n == 0)\n        return pad[3];\n    return down(n - 1, pad) + "
           "pad[n & 15];\n}\n"
           "extern \"C\" __global__ void k(int* x)\n{\n    x[0] = down(" +
           std::to_string(depth) + ", x);\n}\n";
  };
  EXPECT_TRUE(found(recursion(5), {1, 1, 1}, {1, 1, 1}).empty());
  const auto overflow = found(recursion(1000000), {1, 1, 1}, {1, 1, 1});
  ASSERT_FALSE(overflow.empty());
  EXPECT_EQ(overflow[0].status, Status::launch_failed) << told(overflow);
  EXPECT_NE(overflow[0].message.english().find("Stack overflow"), std::string::npos) << told(overflow);

  const std::string asserts =
      "#include <cassert>\nextern \"C\" __global__ void k(int* x)\n{\n    assert(x[threadIdx.x] == 7);\n    "
      "x[0] = 8;\n}\n";
  EXPECT_TRUE(found(asserts, {1, 1, 1}, {32, 1, 1}).empty());
  Checked failing(asserts);
  EXPECT_TRUE(failing.findings({1, 1, 1}, {1, 1, 1}).empty());
  expect_finding(failing.findings({1, 1, 1}, {32, 1, 1}), Status::trapped, 4, "x[threadIdx.x] == 7");
}

}  // namespace
}  // namespace ridge::device
