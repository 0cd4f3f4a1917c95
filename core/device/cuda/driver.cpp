// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/driver.h"

#include <dlfcn.h>

#include <cstdlib>

#include "device/cuda/errors.h"

namespace ridge::device::cuda {
namespace {

template <class Function>
void bind(void* library, Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

Result<std::shared_ptr<const Driver>> load_driver() {
  auto driver = std::make_shared<Driver>();
  const char* override = std::getenv("RIDGE_LIBCUDA");
  driver->overridden = override != nullptr && *override != '\0';
  driver->path = driver->overridden ? override : "libcuda.so.1";

  // Never closed: the driver keeps threads and exit handlers of its own.
  void* library = dlopen(driver->path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return Error{ErrorKind::component,
                 "driver_missing",
                 say("There is no NVIDIA driver: {}.",
                     reason ? Sentence(reason) : say("{} did not load", driver->path)),
                 driver->overridden
                     ? say("Correct or unset RIDGE_LIBCUDA.")
                     : say("Install NVIDIA's driver for this GPU, or use the emulator (--device emulator)."),
                 {},
                 0};
  }
  const char* missing = nullptr;
#define RIDGE_CUDA_BIND(member, function, name) \
  bind(library, driver->member, name);          \
  if (driver->member == nullptr && missing == nullptr) missing = name;
  RIDGE_CUDA_REQUIRED(RIDGE_CUDA_BIND)
#undef RIDGE_CUDA_BIND
  if (missing != nullptr)
    return Error{ErrorKind::component,
                 "driver_too_old",
                 say("{} lacks {}: the NVIDIA driver is too old.", driver->path, missing),
                 say("Update to driver 525 (CUDA 12.0) or newer."),
                 {},
                 0};
#define RIDGE_CUDA_BIND(member, function, name) bind(library, driver->member, name);
  RIDGE_CUDA_OPTIONAL(RIDGE_CUDA_BIND)
#undef RIDGE_CUDA_BIND

  if (const CUresult result = driver->init(0); result != CUDA_SUCCESS)
    return cuda_error(result, say("Initialising the CUDA driver"));
  return std::shared_ptr<const Driver>(std::move(driver));
}

}  // namespace ridge::device::cuda
