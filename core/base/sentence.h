// SPDX-License-Identifier: GPL-3.0-or-later
// What the program says to people: an English pattern with places for words, so that a window can say the
// same in another language. Text from elsewhere (names, numbers, what a compiler printed) is a sentence
// without a pattern.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ridge {

/// An English pattern that translations know, with `Places` times `{}` in it. Made of literals in the source
/// only: what collects the patterns for translators looks for the calls of say() and phrase().
template <std::size_t Places = 0>
class Phrase {
 public:
  consteval Phrase(const char* english) : english_(english) {
    std::size_t places = 0;
    const std::string_view text(english);
    for (std::size_t i = text.find("{}"); i != std::string_view::npos; i = text.find("{}", i + 2)) ++places;
    if (places != Places) throw "as many places as arguments are needed";
  }
  constexpr const char* english() const { return english_; }

 private:
  const char* english_;
};

class Sentence {
 public:
  Sentence() = default;
  /// Words that are the same in every language.
  Sentence(std::string words) : english_(std::move(words)) {}
  Sentence(const char* words) : english_(words) {}
  template <std::size_t Places>
  Sentence(Phrase<Places> pattern, std::vector<Sentence> arguments)
      : Sentence(std::string(pattern.english()), std::move(arguments)) {}
  Sentence(Phrase<> pattern) : Sentence(pattern, {}) {}

  const std::string& english() const { return english_; }
  bool empty() const { return english_.empty(); }
  /// Is there a pattern to translate?
  bool has_pattern() const { return parts_ != nullptr; }
  /// Only of a sentence that has a pattern.
  const std::string& pattern() const { return parts_->pattern; }
  const std::vector<Sentence>& arguments() const { return parts_->arguments; }

  /// Of a pattern that is not from this source but was written by another process.
  static Sentence from_parts(std::string pattern, std::vector<Sentence> arguments) {
    return Sentence(std::move(pattern), std::move(arguments));
  }

  /// The same English.
  friend bool operator==(const Sentence& a, const Sentence& b) { return a.english_ == b.english_; }

 private:
  struct Parts {
    std::string pattern;
    std::vector<Sentence> arguments;
  };
  Sentence(std::string pattern, std::vector<Sentence> arguments);

  std::string english_;
  std::shared_ptr<const Parts> parts_;  ///< shared by copies, which are many
};

std::ostream& operator<<(std::ostream& out, const Sentence& sentence);  ///< in English

/// A pattern of a table, for the day on which it is said.
template <std::size_t Places = 0>
consteval Phrase<Places> phrase(const char* english) {
  return Phrase<Places>(english);
}

namespace detail {

template <class T>
Sentence argument(T&& value) {
  if constexpr (std::is_same_v<std::remove_cvref_t<T>, char>)
    return Sentence(std::string(1, value));
  else if constexpr (std::is_integral_v<std::remove_cvref_t<T>>)
    return Sentence(std::to_string(value));
  else if constexpr (std::is_same_v<std::remove_cvref_t<T>, std::string_view>)
    return Sentence(std::string(value));
  else
    return Sentence(std::forward<T>(value));
}

}  // namespace detail

/// say("Out-of-bounds {} of {} bytes", verb, bytes): arguments are numbers, words that no language changes,
/// and sentences of their own. Translations number the places ({0}, {1}) where their order differs.
template <class... Arguments>
Sentence say(std::type_identity_t<Phrase<sizeof...(Arguments)>> pattern, Arguments&&... arguments) {
  std::vector<Sentence> list;
  list.reserve(sizeof...(Arguments));
  (list.push_back(detail::argument(std::forward<Arguments>(arguments))), ...);
  return Sentence(pattern, std::move(list));
}

/// One sentence after the other; an empty one leaves no blank.
Sentence join(const Sentence& first, const Sentence& second);
/// "a, b, c".
Sentence listed(std::span<const Sentence> items);

/// `pattern` with its places filled: `{}` in order, `{N}` by number. A place without an argument stays as it
/// is.
std::string fill(std::string_view pattern, std::span<const std::string> arguments);

}  // namespace ridge
