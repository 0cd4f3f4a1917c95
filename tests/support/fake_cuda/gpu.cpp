// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_cuda/gpu.h"

#include <thread>
#include <utility>

namespace fake_cuda {

using ridge::hardware::Status;

namespace {

[[noreturn]] void hang() {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// What a GPU answers to a fault that it notices; races and uninitialised reads it does not.
CUresult error_of(Status status) {
  switch (status) {
    case Status::out_of_bounds:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case Status::misaligned:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case Status::trapped:
      return CUDA_ERROR_ASSERT;
    case Status::launch_failed:
      return CUDA_ERROR_LAUNCH_FAILED;
    case Status::barrier_divergence:
      return CUDA_ERROR_LAUNCH_FAILED;
    default:
      return CUDA_SUCCESS;
  }
}

}  // namespace

Gpu::Gpu(std::int64_t memory_bytes, std::unique_ptr<ridge::device::Device> emulator)
    : memory_bytes_(memory_bytes), emulator_(std::move(emulator)) {}

CUresult Gpu::allocate(std::int64_t bytes, CUdeviceptr* address) {
  if (bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > free_bytes()) return CUDA_ERROR_OUT_OF_MEMORY;
  const std::scoped_lock lock(mutex_);
  const auto allocated = emulator_->allocate(bytes, "allocation", 0);
  if (!allocated) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = *allocated;
  allocations_.emplace(*allocated, bytes);
  used_ += bytes;
  return CUDA_SUCCESS;
}

CUresult Gpu::release(CUdeviceptr address) {
  const std::scoped_lock lock(mutex_);
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return CUDA_ERROR_INVALID_VALUE;
  used_ -= found->second;
  allocations_.erase(found);
  emulator_->release(address);
  return CUDA_SUCCESS;
}

void Gpu::done(const ridge::Result<void>& result) {
  if (!result) stick(CUDA_ERROR_ILLEGAL_ADDRESS);
}

void Gpu::write(CUdeviceptr to, const std::vector<std::byte>& data) {
  const std::scoped_lock lock(mutex_);
  done(emulator_->write(to, data));
}

void Gpu::read(CUdeviceptr from, std::span<std::byte> data) {
  const std::scoped_lock lock(mutex_);
  done(emulator_->read(from, data));
}

void Gpu::copy(CUdeviceptr to, CUdeviceptr from, std::int64_t bytes) {
  const std::scoped_lock lock(mutex_);
  done(emulator_->copy(to, from, bytes));
}

void Gpu::fill(CUdeviceptr to, std::int64_t bytes, std::uint8_t value) {
  const std::scoped_lock lock(mutex_);
  done(emulator_->fill(to, bytes, value));
}

void Gpu::fill_words(CUdeviceptr to, std::int64_t words, std::uint32_t value) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(words) * 4);
  for (std::size_t index = 0; index < bytes.size(); ++index)
    bytes[index] = static_cast<std::byte>(value >> (index % 4 * 8));
  write(to, bytes);
}

void Gpu::execute(Module& module, const ridge::device::Launch& launch, const Injected& injected) {
  if (injected.hang) hang();
  if (sticky() != CUDA_SUCCESS) return;
  if (injected.result != CUDA_SUCCESS) return stick(injected.result);
  ridge::device::LaunchOptions options;
  options.checks = false;
  options.counters = false;
  options.budget = std::int64_t{1} << 20;
  options.threads = 1;
  const std::scoped_lock lock(mutex_);
  const auto outcome = emulator_->execute(*module.code, {{}, {}, {launch}}, options);
  if (!outcome) return stick(CUDA_ERROR_LAUNCH_FAILED);
  for (const auto& finding : outcome->findings) {
    if (finding.status == Status::timeout) hang();  // as the GPU would
    if (const CUresult result = error_of(finding.status); result != CUDA_SUCCESS) return stick(result);
  }
}

CUresult Gpu::load(const std::string& ptx, Module& module, std::string& log) {
  ridge::compile::CompiledKernel kernel;
  kernel.ok = true;
  kernel.ptx = ptx;
  const std::scoped_lock lock(mutex_);
  auto code = emulator_->load(kernel);
  if (!code) {
    log = code.error().message.english();
    return CUDA_ERROR_INVALID_PTX;
  }
  module.code = *std::move(code);
  return CUDA_SUCCESS;
}

CUresult Gpu::find(Module& module, const std::string& symbol, Function** function) {
  const std::scoped_lock lock(mutex_);
  auto& known = module.functions[symbol];
  if (!known) {
    const auto parameters = module.code->parameters(symbol);
    const auto resources = module.code->resources(symbol);
    if (!parameters || !resources) {
      module.functions.erase(symbol);
      return CUDA_ERROR_NOT_FOUND;
    }
    known = std::make_unique<Function>(Function{&module, symbol, *parameters, *resources, 0});
  }
  *function = known.get();
  return CUDA_SUCCESS;
}

CUresult Gpu::global(Module& module, const std::string& symbol, CUdeviceptr* address, std::size_t* bytes) {
  const std::scoped_lock lock(mutex_);
  const auto found = module.code->global(symbol);
  if (!found) return CUDA_ERROR_NOT_FOUND;
  if (address != nullptr) *address = found->address;
  if (bytes != nullptr) *bytes = static_cast<std::size_t>(found->bytes);
  return CUDA_SUCCESS;
}

std::optional<std::vector<std::byte>> Gpu::tensor_map(const ridge::device::TensorMapSpec& spec,
                                                      CUdeviceptr address) {
  const std::scoped_lock lock(mutex_);
  auto map = emulator_->tensor_map(spec, address);
  if (!map) return std::nullopt;
  return *std::move(map);
}

std::optional<std::uint64_t> Gpu::texture(const ridge::device::TextureSpec& spec, CUdeviceptr address) {
  const std::scoped_lock lock(mutex_);
  const auto handle = emulator_->texture(spec, address);
  if (!handle) return std::nullopt;
  return *handle;
}

CUresult attribute(CUdevice_attribute which, int* value) {
  static const std::map<CUdevice_attribute, int> kH200{
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 1 << 18},
      {CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT, 0},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472},
      {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
      {CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 1},
      {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 65536},
  };
  const auto found = kH200.find(which);
  if (found == kH200.end()) return CUDA_ERROR_INVALID_VALUE;
  *value = found->second;
  return CUDA_SUCCESS;
}

}  // namespace fake_cuda
