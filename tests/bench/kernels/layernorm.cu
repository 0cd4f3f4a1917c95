// SPDX-License-Identifier: GPL-3.0-or-later
// Row layer normalisation on pairs: half precision throughout, and bfloat16 with single-precision arithmetic.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}

struct Moments {
    float mean, scale;
};
template <class Pair, class Widen>
__device__ Moments moments_of(int cols, const Pair* row, Widen widen)
{
    __shared__ float partial[2][8];
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    float sum = 0, squares = 0;
    for (int i = tid; i < cols / 2; i += blockDim.x) {
        const float2 v = widen(row[i]);
        sum += v.x + v.y;
        squares += v.x * v.x + v.y * v.y;
    }
    sum = warp_sum(sum);
    squares = warp_sum(squares);
    if (lane == 0) {
        partial[0][warp] = sum;
        partial[1][warp] = squares;
    }
    __syncthreads();
    sum = warp_sum(lane < 8 ? partial[0][lane] : 0.0f);
    squares = warp_sum(lane < 8 ? partial[1][lane] : 0.0f);
    const float mean = sum / cols;
    return {mean, rsqrtf(squares / cols - mean * mean + 1e-5f)};
}

extern "C" __global__ void layernorm_h2(int cols, const __half2* __restrict__ x, const __half2* gain,
                                        const __half2* bias, __half2* y)
{
    const size_t first = (size_t)blockIdx.x * (cols / 2);
    const Moments m = moments_of(cols, x + first, [](__half2 v) { return __half22float2(v); });
    const __half2 mean = __float2half2_rn(m.mean), scale = __float2half2_rn(m.scale);
    for (int i = threadIdx.x; i < cols / 2; i += blockDim.x)
        y[first + i] = __hfma2(__hmul2(__hsub2(x[first + i], mean), scale), gain[i], bias[i]);
}
extern "C" __global__ void layernorm_bf16(int cols, const __nv_bfloat162* __restrict__ x,
                                          const __nv_bfloat162* gain, const __nv_bfloat162* bias, __nv_bfloat162* y)
{
    const size_t first = (size_t)blockIdx.x * (cols / 2);
    const Moments m = moments_of(cols, x + first, [](__nv_bfloat162 v) { return __bfloat1622float2(v); });
    for (int i = threadIdx.x; i < cols / 2; i += blockDim.x) {
        const float2 v = __bfloat1622float2(x[first + i]), g = __bfloat1622float2(gain[i]),
                     b = __bfloat1622float2(bias[i]);
        y[first + i] =
            __floats2bfloat162_rn((v.x - m.mean) * m.scale * g.x + b.x, (v.y - m.mean) * m.scale * g.y + b.y);
    }
}
