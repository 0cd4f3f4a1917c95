// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B on tensor cores through wmma, one warp a tile of 16 x 16, straight from global memory.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void wmma_gemm(int M, int N, int K, const half* A, const half* B, float* C)
{
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, across = N / 16;
    const int row = warp / across * 16, column = warp % across * 16;
    if (row >= M)
        return;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, A + row * K + k, K);
        wmma::load_matrix_sync(b, B + k * N + column, N);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(C + row * N + column, c, N, wmma::mem_row_major);
}
