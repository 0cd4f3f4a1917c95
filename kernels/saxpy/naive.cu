// SPDX-License-Identifier: GPL-3.0-or-later
// One thread per element. Neighbouring threads read neighbouring floats, so this is already close to what the
// memory gives.
//@ grid: ceil_div(n, 256)
//@ block: 256

__global__ void saxpy_naive(const float* x, const float* y, float* z, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = alpha * x[i] + y[i];
}
