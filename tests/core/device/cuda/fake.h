// SPDX-License-Identifier: GPL-3.0-or-later
// A fresh fake machine for each test, and small kernels in PTX.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "device/cuda/cuda.h"

namespace ridge::device {

class FakeMachine : public testing::Test {
 protected:
  FakeMachine();
  ~FakeMachine() override;

  /// Restarts the machine with these rules of tests/support/fake_cuda/injection.h.
  static void restart(const std::string& rules = {}, const std::string& devices = {});
  /// GPU 0, or null after a recorded failure.
  static std::unique_ptr<Device> open();
  /// Loads the kernels below.
  static std::unique_ptr<Module> load(Device& device);
};

/// saxpy(a, x, y, n), overrun(y, bytes ahead), fill_shared(y), add_table(y) and the variable `table` of 16
/// floats.
extern const char* const kPtx;

template <class T>
std::vector<std::byte> argument(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::vector<float> read_floats(Device& device, Address from, std::size_t count);
void write_floats(Device& device, Address to, const std::vector<float>& values);

/// saxpy over `n` elements in blocks of 128.
Launch saxpy(float a, Address x, Address y, unsigned n);

}  // namespace ridge::device
