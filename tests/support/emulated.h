// SPDX-License-Identifier: GPL-3.0-or-later
// Runs PTX texts on the emulator in tests.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "device/emulator/emulator.h"

namespace ridge::device {

inline hardware::DeviceModel test_model() {
  hardware::DeviceModel model;
  model.name = "test";
  model.cc_major = 9;
  model.arch = "sm_90a";
  model.sm_count = 4;
  model.memory_bytes = std::int64_t{1} << 32;
  model.l2_bytes = 1 << 20;
  return model;
}

template <class T>
std::vector<std::byte> argument(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// No branch parts its lanes more often than it is executed.
inline void expect_sound(const hardware::CounterSet& counters) {
  const auto efficiency = counters.find("branch_efficiency");
  if (efficiency != counters.end()) {
    EXPECT_GE(efficiency->second, 0);
  }
}

/// A device with one loaded module.
class Emulated {
 public:
  explicit Emulated(const std::string& ptx) : device_(open_emulator(test_model())) {
    compile::CompiledKernel kernel;
    kernel.ok = true;
    kernel.ptx = ptx;
    Result<std::unique_ptr<Module>> module = device_->load(kernel);
    if (module)
      module_ = std::move(*module);
    else
      load_error = module.error();
  }

  template <class T>
  Address buffer(const std::vector<T>& values, const std::string& name = "buffer") {
    Result<Address> address =
        device_->allocate(static_cast<std::int64_t>(values.size() * sizeof(T)), name, 0);
    EXPECT_TRUE(address.ok());
    EXPECT_TRUE(device_->write(*address, std::as_bytes(std::span(values))).ok());
    return *address;
  }
  /// Memory that counts as uninitialised.
  Address scratch(std::int64_t bytes, const std::string& name = "scratch") {
    Result<Address> address = device_->allocate(bytes, name, 0);
    EXPECT_TRUE(address.ok());
    EXPECT_TRUE(device_->poison(*address, bytes, 0xcdcdcdcdu).ok());
    return *address;
  }
  template <class T>
  std::vector<T> read(Address address, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_TRUE(device_->read(address, std::as_writable_bytes(std::span(values))).ok());
    return values;
  }

  LaunchOutcome run(const std::string& entry, Extent grid, Extent block,
                    std::vector<std::vector<std::byte>> arguments, std::int64_t shared = 0) {
    Sequence sequence;
    Launch launch;
    launch.symbol = entry;
    launch.grid = grid;
    launch.block = block;
    launch.shared_bytes = shared;
    launch.cooperative = cooperative;
    launch.cluster = cluster;
    launch.arguments = std::move(arguments);
    sequence.launches.push_back(std::move(launch));
    EXPECT_NE(module_, nullptr) << load_error.message;
    if (module_ == nullptr) return {};
    Result<LaunchOutcome> outcome = device_->execute(*module_, sequence, options);
    EXPECT_TRUE(outcome.ok()) << (outcome.ok() ? "" : outcome.error().message);
    if (!outcome.ok()) return {};
    if (options.counters) expect_sound(outcome->counters);
    for (const hardware::LineCounters& line : outcome->lines) expect_sound(line.counters);
    return *outcome;
  }

  Device& device() { return *device_; }
  Module* module() { return module_.get(); }

  LaunchOptions options;
  bool cooperative = false;
  Extent cluster{1, 1, 1};
  Error load_error;

 private:
  std::unique_ptr<Device> device_;
  std::unique_ptr<Module> module_;
};

/// A module of one entry `k`. `parameters`: "u64 out, u32 n"; the body may use %r, %rd, %f, %fd, %h, %p
/// registers.
inline std::string kernel_text(const std::string& parameters, const std::string& body,
                               const std::string& module_level = "") {
  std::string list;
  for (std::size_t at = 0; at < parameters.size();) {
    const std::size_t end = std::min(parameters.find(',', at), parameters.size());
    std::string one = parameters.substr(at, end - at);
    one.erase(0, one.find_first_not_of(' '));
    list += (list.empty() ? "" : ", ") + std::string(".param .") + one;
    at = end + 1;
  }
  return ".version 9.0\n.target sm_90a\n.address_size 64\n" + module_level + "\n.visible .entry k(" + list +
         ")\n{\n.reg .pred %p<16>;\n.reg .b16 %h<32>;\n.reg .b32 %r<64>;\n.reg .f32 %f<32>;\n.reg .b64 "
         "%rd<32>;\n"
         ".reg .f64 %fd<16>;\n" +
         body + "\nret;\n}\n";
}

}  // namespace ridge::device
