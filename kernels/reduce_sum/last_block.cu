// SPDX-License-Identifier: GPL-3.0-or-later
// One launch: every block leaves a partial sum and draws a ticket; the block that draws the last one adds the
// partial sums in a fixed order. The fence before the ticket makes the partial sum visible to whoever sees
// the ticket.
//@ tune: BLOCKS = 528, 264, 1056
//@ scratch: partial float32 [BLOCKS]
//@ scratch: ticket uint32 [1]
//@ zero: ticket
//@ grid: BLOCKS
//@ block: 512

// The sum over a block's threads, valid in thread 0.
__device__ float block_sum(float value) {
  __shared__ float warp_sums[32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  __syncthreads();  // an earlier call may still be reading warp_sums
  if (lane == 0) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f;
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  }
  return value;
}

__global__ void sum_last_block(const float* __restrict__ x, float* partial, unsigned int* ticket,
                               float* total, int n) {
  __shared__ bool last;
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
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(ticket, 1u) == BLOCKS - 1;
  }
  __syncthreads();
  if (!last) return;  // the same for the whole block

  __threadfence();
  sum = 0;
  // __ldcg reads through to L2, where the other blocks' sums are.
  for (int i = threadIdx.x; i < BLOCKS; i += blockDim.x) sum += __ldcg(partial + i);
  sum = block_sum(sum);
  if (threadIdx.x == 0) total[0] = sum;
}
