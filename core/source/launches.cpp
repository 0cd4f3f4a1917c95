// SPDX-License-Identifier: GPL-3.0-or-later
// Template arguments of launches, as far as the text alone gives them: literals, types of the language and
// the toolkit, and constants whose values the text states.
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "problem/expression.h"
#include "source/outline.h"

namespace ridge::source {
namespace {

bool is_plain_type(std::string_view text) {
  static const std::set<std::string> types = {
      "bool",           "char",     "short",    "int",      "long",          "float",        "double",
      "signed",         "unsigned", "half",     "half2",    "__half",        "__half2",      "__nv_bfloat16",
      "__nv_bfloat162", "float2",   "float3",   "float4",   "double2",       "int2",         "int4",
      "uint4",          "uint",     "size_t",   "int8_t",   "int16_t",       "int32_t",      "int64_t",
      "uint8_t",        "uint16_t", "uint32_t", "uint64_t", "__nv_fp8_e4m3", "__nv_fp8_e5m2"};
  const std::set<std::string> words = words_in(text);
  return !words.empty() &&
         std::all_of(words.begin(), words.end(), [](const auto& word) { return types.contains(word); });
}

/// Offsets of a whole word.
std::vector<std::size_t> places_of(const std::string& code, const std::string& word) {
  std::vector<std::size_t> places;
  for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(code[at - 1])) && (end >= code.size() || !is_word(code[end])))
      places.push_back(at);
  }
  return places;
}

/// The value of a whole-number constant expression. What can be a template argument is constant, so one "NAME
/// = …" or
/// "#define NAME …" states its value; several (a loop, two scopes) state none.
std::optional<std::int64_t> constant(const std::string& code, const std::string& expression, int depth = 0) {
  constexpr int kDeepest = 8;
  const auto used = problem::names_in_whole(expression);
  if (!used || depth > kDeepest) return std::nullopt;
  problem::Names names;
  for (const std::string& name : *used) {
    std::vector<std::string> values;
    for (const std::size_t place : places_of(code, name)) {
      std::size_t at = place + name.size();
      while (at < code.size() && (code[at] == ' ' || code[at] == '\t')) ++at;
      if (at + 1 < code.size() && code[at] == '=' && code[at + 1] != '=') {
        std::string_view value =
            std::string_view(code).substr(at + 1, code.find_first_of(",;}\n", at) - at - 1);
        values.emplace_back(trim(value));
      } else if (trim(std::string_view(code).substr(0, place)).ends_with("#define")) {
        values.emplace_back(trim(std::string_view(code).substr(at, code.find('\n', at) - at)));
      }
    }
    if (values.size() != 1) return std::nullopt;
    const std::optional<std::int64_t> value = constant(code, values.front(), depth + 1);
    if (!value) return std::nullopt;
    names[name] = *value;
  }
  const auto value = problem::evaluate_whole(expression, names);
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<std::string> resolved(const std::string& code, const std::string& argument) {
  if (argument == "true" || argument == "false" || is_plain_type(argument)) return argument;
  if (const auto value = constant(code, argument)) return std::to_string(*value);
  return std::nullopt;
}

}  // namespace

std::vector<std::string> launched_instances(const std::string& code, const std::string& name,
                                            const std::string& reachable) {
  std::vector<std::string> instances;
  for (const std::size_t place : places_of(code, name)) {
    std::size_t open = place + name.size();
    while (open < code.size() && is_space(code[open])) ++open;
    const std::size_t launch = code.find("<<<", open);
    if (launch == std::string::npos || launch == open || code[open] != '<') continue;
    // Between the name and <<< stands nothing but the list.
    const std::string_view list = trim(std::string_view(code).substr(open, launch - open));
    if (!list.ends_with('>') || list.find_first_of(";{}") != std::string_view::npos) continue;
    std::string arguments;
    bool known = true;
    for (const std::string& argument : split_list(list.substr(1, list.size() - 2))) {
      const auto value = resolved(code, argument);
      known = known && value;
      arguments += (arguments.empty() ? "" : ", ") + value.value_or("");
    }
    const std::string instance = reachable + "<" + arguments + ">";
    if (known && std::find(instances.begin(), instances.end(), instance) == instances.end())
      instances.push_back(instance);
  }
  return instances;
}

}  // namespace ridge::source
