// SPDX-License-Identifier: GPL-3.0-or-later
// What every run carries, whatever becomes of it.
#pragma once

#include "bench/bench.h"

namespace ridge::bench {

/// A run with its problem, source, device, environment, and the model's view of the workload.
session::Run start_run(const problem::BoundProblem& problem, const source::KernelSource& source,
                       const std::vector<std::pair<std::string, std::string>>& defines,
                       const device::DeviceInfo& info, const ExecuteOptions& options);

/// The model's view once a time is known (or not).
model::Assessment assess(const problem::BoundProblem& problem, const device::DeviceInfo& info,
                         const ExecuteOptions& options, const std::optional<measure::Timing>& timing);

}  // namespace ridge::bench
