// SPDX-License-Identifier: GPL-3.0-or-later
// On a real GPU, with code from NVRTC; each test skips with the reason where there is none. Faults that end a
// context run in a child process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "compile/compile.h"
#include "device/cuda/cuda.h"
#include "measure/measure.h"

namespace ridge::device {
namespace {

using hardware::Status;
using testing::Each;
using testing::ExitedWithCode;
using testing::HasSubstr;

constexpr const char* kSource = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void wild(float* y) { y[1ull << 40] = 1; }
extern "C" __global__ void odd(char* y) { *(float4*)(y + 4) = float4{1, 2, 3, 4}; }
extern "C" __global__ void trap(float* y) { if (y != nullptr) __trap(); }
extern "C" __global__ void spin(volatile float* y) { while (y[0] == y[0]) {} }
extern "C" __global__ void large_shared(float* y) {
  extern __shared__ float tile[];
  tile[25000 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = tile[25000 + blockDim.x - 1 - threadIdx.x];
}
)";

template <class T>
std::vector<std::byte> argument(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (const char* path = std::getenv("RIDGE_LIBCUDA"); path != nullptr && *path != '\0')
      GTEST_SKIP() << "RIDGE_LIBCUDA replaces the driver";
    Sentence why;
    if (list_cuda_devices(&why).empty()) GTEST_SKIP() << why;
    auto opened = open_cuda(0);
    ASSERT_TRUE(opened) << opened.error().message;
    device = *std::move(opened);

    auto compiler = compile::Compiler::open();
    if (!compiler) GTEST_SKIP() << compiler.error().message;
    compile::CompileRequest request;
    request.source.file = "gpu_test.cu";
    request.source.text = kSource;
    request.arch = device->info().arch;
    auto kernel = (*compiler)->compile(request);
    ASSERT_TRUE(kernel) << kernel.error().message;
    ASSERT_TRUE(kernel->ok) << kernel->log;
    auto loaded = device->load(*kernel);
    ASSERT_TRUE(loaded) << loaded.error().message;
    module = *std::move(loaded);
  }

  Address allocate(std::size_t floats, const std::string& name, float value) {
    auto address = device->allocate(static_cast<std::int64_t>(floats * 4), name);
    EXPECT_TRUE(address) << address.error().message;
    const std::vector<float> values(floats, value);
    EXPECT_TRUE(device->write(*address, std::as_bytes(std::span(values))));
    return *address;
  }
  std::vector<float> read(Address from, std::size_t floats) {
    std::vector<float> values(floats);
    EXPECT_TRUE(device->read(from, std::as_writable_bytes(std::span(values))));
    return values;
  }
  Launch launch(const std::string& symbol, std::vector<std::vector<std::byte>> arguments) {
    Launch result;
    result.symbol = symbol;
    result.arguments = std::move(arguments);
    return result;
  }
  Launch saxpy(Address x, Address y, unsigned n) {
    Launch result = launch("saxpy", {argument(3.0F), argument(x), argument(y), argument(n)});
    result.grid = {(n + 255) / 256, 1, 1};
    result.block = {256, 1, 1};
    return result;
  }
  LaunchOutcome execute(const Launch& what, double limit = 5) {
    LaunchOptions options;
    options.time_limit_seconds = limit;
    auto outcome = device->execute(*module, {{}, {}, {what}}, options);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome ? *outcome : LaunchOutcome{};
  }
  /// Executes a kernel on 64 floats, says on stderr what came of it, and ends the process.
  [[noreturn]] void execute_and_exit(const std::string& symbol, double limit = 5) {
    const Address y = allocate(64, "y", 1);
    const LaunchOutcome outcome = execute(launch(symbol, {argument(y)}), limit);
    const std::string status =
        outcome.findings.empty() ? "pass" : std::string(hardware::name_of(outcome.findings[0].status));
    std::fprintf(stderr, "%s, %s\n", status.c_str(), outcome.device_lost ? "lost" : "usable");
    module.reset();
    device.reset();
    std::_Exit(0);
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<Module> module;
};

TEST_F(Gpu, ComputesSaxpyAndLeavesGuardsWhole) {
  constexpr unsigned kCount = 1'000'003;
  const Address x = allocate(kCount, "x", 2), y = allocate(kCount, "y", 1);
  EXPECT_TRUE(execute(saxpy(x, y, kCount)).findings.empty());
  EXPECT_THAT(read(y, kCount), Each(7.0F));
  EXPECT_THAT(*device->damaged_guards(), testing::IsEmpty());
}

TEST_F(Gpu, DescribesItself) {
  const DeviceInfo& info = device->info();
  EXPECT_GE(info.cc_major * 10 + info.cc_minor, 75);
  EXPECT_GT(info.sm_count, 0);
  EXPECT_GT(info.l2_bytes, 0);
  EXPECT_GT(info.memory_free, 0);
  EXPECT_THAT(info.uuid, testing::StartsWith("GPU-"));
  EXPECT_THAT(info.driver, HasSubstr(", CUDA "));
  std::printf("%s\n", to_json(info).dump(1).c_str());
}

TEST_F(Gpu, RefusesABlockOf2048AndGoesOn) {
  const Address x = allocate(4096, "x", 2), y = allocate(4096, "y", 1);
  Launch large = saxpy(x, y, 4096);
  large.block = {2048, 1, 1};
  const LaunchOutcome outcome = execute(large);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].status, Status::launch_failed);
  EXPECT_FALSE(outcome.device_lost);
  EXPECT_TRUE(execute(saxpy(x, y, 4096)).findings.empty());
}

TEST_F(Gpu, OptsInToLargeSharedMemory) {
  const Address y = allocate(128, "y", 0);
  Launch shared = launch("large_shared", {argument(y)});
  shared.block = {128, 1, 1};
  shared.shared_bytes = 4 * (25000 + 128);
  const LaunchOutcome outcome = execute(shared);
  if (device->info().limits.shared_bytes_per_block_optin < shared.shared_bytes) {
    ASSERT_EQ(outcome.findings.size(), 1u);
    EXPECT_EQ(outcome.findings[0].status, Status::launch_failed);
  } else {
    EXPECT_TRUE(outcome.findings.empty());
    EXPECT_EQ(read(y, 128)[0], 127);
  }
}

TEST_F(Gpu, LaunchesClustersAndCooperativeGrids) {
  const Address x = allocate(4096, "x", 2), y = allocate(4096, "y", 1);
  Launch together = saxpy(x, y, 4096);
  together.cooperative = true;
  EXPECT_TRUE(execute(together).findings.empty());
  if (device->info().limits.max_cluster == 0) return;
  Launch cluster = saxpy(x, y, 4096);
  cluster.cluster = {4, 1, 1};
  EXPECT_TRUE(execute(cluster).findings.empty());
  EXPECT_THAT(read(y, 4096), Each(13.0F));
}

TEST_F(Gpu, ColdTimesAreThoseOfMemoryAndWarmOnesAreShorter) {
  // 4 MiB a vector: it stays in the L2 of any GPU of today unless that is flushed.
  constexpr unsigned kCount = 1 << 20;
  const Address x = allocate(kCount, "x", 2), y = allocate(kCount, "y", 1);
  Sequence sequence;
  sequence.launches = {saxpy(x, y, kCount)};
  const auto timing = measure::measure(*device->stopwatch(), *module, sequence);
  ASSERT_TRUE(timing) << timing.error().message;
  ASSERT_TRUE(timing->cold && timing->warm && timing->launch_inclusive);
  std::printf("%s\n", measure::to_json(*timing, false).dump(1).c_str());
  EXPECT_EQ(timing->cold->source, "activity") << timing->note;
  EXPECT_GE(timing->cold->n, 10);
  EXPECT_LT(timing->warm->median_us, timing->cold->median_us);
  EXPECT_GT(timing->launch_inclusive->median_us, timing->cold->q1_us);
  EXPECT_LT(timing->launch_inclusive->median_us, timing->cold->median_us + 200);
  ASSERT_TRUE(timing->sm_mhz);
  EXPECT_GT(*timing->sm_mhz, 100);
  const auto* model = hardware::catalogue().find(device->info().model);
  if (model == nullptr) return;
  const double rate = 12.0 * kCount / (timing->cold->median_us * 1e-6);
  EXPECT_LT(rate, 1.02 * model->memory_bandwidth);
  EXPECT_GT(rate, 0.05 * model->memory_bandwidth);
}

TEST_F(Gpu, ASequenceIsTimedFromItsFirstFillToItsLastKernel) {
  constexpr unsigned kCount = 1 << 22;
  const Address x = allocate(kCount, "x", 2), y = allocate(kCount, "y", 1);
  Sequence one, several;
  one.launches = {saxpy(x, y, kCount)};
  several.zero = {{y, 4 * std::int64_t{kCount}, 0}};
  several.launches = {saxpy(x, y, kCount), saxpy(x, y, kCount), saxpy(x, y, kCount)};
  for (const Flush flush : {Flush::read, Flush::write, Flush::none}) {
    SampleRequest request;
    request.flush = flush;
    request.count = 20;
    const auto first = device->stopwatch()->sample(*module, one, request);
    const auto second = device->stopwatch()->sample(*module, several, request);
    ASSERT_TRUE(first) << first.error().message;
    ASSERT_TRUE(second) << second.error().message;
    std::vector<double> a, b;
    for (const Sample& sample : first->samples) a.push_back(sample.device_us);
    for (const Sample& sample : second->samples) b.push_back(sample.device_us);
    const auto short_time = measure::summarise(a), long_time = measure::summarise(b);
    std::printf("flush %d: %s, one kernel %.2f us, a fill and three kernels %.2f us\n",
                static_cast<int>(flush), second->source.c_str(), short_time.median_us, long_time.median_us);
    EXPECT_EQ(second->source, "activity") << second->note;
    EXPECT_GT(long_time.median_us, 1.5 * short_time.median_us);
    EXPECT_LT(long_time.median_us, 8 * short_time.median_us);
  }
}

TEST_F(Gpu, ReadsItsHealth) {
  const Health health = device->stopwatch()->health();
  ASSERT_TRUE(health.temperature_c && health.power_w && health.sm_mhz);
  EXPECT_GT(*health.temperature_c, 0);
  EXPECT_LT(*health.temperature_c, 120);
  EXPECT_GT(*health.power_w, 5);
}

using GpuDeathTest = Gpu;

TEST_F(GpuDeathTest, AWildWriteIsOutOfBounds) {
  EXPECT_EXIT(execute_and_exit("wild"), ExitedWithCode(0), "out_of_bounds, lost");
}

TEST_F(GpuDeathTest, AnOddAddressIsMisaligned) {
  EXPECT_EXIT(execute_and_exit("odd"), ExitedWithCode(0), "misaligned, lost");
}

// Seen on an H200 with driver 580: __trap() comes back as CUDA_ERROR_LAUNCH_FAILED, which has other causes
// too.
TEST_F(GpuDeathTest, ATrapEndsTheLaunch) {
  EXPECT_EXIT(execute_and_exit("trap"), ExitedWithCode(0), "(trapped|launch_failed), lost");
}

TEST_F(GpuDeathTest, AnEndlessKernelIsATimeout) {
  EXPECT_EXIT(execute_and_exit("spin", 0.5), ExitedWithCode(0), "timeout, lost");
}

}  // namespace
}  // namespace ridge::device
