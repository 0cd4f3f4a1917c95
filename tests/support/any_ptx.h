// SPDX-License-Identifier: GPL-3.0-or-later
// Runs whatever a text claims to be PTX, for fuzzing: every entry once, with one warp on small buffers.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "device/emulator/emulator.h"

namespace ridge::test {

/// What became of a text.
struct Fate {
  bool loaded = false;
  int launched = 0;   ///< entries that ran to their end
  int faulted = 0;    ///< entries that ended with a finding or an error
  std::string words;  ///< the first error or finding
};

class AnyPtx {
 public:
  AnyPtx() {
    hardware::DeviceModel model;
    model.name = "fuzz";
    model.cc_major = 9;
    model.arch = "sm_90a";
    model.sm_count = 2;
    model.memory_bytes = std::int64_t{1} << 28;
    model.l2_bytes = 1 << 20;
    device_ = device::open_emulator(model);
    const auto buffer = device_->allocate(kBufferBytes, "buffer");
    if (buffer) buffer_ = *buffer;
  }

  Fate run(const std::string& text) {
    Fate fate;
    compile::CompiledKernel kernel;
    kernel.ok = true;
    kernel.ptx = text;
    const auto module = device_->load(kernel);
    if (!module) {
      fate.words = module.error().message.english();
      return fate;
    }
    fate.loaded = true;
    for (const std::string& entry : entries_of(text)) launch(**module, entry, fate);
    return fate;
  }

 private:
  static constexpr std::int64_t kBufferBytes = 1 << 16;

  static std::vector<std::string> entries_of(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t at = 0; (at = text.find(".entry", at)) != std::string::npos;) {
      at += 6;
      const std::size_t begin = text.find_first_not_of(" \t\r\n", at);
      if (begin == std::string::npos) break;
      const std::size_t end = text.find_first_of(" \t\r\n(", begin);
      names.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    }
    return names;
  }

  void launch(device::Module& module, const std::string& entry, Fate& fate) {
    const auto parameters = module.parameters(entry);
    if (!parameters) return note(fate, parameters.error().message.english());
    device::Launch launch;
    launch.symbol = entry;
    launch.block = {32, 1, 1};
    launch.shared_bytes = 4096;
    for (const compile::Parameter& parameter : *parameters) {
      std::vector<std::byte> bytes(parameter.bytes);
      const std::uint64_t value = parameter.bytes == 8 ? buffer_ : 33;
      std::memcpy(bytes.data(), &value, std::min<std::size_t>(bytes.size(), sizeof value));
      launch.arguments.push_back(std::move(bytes));
    }
    device::LaunchOptions options;
    options.threads = 1;
    options.budget = 1 << 14;
    (void)device_->fill(buffer_, kBufferBytes, 1);
    const auto outcome = device_->execute(module, {{}, {}, {launch}}, options);
    if (!outcome) return note(fate, outcome.error().message.english());
    if (!outcome->findings.empty()) return note(fate, outcome->findings.front().message.english());
    ++fate.launched;
  }
  static void note(Fate& fate, const std::string& words) {
    ++fate.faulted;
    if (fate.words.empty()) fate.words = words;
  }

  std::unique_ptr<device::Device> device_;
  device::Address buffer_ = 0;
};

}  // namespace ridge::test
