// SPDX-License-Identifier: GPL-3.0-or-later
// One thread per row, three passes. At each step the threads of a warp read 32 different rows: one sector for
// each float.
//@ grid: ceil_div(rows, 32)
//@ block: 32

__global__ void softmax_naive(const float* x, float* y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * cols;
  float* out = y + static_cast<size_t>(row) * cols;

  float top = in[0];
  for (int c = 1; c < cols; ++c) top = fmaxf(top, in[c]);
  float total = 0;
  for (int c = 0; c < cols; ++c) total += expf(in[c] - top);
  for (int c = 0; c < cols; ++c) out[c] = expf(in[c] - top) / total;
}
