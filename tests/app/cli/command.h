// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real `ridge` and keeps what it said.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"

namespace ridge::test {

struct Outcome {
  int status = -1;  ///< exit status; 128 + N after signal N
  std::string out, err;

  /// Standard output as one JSON document; a null with a test failure when it is anything else.
  Json document() const;
};

/// `arguments` without the program. Compiled kernels are cached in the build folder.
Outcome run_ridge(const std::vector<std::string>& arguments);

/// Starts it and returns its process; what it says goes to the files out and err of the folder.
pid_t start_ridge(const std::vector<std::string>& arguments, const std::filesystem::path& folder);

/// A fresh folder that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

std::filesystem::path source_tree();          ///< root of the project
std::string kernel(const std::string& name);  ///< file of the library: "saxpy/naive.cu"
std::string input(const std::string& name);   ///< file of tests/inputs
std::string text_of(const std::filesystem::path& file);

}  // namespace ridge::test
