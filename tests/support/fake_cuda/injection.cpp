// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_cuda/injection.h"

#include <cstdlib>
#include <sstream>

namespace fake_cuda {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace

Injection::Injection(const std::string& rules) {
  for (const std::string& text : split(rules, ',')) {
    if (text.empty()) continue;
    Rule rule;
    std::string body = text;
    if (const auto at = body.find('@'); at != std::string::npos) {
      rule.nth = std::atoi(body.c_str() + at + 1);
      body.resize(at);
    }
    const std::vector<std::string> parts = split(body, ':');
    rule.function = parts[0];
    for (std::size_t index = 1; index < parts.size(); ++index) {
      if (parts[index] == "sticky")
        rule.injected.sticky = true;
      else if (parts[index] == "hang")
        rule.injected.hang = true;
      else
        rule.injected.result = static_cast<CUresult>(std::atoi(parts[index].c_str()));
    }
    rules_.push_back(std::move(rule));
  }
}

Injected Injection::next(std::string_view function) {
  for (Rule& rule : rules_) {
    if (rule.function != function) continue;
    ++rule.calls;
    if (rule.nth == 0 || rule.nth == rule.calls) return rule.injected;
  }
  return {};
}

}  // namespace fake_cuda
