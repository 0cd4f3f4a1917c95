// SPDX-License-Identifier: GPL-3.0-or-later
// A device whose kernels are C++ functions over host memory: for tests of whatever sits on top of a device.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"

namespace ridge::test {

class ScriptedDevice final : public device::Device {
 public:
  /// One execution of a launch: its arguments, and how many executions came before.
  struct Call {
    const device::Launch& launch;
    const device::LaunchOptions& options;
    int number = 0;
    template <class T>
    T* pointer(std::size_t index) const {
      device::Address address = 0;
      std::memcpy(&address, launch.arguments.at(index).data(), sizeof address);
      return reinterpret_cast<T*>(address);
    }
    template <class T>
    T value(std::size_t index) const {
      T value{};
      std::memcpy(&value, launch.arguments.at(index).data(), sizeof value);
      return value;
    }
  };
  using Kernel = std::function<device::LaunchOutcome(const Call&)>;

  ScriptedDevice() {
    info_.kind = device::Kind::emulator;
    info_.id = "emulator";
    info_.name = "scripted";
    info_.model = "H200";
    info_.arch = "sm_90a";
    info_.memory_bytes = free_;
  }

  std::map<std::string, Kernel> kernels;  ///< by symbol
  std::optional<Error> load_error;
  std::unique_ptr<device::Stopwatch> clock;
  std::vector<Sentence> guards;  ///< damage that the next question for it reports
  std::vector<device::BlockOrder> orders;
  int traced = 0;  ///< executions that were to be traced
  std::vector<std::string> allocations;
  std::vector<std::string> concealed;  ///< names of the buffers that are concealed now

  void set_free(std::int64_t bytes) { free_ = bytes; }
  int executions() const { return executions_; }

  const device::DeviceInfo& info() const override { return info_; }
  Result<std::int64_t> free_bytes() override { return free_; }
  Result<std::unique_ptr<device::Module>> load(const compile::CompiledKernel&) override {
    if (load_error) return *load_error;
    return std::unique_ptr<device::Module>(std::make_unique<Module>());
  }
  Result<device::Address> allocate(std::int64_t bytes, const std::string& name, std::int64_t) override {
    allocations.push_back(name);
    auto memory = std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes));
    const auto address = reinterpret_cast<device::Address>(memory.get());
    memory_[address] = std::move(memory);
    names_[address] = name;
    return address;
  }
  void conceal(device::Address address, bool conceal) override {
    if (conceal)
      concealed.push_back(names_[address]);
    else
      std::erase(concealed, names_[address]);
  }
  void release(device::Address address) override { memory_.erase(address); }
  Result<void> write(device::Address to, std::span<const std::byte> data) override {
    std::memcpy(reinterpret_cast<void*>(to), data.data(), data.size());
    return {};
  }
  Result<void> read(device::Address from, std::span<std::byte> data) override {
    std::memcpy(data.data(), reinterpret_cast<const void*>(from), data.size());
    return {};
  }
  Result<void> poison(device::Address to, std::int64_t bytes, std::uint32_t pattern) override {
    auto* memory = reinterpret_cast<char*>(to);
    for (std::int64_t i = 0; i < bytes; ++i) memory[i] = static_cast<char>(pattern >> (8 * (i % 4)) & 0xFF);
    return {};
  }
  Result<void> fill(device::Address to, std::int64_t bytes, std::uint8_t value) override {
    std::memset(reinterpret_cast<void*>(to), value, static_cast<std::size_t>(bytes));
    return {};
  }
  Result<void> copy(device::Address to, device::Address from, std::int64_t bytes) override {
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from),
                static_cast<std::size_t>(bytes));
    return {};
  }
  Result<std::vector<Sentence>> damaged_guards() override { return std::exchange(guards, {}); }

  Result<device::LaunchOutcome> execute(device::Module&, const device::Sequence& sequence,
                                        const device::LaunchOptions& options) override {
    for (const device::Copy& restore : sequence.restore) (void)copy(restore.to, restore.from, restore.bytes);
    for (const device::Fill& zero : sequence.zero) (void)fill(zero.at, zero.bytes, zero.value);
    orders.push_back(options.order);
    traced += options.trace ? 1 : 0;
    device::LaunchOutcome all;
    for (const device::Launch& launch : sequence.launches) {
      const device::LaunchOutcome one =
          kernels.at(launch.symbol)({launch, options, counts_[launch.symbol]++});
      all.findings.insert(all.findings.end(), one.findings.begin(), one.findings.end());
      for (const auto& [name, value] : one.counters) all.counters[name] += value;
      all.output += one.output;
      all.stopped = all.stopped || one.stopped;
      all.device_lost = all.device_lost || one.device_lost;
      all.given_up = all.given_up || one.given_up;
    }
    ++executions_;
    return all;
  }
  device::Stopwatch* stopwatch() override { return clock.get(); }

 private:
  class Module final : public device::Module {
   public:
    Result<Global> global(const std::string& symbol) override {
      std::vector<std::byte>& memory = globals_[symbol];
      memory.resize(4096);
      return Global{reinterpret_cast<device::Address>(memory.data()), 4096};
    }
    Result<std::vector<compile::Parameter>> parameters(const std::string&) override {
      return std::vector<compile::Parameter>{};
    }
    Result<compile::Resources> resources(const std::string&) override { return compile::Resources{}; }

   private:
    std::map<std::string, std::vector<std::byte>> globals_;
  };

  device::DeviceInfo info_;
  std::int64_t free_ = std::int64_t{1} << 30;
  std::map<device::Address, std::unique_ptr<std::byte[]>> memory_;
  std::map<device::Address, std::string> names_;
  std::map<std::string, int> counts_;
  int executions_ = 0;
};

}  // namespace ridge::test
