// SPDX-License-Identifier: GPL-3.0-or-later
// FLOP per clock per SM, one fused multiply-add counted as 2. Vector units: throughput table of the CUDA
// programming guide ("results per clock per multiprocessor", doubled). Tensor units: dense rates of the
// architecture white papers, with FP32 or INT32 accumulation. GeForce parts of 8.6, 8.9 and 12.0 run the
// tensor rates of 16-bit, TF32 and FP8 inputs at half of the rates below; the catalogue states theirs, and
// for a device outside of it the higher figure cannot raise a false alarm.
#include <array>

#include "hardware/device_model.h"

namespace ridge::hardware {

namespace {

struct Rates {
  int major, minor;
  double fp64, fp64_tensor, fp32, tf32, fp16, bf16, fp8, int8, fp4;  // 0: no such unit, or not known
};

constexpr std::array<Rates, 8> kRates{{
    {7, 5, 4, 0, 128, 0, 1024, 0, 0, 2048, 0},
    {8, 0, 64, 128, 128, 1024, 2048, 2048, 0, 4096, 0},
    {8, 6, 4, 0, 256, 512, 1024, 1024, 0, 2048, 0},
    {8, 9, 4, 0, 256, 512, 1024, 1024, 2048, 2048, 0},
    {9, 0, 128, 256, 256, 2048, 4096, 4096, 8192, 8192, 0},
    {10, 0, 128, 128, 256, 4096, 8192, 8192, 16384, 16384, 32768},
    {10, 3, 4, 4, 256, 4096, 8192, 8192, 16384, 0, 49152},
    {12, 0, 4, 0, 256, 512, 1024, 1024, 2048, 2048, 4096},
}};

}  // namespace

double flop_per_clock_sm(int cc_major, int cc_minor, Unit unit) {
  for (const Rates& rates : kRates) {
    if (rates.major != cc_major || rates.minor != cc_minor) continue;
    switch (unit) {
      case Unit::none:
        return 0;
      case Unit::fp64:
        return rates.fp64;
      case Unit::fp64_tensor:
        return rates.fp64_tensor;
      case Unit::fp32:
        return rates.fp32;
      case Unit::tf32:
        return rates.tf32;
      case Unit::fp16:
        return rates.fp16;
      case Unit::bf16:
        return rates.bf16;
      case Unit::fp8:
        return rates.fp8;
      case Unit::int8:
        return rates.int8;
      case Unit::fp4:
        return rates.fp4;
    }
  }
  return 0;
}

}  // namespace ridge::hardware
