// SPDX-License-Identifier: GPL-3.0-or-later
// The source tree as the layering tests see it: files, the lines in which they include others, and the rooms
// of core/.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::layering {

/// The rooms of core/ in the order in which work flows through them. The two devices lie side by side.
inline const std::vector<std::string> kRooms = {
    "base",        "hardware",        "problem", "source",  "compile", "device",
    "device/cuda", "device/emulator", "verify",  "measure", "model",   "session",
    "interchange", "bench",           "worker"};

struct File {
  std::string path;  ///< relative to the tree's root, with '/'
  std::string text;
};

/// Files below `folder` of the tree whose name ends in one of `endings`; nothing of tests/inputs, which is
/// foreign input.
std::vector<File> files_below(const std::string& folder, const std::vector<std::string>& endings);

struct Include {
  std::string header;
  bool quoted = false;  ///< "header" rather than <header>
  int line = 0;
};
std::vector<Include> includes(std::string_view text);

/// The room that a path like "device/cuda/driver.h" belongs to; "" when it is in none.
std::string room_of(std::string_view path);

/// Why a file of `room` must not include a header of `other`; "" when it may.
std::string objection(const std::string& room, const std::string& other);

bool is_qt(const Include& include);
bool is_cuda(const Include& include);

/// "path:line", for messages.
std::string place(const File& file, int line);
/// 1-based line of the first of `words` that stands in `text` as a whole word; 0: none does.
int line_with_word(std::string_view text, const std::vector<std::string>& words);
int line_count(std::string_view text);

}  // namespace ridge::layering
