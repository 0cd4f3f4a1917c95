// SPDX-License-Identifier: GPL-3.0-or-later
// y = a x + y, one element a thread.

extern "C" __global__ void saxpy(int n, float a, const float* __restrict__ x, float* y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
