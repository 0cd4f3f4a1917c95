// SPDX-License-Identifier: GPL-3.0-or-later
// Session files: one SQLite file (`.ridge`) of runs with their sources, notes and window state. Committed
// runs survive kill -9 and a full disk. Opening for reading never changes the file and never executes
// anything.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/json.h"
#include "base/result.h"
#include "problem/problem.h"
#include "session/run.h"

namespace ridge::session {

inline constexpr std::uint32_t kApplicationId = 0x52444745;  ///< "RDGE"

class Store {
 public:
  /// Reads an existing session (mode=ro). Errors: not_a_session, other_application, damaged, newer_version.
  static Result<std::unique_ptr<Store>> open(const std::filesystem::path& file);
  /// Opens for appending; makes the file when it is not there. An older version is migrated on a copy that
  /// then replaces it.
  static Result<std::unique_ptr<Store>> open_for_writing(const std::filesystem::path& file);
  virtual ~Store() = default;

  /// All runs, oldest first. A run that cannot be read (damaged, or with a verdict of a newer release) is
  /// left out with a warning in `damaged`; an error only when none can be read. The file keeps it.
  virtual Result<std::vector<Run>> runs(Diagnostics* damaged = nullptr) const = 0;
  /// Stores the run in one transaction and returns its id.
  virtual Result<std::string> add(const Run& run) = 0;
  virtual Result<void> remove(const std::string& run_id) = 0;
  /// Stars a run as baseline of its device, problem and workload (the former star goes).
  virtual Result<void> set_baseline(const std::string& run_id, bool starred) = 0;
  virtual Result<void> set_notes(const std::string& run_id, const std::string& notes) = 0;
  virtual Result<std::string> title() const = 0;
  virtual Result<void> set_title(const std::string& title) = 0;
  virtual Result<Json> window_state() const = 0;
  virtual Result<void> set_window_state(const Json& state) = 0;
  virtual const std::filesystem::path& file() const = 0;
};

/// Cold median of the starred run for the same device, problem, workload and axes; empty without one.
std::optional<double> baseline_us(const std::vector<Run>& runs, const Run& run);
/// The same for a run of `problem` on `device` that is still to come.
std::optional<double> baseline_us(const std::vector<Run>& runs, const problem::BoundProblem& problem,
                                  const device::DeviceInfo& device);

/// Formats: "csv" (one line a run), "json" (document), "html" (a self-contained report).
Result<std::string> export_runs(const std::vector<Run>& runs, const std::string& format,
                                const std::string& title);

}  // namespace ridge::session
