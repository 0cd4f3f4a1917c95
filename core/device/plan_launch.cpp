// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernel a launch is, and how large its grid is.
#include <algorithm>

#include "base/text.h"
#include "device/parameter_type.h"
#include "device/planner.h"

namespace ridge::device {
namespace {

/// The extents that a directive of PTX fixes for an entry (".reqntid"), or empty.
std::string required_extents(const std::string& ptx, const std::string& symbol, std::string_view directive) {
  const std::size_t entry = ptx.find(" " + symbol + "(");
  if (entry == std::string::npos) return {};
  const std::size_t body = ptx.find('{', entry);
  const std::size_t found = ptx.find(directive, entry);
  if (found == std::string::npos || found > body) return {};
  const std::size_t start = found + directive.size();
  const std::size_t end = ptx.find_first_not_of("0123456789, \t", start);
  return std::string(trim(std::string_view(ptx).substr(start, end - start)));
}

}  // namespace

const compile::Entry* Planner::entry_of(const source::LaunchDirectives& launch) {
  if (!launch.kernel.given()) {
    if (kernel_.entries.size() == 1) return &kernel_.entries.front();
    if (kernel_.entries.empty()) {
      error("no_kernel", 0, say("the source has no __global__ function"),
            say("add one, or name a template by //@ kernel:"));
      return nullptr;
    }
    std::vector<std::string> choices;
    for (const compile::Entry& entry : kernel_.entries) choices.push_back(entry.name);
    ask("kernel", say("Which of the {} kernels is to be run?", choices.size()),
        "//@ kernel: " + choices.front(), 0, choices);
    return nullptr;
  }
  for (const auto& [expression, symbol] : kernel_.lowered) {
    if (expression == launch.kernel.text) {
      if (const compile::Entry* entry = kernel_.entry(symbol)) return entry;
    }
  }
  if (const compile::Entry* entry = kernel_.entry(launch.kernel.text)) return entry;
  std::vector<std::string> names;
  for (const compile::Entry& entry : kernel_.entries) names.push_back(entry.name);
  const std::string near = nearest(launch.kernel.text, names);
  error("unknown_kernel", launch.kernel.line, say("the source has no kernel {}", launch.kernel.text),
        near.empty() ? say("kernels: {}", joined(names)) : say("{} is near", near));
  return nullptr;
}

const source::Signature* Planner::signature_of(const source::LaunchDirectives& launch,
                                               const compile::Entry& entry) const {
  const std::string wanted =
      without_template_arguments(launch.kernel.given() ? std::string_view(launch.kernel.text) : entry.name);
  const std::string by_symbol = wanted.substr(0, wanted.find('('));
  const source::Signature* match = nullptr;
  for (const source::Signature& signature : prepared_.kernels) {
    const std::string& name = signature.name;
    const bool same =
        name == by_symbol || name.ends_with("::" + by_symbol) || by_symbol.ends_with("::" + name);
    if (!same) continue;
    if (signature.parameters.size() == entry.parameters.size()) return &signature;
    match = &signature;
  }
  if (match == nullptr && prepared_.kernels.size() == 1) match = &prepared_.kernels.front();
  return match;
}

void Planner::plan_launch(const source::LaunchDirectives& directives) {
  const compile::Entry* entry = entry_of(directives);
  if (entry == nullptr) return;
  const source::Signature* signature = signature_of(directives, *entry);
  PlannedLaunch launch;
  launch.name = entry->name;
  launch.shape.symbol = entry->symbol;
  launch.shape.line = directives.grid.given() ? directives.grid.line
                      : signature != nullptr  ? signature->line
                                              : entry->line;
  launch.shape.block_line = directives.block.line;
  launch.shape.shared_line = directives.shared.line;
  launch.shape.cluster_line = directives.cluster.line;
  const bool shaped = plan_geometry(directives, *entry, launch.shape);
  const bool bound = plan_arguments(directives, *entry, signature, launch);
  if (!shaped || !bound) return;
  if (nothing_to_do(launch.shape)) return;
  const auto found =
      check_limits(launch.shape, limits_, entry->resources.value_or(compile::Resources{}), source_.file);
  planned_.findings.insert(planned_.findings.end(), found.begin(), found.end());
  planned_.sequence.launches.push_back(std::move(launch));
}

bool Planner::nothing_to_do(const Launch& shape) const {
  const bool empty_grid = std::find(shape.grid.begin(), shape.grid.end(), 0) != shape.grid.end();
  return empty_grid && std::all_of(problem_.outputs.begin(), problem_.outputs.end(),
                                   [](const problem::BoundTensor& tensor) { return tensor.elements == 0; });
}

bool Planner::extents(const source::Value& value, const char* what, Extent& into) {
  const auto evaluated = problem::evaluate_extents(value.text, names_);
  if (!evaluated) {
    error(evaluated.error(), value.line, what);
    return false;
  }
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = i < evaluated->size() ? (*evaluated)[i] : 1;
  return true;
}

bool Planner::plan_geometry(const source::LaunchDirectives& directives, const compile::Entry& entry,
                            Launch& shape) {
  bool good = true;
  source::Value block = directives.block;
  if (!block.given()) {
    block.text = required_extents(kernel_.ptx, entry.symbol, ".reqntid");
    block.line = block.text.empty() ? 0 : entry.line;
  }
  const bool has_block = !block.text.empty();
  if (!directives.grid.given() || !has_block) {
    const std::string grid = "//@ grid: ceil_div(n, 256)", one_block = "//@ block: 256";
    ask("geometry",
        say("How is {} launched? The source states no {}.", entry.name,
            directives.grid.given() ? Sentence("block")
            : has_block             ? Sentence("grid")
                                    : say("{} and {}", "grid", "block")),
        directives.grid.given() ? Sentence(one_block)
        : has_block             ? Sentence(grid)
                                : say("{} and {}", grid, one_block),
        entry.line);
    good = false;
  }
  if (directives.grid.given()) good = extents(directives.grid, "grid", shape.grid) && good;
  if (has_block) good = extents(block, "block", shape.block) && good;
  source::Value cluster = directives.cluster;
  if (!cluster.given()) {  // __cluster_dims__
    cluster.text = required_extents(kernel_.ptx, entry.symbol, ".reqnctapercluster");
    cluster.line = cluster.text.empty() ? 0 : entry.line;
  }
  if (cluster.given() || !cluster.text.empty()) good = extents(cluster, "cluster", shape.cluster) && good;
  if (directives.shared.given()) {
    const auto bytes = problem::evaluate_whole(directives.shared.text, names_);
    if (!bytes) {
      error(bytes.error(), directives.shared.line, "shared");
      good = false;
    } else {
      shape.shared_bytes = *bytes;
    }
  }
  if (directives.cooperative.given()) {
    const std::string& text = directives.cooperative.text;
    if (text != "true" && text != "false") {
      error("bad_value", directives.cooperative.line, say("cooperative is {}", text),
            say("write true or false"));
      good = false;
    }
    shape.cooperative = text == "true";
  }
  return good;
}

}  // namespace ridge::device
