// SPDX-License-Identifier: GPL-3.0-or-later
// What each parameter of a kernel gets.
#include <algorithm>

#include "base/text.h"
#include "device/argument_bytes.h"
#include "device/handles.h"
#include "device/parameter_type.h"
#include "device/planner.h"

namespace ridge::device {
namespace {

std::string launch_expression(const source::LaunchDirectives& directives, const compile::Entry& entry) {
  return directives.kernel.given() ? directives.kernel.text : entry.name;
}

/// Template parameter -> argument, for the types in a signature.
std::map<std::string, std::string> substitutions_of(const source::Signature& signature,
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

}  // namespace

bool Planner::plan_arguments(const source::LaunchDirectives& directives, const compile::Entry& entry,
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
            say("{} has {} parameters, args names {}", entry.name, count, values.size()),
            say("name one value per parameter, in order; null for a pointer that is not used"));
      return false;
    }
  } else if (signature != nullptr && signature->parameters.size() == count) {
    for (const source::Parameter& parameter : signature->parameters) values.push_back(parameter.name);
  } else if (count > 0) {
    ask("argument",
        say("What do the {} parameters of {} get? {}", count, entry.name,
            source_.language == source::Language::ptx ? say("PTX has no names for them.")
                                                      : say("Their names cannot be read from the source.")),
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

template <class Plan>
bool Planner::take_handle(const Plan& plan, const compile::Parameter& slot, std::size_t bytes,
                          const char* type, const std::string& parameter, int line) {
  if (slot.bytes != bytes) {
    error("argument_type", line,
          say("parameter {} has {} bytes, but {} is a {}", parameter, slot.bytes, plan.spec.name, type),
          say("declare it as {}", std::string(type) + " " + parameter));
    return false;
  }
  used_[static_cast<std::size_t>(plan.buffer)] = true;
  for (const Sentence& fault : faults_of(plan.spec)) {
    hardware::Finding finding;
    finding.status = hardware::Status::launch_failed;
    finding.message = fault;
    finding.file = source_.file;
    finding.line = plan.spec.line;
    planned_.findings.push_back(std::move(finding));
  }
  return true;
}

std::optional<PlannedArgument> Planner::plan_argument(const std::string& value,
                                                      const compile::Parameter& slot,
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
    const TensorMapPlan& plan = planned_.sequence.tensor_maps[static_cast<std::size_t>(argument.tensor_map)];
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
            say("parameter {} takes a value of {} bytes, but {} is a tensor", name, slot.bytes, value),
            say("make the parameter a pointer"));
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
    error("unknown_argument", line, say("pointer parameter {} gets {}, which is no tensor", name, value),
          hint_for(value));
    return std::nullopt;
  }
  auto bytes = value_bytes(value, slot.bytes, declared, name, line);
  if (!bytes) return std::nullopt;
  argument.bytes = std::move(*bytes);
  return argument;
}

void Planner::take_buffer(int index, std::optional<DType> declared, const std::string& parameter, int line) {
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
                                  say("parameter {} points to {}, but {} holds {}", parameter,
                                      name_of(*declared), buffer.name, name_of(buffer.dtype)),
                                  say("change the parameter's type or the problem's dtype")});
}

std::optional<std::vector<std::byte>> Planner::value_bytes(const std::string& value, std::uint32_t size,
                                                           std::optional<DType> declared,
                                                           const std::string& name, int line) {
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
        say("parameter {} gets {}, which is no tensor, scalar or axis", name, value), hint_for(value));
  return std::nullopt;
}

std::nullopt_t Planner::no_such_size(const std::string& name, std::uint32_t size, int line) {
  error("argument_type", line, say("parameter {} takes {} bytes, and no number has that size", name, size),
        say("pass the members of a struct as parameters of their own"));
  return std::nullopt;
}

std::optional<std::vector<std::byte>> Planner::fitting(std::optional<std::vector<std::byte>> bytes,
                                                       const std::string& value, const std::string& name,
                                                       DType type, int line) {
  if (!bytes) {
    error("argument_range", line, say("{} does not fit into parameter {} ({})", value, name, name_of(type)),
          say("widen the parameter, for instance to long long"));
  }
  return bytes;
}

void Planner::blame_missing_outputs(const PlannedLaunch& launch, const compile::Entry& entry, int line) {
  for (std::size_t i = 0; i < planned_.sequence.buffers.size(); ++i) {
    const BufferPlan& buffer = planned_.sequence.buffers[i];
    if (buffer.role != BufferRole::output) continue;
    const bool taken =
        used_[i] || std::any_of(launch.arguments.begin(), launch.arguments.end(),
                                [&](const PlannedArgument& a) { return a.buffer == static_cast<int>(i); });
    if (!taken && source_.directives.launches.size() == 1) output_not_taken(buffer.name, entry.name, line);
  }
}

void Planner::output_not_taken(const std::string& output, const Sentence& entry, int line) {
  error(
      "output_without_argument", line,
      say("no parameter of {} is called {}, so the output {} would never be written", entry, output, output),
      say("rename the parameter, or name all of them in order by //@ args:"));
}

}  // namespace ridge::device
