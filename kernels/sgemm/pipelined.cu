// SPDX-License-Identifier: GPL-3.0-or-later
// Double-buffered tiles by cp.async: while a tile is used, the next one travels from global to shared memory
// without passing through registers. A block computes 64 x 64 elements of C, each of its 256 threads 4 x 4. Where
// rows are multiples of 16 bytes the copies move 16 bytes, else 4; what lies outside arrives as zeros.
//@ grid: ceil_div(N, 64), ceil_div(M, 64)
//@ block: 16, 16

#include <cuda_pipeline.h>

constexpr int kTile = 64;
constexpr int kDepth = 16;
constexpr int kPad = 4;  // keeps rows of the tile of A at multiples of 16 bytes, in different banks

struct Tiles {
  float a[kTile][kDepth + kPad];
  float b[kDepth][kTile];
};

// Copies `kWidth` neighbours of a row; those outside of the matrix arrive as 0.
template <int kWidth>
__device__ __forceinline__ void copy(float* to, const float* matrix, int row, int col, int rows, int cols) {
  const bool inside = row < rows && col < cols;
  const float* from = inside ? matrix + static_cast<size_t>(row) * cols + col : matrix;
  __pipeline_memcpy_async(to, from, kWidth * sizeof(float), inside ? 0 : kWidth * sizeof(float));
}

template <int kWidth>
__device__ __forceinline__ void fetch(Tiles& tiles, const float* A, const float* B, int first, int M, int N, int K) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
#pragma unroll
  for (int i = thread * kWidth; i < kTile * kDepth; i += 256 * kWidth)
    copy<kWidth>(&tiles.a[i / kDepth][i % kDepth], A, blockIdx.y * kTile + i / kDepth, first + i % kDepth, M, K);
#pragma unroll
  for (int i = thread * kWidth; i < kTile * kDepth; i += 256 * kWidth)
    copy<kWidth>(&tiles.b[i / kTile][i % kTile], B, first + i / kTile, blockIdx.x * kTile + i % kTile, K, N);
  __pipeline_commit();
}

template <int kWidth>
__device__ __forceinline__ void product(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ __align__(16) Tiles tiles[2];
  float sum[4][4] = {};
  fetch<kWidth>(tiles[0], A, B, 0, M, N, K);
  for (int first = 0, at = 0; first < K; first += kDepth, at ^= 1) {
    if (first + kDepth < K) {
      fetch<kWidth>(tiles[at ^ 1], A, B, first + kDepth, M, N, K);
      __pipeline_wait_prior(1);  // all but the tile that was just asked for
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();  // now the copies of all threads are there
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      const float4 b = *reinterpret_cast<const float4*>(&tiles[at].b[k][threadIdx.x * 4]);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float a = tiles[at].a[threadIdx.y * 4 + i][k];
        sum[i][0] += a * b.x;
        sum[i][1] += a * b.y;
        sum[i][2] += a * b.z;
        sum[i][3] += a * b.w;
      }
    }
    __syncthreads();  // before the next copies overwrite this tile
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = blockIdx.y * kTile + threadIdx.y * 4 + i, col = blockIdx.x * kTile + threadIdx.x * 4 + j;
      if (row < M && col < N) C[static_cast<size_t>(row) * N + col] = sum[i][j];
    }
}

__global__ void __launch_bounds__(256)
    sgemm_pipelined(const float* A, const float* B, float* C, int M, int N, int K) {
  if (K % 4 == 0 && N % 4 == 0)
    product<4>(A, B, C, M, N, K);
  else
    product<1>(A, B, C, M, N, K);
}
