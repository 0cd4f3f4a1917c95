// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/report.h"

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "base/version.h"
#include "verify/witness.h"

namespace ridge::session {
namespace {

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1d2430; --quiet: #5c6675; --line: #d5dae1; --panel: #f5f7f9;
  --good: #1a7f37; --bad: #b3261e; --s0: #0067a5; --s1: #c04f00; --s2: #00785a; --s3: #a4458a; --s4: #2f7fb8; --s5: #8f6400;
  --s6: #5d3a9b; --s7: #4d5561; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181e; --ink: #e6eaf0; --quiet: #a0a9b7; --line: #343c48;
  --panel: #1c222a; --good: #56d364; --bad: #ff7b72; --s0: #6cb6ff; --s1: #ffa657; --s2: #57d2a8; --s3: #e6a1d3;
  --s4: #9bd0ff; --s5: #e3c26f; --s6: #c0a5f5; --s7: #b5bdc9; } }
body { margin: 2rem auto; max-width: 96rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); } h3 { font-size: 1rem; }
.wide { overflow-x: auto; } .wide svg { min-width: 44rem; } table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .45rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top;
  white-space: nowrap; } td.number, th.number { text-align: right; } td.prose { white-space: normal; min-width: 16rem; }
td small { display: block; color: var(--quiet); font-size: 11px; }
.pass { color: var(--good); } .fail { color: var(--bad); font-weight: 600; } .note { color: var(--quiet); }
pre { overflow-x: auto; padding: .8rem; background: var(--panel); font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
svg { width: 100%; height: auto; background: var(--panel); border-radius: 4px; } svg text { fill: var(--ink); font-size: 12px; }
svg .tick, svg .quiet { fill: var(--quiet); } svg .roof-label, svg .number { font-size: 11px; }
.grid { stroke: var(--line); } .axis { stroke: var(--quiet); }
.roof { stroke: var(--ink); stroke-width: 1.6; } .roof.derived { stroke-dasharray: 7 4; } .roof.measured { stroke-dasharray: 2 3; }
.sample { opacity: .35; } .box { fill-opacity: .35; } .median { stroke-width: 2.5; } .hollow { fill: none; stroke-width: 2; }
.s0 { fill: var(--s0); stroke: var(--s0); } .s1 { fill: var(--s1); stroke: var(--s1); } .s2 { fill: var(--s2); stroke: var(--s2); }
.s3 { fill: var(--s3); stroke: var(--s3); } .s4 { fill: var(--s4); stroke: var(--s4); } .s5 { fill: var(--s5); stroke: var(--s5); }
.s6 { fill: var(--s6); stroke: var(--s6); } .s7 { fill: var(--s7); stroke: var(--s7); } .hollow { fill: none !important; }
.wrong { stroke: var(--bad); fill: var(--bad); stroke-width: 2.5; }
@media print { body { max-width: none; } details { display: block; } }
)css";

std::string cell(const std::string& text, const char* style = "") {
  return std::string("<td") + (*style ? std::string(" class=\"") + style + "\"" : "") + ">" + escaped(text) +
         "</td>";
}

std::string number_cell(const std::string& text) {
  return cell(text, "number");
}

struct Head {
  const char* name;
  bool number = false;  ///< its cells are, and stand at the right
};

std::string heads(const std::vector<Head>& names) {
  std::string row = "<thead><tr>";
  for (const Head& head : names)
    row += std::string("<th scope=\"col\"") + (head.number ? " class=\"number\"" : "") + ">" +
           escaped(head.name) + "</th>";
  return row + "</tr></thead>\n";
}

/// What is wider than a narrow screen scrolls within itself.
std::string wide(const std::string& content) {
  return "<div class=\"wide\" tabindex=\"0\">" + content + "</div>\n";
}

std::string table(const std::vector<Head>& names, const std::string& rows) {
  return wide("<table>" + heads(names) + "<tbody>\n" + rows + "</tbody></table>");
}

std::string axes_text(const Run& run) {
  std::string text;
  for (const auto& [name, value] : run.axes)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

/// What matters, and below it, smaller, what goes with it.
std::string two_lines(const std::string& first, const std::string& second, const char* style = "") {
  return std::string("<td") + (*style ? std::string(" class=\"") + style + "\"" : "") + ">" + escaped(first) +
         (second.empty() ? "" : "<small>" + escaped(second) + "</small>") + "</td>";
}

/// The median, and the quartiles below it.
std::string sampled_cell(const Run& run, const std::optional<measure::Sampled> measure::Timing::*which) {
  if (!run.timing) return number_cell(is_emulated(run) ? "emulated" : "—");
  const auto& sampled = (*run.timing).*which;
  if (!sampled) return number_cell("—");
  return two_lines(time_text(sampled->median_us),
                   time_text(sampled->q1_us) + " to " + time_text(sampled->q3_us), "number");
}

std::string verdict_cell(const Run& run) {
  const bool fine =
      run.verdict.status == hardware::Status::pass || run.verdict.status == hardware::Status::skipped;
  return cell(std::string(hardware::name_of(run.verdict.status)), fine ? "pass" : "fail");
}

std::string timing_source(const Run& run) {
  if (!run.timing || !run.timing->cold) return "—";
  const measure::Sampled& cold = *run.timing->cold;
  return cold.source + ", n = " + std::to_string(cold.n) +
         (cold.flush.empty() ? "" : ", flush " + cold.flush);
}

std::string run_row(const Numbered& numbered) {
  const Run& run = *numbered.run;
  const model::Basis& basis = run.model.datasheet;
  return "<tr>" + number_cell(std::to_string(numbered.number)) + two_lines(run.workload, axes_text(run)) +
         two_lines((run.baseline ? "★ " : "") + run.kernel, run.device.name) + verdict_cell(run) +
         sampled_cell(run, &measure::Timing::cold) + number_cell(time_text(basis.t_sol_us)) +
         cell(basis.bound.empty() ? "—" : basis.bound) + number_cell(percent_text(basis.sol_percent)) +
         number_cell(basis.sol_score ? figure(*basis.sol_score) : "—") +
         sampled_cell(run, &measure::Timing::warm) + sampled_cell(run, &measure::Timing::launch_inclusive) +
         cell(timing_source(run)) +
         number_cell(run.resources ? std::to_string(run.resources->registers) : "—") +
         number_cell(run.occupancy ? figure(100 * run.occupancy->fraction) + " %" : "—") + "</tr>\n";
}

std::string runs_table(std::span<const Numbered> runs) {
  std::string rows;
  for (const Numbered& numbered : runs) rows += run_row(numbered);
  constexpr bool kNumber = true;
  return table({{"#", kNumber},
                {"workload"},
                {"kernel"},
                {"verdict"},
                {"cold median", kNumber},
                {"T_SOL", kNumber},
                {"bound"},
                {"SOL %", kNumber},
                {"SOL score", kNumber},
                {"warm", kNumber},
                {"launch-inclusive", kNumber},
                {"source"},
                {"registers", kNumber},
                {"occupancy", kNumber}},
               rows);
}

/// What else there is to say of a run: why it does not pass, what makes its pass worth less, its notes.
std::string remarks(std::span<const Numbered> runs) {
  std::string rows;
  for (const Numbered& numbered : runs) {
    const Run& run = *numbered.run;
    const bool silent = run.verdict.status == hardware::Status::pass && run.verdict.warnings.empty() &&
                        run.notes.empty() && !run.model.suspect;
    if (silent) continue;
    std::string text =
        run.verdict.status == hardware::Status::pass ? std::string() : run.verdict.message.english();
    if (run.verdict.line > 0) text += " (line " + std::to_string(run.verdict.line) + ")";
    if (run.verdict.status != hardware::Status::pass) text += verify::witness_of(run.verdict);
    for (const Sentence& warning : run.verdict.warnings)
      text += (text.empty() ? "" : " · ") + warning.english();
    if (run.model.suspect) text += (text.empty() ? "" : " · ") + run.model.suspect->english();
    if (!run.notes.empty()) text += (text.empty() ? "" : " · ") + run.notes;
    rows += "<tr>" + number_cell(std::to_string(numbered.number)) + cell(place_of(run)) +
            cell(text, "prose") + "</tr>\n";
  }
  return rows.empty() ? rows : "<h3>Remarks</h3>\n" + table({{"#", true}, {"run"}, {"remark"}}, rows);
}

std::string ceilings_table(std::span<const Numbered> runs) {
  std::string rows;
  for (const hardware::Ceiling& ceiling : ceilings_of(runs))
    rows += "<tr>" + cell(ceiling.name) + number_cell(rate_text(ceiling.value, ceiling.unit)) +
            cell(std::string(hardware::name_of(ceiling.source))) + cell(ceiling.note, "prose") + "</tr>\n";
  return rows.empty()
             ? rows
             : "<h3>Ceilings</h3>\n" + table({{"roof"}, {"value", true}, {"source"}, {"from"}}, rows);
}

std::string chart(const char* heading, const std::string& svg) {
  return svg.empty() ? svg : std::string("<h3>") + heading + "</h3>\n" + wide(svg);
}

std::string timing_part(std::span<const Numbered> runs) {
  const std::string svg = timing_chart(runs);
  if (!svg.empty()) return chart("Timing", svg);
  return "<h3>Timing</h3>\n<p class=\"note\">None of these runs is timed: the emulator has no clock.</p>\n";
}

std::string problem_section(const std::string& problem, std::span<const Numbered> runs) {
  return "<section>\n<h2>" + escaped(problem) + "</h2>\n" + runs_table(runs) + remarks(runs) +
         timing_part(runs) + chart("Roofline", roofline_chart(runs)) +
         chart("Speed of Light", sol_chart(runs)) + ceilings_table(runs) + "</section>\n";
}

std::string sources_section(const std::vector<Run>& runs) {
  std::string text;
  std::set<std::pair<std::string, std::string>> shown;
  for (const Run& run : runs)
    if (!run.source.text.empty() && shown.insert({run.source.file, run.source.text}).second)
      text += "<details><summary>" + escaped(run.source.file) + "</summary><pre>" + escaped(run.source.text) +
              "</pre></details>\n";
  return text.empty() ? text : "<section>\n<h2>Sources</h2>\n" + text + "</section>\n";
}

/// Each environment once, with the runs that had it.
std::string environment_section(const std::vector<Run>& runs) {
  std::map<std::string, std::string> numbers;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Json environment = runs[i].environment;
    environment["device"] = runs[i].device.name;
    if (!runs[i].device.driver.empty()) environment["driver"] = runs[i].device.driver;
    std::string& list = numbers[dump(environment, 1)];
    list += (list.empty() ? "" : ", ") + std::to_string(i + 1);
  }
  std::string text;
  for (const auto& [environment, list] : numbers)
    text += "<details><summary>Runs " + escaped(list) + "</summary><pre>" + escaped(environment) +
            "</pre></details>\n";
  return text.empty() ? text : "<section>\n<h2>Environment</h2>\n" + text + "</section>\n";
}

}  // namespace

std::string place_of(const Run& run) {
  return run.workload + " · " + run.kernel;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        // Control characters have no place in HTML.
        if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
          result += "\xef\xbf\xbd";
        else
          result += c;
    }
  return result;
}

std::string figure(double value) {
  if (!std::isfinite(value)) return "—";
  std::array<char, 64> text{};
  const double magnitude = std::fabs(value);
  const bool plain = value == 0 || (magnitude >= 1e-3 && magnitude < 1e6);
  // Whole digits stay whole: 1234 instead of 1.234e+03.
  const int digits =
      plain && magnitude >= 1 ? std::max(0, 3 - static_cast<int>(std::floor(std::log10(magnitude)))) : 4;
  const auto [end, problem] =
      plain && magnitude >= 1
          ? std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits)
          : std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
  std::string result(text.data(), end);
  if (result.find('.') != std::string::npos && result.find('e') == std::string::npos) {
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
  }
  return result;
}

std::string time_text(std::optional<double> us) {
  if (!us || !std::isfinite(*us)) return "—";
  if (*us > 0 && *us < 5e-7) return "<0.001 ns";
  if (*us > 0 && *us < 1) return figure(*us * 1e3) + " ns";
  if (*us < 1e3) return figure(*us) + " µs";
  if (*us < 1e6) return figure(*us / 1e3) + " ms";
  return figure(*us / 1e6) + " s";
}

std::string percent_text(std::optional<double> percent) {
  if (!percent || !std::isfinite(*percent)) return "—";
  return *percent > 0 && *percent < 5e-4 ? "<0.001 %" : figure(*percent) + " %";
}

std::string rate_text(double value, std::string_view unit) {
  constexpr std::array<const char*, 6> kPrefixes{"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  for (; prefix + 1 < kPrefixes.size() && value >= 1000; ++prefix) value /= 1000;
  const std::string_view shown = unit == "bytes/s" ? std::string_view("B/s") : unit;
  return figure(value) + " " + kPrefixes[prefix] + std::string(shown);
}

std::string report_html(const std::vector<Run>& runs, const std::string& title) {
  std::map<std::string, std::vector<Numbered>> by_problem;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!by_problem.contains(runs[i].problem)) order.push_back(runs[i].problem);
    by_problem[runs[i].problem].push_back({&runs[i], i + 1});
  }
  const std::string heading = escaped(title.empty() ? "Ridgepoint report" : title);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      heading + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<h1>" + heading +
      "</h1>\n<p class=\"note\">" + std::to_string(runs.size()) + (runs.size() == 1 ? " run" : " runs") +
      ". Times are device-side; SOL % is T_SOL by the datasheet over the cold median. Emulated runs are "
      "exact in "
      "results and counters and have no time. Made by Ridgepoint " +
      kVersion + ".</p>\n";
  for (const std::string& problem : order) {
    number_series(by_problem[problem]);
    page += problem_section(problem, by_problem[problem]);
  }
  return page + sources_section(runs) + environment_section(runs) + "</body>\n</html>\n";
}

}  // namespace ridge::session
