// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma fed by the tensor memory accelerator: one thread asks for tiles, four steps along K ahead; two
// warpgroups wait for them at mbarriers, multiply 64 x 128 results each, and give the memory back. The
// accelerator swizzles the tiles as wgmma reads them and fills what lies beyond a matrix with zeros. It needs
// rows that are multiples of 16 bytes: other shapes go element by element, without tensor cores.
//@ arch: sm_90a
//@ tensor_map: a_map = A view K % 8 + N % 8 ? 1 : M x K % 8 + N % 8 ? M * K : K box 128x64 swizzle 128B
//@ tensor_map: b_map = B view K % 8 + N % 8 ? 1 : K x K % 8 + N % 8 ? K * N : N box 64x64 swizzle 128B
//@ grid: ceil_div(N, 128), ceil_div(M, 128)
//@ block: 384
//@ shared: 4 * 32768 + 64
#include <cuda.h>
#include <cuda_fp16.h>

#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kTile = 128;  // rows and columns of C per block
constexpr int kDepth = 64;  // of a step along K: 128 bytes, one row of the swizzle's pattern
constexpr int kStages = 4;
constexpr int kThreads = 384;  // a warpgroup that fetches and two that multiply
constexpr int kConsumerWarps = 8;

// A: 128 rows of 64 halves. B: for each half of the 128 columns, 64 rows (along K) of 64 halves.
struct Stage {
  unsigned char a[kTile * 128];
  unsigned char b[2][kDepth * 128];
};
struct Storage {
  Stage stages[kStages];
  uint64_t full[kStages], empty[kStages];
};
static_assert(sizeof(Storage) == 4 * 32768 + 64, "what the directive asks for");

// A matrix descriptor with a swizzle of 128 bytes; all numbers in bytes.
__device__ unsigned long long descriptor(unsigned start, unsigned leading, unsigned stride) {
  const auto encoded = [](unsigned x) { return static_cast<unsigned long long>((x & 0x3ffff) >> 4); };
  return encoded(start) | encoded(leading) << 16 | encoded(stride) << 32 | 1ull << 62;
}

// d += a * b for 64 x 128 results and 16 steps along K; A has K side by side, B has N.
__device__ void wgmma(float (&d)[64], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "
      "%11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, 1, 1, 1, "
      "0, 1;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]),
        "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
        "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]),
        "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
        "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),
        "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]),
        "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b));
}

// Two neighbours of a row of C, at once where they make an aligned pair.
__device__ void store2(half* C, int row, int col, int M, int N, float x, float y) {
  if (row >= M || col >= N) return;
  half* to = C + static_cast<size_t>(row) * N + col;
  if (N % 2 == 0) {
    *reinterpret_cast<half2*>(to) = __floats2half2_rn(x, y);
  } else {
    to[0] = __float2half_rn(x);
    if (col + 1 < N) to[1] = __float2half_rn(y);
  }
}

__device__ void wait(uint64_t* mbarrier, unsigned phase) {
  while (!ptx::mbarrier_try_wait_parity(mbarrier, phase)) {
  }
}

// One thread asks for the tiles of all steps, as far ahead as there is memory.
__device__ void produce(Storage& storage, const CUtensorMap& a_map, const CUtensorMap& b_map, int top,
                        int left, int K) {
  int step = 0;
  for (int first = 0; first < K; first += kDepth, ++step) {
    const int at = step % kStages;
    Stage& stage = storage.stages[at];
    uint64_t* full = &storage.full[at];
    wait(&storage.empty[at], step / kStages % 2 ^ 1);  // at once in the first round
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, sizeof(Stage));
    const int a_corner[2] = {first, top};  // the innermost coordinate first
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage.a, &a_map, a_corner, full);
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      const int b_corner[2] = {left + 64 * side, first};
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage.b[side], &b_map, b_corner, full);
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    hgemm_wgmma_tma(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
                    const half* A, const half* B, half* C, int M, int N, int K) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Storage& storage = *reinterpret_cast<Storage*>(memory);
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;

  if (K % 8 != 0 || N % 8 != 0) {
    for (int i = threadIdx.x; i < kTile * kTile; i += kThreads) {
      const int row = top + i / kTile, col = left + i % kTile;
      if (row >= M || col >= N) continue;
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += __half2float(A[static_cast<size_t>(row) * K + k]) *
               __half2float(B[static_cast<size_t>(k) * N + col]);
      C[static_cast<size_t>(row) * N + col] = __float2half_rn(sum);
    }
    return;
  }

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      ptx::mbarrier_init(&storage.full[stage], 1);
      ptx::mbarrier_init(&storage.empty[stage], kConsumerWarps);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();  // the mbarriers are there for everyone
  if (threadIdx.x < 128) {
    if (threadIdx.x == 0) produce(storage, a_map, b_map, top, left, K);
    return;
  }

  const int group = threadIdx.x / 128 - 1, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const unsigned start = static_cast<unsigned>(__cvta_generic_to_shared(storage.stages));
  float sums[64] = {};
  int step = 0;
  for (int first = 0; first < K; first += kDepth, ++step) {
    const int at = step % kStages;
    wait(&storage.full[at], step / kStages % 2);
    const unsigned a_start = start + at * sizeof(Stage) + group * 64 * 128;
    const unsigned b_start = start + at * sizeof(Stage) + kTile * 128;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < kDepth; k += 16)
      // Eight rows of A are 1024 bytes; so are eight steps along K of B, whose halves lie kDepth rows apart.
      wgmma(sums, descriptor(a_start + k * 2, 16, 1024), descriptor(b_start + k * 128, kDepth * 128, 1024));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::
                     : "memory");  // all but this step: the last one's tiles are free
    if (step > 0 && lane == 0)
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                           &storage.empty[(step - 1) % kStages]);
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");

#pragma unroll
  for (int i = 0; i < 64; i += 2)
    store2(C, top + group * 64 + warp * 16 + lane / 4 + i / 2 % 2 * 8, left + i / 4 * 8 + lane % 4 * 2, M, N,
           sums[i], sums[i + 1]);
}
