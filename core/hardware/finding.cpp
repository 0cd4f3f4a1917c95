// SPDX-License-Identifier: GPL-3.0-or-later
#include "hardware/finding.h"

#include <utility>

namespace ridge::hardware {

namespace {

/// In the order of the enumeration.
constexpr std::array<std::string_view, 21> kStatuses{
    "compile_error", "unsupported",      "launch_failed",  "device_lost", "out_of_memory",
    "timeout",       "trapped",          "out_of_bounds",  "misaligned",  "barrier_divergence",
    "race",          "uninitialised",    "input_modified", "unwritten",   "nan",
    "wrong_values",  "nondeterministic", "suspect",        "pass",        "no_reference",
    "skipped"};
static_assert(kStatuses.size() == static_cast<std::size_t>(Status::skipped) + 1);

Json to_json(const std::optional<std::array<std::int64_t, 3>>& extent) {
  if (!extent) return nullptr;
  Json json = Json::array();
  for (const std::int64_t value : *extent) json.push_back(json_integer(value));
  return json;
}

std::optional<std::array<std::int64_t, 3>> extent_from_json(const Json& json) {
  if (!json.is_array() || json.size() != 3) return std::nullopt;
  std::array<std::int64_t, 3> extent{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!json[i].is_number_integer()) return std::nullopt;
    extent[i] = json[i].get<std::int64_t>();
  }
  return extent;
}

}  // namespace

std::string_view name_of(Status status) {
  return kStatuses[static_cast<std::size_t>(status)];
}

std::optional<Status> status_named(std::string_view name) {
  for (std::size_t i = 0; i < kStatuses.size(); ++i)
    if (kStatuses[i] == name) return static_cast<Status>(i);
  return std::nullopt;
}

Json to_json(const Finding& finding) {
  Json json{{"status", name_of(finding.status)}};
  put_sentence(json, "message", finding.message);
  json["file"] = finding.file.empty() ? Json() : Json(finding.file);
  json["line"] = finding.line > 0 ? Json(finding.line) : Json();
  json["block"] = to_json(finding.block);
  json["thread"] = to_json(finding.thread);
  json["count"] = json_unsigned(finding.count);
  return json;
}

Result<Finding> finding_from_json(const Json& json) {
  Finding finding;
  const auto status =
      read_named(json, "status", phrase("The status of a finding"), status_named, std::optional<Status>());
  if (!status) return status.error();
  finding.status = *status;
  finding.message = read_sentence(json, "message");
  finding.file = read_string(json, "file");
  finding.line = static_cast<int>(read_integer(json, "line", 0));
  finding.block = extent_from_json(member(json, "block"));
  finding.thread = extent_from_json(member(json, "thread"));
  finding.count = read_unsigned(json, "count", 1);
  return finding;
}

Json to_json(const std::vector<Finding>& findings) {
  Json json = Json::array();
  for (const Finding& finding : findings) json.push_back(to_json(finding));
  return json;
}

Result<std::vector<Finding>> findings_from_json(const Json& json) {
  std::vector<Finding> findings;
  if (!json.is_array()) return findings;
  for (const Json& item : json) {
    Result<Finding> finding = finding_from_json(item);
    if (!finding) return finding.error();
    findings.push_back(*std::move(finding));
  }
  return findings;
}

}  // namespace ridge::hardware
