// SPDX-License-Identifier: GPL-3.0-or-later
// The driver functions that Ridgepoint calls, under their exported names.
#include <cuda.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include "support/fake_cuda/fake_cuda.h"
#include "support/fake_cuda/gpu.h"

#undef cuDeviceGetUuid
#undef cuDeviceTotalMem
#undef cuDevicePrimaryCtxRelease
#undef cuMemGetInfo
#undef cuMemAlloc
#undef cuMemFree
#undef cuEventElapsedTime

namespace fake_cuda {
namespace {

constexpr std::int64_t kH200Memory = 150'754'820'096;

/// The machine: everything that a process sees of the driver.
class Machine {
 public:
  Machine(OpenEmulator open, std::int64_t count, std::int64_t memory, const std::string& rules)
      : injection_(rules) {
    for (std::int64_t ordinal = 0; ordinal < count; ++ordinal)
      gpus.push_back(std::make_unique<Gpu>(memory, open()));
  }
  Injected injected(const char* function) {
    const std::scoped_lock lock(mutex_);
    return injection_.next(function);
  }
  /// Owns what a handle stands for: a program may never give it back, as after an error that sticks.
  template <class T>
  T* keep(std::unique_ptr<T> object) {
    T* const handle = object.get();
    const std::scoped_lock lock(mutex_);
    kept_.emplace(handle, std::move(object));
    return handle;
  }
  void drop(const void* handle) {
    const std::scoped_lock lock(mutex_);
    kept_.erase(handle);
  }

  std::vector<std::unique_ptr<Gpu>> gpus;

 private:
  std::mutex mutex_;
  Injection injection_;
  std::map<const void*, std::shared_ptr<void>> kept_;
};

std::int64_t number_from(const char* variable, std::int64_t fallback) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? std::atoll(text) : fallback;
}

// Never destroyed, nor are the machines in it: hung streams use them until the process ends.
std::vector<std::unique_ptr<Machine>>& machines() {
  static auto* const all = new std::vector<std::unique_ptr<Machine>>;
  return *all;
}
Machine& machine() {
  return *machines().back();
}

thread_local Gpu* current = nullptr;

/// The error that a call has to answer before it does anything: injected, or one that sticks to the current
/// GPU.
std::optional<CUresult> refused(const char* function) {
  if (machines().empty()) return CUDA_ERROR_NOT_INITIALIZED;
  const Injected rule = machine().injected(function);
  if (rule.result != CUDA_SUCCESS) {
    if (rule.sticky && current != nullptr) current->stick(rule.result);
    return rule.result;
  }
  if (current != nullptr && current->sticky() != CUDA_SUCCESS) return current->sticky();
  return {};
}

#define RIDGE_FAKE_ENTER() \
  if (const auto result = fake_cuda::refused(__func__)) return *result
#define RIDGE_FAKE_ENTER_CONTEXT()                                      \
  if (fake_cuda::current == nullptr) return CUDA_ERROR_INVALID_CONTEXT; \
  RIDGE_FAKE_ENTER()

using StreamHandle = std::shared_ptr<Stream>;
Stream& stream_of(CUstream handle) {
  return **reinterpret_cast<StreamHandle*>(handle);
}
Event& event_of(CUevent handle) {
  return *reinterpret_cast<Event*>(handle);
}
Module& module_of(CUmodule handle) {
  return *reinterpret_cast<Module*>(handle);
}
Function& function_of(CUfunction handle) {
  return *reinterpret_cast<Function*>(handle);
}

std::vector<std::byte> bytes_of(const void* data, std::size_t size) {
  const auto* begin = static_cast<const std::byte*>(data);
  return {begin, begin + size};
}

}  // namespace
}  // namespace fake_cuda

using namespace fake_cuda;

extern "C" {

void ridge_fake_cuda_restart(OpenEmulator open) {
  const char* rules = std::getenv("RIDGE_FAKE_CUDA");
  machines().push_back(std::make_unique<Machine>(open, number_from("RIDGE_FAKE_CUDA_DEVICES", 1),
                                                 number_from("RIDGE_FAKE_CUDA_MEMORY", kH200Memory),
                                                 rules != nullptr ? rules : ""));
  current = nullptr;
}

CUresult cuInit(unsigned) {
  RIDGE_FAKE_ENTER();
  return machine().gpus.empty() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  RIDGE_FAKE_ENTER();
  *count = static_cast<int>(machine().gpus.size());
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  RIDGE_FAKE_ENTER();
  if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= machine().gpus.size())
    return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice) {
  std::strncpy(name, "NVIDIA H200", static_cast<std::size_t>(length));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  for (std::size_t index = 0; index < sizeof uuid->bytes; ++index)
    uuid->bytes[index] = static_cast<char>(index + 1);
  uuid->bytes[0] = static_cast<char>(0xF0 + device);
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  *bytes = static_cast<std::size_t>(machine().gpus[static_cast<std::size_t>(device)]->memory_bytes());
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  return attribute(which, value);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  RIDGE_FAKE_ENTER();
  Gpu& gpu = *machine().gpus[static_cast<std::size_t>(device)];
  if (gpu.sticky() != CUDA_SUCCESS) return gpu.sticky();
  *context = reinterpret_cast<CUcontext>(&gpu);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  current = reinterpret_cast<Gpu*>(context);
  RIDGE_FAKE_ENTER();
  return CUDA_SUCCESS;
}

CUresult cuCtxResetPersistingL2Cache() {
  RIDGE_FAKE_ENTER_CONTEXT();
  return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  RIDGE_FAKE_ENTER_CONTEXT();
  *free = static_cast<std::size_t>(current->free_bytes());
  *total = static_cast<std::size_t>(current->memory_bytes());
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr* address, std::size_t bytes) {
  RIDGE_FAKE_ENTER_CONTEXT();
  return current->allocate(static_cast<std::int64_t>(bytes), address);
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  RIDGE_FAKE_ENTER_CONTEXT();
  return current->release(address);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  RIDGE_FAKE_ENTER_CONTEXT();
  stream_of(stream).push([gpu = current, to, data = bytes_of(from, bytes)] { gpu->write(to, data); });
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  RIDGE_FAKE_ENTER_CONTEXT();
  stream_of(stream).push([gpu = current, to, from, bytes] {
    gpu->read(from, {static_cast<std::byte*>(to), bytes});
  });
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  RIDGE_FAKE_ENTER_CONTEXT();
  stream_of(stream).push(
      [gpu = current, to, from, bytes] { gpu->copy(to, from, static_cast<std::int64_t>(bytes)); });
  return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream stream) {
  RIDGE_FAKE_ENTER_CONTEXT();
  stream_of(stream).push(
      [gpu = current, to, value, bytes] { gpu->fill(to, static_cast<std::int64_t>(bytes), value); });
  return CUDA_SUCCESS;
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t words, CUstream stream) {
  RIDGE_FAKE_ENTER_CONTEXT();
  if (to % 4 != 0) return CUDA_ERROR_INVALID_VALUE;
  stream_of(stream).push(
      [gpu = current, to, value, words] { gpu->fill_words(to, static_cast<std::int64_t>(words), value); });
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream* stream, unsigned) {
  RIDGE_FAKE_ENTER_CONTEXT();
  *stream = reinterpret_cast<CUstream>(machine().keep(std::make_unique<StreamHandle>(Stream::start())));
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  auto* handle = reinterpret_cast<StreamHandle*>(stream);
  (*handle)->finish();
  machine().drop(handle);
  return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream) {
  RIDGE_FAKE_ENTER_CONTEXT();
  stream_of(stream).wait_idle();
  return current->sticky();
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  RIDGE_FAKE_ENTER_CONTEXT();
  stream_of(stream).push([function, data] { function(data); });
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* event, unsigned) {
  RIDGE_FAKE_ENTER_CONTEXT();
  *event = reinterpret_cast<CUevent>(machine().keep(std::make_unique<Event>()));
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
  machine().drop(event);
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  RIDGE_FAKE_ENTER_CONTEXT();
  event_of(event).done = false;
  stream_of(stream).push([recorded = &event_of(event)] {
    recorded->time = std::chrono::steady_clock::now();
    recorded->done = true;
  });
  return CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent event) {
  RIDGE_FAKE_ENTER_CONTEXT();
  if (!event_of(event).done) return CUDA_ERROR_NOT_READY;
  return current->sticky();
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  RIDGE_FAKE_ENTER_CONTEXT();
  if (!event_of(start).done || !event_of(end).done) return CUDA_ERROR_NOT_READY;
  *milliseconds = std::chrono::duration<float, std::milli>(event_of(end).time - event_of(start).time).count();
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule* handle, const void* image, unsigned count, CUjit_option* options,
                            void** values) {
  RIDGE_FAKE_ENTER_CONTEXT();
  // A cubin of this driver is a line that says so, followed by PTX; a real one is for no GPU here.
  constexpr std::string_view kFakeCubin = "fake cubin\n";
  std::string_view text(static_cast<const char*>(image));
  if (text.starts_with("\x7f"
                       "ELF"))
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (text.starts_with(kFakeCubin)) text.remove_prefix(kFakeCubin.size());
  auto module = std::make_unique<Module>();
  std::string log;
  const CUresult result = current->load(std::string(text), *module, log);
  std::size_t capacity = 0;
  char* buffer = nullptr;
  for (unsigned index = 0; index < count; ++index) {
    if (options[index] == CU_JIT_ERROR_LOG_BUFFER) buffer = static_cast<char*>(values[index]);
    if (options[index] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      capacity = reinterpret_cast<std::size_t>(values[index]);
  }
  if (buffer != nullptr && capacity > 0) {
    const std::size_t length = std::min(log.size(), capacity - 1);
    std::memcpy(buffer, log.data(), length);
    buffer[length] = '\0';
  }
  if (result == CUDA_SUCCESS) *handle = reinterpret_cast<CUmodule>(machine().keep(std::move(module)));
  return result;
}

CUresult cuModuleUnload(CUmodule module) {
  machine().drop(module);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* handle, CUmodule module, const char* name) {
  RIDGE_FAKE_ENTER_CONTEXT();
  Function* function = nullptr;
  const CUresult result = current->find(module_of(module), name, &function);
  if (result == CUDA_SUCCESS) *handle = reinterpret_cast<CUfunction>(function);
  return result;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name) {
  RIDGE_FAKE_ENTER_CONTEXT();
  return current->global(module_of(module), name, address, bytes);
}

CUresult cuFuncGetParamInfo(CUfunction handle, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  RIDGE_FAKE_ENTER_CONTEXT();
  const Function& function = function_of(handle);
  if (index >= function.parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = function.parameters[index].offset;
  if (bytes != nullptr) *bytes = function.parameters[index].bytes;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction handle) {
  RIDGE_FAKE_ENTER_CONTEXT();
  const auto& resources = function_of(handle).resources;
  switch (which) {
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = resources.registers;
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(resources.shared_bytes);
      break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(resources.constant_bytes);
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(resources.stack_bytes);
      break;
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = resources.max_threads > 0 ? resources.max_threads : 1024;
      break;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute which, int value) {
  RIDGE_FAKE_ENTER_CONTEXT();
  if (which == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
    function_of(handle).large_clusters = value != 0;
    return CUDA_SUCCESS;
  }
  if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || value > 232448)
    return CUDA_ERROR_INVALID_VALUE;
  function_of(handle).dynamic_shared_limit = value;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction handle, void** arguments, void**) {
  RIDGE_FAKE_ENTER_CONTEXT();
  Function& function = function_of(handle);
  ridge::device::Launch launch;
  launch.symbol = function.symbol;
  launch.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
  launch.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
  launch.shared_bytes = config->sharedMemBytes;
  for (unsigned index = 0; index < config->numAttrs; ++index) {
    const CUlaunchAttribute& attribute = config->attrs[index];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      launch.cluster = {attribute.value.clusterDim.x, attribute.value.clusterDim.y,
                        attribute.value.clusterDim.z};
    else if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
      launch.cooperative = attribute.value.cooperative != 0;
    else
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  const std::int64_t cluster = launch.cluster[0] * launch.cluster[1] * launch.cluster[2];
  if (cluster > (function.large_clusters ? 16 : 8)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  if (launch.grid[0] * launch.grid[1] * launch.grid[2] == 0) return CUDA_ERROR_INVALID_VALUE;
  if (launch.block[0] * launch.block[1] * launch.block[2] > 1024) return CUDA_ERROR_INVALID_VALUE;
  const std::int64_t most_shared =
      std::max<std::int64_t>(function.dynamic_shared_limit, 49152 - function.resources.shared_bytes);
  if (launch.shared_bytes > most_shared) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t index = 0; index < function.parameters.size(); ++index)
    launch.arguments.push_back(bytes_of(arguments[index], function.parameters[index].bytes));
  stream_of(config->hStream)
      .push([gpu = current, module = function.module, launch, rule = machine().injected("kernel")] {
        gpu->execute(*module, launch, rule);
      });
  return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* extents, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  RIDGE_FAKE_ENTER_CONTEXT();
  static const std::map<CUtensorMapDataType, ridge::DType> types{
      {CU_TENSOR_MAP_DATA_TYPE_FLOAT64, ridge::DType::float64},
      {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, ridge::DType::float32},
      {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, ridge::DType::float16},
      {CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, ridge::DType::bfloat16},
      {CU_TENSOR_MAP_DATA_TYPE_INT64, ridge::DType::int64},
      {CU_TENSOR_MAP_DATA_TYPE_UINT64, ridge::DType::uint64},
      {CU_TENSOR_MAP_DATA_TYPE_INT32, ridge::DType::int32},
      {CU_TENSOR_MAP_DATA_TYPE_UINT32, ridge::DType::uint32},
      {CU_TENSOR_MAP_DATA_TYPE_UINT16, ridge::DType::uint16},
      {CU_TENSOR_MAP_DATA_TYPE_UINT8, ridge::DType::uint8}};
  const auto known = types.find(type);
  if (known == types.end() || rank < 1 || rank > 5) return CUDA_ERROR_INVALID_VALUE;
  ridge::device::TensorMapSpec spec;
  spec.dtype = known->second;
  for (cuuint32_t k = rank; k-- > 0;) {
    spec.extents.push_back(static_cast<std::int64_t>(extents[k]));
    spec.box.push_back(static_cast<std::int64_t>(box[k]));
  }
  spec.swizzle_bytes = swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ? 0 : 16 << static_cast<int>(swizzle);
  spec.nan_fill = fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  for (cuuint32_t k = 0; k + 1 < rank; ++k)
    if (strides[k] % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
  const auto bytes = current->tensor_map(spec, reinterpret_cast<CUdeviceptr>(address));
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(map, bytes->data(), sizeof *map);
  return CUDA_SUCCESS;
}

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC*) {
  RIDGE_FAKE_ENTER_CONTEXT();
  static const std::map<CUarray_format, ridge::DType> types{
      {CU_AD_FORMAT_FLOAT, ridge::DType::float32},      {CU_AD_FORMAT_HALF, ridge::DType::float16},
      {CU_AD_FORMAT_SIGNED_INT32, ridge::DType::int32}, {CU_AD_FORMAT_UNSIGNED_INT32, ridge::DType::uint32},
      {CU_AD_FORMAT_SIGNED_INT16, ridge::DType::int16}, {CU_AD_FORMAT_UNSIGNED_INT16, ridge::DType::uint16},
      {CU_AD_FORMAT_SIGNED_INT8, ridge::DType::int8},   {CU_AD_FORMAT_UNSIGNED_INT8, ridge::DType::uint8}};
  const bool linear = resource->resType == CU_RESOURCE_TYPE_LINEAR;
  if (!linear && resource->resType != CU_RESOURCE_TYPE_PITCH2D) return CUDA_ERROR_NOT_SUPPORTED;
  ridge::device::TextureSpec spec;
  spec.dtype = types.at(linear ? resource->res.linear.format : resource->res.pitch2D.format);
  if (linear) {
    spec.extents = {static_cast<std::int64_t>(resource->res.linear.sizeInBytes / size_of(spec.dtype))};
  } else {
    spec.extents = {static_cast<std::int64_t>(resource->res.pitch2D.height),
                    static_cast<std::int64_t>(resource->res.pitch2D.width)};
    if (resource->res.pitch2D.pitchInBytes % 32 != 0) return CUDA_ERROR_INVALID_VALUE;
  }
  spec.linear = texture->filterMode == CU_TR_FILTER_MODE_LINEAR;
  spec.normalized_coordinates = (texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  spec.normalized_read = !ridge::is_floating(spec.dtype) && (texture->flags & CU_TRSF_READ_AS_INTEGER) == 0;
  spec.address = texture->addressMode[0] == CU_TR_ADDRESS_MODE_BORDER ? ridge::device::TextureAddress::border
                 : texture->addressMode[0] == CU_TR_ADDRESS_MODE_WRAP ? ridge::device::TextureAddress::wrap
                 : texture->addressMode[0] == CU_TR_ADDRESS_MODE_MIRROR
                     ? ridge::device::TextureAddress::mirror
                     : ridge::device::TextureAddress::clamp;
  const auto handle =
      current->texture(spec, linear ? resource->res.linear.devPtr : resource->res.pitch2D.devPtr);
  if (!handle) return CUDA_ERROR_INVALID_VALUE;
  *object = *handle;
  return CUDA_SUCCESS;
}

CUresult cuTexObjectDestroy(CUtexObject) {
  RIDGE_FAKE_ENTER_CONTEXT();
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int threads, std::size_t) {
  RIDGE_FAKE_ENTER_CONTEXT();
  *blocks = std::min(32, 2048 / std::max(threads, 1));
  return CUDA_SUCCESS;
}

}  // extern "C"
