// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/expression_text.h"

#include "base/diagnostic.h"

namespace ridge::problem {

Error expression_error(std::string_view expression, const std::string& what, const std::string& hint) {
  constexpr std::size_t kShown = 60;
  std::string shown(expression.substr(0, kShown));
  if (expression.size() > kShown) shown += "…";
  return {ErrorKind::definition, "expression", "\"" + shown + "\": " + what, hint, {}, 0};
}

Error too_long(std::size_t length) {
  return {ErrorKind::definition,
          "expression",
          "an expression of " + std::to_string(length) + " characters is too long; " +
              std::to_string(kExpressionLength) + " are allowed",
          "split it into axes of kind expr",
          {},
          0};
}

std::string unknown_name_hint(const std::string& name, const Names& names) {
  std::vector<std::string> known;
  for (const auto& entry : names) known.push_back(entry.first);
  const std::string near = nearest(name, known);
  if (!near.empty()) return "did you mean " + near + "?";
  if (known.empty()) return "only numbers can stand here";
  return "known names: " + joined(known);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace ridge::problem
