// SPDX-License-Identifier: GPL-3.0-or-later
// One warp per row, online softmax: the largest value and the sum of exponentials come out of one pass,
// because a sum taken against an older maximum can be rescaled (Milakov and Gimelshein, 2018). A second pass
// writes the results.
//@ tune: WARPS = 8, 4, 16  # rows of a block
//@ grid: ceil_div(rows, WARPS)
//@ block: 32 * WARPS

__device__ constexpr float kLowest = -3.402823466e+38f;

// A sum of exp(x - top) together with its top.
struct Partial {
  float top;
  float sum;
};

__device__ Partial merge(Partial a, Partial b) {
  const float top = fmaxf(a.top, b.top);
  return {top, a.sum * expf(a.top - top) + b.sum * expf(b.top - top)};
}

__global__ void softmax_online(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * WARPS + threadIdx.x / 32;
  if (row >= rows) return;  // whole warps leave together
  const float* in = x + static_cast<size_t>(row) * cols;
  float* out = y + static_cast<size_t>(row) * cols;

  Partial mine{kLowest, 0.0f};
  for (int c = lane; c < cols; c += 32) {
    const float value = in[c];
    if (value > mine.top) {
      mine.sum *= expf(mine.top - value);
      mine.top = value;
    }
    mine.sum += expf(value - mine.top);
  }
  for (int step = 16; step > 0; step /= 2) {
    const Partial other{__shfl_xor_sync(0xffffffffu, mine.top, step),
                        __shfl_xor_sync(0xffffffffu, mine.sum, step)};
    mine = merge(mine, other);
  }

  const float scale = 1.0f / mine.sum;
  for (int c = lane; c < cols; c += 32) out[c] = expf(in[c] - mine.top) * scale;
}
