// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <string_view>
#include <utility>

#include "base/version.h"
#include "session/run.h"
#include "session/run_shape.h"

namespace ridge::session {
namespace {

/// Top-level members of the full form; any other belongs to a newer release and is kept as it is.
constexpr std::array<std::string_view, 26> kMembers{
    "id",        "time",          "problem",  "workload", "axes",           "seed",  "kernel",
    "verdict",   "timing",        "model",    "counters", "counter_source", "lines", "resources",
    "occupancy", "environment",   "source",   "defines",  "device",         "ptx",   "ptx_base64",
    "output",    "output_base64", "baseline", "notes",    "trace"};

bool is_member(std::string_view key) {
  for (const std::string_view known : kMembers)
    if (key == known) return true;
  return false;
}

bool is_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || at + length > text.size()) return false;
    for (std::size_t i = 1; i < length; ++i)
      if ((byte(at + i) & 0xc0) != 0x80) return false;
    // Overlong forms, surrogates and code points above U+10FFFF show in the second byte.
    if ((lead == 0xe0 && byte(at + 1) < 0xa0) || (lead == 0xed && byte(at + 1) > 0x9f) ||
        (lead == 0xf0 && byte(at + 1) < 0x90) || (lead == 0xf4 && byte(at + 1) > 0x8f))
      return false;
    at += length;
  }
  return true;
}

Json axes_to_json(const std::map<std::string, std::int64_t>& axes) {
  Json json = Json::object();
  for (const auto& [name, value] : axes) json[name] = json_integer(value);
  return json;
}

/// The four members of section 4b; the full form adds what ptxas said besides.
Json resources_to_json(const Run& run, bool full) {
  if (!run.resources && !run.occupancy) return {};
  Json json{
      {"registers", nullptr}, {"shared_bytes", nullptr}, {"spill_bytes", nullptr}, {"occupancy", nullptr}};
  if (run.occupancy) json["occupancy"] = json_number(run.occupancy->fraction);
  if (!run.resources) return json;
  const compile::Resources& resources = *run.resources;
  json["registers"] = resources.registers;
  json["shared_bytes"] = json_integer(resources.shared_bytes);
  json["spill_bytes"] = json_integer(resources.spill_store_bytes + resources.spill_load_bytes);
  if (!full) return json;
  json["stack_bytes"] = json_integer(resources.stack_bytes);
  json["spill_store_bytes"] = json_integer(resources.spill_store_bytes);
  json["spill_load_bytes"] = json_integer(resources.spill_load_bytes);
  json["constant_bytes"] = json_integer(resources.constant_bytes);
  json["barriers"] = resources.barriers;
  json["max_threads"] = resources.max_threads;
  return json;
}

std::optional<compile::Resources> resources_from_json(const Json& json) {
  if (!member(json, "registers").is_number()) return std::nullopt;
  compile::Resources resources;
  resources.registers = static_cast<int>(read_integer(json, "registers", 0));
  resources.shared_bytes = read_integer(json, "shared_bytes", 0);
  resources.stack_bytes = read_integer(json, "stack_bytes", 0);
  resources.spill_store_bytes = read_integer(json, "spill_store_bytes", 0);
  resources.spill_load_bytes = read_integer(json, "spill_load_bytes", 0);
  resources.constant_bytes = read_integer(json, "constant_bytes", 0);
  resources.barriers = static_cast<int>(read_integer(json, "barriers", 0));
  resources.max_threads = static_cast<int>(read_integer(json, "max_threads", 0));
  return resources;
}

Json occupancy_to_json(const std::optional<compile::Occupancy>& occupancy) {
  if (!occupancy) return {};
  return {{"fraction", json_number(occupancy->fraction)},
          {"blocks_per_sm", occupancy->blocks_per_sm},
          {"warps_per_sm", occupancy->warps_per_sm},
          {"limiter", occupancy->limiter}};
}

std::optional<compile::Occupancy> occupancy_from_json(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  compile::Occupancy occupancy;
  occupancy.fraction = read_number(json, "fraction", 0);
  occupancy.blocks_per_sm = static_cast<int>(read_integer(json, "blocks_per_sm", 0));
  occupancy.warps_per_sm = static_cast<int>(read_integer(json, "warps_per_sm", 0));
  occupancy.limiter = read_string(json, "limiter");
  return occupancy;
}

Json defines_to_json(const std::vector<std::pair<std::string, std::string>>& defines) {
  Json json = Json::array();
  for (const auto& [name, value] : defines) json.push_back(Json{{"name", name}, {"value", value}});
  return json;
}

void add_full_members(Json& json, const Run& run) {
  json["occupancy"] = occupancy_to_json(run.occupancy);
  json["id"] = run.id;
  json["time"] = run.time;
  Json source{{"file", run.source.file}};
  put_text(source, "text", run.source.text);
  source["hash"] = run.source.hash;
  json["source"] = std::move(source);
  json["defines"] = defines_to_json(run.defines);
  json["device"] = device::to_json(run.device);
  put_text(json, "ptx", run.ptx);
  put_text(json, "output", run.output);
  json["baseline"] = run.baseline;
  json["notes"] = run.notes;
  if (run.unknown.is_object())
    for (const auto& [key, value] : run.unknown.items())
      if (!is_member(key)) json[key] = value;
}

Error wrong_value(Sentence sentence) {
  return {ErrorKind::definition, "wrong_value", std::move(sentence), {}, {}, 0};
}

/// A series of which the numbers do not belong together; `place`: "timing.cold".
std::optional<Error> contradiction(const std::string& place, const Json& sampled) {
  if (!sampled.is_object()) return std::nullopt;
  const double q1 = read_number(sampled, "q1_us", 0), median = read_number(sampled, "median_us", 0),
               q3 = read_number(sampled, "q3_us", 0);
  if (q1 > median || median > q3)
    return wrong_value(say("the quartiles of {} do not lie around its median", place));
  const std::int64_t n = read_integer(sampled, "n", 0);
  const std::size_t samples = member(sampled, "samples_us").size(), clocks = member(sampled, "sm_mhz").size();
  // A session keeps the samples beside the document, where these lists are empty.
  if (samples != 0 && std::cmp_not_equal(samples, n))
    return wrong_value(say("{}.samples_us has {} numbers, and {}.n is {}", place, samples, place, n));
  if (clocks != 0 && clocks != samples)
    return wrong_value(say("{}.sm_mhz has {} numbers for {} samples", place, clocks, samples));
  return std::nullopt;
}

/// What fits member by member and not together.
std::optional<Error> contradiction(const Json& json) {
  const Json& timing = member(json, "timing");
  for (const char* series : {"cold", "warm", "launch_inclusive"})
    if (auto fault = contradiction(std::string("timing.") + series, member(timing, series))) return fault;
  std::size_t index = 0;
  for (const Json& map : member(member(json, "verdict"), "error_maps")) {
    const std::string place = "verdict.error_maps[" + std::to_string(index++) + "]";
    const std::int64_t rows = read_integer(map, "grid_rows", 0),
                       columns = read_integer(map, "grid_columns", 0);
    if (std::cmp_not_equal(member(map, "wrong").size(), rows * columns))
      return wrong_value(say("{}.wrong has {} counts for a grid of {} by {}", place,
                             member(map, "wrong").size(), rows, columns));
    const std::string kind = read_string(map, "kind");
    for (const char* key : {"launch", "unknown"})
      if ((kind == "blocks" || kind == "threads") && member(map, key).is_null())
        return wrong_value(say("{}.{} is missing", place, key));
  }
  const Json& resources = member(json, "resources");
  const bool known = !member(resources, "registers").is_null();
  for (const char* key : {"shared_bytes", "spill_bytes"})
    if (known == member(resources, key).is_null())
      return wrong_value(say("of resources.registers and resources.{} one is missing", key));
  for (const char* key :
       {"stack_bytes", "spill_store_bytes", "spill_load_bytes", "constant_bytes", "barriers", "max_threads"})
    if (known && member(resources, key).is_null())
      return wrong_value(say("{}.{} is missing", "resources", key));
  const Json& source = member(json, "source");
  for (const auto& [holder, key] :
       {std::pair(&source, "text_base64"), std::pair(&json, "ptx_base64"), std::pair(&json, "output_base64")})
    if (const Json& text = member(*holder, key);
        text.is_string() && !decode_base64(text.get_ref<const std::string&>()))
      return wrong_value(say("{} is no base64", key));
  return std::nullopt;
}

}  // namespace

void put_text(Json& json, const std::string& key, const std::string& text) {
  if (is_utf8(text))
    json[key] = text;
  else
    json[key + "_base64"] = encode_base64(text);
}

std::string read_text(const Json& json, const std::string& key) {
  const Json& encoded = member(json, key + "_base64");
  if (!encoded.is_string()) return read_string(json, key);
  return decode_base64(encoded.get_ref<const std::string&>()).value_or(std::string());
}

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json to_json(const Run& run, bool full) {
  const bool counted = !run.counters.empty() || !run.counter_source.empty();
  Json json{{"problem", run.problem},
            {"workload", run.workload},
            {"axes", axes_to_json(run.axes)},
            {"seed", json_unsigned(run.seed)},
            {"kernel", run.kernel},
            {"verdict", verify::to_json(run.verdict)},
            {"timing", run.timing ? measure::to_json(*run.timing, full) : Json()},
            {"model", model::to_json(run.model)},
            {"counters", counted ? hardware::to_json(run.counters) : Json()},
            {"counter_source", run.counter_source.empty() ? Json() : Json(run.counter_source)},
            {"lines", hardware::to_json(run.lines)},
            {"resources", resources_to_json(run, full)},
            {"environment", run.environment.is_object() ? run.environment : Json::object()}};
  if (run.trace) json["trace"] = device::to_json(*run.trace);
  if (full) add_full_members(json, run);
  return json;
}

Result<Run> run_from_json(const Json& json) {
  if (!json.is_object() || !member(json, "verdict").is_object() || !member(json, "problem").is_string())
    return Error{ErrorKind::protocol,
                 "not_a_run",
                 say("The JSON is no run: it lacks the problem's name or the verdict."),
                 {},
                 {},
                 0};
  if (const auto misfit = run_shape().misfit(json)) return to_error(*misfit);
  if (auto fault = contradiction(json)) return *std::move(fault);
  Run run;
  run.id = read_string(json, "id");
  run.time = read_string(json, "time");
  run.problem = read_string(json, "problem");
  run.workload = read_string(json, "workload");
  if (const Json& axes = member(json, "axes"); axes.is_object())
    for (const auto& [name, value] : axes.items()) run.axes[name] = read_integer(axes, name, 0);
  run.seed = read_unsigned(json, "seed", 1);
  run.kernel = read_string(json, "kernel");
  const Json& source = member(json, "source");
  run.source = {read_string(source, "file"), read_text(source, "text"), read_string(source, "hash")};
  if (const Json& defines = member(json, "defines"); defines.is_array())
    for (const Json& define : defines)
      run.defines.emplace_back(read_string(define, "name"), read_string(define, "value"));
  auto device = device::device_info_from_json(member(json, "device"));
  if (!device) return device.error();
  run.device = *std::move(device);
  auto verdict = verify::verdict_from_json(member(json, "verdict"));
  if (!verdict) return verdict.error();
  run.verdict = *std::move(verdict);
  if (const Json& timing = member(json, "timing"); timing.is_object())
    run.timing = measure::timing_from_json(timing);
  auto model = model::assessment_from_json(member(json, "model"));
  if (!model) return model.error();
  run.model = *std::move(model);
  run.counters = hardware::counters_from_json(member(json, "counters"));
  run.counter_source = read_string(json, "counter_source");
  run.lines = hardware::lines_from_json(member(json, "lines"));
  if (const Json& trace = member(json, "trace"); trace.is_object())
    run.trace = device::trace_from_json(trace);
  run.resources = resources_from_json(member(json, "resources"));
  run.occupancy = occupancy_from_json(member(json, "occupancy"));
  run.ptx = read_text(json, "ptx");
  run.output = read_text(json, "output");
  if (const Json& environment = member(json, "environment"); environment.is_object())
    run.environment = environment;
  run.baseline = read_bool(json, "baseline", false);
  run.notes = read_string(json, "notes");
  for (const auto& [key, value] : json.items())
    if (!is_member(key)) run.unknown[key] = value;
  return run;
}

Json to_json(const Document& document) {
  Json questions = Json::array(), runs = Json::array();
  for (const source::Question& question : document.questions) questions.push_back(source::to_json(question));
  for (const Run& run : document.runs) runs.push_back(to_json(run, false));
  return {{"protocol", kDocumentProtocol},
          {"tool", {{"version", kVersion}}},
          {"device", device::to_json(document.device)},
          {"questions", std::move(questions)},
          {"diagnostics", ridge::to_json(document.diagnostics)},
          {"runs", std::move(runs)}};
}

}  // namespace ridge::session
