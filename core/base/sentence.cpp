// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sentence.h"

#include <ostream>

namespace ridge {

std::string fill(std::string_view pattern, std::span<const std::string> arguments) {
  std::string text;
  std::size_t next = 0;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    text += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    pattern.remove_prefix(open);
    const std::size_t digits = pattern.size() > 2 && pattern[1] >= '0' && pattern[1] <= '9' ? 1 : 0;
    const std::size_t index = digits > 0 ? static_cast<std::size_t>(pattern[1] - '0') : next;
    if (pattern.size() > digits + 1 && pattern[digits + 1] == '}' && index < arguments.size()) {
      text += arguments[index];
      if (digits == 0) ++next;
      pattern.remove_prefix(digits + 2);
    } else {
      text += '{';
      pattern.remove_prefix(1);
    }
  }
  return text;
}

Sentence::Sentence(std::string pattern, std::vector<Sentence> arguments) {
  std::vector<std::string> words;
  words.reserve(arguments.size());
  for (const Sentence& argument : arguments) words.push_back(argument.english());
  english_ = fill(pattern, words);
  parts_ = std::make_shared<const Parts>(Parts{std::move(pattern), std::move(arguments)});
}

std::ostream& operator<<(std::ostream& out, const Sentence& sentence) {
  return out << sentence.english();
}

Sentence join(const Sentence& first, const Sentence& second) {
  if (first.empty()) return second;
  if (second.empty()) return first;
  return say("{} {}", first, second);
}

Sentence listed(std::span<const Sentence> items) {
  if (items.empty()) return {};
  if (items.size() == 1) return items.front();
  // By halves, so that a long list is not a deep one.
  const std::size_t half = items.size() / 2;
  return say("{}, {}", listed(items.first(half)), listed(items.subspan(half)));
}

}  // namespace ridge
