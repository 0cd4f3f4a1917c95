// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: one thread per output, accumulated in double precision.
//@ grid: ceil_div(N * K * H * W, 256)
//@ block: 256

__global__ void conv2d_relu_reference(const float* x, const float* w, double* y, int N, int C, int K, int H,
                                      int W) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N * K * H * W) return;
  const int col = i % W;
  const int row = i / W % H;
  const int k = i / W / H % K;
  const int n = i / W / H / K;

  double sum = 0;
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s) {
        const int in_row = row + r - 1;
        const int in_col = col + s - 1;
        if (in_row >= 0 && in_row < H && in_col >= 0 && in_col < W)
          sum += static_cast<double>(x[((n * C + c) * H + in_row) * W + in_col]) *
                 w[((k * C + c) * 3 + r) * 3 + s];
      }
  y[i] = fmax(sum, 0.0);
}
