// SPDX-License-Identifier: GPL-3.0-or-later
// Counters of kernels as NVRTC compiles them: against theory, and the same for any number of host threads.
#include "core/device/emulator_checks/checked.h"

namespace ridge::device {
namespace {

constexpr unsigned kThreads[] = {1, 2, 5};

TEST(CompiledCounters, ClassesCountThreads) {
  RIDGE_NEEDS_NVRTC();
  Checked kernel(
      "extern \"C\" __global__ void k(int* x)\n{\n    const int t = threadIdx.x;\n    const float f = x[t];\n"
      "    if (t < 8)\n        x[t] = sinf(f) + exp2f(f) > 1.0f;\n    __syncthreads();\n    atomicAdd(x + "
      "63, 1);\n}\n");
  const LaunchOutcome outcome = kernel.run({1, 1, 1}, {32, 1, 1});
  EXPECT_TRUE(outcome.findings.empty()) << told(outcome.findings);
  const auto& counters = outcome.counters;
  EXPECT_EQ(counters.at("barriers"), 1);
  EXPECT_EQ(counters.at("atomics"), 32);
  EXPECT_EQ(counters.at("atomic_contention"), 31);
  EXPECT_EQ(counters.at("memory_instructions"), 32 + 8 + 32);
  EXPECT_EQ(counters.at("global_load_requests"), 1);
  EXPECT_GE(counters.at("special_instructions"), 8);
  EXPECT_GE(counters.at("control_instructions"), 32);
  EXPECT_LT(counters.at("active_lanes"), 32);
  EXPECT_LT(counters.at("branch_efficiency"), 100);
}

TEST(CompiledCounters, ConstantMemoryIsNoGlobalMemory) {
  RIDGE_NEEDS_NVRTC();
  Checked kernel(
      "__constant__ int table[32] = {1};\nextern \"C\" __global__ void k(int* x)\n{\n"
      "    x[threadIdx.x] = table[threadIdx.x];\n}\n");
  const auto counters = kernel.run({1, 1, 1}, {32, 1, 1}).counters;
  EXPECT_EQ(counters.at("global_load_requests"), 0);
  EXPECT_EQ(counters.at("global_store_requests"), 1);
}

const char* const kScan =
    "extern \"C\" __global__ void k(int* x, const int* y, int n, int rounds)\n{\n    int sum = 0;\n"
    "    const int i = blockIdx.x * 256 + threadIdx.x;\n    for (int r = 0; r < rounds; ++r)\n"
    "        for (int j = i; j < n; j += gridDim.x * 256)\n            sum += y[j];\n    x[i] = sum;\n}\n";

/// Bytes from and to device memory when `rounds` scans of `kibibytes` go through an L2 of 1 MiB.
hardware::CounterSet scan(int kibibytes, int rounds, unsigned threads) {
  Checked kernel(kScan, 1024);
  kernel.emulated().options.traffic = true;
  kernel.emulated().options.threads = threads;
  const Address y =
      kernel.emulated().buffer(std::vector<std::int32_t>(static_cast<std::size_t>(kibibytes) * 256, 1), "y");
  kernel.more = {argument(y), argument(kibibytes * 256), argument(rounds)};
  const LaunchOutcome outcome = kernel.run({4, 1, 1}, {256, 1, 1});
  EXPECT_TRUE(outcome.findings.empty()) << told(outcome.findings);
  return outcome.counters;
}

TEST(CompiledCounters, WhatFitsIntoL2IsFetchedOnce) {
  RIDGE_NEEDS_NVRTC();
  const hardware::CounterSet small = scan(256, 3, 1);
  EXPECT_EQ(small.at("dram_read_bytes"), 256 * 1024);
  EXPECT_EQ(small.at("dram_write_bytes"), 4096);
  EXPECT_EQ(small.at("dram_bytes"), 256 * 1024 + 4096);
  EXPECT_NEAR(small.at("l2_hit_rate"), 100.0 * 2 / 3, 1);
  // Blocks are replayed one after another, so each scans its own quarter: 2 MiB a block.
  const hardware::CounterSet large = scan(8192, 2, 1);
  EXPECT_GT(large.at("dram_read_bytes"), 1.8 * 8192 * 1024);
}

TEST(CompiledCounters, TrafficIsTheSameForAnyNumberOfThreads) {
  RIDGE_NEEDS_NVRTC();
  const hardware::CounterSet one = scan(3000, 2, 1);
  for (const unsigned threads : kThreads) EXPECT_EQ(scan(3000, 2, threads), one) << threads;
}

TEST(CompiledCounters, LongBlocksOfAClusterDoNotWaitForEachOther) {
  RIDGE_NEEDS_NVRTC();
  Checked kernel(
      "extern \"C\" __global__ void __cluster_dims__(2, 1, 1) k(int* x)\n{\n    int at = threadIdx.x;\n"
      "    for (int i = 0; i < 1100000; ++i)\n        at = x[(at + i + threadIdx.x) & 63];\n"
      "    if (at == 1)\n        x[0] = 1;\n}\n");
  kernel.emulated().cluster = {2, 1, 1};
  kernel.emulated().options.threads = 2;
  kernel.emulated().options.traffic = true;
  const LaunchOutcome outcome = kernel.run({4, 1, 1}, {32, 1, 1});
  EXPECT_TRUE(outcome.findings.empty()) << told(outcome.findings);
  EXPECT_EQ(outcome.counters.at("dram_read_bytes"), 256);
}

TEST(CompiledCounters, TheSameForAnyNumberOfThreads) {
  RIDGE_NEEDS_NVRTC();
  const std::string kernels[] = {
      "extern \"C\" __global__ void k(int* x)\n{\n    atomicAdd(x + threadIdx.x % 7, blockIdx.x);\n}\n",
      "extern \"C\" __global__ void k(int* x)\n{\n    if (atomicAdd(x, 1) % 3 == 0)\n        atomicMax(x + "
      "1, threadIdx.x);\n}\n",
      "extern \"C\" __global__ void k(int* x)\n{\n    atomicAdd((float*)x, 1.0f / (1 + threadIdx.x + "
      "blockIdx.x));\n}\n",
      "extern \"C\" __global__ void k(int* x)\n{\n    x[threadIdx.x] = blockIdx.x;\n}\n",
      "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ int s[64];\n    const int t = threadIdx.x;\n"
      "    s[t] = t;\n    for (int i = 0; i < t % 5 + blockIdx.x % 3; ++i)\n        s[t] += s[63 - t];\n"
      "    atomicMax(x + t, s[t]);\n}\n"};
  for (const std::string& text : kernels) {
    hardware::CounterSet first;
    std::string story;
    for (const unsigned threads : kThreads) {
      Checked kernel(text);
      kernel.emulated().options.threads = threads;
      kernel.emulated().options.traffic = true;
      const LaunchOutcome outcome = kernel.run({33, 1, 1}, {64, 1, 1});
      std::string places;
      for (const Finding& finding : outcome.findings)
        places += std::string(hardware::name_of(finding.status)) + std::to_string(finding.line) + " ";
      if (threads == 1) {
        first = outcome.counters;
        story = places;
      }
      EXPECT_EQ(outcome.counters, first) << text << threads;
      EXPECT_EQ(places, story) << text << threads;
    }
  }
}

TEST(CompiledCounters, NaiveMatrixProductAsTheorySays) {
  RIDGE_NEEDS_NVRTC();
  constexpr int kSide = 64;
  Checked kernel(
      "extern \"C\" __global__ void k(int*, const float* a, const float* b, float* c, int n)\n{\n"
      "    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;\n"
      "    float sum = 0;\n    for (int i = 0; i < n; ++i)\n        sum += a[row * n + i] * b[i * n + "
      "column];\n"
      "    c[row * n + column] = sum;\n}\n");
  Emulated& emulated = kernel.emulated();
  const std::vector<float> ones(kSide * kSide, 1);
  const Address a = emulated.buffer(ones, "a"), b = emulated.buffer(ones, "b");
  const Address c = emulated.scratch(4 * kSide * kSide, "c");
  emulated.options.lines = emulated.options.traffic = true;
  kernel.more = {argument(a), argument(b), argument(c), argument(kSide)};
  const LaunchOutcome outcome = kernel.run({4, 4, 1}, {16, 16, 1});
  EXPECT_TRUE(outcome.findings.empty()) << told(outcome.findings);
  EXPECT_EQ(emulated.read<float>(c, kSide * kSide), std::vector<float>(kSide * kSide, kSide));
  EXPECT_EQ(outcome.counters.at("flops_fp32"), 2.0 * kSide * kSide * kSide);
  // A warp has two rows of 16: two sectors of A, and two sectors of B (64 bytes) an iteration.
  const double warps = 16 * 8;
  EXPECT_EQ(outcome.counters.at("global_load_sectors"), warps * kSide * (2 + 2));
  EXPECT_EQ(outcome.counters.at("dram_read_bytes"), 2.0 * 4 * kSide * kSide);
  EXPECT_EQ(outcome.counters.at("dram_write_bytes"), 4.0 * kSide * kSide);
  for (const hardware::LineCounters& line : outcome.lines)
    if (line.line == 6) {
      EXPECT_EQ(line.counters.at("flops_fp32"), 2.0 * kSide * kSide * kSide);
    }
}

}  // namespace
}  // namespace ridge::device
