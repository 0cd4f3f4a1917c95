// SPDX-License-Identifier: GPL-3.0-or-later
// One thread per element: the loads of a warp are contiguous, its stores lie a whole column apart, one sector
// each.
//@ grid: ceil_div(cols, 32), min(ceil_div(rows, 8), 65535)
//@ block: 32, 8

__global__ void transpose_naive(const float* x, float* y, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  if (col >= cols) return;
  for (int row = blockIdx.y * 8 + threadIdx.y; row < rows; row += gridDim.y * 8)
    y[static_cast<size_t>(col) * rows + row] = x[static_cast<size_t>(row) * cols + col];
}
