// SPDX-License-Identifier: GPL-3.0-or-later
// Which headers only a host compiler takes.
#include <algorithm>
#include <array>
#include <string_view>

#include "source/outline.h"

namespace ridge::source {
namespace {

bool begins_with_one_of(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view b) { return text.starts_with(b); });
}

}  // namespace

bool is_known_device_header(const std::string& header) {
  static const std::set<std::string_view> known = {"cuda_runtime.h",
                                                   "device_launch_parameters.h",
                                                   "cuda_fp16.h",
                                                   "cuda_bf16.h",
                                                   "cuda_fp8.h",
                                                   "cuda_fp6.h",
                                                   "cuda_fp4.h",
                                                   "mma.h",
                                                   "cuComplex.h",
                                                   "curand_kernel.h",
                                                   "cuda_pipeline.h",
                                                   "cuda_pipeline_primitives.h",
                                                   "cuda_awbarrier.h",
                                                   "cooperative_groups.h",
                                                   "math_constants.h",
                                                   "vector_types.h",
                                                   "vector_functions.h",
                                                   "device_functions.h",
                                                   "device_atomic_functions.h",
                                                   "sm_61_intrinsics.h",
                                                   "builtin_types.h",
                                                   "host_defines.h"};
  return known.contains(header) ||
         begins_with_one_of(header, {"cooperative_groups/", "cuda/", "cub/block/", "cub/warp/", "cub/thread/",
                                     "nv/", "cute/", "cutlass/", "crt/"});
}

std::string host_header_reason(const std::string& header) {
  static const std::set<std::string_view> c_headers = {
      "assert.h",  "complex.h", "ctype.h",  "errno.h",  "fenv.h",   "float.h",    "inttypes.h", "iso646.h",
      "limits.h",  "locale.h",  "math.h",   "setjmp.h", "signal.h", "stdalign.h", "stdarg.h",   "stdatomic.h",
      "stdbool.h", "stddef.h",  "stdint.h", "stdio.h",  "stdlib.h", "string.h",   "strings.h",  "tgmath.h",
      "threads.h", "time.h",    "uchar.h",  "wchar.h",  "wctype.h", "memory.h",   "malloc.h",   "unistd.h",
      "pthread.h", "getopt.h",  "dirent.h", "fcntl.h",  "omp.h",    "mpi.h",      "nccl.h",     "windows.h",
      "dlfcn.h",   "io.h",      "conio.h"};
  static const std::set<std::string_view> toolkit_host = {"cuda.h",
                                                          "cudaTypedefs.h",
                                                          "cuda_runtime_api.h",
                                                          "cublas.h",
                                                          "cublas_v2.h",
                                                          "cublasLt.h",
                                                          "cublasXt.h",
                                                          "cudnn.h",
                                                          "cufft.h",
                                                          "cufftXt.h",
                                                          "curand.h",
                                                          "cusparse.h",
                                                          "cusolverDn.h",
                                                          "cusolverSp.h",
                                                          "cutensor.h",
                                                          "nvml.h",
                                                          "nvrtc.h",
                                                          "cupti.h",
                                                          "cuda_profiler_api.h",
                                                          "cudaProfiler.h",
                                                          "nvToolsExt.h",
                                                          "cuda_gl_interop.h",
                                                          "cuda_d3d11_interop.h",
                                                          "driver_types.h",
                                                          "npp.h",
                                                          "nvJitLink.h"};
  if (header.empty() || is_known_device_header(header)) return {};
  if (c_headers.contains(header) || begins_with_one_of(header, {"sys/", "arpa/", "netinet/", "bits/"}))
    return "host header";
  if (toolkit_host.contains(header) || begins_with_one_of(header, {"thrust/", "nvtx3/"}))
    return "host header";
  if (begins_with_one_of(header, {"torch/", "ATen/", "c10/", "pybind11/", "Python.h", "tensorflow/",
                                  "opencv2/", "boost/", "gtest/", "gmock/", "Eigen/", "glog/", "fmt/",
                                  "spdlog/", "nlohmann/", "GL/", "GLFW/", "benchmark/", "numpy/"}))
    return "host header";
  // The helper_*.h of NVIDIA's samples are for the host throughout, but for helper_math.h.
  if (header.starts_with("helper_") && header != "helper_math.h") return "host header";
  // A name without ending and folder is a header of the C++ standard library.
  if (header.find('.') == std::string::npos && header.find('/') == std::string::npos) return "host header";
  return {};
}

}  // namespace ridge::source
