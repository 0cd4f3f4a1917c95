// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <utility>

#include "bench/bench.h"
#include "bench/run_record.h"

namespace ridge::bench {
namespace {

using hardware::Status;

Diagnostic fault(std::string code, Sentence message, Sentence hint, std::string file = {}, int line = 0) {
  return {Severity::error, std::move(file), line, 0, std::move(code), std::move(message), std::move(hint)};
}

void append(Diagnostics& to, const Diagnostics& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// A workload as it is to be bound.
struct Choice {
  problem::Workload workload;
  std::map<std::string, std::int64_t> axes;
};

std::string text_of(const std::map<std::string, std::int64_t>& axes) {
  std::string text;
  for (const auto& [name, value] : axes)
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(value);
  return text;
}

std::vector<Choice> choose(const Request& request, Diagnostics& diagnostics) {
  const problem::Problem& problem = request.problem;
  std::vector<Choice> choices;
  if (request.all) {
    for (const problem::Workload& workload : problem.workloads) choices.push_back({workload, {}});
  } else {
    for (const std::string& name : request.workloads) {
      if (std::any_of(choices.begin(), choices.end(),
                      [&](const Choice& choice) { return choice.workload.name == name; }))
        continue;  // named twice
      if (const problem::Workload* workload = problem.workload(name)) {
        choices.push_back({*workload, {}});
        continue;
      }
      std::vector<std::string> names;
      for (const problem::Workload& workload : problem.workloads) names.push_back(workload.name);
      std::string list;
      for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
      const std::string near = nearest(name, names);
      diagnostics.push_back(
          fault("unknown_workload", say("problem {} has no workload {}", problem.name, name),
                near.empty() ? say("it has {}", list) : say("{} is near", near), problem.file));
    }
    if (request.workloads.empty()) {
      if (!problem.workloads.empty()) {
        choices.push_back({problem.workloads.front(), {}});
      } else if (!request.axes.empty()) {
        choices.emplace_back();
      } else {
        diagnostics.push_back(fault("no_workload", say("problem {} has no workload", problem.name),
                                    say("add a [[workloads]] table, or give every axis by --axis NAME=VALUE"),
                                    problem.file));
      }
    }
  }
  if (request.axes.empty()) return choices;
  for (const auto& [name, value] : request.axes) {
    const problem::Axis* axis = problem.axis(name);
    if (axis != nullptr && axis->kind == problem::AxisKind::variable) {
      const std::int64_t least = problem.allow_empty ? 0 : 1;
      if (value < least)
        diagnostics.push_back(fault("extent", say("--axis {}={}: it is below {}", name, value, least),
                                    say("give an extent of at least {}", least), {}));
      continue;
    }
    std::vector<std::string> names;
    for (const problem::Axis& known : problem.axes) {
      if (known.kind == problem::AxisKind::variable) names.push_back(known.name);
    }
    std::string list;
    for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
    diagnostics.push_back(fault("unknown_axis",
                                axis == nullptr ? say("problem {} has no axis {}", problem.name, name)
                                                : say("axis {} is not set by workloads", name),
                                say("axes that --axis can set: {}", list), problem.file));
  }
  for (Choice& choice : choices) {
    choice.axes = request.axes;
    auto named = choice.workload.axes;
    for (const auto& [name, value] : request.axes) named[name] = value;
    choice.workload.name = text_of(named);
    choice.workload.large = false;  // its size is the user's own choice
  }
  // Where --axis sets every axis, all workloads become one.
  std::vector<Choice> distinct;
  for (Choice& choice : choices) {
    const bool known = std::any_of(distinct.begin(), distinct.end(), [&](const Choice& other) {
      return other.workload.name == choice.workload.name;
    });
    if (!known) distinct.push_back(std::move(choice));
  }
  return distinct;
}

/// What a compilation gives to all jobs.
struct Compiled {
  source::KernelSource source;
  source::PreparedSource prepared;
  compile::CompiledKernel kernel;
};

/// `wanted_arch`: what the user asks for; empty: the directive of the source, else `usual_arch`.
Result<Compiled> compile_source(source::KernelSource source, const std::string& usual_arch,
                                const std::string& wanted_arch, const CompileFunction& compile) {
  Compiled compiled;
  compiled.prepared = source::prepare(source);
  compiled.source = std::move(source);
  if (!compiled.prepared.questions.empty() || has_errors(compiled.prepared.diagnostics)) return compiled;
  auto request = compile::request_for(compiled.source, compiled.prepared, usual_arch);
  if (!wanted_arch.empty()) request.arch = wanted_arch;  // the user's word comes before the source's
  auto kernel = compile(request);
  if (!kernel) return kernel.error();
  if (auto fault = compile::architecture_fault(*kernel, compiled.source, wanted_arch))
    return *std::move(fault);
  compiled.kernel = std::move(*kernel);
  return compiled;
}

/// Two shapes of a plan have one cause: say it once.
void add_once(std::vector<source::Question>& questions, const source::Question& question) {
  const bool known = std::any_of(questions.begin(), questions.end(), [&](const source::Question& other) {
    return other.kind == question.kind && other.text == question.text;
  });
  if (!known) questions.push_back(question);
}
void add_once(Diagnostics& diagnostics, const Diagnostic& diagnostic) {
  const bool known = std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& other) {
    return other.code == diagnostic.code && other.message == diagnostic.message &&
           other.line == diagnostic.line && other.file == diagnostic.file;
  });
  if (!known) diagnostics.push_back(diagnostic);
}

class Preparation {
 public:
  Preparation(const Request& request, const ExecuteOptions& options, const device::DeviceInfo& info,
              const CompileFunction& compile, const OnProgress& progress)
      : request_(request), options_(options), info_(info), compile_(compile), progress_(progress) {}

  Result<Prepared> run() {
    const std::vector<Choice> choices = choose(request_, prepared_.diagnostics);
    bind_all(choices);
    source::KernelSource source = with_answers(request_.source, request_.defines, request_.kernel);
    append(prepared_.diagnostics, source.diagnostics);
    if (!request_.kernel.empty() && source.directives.launches.size() > 1) {
      prepared_.diagnostics.push_back(
          fault("kernel_choice", say("--kernel chooses one kernel, but the source launches several"),
                say("change its //@ kernel: lines"), source.file));
    }
    if (has_errors(prepared_.diagnostics)) return std::move(prepared_);

    report("compile");
    auto candidate = compile_source(std::move(source), info_.arch, request_.arch, compile_);
    if (!candidate) return candidate.error();
    append(prepared_.diagnostics, candidate->prepared.diagnostics);
    prepared_.questions = candidate->prepared.questions;
    if (!prepared_.questions.empty() || has_errors(candidate->prepared.diagnostics))
      return std::move(prepared_);
    append(prepared_.diagnostics, candidate->kernel.diagnostics);
    if (!candidate->kernel.ok) {
      for (const problem::BoundProblem& bound : bound_) finish_with_compile_error(bound, *candidate);
      return std::move(prepared_);
    }
    if (auto reference = compile_reference(); !reference) return reference.error();
    if (has_errors(prepared_.diagnostics)) return std::move(prepared_);
    for (problem::BoundProblem& bound : bound_) add_job(std::move(bound), *candidate);
    if (has_errors(prepared_.diagnostics) || !prepared_.questions.empty()) prepared_.jobs.clear();
    return std::move(prepared_);
  }

 private:
  void report(const std::string& stage) const {
    if (progress_) progress_({stage, {}, 0, 0});
  }

  /// A reference is compiled for what its candidate is.
  std::string usual_arch() const {
    const source::Value& directive = request_.source.directives.arch;
    return directive.given() ? directive.text : info_.arch;
  }

  void bind_all(const std::vector<Choice>& choices) {
    for (const Choice& choice : choices) {
      problem::Bound bound = problem::bind(request_.problem, choice.workload, choice.axes, request_.seed);
      for (const Diagnostic& diagnostic : bound.diagnostics) add_once(prepared_.diagnostics, diagnostic);
      if (!bound.problem) continue;
      bound.problem->workload = choice.workload.name;
      if (request_.all && choice.workload.large && info_.kind == device::Kind::emulator) {
        skip(*bound.problem);
        continue;
      }
      bound_.push_back(std::move(*bound.problem));
    }
  }

  void skip(const problem::BoundProblem& bound) {
    session::Run run = start_run(bound, request_.source, request_.defines, info_, options_);
    run.verdict.status = Status::skipped;
    run.verdict.message = say("A large workload: it runs on a GPU, or when it is named by --workload.");
    prepared_.finished.push_back(std::move(run));
  }

  void finish_with_compile_error(const problem::BoundProblem& bound, const Compiled& candidate) {
    session::Run run = start_run(bound, candidate.source, request_.defines, info_, options_);
    run.verdict.status = Status::compile_error;
    run.verdict.message = say("The source does not compile.");
    for (const Diagnostic& diagnostic : candidate.kernel.diagnostics) {
      if (diagnostic.severity != Severity::error) continue;
      run.verdict.findings.push_back(
          {Status::compile_error, diagnostic.message, diagnostic.file, diagnostic.line, {}, {}, 1});
    }
    if (!run.verdict.findings.empty()) {
      run.verdict.message = run.verdict.findings.front().message;
      run.verdict.line = run.verdict.findings.front().line;
    }
    if (!candidate.kernel.compiler.empty()) run.environment["compiler"] = candidate.kernel.compiler;
    prepared_.finished.push_back(std::move(run));
  }

  Result<void> compile_reference() {
    const problem::Reference& reference = request_.problem.reference;
    if (reference.kind == problem::ReferenceKind::python && !options_.allow_python) {
      prepared_.diagnostics.push_back(
          fault("python_reference", say("the reference of {} is a Python program", request_.problem.name),
                say("read it, then allow it to run by --allow-python"), request_.problem.file));
      return {};
    }
    if (reference.kind != problem::ReferenceKind::cuda) return {};
    const auto path = request_.problem.folder / (reference.file.empty() ? "reference.cu" : reference.file);
    auto source = source::read_source(path);
    if (!source) return source.error();
    append(prepared_.diagnostics, source->diagnostics);
    if (has_errors(source->diagnostics)) return {};
    auto compiled = compile_source(std::move(*source), usual_arch(), request_.arch, compile_);
    if (!compiled) return compiled.error();
    for (const source::Question& question : compiled->prepared.questions) {
      prepared_.diagnostics.push_back(
          fault("reference_question", say("the reference leaves a question open: {}", question.text),
                say("answer it by {}", question.answer_with), question.file, question.line));
    }
    append(prepared_.diagnostics, compiled->prepared.diagnostics);
    append(prepared_.diagnostics, compiled->kernel.diagnostics);
    if (!has_errors(prepared_.diagnostics) && !compiled->kernel.ok)
      prepared_.diagnostics.push_back(
          fault("reference_failed", say("the reference does not compile"), {}, path.string()));
    reference_ = std::move(*compiled);
    return {};
  }

  void add_job(problem::BoundProblem bound, const Compiled& candidate) {
    const auto check = [&](const device::Planned& planned) {
      for (const source::Question& question : planned.questions) add_once(prepared_.questions, question);
      for (const Diagnostic& diagnostic : planned.diagnostics) add_once(prepared_.diagnostics, diagnostic);
    };
    check(device::plan(bound, candidate.source, candidate.prepared, candidate.kernel, info_.limits));
    Job job;
    if (reference_) {
      const device::Planned planned = device::plan(bound, reference_->source, reference_->prepared,
                                                   reference_->kernel, info_.limits, true);
      check(planned);
      for (const hardware::Finding& finding : planned.findings) {
        add_once(prepared_.diagnostics,
                 fault("reference_failed", say("the reference cannot be launched: {}", finding.message), {},
                       finding.file, finding.line));
      }
      job.reference_source = reference_->source;
      job.reference_prepared = reference_->prepared;
      job.reference_kernel = reference_->kernel;
    }
    job.problem = std::move(bound);
    job.source = candidate.source;
    job.prepared = candidate.prepared;
    job.kernel = candidate.kernel;
    job.defines = request_.defines;
    job.kernel_choice = request_.kernel;
    job.options = options_;
    prepared_.jobs.push_back(std::move(job));
  }

  const Request& request_;
  const ExecuteOptions& options_;
  const device::DeviceInfo& info_;
  const CompileFunction& compile_;
  const OnProgress& progress_;
  Prepared prepared_;
  std::vector<problem::BoundProblem> bound_;
  std::optional<Compiled> reference_;
};

}  // namespace

source::KernelSource with_answers(source::KernelSource source,
                                  const std::vector<std::pair<std::string, std::string>>& defines,
                                  const std::string& kernel) {
  source::Directives& directives = source.directives;
  for (const auto& [name, value] : defines) {
    const auto same = [&name = name](const auto& entry) { return entry.name == name; };
    directives.tune.erase(std::remove_if(directives.tune.begin(), directives.tune.end(), same),
                          directives.tune.end());
    const auto known = std::find_if(directives.defines.begin(), directives.defines.end(), same);
    if (known != directives.defines.end())
      known->value = value;
    else
      directives.defines.push_back({name, value, 0});
  }
  if (!kernel.empty() && directives.launches.size() == 1) {
    source::Value& choice = directives.launches.front().kernel;
    choice = {kernel, std::max(choice.line, 1)};
  }
  return source;
}

Result<Prepared> prepare(const Request& request, const ExecuteOptions& options,
                         const device::DeviceInfo& info, const CompileFunction& compile,
                         const OnProgress& progress) {
  return Preparation(request, options, info, compile, progress).run();
}

}  // namespace ridge::bench
