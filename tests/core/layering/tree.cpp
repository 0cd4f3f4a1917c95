// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layering/tree.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <sstream>

#include "base/text.h"

namespace ridge::layering {
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool ends_in_one_of(const std::string& name, const std::vector<std::string>& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](const std::string& end) { return name.ends_with(end); });
}

std::ptrdiff_t place_in_order(const std::string& room) {
  return std::find(kRooms.begin(), kRooms.end(), room) - kRooms.begin();
}

}  // namespace

std::vector<File> files_below(const std::string& folder, const std::vector<std::string>& endings) {
  const fs::path root = RIDGE_SOURCE_DIR;
  std::vector<File> files;
  if (!fs::is_directory(root / folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = fs::relative(entry.path(), root).generic_string();
    if (path.starts_with("tests/inputs/") || !ends_in_one_of(path, endings)) continue;
    files.push_back({path, content(entry.path())});
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

std::vector<Include> includes(std::string_view text) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> found;
  int line = 0;
  for (const std::string_view content : split_lines(text)) {
    ++line;
    std::match_results<std::string_view::const_iterator> match;
    if (std::regex_search(content.begin(), content.end(), match, pattern))
      found.push_back({match[2].str(), match[1].str() == "\"", line});
  }
  return found;
}

std::string room_of(std::string_view path) {
  std::string best;
  for (const std::string& room : kRooms)
    if (path.starts_with(room + "/") && room.size() > best.size()) best = room;
  return best;
}

std::string objection(const std::string& room, const std::string& other) {
  if (other == room) return "";
  if (room.starts_with("device/") && other.starts_with("device/")) return "the devices do not see each other";
  if (place_in_order(other) > place_in_order(room)) return other + " comes after " + room;
  return "";
}

bool is_qt(const Include& include) {
  const std::string& header = include.header;
  const bool named =
      header.size() > 1 && header[0] == 'Q' && std::isupper(static_cast<unsigned char>(header[1])) != 0;
  return named || header.starts_with("Qt") || header.starts_with("Qsci/") ||
         header.starts_with("qcustomplot");
}

bool is_cuda(const Include& include) {
  const std::string& header = include.header;
  return ends_in_one_of(header, {"cuda.h", "nvrtc.h", "nvml.h", "cuda_fp16.h", "cuda_bf16.h"}) ||
         header.starts_with("cuda_runtime") || header.starts_with("cupti") || header.starts_with("nvperf") ||
         header.starts_with("cuda/");
}

std::string place(const File& file, int line) {
  return file.path + ":" + std::to_string(line);
}

int line_with_word(std::string_view text, const std::vector<std::string>& words) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  int line = 0;
  for (const std::string_view content : split_lines(text)) {
    ++line;
    for (const std::string& word : words)
      for (std::size_t at = content.find(word); at != std::string_view::npos;
           at = content.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !in_word(content[at - 1])) && (end == content.size() || !in_word(content[end])))
          return line;
      }
  }
  return 0;
}

int line_count(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace ridge::layering
