// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B, one element a thread, straight from global memory.

extern "C" __global__ void sgemm_naive(int M, int N, int K, const float* A, const float* B, float* C)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < M && column < N) {
        float sum = 0;
        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + column];
        C[row * N + column] = sum;
    }
}
