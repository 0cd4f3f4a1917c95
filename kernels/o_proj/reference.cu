// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: one thread per output, accumulated in double precision.
//@ grid: ceil_div(D, 32), ceil_div(tokens, 8)
//@ block: 32, 8

__global__ void o_proj_reference(const float* attn, const float* W, const float* residual, double* out,
                                 int tokens, int K, int D) {
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int token = blockIdx.y * blockDim.y + threadIdx.y;
  if (token >= tokens || d >= D) return;
  double sum = residual[token * D + d];
  for (int k = 0; k < K; ++k) sum += static_cast<double>(attn[token * K + k]) * W[k * D + d];
  out[token * D + d] = sum;
}
