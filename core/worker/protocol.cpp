// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/protocol.h"

namespace ridge::worker {
namespace {

bool has_large_field(const Json& json) {
  if (json.is_string()) return json.get_ref<const std::string&>().size() > kFieldLimit;
  if (json.is_structured())
    for (const Json& element : json)
      if (has_large_field(element)) return true;
  return false;
}

std::string line_of(Json message) {
  Json whole{{"jsonrpc", "2.0"}};
  whole.update(message);
  return session::dump(whole) + "\n";
}

Json strings(const std::vector<std::string>& values) {
  return Json(values);
}

std::vector<std::string> strings_from_json(const Json& json) {
  std::vector<std::string> values;
  if (json.is_array())
    for (const Json& element : json)
      if (element.is_string()) values.push_back(element.get<std::string>());
  return values;
}

}  // namespace

Error protocol_error(std::string code, Sentence message) {
  return {ErrorKind::protocol, std::move(code), std::move(message), {}, {}, 0};
}

Result<Message> parse_message(std::string_view line) {
  Result<Json> json = parse_json(line);
  if (!json) return protocol_error("parse_error", say("The line is no JSON: {}", json.error().message));
  if (!json->is_object() || read_string(*json, "jsonrpc") != "2.0")
    return protocol_error("invalid_message", say("The line is no JSON-RPC 2.0 message."));
  if (has_large_field(*json))
    return protocol_error("field_too_large",
                          say("A field of the message is larger than {} MiB.", kFieldLimit >> 20));
  Message message;
  const Json& id = member(*json, "id");
  if (id.is_number_integer())
    message.id = id.get<std::int64_t>();
  else if (!id.is_null())
    return protocol_error("invalid_message", say("The id of a message must be a whole number."));
  if (const Json& method = member(*json, "method"); method.is_string()) {
    message.kind = message.id ? Message::Kind::request : Message::Kind::notification;
    message.method = method.get<std::string>();
    const Json& parameters = member(*json, "params");
    if (!parameters.is_null() && !parameters.is_object())
      return protocol_error("invalid_message", say("The params of '{}' must be an object.", message.method));
    if (parameters.is_object()) message.parameters = std::move((*json)["params"]);
    return message;
  }
  message.kind = Message::Kind::response;
  if (const Json& error = member(*json, "error"); error.is_object()) {
    const Json& data = member(error, "data");
    message.error = data.is_object() ? error_from_json(data)
                                     : protocol_error("worker_protocol", read_string(error, "message"));
    return message;
  }
  if (!json->contains("result") || !message.id)
    return protocol_error("invalid_message",
                          say("The message is neither request, notification nor response."));
  message.result = std::move((*json)["result"]);
  return message;
}

std::string request_line(std::int64_t id, const std::string& method, const Json& parameters) {
  return line_of({{"id", id}, {"method", method}, {"params", parameters}});
}

std::string notification_line(const std::string& method, const Json& parameters) {
  return line_of({{"method", method}, {"params", parameters}});
}

std::string result_line(std::int64_t id, const Json& result) {
  return line_of({{"id", id}, {"result", result}});
}

std::string error_line(std::optional<std::int64_t> id, RpcCode code, const Error& error) {
  return line_of({{"id", id ? Json(*id) : Json()},
                  {"error",
                   {{"code", static_cast<int>(code)},
                    {"message", error.message.english()},
                    {"data", ridge::to_json(error)}}}});
}

std::string_view name_of(Role role) {
  return role == Role::compile ? "compile" : "device";
}

std::optional<Role> role_named(std::string_view name) {
  for (const Role role : {Role::compile, Role::device})
    if (name_of(role) == name) return role;
  return std::nullopt;
}

Json to_json(const Capabilities& capabilities) {
  Json devices = Json::array();
  for (const device::DeviceInfo& info : capabilities.devices) devices.push_back(device::to_json(info));
  Json json{{"protocol", capabilities.protocol},
            {"version", capabilities.version},
            {"role", name_of(capabilities.role)},
            {"toolkit", capabilities.toolkit},
            {"architectures", strings(capabilities.architectures)},
            {"disassembler", capabilities.disassembler},
            {"devices", std::move(devices)},
            {"device", capabilities.device}};
  put_sentences(json, "notes", capabilities.notes);
  return json;
}

Result<Capabilities> capabilities_from_json(const Json& json) {
  Capabilities capabilities;
  capabilities.protocol = static_cast<int>(read_integer(json, "protocol", 0));
  capabilities.version = read_string(json, "version");
  const auto role =
      read_named(json, "role", phrase("The role of the worker"), role_named, std::optional(Role::compile));
  if (!role) return role.error();
  capabilities.role = *role;
  capabilities.toolkit = read_string(json, "toolkit");
  capabilities.architectures = strings_from_json(member(json, "architectures"));
  capabilities.disassembler = read_bool(json, "disassembler", false);
  if (const Json& devices = member(json, "devices"); devices.is_array())
    for (const Json& info : devices) {
      auto device = device::device_info_from_json(info);
      if (!device) return device.error();
      capabilities.devices.push_back(*std::move(device));
    }
  capabilities.device = read_string(json, "device");
  capabilities.notes = read_sentences(json, "notes");
  return capabilities;
}

}  // namespace ridge::worker
