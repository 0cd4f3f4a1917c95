// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the tables in resources/: every fault is a diagnostic with its line, and reading goes on.
#pragma once

#include <toml++/toml.h>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace ridge::hardware {

/// Parses a file; empty with a diagnostic when it cannot be read or is no TOML.
std::optional<toml::table> parse_toml(const std::filesystem::path& file, Diagnostics& diagnostics);

/// One table: each reader names what is missing or of another type; finish() names keys that nobody asked
/// for.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string file, Sentence owner, Diagnostics& diagnostics);

  std::string text(std::string_view key);
  double number(std::string_view key);
  std::int64_t integer(std::string_view key);
  bool flag(std::string_view key, bool fallback);
  std::vector<std::string> texts(std::string_view key);
  const toml::array* array(std::string_view key);
  const toml::table* table(std::string_view key);
  /// True when no reader complained.
  bool finish();

  bool has(std::string_view key) const { return table_.contains(key); }
  void complain(std::string code, const Sentence& message, Sentence hint = {},
                const toml::node* at = nullptr);

 private:
  const toml::node* find(std::string_view key, Phrase<> type);

  const toml::table& table_;
  std::string file_;
  Sentence owner_;
  Diagnostics& diagnostics_;
  std::vector<std::string> asked_;
  bool good_ = true;
};

}  // namespace ridge::hardware
