// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/closure.h"

#include <deque>
#include <map>

#include "base/files.h"
#include "base/hashing.h"
#include "base/text.h"

namespace ridge::compile {

namespace {
namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 4096;

struct Directive {
  std::string name;
  bool quoted = false;
  int line = 0;
};

/// The name in "…" or <…> at the start of `rest`.
bool read_name(std::string_view rest, Directive& directive) {
  rest = trim(rest);
  if (rest.empty() || (rest[0] != '"' && rest[0] != '<')) return false;
  directive.quoted = rest[0] == '"';
  const std::size_t end = rest.find(directive.quoted ? '"' : '>', 1);
  if (end == std::string_view::npos) return false;
  directive.name = rest.substr(1, end - 1);
  return true;
}

std::vector<Directive> directives_of(std::string_view text, bool& complete) {
  std::vector<Directive> result;
  int number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    line = trim(line);
    if (line.empty() || line[0] != '#') continue;
    line = trim(line.substr(1));
    Directive directive;
    directive.line = number;
    for (const std::string_view word : {"include_next", "include"}) {
      if (line.substr(0, word.size()) != word) continue;
      if (read_name(line.substr(word.size()), directive))
        result.push_back(directive);
      else
        complete = false;
      break;
    }
    // Whether a file is there may decide what is compiled.
    for (std::size_t at = line.find("__has_include"); at != std::string_view::npos;
         at = line.find("__has_include", at + 1)) {
      const std::size_t open = line.find('(', at);
      if (open != std::string_view::npos && read_name(line.substr(open + 1), directive))
        result.push_back(directive);
    }
  }
  return result;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

struct Pending {
  std::string text;
  fs::path folder;
  int root_line = 0;
};

}  // namespace

Closure include_closure(std::string_view text, const fs::path& folder, const std::vector<fs::path>& folders,
                        const std::vector<fs::path>& toolkit_folders) {
  Closure closure;
  std::map<fs::path, bool> seen;
  std::deque<Pending> pending{{std::string(text), folder, 0}};
  while (!pending.empty()) {
    const Pending current = std::move(pending.front());
    pending.pop_front();
    for (const Directive& directive : directives_of(current.text, closure.complete)) {
      if (closure.files.size() >= kMostFiles) {
        closure.complete = false;
        return closure;
      }
      Included included;
      included.name = directive.name;
      included.line = directive.line;
      included.root_line = current.root_line ? current.root_line : directive.line;
      const auto look_in = [&](const fs::path& place, bool toolkit) {
        if (!included.file.empty() || place.empty() || !is_file(place / directive.name)) return;
        included.file = (place / directive.name).lexically_normal();
        included.toolkit = toolkit;
      };
      if (directive.quoted) look_in(current.folder, false);
      for (const fs::path& place : folders) look_in(place, false);
      for (const fs::path& place : toolkit_folders) look_in(place, true);
      if (!included.file.empty() && !included.toolkit) {
        closure.local_files = true;
        if (seen[included.file]) continue;
        seen[included.file] = true;
        const Result<std::string> content = read_file(included.file);
        if (content) {
          included.hash = content_hash(*content);
          pending.push_back({*content, included.file.parent_path(), included.root_line});
        } else {
          closure.complete = false;
        }
      }
      closure.files.push_back(std::move(included));
    }
  }
  return closure;
}

}  // namespace ridge::compile
