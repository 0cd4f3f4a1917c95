// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU is: attributes of the driver, NVML's readings and the catalogue's entry as a DeviceInfo.
#pragma once

#include "device/cuda/driver.h"
#include "device/cuda/nvml.h"
#include "device/device.h"

namespace ridge::device::cuda {

Result<DeviceInfo> describe_device(const Driver& driver, const Nvml* nvml, int ordinal);

}  // namespace ridge::device::cuda
