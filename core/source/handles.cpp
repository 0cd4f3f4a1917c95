// SPDX-License-Identifier: GPL-3.0-or-later
// The directives tensor_map and texture: NAME = TENSOR, then words with values.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "problem/expression.h"
#include "source/directives.h"

namespace ridge::source {
namespace {

constexpr const char* kTensorMapForm = "//@ tensor_map: a_map = a box 64x64 swizzle 128B";
constexpr const char* kTextureForm = "//@ texture: tex = x filter linear address clamp";

Error fault(Sentence message, Sentence hint) {
  return {ErrorKind::definition, "directive_value", std::move(message), std::move(hint), {}, 0};
}

bool is_name(std::string_view text) {
  return !text.empty() && word_at(text, 0).size() == text.size();
}

/// NAME = TENSOR, and what follows each of the words.
struct Clause {
  std::string name, tensor;
  std::map<std::string, std::string> values;
};
Result<Clause> read_clause(const std::string& text, const std::vector<std::string>& words, const char* form) {
  Clause clause;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return fault(say("\"{}\" names no tensor", text), say("write {}", form));
  clause.name = trim(std::string_view(text).substr(0, equals));
  std::string word, *value = &clause.tensor;
  for (std::string_view rest = trim(std::string_view(text).substr(equals + 1)); !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    word = rest.substr(0, end);
    rest = trim(rest.substr(end));
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      *value += (value->empty() ? "" : " ") + word;
      continue;
    }
    const auto [place, fresh] = clause.values.emplace(word, "");
    if (!fresh) return fault(say("{} is given twice", word), say("keep one"));
    value = &place->second;
  }
  if (!is_name(clause.name) || !is_name(clause.tensor))
    return fault(say("\"{}\" is no NAME = TENSOR", text), say("write {}", form));
  for (const auto& [key, given] : clause.values)
    if (given.empty()) return fault(say("{} has no value", key), say("write {}", form));
  return clause;
}

/// "64x64", "BM x BK": an x that no name could be part of separates extents.
Result<std::vector<std::string>> extents(const std::string& text, const std::string& what) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at], before = at > 0 ? text[at - 1] : '\0',
               after = at + 1 < text.size() ? text[at + 1] : '\0';
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    const bool ends = before == ' ' || before == ')' || (before >= '0' && before <= '9');
    const bool begins = after == ' ' || after == '(' || (after >= '0' && after <= '9');
    if (c == 'x' && depth == 0 && ends && begins)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) {
    part = trim(part);
    const auto names = problem::names_in_whole(part);
    if (!names) return fault(say("{} \"{}\": {}", what, text, names.error().message), names.error().hint);
  }
  if (parts.size() > 5) return fault(say("{} has {} extents", what, parts.size()), say("at most 5"));
  return parts;
}

Result<void> choose(const Clause& clause, const std::string& word, const std::vector<std::string>& choices,
                    std::string& into) {
  const auto given = clause.values.find(word);
  if (given == clause.values.end()) return {};
  if (std::find(choices.begin(), choices.end(), given->second) == choices.end()) {
    std::string list;
    for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
    return fault(say("{} is \"{}\"", word, given->second), say("write one of {}", list));
  }
  into = given->second;
  return {};
}

}  // namespace

Result<TensorMap> parse_tensor_map(const std::string& value) {
  auto clause = read_clause(value, {"box", "view", "swizzle", "l2", "fill"}, kTensorMapForm);
  if (!clause) return clause.error();
  TensorMap map;
  map.name = clause->name;
  map.tensor = clause->tensor;
  if (!clause->values.contains("box"))
    return fault(say("map {} has no box", map.name), say("write {}", kTensorMapForm));
  auto box = extents(clause->values["box"], "box");
  if (!box) return box.error();
  map.box = *std::move(box);
  if (clause->values.contains("view")) {
    auto view = extents(clause->values["view"], "view");
    if (!view) return view.error();
    map.view = *std::move(view);
    if (map.view.size() != map.box.size())
      return fault(say("view has {} extents, box {}", map.view.size(), map.box.size()),
                   say("give both as many"));
  }
  if (auto done = choose(*clause, "swizzle", {"none", "32B", "64B", "128B"}, map.swizzle); !done)
    return done.error();
  if (auto done = choose(*clause, "l2", {"none", "64B", "128B", "256B"}, map.l2); !done) return done.error();
  if (auto done = choose(*clause, "fill", {"zero", "nan"}, map.fill); !done) return done.error();
  return map;
}

Result<Texture> parse_texture(const std::string& value) {
  auto clause = read_clause(value, {"filter", "address", "coordinates", "read"}, kTextureForm);
  if (!clause) return clause.error();
  Texture texture;
  texture.name = clause->name;
  texture.tensor = clause->tensor;
  if (auto done = choose(*clause, "filter", {"point", "linear"}, texture.filter); !done) return done.error();
  if (auto done = choose(*clause, "address", {"clamp", "border", "wrap", "mirror"}, texture.address); !done)
    return done.error();
  if (auto done = choose(*clause, "coordinates", {"texels", "normalized"}, texture.coordinates); !done)
    return done.error();
  if (auto done = choose(*clause, "read", {"element", "normalized"}, texture.read); !done)
    return done.error();
  return texture;
}

}  // namespace ridge::source
