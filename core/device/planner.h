// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: what planning a launch sequence knows and has found so far. plan.cpp declares buffers and
// handles and settles what is used, plan_launch.cpp finds kernels and their geometry, plan_arguments.cpp
// gives each parameter its value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/plan.h"
#include "problem/expression.h"

namespace ridge::device {

/// Plans one launch sequence; run() is called once.
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

  Planned run();

 private:
  void error(const std::string& code, int line, Sentence message, Sentence hint = {}) {
    planned_.diagnostics.push_back(
        {Severity::error, source_.file, line, 0, code, std::move(message), std::move(hint)});
  }
  void error(const Error& fault, int line, const Sentence& what) {
    error(fault.code.empty() ? "expression" : fault.code, line, say("{}: {}", what, fault.message),
          fault.hint);
  }
  void ask(const std::string& kind, Sentence text, Sentence answer_with, int line,
           std::vector<std::string> choices = {}) {
    planned_.questions.push_back(
        {kind, std::move(text), std::move(choices), std::move(answer_with), source_.file, line});
  }

  void collect_names();
  void add_name(const std::string& name, const std::string& value) {
    if (const auto number = problem::evaluate_whole(value, names_)) names_.emplace(name, *number);
  }
  void declare_buffers();
  void declare_scratch(const source::Scratch& scratch);
  /// Tensor maps and textures; what the hardware does not take becomes a finding, for another workload may
  /// do.
  void declare_handles();
  int add_buffer(BufferPlan buffer) {
    planned_.sequence.buffers.push_back(std::move(buffer));
    return static_cast<int>(planned_.sequence.buffers.size()) - 1;
  }
  int buffer_named(const std::string& name) const {
    const auto& buffers = planned_.sequence.buffers;
    // An output hides an input of the same name, as a kernel that works in place sees it.
    for (auto buffer = buffers.rbegin(); buffer != buffers.rend(); ++buffer) {
      if (buffer->name == name) return static_cast<int>(buffers.rend() - buffer) - 1;
    }
    return -1;
  }
  template <class Plan>
  int handle_named(const std::vector<Plan>& plans, const std::string& name) const {
    for (std::size_t i = 0; i < plans.size(); ++i)
      if (plans[i].spec.name == name) return static_cast<int>(i);
    return -1;
  }
  void fill_symbols();
  void zero_buffers();
  void require_outputs();
  /// Inputs and scratch that nothing takes get no memory.
  void drop_unused_buffers();

  void plan_launch(const source::LaunchDirectives& directives);
  const compile::Entry* entry_of(const source::LaunchDirectives& launch);
  /// The signature behind an entry: by name, and by the number of parameters where a name is overloaded.
  const source::Signature* signature_of(const source::LaunchDirectives& launch,
                                        const compile::Entry& entry) const;
  bool plan_geometry(const source::LaunchDirectives& directives, const compile::Entry& entry, Launch& shape);
  bool extents(const source::Value& value, const char* what, Extent& into);
  /// An empty grid is right where every output is empty.
  bool nothing_to_do(const Launch& shape) const;

  bool plan_arguments(const source::LaunchDirectives& directives, const compile::Entry& entry,
                      const source::Signature* signature, PlannedLaunch& launch);
  std::optional<PlannedArgument> plan_argument(const std::string& value, const compile::Parameter& slot,
                                               const source::Parameter* parameter,
                                               const std::map<std::string, std::string>& substitutions,
                                               int line);
  /// The handle is taken by a parameter of its size: its tensor is used, and its limits count.
  template <class Plan>
  bool take_handle(const Plan& plan, const compile::Parameter& slot, std::size_t bytes, const char* type,
                   const std::string& parameter, int line);
  void take_buffer(int index, std::optional<DType> declared, const std::string& parameter, int line);
  std::optional<std::vector<std::byte>> value_bytes(const std::string& value, std::uint32_t size,
                                                    std::optional<DType> declared, const std::string& name,
                                                    int line);
  std::nullopt_t no_such_size(const std::string& name, std::uint32_t size, int line);
  std::optional<std::vector<std::byte>> fitting(std::optional<std::vector<std::byte>> bytes,
                                                const std::string& value, const std::string& name, DType type,
                                                int line);
  /// Names that no parameter takes are usually misspelt: say so about outputs, which would never be written.
  void blame_missing_outputs(const PlannedLaunch& launch, const compile::Entry& entry, int line);
  void output_not_taken(const std::string& output, const Sentence& entry, int line);

  std::vector<std::string> known_names() const;
  Sentence hint_for(const std::string& name) const;
  static std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  const problem::BoundProblem& problem_;
  const source::KernelSource& source_;
  const source::PreparedSource& prepared_;
  const compile::CompiledKernel& kernel_;
  const hardware::LaunchLimits& limits_;
  bool types_from_parameters_;
  problem::Names names_;
  std::vector<bool> used_;
  Planned planned_;
};

}  // namespace ridge::device
