// SPDX-License-Identifier: GPL-3.0-or-later
// One run as data: what is stored, sent over the wire, printed and drawn.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "compile/compile.h"
#include "device/device.h"
#include "hardware/counters.h"
#include "measure/timing.h"
#include "model/assessment.h"
#include "source/source.h"
#include "verify/verdict.h"

namespace ridge::session {

/// The text of a kernel as it was run, by content.
struct SourceText {
  std::string file;  ///< as named then
  std::string text;
  std::string hash;  ///< base/hashing.h, of the text
};

struct Run {
  std::string id;    ///< unique in a session; empty until stored
  std::string time;  ///< ISO 8601, UTC
  std::string problem, workload;
  std::map<std::string, std::int64_t> axes;
  std::uint64_t seed = 1;
  std::string kernel;  ///< entry or name expression, for people
  SourceText source;
  std::vector<std::pair<std::string, std::string>> defines;
  device::DeviceInfo device;
  verify::Verdict verdict;
  std::optional<measure::Timing> timing;  ///< null unless every judged launch passed on a device with a clock
  model::Assessment model;
  hardware::CounterSet counters;
  std::string counter_source;  ///< "emulator", "cupti", "" none
  std::vector<hardware::LineCounters> lines;
  std::optional<compile::Resources> resources;
  std::optional<compile::Occupancy> occupancy;
  std::optional<device::Trace> trace;  ///< of a thread that was asked for
  std::string ptx;                     ///< kept for the window, not part of the CLI document
  std::string output;                  ///< of device printf
  Json environment = Json::object();   ///< versions, driver, toolkit, clocks…
  bool baseline = false;               ///< starred
  std::string notes;
  Json unknown = Json::object();  ///< members of a newer release: kept, never read
};

/// The members of a run as section 4b of the design lists them; `full` adds what sessions and workers also
/// keep (source text, samples, PTX, device).
Json to_json(const Run& run, bool full);
/// Of the full form. Errors: not_a_run, and unknown_word for a status or kind of another release.
Result<Run> run_from_json(const Json& json);

/// Texts of the full form that are not UTF-8 (a source keeps its bytes) travel as base64 under
/// "<key>_base64".
void put_text(Json& json, const std::string& key, const std::string& text);
std::string read_text(const Json& json, const std::string& key);

/// One line of UTF-8, whatever the strings hold: bytes that are not UTF-8 become U+FFFD. `indent` below 0:
/// one line.
std::string dump(const Json& json, int indent = -1);

/// The document of `ridge run --json`.
struct Document {
  device::DeviceInfo device;
  std::vector<source::Question> questions;
  Diagnostics diagnostics;
  std::vector<Run> runs;
};
Json to_json(const Document& document);

}  // namespace ridge::session
