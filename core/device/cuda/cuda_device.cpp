// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/cuda_device.h"

#include <fmt/format.h>

#include "device/cuda/cuda.h"
#include "device/cuda/discover.h"
#include "device/cuda/errors.h"

namespace ridge::device {
namespace cuda {
namespace {

hardware::Finding timed_out(const Context& context, const Launch& launch, const LaunchOptions& options) {
  hardware::Finding finding;
  finding.status = hardware::Status::timeout;
  finding.message =
      say("{} was still running after its time limit of {}. Look for a loop that never ends or a wait that "
          "nobody answers, or raise --time-limit.",
          launch.symbol, fmt::format("{:g} s", options.time_limit_seconds));
  if (context.info().watchdog)
    finding.message =
        say("{} This GPU drives a display: its watchdog would end the kernel too.", finding.message);
  finding.file = options.source_file;  // no line: the driver does not say where in the kernel
  return finding;
}

}  // namespace

CudaDevice::CudaDevice(std::shared_ptr<Context> context, std::shared_ptr<const Nvml> nvml)
    : context_(std::move(context)),
      memory_(context_),
      textures_(context_),
      stopwatch_(context_, std::move(nvml)) {}

Result<std::int64_t> CudaDevice::free_bytes() {
  if (auto entered = context_->enter(); !entered) return entered.error();
  std::size_t free = 0, total = 0;
  if (auto done =
          context_->check(context_->driver().memory_info(&free, &total), phrase("Reading the free memory"));
      !done)
    return done.error();
  return static_cast<std::int64_t>(free);
}

Result<std::unique_ptr<Module>> CudaDevice::load(const compile::CompiledKernel& kernel) {
  auto module = CudaModule::load(context_, kernel);
  if (!module) return module.error();
  return std::unique_ptr<Module>(*std::move(module));
}

Result<Address> CudaDevice::allocate(std::int64_t bytes, const std::string& name, std::int64_t offset) {
  return memory_.allocate(bytes, name, offset);
}
Result<void> CudaDevice::poison(Address to, std::int64_t bytes, std::uint32_t pattern) {
  return memory_.poison(to, bytes, pattern);
}
Result<void> CudaDevice::fill(Address to, std::int64_t bytes, std::uint8_t value) {
  return memory_.fill(to, bytes, value);
}
Result<void> CudaDevice::copy(Address to, Address from, std::int64_t bytes) {
  return memory_.copy(to, from, bytes);
}

bool CudaDevice::run(PreparedLaunch& prepared, const LaunchOptions& options, Event& done,
                     LaunchOutcome& outcome) {
  const Launch& launch = *prepared.launch;
  const auto fail = [&](CUresult result, const Sentence& what) {
    // A refused launch is the directives' fault; where in the kernel a fault arose the driver does not say.
    const bool sticky = explain(result).sticky;
    outcome.findings.push_back(cuda_finding(result, what, options.source_file, sticky ? 0 : launch.line));
    if (sticky) context_->lose(say("{}.", describe(result)));
    return false;
  };
  if (const CUresult result = enqueue(*context_, prepared); result != CUDA_SUCCESS)
    return fail(result, say("The launch of {}", launch.symbol));
  CUresult result = done.record();
  if (result != CUDA_SUCCESS) return fail(result, launch.symbol);
  switch (context_->wait(done, options.time_limit_seconds, options.stop, result)) {
    case Waited::done:
    case Waited::failed:
      // Ended, well or not: synchronising does not wait any more, but brings out what printf and assert have
      // written.
      if (const CUresult synchronised = context_->driver().stream_synchronize(context_->stream());
          result == CUDA_SUCCESS)
        result = synchronised;
      return result == CUDA_SUCCESS || fail(result, launch.symbol);
    case Waited::timeout:
      outcome.findings.push_back(timed_out(*context_, launch, options));
      context_->lose(say("a kernel was still running after its time limit."));
      return false;
    case Waited::stopped:
      outcome.stopped = true;
      context_->lose(say("a kernel was still running when the run was stopped."));
      return false;
  }
  return false;
}

Result<LaunchOutcome> CudaDevice::execute(Module& module, const Sequence& sequence,
                                          const LaunchOptions& options) {
  if (auto entered = context_->enter(); !entered) return entered.error();
  auto* code = dynamic_cast<CudaModule*>(&module);
  if (code == nullptr)
    return Error{ErrorKind::internal,
                 "foreign_module",
                 say("The module was loaded on another device."),
                 say("Load it on the device that executes it."),
                 {},
                 0};
  auto prepared = prepare(*context_, *code, sequence, options.source_file);
  if (!prepared) return prepared.error();

  LaunchOutcome outcome;
  outcome.findings = std::move(prepared->findings);
  if (!outcome.findings.empty()) return outcome;
  if (auto done = context_->check(enqueue_restore(*context_, sequence), phrase("Restoring buffers")); !done)
    return done.error();
  if (auto done = context_->check(enqueue_zero(*context_, sequence), phrase("Filling buffers")); !done)
    return done.error();
  if (auto done = context_->synchronize(phrase("Filling buffers")); !done) return done.error();

  Event done(context_);
  for (PreparedLaunch& launch : prepared->launches) {
    // One by one, so that a fault is known by its launch.
    if (options.stop != nullptr && options.stop->load()) outcome.stopped = true;
    if (outcome.stopped || !run(launch, options, done, outcome)) break;
  }
  outcome.device_lost = context_->lost();
  return outcome;
}

}  // namespace cuda

Result<std::unique_ptr<Device>> open_cuda(int ordinal) {
  auto driver = cuda::load_driver();
  if (!driver) return driver.error();
  int count = 0;
  if (const CUresult result = (*driver)->device_count(&count); result != CUDA_SUCCESS)
    return cuda::cuda_error(result, say("Listing GPUs"));
  if (ordinal < 0 || ordinal >= count)
    return Error{ErrorKind::usage,
                 "no_such_device",
                 say("There is no GPU cuda:{}: the driver shows {}.", ordinal, count),
                 say("List them with `ridge devices`; CUDA_VISIBLE_DEVICES hides and renumbers them."),
                 {},
                 0};
  auto nvml = cuda::Nvml::open();
  auto info = cuda::describe_device(**driver, nvml.get(), ordinal);
  if (!info) return info.error();
  auto context = cuda::Context::open(*driver, *std::move(info), ordinal);
  if (!context) return context.error();
  return std::unique_ptr<Device>(std::make_unique<cuda::CudaDevice>(*std::move(context), std::move(nvml)));
}

}  // namespace ridge::device
