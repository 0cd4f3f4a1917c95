// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/plan.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "device/handles.h"
#include "device/planner.h"

namespace ridge::device {
namespace {

using problem::Names;

/// Whole-number `#define NAME value` lines of the source: names that geometry may use.
void add_source_macros(std::string_view text, Names& names) {
  for (const std::string_view raw : split_lines(text)) {
    std::string_view line = trim(raw);
    if (!line.starts_with('#')) continue;
    line = trim(line.substr(1));
    if (!line.starts_with("define ")) continue;
    line = trim(line.substr(7));
    const std::size_t end = line.find_first_of(" \t");
    if (end == std::string_view::npos || line.substr(0, end).find('(') != std::string_view::npos) continue;
    const std::string name(line.substr(0, end));
    const std::string_view value = trim(line.substr(end, line.find("//") - end));
    if (const auto number = problem::evaluate_whole(value, names)) names.emplace(name, *number);
  }
}

}  // namespace

Planned Planner::run() {
  collect_names();
  declare_buffers();
  declare_handles();
  for (const source::LaunchDirectives& launch : source_.directives.launches) plan_launch(launch);
  fill_symbols();
  zero_buffers();
  if (!has_errors(planned_.diagnostics) && planned_.questions.empty()) require_outputs();
  drop_unused_buffers();
  return std::move(planned_);
}

void Planner::collect_names() {
  names_ = Names(problem_.axes.begin(), problem_.axes.end());
  for (const problem::BoundScalar& scalar : problem_.scalars) {
    if (!is_floating(scalar.dtype)) names_.emplace(scalar.name, static_cast<std::int64_t>(scalar.value));
  }
  for (const source::Define& define : source_.directives.defines) add_name(define.name, define.value);
  for (const source::Tune& tune : source_.directives.tune) {
    if (!tune.values.empty()) add_name(tune.name, tune.values.front());
  }
  if (source_.language == source::Language::cuda) add_source_macros(source_.text, names_);
}

void Planner::declare_buffers() {
  for (std::size_t i = 0; i < problem_.inputs.size(); ++i) {
    const problem::BoundTensor& tensor = problem_.inputs[i];
    add_buffer({tensor.name, BufferRole::input, tensor.dtype, tensor.extents, tensor.elements, tensor.bytes,
                static_cast<int>(i), -1, false});
  }
  for (std::size_t i = 0; i < problem_.outputs.size(); ++i) {
    const problem::BoundTensor& tensor = problem_.outputs[i];
    add_buffer({tensor.name, BufferRole::output, tensor.dtype, tensor.extents, tensor.elements, tensor.bytes,
                static_cast<int>(i), tensor.from.empty() ? -1 : buffer_named(tensor.from), false});
  }
  for (const source::Scratch& scratch : source_.directives.scratch) declare_scratch(scratch);
  used_.assign(planned_.sequence.buffers.size(), false);
}

void Planner::declare_scratch(const source::Scratch& scratch) {
  const auto dtype = dtype_named(scratch.dtype);
  if (!dtype) {
    error("unknown_dtype", scratch.line,
          say("scratch {} has the unknown type {}", scratch.name, scratch.dtype),
          say("one of {}", joined(dtype_names())));
    return;
  }
  if (buffer_named(scratch.name) >= 0) {
    error("duplicate_name", scratch.line, say("scratch {} has the name of another tensor", scratch.name),
          say("give it a name of its own"));
    return;
  }
  BufferPlan buffer{scratch.name, BufferRole::scratch, *dtype, {}, 1, 0, -1, -1, false};
  for (const std::string& extent : scratch.shape) {
    const auto value = problem::evaluate_whole(extent, names_);
    if (!value) {
      error(value.error(), scratch.line, say("shape of scratch {}", scratch.name));
      return;
    }
    if (*value > 0 && buffer.elements > std::numeric_limits<std::int64_t>::max() / 16 / *value) {
      error("overflow", scratch.line, say("scratch {} has more elements than 64 bits count", scratch.name));
      return;
    }
    buffer.extents.push_back(*value);
    buffer.elements *= *value;
  }
  buffer.bytes = buffer.elements * static_cast<std::int64_t>(size_of(*dtype));
  add_buffer(std::move(buffer));
}

void Planner::declare_handles() {
  const auto declare = [&](const auto& directive, const auto& make, auto& into) {
    const int buffer = buffer_named(directive.tensor);
    if (buffer < 0) {
      error("unknown_tensor", directive.line,
            say("{} is made of {}, which is no tensor", directive.name, directive.tensor),
            hint_for(directive.tensor));
      return;
    }
    auto spec = make(planned_.sequence.buffers[static_cast<std::size_t>(buffer)]);
    if (!spec) return error(spec.error(), directive.line, directive.name);
    into.push_back({*std::move(spec), buffer});
  };
  for (const source::TensorMap& directive : source_.directives.tensor_maps)
    declare(
        directive,
        [&](const BufferPlan& buffer) {
          return tensor_map_spec(directive, buffer.dtype, buffer.extents, names_);
        },
        planned_.sequence.tensor_maps);
  for (const source::Texture& directive : source_.directives.textures)
    declare(
        directive,
        [&](const BufferPlan& buffer) { return texture_spec(directive, buffer.dtype, buffer.extents); },
        planned_.sequence.textures);
}

void Planner::fill_symbols() {
  for (const source::Symbol& symbol : source_.directives.symbols) {
    const int buffer = buffer_named(symbol.tensor);
    if (buffer < 0) {
      error("unknown_tensor", symbol.line,
            say("symbol {} is filled from {}, which is no tensor", symbol.symbol, symbol.tensor),
            hint_for(symbol.tensor));
      continue;
    }
    const auto global = std::find_if(
        kernel_.globals.begin(), kernel_.globals.end(),
        [&](const compile::GlobalSymbol& g) { return g.name == symbol.symbol || g.symbol == symbol.symbol; });
    if (global == kernel_.globals.end()) {
      std::vector<std::string> names;
      for (const compile::GlobalSymbol& g : kernel_.globals) names.push_back(g.name);
      error("unknown_symbol", symbol.line,
            say("the module has no __device__ or __constant__ variable {}", symbol.symbol),
            names.empty() ? say("it has none at all") : say("it has {}", joined(names)));
      continue;
    }
    const BufferPlan& tensor = planned_.sequence.buffers[static_cast<std::size_t>(buffer)];
    if (tensor.bytes > global->bytes) {
      error("symbol_size", symbol.line,
            say("{} holds {} bytes, {} has {}", symbol.symbol, global->bytes, symbol.tensor, tensor.bytes),
            say("make the variable larger or choose a smaller workload"));
      continue;
    }
    used_[static_cast<std::size_t>(buffer)] = true;
    planned_.sequence.symbols.push_back({global->symbol, buffer});
  }
}

void Planner::zero_buffers() {
  for (const std::string& name : source_.directives.zero) {
    const int index = buffer_named(name);
    if (index < 0 || planned_.sequence.buffers[static_cast<std::size_t>(index)].role == BufferRole::input) {
      error("unknown_tensor", 0, say("zero: {} is no output and no scratch tensor", name), hint_for(name));
      continue;
    }
    planned_.sequence.buffers[static_cast<std::size_t>(index)].zeroed = true;
  }
}

void Planner::require_outputs() {
  for (std::size_t i = 0; i < planned_.sequence.buffers.size(); ++i) {
    const BufferPlan& buffer = planned_.sequence.buffers[i];
    if (buffer.role != BufferRole::output || used_[i] || buffer.elements == 0) continue;
    const Sentence entry = planned_.sequence.launches.empty()
                               ? say("the kernel")
                               : Sentence(planned_.sequence.launches.back().name);
    const int line = prepared_.kernels.empty() ? 0 : prepared_.kernels.back().line;
    output_not_taken(buffer.name, entry, line);
  }
}

void Planner::drop_unused_buffers() {
  auto& buffers = planned_.sequence.buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].role == BufferRole::output) used_[i] = true;
    if (used_[i] && buffers[i].copy_of >= 0) used_[static_cast<std::size_t>(buffers[i].copy_of)] = true;
  }
  std::vector<int> moved(buffers.size(), -1);
  std::vector<BufferPlan> kept;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!used_[i]) continue;
    moved[i] = static_cast<int>(kept.size());
    kept.push_back(buffers[i]);
  }
  const auto move = [&](int& index) {
    if (index >= 0) index = moved[static_cast<std::size_t>(index)];
  };
  for (BufferPlan& buffer : kept) move(buffer.copy_of);
  for (PlannedLaunch& launch : planned_.sequence.launches) {
    for (PlannedArgument& argument : launch.arguments) move(argument.buffer);
  }
  for (SymbolFill& fill : planned_.sequence.symbols) move(fill.buffer);
  for (TensorMapPlan& map : planned_.sequence.tensor_maps) move(map.buffer);
  for (TexturePlan& texture : planned_.sequence.textures) move(texture.buffer);
  buffers = std::move(kept);
}

std::vector<std::string> Planner::known_names() const {
  std::vector<std::string> known;
  for (const BufferPlan& buffer : planned_.sequence.buffers) known.push_back(buffer.name);
  for (const problem::BoundScalar& scalar : problem_.scalars) known.push_back(scalar.name);
  for (const auto& [axis, value] : problem_.axes) known.push_back(axis);
  return known;
}

Sentence Planner::hint_for(const std::string& name) const {
  const std::vector<std::string> known = known_names();
  const std::string near = nearest(name, known);
  return near.empty() ? say("known are {}; name the parameters in order by //@ args:", joined(known))
                      : say("{} is near; or name the parameters in order by //@ args:", near);
}

Planned plan(const problem::BoundProblem& problem, const source::KernelSource& source,
             const source::PreparedSource& prepared, const compile::CompiledKernel& kernel,
             const hardware::LaunchLimits& limits, bool output_types_from_parameters) {
  return Planner(problem, source, prepared, kernel, limits, output_types_from_parameters).run();
}

}  // namespace ridge::device
