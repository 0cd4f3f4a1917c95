// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: one thread per element, in double precision.
//@ grid: ceil_div(n, 256)
//@ block: 256

__global__ void saxpy_reference(const float* x, const float* y, double* z, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = static_cast<double>(alpha) * x[i] + y[i];
}
