// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/discover.h"

#include <array>
#include <cstdio>

#include "device/cuda/counter_access.h"
#include "device/cuda/cuda.h"
#include "device/cuda/errors.h"

namespace ridge::device {
namespace cuda {
namespace {

/// "GPU-8f1a…", as nvidia-smi writes it.
std::string uuid_text(const CUuuid& uuid) {
  std::string text = "GPU-";
  for (std::size_t index = 0; index < sizeof uuid.bytes; ++index) {
    if (index == 4 || index == 6 || index == 8 || index == 10) text += '-';
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[index])));
    text += digits.data();
  }
  return text;
}

class Attributes {
 public:
  Attributes(const Driver& driver, CUdevice device) : driver_(driver), device_(device) {}
  /// An attribute that this driver does not know stays at `fallback`.
  int get(CUdevice_attribute which, std::int64_t fallback = 0) const {
    int value = 0;
    return driver_.device_attribute(&value, which, device_) == CUDA_SUCCESS ? value
                                                                            : static_cast<int>(fallback);
  }

 private:
  const Driver& driver_;
  CUdevice device_;
};

hardware::LaunchLimits read_limits(const Attributes& attributes) {
  hardware::LaunchLimits limits;
  limits.max_grid = {attributes.get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, limits.max_grid[0]),
                     attributes.get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, limits.max_grid[1]),
                     attributes.get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, limits.max_grid[2])};
  limits.max_block = {attributes.get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, limits.max_block[0]),
                      attributes.get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, limits.max_block[1]),
                      attributes.get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, limits.max_block[2])};
  limits.max_threads_per_block = attributes.get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024);
  limits.shared_bytes_per_block = attributes.get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152);
  limits.shared_bytes_per_block_optin =
      attributes.get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, limits.shared_bytes_per_block);
  limits.shared_bytes_per_sm = attributes.get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
                                              limits.shared_bytes_per_block_optin);
  limits.shared_bytes_reserved_per_block =
      attributes.get(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  limits.registers_per_block = attributes.get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536);
  limits.registers_per_sm = attributes.get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536);
  limits.max_threads_per_sm = attributes.get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 1024);
  limits.max_blocks_per_sm = attributes.get(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 16);
  limits.max_cluster = attributes.get(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) != 0 ? 8 : 0;
  limits.constant_bytes = attributes.get(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 65536);
  return limits;
}

std::string driver_text(const Driver& driver, const Nvml* nvml) {
  int version = 0;
  driver.driver_version(&version);
  const std::string cuda =
      "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  const std::string release = nvml != nullptr ? nvml->driver_version() : std::string();
  return release.empty() ? cuda : release + ", " + cuda;
}

}  // namespace

Result<DeviceInfo> describe_device(const Driver& driver, const Nvml* nvml, int ordinal) {
  CUdevice device = 0;
  if (const CUresult result = driver.device_get(&device, ordinal); result != CUDA_SUCCESS)
    return cuda_error(result, say("Looking up GPU {}", ordinal));
  const Attributes attributes(driver, device);

  DeviceInfo info;
  info.kind = Kind::cuda;
  info.id = "cuda:" + std::to_string(ordinal);
  std::array<char, 256> name{};
  if (driver.device_name(name.data(), static_cast<int>(name.size() - 1), device) == CUDA_SUCCESS)
    info.name = name.data();
  CUuuid uuid{};
  if (driver.device_uuid(&uuid, device) == CUDA_SUCCESS) info.uuid = uuid_text(uuid);
  std::size_t memory = 0;
  if (driver.device_memory(&memory, device) == CUDA_SUCCESS)
    info.memory_bytes = static_cast<std::int64_t>(memory);
  info.cc_major = attributes.get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  info.cc_minor = attributes.get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  info.sm_count = attributes.get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info.l2_bytes = attributes.get(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  info.watchdog = attributes.get(CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT) != 0;
  info.limits = read_limits(attributes);
  info.driver = driver_text(driver, nvml);
  if (nvml != nullptr) info.memory_free = nvml->free_memory(nvml->device(info.uuid)).value_or(0);

  // NVRTC has an `a` variant of every architecture since Hopper.
  info.arch = "sm_" + std::to_string(info.cc_major * 10 + info.cc_minor) + (info.cc_major >= 9 ? "a" : "");
  if (const auto* model = hardware::catalogue().match(info.name, info.sm_count, info.memory_bytes)) {
    info.model = model->name;
    if (model->cc_major == info.cc_major && model->cc_minor == info.cc_minor) info.arch = model->arch;
  }
  CounterAccess counters = counter_access(info.driver, info.cc_major, info.cc_minor);
  info.counters = counters.allowed;
  info.counters_why_not = std::move(counters.why_not);
  return info;
}

}  // namespace cuda

std::vector<DeviceInfo> list_cuda_devices(Sentence* why_none) {
  std::vector<DeviceInfo> devices;
  const auto none = [&](const Error& error) {
    if (why_none != nullptr) *why_none = join(error.message, error.hint);
    return devices;
  };
  if (why_none != nullptr) *why_none = {};
  auto driver = cuda::load_driver();
  if (!driver) return none(driver.error());
  int count = 0;
  CUresult result = (*driver)->device_count(&count);
  if (result == CUDA_SUCCESS && count == 0) result = CUDA_ERROR_NO_DEVICE;
  if (result != CUDA_SUCCESS) return none(cuda::cuda_error(result, say("Listing GPUs")));

  const auto nvml = cuda::Nvml::open();
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    auto info = cuda::describe_device(**driver, nvml.get(), ordinal);
    if (!info) return none(info.error());
    devices.push_back(*std::move(info));
  }
  return devices;
}

}  // namespace ridge::device
