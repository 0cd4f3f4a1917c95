// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace ridge {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> parts;
  if (trim(text).empty()) return parts;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      if (depth > 0) --depth;
    } else if (c == separator && depth == 0) {
      parts.emplace_back(trim(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  parts.emplace_back(trim(text.substr(begin)));
  return parts;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string human_bytes(double bytes) {
  static constexpr std::array<const char*, 6> kUnits{"bytes", "KB", "MB", "GB", "TB", "PB"};
  if (!std::isfinite(bytes)) return "unknown size";
  std::size_t unit = 0;
  double value = bytes;
  while (std::abs(value) >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f} {}", value, kUnits[unit]);
  const int digits = std::abs(value) >= 100 ? 0 : 2;
  return fmt::format("{:.{}f} {}", value, digits, kUnits[unit]);
}

}  // namespace ridge
