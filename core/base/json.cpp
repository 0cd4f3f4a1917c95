// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/version.h"

namespace ridge {
namespace {

constexpr std::int64_t kExact = std::int64_t{1} << 53;
constexpr int kDepth = 256;

std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return {};
  const std::string& text = value.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

template <class Integer>
std::optional<Integer> integer_of(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number <= static_cast<std::uint64_t>(std::numeric_limits<Integer>::max()))
      return static_cast<Integer>(number);
    return {};
  }
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (std::is_signed_v<Integer> || number >= 0) return static_cast<Integer>(number);
    return {};
  }
  if (!value.is_string()) return {};
  const std::string& text = value.get_ref<const std::string&>();
  Integer number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

struct KindName {
  ErrorKind kind;
  std::string_view name;
};
constexpr std::array kKinds{
    KindName{ErrorKind::usage, "usage"},       KindName{ErrorKind::definition, "definition"},
    KindName{ErrorKind::question, "question"}, KindName{ErrorKind::component, "component"},
    KindName{ErrorKind::compile, "compile"},   KindName{ErrorKind::cancelled, "cancelled"},
    KindName{ErrorKind::protocol, "protocol"}, KindName{ErrorKind::internal, "internal"}};

/// Line and column (1-based) of a byte offset.
std::pair<int, int> place_of(std::string_view text, std::size_t offset) {
  int line = 1, column = 1;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
  }
  return {line, column};
}

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  // Counts stay integers in the text: 134217728, not 134217728.0.
  if (value == std::floor(value) && std::abs(value) <= static_cast<double>(kExact) &&
      !(value == 0 && std::signbit(value)))
    return static_cast<std::int64_t>(value);
  return value;
}

Json json_number(std::optional<double> value) {
  return value ? json_number(*value) : Json(nullptr);
}

Json json_integer(std::int64_t value) {
  if (value > kExact || value < -kExact) return std::to_string(value);
  return value;
}

Json json_unsigned(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(kExact)) return std::to_string(value);
  return value;
}

const Json& member(const Json& json, std::string_view key) {
  static const Json kNull;
  if (!json.is_object()) return kNull;
  const auto found = json.find(key);
  return found == json.end() ? kNull : *found;
}

double read_number(const Json& json, std::string_view key, double fallback) {
  return number_of(member(json, key)).value_or(fallback);
}
std::optional<double> read_number(const Json& json, std::string_view key) {
  return number_of(member(json, key));
}
std::int64_t read_integer(const Json& json, std::string_view key, std::int64_t fallback) {
  return integer_of<std::int64_t>(member(json, key)).value_or(fallback);
}
std::uint64_t read_unsigned(const Json& json, std::string_view key, std::uint64_t fallback) {
  return integer_of<std::uint64_t>(member(json, key)).value_or(fallback);
}
std::string read_string(const Json& json, std::string_view key, std::string fallback) {
  const Json& value = member(json, key);
  return value.is_string() ? value.get<std::string>() : std::move(fallback);
}
bool read_bool(const Json& json, std::string_view key, bool fallback) {
  const Json& value = member(json, key);
  return value.is_boolean() ? value.get<bool>() : fallback;
}

Result<Json> parse_json(std::string_view text) {
  // The parser itself recurses only over a heap-allocated stack, but every later walk of a value recurses on
  // ours.
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kDepth) {
        const int line = place_of(text, i).first;
        return Error{ErrorKind::definition,
                     "json_depth",
                     say("the JSON is nested deeper than {} levels (line {})", kDepth, line),
                     say("flatten it"),
                     {},
                     line};
      }
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& fault) {
    const auto [line, column] = place_of(text, fault.byte > 0 ? fault.byte - 1 : 0);
    return Error{ErrorKind::definition,
                 "json",
                 say("not JSON at line {}, column {}: {}", line, column, fault.what()),
                 {},
                 {},
                 line};
  } catch (const Json::exception& fault) {
    return Error{ErrorKind::definition, "json", say("not JSON: {}", fault.what()), {}, {}, 0};
  }
}

Error unknown_word(Phrase<> what, const std::string& word) {
  if (word.empty()) return {ErrorKind::protocol, "unknown_word", say("{} is missing", what), {}, {}, 0};
  return {ErrorKind::protocol,
          "unknown_word",
          say("{} is '{}', which Ridgepoint {} does not know", what, word, kVersion),
          say("use the release that wrote it"),
          {},
          0};
}

namespace {

constexpr int kDeepestSentence = 16;

Json parts_of(const Sentence& sentence, int depth = 0) {
  if (!sentence.has_pattern() || depth >= kDeepestSentence) return sentence.english();
  Json parts = Json::array({sentence.pattern()});
  for (const Sentence& argument : sentence.arguments()) parts.push_back(parts_of(argument, depth + 1));
  return parts;
}

std::optional<Sentence> sentence_of(const Json& parts, int depth = 0) {
  if (parts.is_string()) return Sentence(parts.get<std::string>());
  if (!parts.is_array() || parts.empty() || !parts[0].is_string() || depth >= kDeepestSentence) return {};
  std::vector<Sentence> arguments;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::optional<Sentence> argument = sentence_of(parts[i], depth + 1);
    if (!argument) return {};
    arguments.push_back(*std::move(argument));
  }
  return Sentence::from_parts(parts[0].get<std::string>(), std::move(arguments));
}

Sentence with_parts(Sentence english, const Json& parts) {
  const std::optional<Sentence> whole = sentence_of(parts);
  return whole && *whole == english ? *whole : english;
}

}  // namespace

void put_sentence(Json& object, const std::string& key, const Sentence& sentence) {
  object[key] = sentence.english();
  if (sentence.has_pattern()) object[key + "_parts"] = parts_of(sentence);
}

void put_sentences(Json& object, const std::string& key, const std::vector<Sentence>& sentences) {
  Json english = Json::array(), parts = Json::array();
  for (const Sentence& sentence : sentences) {
    english.push_back(sentence.english());
    parts.push_back(parts_of(sentence));
  }
  object[key] = english;
  if (parts != english) object[key + "_parts"] = std::move(parts);
}

Sentence read_sentence(const Json& object, const std::string& key) {
  return with_parts(read_string(object, key), member(object, key + "_parts"));
}

std::vector<Sentence> read_sentences(const Json& object, const std::string& key) {
  std::vector<Sentence> sentences;
  const Json &english = member(object, key), &parts = member(object, key + "_parts");
  if (!english.is_array()) return sentences;
  for (std::size_t i = 0; i < english.size(); ++i)
    if (english[i].is_string())
      sentences.push_back(with_parts(english[i].get<std::string>(),
                                     parts.is_array() && i < parts.size() ? parts[i] : Json()));
  return sentences;
}

Json to_json(const Diagnostic& diagnostic) {
  Json json{{"severity", name_of(diagnostic.severity)},
            {"file", diagnostic.file.empty() ? Json(nullptr) : Json(diagnostic.file)},
            {"line", diagnostic.line > 0 ? Json(diagnostic.line) : Json(nullptr)},
            {"column", diagnostic.column > 0 ? Json(diagnostic.column) : Json(nullptr)},
            {"code", diagnostic.code}};
  put_sentence(json, "message", diagnostic.message);
  put_sentence(json, "hint", diagnostic.hint);
  if (diagnostic.hint.empty()) json["hint"] = nullptr;
  return json;
}

Diagnostic diagnostic_from_json(const Json& json) {
  Diagnostic result;
  // A word of a newer release counts as the gravest: nothing is passed over.
  result.severity = severity_named(read_string(json, "severity")).value_or(Severity::error);
  result.file = read_string(json, "file");
  result.line = static_cast<int>(read_integer(json, "line", 0));
  result.column = static_cast<int>(read_integer(json, "column", 0));
  result.code = read_string(json, "code");
  result.message = read_sentence(json, "message");
  result.hint = read_sentence(json, "hint");
  return result;
}

Json to_json(const Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) list.push_back(to_json(diagnostic));
  return list;
}

Diagnostics diagnostics_from_json(const Json& json) {
  Diagnostics result;
  if (json.is_array())
    for (const Json& entry : json) result.push_back(diagnostic_from_json(entry));
  return result;
}

Json to_json(const Error& error) {
  std::string_view kind = "internal";
  for (const KindName& entry : kKinds)
    if (entry.kind == error.kind) kind = entry.name;
  Json json{{"kind", kind}, {"code", error.code}};
  put_sentence(json, "message", error.message);
  put_sentence(json, "hint", error.hint);
  json["file"] = error.file;
  json["line"] = error.line > 0 ? Json(error.line) : Json();
  return json;
}

Error error_from_json(const Json& json) {
  Error error;
  const std::string kind = read_string(json, "kind");
  for (const KindName& entry : kKinds)
    if (entry.name == kind) error.kind = entry.kind;
  error.code = read_string(json, "code");
  error.message = read_sentence(json, "message");
  error.hint = read_sentence(json, "hint");
  error.file = read_string(json, "file");
  error.line = static_cast<int>(read_integer(json, "line", 0));
  return error;
}

std::string encode_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    text += kAlphabet[group >> 18];
    text += kAlphabet[group >> 12 & 63];
    text += left > 1 ? kAlphabet[group >> 6 & 63] : '=';
    text += left > 2 ? kAlphabet[group & 63] : '=';
  }
  return text;
}

std::optional<std::string> decode_base64(std::string_view text) {
  static const auto kValues = [] {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (int i = 0; i < 64; ++i)
      values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
    return values;
  }();
  if (text.size() % 4 != 0) return {};
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t padding = last && text[i + 3] == '=' ? (text[i + 2] == '=' ? 2 : 1) : 0;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int value = k >= 4 - padding ? 0 : kValues[static_cast<unsigned char>(text[i + k])];
      if (value < 0) return {};
      group = group << 6 | static_cast<std::uint32_t>(value);
    }
    for (std::size_t k = 0; k < 3 - padding; ++k) bytes += static_cast<char>(group >> (16 - 8 * k) & 255);
  }
  return bytes;
}

}  // namespace ridge
