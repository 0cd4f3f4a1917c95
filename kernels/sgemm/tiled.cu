// SPDX-License-Identifier: GPL-3.0-or-later
// Square tiles of A and B go through shared memory: each float loaded from global memory serves 32 threads.
// Tiles that reach beyond a matrix are filled with zeros, which add nothing.
//@ grid: ceil_div(N, 32), ceil_div(M, 32)
//@ block: 32, 32

constexpr int kTile = 32;

__global__ void sgemm_tiled(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int col = blockIdx.x * kTile + tx;
  const int row = blockIdx.y * kTile + ty;

  float sum = 0;
  for (int first = 0; first < K; first += kTile) {
    a_tile[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
    b_tile[ty][tx] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();  // before the next step overwrites the tiles
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
