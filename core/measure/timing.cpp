// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/timing.h"

#include <algorithm>
#include <limits>

namespace ridge::measure {
namespace {

Json numbers_to_json(const std::vector<double>& numbers) {
  Json json = Json::array();
  for (const double number : numbers) json.push_back(json_number(number));
  return json;
}

std::vector<double> numbers_from_json(const Json& json) {
  std::vector<double> numbers;
  if (!json.is_array()) return numbers;
  for (const Json& value : json) {
    // One unreadable number would shift all that follow against the clocks.
    if (!value.is_number()) return {};
    numbers.push_back(value.get<double>());
  }
  return numbers;
}

Json to_json(const std::optional<Sampled>& sampled, bool with_samples) {
  if (!sampled) return nullptr;
  Json json = Json::object();
  json["median_us"] = json_number(sampled->median_us);
  json["q1_us"] = json_number(sampled->q1_us);
  json["q3_us"] = json_number(sampled->q3_us);
  json["n"] = sampled->n;
  json["source"] = sampled->source;
  json["dropped"] = sampled->dropped;
  json["flush"] = sampled->flush.empty() ? Json(nullptr) : Json(sampled->flush);
  json["stopped_because"] = sampled->stopped_because;
  if (with_samples) {
    json["samples_us"] = numbers_to_json(sampled->samples_us);
    json["sm_mhz"] = numbers_to_json(sampled->sm_mhz);
  }
  return json;
}

int read_count(const Json& json, std::string_view key) {
  const std::int64_t value = read_integer(json, key, 0);
  return static_cast<int>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<int>::max()));
}

std::optional<Sampled> sampled_from_json(const Json& json) {
  if (!json.is_object()) return {};
  Sampled sampled;
  sampled.median_us = read_number(json, "median_us", 0);
  sampled.q1_us = read_number(json, "q1_us", 0);
  sampled.q3_us = read_number(json, "q3_us", 0);
  sampled.n = read_count(json, "n");
  sampled.source = read_string(json, "source");
  sampled.dropped = read_count(json, "dropped");
  sampled.flush = read_string(json, "flush");
  sampled.stopped_because = read_string(json, "stopped_because");
  sampled.samples_us = numbers_from_json(member(json, "samples_us"));
  sampled.sm_mhz = numbers_from_json(member(json, "sm_mhz"));
  if (sampled.sm_mhz.size() != sampled.samples_us.size()) sampled.sm_mhz.clear();
  return sampled;
}

}  // namespace

Json to_json(const Timing& timing, bool with_samples) {
  Json json = Json::object();
  json["cold"] = to_json(timing.cold, with_samples);
  json["warm"] = to_json(timing.warm, with_samples);
  json["launch_inclusive"] = to_json(timing.launch_inclusive, with_samples);
  json["protocol"] = timing.protocol;
  json["sm_mhz"] = json_number(timing.sm_mhz);
  json["memory_mhz"] = json_number(timing.memory_mhz);
  json["temperature_c"] = json_number(timing.temperature_c);
  json["power_w"] = json_number(timing.power_w);
  json["throttle_reasons"] = timing.throttle_reasons;
  put_sentence(json, "note", timing.note);
  return json;
}

Timing timing_from_json(const Json& json) {
  Timing timing;
  timing.cold = sampled_from_json(member(json, "cold"));
  timing.warm = sampled_from_json(member(json, "warm"));
  timing.launch_inclusive = sampled_from_json(member(json, "launch_inclusive"));
  timing.protocol = read_count(json, "protocol");
  timing.sm_mhz = read_number(json, "sm_mhz");
  timing.memory_mhz = read_number(json, "memory_mhz");
  timing.temperature_c = read_number(json, "temperature_c");
  timing.power_w = read_number(json, "power_w");
  if (const Json& reasons = member(json, "throttle_reasons"); reasons.is_array())
    for (const Json& reason : reasons)
      if (reason.is_string()) timing.throttle_reasons.push_back(reason.get<std::string>());
  timing.note = read_sentence(json, "note");
  return timing;
}

}  // namespace ridge::measure
