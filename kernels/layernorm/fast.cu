// SPDX-License-Identifier: GPL-3.0-or-later
// The row is read once, four floats at a time, and stays in registers, so that the variance can be taken
// around the mean without reading memory twice. Rows of up to 1024 values take a warp each and need no block
// barrier; longer ones take a block of eight warps, and what does not fit into its registers is read again.
//@ grid: cols <= 1024 ? ceil_div(rows, 8) : rows
//@ block: 256

constexpr int kThreads = 256;
constexpr int kWarpVectors = 8;   // float4 per lane: 8 * 4 * 32 = 1024 values a warp
constexpr int kBlockVectors = 4;  // float4 per thread: 4 * 4 * 256 = 4096 values a block

// Four values of a row from column `c`; what lies beyond the row counts as `beyond`.
__device__ float4 load4(const float* row, int c, int cols, bool aligned, float beyond) {
  if (aligned && c + 3 < cols) return *reinterpret_cast<const float4*>(row + c);
  return make_float4(c < cols ? row[c] : beyond, c + 1 < cols ? row[c + 1] : beyond,
                     c + 2 < cols ? row[c + 2] : beyond, c + 3 < cols ? row[c + 3] : beyond);
}

__device__ void store4(float* row, int c, int cols, bool aligned, float4 v) {
  if (aligned && c + 3 < cols) {
    *reinterpret_cast<float4*>(row + c) = v;
    return;
  }
  if (c < cols) row[c] = v.x;
  if (c + 1 < cols) row[c + 1] = v.y;
  if (c + 2 < cols) row[c + 2] = v.z;
  if (c + 3 < cols) row[c + 3] = v.w;
}

__device__ float total(float4 v) {
  return (v.x + v.y) + (v.z + v.w);
}

// The sum of (v - mean)^2 over those of the four values that lie inside the row.
__device__ float squares(float4 v, float mean, int c, int cols) {
  const float x = c < cols ? v.x - mean : 0.0f;
  const float y = c + 1 < cols ? v.y - mean : 0.0f;
  const float z = c + 2 < cols ? v.z - mean : 0.0f;
  const float w = c + 3 < cols ? v.w - mean : 0.0f;
  return (x * x + y * y) + (z * z + w * w);
}

__device__ float warp_sum(float v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  return v;
}

// The sum over the block, the same in every thread. Each call needs shared memory of its own.
__device__ float block_sum(float v, float* warp_sums) {
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = v;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int w = 0; w < kThreads / 32; ++w) sum += warp_sums[w];
  return sum;
}

struct Row {
  const float* in;
  const float* gamma;
  const float* beta;
  float* out;
  int cols;
  bool aligned;
};

__device__ void write4(const Row& row, int c, float4 v, float mean, float scale) {
  const float4 g = load4(row.gamma, c, row.cols, row.aligned, 0.0f);
  const float4 b = load4(row.beta, c, row.cols, row.aligned, 0.0f);
  store4(row.out, c, row.cols, row.aligned,
         make_float4((v.x - mean) * scale * g.x + b.x, (v.y - mean) * scale * g.y + b.y,
                     (v.z - mean) * scale * g.z + b.z, (v.w - mean) * scale * g.w + b.w));
}

__device__ void layernorm_by_warp(const Row& row, float eps) {
  const int lane = threadIdx.x % 32;
  float4 v[kWarpVectors];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kWarpVectors; ++i) {
    v[i] = load4(row.in, (i * 32 + lane) * 4, row.cols, row.aligned, 0.0f);
    sum += total(v[i]);
  }
  const float mean = warp_sum(sum) / row.cols;
  sum = 0;
#pragma unroll
  for (int i = 0; i < kWarpVectors; ++i) sum += squares(v[i], mean, (i * 32 + lane) * 4, row.cols);
  const float scale = rsqrtf(warp_sum(sum) / row.cols + eps);
#pragma unroll
  for (int i = 0; i < kWarpVectors; ++i) write4(row, (i * 32 + lane) * 4, v[i], mean, scale);
}

__device__ void layernorm_by_block(const Row& row, float eps) {
  __shared__ float sums[kThreads / 32];
  __shared__ float square_sums[kThreads / 32];
  constexpr int kKept = kBlockVectors * kThreads * 4;
  constexpr int kStep = kThreads * 4;
  const int own = threadIdx.x * 4;

  float4 v[kBlockVectors];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kBlockVectors; ++i) {
    v[i] = load4(row.in, i * kStep + own, row.cols, row.aligned, 0.0f);
    sum += total(v[i]);
  }
  for (int c = kKept + own; c < row.cols; c += kStep)
    sum += total(load4(row.in, c, row.cols, row.aligned, 0.0f));
  const float mean = block_sum(sum, sums) / row.cols;

  sum = 0;
#pragma unroll
  for (int i = 0; i < kBlockVectors; ++i) sum += squares(v[i], mean, i * kStep + own, row.cols);
  for (int c = kKept + own; c < row.cols; c += kStep)
    sum += squares(load4(row.in, c, row.cols, row.aligned, 0.0f), mean, c, row.cols);
  const float scale = rsqrtf(block_sum(sum, square_sums) / row.cols + eps);

#pragma unroll
  for (int i = 0; i < kBlockVectors; ++i) write4(row, i * kStep + own, v[i], mean, scale);
  for (int c = kKept + own; c < row.cols; c += kStep)
    write4(row, c, load4(row.in, c, row.cols, row.aligned, 0.0f), mean, scale);
}

__global__ __launch_bounds__(kThreads) void layernorm_fast(const float* __restrict__ x,
                                                           const float* __restrict__ gamma,
                                                           const float* __restrict__ beta,
                                                           float* __restrict__ y, float eps, int rows,
                                                           int cols) {
  const bool by_warp = cols <= kWarpVectors * 4 * 32;
  const int index = by_warp ? blockIdx.x * (kThreads / 32) + threadIdx.x / 32 : blockIdx.x;
  if (index >= rows) return;  // whole warps, or no thread at all
  const size_t start = static_cast<size_t>(index) * cols;
  // A row length that is no multiple of four leaves three of four rows off the 16-byte grid that float4
  // needs.
  const Row row{x + start, gamma, beta, y + start, cols, cols % 4 == 0};
  if (by_warp)
    layernorm_by_warp(row, eps);
  else
    layernorm_by_block(row, eps);
}
