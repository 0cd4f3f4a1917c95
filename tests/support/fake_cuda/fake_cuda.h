// SPDX-License-Identifier: GPL-3.0-or-later
// What the fake libcuda.so.1 exports beside the driver's functions. RIDGE_FAKE_CUDA_DEVICES (1) and
// RIDGE_FAKE_CUDA_MEMORY (bytes) shape the machine; RIDGE_FAKE_CUDA injects errors (injection.h).
#pragma once

#include <memory>

#include "device/device.h"

namespace fake_cuda {

/// Opens the device that executes a fake GPU's launches and holds its memory.
using OpenEmulator = std::unique_ptr<ridge::device::Device> (*)();

}  // namespace fake_cuda

extern "C" {

/// Starts a new machine with the environment of now, which knows no error, count or allocation of an earlier
/// one. Without it there is no driver: cuInit answers CUDA_ERROR_NOT_INITIALIZED.
void ridge_fake_cuda_restart(fake_cuda::OpenEmulator open);
}
