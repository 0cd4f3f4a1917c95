// SPDX-License-Identifier: GPL-3.0-or-later
#include "source/mask.h"

#include <algorithm>

namespace ridge::source {
namespace {

/// Walks over a text once and blanks as it goes.
class Masker {
 public:
  explicit Masker(std::string_view text) : text_(text) { result_.code = text; }

  Mask run() {
    bool line_is_blank = true;  // so far
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        line_is_blank = true;
        ++at_;
        continue;
      }
      if (is_space(c)) {
        ++at_;
        continue;
      }
      if (starts("//")) {
        if (line_is_blank) result_.line_comments.push_back(at_);
        line_comment();
      } else if (starts("/*")) {
        block_comment();
        continue;  // a comment may stand before a directive on its line, but that line is then no line of its
                   // own
      } else if (c == '"' || c == '\'') {
        literal(c);
      } else if (is_word(c)) {
        word();
      } else {
        ++at_;
      }
      line_is_blank = false;
    }
    return std::move(result_);
  }

 private:
  std::string_view text_;
  Mask result_;
  std::size_t at_ = 0;

  bool starts(std::string_view token) const { return text_.substr(at_, token.size()) == token; }

  void blank_to(std::size_t end) {
    end = std::min(end, text_.size());
    blank(result_.code, at_, end);
    at_ = end;
  }

  void line_comment() {
    std::size_t end = at_;
    for (;;) {
      end = text_.find('\n', end);
      if (end == std::string_view::npos) end = text_.size();
      std::size_t last = end;
      while (last > at_ && (text_[last - 1] == ' ' || text_[last - 1] == '\t' || text_[last - 1] == '\r'))
        --last;
      const bool goes_on = last > at_ && text_[last - 1] == '\\' && end < text_.size();
      if (!goes_on) break;
      ++end;
    }
    blank_to(end);
  }

  void block_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    blank_to(end == std::string_view::npos ? text_.size() : end + 2);
  }

  /// A string or character; it ends with its quote or, being broken, with its line.
  void literal(char quote) {
    ++at_;
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
      end += text_[end] == '\\' && end + 1 < text_.size() ? 2 : 1;
    blank_to(std::min(end, text_.size()));
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
  }

  void raw_string() {
    const std::size_t open = text_.find('(', at_);
    constexpr std::size_t kLongestDelimiter = 16;
    if (open == std::string_view::npos || open - at_ - 1 > kLongestDelimiter) return literal('"');
    const std::string closing = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t end = text_.find(closing, open);
    ++at_;
    blank_to(end == std::string_view::npos ? text_.size() : end + closing.size() - 1);
    if (at_ < text_.size()) ++at_;
  }

  /// A name or number; a prefix of a literal goes with it, and so does a digit separator.
  void word() {
    const std::size_t begin = at_;
    const bool number = text_[at_] >= '0' && text_[at_] <= '9';
    while (at_ < text_.size() && (is_word(text_[at_]) || (number && text_[at_] == '\'' &&
                                                          at_ + 1 < text_.size() && is_word(text_[at_ + 1]))))
      ++at_;
    if (at_ >= text_.size() || text_[at_] != '"') return;
    const std::string_view prefix = text_.substr(begin, at_ - begin);
    if (prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R") raw_string();
  }
};

}  // namespace

Mask mask(std::string_view text) {
  return Masker(text).run();
}

void blank(std::string& code, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (code[i] != '\n' && code[i] != '\r') code[i] = ' ';
}

LineIndex::LineIndex(std::string_view text) {
  starts_.push_back(0);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts_.push_back(i + 1);
}

int LineIndex::line_of(std::size_t offset) const {
  return static_cast<int>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin());
}

std::string_view word_at(std::string_view text, std::size_t offset) {
  std::size_t end = offset;
  if (end < text.size() && is_word_start(text[end]))
    while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(std::min(offset, text.size()), end - std::min(offset, end));
}

}  // namespace ridge::source
