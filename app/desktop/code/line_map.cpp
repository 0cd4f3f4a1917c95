// SPDX-License-Identifier: GPL-3.0-or-later
#include "code/line_map.h"

#include <charconv>
#include <set>

#include "base/text.h"

namespace ridge::desktop {
namespace {

std::string_view fileName(std::string_view path) {
  const auto slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// The next whole number of `text`, which is cut behind it; -1 without one.
int nextNumber(std::string_view& text) {
  const auto at = text.find_first_of("0123456789");
  if (at == std::string_view::npos) return -1;
  text.remove_prefix(at);
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::string_view quoted(std::string_view text) {
  const auto open = text.find('"');
  if (open == std::string_view::npos) return {};
  const auto close = text.find('"', open + 1);
  return close == std::string_view::npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

}  // namespace

std::vector<int> LineMap::generatedFor(int sourceLine) const {
  std::vector<int> lines;
  if (sourceLine <= 0) return lines;
  for (std::size_t i = 0; i < sourceOf.size(); ++i)
    if (sourceOf[i] == sourceLine) lines.push_back(static_cast<int>(i));
  return lines;
}

LineMap lineMapOfPtx(std::string_view ptx, std::string_view file) {
  const std::vector<std::string_view> lines = split_lines(ptx);
  // `.file` directives stand at the end of the text, so they are collected first.
  std::set<int> ours;
  int first = -1;
  for (std::string_view line : lines) {
    line = trim(line);
    if (!line.starts_with(".file")) continue;
    std::string_view rest = line;
    const int index = nextNumber(rest);
    if (first < 0) first = index;
    if (fileName(quoted(line)) == fileName(file)) ours.insert(index);
  }
  if (ours.empty() && first >= 0) ours.insert(first);
  LineMap map;
  map.sourceOf.assign(lines.size(), 0);
  int current = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = trim(lines[i]);
    if (line.starts_with(".loc")) {
      std::string_view rest = line;
      const int index = nextNumber(rest), number = nextNumber(rest);
      current = ours.contains(index) ? number : 0;
      if (const auto inlined = line.find("inlined_at"); current == 0 && inlined != std::string_view::npos) {
        rest = line.substr(inlined);
        const int outer = nextNumber(rest), outerLine = nextNumber(rest);
        if (ours.contains(outer)) current = outerLine;
      }
    } else if (line.starts_with("}") || line.starts_with(".entry") ||
               line.find(".entry ") != std::string_view::npos ||
               line.find(".func ") != std::string_view::npos) {
      current = 0;
    } else if (!line.empty() && !line.starts_with("//")) {
      map.sourceOf[i] = current;
    }
  }
  return map;
}

LineMap lineMapOfSass(std::string_view sass, std::string_view file) {
  const std::vector<std::string_view> lines = split_lines(sass);
  LineMap map;
  map.sourceOf.assign(lines.size(), 0);
  int current = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (const auto mark = line.find("//## File"); mark != std::string_view::npos) {
      // An inlined place is followed by the chain "inlined at "file", line N": the last one of ours counts.
      if (fileName(quoted(line)) == fileName(file)) {
        const auto at = line.rfind("line ");
        std::string_view rest = at == std::string_view::npos ? std::string_view() : line.substr(at);
        current = std::max(0, nextNumber(rest));
      }
      continue;
    }
    if (line.starts_with(".section") || line.starts_with(".text") || line.ends_with(":")) {
      if (!line.starts_with(".L")) current = 0;
      continue;
    }
    if (line.starts_with("/*")) map.sourceOf[i] = current;
  }
  return map;
}

}  // namespace ridge::desktop
