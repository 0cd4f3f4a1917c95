// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a source may include, found in its text: every #include line counts, also in branches that
// the preprocessor would leave out, for NVRTC does not report what it read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::compile {

struct Included {
  std::string name;            ///< as written
  int line = 0;                ///< in the includer
  int root_line = 0;           ///< of the #include in the source itself that leads here
  std::filesystem::path file;  ///< empty: found nowhere
  bool toolkit = false;        ///< below the toolkit's folders: stands for all that it includes
  std::string hash;            ///< of the content, for files outside of the toolkit
};

struct Closure {
  std::vector<Included> files;
  bool complete = true;      ///< false: an #include names a macro, or there are too many files; do not cache
  bool local_files = false;  ///< something outside of the toolkit is included
};

/// Quoted names are looked for beside their includer first, all others in `folders`, then in the toolkit's.
Closure include_closure(std::string_view text, const std::filesystem::path& folder,
                        const std::vector<std::filesystem::path>& folders,
                        const std::vector<std::filesystem::path>& toolkit_folders);

}  // namespace ridge::compile
