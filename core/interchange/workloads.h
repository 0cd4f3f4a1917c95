// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON-lines files of a definition: workloads and traces; private to this room.
#pragma once

#include <filesystem>
#include <vector>

#include "interchange/definition.h"

namespace ridge::interchange {

/// The files that belong to a definition.
struct Files {
  std::filesystem::path definition;
  std::vector<std::filesystem::path> workloads, solutions, traces;
};
Files find_files(const std::filesystem::path& path, Diagnostics& diagnostics);

/// Adds the workloads of a .jsonl file, or the fault of every bad line.
void read_workloads(const std::filesystem::path& file, problem::Problem& problem, Import& import);
void read_traces(const std::filesystem::path& file, const problem::Problem& problem, Import& import);

}  // namespace ridge::interchange
