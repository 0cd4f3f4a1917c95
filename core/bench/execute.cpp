// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <utility>

#include "base/text.h"
#include "bench/bench.h"
#include "bench/run_record.h"
#include "measure/measure.h"
#include "verify/judge.h"
#include "verify/reference.h"

namespace ridge::bench {
namespace {

using hardware::Finding;
using hardware::Status;

/// Faults of loading, allocating and launching that are the candidate's: their code names a status.
std::optional<Finding> as_finding(const Error& error, const compile::CompiledKernel& kernel,
                                  const std::string& file) {
  auto status = hardware::status_named(error.code);
  // PTX that an assembler took is sound; then it is the emulator that cannot read it.
  if (error.code == "ptx_syntax") status = kernel.cubin.empty() ? Status::compile_error : Status::unsupported;
  if (!status || *status >= Status::pass) return std::nullopt;
  Finding finding;
  finding.status = *status;
  const bool ended = error.message.english().ends_with('.');
  finding.message = ended || error.hint.empty() ? join(error.message, error.hint)
                                                : say("{}. {}", error.message, error.hint);
  finding.file = error.file.empty() ? file : error.file;
  finding.line = error.line;
  return finding;
}

class Execution {
 public:
  Execution(device::Device& device, const Job& job, const OnProgress& progress, const std::atomic<bool>* stop)
      : device_(device), job_(job), progress_(progress), stop_(stop) {}

  Result<session::Run> run() {
    run_ = start_run(job_.problem, job_.source, job_.defines, device_.info(), job_.options);
    if (!job_.kernel.compiler.empty()) run_.environment["compiler"] = job_.kernel.compiler;
    run_.ptx = job_.kernel.ptx;
    plan_ = device::plan(job_.problem, job_.source, job_.prepared, job_.kernel, device_.info().limits);
    if (auto sound = check_plan(plan_); !sound) return sound.error();
    describe_kernel();
    if (plan_.findings.empty()) check_residency();
    auto judged = judge();
    if (!judged) {
      const auto finding = as_finding(judged.error(), job_.kernel, job_.source.file);
      if (!finding) return judged.error();
      fail(*finding);
    }
    return std::move(run_);
  }

 private:
  void report(const std::string& stage, int step = 0, int steps = 0) const {
    if (progress_) progress_({stage, job_.problem.workload, step, steps});
  }
  bool stopped() const { return stop_ != nullptr && stop_->load(); }

  void fail(Finding finding) {
    std::vector<Finding> findings = std::move(run_.verdict.findings);
    findings.push_back(std::move(finding));
    verify::take_cause(run_.verdict, std::move(findings));
  }

  /// prepare() has answered questions and faults already; on another device or another release there may be
  /// new ones.
  static Result<void> check_plan(const device::Planned& planned) {
    for (const Diagnostic& diagnostic : planned.diagnostics) {
      if (diagnostic.severity != Severity::error) continue;
      return Error{ErrorKind::definition, diagnostic.code, diagnostic.message,
                   diagnostic.hint,       diagnostic.file, diagnostic.line};
    }
    if (planned.questions.empty()) return {};
    const source::Question& question = planned.questions.front();
    return Error{ErrorKind::question, question.kind, question.text, say("answer by {}", question.answer_with),
                 question.file,       question.line};
  }

  void describe_kernel() {
    run_.kernel.clear();
    for (const device::PlannedLaunch& launch : plan_.sequence.launches)
      run_.kernel += (run_.kernel.empty() ? "" : " + ") + launch.name;
    if (plan_.sequence.launches.empty()) return;
    const device::Launch& shape = plan_.sequence.launches.front().shape;
    const compile::Entry* entry = job_.kernel.entry(shape.symbol);
    if (entry == nullptr || !entry->resources) return;
    run_.resources = entry->resources;
    const std::int64_t threads = shape.block[0] * shape.block[1] * shape.block[2];
    if (plan_.findings.empty()) {
      run_.occupancy = compile::occupancy(device_.info().limits, entry->resources->registers, threads,
                                          entry->resources->shared_bytes + shape.shared_bytes);
    }
  }

  /// All blocks of a cooperative launch must be on the device at once.
  void check_residency() {
    for (const device::PlannedLaunch& launch : plan_.sequence.launches) {
      const device::Launch& shape = launch.shape;
      const compile::Entry* entry = job_.kernel.entry(shape.symbol);
      if (!shape.cooperative || entry == nullptr || !entry->resources || device_.info().sm_count <= 0)
        continue;
      const std::int64_t blocks = shape.grid[0] * shape.grid[1] * shape.grid[2];
      const compile::Occupancy occupancy =
          compile::occupancy(device_.info().limits, entry->resources->registers,
                             shape.block[0] * shape.block[1] * shape.block[2],
                             entry->resources->shared_bytes + shape.shared_bytes);
      const std::int64_t resident = std::int64_t{occupancy.blocks_per_sm} * device_.info().sm_count;
      if (resident <= 0 || blocks <= resident) continue;
      Finding finding;
      finding.status = Status::launch_failed;
      finding.message =
          say("A cooperative launch of {} blocks does not fit: {} of them can be on {} at once ({} on each "
              "of {} SMs). Use fewer blocks and let each do more work.",
              blocks, resident, device_.info().name, occupancy.blocks_per_sm, device_.info().sm_count);
      finding.file = job_.source.file;
      finding.line = shape.line;
      plan_.findings.push_back(std::move(finding));
    }
  }

  /// Said before anything is allocated.
  Result<void> predict_memory(std::int64_t reference_bytes) {
    auto free = device_.free_bytes();
    if (!free) return free.error();
    const std::int64_t needed = verify::needed_bytes(plan_.sequence);
    const auto message = [&](std::int64_t bytes) {
      return say("needs {}, free {}", human_bytes(static_cast<double>(bytes)),
                 human_bytes(static_cast<double>(*free)));
    };
    const Error too_large{
        ErrorKind::component, "out_of_memory", message(needed), say("Choose a smaller workload."), {}, 0};
    if (needed > *free) return too_large;
    if (needed + reference_bytes <= *free) return {};
    Error with_reference = too_large;
    with_reference.message = say("{} (with the reference's outputs)", message(needed + reference_bytes));
    return with_reference;
  }

  device::LaunchOptions launch_options() const {
    device::LaunchOptions options;
    options.source_file = job_.source.file;
    options.budget = job_.options.budget;
    options.time_limit_seconds = job_.options.time_limit_seconds;
    options.threads = job_.options.threads;
    options.lines = device_.info().kind == device::Kind::emulator;
    options.traffic = job_.options.counters;
    options.stop = stop_;
    return options;
  }

  Result<std::unique_ptr<verify::Reference>> make_reference(verify::Inputs& inputs,
                                                            const device::Planned& planned) {
    switch (job_.problem.reference) {
      case problem::ReferenceKind::none:
        return std::unique_ptr<verify::Reference>();
      case problem::ReferenceKind::recorded:
        return verify::recorded_reference(job_.problem);
      case problem::ReferenceKind::python:
        return verify::python_reference(job_.problem, inputs, launch_options());
      case problem::ReferenceKind::cuda:
        break;
    }
    device::LaunchOptions options = launch_options();
    options.source_file = job_.reference_source->file;
    auto reference = verify::kernel_reference(device_, job_.problem, *job_.reference_kernel, planned.sequence,
                                              inputs, options);
    if (!reference && as_finding(reference.error(), *job_.reference_kernel, {})) {
      // The reference's fault is not the candidate's.
      Error error = reference.error();
      if (error.code == "out_of_memory") return error;
      error.kind = ErrorKind::definition;
      error.message = say("the reference: {}", error.message);
      error.code = "reference_failed";
      error.file = options.source_file;
      return error;
    }
    return reference;
  }

  Result<void> judge() {
    // A workload that no memory holds is the cause of whatever its launch would also be refused for.
    if (auto fits = predict_memory(0); !fits) return fits.error();
    if (!plan_.findings.empty()) {
      for (const Finding& finding : plan_.findings) fail(finding);
      return {};
    }
    device::Planned reference_plan;
    if (job_.problem.reference == problem::ReferenceKind::cuda) {
      if (!job_.reference_source || !job_.reference_prepared || !job_.reference_kernel)
        return Error{
            ErrorKind::protocol, "no_reference", say("the job lacks its compiled reference"), {}, {}, 0};
      reference_plan = device::plan(job_.problem, *job_.reference_source, *job_.reference_prepared,
                                    *job_.reference_kernel, device_.info().limits, true);
      if (auto sound = check_plan(reference_plan); !sound) return sound.error();
    }
    if (auto enough = predict_memory(verify::reference_bytes(reference_plan.sequence)); !enough)
      return enough.error();

    report("verify");
    auto module = device_.load(job_.kernel);
    if (!module) return module.error();
    device::LaunchOptions options = launch_options();
    options.trace = job_.options.trace;
    verify::Judge judge(device_, job_.problem, plan_.sequence, options);
    if (auto allocated = judge.allocate(); !allocated) return allocated.error();
    auto reference = make_reference(judge.inputs(), reference_plan);
    if (!reference) return reference.error();
    auto verdict = judge.judge(**module, reference->get(),
                               [&](int launch, int launches) { report("verify", launch, launches); });
    if (!verdict) return verdict.error();
    run_.verdict = std::move(*verdict);
    take_counters(judge.first_outcome());
    if (judge.device_lost()) return {};
    if (stopped()) return Error{ErrorKind::cancelled, "cancelled", say("The run was stopped."), {}, {}, 0};
    return measure_and_recheck(**module, judge, reference->get());
  }

  void take_counters(const device::LaunchOutcome& outcome) {
    run_.output = outcome.output;
    if (device_.info().kind != device::Kind::emulator) return;
    run_.counters = outcome.counters;
    run_.lines = outcome.lines;
    run_.trace = outcome.trace;
    run_.counter_source = "emulator";
  }

  /// Times are taken only of what was judged well, and what was timed is judged again.
  Result<void> measure_and_recheck(device::Module& module, verify::Judge& judge,
                                   verify::Reference* reference) {
    device::Stopwatch* stopwatch = device_.stopwatch();
    const bool judged_well =
        run_.verdict.status == Status::pass || run_.verdict.status == Status::no_reference;
    if (stopwatch == nullptr || !job_.options.measure || !judged_well || judge.sequence().launches.empty())
      return {};
    report("measure");
    measure::Options options;
    options.flush = job_.options.flush;
    options.time_limit_seconds = job_.options.time_limit_seconds;
    options.stop = stop_;
    auto timing = measure::measure(*stopwatch, module, judge.sequence(), options);
    if (!timing) return timing.error();
    if (auto rechecked = judge.recheck(reference, run_.verdict); !rechecked) return rechecked.error();
    const bool still_well =
        run_.verdict.status == Status::pass || run_.verdict.status == Status::no_reference;
    if (!still_well) return {};
    run_.model = assess(job_.problem, device_.info(), job_.options, *timing);
    run_.timing = std::move(*timing);
    if (run_.model.suspect) {
      Finding finding;
      finding.status = Status::suspect;
      finding.message = *run_.model.suspect;
      finding.file = job_.source.file;
      fail(finding);
    }
    return {};
  }

  device::Device& device_;
  const Job& job_;
  const OnProgress& progress_;
  const std::atomic<bool>* stop_;
  session::Run run_;
  device::Planned plan_;
};

}  // namespace

Result<session::Run> execute(device::Device& device, const Job& job, const OnProgress& progress,
                             const std::atomic<bool>* stop) {
  return Execution(device, job, progress, stop).run();
}

}  // namespace ridge::bench
