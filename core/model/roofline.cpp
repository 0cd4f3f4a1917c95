// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/roofline.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::model {

using hardware::Ceiling;
using hardware::CeilingSource;
using hardware::DeviceModel;
using hardware::Peak;
using hardware::Unit;

Ceiling memory_ceiling(const DeviceModel& device) {
  return {kMemoryRoof, device.memory_bandwidth, "bytes/s", CeilingSource::datasheet, device.memory_source, 0};
}

std::optional<Ceiling> datasheet_ceiling(const DeviceModel& device, Unit unit) {
  const Peak* peak = device.peak(unit);
  if (!peak) return std::nullopt;
  return Ceiling{std::string(name_of(unit)), peak->flops,  "FLOP/s",
                 CeilingSource::datasheet,   peak->source, peak->clock_mhz};
}

std::optional<Ceiling> derived_ceiling(const DeviceModel& device, Unit unit, double sm_mhz) {
  const Peak* peak = device.peak(unit);
  const double rate =
      peak ? peak->flop_per_clock_sm : hardware::flop_per_clock_sm(device.cc_major, device.cc_minor, unit);
  if (!(rate > 0) || !(sm_mhz > 0)) return std::nullopt;
  return Ceiling{std::string(name_of(unit)),
                 device.sm_count * rate * sm_mhz * 1e6,
                 "FLOP/s",
                 CeilingSource::derived,
                 fmt::format("{} SMs x {} FLOP/clock/SM at {:.0f} MHz", device.sm_count, rate, sm_mhz),
                 sm_mhz};
}

std::vector<Ceiling> roofs(const DeviceModel& device, std::optional<double> sm_mhz,
                           const std::vector<Ceiling>& measured) {
  std::vector<Ceiling> result{memory_ceiling(device)};
  for (const Peak& peak : device.peaks) result.push_back(*datasheet_ceiling(device, peak.unit));
  if (sm_mhz)
    for (const Peak& peak : device.peaks)
      if (std::optional<Ceiling> derived = derived_ceiling(device, peak.unit, *sm_mhz))
        result.push_back(*std::move(derived));
  result.insert(result.end(), measured.begin(), measured.end());
  return result;
}

double attainable(double intensity, const Ceiling& compute, const Ceiling& memory) {
  return std::min(compute.value, intensity * memory.value);
}

double ridge_intensity(const Ceiling& compute, const Ceiling& memory) {
  return compute.value / memory.value;
}

}  // namespace ridge::model
