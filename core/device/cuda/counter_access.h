// SPDX-License-Identifier: GPL-3.0-or-later
// Whether this process may read hardware counters, decided from what the driver and the kernel publish,
// before any profiler has to fail.
#pragma once

#include <string>
#include <string_view>

#include "base/sentence.h"

namespace ridge::device::cuda {

struct CounterAccess {
  bool allowed = false;
  Sentence why_not;  ///< a sentence with the remedy
};

/// `driver_parameters`: the text of /proc/driver/nvidia/params; `process_status`: of /proc/self/status;
/// `driver_version`: "580.95.05".
CounterAccess counter_access(std::string_view driver_parameters, std::string_view process_status,
                             std::string_view driver_version, int cc_major, int cc_minor);
/// The same from the files of this machine.
CounterAccess counter_access(std::string_view driver_version, int cc_major, int cc_minor);

}  // namespace ridge::device::cuda
