// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/context.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "device/cuda/errors.h"

namespace ridge::device::cuda {

Event::Event(Event&& other) noexcept
    : context_(std::move(other.context_)), event_(std::exchange(other.event_, nullptr)) {}

Event::~Event() {
  if (event_ != nullptr && !context_->lost()) context_->driver().event_destroy(event_);
}

CUresult Event::record() {
  if (event_ == nullptr)
    if (const CUresult result = context_->driver().event_create(&event_, CU_EVENT_DEFAULT);
        result != CUDA_SUCCESS)
      return result;
  return context_->driver().event_record(event_, context_->stream());
}

Result<std::shared_ptr<Context>> Context::open(std::shared_ptr<const Driver> driver, DeviceInfo info,
                                               int ordinal) {
  std::shared_ptr<Context> context(new Context(std::move(driver), std::move(info)));
  const Driver& cu = context->driver();
  const Sentence doing = say("Opening {}", context->info_.name);
  if (auto done = context->check(cu.device_get(&context->device_, ordinal), doing); !done)
    return done.error();
  if (auto done = context->check(cu.context_retain(&context->context_, context->device_), doing); !done)
    return done.error();
  if (auto done = context->enter(); !done) return done.error();
  if (auto done = context->check(cu.stream_create(&context->stream_, CU_STREAM_NON_BLOCKING), doing); !done)
    return done.error();
  std::size_t free = 0, total = 0;
  if (auto done = context->check(cu.memory_info(&free, &total), doing); !done) return done.error();
  context->info_.memory_free = static_cast<std::int64_t>(free);
  return context;
}

Context::~Context() {
  // Calls on a lost device may wait for ever for a kernel that never ends.
  if (lost()) return;
  if (stream_ != nullptr) driver_->stream_destroy(stream_);
  if (context_ != nullptr) driver_->context_release(device_);
}

void Context::lose(Sentence why) {
  if (lost_why_.empty()) lost_why_ = std::move(why);
}

Result<void> Context::enter() {
  if (lost())
    return Error{ErrorKind::component,
                 "device_lost",
                 say("{} can no longer be used by this process: {}", info_.name, lost_why_),
                 say("Start the worker again; the GPU itself is usually fine."),
                 {},
                 0};
  const CUresult result = driver_->context_set_current(context_);
  if (result == CUDA_SUCCESS) return {};
  return fail(result, say("Using {}", info_.name));
}

Error Context::fail(CUresult result, const Sentence& doing) {
  if (explain(result).sticky) lose(say("{}.", describe(result)));
  return cuda_error(result, doing);
}

Result<void> Context::check(CUresult result, const Sentence& doing) {
  if (result == CUDA_SUCCESS) return {};
  return fail(result, doing);
}

Result<void> Context::synchronize(const Sentence& doing) {
  return check(driver_->stream_synchronize(stream_), doing);
}

Waited Context::wait(const Event& event, double limit_seconds, const std::atomic<bool>* stop,
                     CUresult& result) const {
  using Clock = std::chrono::steady_clock;
  using namespace std::chrono_literals;
  constexpr auto kSpin = 10ms;
  constexpr auto kGrace = 500ms;
  const auto begin = Clock::now();
  const auto limit = std::chrono::duration<double>(limit_seconds);
  std::optional<Clock::time_point> stop_seen;
  while (true) {
    result = driver_->event_query(event.get());
    if (result == CUDA_SUCCESS) return Waited::done;
    if (result != CUDA_ERROR_NOT_READY) return Waited::failed;
    const auto now = Clock::now();
    if (now - begin > limit) return Waited::timeout;
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
      if (!stop_seen) stop_seen = now;
      if (now - *stop_seen > kGrace) return Waited::stopped;
    }
    // Half a percent of the time so far: a sleep must not show in a host time.
    if (now - begin > kSpin) std::this_thread::sleep_for(std::min<Clock::duration>((now - begin) / 200, 1ms));
  }
}

}  // namespace ridge::device::cuda
