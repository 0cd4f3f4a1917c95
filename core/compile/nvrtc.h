// SPDX-License-Identifier: GPL-3.0-or-later
// NVRTC by dlopen: one program in, one compilation out. What it says is not interpreted here.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ridge::compile {

struct Program {
  std::string text;
  std::string name;                                          ///< in messages and line tables
  std::vector<std::pair<std::string, std::string>> headers;  ///< name, text: found without any folder
  std::vector<std::string> options;
  std::vector<std::string> name_expressions;
};

struct Compilation {
  bool ok = false;
  bool bad_option = false;  ///< refused before any source was read
  std::string result;       ///< NVRTC's word for it: "NVRTC_ERROR_COMPILATION"
  std::string log, ptx, cubin;
  std::vector<std::pair<std::string, std::string>> lowered;  ///< name expression, symbol
};

class Nvrtc {
 public:
  static Result<std::unique_ptr<Nvrtc>> load(const std::filesystem::path& library);
  ~Nvrtc();
  Nvrtc(const Nvrtc&) = delete;
  Nvrtc& operator=(const Nvrtc&) = delete;

  int major() const { return major_; }
  int minor() const { return minor_; }
  const std::vector<int>& architectures() const { return architectures_; }  ///< 75, 80, …
  Compilation compile(const Program& program) const;

 private:
  struct Functions;
  Nvrtc();

  std::unique_ptr<Functions> call_;
  int major_ = 0, minor_ = 0;
  std::vector<int> architectures_;
};

}  // namespace ridge::compile
