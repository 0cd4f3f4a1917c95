// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/files.h"
#include "base/text.h"
#include "console.h"
#include "verify/witness.h"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

Error wrong_use(std::string message, std::string hint) {
  return {ErrorKind::usage, "usage", std::move(message), std::move(hint), {}, 0};
}

/// Whole numbers whole, others with one digit.
std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f" : "%.1f", value);
  return text;
}

/// The lines of a file without the blanks at their ends; none when it cannot be read.
std::vector<std::string> source_lines(const std::string& file) {
  std::vector<std::string> lines;
  const auto text = read_file(file);
  if (!text) return lines;
  for (const std::string_view line : split_lines(*text)) {
    const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t");
    lines.emplace_back(first == std::string_view::npos ? "" : line.substr(first, last - first + 1));
  }
  return lines;
}

std::string percent(const std::optional<double>& value) {
  if (!value) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", *value);
  return text;
}

std::string time_of(const session::Run& run) {
  if (run.timing && run.timing->cold) return human_time(run.timing->cold->median_us);
  const bool ran = run.verdict.launches > 0;
  return run.device.kind == device::Kind::emulator && ran ? "emulated" : "-";
}

/// "32 lanes x 4 bytes of global: 4 sectors"
std::string asked(const std::optional<device::WarpAccess>& access) {
  if (!access) return {};
  const auto lanes = std::count_if(access->lanes.begin(), access->lanes.end(),
                                   [](const auto& lane) { return lane.has_value(); });
  std::string text =
      std::to_string(lanes) + " x " + std::to_string(access->bytes) + " bytes of " + access->space;
  if (access->space == "shared") text += ", wavefronts: " + std::to_string(access->wavefronts);
  if (access->sectors > 0) text += ", sectors: " + std::to_string(access->sectors);
  return text;
}

/// What was found beside the reason of the verdict: often its cause.
void print_other_findings(const Console& console, const verify::Verdict& verdict) {
  constexpr std::size_t kMost = 5;
  std::size_t printed = 0, left = 0;
  for (const hardware::Finding& finding : verdict.findings) {
    if (finding.status == verdict.status && finding.line == verdict.line) continue;
    if (printed == kMost) {
      ++left;
      continue;
    }
    ++printed;
    std::string place;
    if (finding.line > 0) place = finding.file + ":" + std::to_string(finding.line) + ": ";
    console.print("  also " + place + std::string(hardware::name_of(finding.status)) + ": " +
                  finding.message.english() + verify::witness_of(finding));
  }
  if (left > 0) console.print("  and " + std::to_string(left) + " more (--json has all)");
}

}  // namespace

Result<std::map<std::string, std::int64_t>> parse_axes(const std::vector<std::string>& texts) {
  std::map<std::string, std::int64_t> axes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    std::int64_t value = 0;
    const char* const begin = text.data() + (equals == std::string::npos ? text.size() : equals + 1);
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(begin, end, value);
    if (equals == 0 || begin == end || parsed.ec != std::errc() || parsed.ptr != end)
      return wrong_use("--axis " + text + " is no axis with a whole number",
                       "write --axis NAME=VALUE, for instance --axis M=256");
    const std::string name = text.substr(0, equals);
    if (const auto [known, added] = axes.emplace(name, value); !added)
      return wrong_use("--axis " + name + "=" + std::to_string(known->second) + " and --axis " + text +
                           " both set " + name,
                       "give each axis once");
  }
  return axes;
}

Result<std::vector<std::pair<std::string, std::string>>> parse_defines(
    const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> defines;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const bool identifier = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
                            std::all_of(name.begin(), name.end(),
                                        [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (!identifier || text.find('\n') != std::string::npos)
      return wrong_use("--define " + text + " is no macro",
                       "write --define NAME=VALUE, for instance --define TILE=16");
    for (const auto& [known, value] : defines)
      if (known == name)
        return wrong_use("--define " + name + "=" + value + " and --define " + text + " both set " + name,
                         "give each macro once");
    defines.emplace_back(name, equals == std::string::npos ? "1" : text.substr(equals + 1));
  }
  return defines;
}

Result<fs::path> find_problem(const fs::path& kernel, const source::KernelSource& source,
                              const std::string& chosen) {
  std::error_code ignored;
  const auto holds_problem = [&](const fs::path& folder) {
    return fs::is_regular_file(folder / "problem.toml", ignored);
  };
  if (!chosen.empty()) {
    if (holds_problem(chosen)) return fs::path(chosen);
    if (fs::path(chosen).filename() == "problem.toml" && fs::is_regular_file(chosen, ignored))
      return fs::path(chosen).parent_path().empty() ? fs::path(".") : fs::path(chosen).parent_path();
    if (chosen.find('/') == std::string::npos && holds_problem(kernels_folder() / chosen))
      return kernels_folder() / chosen;
    return wrong_use("--problem " + chosen + " holds no problem.toml",
                     "name a problem's folder; ridge problems lists the library");
  }
  const fs::path folder = kernel.parent_path().empty() ? fs::path(".") : kernel.parent_path();
  if (holds_problem(folder)) return folder;
  const source::Value& named = source.directives.problem;
  if (named.given() && holds_problem(kernels_folder() / named.text)) return kernels_folder() / named.text;
  Error error{ErrorKind::question,
              "problem",
              "Which problem does " + kernel.filename().string() + " solve?",
              "--problem DIR, or //@ problem: NAME of a problem in the library",
              kernel.string(),
              named.line};
  if (named.given())
    error.message = error.message.english() + " The library has no problem " + named.text + ".";
  return error;
}

std::optional<problem::Problem> load_problem(const fs::path& folder, Diagnostics& diagnostics) {
  problem::LoadedProblem loaded = problem::load_problem(folder);
  diagnostics.insert(diagnostics.end(), loaded.diagnostics.begin(), loaded.diagnostics.end());
  if (has_errors(loaded.diagnostics)) return std::nullopt;
  return std::move(loaded.problem);
}

void print_runs(const Console& console, const std::vector<session::Run>& runs, const Diagnostics& told) {
  if (runs.empty()) return;
  using Align = Table::Align;
  Table table({{"problem", Align::left},
               {"workload", Align::left},
               {"verdict", Align::left},
               {"time", Align::right},
               {"T_SOL", Align::right},
               {"bound", Align::left},
               {"SOL %", Align::right}});
  for (const session::Run& run : runs) {
    const model::Basis& basis = run.model.datasheet;
    std::string verdict(hardware::name_of(run.verdict.status));
    if (run.verdict.deterministic == false && run.verdict.status == hardware::Status::pass)
      verdict += " (bits vary)";
    table.add({run.problem, run.workload, verdict, time_of(run),
               basis.t_sol_us ? human_time(*basis.t_sol_us) : "-", basis.bound.empty() ? "-" : basis.bound,
               percent(basis.sol_percent)});
  }
  std::fputs(table.text().c_str(), console.text());
  for (const session::Run& run : runs) {
    const hardware::Status status = run.verdict.status;
    if (status == hardware::Status::pass) continue;
    const Sentence& message = run.verdict.message;
    if (std::any_of(told.begin(), told.end(), [&](const Diagnostic& one) { return one.message == message; }))
      continue;
    std::string place = run.workload;
    if (run.verdict.line > 0) place = run.source.file + ":" + std::to_string(run.verdict.line) + ": " + place;
    console.print(place + ": " + std::string(hardware::name_of(status)) + ": " +
                  run.verdict.message.english() + verify::witness_of(run.verdict));
    print_other_findings(console, run.verdict);
  }
  for (const session::Run& run : runs)
    for (const Sentence& warning : run.verdict.warnings)
      console.print(run.workload + ": warning: " + warning.english());
  for (const session::Run& run : runs) {
    if (run.output.empty()) continue;
    console.print("output of " + run.workload + ":");
    std::fputs(run.output.c_str(), console.text());
    if (run.output.back() != '\n') console.print("");
  }
}

void print_lines(const Console& console, const std::vector<session::Run>& runs) {
  for (const session::Run& run : runs) {
    if (run.lines.empty()) {
      if (run.verdict.status != hardware::Status::skipped)
        console.print(run.workload + (run.device.kind == device::Kind::emulator
                                          ? ": no launch was counted."
                                          : ": a GPU's counters by line are not in this release; "
                                            "--device emulator counts."));
      continue;
    }
    console.print("lines of " + run.workload + ":");
    using Align = Table::Align;
    Table table({{"line", Align::right},
                 {"warp instr.", Align::right},
                 {"lanes", Align::right},
                 {"FLOP", Align::right},
                 {"global req.", Align::right},
                 {"sectors", Align::right},
                 {"shared req.", Align::right},
                 {"conflicts", Align::right},
                 {"atomics", Align::right},
                 {"source", Align::left}});
    std::map<std::string, std::vector<std::string>> texts;
    for (const hardware::LineCounters& line : run.lines) {
      const auto [text, added] = texts.try_emplace(line.file);
      if (added) text->second = source_lines(line.file);
      const auto sum = [&](const std::vector<std::string>& names) {
        double total = 0;
        for (const std::string& name : names)
          if (const auto found = line.counters.find(name); found != line.counters.end())
            total += found->second;
        return total == 0 ? std::string("-") : number_text(total);
      };
      std::vector<std::string> flops;
      for (const auto& [name, value] : line.counters)
        if (name.starts_with("flops_")) flops.push_back(name);
      const auto number = static_cast<std::size_t>(std::max(line.line, 1)) - 1;
      table.add({line.line > 0 ? std::to_string(line.line) : "-", sum({"warp_instructions"}),
                 sum({"active_lanes"}), sum(flops), sum({"global_load_requests", "global_store_requests"}),
                 sum({"global_load_sectors", "global_store_sectors"}),
                 sum({"shared_load_requests", "shared_store_requests"}),
                 sum({"shared_load_bank_conflicts", "shared_store_bank_conflicts"}), sum({"atomics"}),
                 line.line > 0 && number < text->second.size() ? text->second[number] : ""});
    }
    std::fputs(table.text().c_str(), console.text());
  }
}

void print_traces(const Console& console, const std::vector<session::Run>& runs) {
  for (const session::Run& run : runs) {
    if (!run.trace) {
      console.print(run.workload +
                    (run.device.kind == device::Kind::emulator
                         ? ": no trace: no launch has this block and thread."
                         : ": no trace: a GPU does not show its threads; --device emulator does."));
      continue;
    }
    console.print("trace of " + run.workload + ":");
    using Align = Table::Align;
    Table table({{"line", Align::right},
                 {"instruction", Align::left},
                 {"writes", Align::left},
                 {"asks", Align::left}});
    for (const device::TraceStep& step : run.trace->steps) {
      std::string values;
      for (const device::TracedValue& value : step.values)
        values += (values.empty() ? "" : ", ") + value.name + " = " + value.value;
      table.add(
          {step.line > 0 ? std::to_string(step.line) : "-", step.instruction, values, asked(step.access)});
    }
    std::fputs(table.text().c_str(), console.text());
    if (run.trace->cut)
      console.print("cut after " + std::to_string(run.trace->steps.size()) + " instructions");
  }
}

}  // namespace ridge::cli
