// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor cores through the wmma interface: tiles go through shared memory, four warps own 32 x 32 results
// each. Tiles that reach beyond a matrix are filled with zeros, which add nothing.
//@ grid: ceil_div(N, 64), ceil_div(M, 64)
//@ block: 128
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kTile = 64;            // rows and columns of C per block
constexpr int kDepth = 32;           // of a step along K
constexpr int kPitchA = kDepth + 8;  // eight halves more: rows begin in different banks
constexpr int kPitchB = kTile + 8;
constexpr int kPitchC = kTile + 4;

// Eight halves of a row from column `c`; zeros beyond the row's end.
__device__ uint4 load8(const half* row, int c, int cols, bool aligned) {
  if (aligned && c + 7 < cols) return *reinterpret_cast<const uint4*>(row + c);
  alignas(16) half values[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) values[i] = c + i < cols ? row[c + i] : __float2half_rn(0.0f);
  return *reinterpret_cast<uint4*>(values);
}

__global__ void __launch_bounds__(128)
    hgemm_wmma(const half* A, const half* B, half* C, int M, int N, int K) {
  __shared__ union {
    struct {
      alignas(32) half a[kTile][kPitchA];
      alignas(32) half b[kDepth][kPitchB];
    } in;
    alignas(32) float out[kTile][kPitchC];
  } tiles;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int warp = threadIdx.x / 32;
  const int own_row = warp / 2 * 32, own_col = warp % 2 * 32;
  const bool a_aligned = K % 8 == 0, b_aligned = N % 8 == 0;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j) wmma::fill_fragment(sums[i][j], 0.0f);

  for (int first = 0; first < K; first += kDepth) {
    for (int i = threadIdx.x; i < kTile * kDepth / 8; i += 128) {
      const int row = i / (kDepth / 8), c = i % (kDepth / 8) * 8;
      *reinterpret_cast<uint4*>(&tiles.in.a[row][c]) =
          top + row < M ? load8(A + (top + row) * K, first + c, K, a_aligned) : make_uint4(0, 0, 0, 0);
    }
    for (int i = threadIdx.x; i < kDepth * kTile / 8; i += 128) {
      const int row = i / (kTile / 8), c = i % (kTile / 8) * 8;
      *reinterpret_cast<uint4*>(&tiles.in.b[row][c]) =
          first + row < K ? load8(B + (first + row) * N, left + c, N, b_aligned) : make_uint4(0, 0, 0, 0);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(a[i], &tiles.in.a[own_row + 16 * i][k], kPitchA);
        wmma::load_matrix_sync(b[i], &tiles.in.b[k][own_col + 16 * i], kPitchB);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], a[i], b[j], sums[i][j]);
    }
    __syncthreads();  // before the next step overwrites the tiles
  }

  // Where a fragment's elements lie is not known: they go through shared memory.
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(&tiles.out[own_row + 16 * i][own_col + 16 * j], sums[i][j], kPitchC,
                              wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < kTile * kTile; i += 128) {
    const int row = i / kTile, col = i % kTile;
    if (top + row < M && left + col < N)
      C[(top + row) * N + left + col] = __float2half_rn(tiles.out[row][col]);
  }
}
