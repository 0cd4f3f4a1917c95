// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "base/text.h"
#include "device/argument_bytes.h"
#include "device/handles.h"
#include "device/parameter_type.h"
#include "problem/expression.h"

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

class Planner {
 public:
  Planner(const problem::BoundProblem& problem, const source::KernelSource& source,
          const source::PreparedSource& prepared, const compile::CompiledKernel& kernel,
          const hardware::LaunchLimits& limits, bool types_from_parameters)
      : problem_(problem),
        source_(source),
        prepared_(prepared),
        kernel_(kernel),
        limits_(limits),
        types_from_parameters_(types_from_parameters) {}

  Planned run() {
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

 private:
  void error(const std::string& code, int line, std::string message, std::string hint = {}) {
    planned_.diagnostics.push_back(
        {Severity::error, source_.file, line, 0, code, std::move(message), std::move(hint)});
  }
  void error(const Error& fault, int line, const std::string& what) {
    error(fault.code.empty() ? "expression" : fault.code, line, what + ": " + fault.message, fault.hint);
  }
  void ask(const std::string& kind, std::string text, std::string answer_with, int line,
           std::vector<std::string> choices = {}) {
    planned_.questions.push_back(
        {kind, std::move(text), std::move(choices), std::move(answer_with), source_.file, line});
  }

  void collect_names() {
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
  void add_name(const std::string& name, const std::string& value) {
    if (const auto number = problem::evaluate_whole(value, names_)) names_.emplace(name, *number);
  }

  int add_buffer(BufferPlan buffer) {
    planned_.sequence.buffers.push_back(std::move(buffer));
    return static_cast<int>(planned_.sequence.buffers.size()) - 1;
  }

  void declare_buffers() {
    for (std::size_t i = 0; i < problem_.inputs.size(); ++i) {
      const problem::BoundTensor& tensor = problem_.inputs[i];
      add_buffer({tensor.name, BufferRole::input, tensor.dtype, tensor.extents, tensor.elements, tensor.bytes,
                  static_cast<int>(i), -1, false});
    }
    for (std::size_t i = 0; i < problem_.outputs.size(); ++i) {
      const problem::BoundTensor& tensor = problem_.outputs[i];
      add_buffer({tensor.name, BufferRole::output, tensor.dtype, tensor.extents, tensor.elements,
                  tensor.bytes, static_cast<int>(i), tensor.from.empty() ? -1 : buffer_named(tensor.from),
                  false});
    }
    for (const source::Scratch& scratch : source_.directives.scratch) declare_scratch(scratch);
    used_.assign(planned_.sequence.buffers.size(), false);
  }

  void declare_scratch(const source::Scratch& scratch) {
    const auto dtype = dtype_named(scratch.dtype);
    if (!dtype) {
      error("unknown_dtype", scratch.line,
            "scratch " + scratch.name + " has the unknown type " + scratch.dtype,
            "one of " + joined(dtype_names()));
      return;
    }
    if (buffer_named(scratch.name) >= 0) {
      error("duplicate_name", scratch.line, "scratch " + scratch.name + " has the name of another tensor",
            "give it a name of its own");
      return;
    }
    BufferPlan buffer{scratch.name, BufferRole::scratch, *dtype, {}, 1, 0, -1, -1, false};
    for (const std::string& extent : scratch.shape) {
      const auto value = problem::evaluate_whole(extent, names_);
      if (!value) {
        error(value.error(), scratch.line, "shape of scratch " + scratch.name);
        return;
      }
      if (*value > 0 && buffer.elements > std::numeric_limits<std::int64_t>::max() / 16 / *value) {
        error("overflow", scratch.line, "scratch " + scratch.name + " has more elements than 64 bits count");
        return;
      }
      buffer.extents.push_back(*value);
      buffer.elements *= *value;
    }
    buffer.bytes = buffer.elements * static_cast<std::int64_t>(size_of(*dtype));
    add_buffer(std::move(buffer));
  }

  /// Tensor maps and textures; what the hardware does not take becomes a finding, for another workload may
  /// do.
  void declare_handles() {
    const auto declare = [&](const auto& directive, const auto& make, auto& into) {
      const int buffer = buffer_named(directive.tensor);
      if (buffer < 0) {
        error("unknown_tensor", directive.line,
              directive.name + " is made of " + directive.tensor + ", which is no tensor",
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
  template <class Plan>
  int handle_named(const std::vector<Plan>& plans, const std::string& name) const {
    for (std::size_t i = 0; i < plans.size(); ++i)
      if (plans[i].spec.name == name) return static_cast<int>(i);
    return -1;
  }
  /// The handle is taken by a parameter of its size: its tensor is used, and its limits count.
  template <class Plan>
  bool take_handle(const Plan& plan, const compile::Parameter& slot, std::size_t bytes, const char* type,
                   const std::string& parameter, int line) {
    if (slot.bytes != bytes) {
      error("argument_type", line,
            "parameter " + parameter + " has " + std::to_string(slot.bytes) + " bytes, but " +
                plan.spec.name + " is a " + type,
            "declare it as " + std::string(type) + " " + parameter);
      return false;
    }
    used_[static_cast<std::size_t>(plan.buffer)] = true;
    for (const std::string& fault : faults_of(plan.spec)) {
      hardware::Finding finding;
      finding.status = hardware::Status::launch_failed;
      finding.message = fault;
      finding.file = source_.file;
      finding.line = plan.spec.line;
      planned_.findings.push_back(std::move(finding));
    }
    return true;
  }

  int buffer_named(const std::string& name) const {
    const auto& buffers = planned_.sequence.buffers;
    // An output hides an input of the same name, as a kernel that works in place sees it.
    for (auto buffer = buffers.rbegin(); buffer != buffers.rend(); ++buffer) {
      if (buffer->name == name) return static_cast<int>(buffers.rend() - buffer) - 1;
    }
    return -1;
  }

  const compile::Entry* entry_of(const source::LaunchDirectives& launch) {
    if (!launch.kernel.given()) {
      if (kernel_.entries.size() == 1) return &kernel_.entries.front();
      if (kernel_.entries.empty()) {
        error("no_kernel", 0, "the source has no __global__ function",
              "add one, or name a template by //@ kernel:");
        return nullptr;
      }
      std::vector<std::string> choices;
      for (const compile::Entry& entry : kernel_.entries) choices.push_back(entry.name);
      ask("kernel", "Which of the " + std::to_string(choices.size()) + " kernels is to be run?",
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
    error("unknown_kernel", launch.kernel.line, "the source has no kernel " + launch.kernel.text,
          near.empty() ? "kernels: " + joined(names) : near + " is near");
    return nullptr;
  }

  /// The signature behind an entry: by name, and by the number of parameters where a name is overloaded.
  const source::Signature* signature_of(const source::LaunchDirectives& launch,
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

  void plan_launch(const source::LaunchDirectives& directives) {
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

  /// An empty grid is right where every output is empty.
  bool nothing_to_do(const Launch& shape) const {
    const bool empty_grid = std::find(shape.grid.begin(), shape.grid.end(), 0) != shape.grid.end();
    return empty_grid && std::all_of(problem_.outputs.begin(), problem_.outputs.end(),
                                     [](const problem::BoundTensor& tensor) { return tensor.elements == 0; });
  }

  bool extents(const source::Value& value, const char* what, Extent& into) {
    const auto evaluated = problem::evaluate_extents(value.text, names_);
    if (!evaluated) {
      error(evaluated.error(), value.line, what);
      return false;
    }
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = i < evaluated->size() ? (*evaluated)[i] : 1;
    return true;
  }

  bool plan_geometry(const source::LaunchDirectives& directives, const compile::Entry& entry, Launch& shape) {
    bool good = true;
    source::Value block = directives.block;
    if (!block.given()) {
      block.text = required_extents(kernel_.ptx, entry.symbol, ".reqntid");
      block.line = block.text.empty() ? 0 : entry.line;
    }
    const bool has_block = !block.text.empty();
    if (!directives.grid.given() || !has_block) {
      const std::string missing = directives.grid.given() ? "block" : has_block ? "grid" : "grid and block";
      ask("geometry", "How is " + entry.name + " launched? The source states no " + missing + ".",
          directives.grid.given() ? "//@ block: 256"
          : has_block             ? "//@ grid: ceil_div(n, 256)"
                                  : "//@ grid: ceil_div(n, 256) and //@ block: 256",
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
        error("bad_value", directives.cooperative.line, "cooperative is " + text, "write true or false");
        good = false;
      }
      shape.cooperative = text == "true";
    }
    return good;
  }

  bool plan_arguments(const source::LaunchDirectives& directives, const compile::Entry& entry,
                      const source::Signature* signature, PlannedLaunch& launch) {
    const std::size_t count = entry.parameters.size();
    const int line = directives.args.given() ? directives.args.line
                     : signature != nullptr  ? signature->line
                                             : entry.line;
    std::vector<std::string> values;
    if (directives.args.given()) {
      if (!trim(directives.args.text).empty()) values = split_list(directives.args.text);
      if (values.size() != count) {
        error("argument_count", line,
              entry.name + " has " + std::to_string(count) + " parameters, args names " +
                  std::to_string(values.size()),
              "name one value per parameter, in order; null for a pointer that is not used");
        return false;
      }
    } else if (signature != nullptr && signature->parameters.size() == count) {
      for (const source::Parameter& parameter : signature->parameters) values.push_back(parameter.name);
    } else if (count > 0) {
      ask("argument",
          "What do the " + std::to_string(count) + " parameters of " + entry.name + " get? " +
              (source_.language == source::Language::ptx ? "PTX has no names for them."
                                                         : "Their names cannot be read from the source."),
          "//@ args: " + joined(known_names()), line, known_names());
      return false;
    }
    const bool typed = signature != nullptr && signature->parameters.size() == count;
    const auto substitutions = typed ? substitutions_of(*signature, launch_expression(directives, entry))
                                     : std::map<std::string, std::string>{};
    bool good = true;
    for (std::size_t i = 0; i < count; ++i) {
      const source::Parameter* parameter = typed ? &signature->parameters[i] : nullptr;
      auto argument = plan_argument(values[i], entry.parameters[i], parameter, substitutions, line);
      good = good && argument.has_value();
      if (argument) launch.arguments.push_back(std::move(*argument));
    }
    if (!good && !directives.args.given()) blame_missing_outputs(launch, entry, line);
    return good;
  }

  /// Names that no parameter takes are usually misspelt: say so about outputs, which would never be written.
  void blame_missing_outputs(const PlannedLaunch& launch, const compile::Entry& entry, int line) {
    for (std::size_t i = 0; i < planned_.sequence.buffers.size(); ++i) {
      const BufferPlan& buffer = planned_.sequence.buffers[i];
      if (buffer.role != BufferRole::output) continue;
      const bool taken =
          used_[i] || std::any_of(launch.arguments.begin(), launch.arguments.end(),
                                  [&](const PlannedArgument& a) { return a.buffer == static_cast<int>(i); });
      if (!taken && source_.directives.launches.size() == 1) output_not_taken(buffer.name, entry.name, line);
    }
  }
  void output_not_taken(const std::string& output, const std::string& entry, int line) {
    error("output_without_argument", line,
          "no parameter of " + entry + " is called " + output + ", so the output " + output +
              " would never be written",
          "rename the parameter, or name all of them in order by //@ args:");
  }

  static std::string launch_expression(const source::LaunchDirectives& directives,
                                       const compile::Entry& entry) {
    return directives.kernel.given() ? directives.kernel.text : entry.name;
  }

  /// Template parameter -> argument, for the types in a signature.
  static std::map<std::string, std::string> substitutions_of(const source::Signature& signature,
                                                             const std::string& expression) {
    std::map<std::string, std::string> substitutions;
    const std::string list = template_arguments(expression);
    if (list.empty()) return substitutions;
    const std::vector<std::string> arguments = split_list(list);
    for (std::size_t i = 0; i < std::min(arguments.size(), signature.template_parameters.size()); ++i) {
      std::string_view parameter = signature.template_parameters[i];
      parameter = trim(parameter.substr(0, parameter.find('=')));
      const std::size_t start = parameter.find_last_of(" .\t");
      substitutions[std::string(start == std::string_view::npos ? parameter : parameter.substr(start + 1))] =
          arguments[i];
    }
    return substitutions;
  }

  std::optional<PlannedArgument> plan_argument(const std::string& value, const compile::Parameter& slot,
                                               const source::Parameter* parameter,
                                               const std::map<std::string, std::string>& substitutions,
                                               int line) {
    const std::string name = parameter != nullptr ? parameter->name : value;
    const auto declared = parameter != nullptr ? element_type(parameter->type, substitutions) : std::nullopt;
    // PTX need not say .ptr: there, what a parameter of 64 bits gets decides what it is.
    const bool open =
        parameter == nullptr || (source_.language == source::Language::ptx && !parameter->pointer);
    const bool pointer = open ? slot.bytes == 8 : parameter->pointer;
    PlannedArgument argument;
    argument.name = name;

    argument.tensor_map = handle_named(planned_.sequence.tensor_maps, value);
    if (argument.tensor_map >= 0) {
      const TensorMapPlan& plan =
          planned_.sequence.tensor_maps[static_cast<std::size_t>(argument.tensor_map)];
      if (!take_handle(plan, slot, kTensorMapBytes, "const __grid_constant__ CUtensorMap", name, line))
        return std::nullopt;
      argument.bytes.assign(kTensorMapBytes, std::byte{0});
      return argument;
    }
    argument.texture = handle_named(planned_.sequence.textures, value);
    if (argument.texture >= 0) {
      const TexturePlan& plan = planned_.sequence.textures[static_cast<std::size_t>(argument.texture)];
      if (!take_handle(plan, slot, sizeof(std::uint64_t), "cudaTextureObject_t", name, line))
        return std::nullopt;
      argument.bytes.assign(sizeof(std::uint64_t), std::byte{0});
      return argument;
    }
    if (const int buffer = buffer_named(value); buffer >= 0) {
      if (!pointer || slot.bytes != 8) {
        error("not_a_pointer", line,
              "parameter " + name + " takes a value of " + std::to_string(slot.bytes) + " bytes, but " +
                  value + " is a tensor",
              "make the parameter a pointer");
        return std::nullopt;
      }
      take_buffer(buffer, declared, name, line);
      argument.buffer = buffer;
      return argument;
    }
    if (value == "null" || value == "nullptr") {
      argument.bytes.assign(slot.bytes, std::byte{0});
      return argument;
    }
    if (!open && pointer) {
      error("unknown_argument", line, "pointer parameter " + name + " gets " + value + ", which is no tensor",
            hint_for(value));
      return std::nullopt;
    }
    auto bytes = value_bytes(value, slot.bytes, declared, name, line);
    if (!bytes) return std::nullopt;
    argument.bytes = std::move(*bytes);
    return argument;
  }

  void take_buffer(int index, std::optional<DType> declared, const std::string& parameter, int line) {
    const auto at = static_cast<std::size_t>(index);
    BufferPlan& buffer = planned_.sequence.buffers[at];
    const bool first = !used_[at];
    used_[at] = true;
    if (!declared || *declared == buffer.dtype) return;
    if (types_from_parameters_ && buffer.role == BufferRole::output) {
      if (first) {
        buffer.dtype = *declared;
        buffer.bytes = buffer.elements * static_cast<std::int64_t>(size_of(*declared));
      }
      return;
    }
    // Kernels may view a tensor through bytes or integers of its own size; another size is a slip more often
    // than not.
    if (size_of(*declared) == size_of(buffer.dtype) || size_of(*declared) == 1) return;
    planned_.diagnostics.push_back({Severity::warning, source_.file, line, 0, "element_type",
                                    "parameter " + parameter + " points to " +
                                        std::string(name_of(*declared)) + ", but " + buffer.name + " holds " +
                                        std::string(name_of(buffer.dtype)),
                                    "change the parameter's type or the problem's dtype"});
  }

  std::optional<std::vector<std::byte>> value_bytes(const std::string& value, std::uint32_t size,
                                                    std::optional<DType> declared, const std::string& name,
                                                    int line) {
    // Where a macro or typedef hides the declared type, the size and the value's own kind decide.
    const auto slot_type = [&](std::optional<DType> by_size) {
      return declared && size_of(*declared) == size ? declared : by_size;
    };
    const auto scalar = std::find_if(problem_.scalars.begin(), problem_.scalars.end(),
                                     [&](const problem::BoundScalar& s) { return s.name == value; });
    if (scalar != problem_.scalars.end()) {
      const auto type = slot_type(size_of(scalar->dtype) == size ? std::optional(scalar->dtype)
                                  : is_floating(scalar->dtype)   ? float_of_size(size)
                                                                 : integer_of_size(size));
      if (!type) return no_such_size(name, size, line);
      return fitting(real_bytes(scalar->value, *type), value, name, *type, line);
    }
    if (const auto whole = problem::evaluate_whole(value, names_)) {
      const auto type = slot_type(integer_of_size(size));
      if (!type) return no_such_size(name, size, line);
      return fitting(integer_bytes(*whole, *type), value, name, *type, line);
    }
    if (const auto real = problem::evaluate_real(value, names_)) {
      const auto type = slot_type(float_of_size(size));
      if (!type) return no_such_size(name, size, line);
      return fitting(real_bytes(*real, *type), value, name, *type, line);
    }
    error("unknown_argument", line,
          "parameter " + name + " gets " + value + ", which is no tensor, scalar or axis", hint_for(value));
    return std::nullopt;
  }
  std::nullopt_t no_such_size(const std::string& name, std::uint32_t size, int line) {
    error("argument_type", line,
          "parameter " + name + " takes " + std::to_string(size) + " bytes, and no number has that size",
          "pass the members of a struct as parameters of their own");
    return std::nullopt;
  }
  std::optional<std::vector<std::byte>> fitting(std::optional<std::vector<std::byte>> bytes,
                                                const std::string& value, const std::string& name, DType type,
                                                int line) {
    if (!bytes) {
      error("argument_range", line,
            value + " does not fit into parameter " + name + " (" + std::string(name_of(type)) + ")",
            "widen the parameter, for instance to long long");
    }
    return bytes;
  }

  std::vector<std::string> known_names() const {
    std::vector<std::string> known;
    for (const BufferPlan& buffer : planned_.sequence.buffers) known.push_back(buffer.name);
    for (const problem::BoundScalar& scalar : problem_.scalars) known.push_back(scalar.name);
    for (const auto& [axis, value] : problem_.axes) known.push_back(axis);
    return known;
  }
  std::string hint_for(const std::string& name) const {
    const std::vector<std::string> known = known_names();
    const std::string near = nearest(name, known);
    return near.empty() ? "known are " + joined(known) + "; name the parameters in order by //@ args:"
                        : near + " is near; or name the parameters in order by //@ args:";
  }
  static std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  void fill_symbols() {
    for (const source::Symbol& symbol : source_.directives.symbols) {
      const int buffer = buffer_named(symbol.tensor);
      if (buffer < 0) {
        error("unknown_tensor", symbol.line,
              "symbol " + symbol.symbol + " is filled from " + symbol.tensor + ", which is no tensor",
              hint_for(symbol.tensor));
        continue;
      }
      const auto global =
          std::find_if(kernel_.globals.begin(), kernel_.globals.end(), [&](const compile::GlobalSymbol& g) {
            return g.name == symbol.symbol || g.symbol == symbol.symbol;
          });
      if (global == kernel_.globals.end()) {
        std::vector<std::string> names;
        for (const compile::GlobalSymbol& g : kernel_.globals) names.push_back(g.name);
        error("unknown_symbol", symbol.line,
              "the module has no __device__ or __constant__ variable " + symbol.symbol,
              names.empty() ? "it has none at all" : "it has " + joined(names));
        continue;
      }
      const BufferPlan& tensor = planned_.sequence.buffers[static_cast<std::size_t>(buffer)];
      if (tensor.bytes > global->bytes) {
        error("symbol_size", symbol.line,
              symbol.symbol + " holds " + std::to_string(global->bytes) + " bytes, " + symbol.tensor +
                  " has " + std::to_string(tensor.bytes),
              "make the variable larger or choose a smaller workload");
        continue;
      }
      used_[static_cast<std::size_t>(buffer)] = true;
      planned_.sequence.symbols.push_back({global->symbol, buffer});
    }
  }

  void zero_buffers() {
    for (const std::string& name : source_.directives.zero) {
      const int index = buffer_named(name);
      if (index < 0 || planned_.sequence.buffers[static_cast<std::size_t>(index)].role == BufferRole::input) {
        error("unknown_tensor", 0, "zero: " + name + " is no output and no scratch tensor", hint_for(name));
        continue;
      }
      planned_.sequence.buffers[static_cast<std::size_t>(index)].zeroed = true;
    }
  }

  void require_outputs() {
    for (std::size_t i = 0; i < planned_.sequence.buffers.size(); ++i) {
      const BufferPlan& buffer = planned_.sequence.buffers[i];
      if (buffer.role != BufferRole::output || used_[i] || buffer.elements == 0) continue;
      const std::string entry =
          planned_.sequence.launches.empty() ? "the kernel" : planned_.sequence.launches.back().name;
      const int line = prepared_.kernels.empty() ? 0 : prepared_.kernels.back().line;
      output_not_taken(buffer.name, entry, line);
    }
  }

  /// Inputs and scratch that nothing takes get no memory.
  void drop_unused_buffers() {
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

  const problem::BoundProblem& problem_;
  const source::KernelSource& source_;
  const source::PreparedSource& prepared_;
  const compile::CompiledKernel& kernel_;
  const hardware::LaunchLimits& limits_;
  bool types_from_parameters_;
  Names names_;
  std::vector<bool> used_;
  Planned planned_;
};

}  // namespace

Planned plan(const problem::BoundProblem& problem, const source::KernelSource& source,
             const source::PreparedSource& prepared, const compile::CompiledKernel& kernel,
             const hardware::LaunchLimits& limits, bool output_types_from_parameters) {
  return Planner(problem, source, prepared, kernel, limits, output_types_from_parameters).run();
}

}  // namespace ridge::device
