// SPDX-License-Identifier: GPL-3.0-or-later
// Every thread adds up a slice and hands it over with an atomic of its own. All of them meet at one address,
// and the order in which they arrive decides the rounding: the result may differ in its last bits from launch
// to launch.
//@ grid: min(ceil_div(n, 256), 64)
//@ block: 256
//@ zero: total

__global__ void sum_naive(const float* x, float* total, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = first; i < n; i += stride) sum += x[i];
  if (first < n) atomicAdd(total, sum);
}
