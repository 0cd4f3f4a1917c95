// SPDX-License-Identifier: GPL-3.0-or-later
// Races, barriers and warp operations in kernels as NVRTC compiles them: each fault, its line, and a correct
// twin.
#include "core/device/emulator_checks/checked.h"

namespace ridge::device {
namespace {

bool has(const std::vector<Finding>& findings, Status status, int line) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.status == status && finding.line == line;
  });
}

std::string exchange(const std::string& between, int threads) {
  return "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ int s[" + std::to_string(threads) +
         "];\n    const int t = threadIdx.x;\n    s[t] = x[t];\n    " + between + "\n    x[t] = s[" +
         std::to_string(threads - 1) + " - t];\n}\n";
}

TEST(SynchronisationChecks, RaceBetweenWarps) {
  RIDGE_NEEDS_NVRTC();
  EXPECT_TRUE(found(exchange("__syncthreads();", 64), {1, 1, 1}, {64, 1, 1}, 64).empty());
  EXPECT_TRUE(has(found(exchange("", 64), {1, 1, 1}, {64, 1, 1}, 64), Status::race, 7));
}

TEST(SynchronisationChecks, RaceInsideAWarp) {
  RIDGE_NEEDS_NVRTC();
  EXPECT_TRUE(found(exchange("__syncwarp();", 32), {1, 1, 1}, {32, 1, 1}).empty());
  expect_finding(found(exchange("", 32), {1, 1, 1}, {32, 1, 1}), Status::race, 7, "__syncwarp");
}

/// Two lanes read a word, one of them after a barrier of the warp, and then that one writes it: no race.
TEST(SynchronisationChecks, ALaneDoesNotRaceWithItself) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& second) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ int s[64];\n    const int t = "
           "threadIdx.x;\n"
           "    s[t] = x[t];\n    s[t + 32] = x[t + 32];\n    __syncwarp();\n    for (int w = 16; w > 0; w "
           "/= 2) {\n"
           "        const int other = s[t + w];\n        __syncwarp();\n        s[t] += other;\n        " +
           second + "\n    }\n    if (t == 0)\n        x[0] = s[0];\n}\n";
  };
  EXPECT_EQ(told(found(kernel("__syncwarp();"), {1, 1, 1}, {32, 1, 1})), "no findings");
  expect_finding(found(kernel(""), {1, 1, 1}, {32, 1, 1}), Status::race, 9, "__syncwarp");
}

/// A word that several warps read is written by the last of them.
TEST(SynchronisationChecks, ReadersAreRememberedTogether) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& between) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ int s;\n    const int t = "
           "threadIdx.x;\n"
           "    if (t == 0)\n        s = x[0];\n    __syncthreads();\n    const int v = s;\n    " +
           between + "\n    if (t == 64)\n        s = v + 1;\n    x[t] = v;\n}\n";
  };
  EXPECT_TRUE(found(kernel("__syncthreads();"), {1, 1, 1}, {128, 1, 1}, 128).empty());
  expect_finding(found(kernel(""), {1, 1, 1}, {128, 1, 1}, 128), Status::race, 11,
                 "there is no barrier between.");
}

TEST(SynchronisationChecks, RaceBetweenBlocks) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& statement) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    const int i = blockIdx.x * 32 + threadIdx.x;\n   "
           " " +
           statement + "\n}\n";
  };
  EXPECT_TRUE(found(kernel("x[i] = i;"), {2, 1, 1}, {32, 1, 1}).empty());
  EXPECT_TRUE(found(kernel("atomicAdd(x, i);"), {2, 1, 1}, {32, 1, 1}).empty());
  expect_finding(found(kernel("x[threadIdx.x] = i;"), {2, 1, 1}, {32, 1, 1}), Status::race, 4,
                 "between blocks");
  expect_finding(found(kernel("x[i] = x[63 - i];"), {2, 1, 1}, {32, 1, 1}), Status::race, 4,
                 "between blocks");
  // Single words between other blocks' words, in one chunk of the marks.
  EXPECT_TRUE(
      found(kernel("if (threadIdx.x < 8) x[blockIdx.x + 8 * threadIdx.x] = i;"), {8, 1, 1}, {32, 1, 1})
          .empty());
  expect_finding(
      found(kernel("if (threadIdx.x < 8) x[blockIdx.x / 2 + 8 * threadIdx.x] = i;"), {8, 1, 1}, {32, 1, 1}),
      Status::race, 4, "between blocks");
}

/// Zeroing by one thread and counting by all: nothing covers the missing barrier up, whichever thread zeroes.
TEST(SynchronisationChecks, AtomicsAfterAPlainWrite) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& zeroes, const std::string& between, const std::string& counts) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ int count[4];\n    const int t = "
           "threadIdx.x;\n    if (" +
           zeroes + ")\n        count[t & 3] = 0;\n    " + between + "\n    " + counts +
           "\n    __syncthreads();\n    x[t] = count[0];\n}\n";
  };
  const auto run = [&](const std::string& zeroes, const std::string& between, const std::string& counts) {
    return found(kernel(zeroes, between, counts), {1, 1, 1}, {256, 1, 1}, 256);
  };
  for (const char* counts :
       {"atomicAdd(count, 1);", "atomicAdd(count + (t & 3), 1);", "if (t % 2 == 0) atomicMax(count, t);"}) {
    EXPECT_EQ(told(run("t < 4", "__syncthreads();", counts)), "no findings") << counts;
    // Warps run in order: the later side of the race is told.
    for (const char* zeroes : {"t < 4", "t >= 28 && t < 32"})
      expect_finding(run(zeroes, "", counts), Status::race, 8);
    for (const char* zeroes : {"t >= 32 && t < 36", "t >= 252"})
      expect_finding(run(zeroes, "", counts), Status::race, 6);
  }
  // One lane zeroes and counts; only other warps lack the barrier.
  expect_finding(run("t < 4", "", "if (t < 4 || t >= 32) atomicAdd(count + (t & 3), 1);"), Status::race, 8);
  EXPECT_EQ(told(run("t < 4", "", "if (t < 4) atomicAdd(count + (t & 3), 1);")), "no findings");
  EXPECT_EQ(told(run("t < 4", "__syncwarp();", "if (t < 32) atomicAdd(count, 1);")), "no findings");
}

TEST(SynchronisationChecks, MbarriersAreInitialisedBeforeTheyAreUsed) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& between) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    __shared__ unsigned long long b;\n"
           "    const unsigned a = (unsigned)__cvta_generic_to_shared(&b);\n    if (threadIdx.x == 0)\n"
           "        asm volatile(\"mbarrier.init.shared.b64 [%0], 256;\" :: \"r\"(a) : \"memory\");\n    " +
           between +
           "\n    asm volatile(\"{.reg .b64 t; .reg .pred p; mbarrier.arrive.shared.b64 t, [%0]; L: "
           "mbarrier.test_wait.shared.b64 p, [%0], t; @!p bra L; }\" :: \"r\"(a) : \"memory\");\n"
           "    x[threadIdx.x] = 1;\n}\n";
  };
  EXPECT_EQ(told(found(kernel("__syncthreads();"), {1, 1, 1}, {256, 1, 1}, 256)), "no findings");
  expect_finding(found(kernel(""), {1, 1, 1}, {256, 1, 1}, 256), Status::race, 8);
}

/// x[i] and x[n - 1 - i] belong to different blocks; `first` and `second` run before and after a barrier of
/// the grid, and the race lies behind the barrier.
class GridBarrier : public testing::TestWithParam<const char*> {
 protected:
  static std::vector<Finding> run(const std::string& barrier, const std::string& first,
                                  const std::string& second) {
    Checked checked(
        "#include <cooperative_groups.h>\nextern \"C\" __global__ void k(int* x, int* c)\n{\n"
        "    const int i = blockIdx.x * 64 + threadIdx.x, j = 255 - i;\n    int v = 0;\n    " +
            first + "\n    " + barrier + "\n    " + second + "\n    if (v == 77)\n        c[1] = v;\n}\n",
        256);
    checked.emulated().cooperative = barrier.find("grid") != std::string::npos;
    checked.more = {argument(checked.emulated().buffer(std::vector<std::int32_t>(2, 0), "c"))};
    return checked.findings({4, 1, 1}, {64, 1, 1});
  }
};

TEST_P(GridBarrier, OrdersWhatWasBeforeAndNothingAfter) {
  RIDGE_NEEDS_NVRTC();
  const std::string barrier = GetParam();
  EXPECT_EQ(told(run(barrier, "x[i] = 1;", "v = x[j];")), "no findings");
  EXPECT_EQ(told(run(barrier, "v = x[j];", "x[i] = 1;")), "no findings");
  EXPECT_EQ(told(run(barrier, "x[i] = 1;", "x[j] = 2;")), "no findings");
  EXPECT_EQ(told(run(barrier, "x[i] = 1; " + barrier + " v = x[j]; ", "x[j] = v;")), "no findings");
  expect_finding(run(barrier, "", "x[i] = 1; v = x[j];"), Status::race, 8, "between blocks");
  expect_finding(run(barrier, "", "v = x[j]; x[i] = 1;"), Status::race, 8, "between blocks");
  expect_finding(run(barrier, "x[i] = 0;", "x[i] = 1; x[j] = 2;"), Status::race, 8, "between blocks");
  expect_finding(run(barrier, "x[i] = 0; " + barrier, "v = x[j]; x[i] = 1;"), Status::race, 8,
                 "between blocks");
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, GridBarrier,
    testing::Values(
        "cooperative_groups::this_grid().sync();",
        "__syncthreads(); if (threadIdx.x == 0) { __threadfence(); const int all = (atomicAdd(c, 1) / 4 + 1) "
        "* 4; while (atomicAdd(c, 0) < all) {} __threadfence(); } __syncthreads();"),
    [](const auto& kind) { return kind.index == 0 ? "Cooperative" : "Handmade"; });

/// The headers' grid sync traps in an ordinary launch, which tells nobody why.
TEST(SynchronisationChecks, ASyncOfTheGridAsksForACooperativeLaunch) {
  RIDGE_NEEDS_NVRTC();
  const auto findings_of = [](const std::string& statement, bool cooperative) {
    Checked checked("#include <cooperative_groups.h>\nextern \"C\" __global__ void k(int* x)\n{\n    " +
                    statement + "\n    x[blockIdx.x * 32 + threadIdx.x] = 1;\n}\n");
    checked.emulated().cooperative = cooperative;
    return checked.findings({2, 1, 1}, {32, 1, 1});
  };
  const std::string sync = "cooperative_groups::this_grid().sync();", advice = "Add //@ cooperative: true";
  expect_finding(findings_of(sync, false), Status::trapped, 4, advice);
  EXPECT_EQ(told(findings_of(sync, true)), "no findings");
  const auto own = findings_of("__trap();", false);
  expect_finding(own, Status::trapped, 4, "__trap()");
  EXPECT_EQ(told(own).find(advice), std::string::npos) << told(own);
}

/// Who waits for a warp that was stopped for its faults would wait for ever: the faults are the cause.
TEST(SynchronisationChecks, WaitingForAWarpThatWasStoppedIsNoEndlessLoop) {
  RIDGE_NEEDS_NVRTC();
  const auto findings = found(
      "extern \"C\" __global__ void k(int* x)\n{\n    const int t = threadIdx.x;\n    if (blockIdx.x == 1) "
      "{\n"
      "        int v = 0;\n        for (int d = 0; d < 4; ++d)\n            v += x[1000 + t + d];\n"
      "        __syncthreads();\n        if (t == 32)\n            atomicExch(x, v | 1);\n    } else if (t "
      "== 0) {\n"
      "        atomicAnd(x, 0);\n        while (atomicAdd(x, 0) == 0) {\n        }\n    }\n}\n",
      {2, 1, 1}, {64, 1, 1});
  expect_finding(findings, Status::out_of_bounds, 7);
  for (const Finding& finding : findings) EXPECT_NE(finding.status, Status::timeout) << told(findings);
}

TEST(SynchronisationChecks, BarrierDivergence) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& condition) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    const int t = threadIdx.x;\n    if (" + condition +
           ") {\n        x[t] = t;\n        __syncthreads();\n        x[t] += 1;\n    }\n}\n";
  };
  EXPECT_TRUE(found(kernel("t < 64"), {1, 1, 1}, {64, 1, 1}).empty());
  expect_finding(found(kernel("t < 16"), {1, 1, 1}, {64, 1, 1}), Status::barrier_divergence, 6);
  expect_finding(found(kernel("t < 32"), {1, 1, 1}, {64, 1, 1}), Status::barrier_divergence, 6);
}

TEST(SynchronisationChecks, BarriersWithCounts) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& count) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    if (threadIdx.x < 64) {\n"
           "        asm volatile(\"bar.sync 1, " +
           count + ";\" ::: \"memory\");\n    }\n    x[threadIdx.x] = 1;\n}\n";
  };
  EXPECT_TRUE(found(kernel("64"), {1, 1, 1}, {128, 1, 1}, 128).empty());
  expect_finding(found(kernel("128"), {1, 1, 1}, {128, 1, 1}, 128), Status::barrier_divergence, 4,
                 "never come");
  expect_finding(found(kernel("256"), {1, 1, 1}, {128, 1, 1}, 128), Status::barrier_divergence, 4,
                 "more than the block");
  expect_finding(found(kernel("40"), {1, 1, 1}, {128, 1, 1}, 128), Status::barrier_divergence, 4,
                 "multiple of 32");
}

TEST(SynchronisationChecks, ShufflesNameLanesThatAreThere) {
  RIDGE_NEEDS_NVRTC();
  const auto kernel = [](const std::string& before, const std::string& mask) {
    return "extern \"C\" __global__ void k(int* x)\n{\n    const int t = threadIdx.x;\n    " + before +
           "\n    x[t] = __shfl_xor_sync(" + mask + ", t, 1);\n}\n";
  };
  EXPECT_TRUE(found(kernel("", "0xffffffff"), {1, 1, 1}, {32, 1, 1}).empty());
  EXPECT_TRUE(found(kernel("if (t >= 16) return;", "0x0000ffff"), {1, 1, 1}, {32, 1, 1}).empty());
  expect_finding(found(kernel("if (t >= 16) return;", "0xffffffff"), {1, 1, 1}, {32, 1, 1}),
                 Status::barrier_divergence, 5, "have exited");
  expect_finding(found(kernel("", "0x0000ffff"), {1, 1, 1}, {32, 1, 1}), Status::barrier_divergence, 5,
                 "does not name them");
}

TEST(SynchronisationChecks, EndlessLoopsNameTheirTest) {
  RIDGE_NEEDS_NVRTC();
  const std::string text =
      "extern \"C\" __global__ void k(int* x)\n{\n    int i = threadIdx.x;\n    while (x[0] != 0) {\n"
      "        for (int j = 0; j < 10; ++j)\n            i += x[j + i % 32];\n    }\n    x[1] = i;\n}\n";
  Checked kernel(text);
  kernel.emulated().options.budget = 1 << 20;
  expect_finding(kernel.findings({1, 1, 1}, {32, 1, 1}), Status::timeout, 4, "budget");
}

/// What is found never depends on the number of host threads, once a fault is told by one of them.
TEST(SynchronisationChecks, OneThreadTellsTheSameStoryEveryTime) {
  RIDGE_NEEDS_NVRTC();
  const auto told_by_one = [] {
    Checked kernel("extern \"C\" __global__ void k(int* x)\n{\n    x[threadIdx.x] = blockIdx.x;\n}\n");
    kernel.emulated().options.threads = 1;
    const LaunchOutcome outcome = kernel.run({16, 1, 1}, {32, 1, 1});
    EXPECT_EQ(outcome.threads, 1u);
    return told(outcome.findings);
  };
  EXPECT_EQ(told_by_one(), told_by_one());
  Checked many("extern \"C\" __global__ void k(int* x)\n{\n    x[threadIdx.x] = blockIdx.x;\n}\n");
  many.emulated().options.threads = 5;
  EXPECT_EQ(many.run({16, 1, 1}, {32, 1, 1}).threads, 5u);
}

}  // namespace
}  // namespace ridge::device
