// SPDX-License-Identifier: GPL-3.0-or-later
#include "interchange/solution.h"

#include <algorithm>

#include "base/files.h"
#include "interchange/reader.h"

namespace ridge::interchange {
namespace fs = std::filesystem;

bool stays_inside(const std::string& path) {
  const fs::path relative(path);
  if (path.empty() || relative.is_absolute() || path.find('\\') != std::string::npos ||
      path.find('\0') != std::string::npos)
    return false;
  const fs::path normal = relative.lexically_normal();
  return normal.begin() != normal.end() && *normal.begin() != ".." && normal != ".";
}

void read_solution(const fs::path& file, const std::string& definition, Import& import) {
  const auto text = read_file(file);
  const auto located = text ? parse_located(*text, file.string()) : Result<LocatedJson>(text.error());
  if (!located) {
    import.diagnostics.push_back(to_diagnostic(located.error(), file.string()));
    return;
  }
  Reader reader(*located, file.string(), import.diagnostics);
  const std::size_t faults = import.diagnostics.size();
  Solution solution;
  solution.json = located->value;
  solution.name = reader.text("/name", say("the name")).value_or("");
  solution.definition = reader.text("/definition", say("the definition")).value_or("");
  if (!solution.definition.empty() && solution.definition != definition)
    reader.fault("/definition", say("this solution is for {}, but the definition here is {}",
                                    solution.definition, definition));

  const Json& sources = reader.at("/sources");
  if (!sources.is_array() || sources.empty())
    reader.fault("/sources", say("sources is missing or empty"),
                 say("write a list of {\"path\": …, \"content\": …}"));
  std::string paths;
  for (std::size_t i = 0; sources.is_array() && i < sources.size(); ++i) {
    const std::string base = "/sources/" + std::to_string(i);
    SolutionFile source{reader.text(base + "/path", say("the path of a source")).value_or(""),
                        read_string(sources[i], "content")};
    if (!member(sources[i], "content").is_string())
      reader.fault(base, say("the source {} has no content", source.path));
    if (!source.path.empty() && !stays_inside(source.path))
      reader.fault(base + "/path", say("the path {} leaves the solution", source.path),
                   say("a source path stays inside the solution"));
    paths += (paths.empty() ? "" : ", ") + source.path;
    solution.files.push_back(std::move(source));
  }

  if (const auto entry = reader.text("/spec/entry_point", say("the entry point"))) {
    const std::size_t colons = entry->find("::");
    solution.entry_file = entry->substr(0, colons);
    if (colons != std::string::npos) solution.entry_function = entry->substr(colons + 2);
    const bool known =
        std::any_of(solution.files.begin(), solution.files.end(),
                    [&](const SolutionFile& source) { return source.path == solution.entry_file; });
    if (!known)
      reader.fault("/spec/entry_point",
                   say("the entry point names {}, but no source has that path", solution.entry_file),
                   say("the sources are {}", paths));
    if (solution.entry_function.empty())
      reader.fault("/spec/entry_point", say("the entry point names no function"), say("write file.cu::run"));
  }
  if (import.diagnostics.size() == faults) import.solutions.push_back(std::move(solution));
}

}  // namespace ridge::interchange
