// SPDX-License-Identifier: GPL-3.0-or-later
// What both kinds of expressions share: characters, and the form of their errors. Private to this room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "problem/expression.h"

namespace ridge::problem {

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

/// "\"rows +\": it ends too early"; a long expression is shown by its beginning.
Error expression_error(std::string_view expression, const Sentence& what, const Sentence& hint);
Error too_long(std::size_t length);
/// "did you mean cols?", or the list of names.
Sentence unknown_name_hint(const std::string& name, const Names& names);
std::string joined(const std::vector<std::string>& words);

}  // namespace ridge::problem
