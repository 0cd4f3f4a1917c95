// SPDX-License-Identifier: GPL-3.0-or-later
// One thread per row, three passes. At each step the threads of a warp read 32 different rows: one sector for
// each float.
//@ grid: ceil_div(rows, 32)
//@ block: 32

__global__ void layernorm_naive(const float* x, const float* gamma, const float* beta, float* y, float eps,
                                int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * cols;
  float* out = y + static_cast<size_t>(row) * cols;

  float mean = 0;
  for (int c = 0; c < cols; ++c) mean += in[c];
  mean /= cols;
  float variance = 0;
  for (int c = 0; c < cols; ++c) variance += (in[c] - mean) * (in[c] - mean);
  variance /= cols;
  const float scale = rsqrtf(variance + eps);
  for (int c = 0; c < cols; ++c) out[c] = (in[c] - mean) * scale * gamma[c] + beta[c];
}
