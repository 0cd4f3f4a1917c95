// SPDX-License-Identifier: GPL-3.0-or-later
// One thread per element of C, without tensor cores.
//@ grid: ceil_div(N, 32), ceil_div(M, 8)
//@ block: 32, 8
#include <cuda_fp16.h>

__global__ void hgemm_naive(const half* A, const half* B, half* C, int M, int N, int K) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || col >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = __float2half_rn(sum);
}
