// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B with tiles of 128 x 128 x 8; 256 threads, each for 8 x 8 elements in registers; float4 accesses.

constexpr int kRows = 128, kColumns = 128, kDepth = 8;

extern "C" __global__ __launch_bounds__(256) void sgemm_registers(int M, int N, int K, const float* __restrict__ A,
                                                                  const float* __restrict__ B,
                                                                  float* __restrict__ C)
{
    __shared__ __align__(16) float a_tile[kDepth][kRows];
    __shared__ __align__(16) float b_tile[kDepth][kColumns];
    const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
    const int top = blockIdx.y * kRows, left = blockIdx.x * kColumns;
    float sums[8][8] = {};
    const int a_row = tid / 2, a_column = tid % 2 * 4, b_row = tid / 32, b_column = tid % 32 * 4;
    for (int k0 = 0; k0 < K; k0 += kDepth) {
        const float4 four = *(const float4*)&A[(top + a_row) * K + k0 + a_column];
        a_tile[a_column][a_row] = four.x;
        a_tile[a_column + 1][a_row] = four.y;
        a_tile[a_column + 2][a_row] = four.z;
        a_tile[a_column + 3][a_row] = four.w;
        *(float4*)&b_tile[b_row][b_column] = *(const float4*)&B[(k0 + b_row) * N + left + b_column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            float a[8], b[8];
            *(float4*)&a[0] = *(float4*)&a_tile[k][ty * 8];
            *(float4*)&a[4] = *(float4*)&a_tile[k][ty * 8 + 4];
            *(float4*)&b[0] = *(float4*)&b_tile[k][tx * 8];
            *(float4*)&b[4] = *(float4*)&b_tile[k][tx * 8 + 4];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        *(float4*)&C[(top + ty * 8 + i) * N + left + tx * 8] = *(float4*)&sums[i][0];
        *(float4*)&C[(top + ty * 8 + i) * N + left + tx * 8 + 4] = *(float4*)&sums[i][4];
    }
}
