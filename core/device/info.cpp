// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>

#include "device/device.h"

namespace ridge::device {
namespace {

int read_int(const Json& json, std::string_view key) {
  const std::int64_t value = read_integer(json, key, 0);
  return static_cast<int>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<int>::max()));
}

}  // namespace

std::string_view name_of(Kind kind) {
  return kind == Kind::cuda ? "cuda" : "emulator";
}

std::optional<Kind> kind_named(std::string_view name) {
  for (const Kind kind : {Kind::cuda, Kind::emulator})
    if (name_of(kind) == name) return kind;
  return std::nullopt;
}

std::string_view name_of(Flush flush) {
  switch (flush) {
    case Flush::write:
      return "write";
    case Flush::none:
      return "none";
    case Flush::read:
      break;
  }
  return "read";
}

std::optional<Flush> flush_named(std::string_view name) {
  for (const Flush flush : {Flush::read, Flush::write, Flush::none})
    if (name_of(flush) == name) return flush;
  return std::nullopt;
}

Json to_json(const DeviceInfo& info) {
  Json json = Json::object();
  json["kind"] = name_of(info.kind);
  json["id"] = info.id;
  json["name"] = info.name;
  json["model"] = info.model;
  json["arch"] = info.arch;
  json["uuid"] = info.uuid;
  json["cc_major"] = info.cc_major;
  json["cc_minor"] = info.cc_minor;
  json["sm_count"] = info.sm_count;
  json["memory_bytes"] = json_integer(info.memory_bytes);
  json["memory_free"] = json_integer(info.memory_free);
  json["l2_bytes"] = json_integer(info.l2_bytes);
  json["limits"] = hardware::to_json(info.limits);
  json["watchdog"] = info.watchdog;
  json["driver"] = info.driver;
  json["counters"] = info.counters;
  put_sentence(json, "counters_why_not", info.counters_why_not);
  return json;
}

Result<DeviceInfo> device_info_from_json(const Json& json) {
  DeviceInfo info;
  const auto kind =
      read_named(json, "kind", phrase("The kind of a device"), kind_named, std::optional(Kind::emulator));
  if (!kind) return kind.error();
  info.kind = *kind;
  info.id = read_string(json, "id");
  info.name = read_string(json, "name");
  info.model = read_string(json, "model");
  info.arch = read_string(json, "arch");
  info.uuid = read_string(json, "uuid");
  info.cc_major = read_int(json, "cc_major");
  info.cc_minor = read_int(json, "cc_minor");
  info.sm_count = read_int(json, "sm_count");
  info.memory_bytes = read_integer(json, "memory_bytes", 0);
  info.memory_free = read_integer(json, "memory_free", 0);
  info.l2_bytes = read_integer(json, "l2_bytes", 0);
  info.limits = hardware::limits_from_json(member(json, "limits"));
  info.watchdog = read_bool(json, "watchdog", false);
  info.driver = read_string(json, "driver");
  info.counters = read_bool(json, "counters", false);
  info.counters_why_not = read_sentence(json, "counters_why_not");
  return info;
}

}  // namespace ridge::device
