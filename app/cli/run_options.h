// SPDX-License-Identifier: GPL-3.0-or-later
// Options that several commands read the same way.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "bench/bench.h"
#include "console.h"
#include "problem/problem.h"

namespace ridge::cli {

/// "NAME=VALUE" of --axis.
Result<std::map<std::string, std::int64_t>> parse_axes(const std::vector<std::string>& texts);
/// "NAME=VALUE" or "NAME" of --define.
Result<std::vector<std::pair<std::string, std::string>>> parse_defines(const std::vector<std::string>& texts);

/// Where the problem of a kernel lies: `chosen` (--problem: a folder, or a name in the library), else
/// problem.toml in the kernel's folder, else what its directive names in the library. Otherwise an Error of
/// kind question.
Result<std::filesystem::path> find_problem(const std::filesystem::path& kernel,
                                           const source::KernelSource& source, const std::string& chosen);

/// Loads and says what is wrong; empty on faults, which are in `diagnostics`.
std::optional<problem::Problem> load_problem(const std::filesystem::path& folder, Diagnostics& diagnostics);

/// One line per run: verdict, time or "emulated", T_SOL, bound, SOL %; faults below, but for those that
/// have been told.
void print_runs(const Console& console, const std::vector<session::Run>& runs, const Diagnostics& told);
void print_lines(const Console& console, const std::vector<session::Run>& runs);  ///< counters by source line
/// What the traced threads did; says so where there was no such thread.
void print_traces(const Console& console, const std::vector<session::Run>& runs);

}  // namespace ridge::cli
