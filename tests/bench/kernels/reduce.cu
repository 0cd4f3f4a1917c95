// SPDX-License-Identifier: GPL-3.0-or-later
// Sum of n numbers and the count of those above zero, by block reductions and atomics.

extern "C" __global__ void reduce(int n, const float* __restrict__ x, float* total, unsigned int* positive)
{
    __shared__ float sums[256];
    __shared__ unsigned int count;
    const int tid = threadIdx.x;
    if (tid == 0)
        count = 0;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    sums[tid] = sum;
    __syncthreads();
    if (sum > 0)
        atomicAdd(&count, 1u);
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (tid < d)
            sums[tid] += sums[tid + d];
        __syncthreads();
    }
    if (tid == 0) {
        atomicAdd(total, sums[0]);
        atomicAdd(positive, count);
    }
}
