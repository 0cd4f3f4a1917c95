// SPDX-License-Identifier: GPL-3.0-or-later
// The tensor memory accelerator moves 32 x 32 tiles: one thread asks for a tile and all wait at an mbarrier; the
// transposed tile goes back by one copy as well. It clips tiles at the edges by itself. The swizzle spreads the
// elements of a column over the banks. Rows must be multiples of 16 bytes: other shapes go element by element.
//@ arch: sm_90
//@ tensor_map: x_map = x view cols % 4 == 0 ? rows : 1 x cols % 4 == 0 ? cols : rows * cols box 32x32 swizzle 128B
//@ tensor_map: y_map = y view rows % 4 == 0 ? cols : 1 x rows % 4 == 0 ? rows : rows * cols box 32x32 swizzle 128B
//@ grid: ceil_div(cols, 32) * ceil_div(rows, 32)
//@ block: 32, 8

#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kTile = 32;
constexpr int kRows = 8;  // rows of the tile that the block moves at once

// Where the hardware puts element (row, col) of a tile whose rows have 128 bytes: the row's number is applied to
// that of the 16-byte piece.
__device__ __forceinline__ int place(int row, int col) {
  return row * kTile + ((col / 4) ^ (row % 8)) * 4 + col % 4;
}

__global__ void transpose_tma(const __grid_constant__ CUtensorMap x_map, const __grid_constant__ CUtensorMap y_map,
                              const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
  __shared__ alignas(1024) float in[kTile * kTile];
  __shared__ alignas(1024) float out[kTile * kTile];
  __shared__ uint64_t arrived;
  const int tiles_across = (cols + kTile - 1) / kTile;
  const int left = blockIdx.x % tiles_across * kTile;
  const int top = blockIdx.x / tiles_across * kTile;

  if (rows % 4 != 0 || cols % 4 != 0) {
    for (int r = top + threadIdx.y; r < min(top + kTile, rows); r += kRows)
      if (left + threadIdx.x < cols)
        y[static_cast<size_t>(left + threadIdx.x) * rows + r] = x[static_cast<size_t>(r) * cols + left + threadIdx.x];
    return;
  }

  const bool leads = threadIdx.x == 0 && threadIdx.y == 0;
  if (leads) {
    ptx::mbarrier_init(&arrived, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    const int corner[2] = {left, top};  // the innermost coordinate first
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived, sizeof in);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, in, &x_map, corner, &arrived);
  }
  __syncthreads();  // the mbarrier is there for everyone
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }

#pragma unroll
  for (int c = threadIdx.y; c < kTile; c += kRows) out[place(c, threadIdx.x)] = in[place(threadIdx.x, c)];
  ptx::fence_proxy_async(ptx::space_shared);  // the copy reads what these stores wrote
  __syncthreads();
  if (leads) {
    const int corner[2] = {top, left};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &y_map, corner, out);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());  // shared memory must outlive the copy
  }
}
