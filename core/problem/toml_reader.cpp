// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/toml_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace ridge::problem {
namespace {

std::string between_quotes(std::string_view text) {
  const std::size_t first = text.find('\''), last = text.rfind('\'');
  return first == std::string_view::npos || last <= first
             ? std::string()
             : std::string(text.substr(first + 1, last - first - 1));
}

std::string without_preamble(std::string_view description) {
  constexpr std::string_view kPreamble = "Error while parsing ";
  return std::string(description.starts_with(kPreamble) ? description.substr(kPreamble.size()) : description);
}

/// The key on a line "key = value", or "".
std::string key_on(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || trim(line).starts_with('#')) return {};
  return std::string(trim(line.substr(0, equals)));
}

/// Where `key` (or the table `key`) stands above `line`: its line, or 0.
int first_definition(const std::vector<std::string_view>& lines, int line, const std::string& key) {
  const std::string_view own = trim(lines[static_cast<std::size_t>(line) - 1]);
  if (own.starts_with('[')) {
    for (int i = 1; i < line; ++i)
      if (trim(lines[static_cast<std::size_t>(i) - 1]) == own) return i;
    return 0;
  }
  for (int i = line - 1; i >= 1; --i) {
    const std::string_view candidate = trim(lines[static_cast<std::size_t>(i) - 1]);
    if (candidate.starts_with('[')) return 0;
    if (key_on(candidate) == key) return i;
  }
  return 0;
}

/// Whether a value ends on the line on which it begins, so that the line can be left out.
bool closes_itself(std::string_view line) {
  const auto count = [&](char c) { return std::count(line.begin(), line.end(), c); };
  return count('[') == count(']') && count('{') == count('}') &&
         line.find("\"\"\"") == std::string_view::npos && line.find("'''") == std::string_view::npos;
}

/// Overwrites a part of the text with blanks, so that lines and columns stay.
void blank(std::string& text, std::string_view part) {
  const std::size_t start = static_cast<std::size_t>(part.data() - text.data());
  text.replace(start, part.size(), part.size(), ' ');
}

/// Reports what toml++ stopped at. True: the text was changed so that reading can go on.
bool step_over(std::string& text, const toml::parse_error& error, Faults& faults) {
  const std::string said(error.description());
  const int line = static_cast<int>(error.source().begin.line);
  const std::vector<std::string_view> lines = split_lines(text);
  if (line < 1 || static_cast<std::size_t>(line) > lines.size()) {
    faults.error(0, "not_toml", say("this is not TOML: {}", without_preamble(said)));
    return false;
  }
  const std::string_view own = lines[static_cast<std::size_t>(line) - 1];
  const std::string quoted = between_quotes(said);
  if (said.find("cannot redefine") != std::string::npos) {
    const int first = first_definition(lines, line, quoted);
    faults.error(line, "duplicate_key",
                 first > 0 ? say("{} is given twice (first in line {})", quoted, first)
                           : say("{} is given twice", quoted),
                 say("keep one of them"));
    if (trim(own).starts_with('[') || !closes_itself(own) || key_on(own) != quoted) return false;
    blank(text, own);
    return true;
  }
  if (said.find("could not be interpreted") != std::string::npos ||
      said.find("not representable") != std::string::npos) {
    const std::size_t at = own.find(quoted);
    const std::string key = key_on(own);
    const bool fraction = quoted.find_first_of(".eE") != std::string::npos;
    const std::string number = (key.empty() ? "" : key + ": ") + quoted;
    faults.error(line, "out_of_range",
                 fraction ? say("{} is beyond a 64-bit floating-point number", number)
                          : say("{} does not fit into 64 bits", number),
                 say("write a smaller number"));
    if (quoted.empty() || at == std::string_view::npos) return false;
    const std::size_t offset = static_cast<std::size_t>(own.data() - text.data()) + at;
    text.replace(offset, quoted.size(), "1" + std::string(quoted.size() - 1, ' '));
    return true;
  }
  if (said.find("saw ';'") != std::string::npos) {
    faults.error(line, "not_toml", say("a ; parts nothing in TOML"),
                 say("write one key a line, or a table in braces with commas: { dtype = \"float32\", shape = "
                     "[\"rows\"] }"));
    return false;
  }
  faults.error(line, "not_toml", say("this is not TOML: {}", without_preamble(said)));
  return false;
}

}  // namespace

std::optional<toml::table> parse_toml(std::string text, const std::string& file, Diagnostics& diagnostics) {
  Faults faults(file, diagnostics);
  for (int attempt = 0; attempt < 64; ++attempt) {
    try {
      return toml::parse(text);
    } catch (const toml::parse_error& error) {
      if (!step_over(text, error, faults)) return std::nullopt;
    }
  }
  return std::nullopt;
}

Sentence kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return say("a table");
    case toml::node_type::array:
      return say("an array");
    case toml::node_type::string:
      return say("a string");
    case toml::node_type::integer:
      return say("a whole number");
    case toml::node_type::floating_point:
      return say("a number with a fraction");
    case toml::node_type::boolean:
      return say("true or false");
    default:
      return say("a date or time");
  }
}

std::string shortest(double value) {
  char buffer[32];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return status == std::errc() ? std::string(buffer, end) : std::string("0");
}

void Faults::error(int line, const std::string& code, const Sentence& message, const Sentence& hint) {
  diagnostics_.push_back({Severity::error, file_, line, 0, code, message, hint});
}

void Faults::warning(int line, const std::string& code, const Sentence& message, const Sentence& hint) {
  diagnostics_.push_back({Severity::warning, file_, line, 0, code, message, hint});
}

void Faults::unknown(int line, const std::string& code, const Sentence& what, const std::string& given,
                     const std::vector<std::string>& known, const std::string& better) {
  const std::string near = better.empty() ? nearest(given, known) : better;
  std::string list;
  for (const std::string& word : known) list += (list.empty() ? "" : ", ") + word;
  error(line, code, near.empty() ? what : say("{}; {} is meant?", what, near),
        list.empty() ? Sentence() : say("known: {}", list));
}

int TableReader::line_of(const std::string& key) const {
  const auto found = table_.find(key);
  return found == table_.end() ? line_ : static_cast<int>(found->first.source().begin.line);
}

const toml::node* TableReader::node(const std::string& key) {
  asked_.insert(key);
  return table_.get(key);
}

void TableReader::wrong_type(const std::string& key, const Sentence& wanted, const Sentence& hint) {
  const toml::node* value = table_.get(key);
  faults_.error(
      line_of(key), "wrong_type",
      say("{}: {} is {}, but {} belongs here", where_, key, value ? kind_of(*value) : say("missing"), wanted),
      hint);
}

void TableReader::missing(const std::string& key, const Sentence& hint) {
  faults_.error(line_, "missing_key", say("{} has no {}", where_, key), hint);
}

std::optional<std::string> TableReader::text(const std::string& key) {
  const toml::node* value = node(key);
  if (!value) return std::nullopt;
  if (const auto* string = value->as_string()) return string->get();
  wrong_type(key, say("a string"), say("put it in quotes"));
  return std::nullopt;
}

std::optional<std::int64_t> TableReader::whole(const std::string& key) {
  const toml::node* value = node(key);
  if (!value) return std::nullopt;
  if (const auto* integer = value->as_integer()) return integer->get();
  wrong_type(key, say("a whole number"),
             value->is_string() ? say("write it without quotes: {}", key + " = 1") : Sentence());
  return std::nullopt;
}

std::optional<double> TableReader::number(const std::string& key) {
  const toml::node* value = node(key);
  if (!value) return std::nullopt;
  if (const auto* integer = value->as_integer()) return static_cast<double>(integer->get());
  if (const auto* floating = value->as_floating_point()) return floating->get();
  wrong_type(key, say("a number"),
             value->is_string() ? say("write it without quotes: {}", key + " = 1e-6") : Sentence());
  return std::nullopt;
}

std::optional<bool> TableReader::truth(const std::string& key) {
  const toml::node* value = node(key);
  if (!value) return std::nullopt;
  if (const auto* boolean = value->as_boolean()) return boolean->get();
  wrong_type(key, say("true or false"), {});
  return std::nullopt;
}

const toml::table* TableReader::table(const std::string& key, const std::string& example) {
  const toml::node* value = node(key);
  if (!value) return nullptr;
  if (const toml::table* inner = value->as_table()) return inner;
  wrong_type(key, say("a table"), say("write {}", example));
  return nullptr;
}

const toml::array* TableReader::array(const std::string& key, const Sentence& hint) {
  const toml::node* value = node(key);
  if (!value) return nullptr;
  if (const toml::array* inner = value->as_array()) return inner;
  wrong_type(key, say("an array"), hint);
  return nullptr;
}

std::optional<std::string> TableReader::expression(const std::string& key, bool truths) {
  const toml::node* value = node(key);
  if (!value) return std::nullopt;
  if (const auto* string = value->as_string()) return string->get();
  if (const auto* integer = value->as_integer()) return std::to_string(integer->get());
  if (const auto* boolean = value->as_boolean(); boolean && truths) return boolean->get() ? "1" : "0";
  if (const auto* floating = value->as_floating_point()) {
    if (std::isfinite(floating->get())) return shortest(floating->get());
    faults_.error(line_of(key), "not_finite", say("{}: {} is not finite", where_, key),
                  say("write a finite number"));
    return std::nullopt;
  }
  wrong_type(key, say("a number or an expression in quotes"), {});
  return std::nullopt;
}

void TableReader::finish() {
  for (const std::string& key : keys_in_order(table_)) {
    if (asked_.contains(key)) continue;
    faults_.unknown(line_of(key), "unknown_key", say("{} has no key {}", where_, key), key,
                    {asked_.begin(), asked_.end()});
  }
}

std::vector<std::string> keys_in_order(const toml::table& table) {
  std::vector<std::pair<toml::source_position, std::string>> keys;
  for (auto&& [key, value] : table) keys.emplace_back(key.source().begin, std::string(key.str()));
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& entry : keys) names.push_back(std::move(entry.second));
  return names;
}

int line_of(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

}  // namespace ridge::problem
