// SPDX-License-Identifier: GPL-3.0-or-later
// The roofs of a device, for assessments, charts and the list of devices.
#pragma once

#include <optional>
#include <vector>

#include "hardware/device_model.h"
#include "hardware/units.h"

namespace ridge::model {

inline constexpr const char* kMemoryRoof = "dram";  ///< name of the ceiling of device memory

/// The data sheet's bandwidth of device memory.
hardware::Ceiling memory_ceiling(const hardware::DeviceModel& device);
/// The data sheet's dense rate of a unit; empty: the device has none, or the sheet does not give it.
std::optional<hardware::Ceiling> datasheet_ceiling(const hardware::DeviceModel& device, hardware::Unit unit);
/// SMs x FLOP/clock/SM x the clock of a run; empty: the hardware's rate is not known.
std::optional<hardware::Ceiling> derived_ceiling(const hardware::DeviceModel& device, hardware::Unit unit,
                                                 double sm_mhz);

/// All roofs: memory and every unit of the data sheet, the same units at `sm_mhz`, then the measured ones.
std::vector<hardware::Ceiling> roofs(const hardware::DeviceModel& device, std::optional<double> sm_mhz = {},
                                     const std::vector<hardware::Ceiling>& measured = {});

/// FLOP/s that a kernel of `intensity` FLOP a byte can reach under two roofs.
double attainable(double intensity, const hardware::Ceiling& compute, const hardware::Ceiling& memory);
/// FLOP a byte where the two roofs meet.
double ridge_intensity(const hardware::Ceiling& compute, const hardware::Ceiling& memory);

}  // namespace ridge::model
