// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of the toolkit, run to their end with bounded time and output.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::compile {

/// A file that is gone when its owner is.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  bool whole() const { return whole_; }  ///< everything could be written

 private:
  std::string path_;
  bool whole_ = false;
};

struct ToolOutcome {
  bool ok = false;   ///< it ended by itself with status 0
  std::string text;  ///< standard output and error together
};
/// An error when the program cannot be started, takes longer than a minute, or writes too much.
Result<ToolOutcome> run_tool(const std::filesystem::path& program, std::vector<std::string> arguments);

}  // namespace ridge::compile
