// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters of eight blocks add their sums through distributed shared memory: every block writes its sum into the
// shared memory of the first one, so that a cluster leaves one number in global memory. A second launch adds those.
//@ arch: sm_90
//@ tune: CLUSTERS = 66, 33, 132
//@ scratch: partial float32 [CLUSTERS]
//@ kernel: sum_clusters
//@ grid: CLUSTERS * 8
//@ block: 256
//@ cluster: 8
//@ args: x, partial, n
//@ kernel: sum_partials
//@ grid: 1
//@ block: 256
//@ args: partial, total

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

__global__ void sum_clusters(const float* __restrict__ x, float* __restrict__ partial, int n) {
  __shared__ float block_sums[8];  // of the first block: one for each block of its cluster
  cg::cluster_group cluster = cg::this_cluster();
  float sum = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sum = block_sum(sum);

  cluster.sync();  // all blocks of the cluster run: their shared memory is there
  if (threadIdx.x == 0) cluster.map_shared_rank(block_sums, 0)[cluster.block_rank()] = sum;
  cluster.sync();
  if (cluster.block_rank() != 0 || threadIdx.x != 0) return;
  sum = 0;
  for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) sum += block_sums[rank];
  partial[blockIdx.x / cluster.num_blocks()] = sum;
}

__global__ void sum_partials(const float* partial, float* total) {
  float sum = 0;
  for (int i = threadIdx.x; i < CLUSTERS; i += blockDim.x) sum += partial[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) total[0] = sum;
}
