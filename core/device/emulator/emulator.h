// SPDX-License-Identifier: GPL-3.0-or-later
// The embedded device: executes the PTX that NVRTC emits on the CPU, functionally exact where PTX is, with
// bounds always checked, further checks and counters on request, and never a time.
#pragma once

#include <memory>

#include "device/device.h"
#include "hardware/device_model.h"

namespace ridge::device {

/// A device with the limits, the memory and the L2 of `model`.
std::unique_ptr<Device> open_emulator(const hardware::DeviceModel& model);

}  // namespace ridge::device
