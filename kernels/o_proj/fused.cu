// SPDX-License-Identifier: GPL-3.0-or-later
// One launch: the residual is added while the result still lies in registers, which saves a round trip of the
// product through memory. The product itself: 128 x 128 elements a block, 8 x 8 a thread, double-buffered
// tiles (see sgemm/fast.cu).
//@ grid: ceil_div(D, 128), ceil_div(tokens, 128)
//@ block: 256

constexpr int kTile = 128;  // tokens and columns of W that a block computes
constexpr int kDepth = 8;   // the part of K that a step takes
constexpr int kPad = 4;     // moves the rows of the transposed tile of attn to different banks

// Four neighbours of a row; what lies outside the matrix counts as 0. `aligned`: every row starts at a
// multiple of 16 bytes.
__device__ __forceinline__ float4 load4(const float* matrix, int row, int col, int rows, int cols,
                                        bool aligned) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (row >= rows) return v;
  const float* at = matrix + static_cast<size_t>(row) * cols + col;
  if (aligned) {
    if (col < cols) v = *reinterpret_cast<const float4*>(at);
  } else {
    if (col < cols) v.x = at[0];
    if (col + 1 < cols) v.y = at[1];
    if (col + 2 < cols) v.z = at[2];
    if (col + 3 < cols) v.w = at[3];
  }
  return v;
}

__device__ __forceinline__ void store4(float* matrix, int row, int col, int rows, int cols, bool aligned,
                                       float4 v) {
  if (row >= rows) return;
  float* at = matrix + static_cast<size_t>(row) * cols + col;
  if (aligned) {
    if (col < cols) *reinterpret_cast<float4*>(at) = v;
  } else {
    if (col < cols) at[0] = v.x;
    if (col + 1 < cols) at[1] = v.y;
    if (col + 2 < cols) at[2] = v.z;
    if (col + 3 < cols) at[3] = v.w;
  }
}

struct Tiles {
  float a[kDepth][kTile + kPad];  // transposed, so that a thread's rows lie side by side
  float b[kDepth][kTile];
};

__device__ __forceinline__ void keep(Tiles& tiles, float4 a, float4 b, int a_row, int a_col, int b_row,
                                     int b_col) {
  tiles.a[a_col][a_row] = a.x;
  tiles.a[a_col + 1][a_row] = a.y;
  tiles.a[a_col + 2][a_row] = a.z;
  tiles.a[a_col + 3][a_row] = a.w;
  *reinterpret_cast<float4*>(&tiles.b[b_row][b_col]) = b;
}

__device__ __forceinline__ void project(const float* attn, const float* W, const float* residual, float* out,
                                        int tokens, int K, int D, bool a_aligned, bool b_aligned) {
  __shared__ __align__(16) Tiles tiles[2];
  const int tid = threadIdx.x;

  // What this thread moves in each step: one float4 of attn and one of W.
  const int a_row = tid / 2;
  const int a_col = tid % 2 * 4;
  const int b_row = tid / 32;
  const int b_col = tid % 32 * 4;
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;

  // What it computes: rows own_row + {0..3, 64..67} and columns own_col + {0..3, 32..35} of the block's part.
  // A warp covers 16 rows and 32 columns at a time; this order of lanes lets its reads of shared memory share
  // wavefronts.
  const int lane = tid % 32;
  const int warp = tid / 32;
  const int own_row = warp / 2 * 16 + (lane / 16 * 2 + lane % 2) * 4;
  const int own_col = warp % 2 * 64 + lane / 2 % 8 * 4;

  float sums[8][8] = {};
  keep(tiles[0], load4(attn, top + a_row, a_col, tokens, K, a_aligned),
       load4(W, b_row, left + b_col, K, D, b_aligned), a_row, a_col, b_row, b_col);
  __syncthreads();

  int current = 0;
  for (int first = 0; first < K; first += kDepth) {
    const int next = first + kDepth;
    float4 next_a, next_b;
    if (next < K) {
      next_a = load4(attn, top + a_row, next + a_col, tokens, K, a_aligned);
      next_b = load4(W, next + b_row, left + b_col, K, D, b_aligned);
    }
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float a[8], b[8];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        *reinterpret_cast<float4*>(a + half * 4) =
            *reinterpret_cast<const float4*>(&tiles[current].a[k][own_row + half * 64]);
        *reinterpret_cast<float4*>(b + half * 4) =
            *reinterpret_cast<const float4*>(&tiles[current].b[k][own_col + half * 32]);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += a[i] * b[j];
    }
    if (next < K) {
      keep(tiles[1 - current], next_a, next_b, a_row, a_col, b_row, b_col);
      __syncthreads();
      current = 1 - current;
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int token = top + own_row + i / 4 * 64 + i % 4;
      const int d = left + own_col + half * 32;
      const float4 r = load4(residual, token, d, tokens, D, b_aligned);
      const float* sum = sums[i] + half * 4;
      store4(out, token, d, tokens, D, b_aligned,
             make_float4(sum[0] + r.x, sum[1] + r.y, sum[2] + r.z, sum[3] + r.w));
    }
}

__global__ __launch_bounds__(256, 2) void o_proj_fused(const float* __restrict__ attn,
                                                       const float* __restrict__ W,
                                                       const float* __restrict__ residual,
                                                       float* __restrict__ out, int tokens, int K, int D) {
  // The common case as a constant: its loop then holds nothing of the loads one by one.
  if (K % 4 == 0 && D % 4 == 0)
    project(attn, W, residual, out, tokens, K, D, true, true);
  else
    project(attn, W, residual, out, tokens, K, D, K % 4 == 0, D % 4 == 0);
}
