// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled kernels on disk, one file an entry, named by its key. Entries that are cut short or damaged count
// as absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "compile/compile.h"

namespace ridge::compile {

class Cache {
 public:
  static constexpr std::uintmax_t kLimit = 512u << 20;  ///< bytes

  explicit Cache(std::filesystem::path folder, std::uintmax_t limit = kLimit);

  std::optional<CompiledKernel> load(const std::string& key) const;
  /// A cache that cannot be written to only costs time: failures are not reported. The first entry, and later
  /// ones now and then, have the limit looked at: others fill the folder too.
  void store(const std::string& key, const CompiledKernel& kernel);
  std::filesystem::path file_of(const std::string& key) const;

 private:
  /// Removes the entries that were not used for longest until all others fit into the limit.
  void trim_to_limit() const;

  std::filesystem::path folder_;
  std::uintmax_t limit_;
  std::uintmax_t unchecked_;  // bytes that may have been stored since the limit was last looked at
};

}  // namespace ridge::compile
