// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor cores of Hopper through wgmma: two warpgroups own 64 x 128 of a block's 128 x 128 results each, and
// read A and B from shared memory, where the tiles lie with a swizzle of 128 bytes. Ordinary loads fill them,
// so that a proxy fence must make what was stored visible to the asynchronous proxy.
//@ arch: sm_90a
//@ grid: ceil_div(N, 128), ceil_div(M, 128)
//@ block: 256
#include <cuda_fp16.h>

constexpr int kTile = 128;  // rows and columns of C per block
constexpr int kDepth = 64;  // of a step along K: 128 bytes, one row of the swizzle's pattern
constexpr int kThreads = 256;
constexpr int kVectors = kTile * kDepth / 8 / kThreads;  // of eight halves, per thread and tile

// Eight halves of a row from column `c`; zeros beyond the row's end.
__device__ uint4 load8(const half* row, int c, int cols, bool aligned) {
  if (aligned && c + 7 < cols) return *reinterpret_cast<const uint4*>(row + c);
  alignas(16) half values[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) values[i] = c + i < cols ? row[c + i] : __float2half_rn(0.0f);
  return *reinterpret_cast<uint4*>(values);
}

// A tile is made of rows of 128 bytes; in row r the 16 bytes number c stand at place c ^ (r % 8).
__device__ uint4* swizzled(unsigned char* tile, int row, int chunk) {
  return reinterpret_cast<uint4*>(tile + row * 128 + ((chunk ^ (row & 7)) << 4));
}

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

__global__ void __launch_bounds__(kThreads)
    hgemm_wgmma(const half* A, const half* B, half* C, int M, int N, int K) {
  // A: 128 rows of 64 halves. B: for each half of the 128 columns, 64 rows (along K) of 64 halves.
  __shared__ alignas(1024) unsigned char a_tile[kTile * 128];
  __shared__ alignas(1024) unsigned char b_tile[2 * kDepth * 128];
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int group = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const bool a_aligned = K % 8 == 0, b_aligned = N % 8 == 0;
  const unsigned a_start = static_cast<unsigned>(__cvta_generic_to_shared(a_tile)) + group * 64 * 128;
  const unsigned b_start = static_cast<unsigned>(__cvta_generic_to_shared(b_tile));

  uint4 a_next[kVectors], b_next[kVectors];
  const auto fetch = [&](int first) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const int i = threadIdx.x + v * kThreads;
      const int a_row = i / 8, a_col = i % 8 * 8;
      a_next[v] = top + a_row < M
                      ? load8(A + static_cast<size_t>(top + a_row) * K, first + a_col, K, a_aligned)
                      : make_uint4(0, 0, 0, 0);
      const int b_row = i / 16, b_col = i % 16 * 8;
      b_next[v] = first + b_row < K
                      ? load8(B + static_cast<size_t>(first + b_row) * N, left + b_col, N, b_aligned)
                      : make_uint4(0, 0, 0, 0);
    }
  };

  float sums[64] = {};
  fetch(0);
  for (int first = 0; first < K; first += kDepth) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const int i = threadIdx.x + v * kThreads;
      *swizzled(a_tile, i / 8, i % 8) = a_next[v];
      const int chunk = i % 16;
      *swizzled(b_tile + chunk / 8 * kDepth * 128, i / 16, chunk % 8) = b_next[v];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // wgmma reads what was stored here
    __syncthreads();

    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < kDepth; k += 16)
      // Eight rows of A are 1024 bytes; so are eight steps along K of B, whose halves lie kDepth rows apart.
      wgmma(sums, descriptor(a_start + k * 2, 16, 1024), descriptor(b_start + k * 128, kDepth * 128, 1024));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (first + kDepth < K) fetch(first + kDepth);  // while the tensor cores work
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();  // before the next step overwrites the tiles
  }

#pragma unroll
  for (int i = 0; i < 64; i += 2)
    store2(C, top + group * 64 + warp * 16 + lane / 4 + i / 2 % 2 * 8, left + i / 4 * 8 + lane % 4 * 2, M, N,
           sums[i], sums[i + 1]);
}
