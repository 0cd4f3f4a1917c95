// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: one thread per row, everything in double precision, the variance around the mean.
//@ grid: ceil_div(rows, 32)
//@ block: 32

__global__ void layernorm_reference(const float* x, const float* gamma, const float* beta, double* y,
                                    float eps, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * cols;
  double* out = y + static_cast<size_t>(row) * cols;

  double mean = 0;
  for (int c = 0; c < cols; ++c) mean += in[c];
  mean /= cols;
  double variance = 0;
  for (int c = 0; c < cols; ++c) variance += (in[c] - mean) * (in[c] - mean);
  variance /= cols;
  for (int c = 0; c < cols; ++c) out[c] = (in[c] - mean) / sqrt(variance + eps) * gamma[c] + beta[c];
}
