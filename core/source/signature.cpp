// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel signatures, read from the text between a declaration's begin and its body.
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "source/outline.h"

namespace ridge::source {
namespace {

/// One blank where there was any space, as people write it on one line.
std::string collapsed(std::string_view text) {
  std::string result;
  for (const char c : trim(text)) {
    if (!is_space(c)) {
      result += c;
    } else if (result.back() != ' ') {
      result += ' ';
    }
  }
  return result;
}

int depth_change(char c) {
  return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/// Parts at commas outside of all brackets; a > inside of round brackets is a comparison.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  int round = 0, angle = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    round += depth_change(list[i]);
    if (round == 0 && list[i] == '<') ++angle;
    if (round == 0 && list[i] == '>' && angle > 0) --angle;
    if (list[i] != ',' || round != 0 || angle != 0) continue;
    parts.push_back(trim(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (!trim(list.substr(begin)).empty()) parts.push_back(trim(list.substr(begin)));
  return parts;
}

/// Up to an = outside of brackets: a default is no part of the type.
std::string_view without_default(std::string_view text) {
  int round = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    round += depth_change(text[i]);
    if (round == 0 && text[i] == '=') return trim(text.substr(0, i));
  }
  return trim(text);
}

bool is_type_word(std::string_view word) {
  static const std::set<std::string_view> words = {
      "void",       "bool",     "char",     "short", "int",      "long",   "float",
      "double",     "signed",   "unsigned", "const", "volatile", "struct", "__restrict__",
      "__restrict", "restrict", "enum",     "class", "typename"};
  return words.contains(word);
}

/// Where the name of a parameter stands: [begin, end), empty for an unnamed one.
std::pair<std::size_t, std::size_t> name_place(std::string_view text) {
  // int (*pairs)[2] and float (&scale)[2] have their name inside.
  const std::size_t inner = text.find("(*") != std::string_view::npos ? text.find("(*") : text.find("(&");
  std::size_t end = text.size();
  if (inner != std::string_view::npos) {
    end = std::min(text.find(')', inner), text.size());
  } else {
    while (end > 0 && text[end - 1] == ']') end = std::min(text.rfind('[', end - 1), end - 1);
    while (end > 0 && is_space(text[end - 1])) --end;
  }
  std::size_t begin = end;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  if (begin == end) return {end, end};
  const std::string_view name = text.substr(begin, end - begin);
  if (is_type_word(name) || !is_word_start(name[0])) return {end, end};
  if (inner != std::string_view::npos) return {begin, end};
  // "const Foo" and "ns::Foo" are types without a name.
  const std::string_view before = trim(text.substr(0, begin));
  bool has_type =
      before.ends_with('*') || before.ends_with('&') || before.ends_with('>') || before.ends_with("...");
  static const std::set<std::string_view> qualifiers = {
      "const", "volatile", "struct", "enum", "class", "typename", "__restrict__", "__grid_constant__"};
  for (std::size_t at = 0; at < before.size() && !has_type;) {
    const std::string_view word = word_at(before, at);
    has_type = !word.empty() && !qualifiers.contains(word);
    at += std::max<std::size_t>(word.size(), 1);
  }
  if (!has_type || before.ends_with("::")) return {end, end};
  return {begin, end};
}

Parameter parameter_of(std::string_view text) {
  text = without_default(text);
  const auto [begin, end] = name_place(text);
  Parameter parameter;
  parameter.name = text.substr(begin, end - begin);
  parameter.type = collapsed(std::string(text.substr(0, begin)) + std::string(text.substr(end)));
  // Stars within template arguments do not make a pointer.
  int angle = 0;
  for (std::size_t i = 0; i < parameter.type.size(); ++i) {
    const char c = parameter.type[i];
    angle += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (angle != 0 || parameter.pointer || (c != '*' && c != '[')) continue;
    parameter.pointer = true;
    parameter.constant = words_in(std::string_view(parameter.type).substr(0, i)).contains("const");
  }
  return parameter;
}

/// The last round bracket of a head that is a list of parameters, and where the name before it begins and
/// ends.
struct NameAndList {
  std::size_t name_begin = 0, name_end = 0, open = 0, close = 0;
};
std::optional<NameAndList> find_list(std::string_view head) {
  std::optional<NameAndList> found;
  int depth = 0;
  NameAndList current;
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == '(' && depth++ == 0) {
      current.open = i;
      std::size_t end = i;
      while (end > 0 && is_space(head[end - 1])) --end;
      current.name_end = end;
      if (end > 0 && head[end - 1] == '>') {  // name<arguments>(
        int angle = 0;
        while (end > 0) {
          angle += head[end - 1] == '>' ? 1 : head[end - 1] == '<' ? -1 : 0;
          --end;
          if (angle == 0) break;
        }
        while (end > 0 && is_space(head[end - 1])) --end;
      }
      std::size_t begin = end;
      while (begin > 0 && is_word(head[begin - 1])) --begin;
      current.name_begin = begin;
    }
    if (head[i] == ')' && --depth == 0) {
      current.close = i;
      const std::string_view name = word_at(head, current.name_begin);
      if (!name.empty() && !is_attribute_word(name)) found = current;
    }
  }
  return found;
}

}  // namespace

Signature signature_of(const Item& item, std::string_view structure, const LineIndex& lines) {
  Signature signature;
  signature.extern_c = item.extern_c;
  const std::string_view head = structure.substr(item.begin, item.head_end - item.begin);
  std::size_t at = 0;
  const std::size_t open = head.find('<');
  // "template void k<float>(…)" is an explicit instantiation: nothing stands between template and what it
  // declares.
  if (word_at(head, 0) == "template" && open != std::string_view::npos &&
      trim(head.substr(8, open - 8)).empty()) {
    int angle = 0, round = 0;
    for (at = open; at < head.size(); ++at) {
      round += depth_change(head[at]);
      if (round != 0) continue;
      angle += head[at] == '<' ? 1 : head[at] == '>' ? -1 : 0;
      if (angle == 0) break;
    }
    if (at < head.size())
      for (const std::string_view part : parts_of(head.substr(open + 1, at - open - 1)))
        signature.template_parameters.push_back(collapsed(part));
    at = std::min(at + 1, head.size());
  }
  const std::optional<NameAndList> list = find_list(head.substr(at));
  if (!list) return signature;
  const std::string_view rest = head.substr(at);
  signature.name = collapsed(rest.substr(list->name_begin, list->name_end - list->name_begin));
  signature.line = lines.line_of(item.begin + at + list->name_begin);
  if (!item.scope.empty()) signature.name = item.scope + "::" + signature.name;
  for (const std::string_view part : parts_of(rest.substr(list->open + 1, list->close - list->open - 1)))
    if (part != "void") signature.parameters.push_back(parameter_of(part));
  return signature;
}

std::vector<Signature> ptx_entries(const std::string& code) {
  std::vector<Signature> entries;
  const LineIndex lines(code);
  constexpr std::string_view kEntry = ".entry";
  for (std::size_t at = code.find(kEntry); at != std::string::npos; at = code.find(kEntry, at + 1)) {
    if (at + kEntry.size() >= code.size() || !is_space(code[at + kEntry.size()])) continue;
    std::size_t begin = at + kEntry.size();
    while (begin < code.size() && is_space(code[begin])) ++begin;
    std::size_t end = begin;
    while (end < code.size() && (is_word(code[end]) || code[end] == '$' || code[end] == '%')) ++end;
    if (end == begin) continue;
    Signature entry;
    entry.name = code.substr(begin, end - begin);
    entry.line = lines.line_of(begin);
    entry.extern_c = true;
    const std::size_t open = code.find_first_not_of(" \t\r\n", end);
    const std::size_t close =
        open != std::string::npos && code[open] == '(' ? code.find(')', open) : std::string::npos;
    if (close != std::string::npos) {
      for (const std::string_view part :
           parts_of(std::string_view(code).substr(open + 1, close - open - 1))) {
        // ".param .u64 .ptr .global .align 1 name" or ".param .align 8 .b8 name[16]"
        Parameter parameter;
        const std::size_t blank_at = part.find_last_of(" \t\n");
        parameter.name = trim(part.substr(blank_at == std::string_view::npos ? 0 : blank_at));
        std::string_view type = part.substr(0, blank_at == std::string_view::npos ? 0 : blank_at);
        if (const std::size_t param = type.find(".param"); param != std::string_view::npos)
          type = type.substr(param + 6);
        parameter.type = collapsed(type);
        if (const std::size_t bracket = parameter.name.find('['); bracket != std::string::npos) {
          parameter.type += parameter.name.substr(bracket);
          parameter.name.resize(bracket);
        }
        parameter.pointer = parameter.type.find(".ptr") != std::string::npos;
        entry.parameters.push_back(std::move(parameter));
      }
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace ridge::source
