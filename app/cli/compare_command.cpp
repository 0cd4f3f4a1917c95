// SPDX-License-Identifier: GPL-3.0-or-later
// `ridge compare A.ridge B.ridge`: is B faster than A, workload by workload?
#include <filesystem>
#include <map>
#include <memory>
#include <tuple>

#include "commands.h"
#include "measure/compare.h"
#include "session/store.h"

namespace ridge::cli {
namespace {

struct CompareArguments {
  std::string a, b, json;
};

using Runs = std::vector<session::Run>;

Result<Runs> read_runs(const std::string& file, Diagnostics& damaged) {
  auto store = session::Store::open(file);
  if (!store) return store.error();
  return (*store)->runs(&damaged);
}

/// What two runs must share to be compared: problem, workload, its axes and the device.
using Place = std::tuple<std::string, std::string, std::map<std::string, std::int64_t>, std::string>;

/// A kernel by the name of its file, which stays while the source changes.
std::string kernel_of(const session::Run& run) {
  return std::filesystem::path(run.source.file).stem().string();
}

/// The newest run of each kernel, by place. What became worse is not hidden behind an older run.
std::map<Place, std::map<std::string, const session::Run*>> newest(const Runs& runs) {
  std::map<Place, std::map<std::string, const session::Run*>> found;
  for (const session::Run& run : runs)
    found[{run.problem, run.workload, run.axes, run.device.name}][kernel_of(run)] = &run;
  return found;
}

/// Kernels of one name are compared; where a place has one kernel on each side, those are, whatever their
/// names.
std::vector<std::pair<const session::Run*, const session::Run*>> pairs_of(
    const std::map<std::string, const session::Run*>& a,
    const std::map<std::string, const session::Run*>& b) {
  if (a.size() == 1 && b.size() == 1) return {{a.begin()->second, b.begin()->second}};
  std::vector<std::pair<const session::Run*, const session::Run*>> pairs;
  for (const auto& [name, run] : a)
    if (const auto other = b.find(name); other != b.end()) pairs.emplace_back(run, other->second);
  return pairs;
}

const measure::Sampled* cold(const session::Run& run) {
  return run.timing && run.timing->cold ? &*run.timing->cold : nullptr;
}

std::string time_of(const session::Run& run) {
  return cold(run) != nullptr ? human_time(cold(run)->median_us) : "-";
}

Exit compare(const CompareArguments& arguments) {
  const Console console(arguments.json);
  Json document = document_head();
  document["a"] = arguments.a;
  document["b"] = arguments.b;
  document["comparisons"] = Json::array();
  Exit status = Exit::done;
  Diagnostics diagnostics;
  std::vector<Runs> sides;
  for (const std::string& file : {arguments.a, arguments.b}) {
    if (auto sound = check_output(arguments.json, {file}); !sound) {
      complain(sound.error());
      return exit_of(sound.error());
    }
    auto runs = read_runs(file, diagnostics);
    if (!runs) {
      diagnostics.push_back(to_diagnostic(runs.error()));
      status = worse(status, exit_of(runs.error()));
      continue;
    }
    sides.push_back(std::move(*runs));
  }
  Table table({{"problem", Table::Align::left},
               {"workload", Table::Align::left},
               {"kernel", Table::Align::left},
               {"A", Table::Align::right},
               {"B", Table::Align::right},
               {"B against A", Table::Align::left}});
  int pairs = 0;
  if (sides.size() == 2) {
    const auto before = newest(sides[0]), after = newest(sides[1]);
    for (const auto& [place, kernels] : before) {
      const auto other = after.find(place);
      if (other == after.end()) continue;
      for (const auto& [a, b] : pairs_of(kernels, other->second)) {
        ++pairs;
        measure::Comparison result;
        if (cold(*a) != nullptr && cold(*b) != nullptr)
          result = measure::compare(*cold(*a), *cold(*b));
        else
          result.sentence =
              "CANNOT TELL: " + std::string(cold(*a) == nullptr ? "A" : "B") + " has no cold time.";
        const std::string name = kernel_of(*a);
        table.add({a->problem, a->workload, name == kernel_of(*b) ? name : name + ", " + kernel_of(*b),
                   time_of(*a), time_of(*b), result.sentence});
        Json entry = measure::to_json(result);
        entry["problem"] = a->problem;
        entry["workload"] = a->workload;
        entry["device"] = a->device.name;
        entry["a_kernel"] = a->kernel;
        entry["b_kernel"] = b->kernel;
        document["comparisons"].push_back(std::move(entry));
      }
    }
    if (pairs == 0) {
      diagnostics.push_back({Severity::error, arguments.b, 0, 0, "nothing_in_common",
                             "the sessions share no problem, workload, kernel and device",
                             "compare sessions of the same workloads"});
      status = worse(status, Exit::usage);
    }
  }
  complain(diagnostics);
  document["diagnostics"] = ridge::to_json(diagnostics);
  if (pairs > 0) std::fputs(table.text().c_str(), console.text());
  if (auto written = console.write(document); !written) {
    complain(written.error());
    status = worse(status, exit_of(written.error()));
  }
  return status;
}

}  // namespace

void add_compare(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand(
      "compare", "Compare the cold times of two sessions: FASTER, SLOWER, SAME or CANNOT TELL");
  command->add_option("a", arguments->a, "Session before")->required();
  command->add_option("b", arguments->b, "Session after")->required();
  command->add_option("--json", arguments->json,
                      "Write the document to a file, or to standard output with -");
  for (const char* text : {"a", "b"}) command->get_option(text)->check(kNotEmpty);
  command->get_option("--json")->check(kOutput);
  command->footer(
      "Example:\n  ridge compare before.ridge after.ridge\n"
      "The document: comparisons [{verdict, sentence, ratio, confirmed_in_cycles, problem, workload, device, "
      "a_kernel, b_kernel}].");
  command->callback([arguments, &chosen] { chosen = [arguments] { return compare(*arguments); }; });
}

}  // namespace ridge::cli
