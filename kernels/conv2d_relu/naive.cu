// SPDX-License-Identifier: GPL-3.0-or-later
// One thread per output: two loads and a border test for each multiply-add.
//@ grid: ceil_div(W, 32), ceil_div(H, 8), N * K
//@ block: 32, 8

__global__ void conv2d_relu_naive(const float* x, const float* w, float* y, int C, int K, int H, int W) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z % K;
  const int n = blockIdx.z / K;
  if (row >= H || col >= W) return;

  float sum = 0;
  for (int c = 0; c < C; ++c) {
    const float* image = x + static_cast<size_t>(n * C + c) * H * W;
    const float* filter = w + static_cast<size_t>(k * C + c) * 9;
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s) {
        const int in_row = row + r - 1;
        const int in_col = col + s - 1;
        if (in_row >= 0 && in_row < H && in_col >= 0 && in_col < W)
          sum += image[in_row * W + in_col] * filter[r * 3 + s];
      }
  }
  y[(static_cast<size_t>(n * K + k) * H + row) * W + col] = fmaxf(sum, 0.0f);
}
