// SPDX-License-Identifier: GPL-3.0-or-later
// What all commands share: exit statuses, where output goes, how it looks.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/json.h"
#include "base/result.h"
#include "source/source.h"

namespace ridge::cli {

enum class Exit { done = 0, verdict = 1, usage = 2, component = 3, compile = 4 };

/// The exit status that counts when both occurred: 2 before 4 before 3 before 1 before 0.
Exit worse(Exit a, Exit b);
Exit exit_of(const Error& error);
Exit exit_of(const Diagnostics& diagnostics);  ///< usage when one is an error

/// Where a command writes. With --json, standard output holds the document and nothing else: what people read
/// goes to standard error then.
class Console {
 public:
  /// `json`: value of --json; empty: none, "-": standard output.
  explicit Console(std::string json = {}) : json_(std::move(json)) {}

  bool wants_json() const { return !json_.empty(); }
  std::FILE* text() const { return wants_json() ? stderr : stdout; }
  void print(const std::string& line) const;  ///< for people, with a newline

  /// Writes the document that --json asked for.
  Result<void> write(const Json& document) const;

 private:
  std::string json_;
};

/// Whether a file can be written without losing an input of the same command: it is none of `inputs` and no
/// folder. Empty and "-" are fine. Asked before the work, not after it.
Result<void> check_output(const std::string& output, const std::vector<std::string>& inputs);

/// The last thing a program does: what standard output did not take is an error.
Exit finish_output(Exit status);

/// To standard error: "ridge: error: …", with place and way out.
void complain(const Error& error);
void complain(const Diagnostics& diagnostics);
void ask(const std::vector<source::Question>& questions);

/// Transient progress on a terminal; nothing elsewhere. The destructor clears the line.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const std::string& text);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

/// Aligned columns; widths follow what a terminal shows (wide Chinese characters count two).
class Table {
 public:
  enum class Align { left, right };
  explicit Table(std::vector<std::pair<std::string, Align>> columns);
  void add(std::vector<std::string> cells);
  std::string text() const;

 private:
  std::vector<std::pair<std::string, Align>> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that a terminal needs for UTF-8 text.
std::size_t display_width(std::string_view text);

/// "12.3 us", "4.56 ms", "1.2 ns".
std::string human_time(double microseconds);

/// {"protocol", "tool"}: the head of every document.
Json document_head();

/// Language of the environment: "zh_CN" or "en".
std::string locale_name();

}  // namespace ridge::cli
