// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/diagnostic.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace ridge {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

std::optional<Severity> severity_named(std::string_view name) {
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error})
    if (name_of(severity) == name) return severity;
  return std::nullopt;
}

Diagnostic to_diagnostic(const Error& error, const std::string& file) {
  return {Severity::error, error.file.empty() ? file : error.file, error.line, 0, error.code, error.message,
          error.hint};
}

bool has_errors(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

std::string format(const Diagnostic& diagnostic) {
  std::string text = diagnostic.file;
  if (!text.empty() && diagnostic.line > 0) {
    text += ':' + std::to_string(diagnostic.line);
    if (diagnostic.column > 0) text += ':' + std::to_string(diagnostic.column);
  }
  if (!text.empty()) text += ": ";
  text += std::string(name_of(diagnostic.severity)) + ": ";
  text += diagnostic.message.english();
  if (!diagnostic.hint.empty()) text += " (" + diagnostic.hint.english() + ')';
  return text;
}

namespace {

std::string lower(const std::string& word) {
  std::string result = word;
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Optimal string alignment: insert, delete, replace and swap of neighbours cost 1 each.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> before(width), previous(width), current(width);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  const std::string wanted = lower(word);
  if (wanted.size() > 64) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(wanted, lower(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace ridge
