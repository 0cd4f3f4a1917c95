// SPDX-License-Identifier: GPL-3.0-or-later
#include "console.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "base/version.h"
#include "session/run.h"

namespace ridge::cli {
namespace {

int rank(Exit status) {
  switch (status) {
    case Exit::usage:
      return 4;
    case Exit::compile:
      return 3;
    case Exit::component:
      return 2;
    case Exit::verdict:
      return 1;
    case Exit::done:
      break;
  }
  return 0;
}

/// East Asian wide and full-width blocks that titles and messages use.
bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

}  // namespace

Exit worse(Exit a, Exit b) {
  return rank(a) >= rank(b) ? a : b;
}

Exit exit_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::usage:
    case ErrorKind::definition:
    case ErrorKind::question:
      return Exit::usage;
    case ErrorKind::compile:
      return Exit::compile;
    default:
      return Exit::component;
  }
}

Exit exit_of(const Diagnostics& diagnostics) {
  return has_errors(diagnostics) ? Exit::usage : Exit::done;
}

void Console::print(const std::string& line) const {
  std::fprintf(text(), "%s\n", line.c_str());
}

Result<void> Console::write(const Json& document) const {
  if (!wants_json()) return {};
  const std::string text = session::dump(document, 2) + "\n";
  if (json_ != "-") return write_file(json_, text);
  std::fwrite(text.data(), 1, text.size(), stdout);  // finish_output tells what was not taken
  return {};
}

Result<void> check_output(const std::string& output, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  if (output.empty() || output == "-") return {};
  const auto wrong = [&](const std::string& message, const std::string& hint) {
    return Error{ErrorKind::usage, "bad_output", output + " " + message, hint, {}, 0};
  };
  std::error_code ignored;
  if (fs::is_directory(output, ignored)) return wrong("is a folder", "name a file in it");
  for (const std::string& input : inputs)
    if (!input.empty() && fs::equivalent(output, input, ignored))
      return wrong("is what this command reads; it would be lost", "write to another file");
  return {};
}

Exit finish_output(Exit status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  complain(Error{ErrorKind::component,
                 "write_failed",
                 "standard output takes no more text",
                 "free some space, or write to another file",
                 {},
                 0});
  return worse(status, Exit::component);
}

void complain(const Error& error) {
  complain(Diagnostics{to_diagnostic(error)});
}

void complain(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    const std::string text = format(diagnostic);
    std::fprintf(stderr, diagnostic.file.empty() ? "ridge: %s\n" : "%s\n", text.c_str());
  }
}

void ask(const std::vector<source::Question>& questions) {
  for (const source::Question& question : questions) {
    std::string place = question.file;
    if (question.line > 0) place += ":" + std::to_string(question.line);
    std::fprintf(stderr, "%s%squestion: %s\n", place.c_str(), place.empty() ? "" : ": ",
                 question.text.english().c_str());
    for (const std::string& choice : question.choices) std::fprintf(stderr, "  %s\n", choice.c_str());
    if (!question.answer_with.empty())
      std::fprintf(stderr, "  answer by: %s\n", question.answer_with.english().c_str());
  }
}

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0) {}
ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::show(const std::string& text) {
  if (!terminal_) return;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t c = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length && at + i < text.size(); ++i)
      c = (c << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
    width += is_wide(c) ? 2 : 1;
    at += length;
  }
  return width;
}

Table::Table(std::vector<std::pair<std::string, Align>> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& [title, align] : columns_) widths.push_back(display_width(title));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  const auto line = [&](const auto& cell_at) {
    std::string row;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = cell_at(i);
      const std::string blanks(widths[i] - display_width(cell), ' ');
      if (i > 0) row += "  ";
      row += columns_[i].second == Align::right ? blanks + cell : cell + blanks;
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  };
  line([&](std::size_t i) -> const std::string& { return columns_[i].first; });
  for (const auto& row : rows_) line([&](std::size_t i) -> const std::string& { return row[i]; });
  return text;
}

std::string human_time(double microseconds) {
  char text[32];
  const bool nano = microseconds < 0.9995;
  const double scale = nano ? 1e3 : microseconds < 1000 ? 1 : microseconds < 1e6 ? 1e-3 : 1e-6;
  const char* unit = nano ? "ns" : microseconds < 1000 ? "us" : microseconds < 1e6 ? "ms" : "s";
  const double value = microseconds * scale;
  std::snprintf(text, sizeof text,
                value < 0.995   ? "%.2g %s"
                : value < 9.995 ? "%.2f %s"
                : value < 99.95 ? "%.1f %s"
                                : "%.0f %s",
                value, unit);
  return text;
}

Json document_head() {
  return {{"protocol", kDocumentProtocol}, {"tool", {{"version", kVersion}}}};
}

std::string locale_name() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return std::string_view(value).starts_with("zh") ? "zh_CN" : "en";
  }
  return "en";
}

}  // namespace ridge::cli
