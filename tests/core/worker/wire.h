// SPDX-License-Identifier: GPL-3.0-or-later
// A server in this process with a service whose answers the test commands, behind two pipes.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "worker/lines.h"
#include "worker/protocol.h"
#include "worker/service.h"

namespace ridge::worker::test {

class ScriptedService final : public Service {
 public:
  Result<Json> initialize(const Json&, const Call&) override { return Json{{"protocol", 1}}; }

  Result<Json> answer(const std::string& method, const Json& parameters, const Call& call) override {
    if (method == "echo") return parameters;
    if (method == "throw") throw std::runtime_error("out of ideas");
    if (method == "lose") lost_ = true;
    if (method == "notify") call.notify("progress", {{"stage", "verify"}});
    if (method == "wait") {
      started = true;
      while (!*call.stop && !release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (*call.stop) return Error{ErrorKind::cancelled, "cancelled", "stopped", {}, {}, 0};
    }
    if (method == "stuck") {
      started = true;
      while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (method == "unknown") return unknown_method(method, Role::device);
    return Json{{"did", method}};
  }
  bool lost() const override { return lost_; }

  std::chrono::milliseconds patience() const override { return patience_; }

  std::atomic<bool> started = false, release = false;
  std::chrono::milliseconds patience_ = Service::patience();

 private:
  bool lost_ = false;
};

class Wire {
 public:
  explicit Wire(Service& service) {
    if (::pipe2(to_server_.data(), O_CLOEXEC) != 0 || ::pipe2(from_server_.data(), O_CLOEXEC) != 0)
      std::abort();
    server_ = std::thread([this, &service] {
      status_ = serve(service, to_server_[0], from_server_[1]);
      ::close(from_server_[1]);
      ended_ = true;
    });
  }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  ~Wire() {
    close_input();
    close_output();
    server_.join();
    ::close(to_server_[0]);
  }

  void send_bytes(std::string_view bytes) { write_all(to_server_[1], bytes); }
  void send(std::int64_t id, const std::string& method, const Json& parameters = Json::object()) {
    send_bytes(request_line(id, method, parameters));
  }
  void initialize() {
    send(0, "initialize", {{"protocol", 1}});
    receive();
  }
  void close_input() {
    if (to_server_[1] >= 0) ::close(to_server_[1]);
    to_server_[1] = -1;
  }
  void close_output() {
    if (from_server_[0] >= 0) ::close(from_server_[0]);
    from_server_[0] = -1;
  }

  /// The next message of the server as JSON; null at its end or after five seconds.
  Json receive() {
    for (;;) {
      if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
        const Json message = Json::parse(buffer_.substr(0, end));
        buffer_.erase(0, end + 1);
        return message;
      }
      pollfd readable{from_server_[0], POLLIN, 0};
      if (::poll(&readable, 1, 5000) <= 0) return {};
      std::array<char, 4096> bytes{};
      const ssize_t count = ::read(from_server_[0], bytes.data(), bytes.size());
      if (count <= 0) return {};
      buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    }
  }
  std::string receive_error_code() { return receive()["error"]["data"]["code"].get<std::string>(); }
  /// The server's exit status; nothing when it does not end within five seconds.
  std::optional<int> status() {
    for (int i = 0; i < 1000 && !ended_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return ended_ ? std::optional(status_) : std::nullopt;
  }

 private:
  std::array<int, 2> to_server_{-1, -1}, from_server_{-1, -1};
  std::string buffer_;
  int status_ = -1;
  std::atomic<bool> ended_ = false;
  std::thread server_;
};

}  // namespace ridge::worker::test
