// SPDX-License-Identifier: GPL-3.0-or-later
// SOL-ExecBench and FlashInfer-Bench files: a definition, its workloads, solutions and traces, read into this
// program's words. Nothing is executed and nothing is written; every fault is a diagnostic with file and
// line. The JSON itself is kept, so that an export gives it back whole, unknown members included.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/json.h"
#include "hardware/finding.h"
#include "problem/problem.h"

namespace ridge::interchange {

struct SolutionFile {
  std::string path;  ///< relative, inside the solution
  std::string content;
};

struct Solution {
  std::string name, definition;
  std::string entry_file, entry_function;
  std::vector<SolutionFile> files;
  Json json;  ///< as it stood in the file
};

/// A run that another tool made. It is shown with that source and never as measured here.
struct ForeignRun {
  std::string solution, workload;
  std::map<std::string, std::int64_t> axes;
  std::optional<hardware::Status> status;  ///< empty: the other tool's word means none of ours
  std::string status_text;                 ///< the other tool's word
  std::optional<double> latency_us, reference_us;
  std::optional<double> max_abs, max_rel;  ///< may be infinite
  std::string hardware, time;
};

struct Import {
  std::optional<problem::Problem>
      problem;            ///< absent when a diagnostic is an error; its reference is of kind python
  std::string reference;  ///< text of the Python reference
  std::vector<Solution> solutions;
  std::vector<ForeignRun> runs;
  Json definition;  ///< as it stood in the file
  std::vector<Json> workloads;
  Diagnostics diagnostics;
};

/// True for a folder with definition.json or definitions/, or a .json file that has axes, inputs and outputs.
bool is_definition(const std::filesystem::path& path);

/// Reads a definition and what lies around it: workload.jsonl and solution.json beside definition.json, or
/// the folders workloads/, solutions/ and traces/ of a FlashInfer-Bench trace set.
Import import_definition(const std::filesystem::path& path);

}  // namespace ridge::interchange
