// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/module.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/text.h"
#include "device/cuda/errors.h"

namespace ridge::device::cuda {
namespace {

constexpr std::size_t kLogBytes = 16 << 10;

const compile::Entry* find_entry(const std::vector<compile::Entry>& entries, const std::string& symbol) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const compile::Entry& entry) { return entry.symbol == symbol; });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

Result<std::unique_ptr<CudaModule>> CudaModule::load(std::shared_ptr<Context> context,
                                                     const compile::CompiledKernel& kernel) {
  if (auto entered = context->enter(); !entered) return entered.error();
  // std::string keeps a terminating NUL behind its bytes, which PTX needs.
  const std::string& image = kernel.cubin.empty() ? kernel.ptx : kernel.cubin;
  if (image.empty())
    return Error{ErrorKind::internal,
                 "no_code",
                 say("There is no cubin and no PTX to load."),
                 say("Compile the kernel first."),
                 {},
                 0};

  std::unique_ptr<CudaModule> module(new CudaModule(context, kernel.entries));
  std::vector<char> log(kLogBytes);
  std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(kLogBytes)};
  const bool jit = kernel.cubin.empty();
  const CUresult result =
      context->driver().module_load(&module->module_, image.data(), jit ? 2 : 0,
                                    jit ? options.data() : nullptr, jit ? values.data() : nullptr);
  if (result == CUDA_SUCCESS) return module;

  const DeviceInfo& info = context->info();
  Error error = context->fail(
      result, kernel.arch.empty()
                  ? say("Loading the code on {} ({}, driver {})", info.name, info.arch, info.driver)
                  : say("Loading the code for {} on {} ({}, driver {})", kernel.arch, info.name, info.arch,
                        info.driver));
  const std::string text(trim(std::string_view(log.data(), strnlen(log.data(), log.size()))));
  if (!text.empty()) error.message = say("{} The driver's assembler says: {}", error.message, text);
  if (error.code == "cuda_error") error.code = "module_load";
  return error;
}

CudaModule::~CudaModule() {
  if (module_ != nullptr && context_->enter()) context_->driver().module_unload(module_);
}

Result<CUfunction> CudaModule::function(const std::string& symbol) {
  if (const auto found = functions_.find(symbol); found != functions_.end()) return found->second;
  if (auto entered = context_->enter(); !entered) return entered.error();
  CUfunction function = nullptr;
  const CUresult result = context_->driver().module_function(&function, module_, symbol.c_str());
  if (result == CUDA_ERROR_NOT_FOUND) {
    std::string known;
    for (const auto& entry : entries_) known += (known.empty() ? "" : ", ") + entry.symbol;
    return Error{ErrorKind::definition,
                 "unknown_kernel",
                 say("The module has no kernel {}.", symbol),
                 known.empty() ? Sentence() : say("It has: {}.", known),
                 {},
                 0};
  }
  if (auto done = context_->check(result, say("Looking up the kernel {}", symbol)); !done)
    return done.error();
  functions_.emplace(symbol, function);
  return function;
}

Result<Module::Global> CudaModule::global(const std::string& symbol) {
  if (auto entered = context_->enter(); !entered) return entered.error();
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  const CUresult result = context_->driver().module_global(&address, &bytes, module_, symbol.c_str());
  if (result == CUDA_ERROR_NOT_FOUND)
    return Error{
        ErrorKind::definition,
        "unknown_symbol",
        say("The module has no __device__ or __constant__ variable {}.", symbol),
        say("Check the `symbol` directive; a variable that no kernel uses is left out by the compiler."),
        {},
        0};
  if (auto done = context_->check(result, say("Looking up the variable {}", symbol)); !done)
    return done.error();
  return Global{address, static_cast<std::int64_t>(bytes)};
}

Result<std::vector<compile::Parameter>> CudaModule::parameters(const std::string& symbol) {
  auto found = function(symbol);
  if (!found) return found.error();
  const compile::Entry* entry = find_entry(entries_, symbol);
  if (context_->driver().function_parameter == nullptr) {
    // Before driver 550 only the compiler knows.
    if (entry != nullptr) return entry->parameters;
    return Error{ErrorKind::component,
                 "driver_too_old",
                 say("The driver cannot say which parameters {} takes.", symbol),
                 say("Update to driver 550 or newer."),
                 {},
                 0};
  }
  std::vector<compile::Parameter> parameters;
  for (std::size_t index = 0;; ++index) {
    std::size_t offset = 0, bytes = 0;
    const CUresult result = context_->driver().function_parameter(*found, index, &offset, &bytes);
    if (result == CUDA_ERROR_INVALID_VALUE) return parameters;  // past the last one
    if (auto done = context_->check(result, say("Reading the parameters of {}", symbol)); !done)
      return done.error();
    parameters.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes)});
  }
}

Result<compile::Resources> CudaModule::resources(const std::string& symbol) {
  auto found = function(symbol);
  if (!found) return found.error();
  compile::Resources resources;
  const compile::Entry* entry = find_entry(entries_, symbol);
  if (entry != nullptr && entry->resources) resources = *entry->resources;  // spills, barriers, launch bounds

  Result<void> state;
  const auto attribute = [&](CUfunction_attribute which) {
    int value = 0;
    if (state)
      state = context_->check(context_->driver().function_attribute(&value, which, *found),
                              say("Reading the resources of {}", symbol));
    return value;
  };
  resources.registers = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
  resources.shared_bytes = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  resources.constant_bytes = attribute(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  resources.stack_bytes = attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  const int max_threads = attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  // The driver's figure also falls with the registers; it stands for launch bounds only below the device's
  // own limit.
  if (resources.max_threads == 0 && max_threads < context_->info().limits.max_threads_per_block)
    resources.max_threads = max_threads;
  if (!state) return state.error();
  return resources;
}

}  // namespace ridge::device::cuda
