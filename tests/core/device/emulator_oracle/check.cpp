// SPDX-License-Identifier: GPL-3.0-or-later
// The emulator against the oracle.
#include <gtest/gtest.h>

#include "device/emulator/emulator.h"
#include "device/emulator_oracle/execution.h"
#include "hardware/device_model.h"

namespace ridge::oracle {
namespace {

constexpr int kMostShown = 5;

void compare(const Case& test, const std::vector<Tuple>& tuples, const std::vector<Bits>& results,
             bool masked) {
  int shown = 0;
  for (std::size_t i = 0; i < tuples.size() && shown < kMostShown; ++i) {
    const bool off = masked && idle(i);
    const Bits expected = off ? untouched(test) : as_result(test, test.expected(tuples[i]));
    if (off ? results[i] == expected : agrees(results[i], expected, test.allowed)) continue;
    ++shown;
    ADD_FAILURE() << test.instruction << (masked ? " (half of the lanes off)" : "") << " of ("
                  << hexadecimal(tuples[i]) << ") gave " << hexadecimal({results[i]}) << ", the ISA says "
                  << hexadecimal({expected});
  }
}

}  // namespace

void check(const Case& test) {
  const hardware::DeviceModel* model = hardware::catalogue().find("H200");
  ASSERT_NE(model, nullptr);
  const std::unique_ptr<device::Device> emulator = device::open_emulator(*model);
  const std::vector<Tuple> tuples = tuples_of(test);
  const std::optional<Results> results = execute(*emulator, test, tuples);
  if (!results) return;
  compare(test, tuples, results->full, false);
  compare(test, tuples, results->masked, true);
}

}  // namespace ridge::oracle
