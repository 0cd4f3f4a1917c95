// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: standard output of a worker process. The protocol moves to a duplicate, and what device
// printf, libraries and Python print comes out of a pipe.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "worker/lines.h"

namespace ridge::worker {

class CapturedOutput {
 public:
  using OnLine = std::function<void(const std::string& line)>;

  /// Takes over `descriptor` when it is standard output; any other is only duplicated and nothing is
  /// captured.
  explicit CapturedOutput(int descriptor);
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;
  ~CapturedOutput();

  /// Begins to hand lines over, from a thread of its own.
  void start(OnLine on_line);
  /// Where the protocol writes now.
  int protocol_descriptor() const { return protocol_; }
  /// A request begins: forgets what was printed before.
  void begin();
  /// What was printed since begin(), cut at 1 MiB with a note.
  std::string take();

 private:
  void read_all();
  void wait_until_read();
  std::string_view keep(std::string_view bytes);

  OnLine on_line_;
  int protocol_ = -1, pipe_ = -1;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;  ///< held from reading the pipe to keeping what was read
  std::string kept_;
  std::size_t dropped_ = 0;
  std::thread reader_;
};

}  // namespace ridge::worker
