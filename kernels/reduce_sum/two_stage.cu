// SPDX-License-Identifier: GPL-3.0-or-later
// Two launches, no atomics: every block leaves a partial sum, a single block adds those. The end of the first
// launch is the barrier between the stages, and the order of additions is fixed: the same bits each time.
//@ tune: BLOCKS = 1056, 528, 2112
//@ scratch: partial float32 [BLOCKS]
//@ kernel: sum_blocks
//@ grid: BLOCKS
//@ block: 256
//@ args: x, partial, n
//@ kernel: sum_partials
//@ grid: 1
//@ block: 1024
//@ args: partial, total

// The sum over a block's threads, valid in thread 0: within warps by shuffles, then one warp over the warps'
// sums.
__device__ float block_sum(float value) {
  __shared__ float warp_sums[32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  if (lane == 0) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f;
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  }
  return value;
}

__global__ void sum_blocks(const float* __restrict__ x, float* __restrict__ partial, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  const int vectors = n / 4;
  const float4* x4 = reinterpret_cast<const float4*>(x);
  float sum = 0;
#pragma unroll 4
  for (int v = first; v < vectors; v += stride) {
    const float4 a = x4[v];
    sum += (a.x + a.y) + (a.z + a.w);
  }
  for (int i = vectors * 4 + first; i < n; i += stride) sum += x[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void sum_partials(const float* partial, float* total) {
  float sum = 0;
  for (int i = threadIdx.x; i < BLOCKS; i += blockDim.x) sum += partial[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) total[0] = sum;
}
