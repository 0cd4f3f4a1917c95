// SPDX-License-Identifier: GPL-3.0-or-later
// PTX text as tokens: words (names, opcodes and numbers with their dots, directives one by one), strings and
// single characters.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/sentence.h"

namespace ridge::device::emulator::ptx {

/// A fault in PTX text; never leaves parse().
struct SyntaxError : std::runtime_error {
  SyntaxError(int at_line, Sentence words, int at_location = -1)
      : std::runtime_error(words.english()),
        line(at_line),
        location(at_location),
        message(std::move(words)) {}
  int line;      ///< 0: none
  int location;  ///< index into Module::locations; -1: unknown
  Sentence message;
};

struct Token {
  enum class Kind { end, word, string, symbol } kind = Kind::end;
  std::string_view text;  ///< of a string: without its quotes
  int line = 0;

  bool is(char symbol) const { return kind == Kind::symbol && text[0] == symbol; }
  bool is(std::string_view word) const { return kind == Kind::word && text == word; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  const Token& peek() const { return next_; }
  Token take() {
    Token token = next_;
    advance();
    return token;
  }
  bool accept(char symbol);
  bool accept(std::string_view word);
  void expect(char symbol);
  std::string_view expect_word(Phrase<> what);
  /// True when the token after the next one is `symbol`.
  bool follows(char symbol) const;
  /// Where the next token begins in the text.
  std::size_t offset() const { return static_cast<std::size_t>(next_.text.data() - text_.data()); }
  [[noreturn]] void fail(const Sentence& message) const { throw SyntaxError(next_.line, message); }

 private:
  void advance() { next_ = scan(position_, line_); }
  Token scan(std::size_t& position, int& line) const;

  std::string_view text_;
  std::size_t position_ = 0;
  int line_ = 1;
  Token next_;
};

}  // namespace ridge::device::emulator::ptx
