// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU in use: its primary context, the one stream that all work goes to, and whether the device is lost.
// Device, modules and stopwatch share it.
#pragma once

#include <cuda.h>

#include <atomic>
#include <memory>
#include <string>

#include "base/result.h"
#include "device/cuda/driver.h"
#include "device/device.h"

namespace ridge::device::cuda {

class Context;

/// An event of the driver, destroyed with its owner unless the device is lost.
class Event {
 public:
  explicit Event(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  Event(Event&& other) noexcept;
  Event& operator=(Event&&) = delete;
  ~Event();
  /// Records into the stream, creating the event at its first use.
  CUresult record();
  CUevent get() const { return event_; }

 private:
  std::shared_ptr<Context> context_;
  CUevent event_ = nullptr;
};

enum class Waited { done, failed, timeout, stopped };

class Context {
 public:
  static Result<std::shared_ptr<Context>> open(std::shared_ptr<const Driver> driver, DeviceInfo info,
                                               int ordinal);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Driver& driver() const { return *driver_; }
  const DeviceInfo& info() const { return info_; }
  CUstream stream() const { return stream_; }

  bool lost() const { return !lost_why_.empty(); }
  void lose(Sentence why);
  /// Makes the context current on the calling thread; an Error `device_lost` when there is no device any
  /// more.
  Result<void> enter();

  /// An Error for a failed call; a sticky one loses the device.
  Error fail(CUresult result, const Sentence& doing);
  Result<void> check(CUresult result, const Sentence& doing);
  /// Costs nothing where nothing failed.
  Result<void> check(CUresult result, Phrase<> doing) {
    return result == CUDA_SUCCESS ? Result<void>() : check(result, Sentence(doing));
  }
  /// Waits for all work on the stream.
  Result<void> synchronize(const Sentence& doing);
  Result<void> synchronize(Phrase<> doing) { return check(driver_->stream_synchronize(stream_), doing); }

  /// Waits for `event` without blocking in the driver: short waits spin, long ones sleep. `result` gets the
  /// driver's answer. A stop is honoured after a grace of half a second, in which most kernels end by
  /// themselves.
  Waited wait(const Event& event, double limit_seconds, const std::atomic<bool>* stop,
              CUresult& result) const;

 private:
  Context(std::shared_ptr<const Driver> driver, DeviceInfo info)
      : driver_(std::move(driver)), info_(std::move(info)) {}

  std::shared_ptr<const Driver> driver_;
  DeviceInfo info_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  Sentence lost_why_;
};

}  // namespace ridge::device::cuda
