// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: a program that runs beside this one for a while. It never outlives its time, a stop, or
// this process.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace ridge::verify {

struct ChildEnd {
  enum class How { exited, timed_out, stopped } how = How::exited;
  int status = 0;  ///< exit status of `exited`, 128 + N after signal N; 127: there is no such program
};

/// Runs `command` with no input, all output in the file `log`, in a process group of its own. What is left of
/// the group when the program has ended, its time is over or `stop` becomes true is killed.
Result<ChildEnd> run_child(const std::vector<std::string>& command, const std::filesystem::path& log,
                           double time_limit_seconds, const std::atomic<bool>* stop);

}  // namespace ridge::verify
