// SPDX-License-Identifier: GPL-3.0-or-later
// Four floats per load in a grid-stride loop: a quarter of the load instructions, and more bytes in flight
// for each warp. The grid grows with n up to a few waves of blocks, so that small inputs do not launch idle
// blocks.
//@ tune: BLOCK = 256, 128, 512, 1024
//@ grid: min(ceil_div(n, 4 * BLOCK), 4224)
//@ block: BLOCK

__global__ void saxpy_vector(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z,
                             float alpha, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  const int vectors = n / 4;
  const float4* x4 = reinterpret_cast<const float4*>(x);
  const float4* y4 = reinterpret_cast<const float4*>(y);
  float4* z4 = reinterpret_cast<float4*>(z);

  for (int v = first; v < vectors; v += stride) {
    const float4 a = x4[v];
    const float4 b = y4[v];
    z4[v] = make_float4(alpha * a.x + b.x, alpha * a.y + b.y, alpha * a.z + b.z, alpha * a.w + b.w);
  }
  // At most three elements are left after the last whole vector.
  for (int i = vectors * 4 + first; i < n; i += stride) z[i] = alpha * x[i] + y[i];
}
