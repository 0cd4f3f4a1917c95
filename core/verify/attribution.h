// SPDX-License-Identifier: GPL-3.0-or-later
// From wrong elements to the threads that stored them.
#pragma once

#include <span>

#include "device/device.h"
#include "verify/verdict.h"

namespace ridge::verify {

/// The thread of a launch sequence by its coordinates.
Writer writer_from(const device::Writers::Thread& thread, const device::Sequence& sequence);

/// For each launch that stored wrong elements last: a map of its blocks, and one of the warps and lanes in
/// them. `wrong`: one bit per element of the tensor; `first`: the element that `writers` begin with.
std::vector<ErrorMap> maps_by_writer(const std::string& tensor, std::span<const std::uint64_t> wrong,
                                     std::int64_t first, const device::Writers& writers,
                                     const device::Sequence& sequence);

}  // namespace ridge::verify
