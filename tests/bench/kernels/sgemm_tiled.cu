// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B with tiles of 64 x 64 x 16 in shared memory; 256 threads, each for 4 x 4 elements.

constexpr int kRows = 64, kColumns = 64, kDepth = 16, kOwn = 4;

extern "C" __global__ void sgemm_tiled(int M, int N, int K, const float* __restrict__ A, const float* __restrict__ B,
                                       float* __restrict__ C)
{
    __shared__ float a_tile[kDepth][kRows + 4];
    __shared__ float b_tile[kDepth][kColumns];
    const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
    const int top = blockIdx.y * kRows, left = blockIdx.x * kColumns;
    float sums[kOwn][kOwn] = {};
    for (int k0 = 0; k0 < K; k0 += kDepth) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int e = tid + i * 256, r = e / kDepth, c = e % kDepth;
            a_tile[c][r] = top + r < M && k0 + c < K ? A[(top + r) * K + k0 + c] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int e = tid + i * 256, r = e / kColumns, c = e % kColumns;
            b_tile[r][c] = k0 + r < K && left + c < N ? B[(k0 + r) * N + left + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            float a[kOwn], b[kOwn];
#pragma unroll
            for (int i = 0; i < kOwn; ++i)
                a[i] = a_tile[k][ty * kOwn + i];
#pragma unroll
            for (int j = 0; j < kOwn; ++j)
                b[j] = b_tile[k][tx * kOwn + j];
#pragma unroll
            for (int i = 0; i < kOwn; ++i)
#pragma unroll
                for (int j = 0; j < kOwn; ++j)
                    sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < kOwn; ++i)
        for (int j = 0; j < kOwn; ++j) {
            const int r = top + ty * kOwn + i, c = left + tx * kOwn + j;
            if (r < M && c < N)
                C[r * N + c] = sums[i][j];
        }
}
