// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/trace.h"

#include <charconv>

namespace ridge::device {
namespace {

/// One to three numbers, none negative.
std::optional<std::array<std::int64_t, 3>> read_position(std::string_view text) {
  std::array<std::int64_t, 3> position{0, 0, 0};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::int64_t& number : position) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 0) return std::nullopt;
    at = next;
    if (at == end) return position;
    if (*at++ != ',') return std::nullopt;
  }
  return std::nullopt;
}

Json position_json(const std::array<std::int64_t, 3>& position) {
  return Json::array({position[0], position[1], position[2]});
}
std::array<std::int64_t, 3> position_from_json(const Json& json) {
  std::array<std::int64_t, 3> position{0, 0, 0};
  for (std::size_t k = 0; k < 3 && json.is_array() && k < json.size(); ++k)
    if (json[k].is_number_integer()) position[k] = json[k].get<std::int64_t>();
  return position;
}

Json access_json(const WarpAccess& access) {
  Json json{{"space", access.space},
            {"store", access.store},
            {"atomic", access.atomic},
            {"bytes", access.bytes},
            {"sectors", access.sectors},
            {"wavefronts", access.wavefronts},
            {"bank_conflicts", access.bank_conflicts}};
  json["lanes"] = Json::array();
  for (const auto& lane : access.lanes)
    json["lanes"].push_back(lane ? json_integer(static_cast<std::int64_t>(*lane)) : Json());
  return json;
}
WarpAccess access_from_json(const Json& json) {
  WarpAccess access;
  access.space = read_string(json, "space");
  access.store = read_bool(json, "store", false);
  access.atomic = read_bool(json, "atomic", false);
  access.bytes = static_cast<int>(read_integer(json, "bytes", 0));
  access.sectors = static_cast<int>(read_integer(json, "sectors", 0));
  access.wavefronts = static_cast<int>(read_integer(json, "wavefronts", 0));
  access.bank_conflicts = static_cast<int>(read_integer(json, "bank_conflicts", 0));
  const Json& lanes = member(json, "lanes");
  for (std::size_t lane = 0; lanes.is_array() && lane < lanes.size() && lane < access.lanes.size(); ++lane) {
    const Json holder{{"lane", lanes[lane]}};
    if (!lanes[lane].is_null()) access.lanes[lane] = read_unsigned(holder, "lane", 0);
  }
  return access;
}

}  // namespace

Result<TraceRequest> read_trace_request(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto block = read_position(std::string_view(text).substr(0, std::min(colon, text.size())));
  const auto thread =
      colon == std::string::npos ? std::nullopt : read_position(std::string_view(text).substr(colon + 1));
  if (!block || !thread) {
    return Error{ErrorKind::usage,
                 "bad_trace",
                 say("\"{}\" names no thread to trace", text),
                 say("write BLOCK:THREAD, such as 3:17 or 1,0:5,2"),
                 {},
                 0};
  }
  return TraceRequest{*block, *thread};
}

Json to_json(const TraceRequest& request) {
  return {{"block", position_json(request.block)},
          {"thread", position_json(request.thread)},
          {"most_steps", request.most_steps}};
}
TraceRequest trace_request_from_json(const Json& json) {
  TraceRequest request;
  request.block = position_from_json(member(json, "block"));
  request.thread = position_from_json(member(json, "thread"));
  request.most_steps = read_integer(json, "most_steps", request.most_steps);
  return request;
}

Json to_json(const Trace& trace) {
  Json json = to_json(trace.request);
  json["cut"] = trace.cut;
  json["steps"] = Json::array();
  for (const TraceStep& step : trace.steps) {
    Json one{{"file", step.file},
             {"line", step.line > 0 ? Json(step.line) : Json()},
             {"ptx_line", step.ptx_line},
             {"instruction", step.instruction},
             {"active", step.active}};
    one["values"] = Json::array();
    for (const TracedValue& value : step.values)
      one["values"].push_back({{"name", value.name}, {"type", value.type}, {"value", value.value}});
    one["access"] = step.access ? access_json(*step.access) : Json();
    json["steps"].push_back(std::move(one));
  }
  return json;
}

Trace trace_from_json(const Json& json) {
  Trace trace;
  trace.request = trace_request_from_json(json);
  trace.cut = read_bool(json, "cut", false);
  const Json& steps = member(json, "steps");
  if (!steps.is_array()) return trace;
  for (const Json& one : steps) {
    TraceStep step;
    step.file = read_string(one, "file");
    step.line = static_cast<int>(read_integer(one, "line", 0));
    step.ptx_line = static_cast<int>(read_integer(one, "ptx_line", 0));
    step.instruction = read_string(one, "instruction");
    step.active = static_cast<std::uint32_t>(read_unsigned(one, "active", 0));
    if (const Json& values = member(one, "values"); values.is_array()) {
      for (const Json& value : values)
        step.values.push_back(
            {read_string(value, "name"), read_string(value, "type"), read_string(value, "value")});
    }
    if (const Json& access = member(one, "access"); access.is_object())
      step.access = access_from_json(access);
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

}  // namespace ridge::device
