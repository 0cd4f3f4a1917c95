// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA driver library as a table of functions. The exported names are written out: the header's macros
// pick the newest version of each, which an older driver need not have.
#pragma once

#include <cuda.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace ridge::device::cuda {

// X(member, function of cuda.h that gives the type, exported name)
#define RIDGE_CUDA_REQUIRED(X)                                                  \
  X(init, cuInit, "cuInit")                                                     \
  X(driver_version, cuDriverGetVersion, "cuDriverGetVersion")                   \
  X(device_count, cuDeviceGetCount, "cuDeviceGetCount")                         \
  X(device_get, cuDeviceGet, "cuDeviceGet")                                     \
  X(device_name, cuDeviceGetName, "cuDeviceGetName")                            \
  X(device_uuid, cuDeviceGetUuid, "cuDeviceGetUuid_v2")                         \
  X(device_memory, cuDeviceTotalMem, "cuDeviceTotalMem_v2")                     \
  X(device_attribute, cuDeviceGetAttribute, "cuDeviceGetAttribute")             \
  X(context_retain, cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain")       \
  X(context_release, cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2") \
  X(context_set_current, cuCtxSetCurrent, "cuCtxSetCurrent")                    \
  X(memory_info, cuMemGetInfo, "cuMemGetInfo_v2")                               \
  X(memory_allocate, cuMemAlloc, "cuMemAlloc_v2")                               \
  X(memory_free, cuMemFree, "cuMemFree_v2")                                     \
  X(copy_to_device, cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2")                  \
  X(copy_to_host, cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2")                    \
  X(copy_on_device, cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2")                  \
  X(set_bytes, cuMemsetD8Async, "cuMemsetD8Async")                              \
  X(set_words, cuMemsetD32Async, "cuMemsetD32Async")                            \
  X(stream_create, cuStreamCreate, "cuStreamCreate")                            \
  X(stream_destroy, cuStreamDestroy, "cuStreamDestroy_v2")                      \
  X(stream_synchronize, cuStreamSynchronize, "cuStreamSynchronize")             \
  X(launch_host_function, cuLaunchHostFunc, "cuLaunchHostFunc")                 \
  X(event_create, cuEventCreate, "cuEventCreate")                               \
  X(event_destroy, cuEventDestroy, "cuEventDestroy_v2")                         \
  X(event_record, cuEventRecord, "cuEventRecord")                               \
  X(event_query, cuEventQuery, "cuEventQuery")                                  \
  X(event_elapsed, cuEventElapsedTime, "cuEventElapsedTime")                    \
  X(module_load, cuModuleLoadDataEx, "cuModuleLoadDataEx")                      \
  X(module_unload, cuModuleUnload, "cuModuleUnload")                            \
  X(module_function, cuModuleGetFunction, "cuModuleGetFunction")                \
  X(module_global, cuModuleGetGlobal, "cuModuleGetGlobal_v2")                   \
  X(function_attribute, cuFuncGetAttribute, "cuFuncGetAttribute")               \
  X(function_set_attribute, cuFuncSetAttribute, "cuFuncSetAttribute")           \
  X(launch, cuLaunchKernelEx, "cuLaunchKernelEx")                               \
  X(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor")

// Newer or rarer: null when the driver lacks them.
#define RIDGE_CUDA_OPTIONAL(X)                                                       \
  X(function_parameter, cuFuncGetParamInfo, "cuFuncGetParamInfo")                    \
  X(reset_persisting_l2, cuCtxResetPersistingL2Cache, "cuCtxResetPersistingL2Cache") \
  X(encode_tensor_map, cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled")             \
  X(texture_create, cuTexObjectCreate, "cuTexObjectCreate")                          \
  X(texture_destroy, cuTexObjectDestroy, "cuTexObjectDestroy")

struct Driver {
#define RIDGE_CUDA_MEMBER(member, function, name) decltype(&function) member = nullptr;
  RIDGE_CUDA_REQUIRED(RIDGE_CUDA_MEMBER)
  RIDGE_CUDA_OPTIONAL(RIDGE_CUDA_MEMBER)
#undef RIDGE_CUDA_MEMBER
  std::string path;         ///< as it was loaded
  bool overridden = false;  ///< by RIDGE_LIBCUDA: CUPTI would attach to the real driver instead
};

/// Loads and initialises the driver; the error says why there is none and what to do.
Result<std::shared_ptr<const Driver>> load_driver();

}  // namespace ridge::device::cuda
