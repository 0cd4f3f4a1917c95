// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/text.h"
#include "compile/compile.h"

namespace ridge::compile {

namespace {

/// Words of an option line; quotes keep blanks together.
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (const char c : text) {
    if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == ' ' || c == '\t') {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(word);
  return words;
}

using Defines = std::vector<std::pair<std::string, std::string>>;

void define(Defines& defines, const std::string& name, const std::string& value) {
  const auto same =
      std::find_if(defines.begin(), defines.end(), [&](const auto& pair) { return pair.first == name; });
  if (same != defines.end())
    same->second = value;
  else
    defines.emplace_back(name, value);
}

/// The expression by which NVRTC finds a kernel seen in the text: an anonymous namespace has no name there.
std::string expression_of(const source::Signature& signature) {
  std::string name = signature.name;
  for (const std::string_view part : {"(anonymous namespace)::", "(anonymous)::"})
    for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part))
      name.erase(at, part.size());
  return name;
}

}  // namespace

CompileRequest request_for(const source::KernelSource& source, const source::PreparedSource& prepared,
                           const std::string& arch, const Defines& defines, const std::string& kernel) {
  const source::Directives& directives = source.directives;
  CompileRequest request;
  request.source = prepared;
  request.arch = directives.arch.given() ? std::string(trim(directives.arch.text)) : arch;
  request.options = split_words(directives.options.text);

  for (const source::Tune& tune : directives.tune)
    if (!tune.values.empty()) define(request.defines, tune.name, tune.values.front());
  for (const source::Define& item : directives.defines) define(request.defines, item.name, item.value);
  for (const auto& [name, value] : defines) define(request.defines, name, value);
  if (prepared.language == source::Language::ptx) return request;

  const auto ask = [&](const std::string& expression) {
    if (!expression.empty() && std::find(request.name_expressions.begin(), request.name_expressions.end(),
                                         expression) == request.name_expressions.end())
      request.name_expressions.push_back(expression);
  };
  for (std::size_t i = 0; i < directives.launches.size(); ++i)
    ask(i == 0 && !kernel.empty() ? kernel : std::string(trim(directives.launches[i].kernel.text)));
  if (directives.launches.empty()) ask(kernel);
  // A static kernel that nobody asks for is dropped from the module; a template is taken as the file itself
  // first uses it.
  if (request.name_expressions.empty() && prepared.kernels.size() == 1) {
    const source::Signature& only = prepared.kernels.front();
    if (only.template_parameters.empty()) {
      ask(expression_of(only));
    } else if (!only.instances.empty()) {
      ask(only.instances.front());
    }
  }
  return request;
}

}  // namespace ridge::compile
