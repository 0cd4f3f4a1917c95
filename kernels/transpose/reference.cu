// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: one thread per element of y.
//@ grid: ceil_div(rows * cols, 256)
//@ block: 256

__global__ void transpose_reference(const float* x, double* y, int rows, int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  const int col = i / rows;
  const int row = i % rows;
  y[i] = x[row * cols + col];
}
