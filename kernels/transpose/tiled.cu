// SPDX-License-Identifier: GPL-3.0-or-later
// Through a 32 x 32 tile in shared memory, so that loads and stores are both contiguous. The 33rd column puts
// the elements of a tile's column into different banks; without it each of a warp's 32 reads would hit the
// same bank.
//@ grid: ceil_div(cols, 32) * ceil_div(rows, 32)
//@ block: 32, 8

constexpr int kTile = 32;
constexpr int kRows = 8;  // rows of the tile that the block moves at once

__global__ void transpose_tiled(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int tiles_across = (cols + kTile - 1) / kTile;
  const int left = blockIdx.x % tiles_across * kTile;
  const int top = blockIdx.x / tiles_across * kTile;

  const int in_col = left + threadIdx.x;
#pragma unroll
  for (int r = threadIdx.y; r < kTile; r += kRows)
    if (top + r < rows && in_col < cols)
      tile[r][threadIdx.x] = x[static_cast<size_t>(top + r) * cols + in_col];
  __syncthreads();

  const int out_col = top + threadIdx.x;
#pragma unroll
  for (int c = threadIdx.y; c < kTile; c += kRows)
    if (left + c < cols && out_col < rows)
      y[static_cast<size_t>(left + c) * rows + out_col] = tile[threadIdx.x][c];
}
