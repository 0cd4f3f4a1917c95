// SPDX-License-Identifier: GPL-3.0-or-later
// out = transposed in, through a tile in shared memory: padded, and with the bank conflicts that padding avoids.

template <int kPitch>
__device__ void transpose_tile(int width, int height, const float* __restrict__ in, float* __restrict__ out)
{
    __shared__ float tile[32][kPitch];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void transpose(int width, int height, const float* __restrict__ in, float* __restrict__ out)
{
    transpose_tile<33>(width, height, in, out);
}
extern "C" __global__ void transpose_conf(int width, int height, const float* __restrict__ in,
                                          float* __restrict__ out)
{
    transpose_tile<32>(width, height, in, out);
}
