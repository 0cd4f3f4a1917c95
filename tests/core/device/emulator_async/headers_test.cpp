// SPDX-License-Identifier: GPL-3.0-or-later
// What the headers of the CUDA Toolkit make of it: cuda::barrier, cuda::pipeline, cooperative groups and
// cuda::ptx, compiled by NVRTC. Skipped where there is none.
#include "async_fixture.h"
#include "compile/nvrtc_fixture.h"

namespace ridge::device {
namespace {

using hardware::Status;

class Headers : public compile::NvrtcTest {
 protected:
  /// Runs `kernel(const int* x, int* y)` on 4096 words; y must come out as `expected(i)`.
  template <class F>
  void expect(const std::string& text, Extent grid, Extent block, std::size_t words, F&& expected,
              bool cooperative = false, Extent cluster = {1, 1, 1}) {
    compile::CompileRequest wanted = request(text);
    wanted.arch = "sm_90a";
    const compile::CompiledKernel kernel = compile(wanted);
    ASSERT_TRUE(kernel.ok) << said(kernel);
    Emulated emulated(kernel.ptx);
    ASSERT_EQ(emulated.load_error.message, "");
    Words values(4096);
    std::iota(values.begin(), values.end(), 0u);
    const Address x = emulated.buffer(values, "x");
    const Address y = emulated.scratch(16384, "y");
    Sequence sequence;
    Launch launch;
    launch.symbol = "kernel";
    launch.grid = grid;
    launch.block = block;
    launch.cluster = cluster;
    launch.cooperative = cooperative;
    launch.arguments = {argument(x), argument(y)};
    sequence.launches.push_back(launch);
    emulated.options.budget = 1 << 24;
    const Result<LaunchOutcome> outcome =
        emulated.device().execute(*emulated.module(), sequence, emulated.options);
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
    ASSERT_TRUE(outcome->findings.empty())
        << outcome->findings[0].message << " line " << outcome->findings[0].line;
    const Words got = emulated.read<std::uint32_t>(y, words);
    for (std::size_t i = 0; i < words; ++i) ASSERT_EQ(got[i], static_cast<std::uint32_t>(expected(i))) << i;
  }
};

TEST_F(Headers, BarrierWithBulkCopy) {
  expect(R"(#include <cuda/barrier>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const int* x, int* y) {
  __shared__ alignas(16) int s[256];
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  for (int round = 0; round < 3; ++round) {
    cuda::memcpy_async(block, s, x + round * 256, cuda::aligned_size_t<16>(sizeof s), barrier);
    barrier.arrive_and_wait();
    y[round * 256 + threadIdx.x] = s[255 - threadIdx.x];
    barrier.arrive_and_wait();
  }
})",
         {1, 1, 1}, {256, 1, 1}, 768, [](std::size_t i) { return i / 256 * 256 + 255 - i % 256; });
}

TEST_F(Headers, PipelineOfABlock) {
  expect(R"(#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const int* x, int* y) {
  __shared__ alignas(16) int s[2][128];
  auto block = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int c = 0, f = 0; c < 8; ++c) {
    for (; f < 8 && f < c + 2; ++f) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, s[f % 2], x + f * 128, cuda::aligned_size_t<16>(sizeof s[0]), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += s[c % 2][127 - threadIdx.x];
    pipeline.consumer_release();
  }
  y[threadIdx.x] = sum;
})",
         {1, 1, 1}, {128, 1, 1}, 128, [](std::size_t i) { return 8 * (127 - i) + 128 * 28; });
}

TEST_F(Headers, PipelineOfAThread) {
  expect(R"(#include <cuda/pipeline>
extern "C" __global__ void kernel(const int* x, int* y) {
  __shared__ alignas(16) int s[2][128];
  auto pipeline = cuda::make_pipeline();
  int sum = 0;
  for (int c = 0, f = 0; c < 8; ++c) {
    for (; f < 8 && f < c + 2; ++f) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&s[f % 2][threadIdx.x], x + f * 128 + threadIdx.x, sizeof(int), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    __syncthreads();
    sum += s[c % 2][127 - threadIdx.x];
    __syncthreads();
    pipeline.consumer_release();
  }
  y[threadIdx.x] = sum;
})",
         {1, 1, 1}, {128, 1, 1}, 128, [](std::size_t i) { return 8 * (127 - i) + 128 * 28; });
}

TEST_F(Headers, GridSync) {
  expect(R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const int* x, int* y) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  y[i] = x[i] * 2;
  grid.sync();
  const int other = y[511 - i];
  grid.sync();
  y[i] = other;
})",
         {4, 1, 1}, {128, 1, 1}, 512, [](std::size_t i) { return 2 * (511 - i); }, true);
}

TEST_F(Headers, ClusterOfCooperativeGroups) {
  expect(R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(4, 1, 1) kernel(const int* x, int* y) {
  __shared__ int s[128];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = x[blockIdx.x * 128 + threadIdx.x];
  cluster.sync();
  int sum = 0;
  for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) sum += cluster.map_shared_rank(s, rank)[threadIdx.x];
  y[blockIdx.x * 128 + threadIdx.x] = sum;
  cluster.sync();
})",
         {8, 1, 1}, {128, 1, 1}, 1024,
         [](std::size_t i) { return 4 * (i % 128) + i / 512 * 4 * 512 + 128 * 6; }, false, {4, 1, 1});
}

TEST_F(Headers, PtxOfBulkCopies) {
  expect(R"(#include <cuda/ptx>
#include <cuda/barrier>
namespace ptx = cuda::ptx;
extern "C" __global__ void kernel(const int* x, int* y) {
  __shared__ alignas(128) int s[512];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof s);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x + blockIdx.x * 512, sizeof s, &bar);
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  s[threadIdx.x] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + blockIdx.x * 512, s, sizeof s);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
})",
         {3, 1, 1}, {512, 1, 1}, 1536, [](std::size_t i) { return i + 1; });
}

// cuda_fp16.hpp writes `{.reg.b32 f;` without a blank.
TEST_F(Headers, MathsOfHalfPrecision) {
  expect(R"(#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void kernel(const int* x, int* y) {
  const float v = x[threadIdx.x] % 4;
  const __half h = __float2half(v), one = __float2half(1.0f);
  const __nv_bfloat16 b = __float2bfloat16(v);
  int n = __half2int_rn(hexp2(h)) == 1 << x[threadIdx.x] % 4;
  n += __half2int_rn(hlog2(hexp2(h))) == v;
  n += __half2int_rn(hsqrt(__hmul(h, h))) == v;
  n += fabsf(__half2float(hsin(h)) - sinf(v)) < 2e-3f;
  n += fabsf(__half2float(hcos(h)) - cosf(v)) < 2e-3f;
  n += fabsf(__half2float(hexp(h)) - expf(v)) < 2e-2f;
  n += fabsf(__half2float(hlog(__hadd(h, one))) - logf(v + 1)) < 2e-3f;
  n += fabsf(__half2float(hrcp(__hadd(h, one))) - 1 / (v + 1)) < 2e-3f;
  n += fabsf(__half2float(hrsqrt(__hadd(h, one))) - rsqrtf(v + 1)) < 2e-3f;
  n += __half2int_rn(__low2half(h2exp2(__halves2half2(h, one)))) == 1 << x[threadIdx.x] % 4;
  n += __half2int_rn(__high2half(h2sqrt(__halves2half2(one, __hmul(h, h))))) == v;
  n += __bfloat162float(hexp2(b)) == 1 << x[threadIdx.x] % 4;
  n += fabsf(__bfloat162float(hlog(hexp(b))) - v) < 2e-2f;
  n += fabsf(__bfloat162float(hsin(b)) - sinf(v)) < 1e-2f;
  n += __bfloat162float(hsqrt(__hmul(b, b))) == v;
  y[threadIdx.x] = n;
})",
         {1, 1, 1}, {64, 1, 1}, 64, [](std::size_t) { return 15; });
}

// As CUTLASS waits for a barrier: the labels belong to the block in braces, which stands in the kernel twice.
TEST_F(Headers, LabelsOfInlineAssembly) {
  expect(R"(__device__ __forceinline__ void wait(unsigned barrier, unsigned parity) {
  asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
               "@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" :: "r"(barrier), "r"(parity));
}
extern "C" __global__ void kernel(const int* x, int* y) {
  __shared__ unsigned long long words;
  const unsigned barrier = __cvta_generic_to_shared(&words);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(barrier));
  __syncthreads();
  #pragma unroll
  for (int parity = 0; parity < 2; ++parity) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(barrier) : "memory");
    wait(barrier, parity);
  }
  y[threadIdx.x] = x[threadIdx.x];
})",
         {1, 1, 1}, {32, 1, 1}, 32, [](std::size_t i) { return i; });
}

}  // namespace
}  // namespace ridge::device
