// SPDX-License-Identifier: GPL-3.0-or-later
// Two launches, as a framework without fusion runs them: the product goes to memory, comes back, and meets
// the residual.
//@ scratch: projected float32 [tokens, D]
//@ kernel: project
//@ grid: ceil_div(D, 16), ceil_div(tokens, 16)
//@ block: 16, 16
//@ kernel: add_residual
//@ grid: ceil_div(D, 256), tokens
//@ block: 256

__global__ void project(const float* attn, const float* W, float* projected, int tokens, int K, int D) {
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int token = blockIdx.y * blockDim.y + threadIdx.y;
  if (token < tokens && d < D) {
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += attn[token * K + k] * W[k * D + d];
    projected[token * D + d] = sum;
  }
}

__global__ void add_residual(const float* projected, const float* residual, float* out, int D) {
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int token = blockIdx.y;
  if (d < D) out[token * D + d] = projected[token * D + d] + residual[token * D + d];
}
