// SPDX-License-Identifier: GPL-3.0-or-later
// `ridge zoo`: kernels with one known fault each, and correct twins, against what is expected of the judge.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/files.h"
#include "commands.h"
#include "run_options.h"
#include "workers.h"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

struct ZooArguments {
  std::string dir, device = "auto", model, json;
  std::vector<std::string> only;
  bool large = false;
};

/// "pass", or a list of acceptable statuses.
std::vector<std::string> statuses(const Json& json) {
  std::vector<std::string> list;
  if (json.is_string()) list.push_back(json.get<std::string>());
  if (!json.is_array()) return list;
  for (const Json& entry : json) {
    if (entry.is_string()) list.push_back(entry.get<std::string>());
  }
  return list;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

class Zoo {
 public:
  explicit Zoo(ZooArguments arguments)
      : arguments_(std::move(arguments)),
        console_(arguments_.json),
        workers_(arguments_.device, arguments_.model),
        table_({{"problem", Table::Align::left},
                {"kernel", Table::Align::left},
                {"workload", Table::Align::left},
                {"expected", Table::Align::left},
                {"verdict", Table::Align::left},
                {"line", Table::Align::right},
                {"", Table::Align::left}}) {}

  Exit run() {
    Json document = document_head();
    document["device"] = nullptr;
    document["results"] = Json::array();
    if (auto done = run_all(document); !done) {
      complain(done.error());
      status_ = worse(status_, exit_of(done.error()));
    }
    complain(diagnostics_);
    status_ = worse(status_, exit_of(diagnostics_));
    document["diagnostics"] = ridge::to_json(diagnostics_);
    document["total"] = total_;
    document["held"] = held_;
    std::fputs(table_.text().c_str(), console_.text());
    console_.print(std::to_string(held_) + " of " + std::to_string(total_) + " verdicts are as expected");
    if (held_ < total_) status_ = worse(status_, Exit::verdict);
    if (auto written = console_.write(document); !written) {
      complain(written.error());
      status_ = worse(status_, exit_of(written.error()));
    }
    return status_;
  }

 private:
  Result<void> run_all(Json& document) {
    const fs::path dir = arguments_.dir.empty() ? kernels_folder().parent_path() / "tests" / "inputs" / "zoo"
                                                : fs::path(arguments_.dir);
    std::vector<fs::path> folders;
    for (const fs::path& folder : problem::find_problems(dir)) {
      if (fs::exists(folder / "expected.json")) folders.push_back(folder);
    }
    if (folders.empty())
      return Error{
          ErrorKind::usage,           "no_zoo", "no problem with an expected.json below " + dir.string(),
          "name the folder by --dir", {},       0};
    auto info = workers_.device();
    if (!info) return info.error();
    info_ = *info;
    document["device"] = device::to_json(info_);
    for (const fs::path& folder : folders) {
      if (auto done = run_problem(folder, document["results"]); !done) return done.error();
    }
    if (total_ == 0 && !has_errors(diagnostics_))
      return Error{ErrorKind::usage,
                   "no_kernel",
                   "nothing was judged: no kernel of " + dir.string() +
                       (arguments_.only.empty() ? " has workloads" : " holds the text of --only"),
                   arguments_.only.empty() ? "--large takes large workloads in"
                                           : "ridge zoo without --only lists them all",
                   {},
                   0};
    return {};
  }

  static Error misshapen(const fs::path& folder, std::string what, std::string hint) {
    return {ErrorKind::definition,
            "bad_expectations",
            std::move(what),
            std::move(hint),
            (folder / "expected.json").string(),
            0};
  }

  Result<void> run_problem(const fs::path& folder, Json& results) {
    auto text = read_file(folder / "expected.json");
    if (!text) return text.error();
    auto expected = parse_json(*text);
    if (!expected) {
      Error error = expected.error();
      error.file = (folder / "expected.json").string();
      return error;
    }
    const auto problem = load_problem(folder, diagnostics_);
    if (!problem) return {};
    const Json& kernels = member(*expected, "kernels");
    if (!kernels.is_object() || kernels.empty())
      return misshapen(folder, "there is no object \"kernels\" that names a kernel",
                       "write {\"kernels\": {\"k.cu\": {\"workloads\": {\"tiny\": \"pass\"}}}}");
    for (const auto& [file, truth] : kernels.items()) {
      const std::string name = problem->name + "/" + file;
      const auto matches = [&](const std::string& pattern) {
        return name.find(pattern) != std::string::npos;
      };
      if (!arguments_.only.empty() && std::none_of(arguments_.only.begin(), arguments_.only.end(), matches))
        continue;
      if (auto done = run_kernel(*problem, folder / file, truth, results); !done) return done.error();
    }
    return {};
  }

  Result<void> run_kernel(const problem::Problem& problem, const fs::path& file, const Json& truth,
                          Json& results) {
    auto source = source::read_source(file);
    if (!source) return source.error();
    bench::Request request;
    request.source = std::move(*source);
    request.problem = problem;
    const Json& workloads = member(truth, "workloads");
    if (!workloads.is_object() || workloads.empty())
      return misshapen(file.parent_path(),
                       file.filename().string() + " has no object \"workloads\" that names a workload",
                       "write {\"workloads\": {\"tiny\": \"pass\"}}");
    for (const auto& [name, status] : workloads.items()) {
      const problem::Workload* workload = problem.workload(name);
      if (workload != nullptr && workload->large && !arguments_.large) continue;
      request.workloads.push_back(name);
    }
    if (request.workloads.empty()) return {};
    bench::ExecuteOptions options;
    options.model = arguments_.model;
    progress_.show(problem.name + "/" + file.filename().string());
    auto prepared = bench::prepare(request, options, info_,
                                   [&](const compile::CompileRequest& r) { return workers_.compile(r); });
    if (!prepared) return prepared.error();
    std::vector<session::Run> runs = std::move(prepared->finished);
    const bool compiled = runs.empty();
    if (compiled)
      diagnostics_.insert(diagnostics_.end(), prepared->diagnostics.begin(), prepared->diagnostics.end());
    for (const source::Question& question : prepared->questions)
      diagnostics_.push_back({Severity::error, question.file, question.line, 0, question.kind, question.text,
                              question.answer_with});
    for (const bench::Job& job : prepared->jobs) {
      progress_.show(problem.name + "/" + file.filename().string() + " " + job.problem.workload);
      auto run = workers_.run(job, {});
      if (!run) return run.error();
      runs.push_back(std::move(*run));
    }
    for (const session::Run& run : runs) compare(problem.name, file.filename().string(), truth, run, results);
    return {};
  }

  void compare(const std::string& problem, const std::string& kernel, const Json& truth,
               const session::Run& run, Json& results) {
    std::vector<std::string> wanted = statuses(member(member(truth, "workloads"), run.workload));
    if (info_.kind == device::Kind::cuda) {
      const Json& override_list = member(member(truth, "cuda"), run.workload);
      if (!override_list.is_null()) wanted = statuses(override_list);
    }
    const std::string status(hardware::name_of(run.verdict.status));
    const bool right_status = std::find(wanted.begin(), wanted.end(), status) != wanted.end();
    const Json& lines = member(truth, "report_lines");
    const bool placed = run.verdict.line > 0 && run.verdict.status != hardware::Status::pass;
    const bool right_line = !placed || !lines.is_array() ||
                            std::find(lines.begin(), lines.end(), run.verdict.line) != lines.end();
    ++total_;
    if (right_status && right_line) ++held_;
    table_.add({problem, kernel, run.workload, joined(wanted), status,
                placed ? std::to_string(run.verdict.line) : "-",
                right_status && right_line ? ""
                : right_status             ? "LINE"
                                           : "DIFFERS"});
    results.push_back({{"problem", problem},
                       {"kernel", kernel},
                       {"workload", run.workload},
                       {"expected", wanted},
                       {"status", status},
                       {"message", run.verdict.message.english()},
                       {"line", placed ? Json(run.verdict.line) : Json()},
                       {"report_lines", lines},
                       {"holds", right_status && right_line}});
  }

  ZooArguments arguments_;
  Console console_;
  Workers workers_;
  device::DeviceInfo info_;
  ProgressLine progress_;
  Table table_;
  Diagnostics diagnostics_;
  int total_ = 0, held_ = 0;
  Exit status_ = Exit::done;
};

}  // namespace

void add_zoo(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<ZooArguments>();
  CLI::App* command =
      app.add_subcommand("zoo", "Judge kernels with known faults and compare with what is expected");
  ZooArguments& a = *arguments;
  command->add_option("--dir", a.dir, "Folder of problems with expected.json");
  command->add_option("--device", a.device, "auto, emulator or cuda:N")->capture_default_str();
  command->add_option("--model", a.model, "Catalogue entry that the emulator stands for");
  command->add_option("--only", a.only, "Kernels whose problem/file holds this text; may repeat")
      ->take_all()
      ->allow_extra_args(false);
  command->add_flag("--large", a.large, "Large workloads too");
  command->add_option("--json", a.json, "Write the document to a file, or to standard output with -");
  for (const char* text : {"--dir", "--device", "--model", "--only"})
    command->get_option(text)->check(kNotEmpty);
  command->get_option("--json")->check(kOutput);
  command->footer(
      "Examples:\n  ridge zoo --device emulator\n  ridge zoo --dir tests/inputs/zoo --only saxpy/ --json -\n"
      "The document: device, results [{problem, kernel, workload, expected, status, line, report_lines, "
      "holds}], total, held.\n"
      "Exit status: 0 only if all verdicts are as expected and no reported line is off.");
  command->callback([arguments, &chosen] { chosen = [arguments] { return Zoo(*arguments).run(); }; });
}

}  // namespace ridge::cli
