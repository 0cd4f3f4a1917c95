// SPDX-License-Identifier: GPL-3.0-or-later
// TOML with faults collected instead of thrown: a table is read key by key, and what nobody asked for is an
// unknown key. Private to this room.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace ridge::problem {

/// Parses text. Repeated keys and numbers out of range are reported and stepped over, so that later faults
/// are found too; after other faults of TOML itself the result is empty.
std::optional<toml::table> parse_toml(std::string text, const std::string& file, Diagnostics& diagnostics);

/// "a string", "an array", for messages.
Sentence kind_of(const toml::node& node);
/// The shortest decimal text that reads back as the same double.
std::string shortest(double value);

/// The faults of one file.
class Faults {
 public:
  Faults(std::string file, Diagnostics& diagnostics) : file_(std::move(file)), diagnostics_(diagnostics) {}

  void error(int line, const std::string& code, const Sentence& message, const Sentence& hint = {});
  void warning(int line, const std::string& code, const Sentence& message, const Sentence& hint = {});
  /// `given` is none of `known`.
  void unknown(int line, const std::string& code, const Sentence& what, const std::string& given,
               const std::vector<std::string>& known, const std::string& better = {});

 private:
  std::string file_;
  Diagnostics& diagnostics_;
};

/// One table: each key that is asked for counts as known.
class TableReader {
 public:
  /// `where` names the table in messages ("input x"), `line` is where it begins.
  TableReader(const toml::table& table, Sentence where, int line, Faults& faults)
      : table_(table), where_(std::move(where)), line_(line), faults_(faults) {}

  const Sentence& where() const { return where_; }
  int line() const { return line_; }
  void rename(Sentence where, int line) { where_ = std::move(where), line_ = line; }
  bool has(const std::string& key) const { return table_.contains(key); }
  /// Line of a key, or of the table when it is not there.
  int line_of(const std::string& key) const;

  // Each: the value, or nothing after reporting a wrong type. Absent keys give nothing silently.
  std::optional<std::string> text(const std::string& key);
  std::optional<std::int64_t> whole(const std::string& key);
  std::optional<double> number(const std::string& key);
  std::optional<bool> truth(const std::string& key);
  const toml::table* table(const std::string& key, const std::string& example);
  const toml::array* array(const std::string& key, const Sentence& hint);
  /// A number or a string, as the text of an expression; `truths` also takes true and false, as 1 and 0.
  std::optional<std::string> expression(const std::string& key, bool truths = false);
  const toml::node* node(const std::string& key);

  void missing(const std::string& key, const Sentence& hint);
  void wrong_type(const std::string& key, const Sentence& wanted, const Sentence& hint);
  /// Reports the keys that were not asked for.
  void finish();

 private:
  const toml::table& table_;
  Sentence where_;
  int line_;
  Faults& faults_;
  std::set<std::string> asked_;
};

/// Keys of a table in the order of the file.
std::vector<std::string> keys_in_order(const toml::table& table);
int line_of(const toml::node& node);

}  // namespace ridge::problem
