// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: a child process with pipes on its three standard streams, in a process group of its own.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ridge::worker {

class Process {
 public:
  static Result<std::unique_ptr<Process>> start(const std::vector<std::string>& command);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Kills what still runs.
  ~Process();

  pid_t id() const { return id_; }
  int input() const { return input_; }    ///< to its standard input
  int output() const { return output_; }  ///< from its standard output
  int errors() const { return errors_; }  ///< from its standard error
  void close_input();
  /// SIGKILL to the whole group: launchers (ssh, srun) have children.
  void kill();
  /// The wait status once it has ended.
  std::optional<int> ended();
  bool wait(std::chrono::milliseconds limit);

 private:
  Process() = default;

  std::mutex mutex_;  ///< no signal is sent to an id that was reaped
  pid_t id_ = -1;
  int input_ = -1, output_ = -1, errors_ = -1;
  std::optional<int> status_;
};

/// "was killed by signal 11 (Segmentation fault)", "ended with status 3".
Sentence describe_end(int wait_status);

}  // namespace ridge::worker
