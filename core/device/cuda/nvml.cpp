// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/nvml.h"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace ridge::device::cuda {
namespace {

constexpr int kSuccess = 0;
constexpr int kClockSm = 1;
constexpr int kClockMemory = 2;
constexpr int kTemperatureGpu = 0;

struct MemoryInfo {
  unsigned long long total, free, used;
};

constexpr std::uint64_t kPowerCap = 0x4;
constexpr std::uint64_t kHardwareSlowdown = 0x8;
constexpr std::uint64_t kSoftwareThermal = 0x20;
constexpr std::uint64_t kHardwareThermal = 0x40;
constexpr std::uint64_t kPowerBrake = 0x80;

const std::array<std::pair<std::uint64_t, const char*>, 8> kReasons{{
    {0x2, "application clocks"},
    {kPowerCap, "power cap"},
    {kHardwareSlowdown, "hardware slowdown"},
    {0x10, "synchronised boost"},
    {kSoftwareThermal, "thermal slowdown (software)"},
    {kHardwareThermal, "thermal slowdown (hardware)"},
    {kPowerBrake, "power brake"},
    {0x100, "display clocks"},
}};

}  // namespace

struct Nvml::Functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*handle_by_uuid)(const char*, Handle*) = nullptr;
  int (*memory_info)(Handle, MemoryInfo*) = nullptr;
  int (*clock)(Handle, int, unsigned*) = nullptr;
  int (*temperature)(Handle, int, unsigned*) = nullptr;
  int (*power)(Handle, unsigned*) = nullptr;
  int (*reasons)(Handle, unsigned long long*) = nullptr;
};

std::shared_ptr<const Nvml> Nvml::open() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  auto functions = std::make_unique<Functions>();
  const auto bind = [library](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
  };
  bind(functions->init, "nvmlInit_v2");
  bind(functions->shutdown, "nvmlShutdown");
  bind(functions->driver_version, "nvmlSystemGetDriverVersion");
  bind(functions->handle_by_uuid, "nvmlDeviceGetHandleByUUID");
  bind(functions->memory_info, "nvmlDeviceGetMemoryInfo");
  bind(functions->clock, "nvmlDeviceGetClockInfo");
  bind(functions->temperature, "nvmlDeviceGetTemperature");
  bind(functions->power, "nvmlDeviceGetPowerUsage");
  // Renamed from "throttle" to "event" reasons in driver 535; the old name stays.
  bind(functions->reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  if (functions->init == nullptr || functions->shutdown == nullptr || functions->init() != kSuccess)
    return nullptr;
  std::shared_ptr<Nvml> nvml(new Nvml);
  nvml->functions_ = std::move(functions);
  return nvml;
}

Nvml::~Nvml() {
  if (functions_) functions_->shutdown();
}

std::string Nvml::driver_version() const {
  std::array<char, 96> text{};
  if (functions_->driver_version == nullptr ||
      functions_->driver_version(text.data(), static_cast<unsigned>(text.size() - 1)) != kSuccess)
    return {};
  return text.data();
}

Nvml::Handle Nvml::device(const std::string& uuid) const {
  Handle handle = nullptr;
  if (functions_->handle_by_uuid == nullptr || functions_->handle_by_uuid(uuid.c_str(), &handle) != kSuccess)
    return nullptr;
  return handle;
}

std::optional<std::int64_t> Nvml::free_memory(Handle device) const {
  MemoryInfo info{};
  if (device == nullptr || functions_->memory_info == nullptr ||
      functions_->memory_info(device, &info) != kSuccess)
    return {};
  return static_cast<std::int64_t>(info.free);
}

std::optional<double> Nvml::sm_mhz(Handle device) const {
  unsigned value = 0;
  if (device == nullptr || functions_->clock == nullptr ||
      functions_->clock(device, kClockSm, &value) != kSuccess)
    return {};
  return value;
}

std::optional<double> Nvml::memory_mhz(Handle device) const {
  unsigned value = 0;
  if (device == nullptr || functions_->clock == nullptr ||
      functions_->clock(device, kClockMemory, &value) != kSuccess)
    return {};
  return value;
}

std::optional<double> Nvml::temperature_c(Handle device) const {
  unsigned value = 0;
  if (device == nullptr || functions_->temperature == nullptr ||
      functions_->temperature(device, kTemperatureGpu, &value) != kSuccess)
    return {};
  return value;
}

std::optional<double> Nvml::power_w(Handle device) const {
  unsigned milliwatts = 0;
  if (device == nullptr || functions_->power == nullptr || functions_->power(device, &milliwatts) != kSuccess)
    return {};
  return milliwatts / 1000.0;
}

std::optional<std::uint64_t> Nvml::clock_reasons(Handle device) const {
  unsigned long long reasons = 0;
  if (device == nullptr || functions_->reasons == nullptr ||
      functions_->reasons(device, &reasons) != kSuccess)
    return {};
  return reasons;
}

bool is_throttled(std::uint64_t clock_reasons) {
  return (clock_reasons &
          (kPowerCap | kHardwareSlowdown | kSoftwareThermal | kHardwareThermal | kPowerBrake)) != 0;
}

std::vector<std::string> reason_names(std::uint64_t clock_reasons) {
  std::vector<std::string> names;
  for (const auto& [bit, name] : kReasons)
    if ((clock_reasons & bit) != 0) names.emplace_back(name);
  return names;
}

}  // namespace ridge::device::cuda
