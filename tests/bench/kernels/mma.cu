// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B by mma.sync with ldmatrix and cp.async, one warp a tile of 16 x 8.
#include <cuda_fp16.h>

extern "C" __global__ void mma_ptx(int M, int N, int K, const half* A, const half* B, float* C)
{
    __shared__ __align__(16) half a_tile[16][16];
    __shared__ __align__(16) half b_tile[16][8];
    const int lane = threadIdx.x, top = blockIdx.y * 16, left = blockIdx.x * 8;
    float c[4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        const unsigned to_a = (unsigned)__cvta_generic_to_shared(&a_tile[lane / 2][lane % 2 * 8]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n" ::"r"(to_a),
                     "l"(A + (top + lane / 2) * K + k0 + lane % 2 * 8));
        if (lane < 16) {
            const unsigned to_b = (unsigned)__cvta_generic_to_shared(&b_tile[lane][0]);
            asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n" ::"r"(to_b), "l"(B + (k0 + lane) * N + left));
        }
        asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;\n");
        __syncthreads();
        unsigned a0, a1, a2, a3, b0, b1;
        const unsigned from_a = (unsigned)__cvta_generic_to_shared(&a_tile[lane % 16][lane / 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3)
                     : "r"(from_a));
        const unsigned from_b = (unsigned)__cvta_generic_to_shared(&b_tile[lane % 16][0]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(b0), "=r"(b1) : "r"(from_b));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},"
                     "{%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
        __syncthreads();
    }
    const int row = top + lane / 4, column = left + lane % 4 * 2;
    C[row * N + column] = c[0];
    C[row * N + column + 1] = c[1];
    C[(row + 8) * N + column] = c[2];
    C[(row + 8) * N + column + 1] = c[3];
}
