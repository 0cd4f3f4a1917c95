// SPDX-License-Identifier: GPL-3.0-or-later
// What orders accesses to shared memory besides __syncthreads: groups of lanes, named barriers, flags and
// locks. Each correct kernel has a broken twin that lacks one thing.
#include "core/device/emulator_checks/checked.h"

namespace ridge::device {
namespace {

std::string kernel(const std::string& body) {
  return "extern \"C\" __global__ void k(int* x) {\n" + body + "\n}\n";
}
std::vector<Finding> found_in(const std::string& body, int threads) {
  return found(kernel(body), {1, 1, 1}, {threads, 1, 1}, 256);
}
void expect_race(const std::string& body, int threads, const std::string& words) {
  const std::vector<Finding> findings = found_in(body, threads);
  ASSERT_FALSE(findings.empty()) << body;
  EXPECT_EQ(findings[0].status, Status::race) << told(findings);
  EXPECT_NE(findings[0].message.english().find(words), std::string::npos) << told(findings);
}

/// Two halves of a warp come to one instruction with masks of their own, the even lanes of both first: they
/// must wait for the odd ones of their half.
TEST(Ordering, GroupsAtOneInstructionWaitForTheirOwnLanes) {
  RIDGE_NEEDS_NVRTC();
  struct Group {
    const char *statement, *expected;
  };
  for (const Group& group :
       {Group{"v = __shfl_sync(m, t + 1, t ^ 1);", "(t ^ 1) + 1"},
        Group{"v = __ballot_sync(m, 1);", "(int)m"}, Group{"v = __reduce_add_sync(m, 1);", "16"},
        Group{"v = __match_any_sync(m, 5);", "(int)m"},
        Group{"s[t] = t + 1; __syncwarp(m); v = s[t ^ 1];", "(t ^ 1) + 1"},
        Group{"v = __any_sync(m, t == 15 || t == 31);", "1"}}) {
    Checked checked(
        kernel("__shared__ int s[32]; int t = threadIdx.x, v = 0; unsigned m = t < 16 ? 0xffffu : "
               "0xffff0000u;\n#pragma unroll 1\nfor (int i = 0; i < 2; ++i) if (i == (t & 1)) {" +
               std::string(group.statement) + "}\nx[t] = v == " + group.expected + ";"));
    const std::vector<Finding> findings = checked.findings({1, 1, 1}, {32, 1, 1});
    EXPECT_EQ(told(findings), "no findings") << group.statement;
    for (const std::int32_t value : checked.emulated().read<std::int32_t>(checked.x(), 32))
      ASSERT_EQ(value, 1) << group.statement;
  }
}

TEST(Ordering, CoalescedGroupsAgree) {
  RIDGE_NEEDS_NVRTC();
  Checked checked(
      "#include <cooperative_groups.h>\nextern \"C\" __global__ void k(int* x) {\n"
      "if (threadIdx.x % 3 != 0) { auto g = cooperative_groups::coalesced_threads(); int at = 0;\n"
      "if (g.thread_rank() == 0) at = atomicAdd(x, (int)g.size()); at = g.shfl(at, 0);\n"
      "x[8 + at - 7 + g.thread_rank()] = 1; } }\n");
  EXPECT_EQ(told(checked.findings({1, 1, 1}, {32, 1, 1})), "no findings");
  const auto x = checked.emulated().read<std::int32_t>(checked.x(), 64);
  EXPECT_EQ(x[0], 7 + 21);
  for (std::size_t i = 0; i < 21; ++i) EXPECT_EQ(x[8 + i], 1) << i;
}

/// Lanes know what those did who took part, and what these knew of others before.
TEST(Ordering, PartialSyncsOrderTheirMembersOnly) {
  RIDGE_NEEDS_NVRTC();
  const auto halves = [](const char* operation, const char* from) {
    return "__shared__ int s[32]; int t = threadIdx.x; unsigned m = t < 16 ? 0xffffu : 0xffff0000u;\ns[t] = "
           "x[t];\nint v = 0; " +
           std::string(operation) + "\nx[t] = v + s[" + from + "];";
  };
  for (const char* operation : {"__syncwarp(m);", "v = __shfl_xor_sync(m, t, 1);", "v = __any_sync(m, t);"}) {
    EXPECT_EQ(told(found_in(halves(operation, "t ^ 15"), 32)), "no findings") << operation;
    expect_race(halves(operation, "31 - t"), 32, "__syncwarp");
  }
  const auto twice = [](const char* first) {
    return "__shared__ int s[32]; int t = threadIdx.x;\ns[t] = x[t];\nif (t < 16) {\n" + std::string(first) +
           "\nif (t < 8) { __syncwarp(0xff); x[t] = s[t + 8]; } }";
  };
  EXPECT_EQ(told(found_in(twice("__syncwarp(0xffff);"), 32)), "no findings");
  expect_race(twice(""), 32, "__syncwarp");
}

/// One barrier of the warp, at two places of the program.
TEST(Ordering, BranchesMeetAtBarriersOfTheirOwn) {
  RIDGE_NEEDS_NVRTC();
  const auto branches = [](const char* first, const char* second) {
    return "__shared__ volatile int s[32]; int t = threadIdx.x;\nif (t < 16) { s[t] = x[t]; " +
           std::string(first) + " x[t] = s[t + 16] + 1; }\nelse { s[t] = x[t]; " + second +
           " x[t] = s[t - 16]; }";
  };
  EXPECT_EQ(told(found_in(branches("__syncwarp();", "__syncwarp();"), 32)), "no findings");
  EXPECT_EQ(told(found_in(branches("__syncwarp(); __syncwarp();", "__syncwarp(); __syncwarp();"), 32)),
            "no findings");
  expect_race(branches("__syncwarp(0xffff);", "__syncwarp(0xffff0000);"), 32, "__syncwarp");
}

TEST(Ordering, BarArriveOrdersWhatWasBeforeIt) {
  RIDGE_NEEDS_NVRTC();
  const auto handed = [](const char* before, const char* after) {
    return "__shared__ int s[32]; int t = threadIdx.x;\nif (t < 32) { " + std::string(before) +
           " asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\"); " + after +
           " }\nelse { asm volatile(\"bar.sync 1, 64;\" ::: \"memory\"); x[t] = s[95 - t - 32]; }";
  };
  EXPECT_EQ(told(found_in(handed("s[t] = x[t];", ""), 64)), "no findings");
  expect_race(handed("s[t] = 1;", "s[t] = x[t];"), 64, "there is no barrier between");
}

/// Producer and consumer take turns at two buffers.
TEST(Ordering, NamedBarriersCarryPipelines) {
  RIDGE_NEEDS_NVRTC();
  const auto pipeline = [](const char* waits_until_empty) {
    return "__shared__ int s[2][32]; int t = threadIdx.x & 31;\nfor (int i = 0; i < 6; ++i) { int b = i & "
           "1;\n"
           "if (threadIdx.x < 32) { " +
           std::string(waits_until_empty) +
           " s[b][t] = i + t; asm volatile(\"bar.arrive %0, 64;\" :: \"r\"(1 + b) : \"memory\"); }\n"
           "else { asm volatile(\"bar.sync %0, 64;\" :: \"r\"(1 + b) : \"memory\"); x[t + i * 32] = s[b][31 "
           "- "
           "t];\n"
           "if (i < 4) asm volatile(\"bar.arrive %0, 64;\" :: \"r\"(3 + b) : \"memory\"); } }";
  };
  EXPECT_EQ(told(found_in(
                pipeline("if (i > 1) asm volatile(\"bar.sync %0, 64;\" :: \"r\"(3 + b) : \"memory\");"), 64)),
            "no findings");
  EXPECT_FALSE(found_in(pipeline(""), 64).empty());
}

struct Handover {
  const char *name, *write, *wait;
};
class Flags : public testing::TestWithParam<Handover> {
 protected:
  static std::string body(const std::string& write, const std::string& wait, const std::string& after = "") {
    return "__shared__ int s[32], flag; volatile int* v = &flag; int t = threadIdx.x & 31; (void)v;\n"
           "if (threadIdx.x == 0) flag = 0;\n__syncthreads();\nif (threadIdx.x < 32) {\n s[t] = x[t];\n "
           "__syncwarp();\n if (t == 0) { " +
           write + " }\n " + after + "\n} else {\n if (t == 0) { " + wait +
           " }\n __syncwarp();\n x[t + 32] = s[31 - t];\n}";
  }
};
TEST_P(Flags, CarryWhatWasWrittenBefore) {
  RIDGE_NEEDS_NVRTC();
  EXPECT_EQ(told(found_in(body(GetParam().write, GetParam().wait), 64)), "no findings");
}
TEST_P(Flags, CarryNothingThatIsWrittenLater) {
  RIDGE_NEEDS_NVRTC();
  expect_race(body(GetParam().write, GetParam().wait, "__syncwarp(); s[t] = 3;"), 64,
              "there is no barrier between");
}
constexpr const char* kRelease =
    "asm volatile(\"st.release.cta.shared.u32 [%0], 1;\" :: "
    "\"r\"((unsigned)__cvta_generic_to_shared(&flag)) : \"memory\");";
constexpr const char* kAcquire =
    "int f; do asm volatile(\"ld.acquire.cta.shared.u32 %0, [%1];\" : \"=r\"(f) : "
    "\"r\"((unsigned)__cvta_generic_to_shared(&flag)) : \"memory\"); while (!f);";
INSTANTIATE_TEST_SUITE_P(Kinds, Flags,
                         testing::Values(Handover{"Volatile", "__threadfence_block(); *v = 1;",
                                                  "while (!*v); __threadfence_block();"},
                                         Handover{"Exchange", "__threadfence_block(); atomicExch(&flag, 1);",
                                                  "while (!atomicAdd(&flag, 0)); __threadfence_block();"},
                                         Handover{"WiderFence", "__threadfence(); atomicAdd(&flag, 1);",
                                                  "while (atomicCAS(&flag, 1, 2) != 1); __threadfence();"},
                                         Handover{"ReleaseAcquire", kRelease, kAcquire}),
                         [](const auto& one) { return one.param.name; });

TEST(Ordering, AFlagWithoutAFenceOrdersNothing) {
  RIDGE_NEEDS_NVRTC();
  expect_race(
      "__shared__ int s[32], flag; volatile int* v = &flag; int t = threadIdx.x & 31;\n"
      "if (threadIdx.x == 0) flag = 0;\n__syncthreads();\nif (threadIdx.x < 32) { s[t] = x[t]; "
      "__syncwarp(); if (t == 0) *v = 1; }\nelse { if (t == 0) while (!*v); __syncwarp(); x[t] = s[t]; }",
      64, "there is no barrier between");
}

TEST(Ordering, LocksGuardWhatIsInside) {
  RIDGE_NEEDS_NVRTC();
  const auto locked = [](const char* fence, const char* inside, const char* outside) {
    return "__shared__ int lock, total; int t = threadIdx.x; if (t == 0) lock = total = "
           "0;\n__syncthreads();\n"
           "bool done = false;\nwhile (!done) { if (atomicCAS(&lock, 0, 1) == 0) { " +
           std::string(fence) + " " + inside + " " + fence + " atomicExch(&lock, 0); done = true; } }\n" +
           outside + "__syncthreads();\nx[t] = total;";
  };
  EXPECT_EQ(told(found_in(locked("__threadfence_block();", "total += t;", ""), 128)), "no findings");
  expect_race(locked("", "total += t;", ""), 128, "total");
  expect_race(locked("__threadfence_block();", "total += t;", "if (t == 77) total += 1;\n"), 128, "total");
}

/// Whoever finds that all others have counted reads what they wrote.
TEST(Ordering, TheLastWarpReadsWhatAllHaveWritten) {
  RIDGE_NEEDS_NVRTC();
  const auto last = [](const char* fence) {
    return "__shared__ int part[128]; __shared__ unsigned done; int t = threadIdx.x; if (t == 0) done = 0;\n"
           "__syncthreads();\npart[t] = x[t]; " +
           std::string(fence) +
           " __syncwarp();\nunsigned d = 0; if ((t & 31) == 0) d = atomicAdd(&done, 1u); d = "
           "__shfl_sync(~0u, d, "
           "0);\nif (d == 3) for (int j = t & 31; j < 128; j += 32) x[j] = part[j] + 1;";
  };
  EXPECT_EQ(told(found_in(last("__threadfence_block();"), 128)), "no findings");
  expect_race(last(""), 128, "there is no barrier between");
}

/// Who reads before anybody has written is told why: the writer comes later.
TEST(Ordering, UninitialisedReadsDoNotHideTheRace) {
  RIDGE_NEEDS_NVRTC();
  const std::vector<Finding> findings = found_in(
      "__shared__ int s[256]; int t = threadIdx.x, sum = 0;\nfor (int i = 0; i < 4; ++i) sum += s[(t + "
      "32 + 64 * i) & 255];\nfor (int i = 0; i < 4; ++i) s[t + 64 * i] = sum;\nx[t] = s[t];",
      64);
  ASSERT_FALSE(findings.empty());
  for (const Status status : {Status::race, Status::uninitialised})
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
      return finding.status == status;
    })) << told(findings);
}

/// The other party is somebody else, also where one mark stands for several lanes.
TEST(Ordering, NobodyRacesWithHimself) {
  RIDGE_NEEDS_NVRTC();
  const std::vector<Finding> findings = found_in(
      "__shared__ int s; for (int i = threadIdx.x; i < 96; i += 32) if (x[i] > i) s = i;\nx[threadIdx.x] "
      "= threadIdx.x;",
      32);
  for (const Finding& finding : findings) {
    if (finding.status != Status::race || !finding.thread) continue;
    const std::string self = "lane " + std::to_string(finding.thread->at(0) % 32) + " of the same warp";
    EXPECT_EQ(finding.message.english().find(self), std::string::npos) << told(findings);
  }
}

}  // namespace
}  // namespace ridge::device
