// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: one thread per row, everything in double precision.
//@ grid: ceil_div(rows, 32)
//@ block: 32

__global__ void softmax_reference(const float* x, double* y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * cols;
  double* out = y + static_cast<size_t>(row) * cols;

  double top = in[0];
  for (int c = 1; c < cols; ++c) top = fmax(top, static_cast<double>(in[c]));
  double total = 0;
  for (int c = 0; c < cols; ++c) total += exp(in[c] - top);
  for (int c = 0; c < cols; ++c) out[c] = exp(in[c] - top) / total;
}
