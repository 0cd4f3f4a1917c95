// SPDX-License-Identifier: GPL-3.0-or-later
#include "hardware/counters.h"

#include "base/files.h"
#include "hardware/toml.h"

namespace ridge::hardware {

namespace {

std::map<std::string, std::vector<std::string>> read_metrics(const toml::table& table,
                                                             const std::string& file,
                                                             const std::string& counter,
                                                             Diagnostics& diagnostics) {
  std::map<std::string, std::vector<std::string>> metrics;
  TableReader reader(table, file, "metrics of " + counter, diagnostics);
  for (const auto& entry : table) {
    const std::string chip(entry.first.str());
    std::vector<std::string> names = reader.texts(chip);
    if (!names.empty()) metrics.emplace(chip, std::move(names));
  }
  return metrics;
}

}  // namespace

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
  TableReader reader(*root, file, "the counter table", result.diagnostics);
  const toml::array* entries = reader.array("counter");
  if (!entries) return result;
  for (const toml::node& node : *entries) {
    const toml::table* table = node.as_table();
    if (!table) {
      reader.complain("wrong_type", "'counter' holds something that is no table", "", &node);
      continue;
    }
    CounterInfo counter;
    const std::string owner = (*table)["name"].value_or(std::string("without name"));
    TableReader entry(*table, file, "counter " + owner, result.diagnostics);
    counter.name = entry.text("name");
    counter.unit = entry.text("unit");
    counter.meaning = entry.text("meaning");
    counter.emulator = entry.flag("emulator", false);
    if (const toml::table* metrics = entry.table("metrics"))
      counter.metrics = read_metrics(*metrics, file, counter.name, result.diagnostics);
    if (!entry.finish()) continue;
    if (result.find(counter.name))
      reader.complain("duplicate_counter", "counter '" + counter.name + "' stands twice", "Remove one",
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
    json.push_back({{"file", line.file}, {"line", line.line}, {"counters", to_json(line.counters)}});
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
