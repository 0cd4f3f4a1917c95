// SPDX-License-Identifier: GPL-3.0-or-later
// The directives tensor_map and texture: NAME = TENSOR, then words with values.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "problem/expression.h"
#include "source/directives.h"

namespace ridge::source {
namespace {

constexpr const char* kTensorMapForm = "write //@ tensor_map: a_map = a box 64x64 swizzle 128B";
constexpr const char* kTextureForm = "write //@ texture: tex = x filter linear address clamp";

Error fault(std::string message, std::string hint) {
  return {ErrorKind::definition, "directive_value", std::move(message), std::move(hint), {}, 0};
}

bool is_name(std::string_view text) {
  return !text.empty() && word_at(text, 0).size() == text.size();
}

/// NAME = TENSOR, and what follows each of the words.
struct Phrase {
  std::string name, tensor;
  std::map<std::string, std::string> values;
};
Result<Phrase> read_phrase(const std::string& text, const std::vector<std::string>& words, const char* form) {
  Phrase phrase;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return fault("\"" + text + "\" names no tensor", form);
  phrase.name = trim(std::string_view(text).substr(0, equals));
  std::string word, *value = &phrase.tensor;
  for (std::string_view rest = trim(std::string_view(text).substr(equals + 1)); !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    word = rest.substr(0, end);
    rest = trim(rest.substr(end));
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      *value += (value->empty() ? "" : " ") + word;
      continue;
    }
    const auto [place, fresh] = phrase.values.emplace(word, "");
    if (!fresh) return fault(word + " is given twice", "keep one");
    value = &place->second;
  }
  if (!is_name(phrase.name) || !is_name(phrase.tensor))
    return fault("\"" + text + "\" is no NAME = TENSOR", form);
  for (const auto& [key, given] : phrase.values)
    if (given.empty()) return fault(key + " has no value", form);
  return phrase;
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
    if (!names) return fault(what + " \"" + text + "\": " + names.error().message.english(), names.error().hint.english());
  }
  if (parts.size() > 5) return fault(what + " has " + std::to_string(parts.size()) + " extents", "at most 5");
  return parts;
}

Result<void> choose(const Phrase& phrase, const std::string& word, const std::vector<std::string>& choices,
                    std::string& into) {
  const auto given = phrase.values.find(word);
  if (given == phrase.values.end()) return {};
  if (std::find(choices.begin(), choices.end(), given->second) == choices.end()) {
    std::string list;
    for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
    return fault(word + " is \"" + given->second + "\"", "write one of " + list);
  }
  into = given->second;
  return {};
}

}  // namespace

Result<TensorMap> parse_tensor_map(const std::string& value) {
  auto phrase = read_phrase(value, {"box", "view", "swizzle", "l2", "fill"}, kTensorMapForm);
  if (!phrase) return phrase.error();
  TensorMap map;
  map.name = phrase->name;
  map.tensor = phrase->tensor;
  if (!phrase->values.contains("box")) return fault("map " + map.name + " has no box", kTensorMapForm);
  auto box = extents(phrase->values["box"], "box");
  if (!box) return box.error();
  map.box = *std::move(box);
  if (phrase->values.contains("view")) {
    auto view = extents(phrase->values["view"], "view");
    if (!view) return view.error();
    map.view = *std::move(view);
    if (map.view.size() != map.box.size())
      return fault(
          "view has " + std::to_string(map.view.size()) + " extents, box " + std::to_string(map.box.size()),
          "give both as many");
  }
  if (auto done = choose(*phrase, "swizzle", {"none", "32B", "64B", "128B"}, map.swizzle); !done)
    return done.error();
  if (auto done = choose(*phrase, "l2", {"none", "64B", "128B", "256B"}, map.l2); !done) return done.error();
  if (auto done = choose(*phrase, "fill", {"zero", "nan"}, map.fill); !done) return done.error();
  return map;
}

Result<Texture> parse_texture(const std::string& value) {
  auto phrase = read_phrase(value, {"filter", "address", "coordinates", "read"}, kTextureForm);
  if (!phrase) return phrase.error();
  Texture texture;
  texture.name = phrase->name;
  texture.tensor = phrase->tensor;
  if (auto done = choose(*phrase, "filter", {"point", "linear"}, texture.filter); !done) return done.error();
  if (auto done = choose(*phrase, "address", {"clamp", "border", "wrap", "mirror"}, texture.address); !done)
    return done.error();
  if (auto done = choose(*phrase, "coordinates", {"texels", "normalized"}, texture.coordinates); !done)
    return done.error();
  if (auto done = choose(*phrase, "read", {"element", "normalized"}, texture.read); !done)
    return done.error();
  return texture;
}

}  // namespace ridge::source
