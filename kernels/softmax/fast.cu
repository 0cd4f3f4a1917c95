// SPDX-License-Identifier: GPL-3.0-or-later
// The row is read once, four floats at a time, and stays in registers: global memory sees one read and one
// write. Rows of up to 1024 values take a warp each and need no block barrier; longer ones take a block of
// eight warps, and what does not fit into its registers is read again.
//@ grid: cols <= 1024 ? ceil_div(rows, 8) : rows
//@ block: 256

constexpr int kThreads = 256;
constexpr int kWarpVectors = 8;   // float4 per lane: 8 * 4 * 32 = 1024 values a warp
constexpr int kBlockVectors = 4;  // float4 per thread: 4 * 4 * 256 = 4096 values a block

__device__ float negative_infinity() {
  return __int_as_float(0xff800000);
}

// Four values of a row from column `c`; what lies beyond the row counts as -infinity, whose exponential is 0.
__device__ float4 load4(const float* row, int c, int cols, bool aligned) {
  if (aligned && c + 3 < cols) return *reinterpret_cast<const float4*>(row + c);
  const float none = negative_infinity();
  return make_float4(c < cols ? row[c] : none, c + 1 < cols ? row[c + 1] : none,
                     c + 2 < cols ? row[c + 2] : none, c + 3 < cols ? row[c + 3] : none);
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

__device__ float largest(float4 v) {
  return fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
}
__device__ float total(float4 v) {
  return (v.x + v.y) + (v.z + v.w);
}
__device__ float4 exponential(float4 v, float top) {
  return make_float4(__expf(v.x - top), __expf(v.y - top), __expf(v.z - top), __expf(v.w - top));
}
__device__ float4 scaled(float4 v, float s) {
  return make_float4(v.x * s, v.y * s, v.z * s, v.w * s);
}

__device__ float warp_max(float v) {
  for (int step = 16; step > 0; step /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, step));
  return v;
}
__device__ float warp_sum(float v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  return v;
}

__device__ void softmax_by_warp(const float* in, float* out, int cols, bool aligned) {
  const int lane = threadIdx.x % 32;
  float4 v[kWarpVectors];
  float top = negative_infinity();
#pragma unroll
  for (int i = 0; i < kWarpVectors; ++i) {
    v[i] = load4(in, (i * 32 + lane) * 4, cols, aligned);
    top = fmaxf(top, largest(v[i]));
  }
  top = warp_max(top);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kWarpVectors; ++i) {
    v[i] = exponential(v[i], top);
    sum += total(v[i]);
  }
  const float scale = 1.0f / warp_sum(sum);
#pragma unroll
  for (int i = 0; i < kWarpVectors; ++i) store4(out, (i * 32 + lane) * 4, cols, aligned, scaled(v[i], scale));
}

__device__ void softmax_by_block(const float* in, float* out, int cols, bool aligned) {
  __shared__ float warp_top[kThreads / 32];
  __shared__ float warp_total[kThreads / 32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  constexpr int kKept = kBlockVectors * kThreads * 4;
  constexpr int kStep = kThreads * 4;

  float4 v[kBlockVectors];
  float top = negative_infinity();
#pragma unroll
  for (int i = 0; i < kBlockVectors; ++i) {
    v[i] = load4(in, i * kStep + threadIdx.x * 4, cols, aligned);
    top = fmaxf(top, largest(v[i]));
  }
  for (int c = kKept + threadIdx.x * 4; c < cols; c += kStep)
    top = fmaxf(top, largest(load4(in, c, cols, aligned)));
  top = warp_max(top);
  if (lane == 0) warp_top[warp] = top;
  __syncthreads();
#pragma unroll
  for (int w = 0; w < kThreads / 32; ++w) top = fmaxf(top, warp_top[w]);

  float sum = 0;
#pragma unroll
  for (int i = 0; i < kBlockVectors; ++i) {
    v[i] = exponential(v[i], top);
    sum += total(v[i]);
  }
  for (int c = kKept + threadIdx.x * 4; c < cols; c += kStep)
    sum += total(exponential(load4(in, c, cols, aligned), top));
  sum = warp_sum(sum);
  if (lane == 0) warp_total[warp] = sum;
  __syncthreads();
  sum = 0;
#pragma unroll
  for (int w = 0; w < kThreads / 32; ++w) sum += warp_total[w];

  const float scale = 1.0f / sum;
#pragma unroll
  for (int i = 0; i < kBlockVectors; ++i)
    store4(out, i * kStep + threadIdx.x * 4, cols, aligned, scaled(v[i], scale));
  for (int c = kKept + threadIdx.x * 4; c < cols; c += kStep)
    store4(out, c, cols, aligned, scaled(exponential(load4(in, c, cols, aligned), top), scale));
}

__global__ __launch_bounds__(kThreads) void softmax_fast(const float* __restrict__ x, float* __restrict__ y,
                                                         int rows, int cols) {
  const bool aligned = cols % 4 == 0;  // else only every fourth row starts at a multiple of 16 bytes
  const bool by_warp = cols <= kWarpVectors * 4 * 32;
  const int row = by_warp ? blockIdx.x * (kThreads / 32) + threadIdx.x / 32 : blockIdx.x;
  if (row >= rows) return;  // whole warps, or no thread at all
  const float* in = x + static_cast<size_t>(row) * cols;
  float* out = y + static_cast<size_t>(row) * cols;
  if (by_warp)
    softmax_by_warp(in, out, cols, aligned);
  else
    softmax_by_block(in, out, cols, aligned);
}
