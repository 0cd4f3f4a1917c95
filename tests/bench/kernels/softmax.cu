// SPDX-License-Identifier: GPL-3.0-or-later
// Row softmax, one block a row, reductions by shuffles: with the fast exponential and with the exact one.

__device__ float warp_max(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
    return v;
}
__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}

template <class Exp>
__device__ void softmax_row(int cols, const float* __restrict__ x, float* __restrict__ y, Exp exponential)
{
    __shared__ float maxima[8], sums[8];
    const int row = blockIdx.x, tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const float minus_infinity = __int_as_float(0xff800000);
    const float* in = x + (size_t)row * cols;
    float* out = y + (size_t)row * cols;
    float top = minus_infinity;
    for (int c = tid; c < cols; c += blockDim.x)
        top = fmaxf(top, in[c]);
    top = warp_max(top);
    if (lane == 0)
        maxima[warp] = top;
    __syncthreads();
    top = warp_max(lane < 8 ? maxima[lane] : minus_infinity);
    float sum = 0;
    for (int c = tid; c < cols; c += blockDim.x)
        sum += exponential(in[c] - top);
    sum = warp_sum(sum);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    const float scale = 1.0f / warp_sum(lane < 8 ? sums[lane] : 0.0f);
    for (int c = tid; c < cols; c += blockDim.x)
        out[c] = exponential(in[c] - top) * scale;
}

extern "C" __global__ void softmax(int rows, int cols, const float* __restrict__ x, float* __restrict__ y)
{
    softmax_row(cols, x, y, [](float v) { return __expf(v); });
}
extern "C" __global__ void softmax_expf(int rows, int cols, const float* __restrict__ x, float* __restrict__ y)
{
    softmax_row(cols, x, y, [](float v) { return expf(v); });
}
