// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/parameter_type.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "base/text.h"

namespace ridge::device {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}

std::vector<std::string> words_of(std::string_view type) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < type.size();) {
    if (!is_word(type[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < type.size() && is_word(type[end])) ++end;
    words.emplace_back(type.substr(at, end - at));
    at = end;
  }
  return words;
}

constexpr std::array<std::pair<std::string_view, DType>, 29> kNamed{{
    {"double", DType::float64},
    {"float", DType::float32},
    {"half", DType::float16},
    {"__half", DType::float16},
    {"nv_bfloat16", DType::bfloat16},
    {"__nv_bfloat16", DType::bfloat16},
    {"__nv_fp8_e4m3", DType::float8_e4m3fn},
    {"__nv_fp8_e5m2", DType::float8_e5m2},
    {"int64_t", DType::int64},
    {"ptrdiff_t", DType::int64},
    {"ssize_t", DType::int64},
    {"int32_t", DType::int32},
    {"int16_t", DType::int16},
    {"int8_t", DType::int8},
    {"uint64_t", DType::uint64},
    {"size_t", DType::uint64},
    {"uint32_t", DType::uint32},
    {"uint", DType::uint32},
    {"uint16_t", DType::uint16},
    {"ushort", DType::uint16},
    {"uint8_t", DType::uint8},
    {"uchar", DType::uint8},
    {"bool", DType::boolean},
    {"std::size_t", DType::uint64},
    {"std::int64_t", DType::int64},
    {"std::uint64_t", DType::uint64},
    {"std::int32_t", DType::int32},
    {"std::uint32_t", DType::uint32},
    {"std::uint8_t", DType::uint8},
}};

/// "unsigned", "long", "long", "int" in any order, as C has it (LP64).
std::optional<DType> built_in_integer(const std::vector<std::string>& words) {
  int longs = 0, shorts = 0, chars = 0, ints = 0;
  bool is_unsigned = false, is_signed = false;
  for (const std::string& word : words) {
    if (word == "long")
      ++longs;
    else if (word == "short")
      ++shorts;
    else if (word == "char")
      ++chars;
    else if (word == "int")
      ++ints;
    else if (word == "unsigned")
      is_unsigned = true;
    else if (word == "signed")
      is_signed = true;
    else
      return std::nullopt;
  }
  if (longs + shorts + chars + ints == 0 && !is_unsigned && !is_signed) return std::nullopt;
  if (longs > 0) return is_unsigned ? DType::uint64 : DType::int64;
  if (shorts > 0) return is_unsigned ? DType::uint16 : DType::int16;
  if (chars > 0) return is_unsigned ? DType::uint8 : DType::int8;
  return is_unsigned ? DType::uint32 : DType::int32;
}

}  // namespace

std::optional<DType> element_type(std::string_view type,
                                  const std::map<std::string, std::string>& substitutions) {
  static constexpr std::array<std::string_view, 8> kQualifiers{
      "const",    "volatile", "__restrict__", "__restrict",
      "restrict", "struct",   "typename",     "__grid_constant__"};
  std::vector<std::string> words;
  for (std::string& word : words_of(type)) {
    if (std::find(kQualifiers.begin(), kQualifiers.end(), word) != kQualifiers.end()) continue;
    if (const auto known = substitutions.find(word); known != substitutions.end()) {
      if (known->second != word) return element_type(known->second);
    }
    words.push_back(std::move(word));
  }
  if (words.size() == 1) {
    const auto* const named = std::find_if(kNamed.begin(), kNamed.end(),
                                           [&](const auto& entry) { return entry.first == words[0]; });
    if (named != kNamed.end()) return named->second;
  }
  return built_in_integer(words);
}

std::string without_template_arguments(std::string_view name_expression) {
  return std::string(trim(name_expression.substr(0, name_expression.find('<'))));
}

std::string template_arguments(std::string_view name_expression) {
  const std::size_t open = name_expression.find('<');
  const std::size_t close = name_expression.rfind('>');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return std::string(name_expression.substr(open + 1, close - open - 1));
}

}  // namespace ridge::device
