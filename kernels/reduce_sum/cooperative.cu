// SPDX-License-Identifier: GPL-3.0-or-later
// One cooperative launch: all blocks run at once, leave a partial sum each and meet at grid.sync(); then the first
// one adds those. The order of additions is fixed: the same bits each time.
//@ tune: BLOCKS = 264, 132, 528
//@ scratch: partial float32 [BLOCKS]
//@ grid: BLOCKS
//@ block: 256
//@ cooperative: true

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// The sum over a block's threads, valid in thread 0.
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

__global__ void sum_cooperatively(const float* __restrict__ x, float* partial, float* total, int n) {
  float sum = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  cg::this_grid().sync();

  if (blockIdx.x != 0) return;
  sum = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += partial[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) total[0] = sum;
}
