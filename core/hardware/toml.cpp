// SPDX-License-Identifier: GPL-3.0-or-later
#include "hardware/toml.h"

#include <algorithm>
#include <cmath>

#include "base/files.h"

namespace ridge::hardware {

namespace {

constexpr std::uintmax_t kLimit = 1u << 20;  // bytes; the tables are some ten thousand

}  // namespace

std::optional<toml::table> parse_toml(const std::filesystem::path& file, Diagnostics& diagnostics) {
  const Result<std::string> text = read_file(file, kLimit);
  if (!text) {
    diagnostics.push_back(to_diagnostic(text.error(), file.string()));
    return std::nullopt;
  }
  try {
    return toml::parse(*text, file.string());
  } catch (const toml::parse_error& error) {
    diagnostics.push_back({Severity::error, file.string(), static_cast<int>(error.source().begin.line),
                           static_cast<int>(error.source().begin.column), "toml",
                           std::string(error.description()), ""});
    return std::nullopt;
  }
}

TableReader::TableReader(const toml::table& table, std::string file, Sentence owner, Diagnostics& diagnostics)
    : table_(table), file_(std::move(file)), owner_(std::move(owner)), diagnostics_(diagnostics) {}

void TableReader::complain(std::string code, const Sentence& message, Sentence hint, const toml::node* at) {
  const toml::source_region& place = at ? at->source() : table_.source();
  diagnostics_.push_back({Severity::error, file_, static_cast<int>(place.begin.line),
                          static_cast<int>(place.begin.column), std::move(code),
                          say("{}: {}", owner_, message), std::move(hint)});
  good_ = false;
}

const toml::node* TableReader::find(std::string_view key, Phrase<> type) {
  asked_.emplace_back(key);
  const toml::node* node = table_.get(key);
  if (!node) complain("missing_key", say("'{}' is missing", key), say("Add {} = <{}>", key, type));
  return node;
}

std::string TableReader::text(std::string_view key) {
  const toml::node* node = find(key, phrase("text"));
  if (!node) return {};
  if (const auto value = node->value_exact<std::string>()) return *value;
  complain("wrong_type", say("'{}' is no text", key), say("Write it in quotes"), node);
  return {};
}

double TableReader::number(std::string_view key) {
  const toml::node* node = find(key, phrase("number"));
  if (!node) return 0;
  const auto value = node->value<double>();
  if (node->is_number() && value && std::isfinite(*value) && *value >= 0) return *value;
  complain("wrong_type", say("'{}' is no finite number of 0 or more", key), {}, node);
  return 0;
}

std::int64_t TableReader::integer(std::string_view key) {
  const toml::node* node = find(key, phrase("whole number"));
  if (!node) return 0;
  const auto value = node->value_exact<std::int64_t>();
  if (value && *value >= 0) return *value;
  complain("wrong_type", say("'{}' is no whole number of 0 or more", key), {}, node);
  return 0;
}

bool TableReader::flag(std::string_view key, bool fallback) {
  asked_.emplace_back(key);
  const toml::node* node = table_.get(key);
  if (!node) return fallback;
  if (const auto value = node->value_exact<bool>()) return *value;
  complain("wrong_type", say("'{}' is neither true nor false", key), {}, node);
  return fallback;
}

std::vector<std::string> TableReader::texts(std::string_view key) {
  std::vector<std::string> values;
  const toml::array* items = array(key);
  if (!items) return values;
  for (const toml::node& item : *items) {
    if (const auto value = item.value_exact<std::string>())
      values.push_back(*value);
    else
      complain("wrong_type", say("'{}' holds something that is no text", key), {}, &item);
  }
  return values;
}

const toml::array* TableReader::array(std::string_view key) {
  const toml::node* node = find(key, phrase("list"));
  if (node && !node->is_array())
    complain("wrong_type", say("'{}' is no list", key), say("Write it in []"), node);
  return node ? node->as_array() : nullptr;
}

const toml::table* TableReader::table(std::string_view key) {
  const toml::node* node = find(key, phrase("table"));
  if (node && !node->is_table()) complain("wrong_type", say("'{}' is no table", key), {}, node);
  return node ? node->as_table() : nullptr;
}

bool TableReader::finish() {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    const std::string near = nearest(name, asked_);
    complain("unknown_key", say("'{}' is no key here", name),
             near.empty() ? say("Remove it") : say("Did you mean '{}'?", near), &node);
  }
  return good_;
}

}  // namespace ridge::hardware
