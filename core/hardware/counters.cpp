// SPDX-License-Identifier: GPL-3.0-or-later
#include "hardware/counters.h"

#include <charconv>

#include "base/files.h"
#include "base/text.h"
#include "hardware/toml.h"

namespace ridge::hardware {

namespace {

using Metrics = std::map<std::string, std::vector<MetricSum>>;

/// Empty on faults, which are in `diagnostics`.
std::optional<Metrics> read_metrics(const toml::table& table, const std::string& file,
                                    const std::string& counter, Diagnostics& diagnostics) {
  Metrics metrics;
  TableReader reader(table, file, say("metrics of {}", counter), diagnostics);
  for (const auto& entry : table) {
    const std::string chip(entry.first.str());
    for (const std::string& text : reader.texts(chip)) {
      if (std::optional<MetricSum> sum = metric_sum(text))
        metrics[chip].push_back(*std::move(sum));
      else
        reader.complain("bad_metric", say("'{}' is no metric and no sum of metrics", text),
                        say("write \"a.sum\", or \"a.sum + 2 * b.sum\""), &entry.second);
    }
  }
  if (!reader.finish()) return std::nullopt;
  return metrics;
}

/// "2 * b.sum" or "b.sum".
std::optional<MetricTerm> metric_term(std::string_view text) {
  MetricTerm term;
  if (const std::size_t times = text.find('*'); times != std::string_view::npos) {
    const std::string_view factor = trim(text.substr(0, times));
    const auto [end, fault] = std::from_chars(factor.data(), factor.data() + factor.size(), term.factor);
    if (fault != std::errc() || end != factor.data() + factor.size() || !(term.factor > 0))
      return std::nullopt;
    text.remove_prefix(times + 1);
  }
  term.metric = trim(text);
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_.";
  if (term.metric.empty() || term.metric.find_first_not_of(kLetters) != std::string::npos)
    return std::nullopt;
  return term;
}

}  // namespace

std::optional<MetricSum> metric_sum(std::string_view text) {
  MetricSum sum;
  for (;;) {
    const std::size_t plus = text.find('+');
    const std::optional<MetricTerm> term = metric_term(text.substr(0, plus));
    if (!term) return std::nullopt;
    sum.push_back(*term);
    if (plus == std::string_view::npos) return sum;
    text.remove_prefix(plus + 1);
  }
}

const CounterInfo* CounterTable::find(const std::string& name) const {
  for (const CounterInfo& counter : counters)
    if (counter.name == name) return &counter;
  return nullptr;
}

CounterTable load_counter_table(const std::filesystem::path& path) {
  CounterTable result;
  const std::optional<toml::table> root = parse_toml(path, result.diagnostics);
  if (!root) return result;
  const std::string file = path.string();
  TableReader reader(*root, file, say("the counter table"), result.diagnostics);
  const toml::array* entries = reader.array("counter");
  if (!entries) return result;
  for (const toml::node& node : *entries) {
    const toml::table* table = node.as_table();
    if (!table) {
      reader.complain("wrong_type", say("'counter' holds something that is no table"), {}, &node);
      continue;
    }
    CounterInfo counter;
    const std::optional<std::string> name = (*table)["name"].value<std::string>();
    TableReader entry(*table, file, say("counter {}", name ? Sentence(*name) : say("without name")),
                      result.diagnostics);
    counter.name = entry.text("name");
    counter.unit = entry.text("unit");
    counter.meaning = entry.text("meaning");
    counter.emulator = entry.flag("emulator", false);
    std::optional<Metrics> metrics;
    if (const toml::table* by_chip = entry.table("metrics"))
      metrics = read_metrics(*by_chip, file, counter.name, result.diagnostics);
    if (!entry.finish() || !metrics) continue;
    counter.metrics = *std::move(metrics);
    if (result.find(counter.name))
      reader.complain("duplicate_counter", say("counter '{}' stands twice", counter.name), say("Remove one"),
                      &node);
    else
      result.counters.push_back(std::move(counter));
  }
  reader.finish();
  return result;
}

const CounterTable& counter_table() {
  static const CounterTable loaded = load_counter_table(resources_folder() / "counters.toml");
  return loaded;
}

Json to_json(const CounterSet& counters) {
  Json json = Json::object();
  for (const auto& [name, value] : counters) json[name] = json_number(value);
  return json;
}

CounterSet counters_from_json(const Json& json) {
  CounterSet counters;
  if (!json.is_object()) return counters;
  for (const auto& item : json.items())
    if (const std::optional<double> value = read_number(json, item.key())) counters[item.key()] = *value;
  return counters;
}

Json to_json(const std::vector<LineCounters>& lines) {
  Json json = Json::array();
  for (const LineCounters& line : lines)
    json.push_back({{"file", line.file},
                    {"line", line.line > 0 ? Json(line.line) : Json()},
                    {"counters", to_json(line.counters)}});
  return json;
}

std::vector<LineCounters> lines_from_json(const Json& json) {
  std::vector<LineCounters> lines;
  if (!json.is_array()) return lines;
  for (const Json& item : json)
    lines.push_back({read_string(item, "file"), static_cast<int>(read_integer(item, "line", 0)),
                     counters_from_json(member(item, "counters"))});
  return lines;
}

}  // namespace ridge::hardware
