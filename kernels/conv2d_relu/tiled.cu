// SPDX-License-Identifier: GPL-3.0-or-later
// A block computes 32 channels of 8 x 28 pixels, each thread 8 channels of a strip of 7 pixels in registers.
// Nine floats of the image serve 3 taps x 7 pixels x 8 channels. Strips of 7 because the images of common
// networks are 7 x 2^n pixels wide.
//@ grid: ceil_div(W, 28) * ceil_div(H, 8), ceil_div(K, 32), N
//@ block: 128

constexpr int kStrip = 7;   // pixels of a thread
constexpr int kStrips = 4;  // strips side by side
constexpr int kRows = 8;    // rows of strips: a warp covers 8 x 4 strips
constexpr int kCols = kStrip * kStrips;
constexpr int kOwn = 8;  // channels of a thread, the same for its whole warp
constexpr int kWarps = 4;
constexpr int kOut = kOwn * kWarps;     // channels of the block
constexpr int kDepth = 4;               // input channels of a step
constexpr int kPitch = 36;              // 4 mod 32: the lanes of a warp read 32 different banks
constexpr int kFilterPitch = kOut + 4;  // keeps float4 aligned
constexpr int kThreads = 32 * kWarps;

__global__ __launch_bounds__(kThreads) void conv2d_relu_tiled(const float* __restrict__ x,
                                                              const float* __restrict__ w,
                                                              float* __restrict__ y, int C, int K, int H,
                                                              int W) {
  __shared__ float image[kDepth][kRows + 2][kPitch];
  __shared__ __align__(16) float filter[kDepth][9][kFilterPitch];
  const int tid = threadIdx.x;
  const int lane = tid % 32;
  const int warp = tid / 32;
  const int tiles_across = (W + kCols - 1) / kCols;
  const int left = blockIdx.x % tiles_across * kCols;
  const int top = blockIdx.x / tiles_across * kRows;
  const int first_out = blockIdx.y * kOut;
  const int n = blockIdx.z;
  const int row = lane / kStrips;
  const int col = lane % kStrips * kStrip;

  float sums[kOwn][kStrip] = {};
  for (int first = 0; first < C; first += kDepth) {
    // The image's tile with a border of one pixel; what lies outside the image or beyond its channels is 0.
    constexpr int kTileCols = kCols + 2;
    constexpr int kTile = (kRows + 2) * kTileCols;
    for (int i = tid; i < kDepth * kTile; i += kThreads) {
      const int c = i / kTile;
      const int r = i % kTile / kTileCols;
      const int s = i % kTileCols;
      const int in_row = top + r - 1;
      const int in_col = left + s - 1;
      const bool inside = first + c < C && in_row >= 0 && in_row < H && in_col >= 0 && in_col < W;
      image[c][r][s] = inside ? x[(static_cast<size_t>(n * C + first + c) * H + in_row) * W + in_col] : 0.0f;
    }
    // The filters of this step, channels innermost, so that a thread reads its eight as two float4.
    for (int i = tid; i < kOut * kDepth * 9; i += kThreads) {
      const int k = i / (kDepth * 9);
      const int tap = i % (kDepth * 9);  // of all input channels of the step
      const bool inside = first_out + k < K && first + tap / 9 < C;
      filter[tap / 9][tap % 9][k] =
          inside ? w[static_cast<size_t>(first_out + k) * C * 9 + first * 9 + tap] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int c = 0; c < kDepth; ++c)
#pragma unroll
      for (int r = 0; r < 3; ++r) {
        float pixels[kStrip + 2];
#pragma unroll
        for (int p = 0; p < kStrip + 2; ++p) pixels[p] = image[c][row + r][col + p];
#pragma unroll
        for (int s = 0; s < 3; ++s) {
          float weights[kOwn];
#pragma unroll
          for (int half = 0; half < kOwn; half += 4)
            *reinterpret_cast<float4*>(weights + half) =
                *reinterpret_cast<const float4*>(&filter[c][r * 3 + s][warp * kOwn + half]);
#pragma unroll
          for (int k = 0; k < kOwn; ++k)
#pragma unroll
            for (int p = 0; p < kStrip; ++p) sums[k][p] += weights[k] * pixels[p + s];
        }
      }
    __syncthreads();  // before the next step overwrites the tiles
  }

  if (top + row >= H) return;
#pragma unroll
  for (int k = 0; k < kOwn; ++k) {
    const int out = first_out + warp * kOwn + k;
    if (out >= K) return;
    float* to = y + (static_cast<size_t>(n * K + out) * H + top + row) * W + left + col;
#pragma unroll
    for (int p = 0; p < kStrip; ++p)
      if (left + col + p < W) to[p] = fmaxf(sums[k][p], 0.0f);
  }
}
