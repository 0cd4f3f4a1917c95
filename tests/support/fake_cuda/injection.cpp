// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_cuda/injection.h"

#include <cstdlib>

#include "base/text.h"

namespace fake_cuda {

Injection::Injection(std::string_view rules) {
  for (const std::string& text : ridge::split_list(rules)) {
    if (text.empty()) continue;
    Rule rule;
    std::string body = text;
    if (const auto at = body.find('@'); at != std::string::npos) {
      rule.nth = std::atoi(body.c_str() + at + 1);
      body.resize(at);
    }
    const std::vector<std::string> parts = ridge::split_list(body, ':');
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
