// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of a pipe as lines, and lines as bytes of a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::worker {

/// Cuts what a pipe delivers into lines. A line above the limit is dropped as it comes, so it costs no
/// memory.
class LineSplitter {
 public:
  /// `line` without its line end; a dropped one is empty and `oversized`.
  using OnLine = std::function<void(std::string line, bool oversized)>;

  explicit LineSplitter(std::size_t limit) : limit_(limit) {}
  void push(std::string_view bytes, const OnLine& on_line);
  /// What the end of the input cut off, if anything.
  const std::string& rest() const { return line_; }

 private:
  void append(std::string_view part);

  std::size_t limit_;
  std::string line_;
  bool oversized_ = false;
};

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Writes all bytes; false when nobody reads the other end any more, or (of a non-blocking descriptor) the
/// deadline has passed. Never raises SIGPIPE.
bool write_all(int descriptor, std::string_view bytes, const Deadline& deadline = {});

}  // namespace ridge::worker
