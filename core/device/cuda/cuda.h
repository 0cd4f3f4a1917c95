// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA GPUs through the driver API. libcuda.so.1, CUPTI and NVML are loaded with dlopen when first needed, so
// a build serves machines with and without a GPU; RIDGE_LIBCUDA names another driver library (tests use a
// fake one).
//
// Output of device printf goes to this process's standard output when a launch is waited for: a worker points
// fd 1 at a pipe that it logs. LaunchOutcome::output stays empty here.
//
// A running kernel can only be ended together with its process. After a time limit, a stop in the middle of a
// kernel, or a sticky CUDA error the device counts as lost: every call then answers `device_lost`, and
// nothing here waits for the GPU any more, so the process can end at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace ridge::device {

/// The GPUs that the driver shows, in its order. When there is none, `why_none` (if given) says why in a
/// sentence.
std::vector<DeviceInfo> list_cuda_devices(Sentence* why_none = nullptr);

/// Opens GPU `ordinal` with its primary context.
Result<std::unique_ptr<Device>> open_cuda(int ordinal);

}  // namespace ridge::device
