// SPDX-License-Identifier: GPL-3.0-or-later
// `ridge run`: one kernel on the workloads of its problem.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

#include "base/files.h"
#include "commands.h"
#include "device/plan.h"
#include "run_options.h"
#include "session/store.h"
#include "workers.h"

namespace ridge::cli {
namespace {

struct RunArguments {
  std::string file, problem, device = "auto", model, kernel, json, session, baseline, flush = "read", arch,
                             trace;
  Transcripts transcripts;
  std::vector<std::string> workloads, axes, defines;
  bool all = false, counters = false, lines = false, allow_python = false;
  std::uint64_t seed = 0;
  double time_limit = 10;
  std::int64_t budget = std::int64_t{1} << 28;
  unsigned threads = 0;
};

class RunCommand {
 public:
  RunCommand(RunArguments arguments, bool seed_given)
      : arguments_(std::move(arguments)),
        seed_given_(seed_given),
        console_(arguments_.json),
        workers_(arguments_.device, arguments_.model, arguments_.transcripts) {}

  Exit run() {
    if (auto ready = gather(); !ready)
      blame(ready.error());
    else if (status_ == Exit::done)
      execute();
    return finish();
  }

 private:
  void blame(const Error& error) {
    status_ = worse(status_, exit_of(error));
    if (error.kind == ErrorKind::question) {
      document_.questions.push_back(
          {error.code, error.message.english(), {}, error.hint.english(), error.file, error.line});
      return;
    }
    document_.diagnostics.push_back(to_diagnostic(error));
  }

  /// Everything that needs no device.
  Result<void> gather() {
    const std::vector<std::string> inputs = {arguments_.file, arguments_.session, arguments_.baseline,
                                             arguments_.transcripts.replay};
    for (const std::string& output : {arguments_.json, arguments_.transcripts.record.string()})
      if (auto sound = check_output(output, inputs); !sound) {
        console_ = Console();  // nothing is written where something would be lost
        return sound.error();
      }
    if (const std::string& replay = arguments_.transcripts.replay; !replay.empty()) {
      if (auto readable = read_file(replay); !readable) {
        Error error = readable.error();
        error.kind = ErrorKind::usage;
        error.hint = "--replay takes a transcript that --record wrote";
        return error;
      }
    }
    auto source = source::read_source(arguments_.file);
    if (!source) return source.error();
    request_.source = std::move(*source);
    auto axes = parse_axes(arguments_.axes);
    if (!axes) return axes.error();
    auto defines = parse_defines(arguments_.defines);
    if (!defines) return defines.error();
    auto folder = find_problem(arguments_.file, request_.source, arguments_.problem);
    if (!folder) return folder.error();
    auto problem = load_problem(*folder, document_.diagnostics);
    if (!problem) {
      status_ = Exit::usage;
      return {};
    }
    request_.problem = std::move(*problem);
    request_.workloads = arguments_.workloads;
    request_.all = arguments_.all;
    request_.axes = std::move(*axes);
    request_.defines = std::move(*defines);
    request_.kernel = arguments_.kernel;
    request_.arch = arguments_.arch;
    if (seed_given_) request_.seed = arguments_.seed;

    options_.flush = device::flush_named(arguments_.flush).value_or(options_.flush);
    options_.time_limit_seconds = arguments_.time_limit;
    options_.budget = arguments_.budget;
    options_.threads = arguments_.threads;
    options_.counters = arguments_.counters;
    options_.allow_python = arguments_.allow_python;
    options_.model = arguments_.model;
    if (!arguments_.trace.empty()) {
      auto trace = device::read_trace_request(arguments_.trace);
      if (!trace) return trace.error();
      options_.trace = *trace;
    }
    if (!arguments_.baseline.empty()) {
      auto store = session::Store::open(arguments_.baseline);
      if (!store) return store.error();
      auto runs = (*store)->runs(&document_.diagnostics);
      if (!runs) return runs.error();
      baseline_ = std::move(*runs);
    }
    if (arguments_.session.empty()) return {};
    auto store = session::Store::open_for_writing(arguments_.session);
    if (!store) return store.error();
    session_ = std::move(*store);
    return {};
  }

  void execute() {
    auto info = workers_.device();
    if (!info) return blame(info.error());
    if (auto known = workers_.check_architecture(arguments_.arch); !known) return blame(known.error());
    document_.device = *info;
    has_device_ = true;
    if (arguments_.counters && info->kind == device::Kind::cuda) {
      document_.diagnostics.push_back({Severity::warning,
                                       {},
                                       0,
                                       0,
                                       "no_gpu_counters",
                                       "--counters: this release reads no hardware counters of a GPU",
                                       "the emulator counts: --device emulator"});
    }
    ProgressLine progress;
    const auto show = [&](const bench::Progress& at) {
      std::string text =
          request_.problem.name + (at.workload.empty() ? "" : "/" + at.workload) + ": " + at.stage;
      if (at.steps > 0) text += " " + std::to_string(at.step) + "/" + std::to_string(at.steps);
      progress.show(text);
    };
    auto prepared = bench::prepare(
        request_, options_, *info,
        [&](const compile::CompileRequest& request) { return workers_.compile(request); }, show);
    if (!prepared) return blame(prepared.error());
    const bool compiles = std::none_of(
        prepared->finished.begin(), prepared->finished.end(),
        [](const session::Run& run) { return run.verdict.status == hardware::Status::compile_error; });
    if (!compiles) status_ = worse(status_, Exit::compile);
    if (compiles) status_ = worse(status_, exit_of(prepared->diagnostics));
    if (!prepared->questions.empty()) status_ = worse(status_, Exit::usage);
    document_.questions = std::move(prepared->questions);
    document_.diagnostics.insert(document_.diagnostics.end(), prepared->diagnostics.begin(),
                                 prepared->diagnostics.end());
    if (status_ == Exit::usage) return;
    for (const session::Run& run : prepared->finished) keep(run);
    if (auto there = check_trace(prepared->jobs, *info); !there) return blame(there.error());
    for (bench::Job& job : prepared->jobs) {
      job.options.baseline_us = session::baseline_us(baseline_, job.problem, *info);
      auto run = workers_.run(job, show);
      if (run)
        keep(*run);
      else
        blame(run.error());
      if (!run && run.error().kind == ErrorKind::cancelled) break;
    }
    order_runs();
  }

  /// Wrong use when --trace names a thread that no launch has.
  Result<void> check_trace(const std::vector<bench::Job>& jobs, const device::DeviceInfo& info) const {
    if (!options_.trace || info.kind != device::Kind::emulator) return {};
    const auto lies_in = [](const auto& position, const device::Extent& extent) {
      for (std::size_t k = 0; k < 3; ++k)
        if (position[k] >= extent[k]) return false;
      return true;
    };
    std::string launches;
    for (const bench::Job& job : jobs) {
      const device::Planned planned =
          device::plan(job.problem, job.source, job.prepared, job.kernel, info.limits);
      for (const device::PlannedLaunch& launch : planned.sequence.launches) {
        const device::Extent &grid = launch.shape.grid, &block = launch.shape.block;
        if (lies_in(options_.trace->block, grid) && lies_in(options_.trace->thread, block)) return {};
        const auto text = [](const device::Extent& extent) {
          return std::to_string(extent[0]) + "," + std::to_string(extent[1]) + "," +
                 std::to_string(extent[2]);
        };
        launches += (launches.empty() ? "" : "; ") + launch.name + " of " + job.problem.workload + ": grid " +
                    text(grid) + ", block " + text(block);
      }
    }
    if (launches.empty()) return {};
    return Error{ErrorKind::usage,
                 "usage",
                 "--trace " + arguments_.trace + " names a thread that no launch has (" + launches + ")",
                 "write BLOCK:THREAD, both counted from 0",
                 {},
                 0};
  }

  void keep(const session::Run& run) {
    const hardware::Status status = run.verdict.status;
    if (status != hardware::Status::pass && status != hardware::Status::skipped)
      status_ = worse(status_, status == hardware::Status::compile_error ? Exit::compile : Exit::verdict);
    document_.runs.push_back(run);
    if (!session_) return;
    if (auto id = session_->add(run); !id) {
      blame(id.error());
      session_.reset();
    }
  }

  /// As the problem lists its workloads.
  void order_runs() {
    const auto place = [&](const session::Run& run) {
      const auto& workloads = request_.problem.workloads;
      return std::find_if(workloads.begin(), workloads.end(),
                          [&](const auto& w) { return w.name == run.workload; }) -
             workloads.begin();
    };
    std::stable_sort(document_.runs.begin(), document_.runs.end(),
                     [&](const session::Run& a, const session::Run& b) { return place(a) < place(b); });
  }

  Exit finish() {
    if (auto recorded = workers_.recorded(); !recorded) blame(recorded.error());
    complain(document_.diagnostics);
    ask(document_.questions);
    if (!console_.wants_json() || !document_.runs.empty())
      print_runs(console_, document_.runs, document_.diagnostics);
    if (arguments_.lines) print_lines(console_, document_.runs);
    if (options_.trace) print_traces(console_, document_.runs);
    Json json = session::to_json(document_);
    if (!has_device_) json["device"] = nullptr;
    if (auto written = console_.write(json); !written) {
      complain(written.error());
      status_ = worse(status_, exit_of(written.error()));
    }
    return status_;
  }

  RunArguments arguments_;
  bool seed_given_;
  Console console_;
  Workers workers_;
  bench::Request request_;
  bench::ExecuteOptions options_;
  std::vector<session::Run> baseline_;
  std::unique_ptr<session::Store> session_;
  session::Document document_;
  bool has_device_ = false;
  Exit status_ = Exit::done;
};

}  // namespace

void add_run(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command =
      app.add_subcommand("run", "Compile, judge, time and assess a kernel on workloads of its problem");
  RunArguments& a = *arguments;
  command->add_option("file", a.file, "Kernel source: .cu or .ptx")->required();
  command->add_option("--problem", a.problem, "Folder of the problem, or its name in the library");
  command->add_option("--workload", a.workloads, "Workload by name; may repeat");
  command->add_flag("--all", a.all, "Every workload; on the emulator without the large ones");
  command->add_option("--axis", a.axes, "NAME=VALUE: a workload of its own; may repeat");
  CLI::Option* seed = command->add_option("--seed", a.seed, "Seed of the inputs instead of the workload's")
                          ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
  command->add_option("--device", a.device, "auto, emulator or cuda:N")->capture_default_str();
  command->add_option("--model", a.model, "Catalogue entry that the emulator stands for (default H200)");
  command->add_option("--arch", a.arch, "Architecture to compile for instead of the device's own")
      ->check(kNotEmpty);
  command->add_option("--define", a.defines, "NAME=VALUE: a macro; may repeat");
  command->add_option("--kernel", a.kernel, "Kernel, or name expression of a template");
  command->add_option("--json", a.json, "Write the document to a file, or to standard output with -");
  command->add_option("--session", a.session, "Append the runs to this .ridge file");
  command->add_option("--baseline", a.baseline,
                      "Session whose starred runs are the baseline of the SOL score");
  command->add_flag(
      "--counters", a.counters,
      "Model L2 and device memory too (emulator; a GPU's hardware counters: not in this release)");
  command->add_flag("--lines", a.lines, "Show the counters of each source line (emulator)");
  command->add_option("--flush", a.flush, "L2 before cold samples: read, write or none")
      ->check(one_of({"read", "write", "none"}))
      ->capture_default_str();
  command
      ->add_option("--time-limit", a.time_limit,
                   "Seconds that a launch on a GPU or a Python reference may take")
      ->check(real_number(0.001, 86400))
      ->capture_default_str();
  command
      ->add_option("--budget", a.budget, "Instructions that the warps of a block may execute on the emulator")
      ->check(whole_number(1, std::uint64_t{1} << 53))
      ->capture_default_str();
  command->add_option("--trace", a.trace,
                      "BLOCK:THREAD: show what this thread does, instruction by instruction (emulator)");
  command->add_option("--threads", a.threads, "Host threads (0: all cores)")
      ->check(whole_number(0, 4096))
      ->capture_default_str();
  CLI::Option* record = command->add_option("--record", a.transcripts.record,
                                            "Write a transcript of what is said to the device");
  command->add_option("--replay", a.transcripts.replay, "Answer from a transcript instead of a device")
      ->excludes(record);
  command->add_flag("--allow-python", a.allow_python, "Let a Python reference run on this machine");
  for (const char* text : {"file", "--problem", "--workload", "--axis", "--device", "--model", "--define",
                           "--kernel", "--baseline", "--trace", "--replay"})
    command->get_option(text)->check(kNotEmpty);
  for (const char* output : {"--json", "--session", "--record"}) command->get_option(output)->check(kOutput);
  for (const char* repeatable : {"--workload", "--axis", "--define"})
    command->get_option(repeatable)->take_all()->allow_extra_args(false);
  command->footer(
      "Examples:\n"
      "  ridge run kernels/softmax/online.cu --all\n"
      "  ridge run kernels/sgemm/naive.cu --axis M=65 --axis N=33 --axis K=17 --device emulator\n"
      "  ridge run mine.cu --problem kernels/saxpy --json - --session today.ridge\n"
      "  ridge run kernels/softmax/online.cu --workload tiny --device emulator --trace 0:5\n"
      "Exit status: 0 every verdict is pass or skipped, 1 one is not, 2 wrong usage or an open question,\n"
      "3 a device or component is missing, 4 the source does not compile.");
  command->callback([arguments, seed, &chosen] {
    chosen = [arguments, given = seed->count() > 0] { return RunCommand(*arguments, given).run(); };
  });
}

}  // namespace ridge::cli
