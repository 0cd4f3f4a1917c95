// SPDX-License-Identifier: GPL-3.0-or-later
// Executes the instruction of a case on a device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/emulator_oracle/oracle.h"

namespace ridge::oracle {

using Tuple = std::vector<Bits>;  ///< one value for each operand

/// The edge tuples (their cross product, thinned when it is too large) and random ones, padded to whole
/// blocks.
std::vector<Tuple> tuples_of(const Case& test);

/// One result a tuple, with all lanes active and with some of them branched off.
struct Results {
  std::vector<Bits> full, masked;
};
/// Nothing when the device failed; that is reported to GoogleTest.
std::optional<Results> execute(device::Device& device, const Case& test, const std::vector<Tuple>& tuples);

/// Whether the lane of this tuple is branched off in Results::masked, and what its result then holds.
bool idle(std::size_t tuple);
Bits untouched(const Case& test);

std::string hexadecimal(const Tuple& tuple);

}  // namespace ridge::oracle
