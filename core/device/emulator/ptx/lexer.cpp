// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/ptx/lexer.h"

namespace ridge::device::emulator::ptx {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

}  // namespace

Token Lexer::scan(std::size_t& position, int& line) const {
  const std::size_t size = text_.size();
  for (;;) {  // blanks and comments
    while (position < size && is_blank(text_[position])) line += text_[position++] == '\n';
    if (text_.substr(position, 2) == "//") {
      while (position < size && text_[position] != '\n') ++position;
    } else if (text_.substr(position, 2) == "/*") {
      const int begin = line;
      while (position < size && text_.substr(position, 2) != "*/") line += text_[position++] == '\n';
      if (position >= size) throw SyntaxError(begin, say("a comment has no end"));
      position += 2;
    } else {
      break;
    }
  }
  if (position >= size) return {Token::Kind::end, {}, line};
  const std::size_t begin = position;
  if (text_[begin] == '"') {
    const std::size_t end = text_.find('"', begin + 1);
    if (end == std::string_view::npos) throw SyntaxError(line, say("a string has no end"));
    position = end + 1;
    return {Token::Kind::string, text_.substr(begin + 1, end - begin - 1), line};
  }
  // What begins with a dot is a directive, and the next one may follow without a blank: `.reg.b32`. A percent
  // sign begins a name.
  const bool directive = text_[begin] == '.' && begin + 1 < size && !is_digit(text_[begin + 1]);
  while (position < size) {
    const char c = text_[position];
    if (position > begin && (c == '%' || (c == '.' && directive))) break;
    if (is_word_character(c)) {
      ++position;
    } else if (position > begin && text_.substr(position, 2) == "::") {
      position += 2;
    } else {
      break;
    }
  }
  if (position > begin) return {Token::Kind::word, text_.substr(begin, position - begin), line};
  ++position;
  return {Token::Kind::symbol, text_.substr(begin, 1), line};
}

bool Lexer::accept(char symbol) {
  if (!next_.is(symbol)) return false;
  advance();
  return true;
}

bool Lexer::accept(std::string_view word) {
  if (!next_.is(word)) return false;
  advance();
  return true;
}

void Lexer::expect(char symbol) {
  if (!accept(symbol)) fail(say("expected '{}' before '{}'", symbol, next_.text));
}

std::string_view Lexer::expect_word(Phrase<> what) {
  if (next_.kind != Token::Kind::word) fail(say("expected {} before '{}'", what, next_.text));
  return take().text;
}

bool Lexer::follows(char symbol) const {
  std::size_t position = position_;
  int line = line_;
  return scan(position, line).is(symbol);
}

}  // namespace ridge::device::emulator::ptx
