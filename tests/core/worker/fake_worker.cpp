// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that misbehaves as its first argument says. The client starts it as a launcher, so that the rest
// of the command line (the worker it believes to start) is ignored.
#include <unistd.h>

#include <csignal>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

namespace {

using Json = nlohmann::ordered_json;

void say(const std::string& text) {
  std::cout << text << std::flush;
}
void send(const Json& json) {
  say(json.dump() + "\n");
}

Json response(const Json& request, const Json& result) {
  return {{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", result}};
}

Json failure(const Json& id, const std::string& code) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"error",
           {{"code", -32000},
            {"message", code},
            {"data", {{"kind", "cancelled"}, {"code", code}, {"message", code}}}}}};
}

Json next_message() {
  std::string line;
  if (!std::getline(std::cin, line)) std::exit(0);
  return Json::parse(line);
}

void initialize(int protocol = 1) {
  send(response(next_message(), {{"protocol", protocol}, {"version", "fake"}, {"role", "device"}}));
}

void serve_echoes() {
  for (;;) {
    const Json request = next_message();
    if (request.contains("id")) send(response(request, {{"echo", request["method"]}}));
  }
}

[[noreturn]] void sleep_for_ever() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

void polite() {
  initialize();
  const Json request = next_message();
  while (next_message()["method"] != "stop") {
  }
  send(failure(request["id"], "cancelled"));
  serve_echoes();
}

void slow() {
  initialize();
  const std::string answer = response(next_message(), {{"echo", "slow"}}).dump() + "\n";
  for (const char c : answer) {
    say(std::string(1, c));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  serve_echoes();
}

void oversized() {
  initialize();
  next_message();
  const std::string part(1 << 20, 'x');
  for (int i = 0; i < 257; ++i) say(part);
  say("\n");
  serve_echoes();
}

void send_progress(const Json& request, int step) {
  send(Json{{"jsonrpc", "2.0"},
            {"method", "progress"},
            {"params",
             {{"id", request["id"]}, {"stage", "verify"}, {"workload", "w"}, {"step", step}, {"steps", 3}}}});
}

/// A run with the members that no run lacks.
Json run_of(const char* status) {
  return {{"problem", "p"},
          {"axes", Json::object()},
          {"seed", 1},
          {"verdict", {{"status", status}, {"launches", 3}}}};
}

void notifying() {
  initialize();
  const Json request = next_message();
  for (int step = 1; step <= 3; ++step) send_progress(request, step);
  send(Json{{"jsonrpc", "2.0"}, {"method", "log"}, {"params", {{"line", "from the worker"}}}});
  send(response(request, {{"run", run_of("pass")}, {"lost", false}}));
  serve_echoes();
}

void losing() {
  initialize();
  send(response(next_message(), {{"run", run_of("out_of_bounds")}, {"lost", true}}));
  std::_Exit(75);
}

void after_first(const std::function<void(const Json& request)>& act) {
  initialize();
  act(next_message());
  serve_echoes();
}

}  // namespace

int main(int, char** arguments) {
  const std::map<std::string, std::function<void()>> scenarios{
      {"sound", [] { initialize(), serve_echoes(); }},
      {"banner", [] { say("Welcome to gpu01\n\nLast login: today\n"), initialize(), serve_echoes(); }},
      {"glued_banner", [] { say("no line end: "), initialize(), serve_echoes(); }},
      {"endless_banner",
       [] {
         for (;;) say(std::string(1000, 'b') + "\n");
       }},
      {"leaves_at_once", [] { std::cerr << "libcuda is not here\n", std::_Exit(3); }},
      {"silent", [] { sleep_for_ever(); }},
      {"wrong_version", [] { initialize(99), serve_echoes(); }},
      {"crashes",
       [] {
         after_first([](const Json&) { std::cerr << "about to crash\n" << std::flush, std::raise(SIGKILL); });
       }},
      {"hangs",
       [] { after_first([](const Json& request) { send_progress(request, 1), sleep_for_ever(); }); }},
      {"deaf", [] { initialize(), sleep_for_ever(); }},
      {"polite", polite},
      {"slow", slow},
      {"garbage", [] { after_first([](const Json&) { say("garbage {{\n"); }); }},
      {"array", [] { after_first([](const Json&) { say("[1, 2]\n"); }); }},
      {"truncated",
       [] { after_first([](const Json&) { say("{\"jsonrpc\": \"2.0\", \"id\":"), std::_Exit(0); }); }},
      {"oversized", oversized},
      {"wrong_id", [] { after_first([](const Json&) {
                          send(response({{"id", 777}}, 1));
                        }); }},
      {"null_id", [] { after_first([](const Json&) { send(failure(nullptr, "parse_error")); }); }},
      {"asks_back",
       [] {
         after_first([](const Json&) { send(Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "run"}}); });
       }},
      {"closes_output", [] { after_first([](const Json&) { ::close(STDOUT_FILENO), sleep_for_ever(); }); }},
      {"notifying", notifying},
      {"losing", losing},
  };
  scenarios.at(arguments[1])();
  return 0;
}
