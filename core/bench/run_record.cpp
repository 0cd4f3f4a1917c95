// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/run_record.h"

#include <unistd.h>

#include <array>
#include <ctime>

#include "base/hashing.h"
#include "base/version.h"

namespace ridge::bench {
namespace {

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// The catalogue's entry: the emulator is told which, a GPU is matched by what its driver reports.
const hardware::DeviceModel* model_of(const device::DeviceInfo& info, const ExecuteOptions& options) {
  const hardware::Catalogue& catalogue = hardware::catalogue();
  if (!info.model.empty()) {
    if (const hardware::DeviceModel* model = catalogue.find(info.model)) return model;
  }
  if (info.kind == device::Kind::emulator)
    return catalogue.find(options.model.empty() ? "H200" : options.model);
  return catalogue.match(info.name, info.sm_count, info.memory_bytes);
}

}  // namespace

model::Assessment assess(const problem::BoundProblem& problem, const device::DeviceInfo& info,
                         const ExecuteOptions& options, const std::optional<measure::Timing>& timing) {
  model::AssessmentInput input;
  input.device = model_of(info, options);
  input.flops = problem.flops;
  input.bytes = problem.bytes;
  input.unit = problem.unit;
  if (timing && timing->cold) input.cold_us = timing->cold->median_us;
  if (timing) input.sm_mhz = timing->sm_mhz;
  input.baseline_us = options.baseline_us;
  return model::assess(input);
}

session::Run start_run(const problem::BoundProblem& problem, const source::KernelSource& source,
                       const std::vector<std::pair<std::string, std::string>>& defines,
                       const device::DeviceInfo& info, const ExecuteOptions& options) {
  session::Run run;
  run.time = now_utc();
  run.problem = problem.problem;
  run.workload = problem.workload;
  run.axes = problem.axes;
  run.seed = problem.seed;
  run.source = {source.file, source.text, content_hash(source.text)};
  run.defines = defines;
  run.device = info;
  run.model = assess(problem, info, options, std::nullopt);
  const source::Value& kernel =
      source.directives.launches.empty() ? source::Value{} : source.directives.launches.front().kernel;
  run.kernel = kernel.text;
  run.environment["tool"] = std::string("ridge ") + kVersion;
  run.environment["host"] = host_name();
  run.environment["date"] = run.time;
  if (!info.driver.empty()) run.environment["driver"] = info.driver;
  return run;
}

}  // namespace ridge::bench
