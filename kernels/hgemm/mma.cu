// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor cores through mma.sync: eight warps own 64 x 32 of a block's 128 x 128 results each. ldmatrix brings
// fragments from shared memory, transposed for B. While one pair of tiles is multiplied, the next one travels
// by cp.async; rows that are no multiples of 16 bytes go through registers instead.
//@ grid: ceil_div(N, 128), ceil_div(M, 128)
//@ block: 256
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int kTile = 128;           // rows and columns of C per block
constexpr int kDepth = 32;           // of a step along K
constexpr int kPitchA = kDepth + 8;  // eight halves more: eight rows of a matrix lie in different banks
constexpr int kPitchB = kTile + 8;
constexpr int kThreads = 256;
constexpr int kVectors = kTile * kDepth / 8 / kThreads;  // of eight halves, per thread and tile

struct Tiles {
  alignas(16) half a[kTile][kPitchA];
  alignas(16) half b[kDepth][kPitchB];
};

// Brings eight neighbours of a row to shared memory; what lies outside of the matrix arrives as zeros.
template <bool kAligned>
__device__ void copy8(half* to, const half* matrix, int row, int col, int rows, int cols) {
  if constexpr (kAligned) {
    const bool inside = row < rows && col < cols;
    const half* from = inside ? matrix + static_cast<size_t>(row) * cols + col : matrix;
    __pipeline_memcpy_async(to, from, 16, inside ? 0 : 16);
  } else {
    alignas(16) half values[8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
      values[i] = row < rows && col + i < cols ? matrix[static_cast<size_t>(row) * cols + col + i]
                                               : __float2half_rn(0.0f);
    *reinterpret_cast<uint4*>(to) = *reinterpret_cast<uint4*>(values);
  }
}

template <bool kAligned>
__device__ void fetch(Tiles& tiles, const half* A, const half* B, int first, int M, int N, int K) {
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const int i = threadIdx.x + v * kThreads;
    const int a_row = i / (kDepth / 8), a_col = i % (kDepth / 8) * 8;
    copy8<kAligned>(&tiles.a[a_row][a_col], A, blockIdx.y * kTile + a_row, first + a_col, M, K);
    const int b_row = i / (kTile / 8), b_col = i % (kTile / 8) * 8;
    copy8<kAligned>(&tiles.b[b_row][b_col], B, first + b_row, blockIdx.x * kTile + b_col, K, N);
  }
  __pipeline_commit();
}

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
__device__ void ldmatrix(unsigned (&d)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(shared_address(row))
               : "memory");
}
__device__ void ldmatrix_transposed(unsigned (&d)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(shared_address(row))
               : "memory");
}
__device__ void mma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Two neighbours of a row of C, at once where they make an aligned pair.
__device__ void store2(half* C, int row, int col, int M, int N, float x, float y) {
  if (row >= M || col >= N) return;
  half* to = C + static_cast<size_t>(row) * N + col;
  if (N % 2 == 0) {
    *reinterpret_cast<half2*>(to) = __floats2half2_rn(x, y);
  } else {
    to[0] = __float2half_rn(x);
    if (col + 1 < N) to[1] = __float2half_rn(y);
  }
}

template <bool kAligned>
__device__ void product(Tiles (&tiles)[2], const half* A, const half* B, half* C, int M, int N, int K) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int own_row = warp / 4 * 64, own_col = warp % 4 * 32;

  float sums[4][4][4] = {};  // [16 rows][8 columns][elements of a lane]
  fetch<kAligned>(tiles[0], A, B, 0, M, N, K);
  for (int first = 0, at = 0; first < K; first += kDepth, at ^= 1) {
    if (first + kDepth < K) {
      fetch<kAligned>(tiles[at ^ 1], A, B, first + kDepth, M, N, K);
      __pipeline_wait_prior(1);  // all but the tiles that were just asked for
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();  // now the copies of all threads are there
#pragma unroll
    for (int k = 0; k < kDepth; k += 16) {
      unsigned a[4][4], b[2][4];
      // Lanes 0-15 point to the 16 rows of the left half of the fragment, lanes 16-31 to those of the right.
#pragma unroll
      for (int i = 0; i < 4; ++i)
        ldmatrix(a[i], &tiles[at].a[own_row + 16 * i + lane % 16][k + lane / 16 * 8]);
#pragma unroll
      for (int j = 0; j < 2; ++j)
        ldmatrix_transposed(b[j], &tiles[at].b[k + lane % 16][own_col + 16 * j + lane / 16 * 8]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) mma(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
    __syncthreads();  // before the next copies overwrite these tiles
  }

#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int half_tile = 0; half_tile < 2; ++half_tile) {
        const int row = blockIdx.y * kTile + own_row + 16 * i + lane / 4 + half_tile * 8;
        const int col = blockIdx.x * kTile + own_col + 8 * j + lane % 4 * 2;
        store2(C, row, col, M, N, sums[i][j][2 * half_tile], sums[i][j][2 * half_tile + 1]);
      }
}

__global__ void __launch_bounds__(kThreads)
    hgemm_mma(const half* A, const half* B, half* C, int M, int N, int K) {
  __shared__ Tiles tiles[2];
  if (K % 8 == 0 && N % 8 == 0)
    product<true>(tiles, A, B, C, M, N, K);
  else
    product<false>(tiles, A, B, C, M, N, K);
}
