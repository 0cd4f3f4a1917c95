// SPDX-License-Identifier: GPL-3.0-or-later
// A source text with its comments and literals blanked: same length, same lines, nothing left that looks like
// code and is none. Private to this room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::source {

struct Mask {
  std::string
      code;  ///< comments and the insides of literals are blanks; quotes, line ends and everything else stay
  /// Offsets of "//" comments that are the first thing on their line.
  std::vector<std::size_t> line_comments;
};

/// Knows // (also continued by a backslash), /* */, strings, characters, raw strings and digit separators.
Mask mask(std::string_view text);

/// Replaces [begin, end) by blanks; line ends stay.
void blank(std::string& code, std::size_t begin, std::size_t end);

/// The 1-based line of offsets, by bisection.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  int line_of(std::size_t offset) const;
  std::size_t start_of(int line) const { return starts_[static_cast<std::size_t>(line) - 1]; }
  int lines() const { return static_cast<int>(starts_.size()); }

 private:
  std::vector<std::size_t> starts_;
};

inline bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_word(char c) {
  return is_word_start(c) || (c >= '0' && c <= '9');
}
inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
/// The word that starts at `offset`, or an empty view.
std::string_view word_at(std::string_view text, std::size_t offset);

}  // namespace ridge::source
