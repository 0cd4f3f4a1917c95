// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: one block, double precision, a fixed order of additions.
//@ grid: 1
//@ block: 1024

__global__ void sum_reference(const float* x, double* total, int n) {
  __shared__ double sums[1024];
  const int tid = threadIdx.x;
  double sum = 0;
  for (int i = tid; i < n; i += 1024) sum += x[i];
  sums[tid] = sum;
  __syncthreads();
  if (tid == 0) {
    for (int t = 1; t < 1024; ++t) sum += sums[t];
    total[0] = sum;
  }
}
