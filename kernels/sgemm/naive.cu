// SPDX-License-Identifier: GPL-3.0-or-later
// One thread per element of C. Each step loads two floats for one multiply-add, so that the load units set
// the pace.
//@ grid: ceil_div(N, 16), ceil_div(M, 16)
//@ block: 16, 16

__global__ void sgemm_naive(const float* A, const float* B, float* C, int M, int N, int K) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < M && col < N) {
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}
