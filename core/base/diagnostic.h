// SPDX-License-Identifier: GPL-3.0-or-later
// Diagnostics: what is wrong in a file that a person wrote, where, and what to write instead.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sentence.h"

namespace ridge {

enum class Severity { note, warning, error };
std::string_view name_of(Severity severity);
std::optional<Severity> severity_named(std::string_view name);

struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;  ///< as the user named it; empty: not about a file
  int line = 0;      ///< 1-based; 0: the whole file
  int column = 0;    ///< 1-based, in bytes; 0: the whole line
  std::string code;  ///< stable, for machines: "unknown_key", "nvrtc", "ptxas"
  Sentence message;
  Sentence hint;  ///< what to write or do instead
};

using Diagnostics = std::vector<Diagnostic>;

/// An error as it stands in a list with others; `file`: its place where it names none itself.
Diagnostic to_diagnostic(const Error& error, const std::string& file = {});

/// True when at least one diagnostic is an error.
bool has_errors(const Diagnostics& diagnostics);

/// "file:line:column: error: message (hint)", the form that editors and terminals link.
std::string format(const Diagnostic& diagnostic);

/// The entry of `known` nearest to `word` by edit distance, or "" when none is near enough to be a slip.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace ridge
