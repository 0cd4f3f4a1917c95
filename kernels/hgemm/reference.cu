// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: one thread per element of C, accumulated in double precision.
//@ grid: ceil_div(N, 32), ceil_div(M, 8)
//@ block: 32, 8
#include <cuda_fp16.h>

__global__ void hgemm_reference(const half* A, const half* B, double* C, int M, int N, int K) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || col >= N) return;
  double sum = 0;
  for (int k = 0; k < K; ++k)
    sum +=
        static_cast<double>(__half2float(A[row * K + k])) * static_cast<double>(__half2float(B[k * N + col]));
  C[row * N + col] = sum;
}
