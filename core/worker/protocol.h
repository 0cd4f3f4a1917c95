// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: JSON-RPC 2.0, one message a line. Both sides take any bytes and answer with typed errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "worker/worker.h"

namespace ridge::worker {

inline constexpr std::size_t kMessageLimit = std::size_t{256} << 20;  ///< bytes of a line
inline constexpr std::size_t kFieldLimit = std::size_t{128}
                                           << 20;  ///< bytes of a string in it (bulk data: base64)
inline constexpr std::size_t kForeignLimit = std::size_t{64}
                                             << 10;  ///< lines of others before `initialize` is answered
inline constexpr std::size_t kOutputLimit = std::size_t{1} << 20;  ///< of foreign standard output, a run
inline constexpr std::size_t kQueueLimit = 64;                     ///< requests that wait

/// Exit statuses of a worker.
inline constexpr int kExitDeviceLost =
    75;  ///< the run was answered; only a fresh process can use the device again
inline constexpr int kExitAbandoned = 76;  ///< the client went away while a request could not be stopped

/// Codes of JSON-RPC for what is wrong with a message; every error also carries a ridge::Error in `data`.
enum class RpcCode : int {
  parse = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_parameters = -32602,
  not_initialized = -32002,
  failed = -32000
};

struct Message {
  enum class Kind { request, notification, response } kind = Kind::notification;
  std::optional<std::int64_t> id;  ///< of requests and responses; a response to garbage has none
  std::string method;
  Json parameters = Json::object();
  Json result;
  std::optional<Error> error;
};

/// One line as a message. Error code: parse_error, invalid_message or field_too_large.
Result<Message> parse_message(std::string_view line);

std::string request_line(std::int64_t id, const std::string& method, const Json& parameters);
std::string notification_line(const std::string& method, const Json& parameters);
std::string result_line(std::int64_t id, const Json& result);
std::string error_line(std::optional<std::int64_t> id, RpcCode code, const Error& error);

Error protocol_error(std::string code, Sentence message);

std::string_view name_of(Role role);
std::optional<Role> role_named(std::string_view name);

Json to_json(const Capabilities& capabilities);
Result<Capabilities> capabilities_from_json(const Json& json);  ///< error: unknown_word

}  // namespace ridge::worker
