// SPDX-License-Identifier: GPL-3.0-or-later
// Files: whole reads with a size limit, writes that replace the old file only once the new one is complete,
// and where the program's own data lies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge {

inline constexpr std::uintmax_t kDefaultReadLimit = 64u << 20;  ///< bytes

/// The bytes of a regular file. Refuses directories, devices and files above `limit`.
Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit = kDefaultReadLimit);
/// Writes beside the target, syncs and renames: readers see the old or the new content, never half of it. Where a link
/// leads, a file is replaced; devices and pipes are written to.
Result<void> write_file(const std::filesystem::path& path, std::string_view bytes);

/// Folder of resources/ (devices.toml, counters.toml, help): RIDGE_RESOURCES, else beside the program, else
/// the source tree.
std::filesystem::path resources_folder();
/// Folder of the problem library: RIDGE_KERNELS, else beside the program, else the source tree.
std::filesystem::path kernels_folder();
/// Folder for caches: RIDGE_CACHE, else XDG_CACHE_HOME/ridgepoint, else ~/.cache/ridgepoint.
std::filesystem::path cache_folder();
/// The path of the running program.
std::filesystem::path program_path();

}  // namespace ridge
