// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench.h"

namespace ridge::bench {
namespace {

Json source_to_json(const source::KernelSource& source) {
  Json json{{"file", source.file}, {"language", name_of(source.language)}};
  session::put_text(json, "text", source.text);
  return json;
}

Result<source::KernelSource> source_from_json(const Json& json) {
  auto source = source::parse_source(session::read_text(json, "text"), read_string(json, "file"));
  if (!source) return source.error();
  const auto language = read_named(json, "language", phrase("The language of the source"),
                                   source::language_named, std::optional(source::Language::cuda));
  if (!language) return language.error();
  source->language = *language;
  return source;
}

Json to_json(const ExecuteOptions& options) {
  Json json = {{"flush", name_of(options.flush)},
               {"time_limit_seconds", json_number(options.time_limit_seconds)},
               {"budget", json_integer(options.budget)},
               {"threads", options.threads},
               {"counters", options.counters},
               {"measure", options.measure},
               {"allow_python", options.allow_python},
               {"model", options.model},
               {"baseline_us", json_number(options.baseline_us)}};
  if (options.trace) json["trace"] = device::to_json(*options.trace);
  return json;
}

Result<ExecuteOptions> options_from_json(const Json& json) {
  ExecuteOptions options;
  const auto flush = read_named(json, "flush", phrase("The option flush"), device::flush_named,
                                std::optional(device::Flush::read));
  if (!flush) return flush.error();
  options.flush = *flush;
  options.time_limit_seconds = read_number(json, "time_limit_seconds", options.time_limit_seconds);
  options.budget = read_integer(json, "budget", options.budget);
  options.threads = static_cast<unsigned>(read_unsigned(json, "threads", 0));
  options.counters = read_bool(json, "counters", false);
  options.measure = read_bool(json, "measure", true);
  options.allow_python = read_bool(json, "allow_python", false);
  options.model = read_string(json, "model");
  options.baseline_us = read_number(json, "baseline_us");
  if (const Json& trace = member(json, "trace"); trace.is_object())
    options.trace = device::trace_request_from_json(trace);
  return options;
}

}  // namespace

Json to_json(const Job& job) {
  Json json;
  json["problem"] = problem::to_json(job.problem);
  json["source"] = source_to_json(job.source);
  json["kernel"] = compile::to_json(job.kernel);
  if (job.reference_source && job.reference_kernel) {
    json["reference_source"] = source_to_json(*job.reference_source);
    json["reference_kernel"] = compile::to_json(*job.reference_kernel);
  }
  json["defines"] = Json::array();
  for (const auto& [name, value] : job.defines) json["defines"].push_back({{"name", name}, {"value", value}});
  json["kernel_choice"] = job.kernel_choice;
  json["options"] = to_json(job.options);
  return json;
}

Result<Job> job_from_json(const Json& json) {
  Job job;
  auto problem = problem::bound_problem_from_json(member(json, "problem"));
  if (!problem) return problem.error();
  job.problem = std::move(*problem);
  if (const Json& defines = member(json, "defines"); defines.is_array()) {
    for (const Json& define : defines)
      job.defines.emplace_back(read_string(define, "name"), read_string(define, "value"));
  }
  job.kernel_choice = read_string(json, "kernel_choice");
  auto source = source_from_json(member(json, "source"));
  if (!source) return source.error();
  job.source = with_answers(std::move(*source), job.defines, job.kernel_choice);
  job.prepared = source::prepare(job.source);
  auto kernel = compile::compiled_kernel_from_json(member(json, "kernel"));
  if (!kernel) return kernel.error();
  job.kernel = std::move(*kernel);
  if (const Json& reference = member(json, "reference_source"); reference.is_object()) {
    auto reference_source = source_from_json(reference);
    if (!reference_source) return reference_source.error();
    auto reference_kernel = compile::compiled_kernel_from_json(member(json, "reference_kernel"));
    if (!reference_kernel) return reference_kernel.error();
    job.reference_source = std::move(*reference_source);
    job.reference_prepared = source::prepare(*job.reference_source);
    job.reference_kernel = std::move(*reference_kernel);
  }
  auto options = options_from_json(member(json, "options"));
  if (!options) return options.error();
  job.options = std::move(*options);
  return job;
}

}  // namespace ridge::bench
