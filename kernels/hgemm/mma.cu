// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor cores through mma.sync: eight warps own 64 x 32 of a block's 128 x 128 results each. ldmatrix brings
// fragments from shared memory, transposed for B; the next tiles wait in registers while these are multiplied.
//@ grid: ceil_div(N, 128), ceil_div(M, 128)
//@ block: 256
#include <cuda_fp16.h>

constexpr int kTile = 128;           // rows and columns of C per block
constexpr int kDepth = 32;           // of a step along K
constexpr int kPitchA = kDepth + 8;  // eight halves more: eight rows of a matrix lie in different banks
constexpr int kPitchB = kTile + 8;
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

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
__device__ void ldmatrix(unsigned (&d)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(shared_address(row))
               : "memory");
}
__device__ void ldmatrix_transposed(unsigned (&d)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(shared_address(row))
               : "memory");
}
__device__ void mma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__global__ void __launch_bounds__(kThreads) hgemm_mma(const half* A, const half* B, half* C, int M, int N, int K) {
  __shared__ alignas(16) half a_tile[kTile][kPitchA];
  __shared__ alignas(16) half b_tile[kDepth][kPitchB];
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int own_row = warp / 4 * 64, own_col = warp % 4 * 32;
  const bool a_aligned = K % 8 == 0, b_aligned = N % 8 == 0;

  uint4 a_next[kVectors], b_next[kVectors];
  const auto fetch = [&](int first) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const int i = threadIdx.x + v * kThreads;
      const int a_row = i / (kDepth / 8), a_col = i % (kDepth / 8) * 8;
      a_next[v] =
          top + a_row < M ? load8(A + (top + a_row) * K, first + a_col, K, a_aligned) : make_uint4(0, 0, 0, 0);
      const int b_row = i / (kTile / 8), b_col = i % (kTile / 8) * 8;
      b_next[v] =
          first + b_row < K ? load8(B + (first + b_row) * N, left + b_col, N, b_aligned) : make_uint4(0, 0, 0, 0);
    }
  };

  float sums[4][4][4] = {};  // [16 rows][8 columns][elements of a lane]
  fetch(0);
  for (int first = 0; first < K; first += kDepth) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const int i = threadIdx.x + v * kThreads;
      *reinterpret_cast<uint4*>(&a_tile[i / (kDepth / 8)][i % (kDepth / 8) * 8]) = a_next[v];
      *reinterpret_cast<uint4*>(&b_tile[i / (kTile / 8)][i % (kTile / 8) * 8]) = b_next[v];
    }
    __syncthreads();
    if (first + kDepth < K) fetch(first + kDepth);
#pragma unroll
    for (int k = 0; k < kDepth; k += 16) {
      unsigned a[4][4], b[2][4];
      // Lanes 0-15 point to the 16 rows of the left half of the fragment, lanes 16-31 to those of the right.
#pragma unroll
      for (int i = 0; i < 4; ++i) ldmatrix(a[i], &a_tile[own_row + 16 * i + lane % 16][k + lane / 16 * 8]);
#pragma unroll
      for (int j = 0; j < 2; ++j)
        ldmatrix_transposed(b[j], &b_tile[k + lane % 16][own_col + 16 * j + lane / 16 * 8]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) mma(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
    __syncthreads();  // before the next step overwrites the tiles
  }

#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = top + own_row + 16 * i + lane / 4 + e / 2 * 8;
        const int col = left + own_col + 8 * j + lane % 4 * 2 + e % 2;
        if (row < M && col < N) C[row * N + col] = __float2half_rn(sums[i][j][e]);
      }
}
