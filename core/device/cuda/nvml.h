// SPDX-License-Identifier: GPL-3.0-or-later
// NVML: clocks, heat and power of a GPU, only ever read. NVIDIA's wheels carry no nvml.h, so the few
// functions are declared here by hand, from NVML's public reference.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ridge::device::cuda {

class Nvml {
 public:
  /// Null when NVML is missing or does not start; nothing but these readings is lost then.
  static std::shared_ptr<const Nvml> open();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  using Handle = void*;
  std::string driver_version() const;            ///< "580.95.05", or empty
  Handle device(const std::string& uuid) const;  ///< null: not known
  std::optional<std::int64_t> free_memory(Handle device) const;
  std::optional<double> sm_mhz(Handle device) const;
  std::optional<double> memory_mhz(Handle device) const;
  std::optional<double> temperature_c(Handle device) const;
  std::optional<double> power_w(Handle device) const;
  std::optional<std::uint64_t> clock_reasons(Handle device) const;

 private:
  Nvml() = default;
  struct Functions;
  std::unique_ptr<Functions> functions_;
};

/// Reasons that slow a running kernel down: power cap, heat, power brake.
bool is_throttled(std::uint64_t clock_reasons);
/// The reasons for people, without "idle": "power cap", "thermal slowdown (software)".
std::vector<std::string> reason_names(std::uint64_t clock_reasons);

}  // namespace ridge::device::cuda
