// SPDX-License-Identifier: GPL-3.0-or-later
// `ridge devices`, `ridge problems` and `ridge check`: what there is, and whether it is sound.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/files.h"
#include "base/text.h"
#include "commands.h"
#include "compile/ptx.h"
#include "interchange/definition.h"
#include "problem/problem.h"
#include "run_options.h"
#include "workers.h"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

Exit finish(const Console& console, const Json& document, Exit status) {
  auto written = console.write(document);
  if (written) return status;
  complain(written.error());
  return worse(status, exit_of(written.error()));
}

// --- devices

Exit list_devices(const std::string& json_file) {
  const Console console(json_file);
  Json document = document_head();
  document["devices"] = Json::array();
  document["notes"] = Json::array();
  Workers workers("auto", {});
  auto found = workers.devices();
  if (!found) {
    complain(found.error());
    document["diagnostics"] = Json::array({ridge::to_json(found.error())});
    return finish(console, document, exit_of(found.error()));
  }
  Table table({{"device", Table::Align::left},
               {"name", Table::Align::left},
               {"arch", Table::Align::left},
               {"SMs", Table::Align::right},
               {"memory", Table::Align::right},
               {"counters", Table::Align::left}});
  for (const device::DeviceInfo& info : found->devices) {
    table.add({info.id,
               info.name + (info.model.empty() || info.kind == device::Kind::cuda ? "" : " as " + info.model),
               info.arch, std::to_string(info.sm_count),
               info.memory_bytes > 0 ? human_bytes(static_cast<double>(info.memory_bytes)) : "-",
               info.counters ? "yes" : "no"});
    document["devices"].push_back(device::to_json(info));
  }
  std::fputs(table.text().c_str(), console.text());
  for (const std::string& note : found->notes) {
    console.print("note: " + note);
    document["notes"].push_back(note);
  }
  return finish(console, document, Exit::done);
}

// --- problems

std::vector<std::string> kernels_of(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path& path = entry.path();
    const bool source = path.extension() == ".cu" || path.extension() == ".ptx";
    if (source && path.filename() != "reference.cu") names.push_back(path.filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Json text_json(const problem::Text& text) {
  return {{"en", text.en}, {"zh_CN", text.zh_CN}};
}

Exit list_problems(const std::string& folder, const std::string& json_file) {
  const Console console(json_file);
  const fs::path library = folder.empty() ? kernels_folder() : fs::path(folder);
  Json document = document_head();
  document["folder"] = library.string();
  document["problems"] = Json::array();
  Table table({{"problem", Table::Align::left},
               {"title", Table::Align::left},
               {"workloads", Table::Align::right},
               {"kernels", Table::Align::left}});
  Diagnostics diagnostics;
  std::error_code ignored;
  if (!fs::is_directory(library, ignored))
    diagnostics.push_back({Severity::error, library.string(), 0, 0, "no_folder", "there is no such folder",
                           "name a folder of problems"});
  for (const fs::path& path : problem::find_problems(library)) {
    const auto problem = load_problem(path, diagnostics);
    if (!problem) continue;
    const std::vector<std::string> kernels = kernels_of(path);
    std::string list;
    for (const std::string& kernel : kernels) list += (list.empty() ? "" : " ") + kernel;
    table.add(
        {problem->name, problem->title.in(locale_name()), std::to_string(problem->workloads.size()), list});
    Json workloads = Json::array();
    for (const problem::Workload& workload : problem->workloads)
      workloads.push_back({{"name", workload.name}, {"large", workload.large}});
    document["problems"].push_back({{"name", problem->name},
                                    {"title", text_json(problem->title)},
                                    {"folder", path.string()},
                                    {"workloads", workloads},
                                    {"kernels", kernels}});
  }
  complain(diagnostics);
  document["diagnostics"] = ridge::to_json(diagnostics);
  std::fputs(table.text().c_str(), console.text());
  return finish(console, document, exit_of(diagnostics));
}

// --- check

class Check {
 public:
  explicit Check(const std::string& json_file) : console_(json_file) {
    document_ = document_head();
    document_["problems"] = Json::array();
  }

  Exit run(const fs::path& path) {
    std::error_code ignored;
    if (interchange::is_definition(path)) {
      check_definition(path);
    } else if (fs::is_directory(path, ignored)) {
      const auto folders = fs::is_regular_file(path / "problem.toml", ignored) ? std::vector<fs::path>{path}
                                                                               : problem::find_problems(path);
      if (folders.empty())
        refuse(path, "there is no problem.toml in this folder or below it",
               "write one, or name another folder");
      for (const fs::path& folder : folders) check_problem(folder);
    } else if (path.filename() == "problem.toml") {
      check_problem(path.parent_path().empty() ? fs::path(".") : path.parent_path());
    } else if (path.extension() == ".json" || path.extension() == ".jsonl") {
      refuse(path, "this JSON is no definition: it has no axes, inputs and outputs",
             "name definition.json, or the folder it lies in");
    } else if (path.extension() == ".cu" || path.extension() == ".cuh" || path.extension() == ".ptx") {
      check_source(path);
    } else {
      refuse(path, "this is no problem folder, problem.toml or kernel source", "name one of these");
    }
    complain(diagnostics_);
    if (!has_errors(diagnostics_)) console_.print("no errors");
    document_["diagnostics"] = ridge::to_json(diagnostics_);
    return finish(console_, document_, compiler_status_.value_or(exit_of(diagnostics_)));
  }

 private:
  void refuse(const fs::path& path, std::string message, std::string hint) {
    diagnostics_.push_back(
        {Severity::error, path.string(), 0, 0, "not_a_definition", std::move(message), std::move(hint)});
  }

  void check_problem(const fs::path& folder) {
    if (const auto problem = load_problem(folder, diagnostics_)) show(*problem);
  }

  /// SOL-ExecBench and FlashInfer-Bench files; runs that another tool made are shown as that tool's.
  void check_definition(const fs::path& path) {
    const interchange::Import import = interchange::import_definition(path);
    diagnostics_.insert(diagnostics_.end(), import.diagnostics.begin(), import.diagnostics.end());
    if (!import.problem) return;
    show(*import.problem);
    for (const interchange::Solution& solution : import.solutions)
      console_.print("solution " + solution.name + ": " + std::to_string(solution.files.size()) +
                     " files, entry " + solution.entry_file + "::" + solution.entry_function);
    for (const interchange::ForeignRun& run : import.runs)
      console_.print("trace of " + run.solution + " on " + run.hardware + ", not measured here: " +
                     run.status_text + (run.latency_us ? ", " + human_time(*run.latency_us) : std::string{}));
  }

  void show(const problem::Problem& problem) {
    Json workloads = Json::array();
    Table table({{"workload", Table::Align::left},
                 {"FLOPs", Table::Align::right},
                 {"fused bytes", Table::Align::right},
                 {"needs", Table::Align::right}});
    for (const problem::Workload& workload : problem.workloads) {
      const problem::Bound bound = problem::bind(problem, workload);
      diagnostics_.insert(diagnostics_.end(), bound.diagnostics.begin(), bound.diagnostics.end());
      if (!bound.problem) continue;
      const std::int64_t needed = problem::device_bytes(*bound.problem);
      char flops[32];
      std::snprintf(flops, sizeof flops, "%.15g", bound.problem->flops);
      table.add({workload.name, flops, human_bytes(bound.problem->bytes),
                 human_bytes(static_cast<double>(needed))});
      workloads.push_back({{"name", workload.name},
                           {"large", workload.large},
                           {"flops", json_number(bound.problem->flops)},
                           {"bytes", json_number(bound.problem->bytes)},
                           {"device_bytes", json_integer(needed)}});
    }
    console_.print(problem.name + ": " + problem.title.in(locale_name()));
    std::fputs(table.text().c_str(), console_.text());
    document_["problems"].push_back({{"name", problem.name},
                                     {"title", text_json(problem.title)},
                                     {"file", problem.file},
                                     {"workloads", workloads}});
  }

  void check_source(const fs::path& path) {
    auto source = source::read_source(path);
    if (!source) {
      diagnostics_.push_back(to_diagnostic(source.error()));
      return;
    }
    const source::PreparedSource prepared = source::prepare(*source);
    diagnostics_.insert(diagnostics_.end(), source->diagnostics.begin(), source->diagnostics.end());
    diagnostics_.insert(diagnostics_.end(), prepared.diagnostics.begin(), prepared.diagnostics.end());
    if (prepared.language == source::Language::ptx && !has_errors(diagnostics_)) check_ptx(*source, prepared);
    for (const source::Signature& kernel : prepared.kernels)
      console_.print("kernel " + kernel.name + ", line " + std::to_string(kernel.line) + ", " +
                     std::to_string(kernel.parameters.size()) + " parameters");
    for (const source::Ignored& ignored : prepared.ignored)
      console_.print("ignored: lines " + std::to_string(ignored.first) + " to " +
                     std::to_string(ignored.last) + ": " + ignored.reason);
    ask(prepared.questions);
  }

  /// PTX has no structure that shows without reading all of it, which the compile worker does: it assembles
  /// for the file's own .target, or reads it where it has no assembler. What it thinks of a .target that it
  /// does not know shows with any other architecture.
  void check_ptx(const source::KernelSource& source, const source::PreparedSource& prepared) {
    Workers workers("auto", {});
    std::string target = compile::parse_ptx(source.text).target;
    target.resize(std::min(target.size(), target.find_first_of(", \t")));
    if (target.empty() || !workers.check_architecture(target)) target = "sm_90";
    const auto read = workers.compile(compile::request_for(source, prepared, target));
    if (!read) {
      diagnostics_.push_back(to_diagnostic(read.error()));
      compiler_status_ = exit_of(read.error());
      return;
    }
    if (!read->ok) compiler_status_ = Exit::compile;
    for (const Diagnostic& diagnostic : read->diagnostics)
      if (diagnostic.severity != Severity::note) diagnostics_.push_back(diagnostic);
  }

  Console console_;
  Diagnostics diagnostics_;
  std::optional<Exit> compiler_status_;  ///< of a source without other faults that does not compile
  Json document_;
};

}  // namespace

void add_devices(CLI::App& app, Action& chosen) {
  auto json = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("devices", "List the devices that can run kernels");
  command->add_option("--json", *json, "Write the document to a file, or to standard output with -")
      ->check(kOutput);
  command->footer(
      "Example:\n  ridge devices --json -     devices [{kind, id, name, arch, uuid, …}] and notes on what is "
      "missing");
  command->callback([json, &chosen] { chosen = [json] { return list_devices(*json); }; });
}

void add_problems(CLI::App& app, Action& chosen) {
  auto folder = std::make_shared<std::string>();
  auto json = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("problems", "List the problems of the library with their kernels");
  command->add_option("folder", *folder, "Another folder of problems")->check(kNotEmpty);
  command->add_option("--json", *json, "Write the document to a file, or to standard output with -")
      ->check(kOutput);
  command->footer(
      "Examples:\n  ridge problems\n  ridge problems mine/ --json -     problems [{name, title, folder, "
      "workloads, kernels}]");
  command->callback(
      [folder, json, &chosen] { chosen = [folder, json] { return list_problems(*folder, *json); }; });
}

void add_check(CLI::App& app, Action& chosen) {
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("check", "Check a problem definition or a kernel source, every fault at once");
  command
      ->add_option(
          "path", *path,
          "A problem's folder, a folder of problems, problem.toml, a definition.json of SOL-ExecBench or "
          "FlashInfer-Bench, or a kernel source")
      ->required()
      ->check(kNotEmpty);
  command->add_option("--json", *json, "Write the document to a file, or to standard output with -")
      ->check(kOutput);
  command->footer(
      "Examples:\n  ridge check kernels/softmax\n"
      "  ridge check mine/problem.toml --json -     diagnostics, problems [{name, title, file, workloads\n"
      "                                             [{name, large, flops, bytes, device_bytes}]}]\n"
      "Exit status: 2 when something is at fault, 4 when PTX does not compile.");
  command->callback([path, json, &chosen] { chosen = [path, json] { return Check(*json).run(*path); }; });
}

}  // namespace ridge::cli
