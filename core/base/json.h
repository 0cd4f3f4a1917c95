// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as the documents and the worker protocol use it: what is not known is null, never 0; non-finite
// numbers and integers beyond 2^53 are strings; keys keep their order.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/result.h"

namespace ridge {

using Json = nlohmann::ordered_json;

Json json_number(double value);                 ///< a number, or "nan", "inf", "-inf"
Json json_number(std::optional<double> value);  ///< null when empty
Json json_integer(std::int64_t value);          ///< a number, or its decimal string beyond 2^53
Json json_unsigned(std::uint64_t value);

// Tolerant readers for values that came over a wire or from a file: a missing key or a wrong type gives the
// fallback (or nothing), never an exception.
double read_number(const Json& json, std::string_view key, double fallback);  ///< also "nan", "inf", "-inf"
std::optional<double> read_number(const Json& json, std::string_view key);
std::int64_t read_integer(const Json& json, std::string_view key,
                          std::int64_t fallback);  ///< also decimal strings
std::uint64_t read_unsigned(const Json& json, std::string_view key, std::uint64_t fallback);
std::string read_string(const Json& json, std::string_view key, std::string fallback = {});
bool read_bool(const Json& json, std::string_view key, bool fallback);
/// The member, or a null that lives for ever.
const Json& member(const Json& json, std::string_view key);

/// Parses text; depth is limited to 256. The error names line and column.
Result<Json> parse_json(std::string_view text);

/// `key`: the sentence in English. Where it can be translated, `key`_parts: ["pattern", argument, …], an
/// argument being a string or such an array.
void put_sentence(Json& object, const std::string& key, const Sentence& sentence);
void put_sentences(Json& object, const std::string& key, const std::vector<Sentence>& sentences);
/// Parts that are malformed, too deep, or do not make the English sentence are passed over.
Sentence read_sentence(const Json& object, const std::string& key);
std::vector<Sentence> read_sentences(const Json& object, const std::string& key);

Json to_json(const Diagnostic& diagnostic);
Diagnostic diagnostic_from_json(const Json& json);
Json to_json(const Diagnostics& diagnostics);
Diagnostics diagnostics_from_json(const Json& json);
Json to_json(const Error& error);
Error error_from_json(const Json& json);

/// "The status of the verdict is 'flaky', which … does not know"; an empty word: it is missing.
Error unknown_word(Phrase<> what, const std::string& word);

/// What `named` (a `…_named` function) gives for the word of a member; without a string there: `fallback`. A
/// word that this release does not know is an Error with code unknown_word, so that nothing which a newer
/// release wrote is taken for something else.
template <class Named, class Value>
Result<Value> read_named(const Json& json, std::string_view key, Phrase<> what, Named named,
                         std::optional<Value> fallback) {
  const Json& word = member(json, key);
  if (!word.is_string() && fallback) return *fallback;
  const std::string text = read_string(json, key);
  if (const std::optional<Value> value = named(text)) return *value;
  return unknown_word(what, text);
}

std::string encode_base64(std::string_view bytes);
/// Empty on a character outside of the alphabet or a wrong length.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace ridge
