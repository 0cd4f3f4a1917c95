// SPDX-License-Identifier: GPL-3.0-or-later
// Counters: one table of names for GPU and emulator (resources/counters.toml), and sets of their values.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/json.h"

namespace ridge::hardware {

/// What a counter is on a GPU: CUPTI metrics, each with a factor, added up.
struct MetricTerm {
  double factor = 1;
  std::string metric;
};
using MetricSum = std::vector<MetricTerm>;
/// "a.sum + 2 * b.sum"; empty when the text is none.
std::optional<MetricSum> metric_sum(std::string_view text);

struct CounterInfo {
  std::string name;       ///< "global_load_sectors"
  std::string unit;       ///< "1", "bytes", "FLOP", "%"
  std::string meaning;    ///< one sentence
  bool emulator = false;  ///< the emulator counts it
  /// By chip ("GH100", "*"): the first sum all of whose metrics the chip knows is used.
  std::map<std::string, std::vector<MetricSum>> metrics;
};

struct CounterTable {
  std::vector<CounterInfo> counters;
  Diagnostics diagnostics;
  const CounterInfo* find(const std::string& name) const;
};
CounterTable load_counter_table(const std::filesystem::path& file);
const CounterTable& counter_table();  ///< the table in resources/, read once

/// Values by name (counts are exact up to 2^53), in the order of the names.
using CounterSet = std::map<std::string, double>;

/// The counters of one source line.
struct LineCounters {
  std::string file;
  int line = 0;
  CounterSet counters;
};

Json to_json(const CounterSet& counters);
CounterSet counters_from_json(const Json& json);
Json to_json(const std::vector<LineCounters>& lines);
std::vector<LineCounters> lines_from_json(const Json& json);

}  // namespace ridge::hardware
