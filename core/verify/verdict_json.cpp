// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/verdict.h"

#include <algorithm>

namespace ridge::verify {
namespace {

Json integers(const std::vector<std::int64_t>& values) {
  Json json = Json::array();
  for (const std::int64_t value : values) json.push_back(json_integer(value));
  return json;
}

std::vector<std::int64_t> integers_from_json(const Json& json) {
  std::vector<std::int64_t> values;
  if (!json.is_array()) return values;
  values.reserve(json.size());
  // Elements may be decimal strings, so they are read through the same reader as members.
  for (const Json& element : json) values.push_back(read_integer(Json{{"value", element}}, "value", 0));
  return values;
}

Json optional_integer(const std::optional<std::int64_t>& value) {
  return value ? json_integer(*value) : Json();
}

std::optional<std::int64_t> read_optional_integer(const Json& json, std::string_view key) {
  const Json& value = member(json, key);
  if (!value.is_number() && !value.is_string()) return std::nullopt;
  return read_integer(json, key, 0);
}

std::optional<bool> read_optional_bool(const Json& json, std::string_view key) {
  const Json& value = member(json, key);
  if (!value.is_boolean()) return std::nullopt;
  return value.get<bool>();
}

Json triple(const std::array<std::int64_t, 3>& values) {
  return integers({values.begin(), values.end()});
}

std::array<std::int64_t, 3> triple_from_json(const Json& json) {
  const std::vector<std::int64_t> values = integers_from_json(json);
  std::array<std::int64_t, 3> triple{};
  std::copy_n(values.begin(), std::min(values.size(), triple.size()), triple.begin());
  return triple;
}

Json to_json(const Writer& writer) {
  return {{"launch", writer.launch},
          {"block", triple(writer.block)},
          {"thread", triple(writer.thread)},
          {"warp", writer.warp},
          {"lane", writer.lane}};
}

Json to_json(const Mismatch& mismatch) {
  return {{"tensor", mismatch.tensor},
          {"index", integers(mismatch.index)},
          {"expected", json_number(mismatch.expected)},
          {"got", json_number(mismatch.got)},
          {"writer", mismatch.writer ? to_json(*mismatch.writer) : Json()}};
}

Json to_json(const ErrorMap& map) {
  return {{"tensor", map.tensor},
          {"kind", name_of(map.kind)},
          {"launch", map.kind == MapKind::tensor ? Json() : Json(map.launch)},
          {"unknown", map.kind == MapKind::tensor ? Json() : json_integer(map.unknown)},
          {"rows", json_integer(map.rows)},
          {"columns", json_integer(map.columns)},
          {"grid_rows", map.grid_rows},
          {"grid_columns", map.grid_columns},
          {"wrong", integers(map.wrong)}};
}

Json to_json(const Tolerance& tolerance) {
  Json json{{"tensor", tolerance.tensor},
            {"atol", json_number(tolerance.atol)},
            {"rtol", json_number(tolerance.rtol)},
            {"mse", json_number(tolerance.mse)},
            {"derived", tolerance.derived}};
  put_sentence(json, "explanation", tolerance.explanation);
  json["margin"] = json_number(tolerance.margin);
  return json;
}

std::optional<Writer> writer_from_json(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  return Writer{static_cast<int>(read_integer(json, "launch", 0)), triple_from_json(member(json, "block")),
                triple_from_json(member(json, "thread")), static_cast<int>(read_integer(json, "warp", 0)),
                static_cast<int>(read_integer(json, "lane", 0))};
}

Mismatch mismatch_from_json(const Json& json) {
  return {read_string(json, "tensor"), integers_from_json(member(json, "index")),
          read_number(json, "expected", 0), read_number(json, "got", 0),
          writer_from_json(member(json, "writer"))};
}

/// A map whose counts do not fill its grid is dropped: nobody could draw it.
Result<std::optional<ErrorMap>> error_map_from_json(const Json& json) {
  ErrorMap map;
  map.tensor = read_string(json, "tensor");
  const auto kind = read_named(json, "kind", phrase("The kind of an error map"), map_kind_named,
                               std::optional(MapKind::tensor));
  if (!kind) return kind.error();
  map.kind = *kind;
  map.launch = static_cast<int>(read_integer(json, "launch", 0));
  map.unknown = read_integer(json, "unknown", 0);
  map.rows = read_integer(json, "rows", 0);
  map.columns = read_integer(json, "columns", 0);
  const std::int64_t grid_rows = read_integer(json, "grid_rows", 0);
  const std::int64_t grid_columns = read_integer(json, "grid_columns", 0);
  map.wrong = integers_from_json(member(json, "wrong"));
  constexpr std::int64_t kLargestGrid = 4096;
  if (grid_rows < 0 || grid_rows > kLargestGrid || grid_columns < 0 || grid_columns > kLargestGrid ||
      static_cast<std::int64_t>(map.wrong.size()) != grid_rows * grid_columns)
    return std::optional<ErrorMap>();
  map.grid_rows = static_cast<int>(grid_rows);
  map.grid_columns = static_cast<int>(grid_columns);
  return std::optional(std::move(map));
}

Tolerance tolerance_from_json(const Json& json) {
  Tolerance tolerance;
  tolerance.tensor = read_string(json, "tensor");
  tolerance.atol = read_number(json, "atol", 0);
  tolerance.rtol = read_number(json, "rtol", 0);
  tolerance.mse = read_number(json, "mse");
  tolerance.derived = read_bool(json, "derived", false);
  tolerance.explanation = read_sentence(json, "explanation");
  tolerance.margin = read_number(json, "margin");
  return tolerance;
}

template <class T>
Json array_of(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(to_json(value));
  return json;
}

}  // namespace

std::string_view name_of(MapKind kind) {
  switch (kind) {
    case MapKind::blocks:
      return "blocks";
    case MapKind::threads:
      return "threads";
    default:
      return "tensor";
  }
}

std::optional<MapKind> map_kind_named(std::string_view name) {
  for (const MapKind kind : {MapKind::tensor, MapKind::blocks, MapKind::threads})
    if (name_of(kind) == name) return kind;
  return std::nullopt;
}

Json to_json(const Verdict& verdict) {
  Json json{{"status", hardware::name_of(verdict.status)}};
  put_sentence(json, "message", verdict.message);
  json["line"] = verdict.line > 0 ? Json(verdict.line) : Json();
  json["findings"] = hardware::to_json(verdict.findings);
  json["deterministic"] = verdict.deterministic ? Json(*verdict.deterministic) : Json();
  json["mse"] = json_number(verdict.mse);
  json["max_abs"] = json_number(verdict.max_abs);
  json["max_rel"] = json_number(verdict.max_rel);
  json["max_ulp"] = json_number(verdict.max_ulp);
  json["mismatches"] = optional_integer(verdict.mismatches);
  json["elements"] = optional_integer(verdict.elements);
  json["first"] = array_of(verdict.first);
  json["error_maps"] = array_of(verdict.error_maps);
  json["tolerances"] = array_of(verdict.tolerances);
  put_sentences(json, "warnings", verdict.warnings);
  json["launches"] = verdict.launches;
  return json;
}

Result<Verdict> verdict_from_json(const Json& json) {
  Verdict verdict;
  const auto status = read_named(json, "status", phrase("The status of the verdict"), hardware::status_named,
                                 std::optional<Status>());
  if (!status) return status.error();
  verdict.status = *status;
  verdict.message = read_sentence(json, "message");
  verdict.line = static_cast<int>(read_integer(json, "line", 0));
  Result<std::vector<Finding>> findings = hardware::findings_from_json(member(json, "findings"));
  if (!findings) return findings.error();
  verdict.findings = *std::move(findings);
  verdict.deterministic = read_optional_bool(json, "deterministic");
  verdict.mse = read_number(json, "mse");
  verdict.max_abs = read_number(json, "max_abs");
  verdict.max_rel = read_number(json, "max_rel");
  verdict.max_ulp = read_number(json, "max_ulp");
  verdict.mismatches = read_optional_integer(json, "mismatches");
  verdict.elements = read_optional_integer(json, "elements");
  if (const Json& first = member(json, "first"); first.is_array())
    for (const Json& element : first) verdict.first.push_back(mismatch_from_json(element));
  if (const Json& maps = member(json, "error_maps"); maps.is_array())
    for (const Json& element : maps) {
      Result<std::optional<ErrorMap>> map = error_map_from_json(element);
      if (!map) return map.error();
      if (*map) verdict.error_maps.push_back(**std::move(map));
    }
  if (const Json& tolerances = member(json, "tolerances"); tolerances.is_array())
    for (const Json& element : tolerances) verdict.tolerances.push_back(tolerance_from_json(element));
  verdict.warnings = read_sentences(json, "warnings");
  verdict.launches = static_cast<int>(read_integer(json, "launches", 0));
  return verdict;
}

}  // namespace ridge::verify
