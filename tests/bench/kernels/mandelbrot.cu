// SPDX-License-Identifier: GPL-3.0-or-later
// Escape times of the Mandelbrot set: lanes leave the loop one by one.

extern "C" __global__ void mandelbrot(int width, int height, int rounds, int* out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float re = -2.0f + 3.0f * x / width, im = -1.0f + 2.0f * y / height;
    float a = 0, b = 0;
    int round = 0;
    while (round < rounds && a * a + b * b < 4.0f) {
        const float next = a * a - b * b + re;
        b = 2 * a * b + im;
        a = next;
        ++round;
    }
    out[y * width + x] = round;
}
