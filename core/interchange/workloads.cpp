// SPDX-License-Identifier: GPL-3.0-or-later
#include "interchange/workloads.h"

#include <algorithm>
#include <limits>

#include "base/files.h"
#include "base/text.h"
#include "interchange/reader.h"

namespace ridge::interchange {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> files_below(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (fs::recursive_directory_iterator it(folder, ignored), end; it != end; it.increment(ignored))
    if (it->is_regular_file(ignored) && it->path().extension() == extension) files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Calls `use(reader, line)` for every line that is a JSON object.
template <class Use>
void for_each_line(const fs::path& file, Diagnostics& diagnostics, Use use) {
  const auto text = read_file(file);
  if (!text) {
    diagnostics.push_back(to_diagnostic(text.error(), file.string()));
    return;
  }
  int number = 0;
  for (const std::string_view line : split_lines(*text)) {
    ++number;
    if (trim(line).empty()) continue;
    const auto located = parse_located(line, file.string());
    if (!located) {
      diagnostics.push_back({Severity::error, file.string(), number, 0, "json",
                             say("this line is not JSON, it ends early or holds a stray character"),
                             say("each line holds one whole object")});
      continue;
    }
    Reader reader(*located, file.string(), diagnostics, number);
    if (!located->value.is_object()) {
      reader.fault("", say("this line holds no object"),
                   say("each line is an object: { \"uuid\": …, \"axes\": { … }, \"inputs\": { … } }"));
      continue;
    }
    use(reader, number);
  }
}

void read_workload_axes(Reader& reader, const std::string& base, const problem::Problem& problem,
                        problem::Workload& workload) {
  const Json* axes = reader.object(base + "/axes", "axes");
  if (axes == nullptr) return;
  std::vector<std::string> variables;
  for (const problem::Axis& axis : problem.axes)
    if (axis.kind == problem::AxisKind::variable) variables.push_back(axis.name);
  for (const auto& [name, value] : axes->items()) {
    const std::string pointer = below(base + "/axes", name);
    if (std::find(variables.begin(), variables.end(), name) == variables.end()) {
      const std::string near = nearest(name, variables);
      reader.fault(pointer, say("{} is no variable axis", name),
                   near.empty() ? Sentence() : say("{} is near", near));
      continue;
    }
    if (!value.is_number_integer()) {
      reader.fault(pointer, say("axis {} is {}, which is no integer", name, value.dump()));
      continue;
    }
    workload.axes[name] = value.get<std::int64_t>();
    if (workload.axes[name] < 1)
      reader.fault(pointer, say("axis {} is {}; an extent is at least 1", name, value.dump()));
  }
  for (const std::string& name : variables)
    if (!axes->contains(name)) reader.fault(base + "/axes", say("axis {} has no value", name));
}

void read_workload_inputs(Reader& reader, const std::string& base, const problem::Problem& problem,
                          problem::Workload& workload) {
  const Json* inputs = reader.object(base + "/inputs", "inputs");
  if (inputs == nullptr) return;
  for (const problem::Tensor& tensor : problem.inputs)
    if (!inputs->contains(tensor.name))
      reader.fault(base + "/inputs", say("there is no descriptor for the input {}", tensor.name),
                   say("write \"{}\": {\"type\": \"random\"}", tensor.name));
  for (const problem::Scalar& scalar : problem.scalars) {
    const Json& descriptor = member(*inputs, scalar.name);
    const Json& value = member(descriptor, "value");
    if (!value.is_number())
      reader.fault(below(base + "/inputs", scalar.name), say("the scalar {} needs a value", scalar.name),
                   say("write {\"type\": \"scalar\", \"value\": 1e-6}"));
    else
      workload.scalars[scalar.name] = value.dump();
  }
}

problem::Workload read_workload(Reader& reader, const std::string& base, const problem::Problem& problem,
                                int line) {
  problem::Workload workload;
  workload.line = line;
  if (const auto uuid = reader.text(base + "/uuid", say("the uuid"))) workload.name = *uuid;
  read_workload_axes(reader, base, problem, workload);
  read_workload_inputs(reader, base, problem, workload);
  return workload;
}

std::optional<hardware::Status> status_of(const std::string& word) {
  static const std::map<std::string, hardware::Status> kWords{
      {"PASSED", hardware::Status::pass},
      {"INCORRECT_NUMERICAL", hardware::Status::wrong_values},
      {"INCORRECT_SHAPE", hardware::Status::wrong_values},
      {"INCORRECT_DTYPE", hardware::Status::wrong_values},
      {"RUNTIME_ERROR", hardware::Status::launch_failed},
      {"COMPILE_ERROR", hardware::Status::compile_error},
      {"TIMEOUT", hardware::Status::timeout},
      {"REWARD_HACK", hardware::Status::suspect},
      {"INVALID_REFERENCE", hardware::Status::no_reference}};
  const auto found = kWords.find(word);
  return found == kWords.end() ? std::nullopt : std::optional(found->second);
}

/// Numbers of traces: JSON has no infinity, so other tools write "Infinity".
std::optional<double> trace_number(const Json& json, std::string_view key) {
  const std::string word = read_string(json, key);
  if (word == "Infinity") return std::numeric_limits<double>::infinity();
  if (word == "-Infinity") return -std::numeric_limits<double>::infinity();
  if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
  return read_number(json, key);
}

std::optional<double> microseconds(const Json& json, std::string_view key) {
  const auto milliseconds = trace_number(json, key);
  return milliseconds ? std::optional(*milliseconds * 1000) : std::nullopt;
}

}  // namespace

Files find_files(const fs::path& path, Diagnostics& diagnostics) {
  std::error_code ignored;
  Files files;
  fs::path folder = path;
  if (fs::is_regular_file(path, ignored)) {
    files.definition = path;
    folder = path.parent_path();
  } else if (fs::exists(path / "definition.json", ignored)) {
    files.definition = path / "definition.json";
  } else {
    const std::vector<fs::path> definitions = files_below(path / "definitions", ".json");
    if (definitions.size() != 1) {
      diagnostics.push_back({Severity::error, path.string(), 0, 0, "definition",
                             definitions.empty() ? say("there is no definition.json here")
                                                 : say("there are {} definitions here", definitions.size()),
                             say("name the .json file of one definition")});
      return files;
    }
    files.definition = definitions.front();
  }
  if (fs::exists(folder / "workload.jsonl", ignored)) files.workloads.push_back(folder / "workload.jsonl");
  if (fs::exists(folder / "solution.json", ignored)) files.solutions.push_back(folder / "solution.json");
  // A trace set keeps definitions/<type>/<name>.json beside workloads/, solutions/ and traces/.
  const fs::path definitions = files.definition.parent_path().parent_path();
  if (definitions.filename() == "definitions" && files.definition.filename() != "definition.json") {
    const fs::path root = definitions.parent_path();
    const std::string name = files.definition.stem().string() + ".jsonl";
    for (const fs::path& file : files_below(root / "workloads", ".jsonl"))
      if (file.filename() == name) files.workloads.push_back(file);
    for (const fs::path& file : files_below(root / "traces", ".jsonl"))
      if (file.filename() == name) files.traces.push_back(file);
    files.solutions = files_below(root / "solutions", ".json");
  }
  return files;
}

void read_workloads(const fs::path& file, problem::Problem& problem, Import& import) {
  std::map<std::string, int> seen;
  for_each_line(file, import.diagnostics, [&](Reader& reader, int line) {
    // A trace set wraps the workload in a trace without solution.
    const std::string base = reader.root().contains("workload") ? "/workload" : "";
    const std::size_t faults = import.diagnostics.size();
    problem::Workload workload = read_workload(reader, base, problem, line);
    if (!workload.name.empty()) {
      const auto [first, fresh] = seen.emplace(workload.name, line);
      if (!fresh)
        reader.fault(base + "/uuid",
                     say("the uuid {} stands in line {} already", workload.name, first->second));
    }
    import.workloads.push_back(reader.root());
    if (import.diagnostics.size() == faults) problem.workloads.push_back(std::move(workload));
  });
}

void read_traces(const fs::path& file, const problem::Problem& problem, Import& import) {
  for_each_line(file, import.diagnostics, [&](Reader& reader, int line) {
    const Json& trace = reader.root();
    const Json& evaluation = member(trace, "evaluation");
    if (!evaluation.is_object()) return;
    const problem::Workload workload = read_workload(reader, "/workload", problem, line);
    ForeignRun run;
    run.solution = read_string(trace, "solution");
    run.workload = workload.name;
    run.axes = workload.axes;
    run.status_text = read_string(evaluation, "status");
    run.status = status_of(run.status_text);
    run.time = read_string(evaluation, "timestamp");
    run.hardware = read_string(member(evaluation, "environment"), "hardware");
    const Json& correctness = member(evaluation, "correctness");
    run.max_abs = trace_number(correctness, "max_absolute_error");
    run.max_rel = trace_number(correctness, "max_relative_error");
    const Json& performance = member(evaluation, "performance");
    run.latency_us = microseconds(performance, "latency_ms");
    run.reference_us = microseconds(performance, "reference_latency_ms");
    import.runs.push_back(std::move(run));
  });
}

}  // namespace ridge::interchange
