// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline that joins the stages into a run. The first half (prepare) needs no device and runs in the
// client; the second half (execute) runs where the device is.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "device/device.h"
#include "device/plan.h"
#include "problem/problem.h"
#include "session/run.h"
#include "source/source.h"

namespace ridge::bench {

/// What the user asked for.
struct Request {
  source::KernelSource source;
  problem::Problem problem;
  std::vector<std::string> workloads;  ///< names; empty: the first
  bool all = false;
  std::map<std::string, std::int64_t> axes;  ///< --axis: a workload of its own
  std::optional<std::uint64_t> seed;
  std::vector<std::pair<std::string, std::string>> defines;
  std::string kernel;  ///< --kernel
  std::string arch;    ///< empty: the device's own
};

struct ExecuteOptions {
  device::Flush flush = device::Flush::read;
  double time_limit_seconds = 10;
  std::int64_t budget = std::int64_t{1} << 28;
  unsigned threads = 0;
  /// Model what passes L2 and device memory too (emulator; everything else is always counted there).
  bool counters = false;
  bool measure = true;  ///< false: verify only
  bool allow_python = false;
  std::string model;  ///< emulator: catalogue entry
  std::optional<double> baseline_us;
  std::optional<device::TraceRequest> trace;  ///< emulator: a thread of the candidate to follow
};

/// One run, ready for a device: plain data that travels to a worker.
struct Job {
  problem::BoundProblem problem;
  source::KernelSource source;  ///< of the candidate: text and directives
  source::PreparedSource prepared;
  compile::CompiledKernel kernel;
  std::optional<source::KernelSource> reference_source;
  std::optional<source::PreparedSource> reference_prepared;
  std::optional<compile::CompiledKernel> reference_kernel;
  std::vector<std::pair<std::string, std::string>>
      defines;                ///< of the command line; `source` holds them as directives
  std::string kernel_choice;  ///< --kernel, likewise
  ExecuteOptions options;
};
/// Sources travel as text with the answers above; the other side reads and prepares them again.
Json to_json(const Job& job);
Result<Job> job_from_json(const Json& json);

struct Progress {
  std::string stage;  ///< "compile", "verify", "measure"
  std::string workload;
  int step = 0, steps = 0;
};
using OnProgress = std::function<void(const Progress&)>;

/// The source as if `defines` (also in place of tune values) and `kernel` stood in it as directives.
source::KernelSource with_answers(source::KernelSource source,
                                  const std::vector<std::pair<std::string, std::string>>& defines,
                                  const std::string& kernel);

/// Compiles through whatever serves the compile role (in process, or a worker).
using CompileFunction = std::function<Result<compile::CompiledKernel>(const compile::CompileRequest&)>;

struct Prepared {
  std::vector<Job> jobs;               ///< one per workload that can be run
  std::vector<session::Run> finished;  ///< skipped, compile_error: runs that need no device
  std::vector<source::Question> questions;
  Diagnostics diagnostics;
};
/// Binds workloads, compiles candidate and reference. `info` is the device the jobs are for.
Result<Prepared> prepare(const Request& request, const ExecuteOptions& options,
                         const device::DeviceInfo& info, const CompileFunction& compile,
                         const OnProgress& progress = {});

/// Executes one job: reference, verdict, timing, counters, assessment. Everything that goes wrong with the
/// candidate is in the Run's verdict; an Error is a failure of the device or of this program.
Result<session::Run> execute(device::Device& device, const Job& job, const OnProgress& progress = {},
                             const std::atomic<bool>* stop = nullptr);

}  // namespace ridge::bench
