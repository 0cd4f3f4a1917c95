// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/expression_text.h"

#include "base/diagnostic.h"

namespace ridge::problem {

Error expression_error(std::string_view expression, const Sentence& what, const Sentence& hint) {
  constexpr std::size_t kShown = 60;
  std::string shown(expression.substr(0, kShown));
  if (expression.size() > kShown) shown += "…";
  return {ErrorKind::definition, "expression", say("\"{}\": {}", shown, what), hint, {}, 0};
}

Error too_long(std::size_t length) {
  return {ErrorKind::definition,
          "expression",
          say("an expression of {} characters is too long; {} are allowed", length, kExpressionLength),
          say("split it into axes of kind expr"),
          {},
          0};
}

Sentence unknown_name_hint(const std::string& name, const Names& names) {
  std::vector<std::string> known;
  for (const auto& entry : names) known.push_back(entry.first);
  const std::string near = nearest(name, known);
  if (!near.empty()) return say("did you mean {}?", near);
  if (known.empty()) return say("only numbers can stand here");
  return say("known names: {}", joined(known));
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace ridge::problem
