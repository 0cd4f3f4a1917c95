// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <charconv>
#include <cmath>

#include "base/version.h"
#include "session/report.h"
#include "session/store.h"

namespace ridge::session {
namespace {

/// Shortest text that reads back as the same number; the locale has no say. Unknown is an empty cell.
std::string cell(std::optional<double> value) {
  if (!value) return {};
  std::array<char, 32> text{};
  const auto [end, problem] = std::to_chars(text.data(), text.data() + text.size(), *value);
  return {text.data(), end};
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string axes_cell(const std::map<std::string, std::int64_t>& axes) {
  std::string text;
  for (const auto& [name, value] : axes)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

void add_sampled(std::vector<std::string>& cells, const std::optional<measure::Sampled>& sampled) {
  if (!sampled) {
    cells.insert(cells.end(), 5, std::string());
    return;
  }
  cells.insert(cells.end(), {cell(sampled->median_us), cell(sampled->q1_us), cell(sampled->q3_us),
                             std::to_string(sampled->n), sampled->source});
}

constexpr const char* kColumns =
    "problem,workload,axes,seed,kernel,device,status,message,cold_median_us,cold_q1_us,cold_q3_us,cold_n,"
    "cold_source,"
    "warm_median_us,warm_q1_us,warm_q3_us,warm_n,warm_source,launch_median_us,launch_q1_us,launch_q3_us,"
    "launch_n,"
    "launch_source,flops,bytes,t_sol_us,bound,sol_percent,sol_score,registers,shared_bytes,spill_bytes,"
    "occupancy,"
    "baseline,time,notes,file\n";

std::string line_of(const Run& run) {
  std::vector<std::string> cells{run.problem,
                                 run.workload,
                                 axes_cell(run.axes),
                                 std::to_string(run.seed),
                                 run.kernel,
                                 run.device.name,
                                 std::string(hardware::name_of(run.verdict.status)),
                                 run.verdict.message.english()};
  const measure::Timing none;
  const measure::Timing& timing = run.timing ? *run.timing : none;
  for (const auto& sampled : {timing.cold, timing.warm, timing.launch_inclusive}) add_sampled(cells, sampled);
  const model::Basis& basis = run.model.datasheet;
  cells.insert(cells.end(), {cell(run.model.flops), cell(run.model.bytes), cell(basis.t_sol_us), basis.bound,
                             cell(basis.sol_percent), cell(basis.sol_score)});
  if (run.resources)
    cells.insert(cells.end(),
                 {std::to_string(run.resources->registers), std::to_string(run.resources->shared_bytes),
                  std::to_string(run.resources->spill_store_bytes + run.resources->spill_load_bytes)});
  else
    cells.insert(cells.end(), 3, std::string());
  cells.push_back(run.occupancy ? cell(run.occupancy->fraction) : std::string());
  cells.insert(cells.end(), {run.baseline ? "1" : "0", run.time, run.notes, run.source.file});
  std::string line;
  for (const std::string& text : cells) line += quoted(text) + ",";
  line.back() = '\n';
  return line;
}

std::string csv(const std::vector<Run>& runs) {
  std::string text = kColumns;
  for (const Run& run : runs) text += line_of(run);
  return text;
}

/// The document of `ridge run --json` with whole runs; each names its device, as one session may hold
/// several.
std::string json(const std::vector<Run>& runs, const std::string& title) {
  Json document = to_json(Document{});
  document["device"] = nullptr;
  document["title"] = title;
  for (const Run& run : runs) document["runs"].push_back(to_json(run, true));
  return dump(document, 1) + "\n";
}

}  // namespace

Result<std::string> export_runs(const std::vector<Run>& runs, const std::string& format,
                                const std::string& title) {
  if (format == "csv") return csv(runs);
  if (format == "json") return json(runs, title);
  if (format == "html") return report_html(runs, title);
  return Error{ErrorKind::usage,
               "unknown_format",
               say("There is no export format '{}'.", format),
               say("Write csv, json or html."),
               {},
               0};
}

}  // namespace ridge::session
