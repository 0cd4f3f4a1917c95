// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever arrives, the server neither crashes nor hangs, and the next sound request is answered.
#include <gtest/gtest.h>

#include <random>

#include "core/worker/wire.h"

namespace ridge::worker {
namespace {

const std::vector<std::string> kSeeds{
    request_line(5, "echo",
                 {{"text", "abc"}, {"list", {1, 2.5, nullptr, true}}, {"nested", {{"deep", {{"er", 1}}}}}}),
    request_line(6, "notify", Json::object()),
    request_line(7, "initialize", {{"protocol", 1}}),
    request_line(8, "echo", {{"tag", "editor"}, {"cubin", encode_base64(std::string(300, '\x7f'))}}),
    notification_line("stop", {{"id", 5}}),
    result_line(3, {{"x", 1}}),
    error_line(4, RpcCode::failed, protocol_error("code", "message")),
};

std::string mutated(std::string line, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  for (std::size_t i = 0, changes = 1 + below(4); i < changes && !line.empty(); ++i) {
    const std::size_t at = below(line.size());
    switch (below(6)) {
      case 0:
        line[at] = static_cast<char>(random());
        break;
      case 1:
        line.erase(at, 1 + below(8));
        break;
      case 2:
        line.insert(at, 1, "{}[]\",:0-\n\\\xff"[below(12)]);
        break;
      case 3:
        line.insert(at, line.substr(below(line.size()), below(20)));
        break;
      case 4:
        line.resize(at);
        break;
      default:
        line.insert(at, std::string(1 + below(200), "[{\"9"[below(4)]));
        break;
    }
  }
  return line + "\n";
}

TEST(ServerFuzz, MutatedMessagesNeverCrashOrHang) {
  test::ScriptedService service;
  test::Wire wire(service);
  wire.initialize();
  std::mt19937 random(20260101);
  for (int round = 1; round <= 60; ++round) {
    std::string bytes;
    for (int i = 0; i < 20; ++i) bytes += mutated(kSeeds[random() % kSeeds.size()], random);
    wire.send_bytes(bytes);
    const std::int64_t id = 1'000'000 + round;
    wire.send(id, "echo", {{"round", round}});
    Json answer;
    do answer = wire.receive();
    while (!answer.is_null() && answer["id"] != id);
    ASSERT_FALSE(answer.is_null()) << "no answer after round " << round;
    EXPECT_EQ(answer["result"]["round"], round);
  }
}

TEST(ServerFuzz, RandomBytesNeverCrashOrHang) {
  test::ScriptedService service;
  test::Wire wire(service);
  std::mt19937 random(7);
  std::string bytes(1 << 16, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  std::thread writer([&] {
    wire.send_bytes(bytes + "\n");
    wire.send(1, "initialize", {{"protocol", 1}});
  });
  Json answer;
  do answer = wire.receive();
  while (!answer.is_null() && answer["id"] != 1);
  writer.join();
  EXPECT_TRUE(answer.contains("result"));
}

TEST(ServerFuzz, EveryPrefixOfAMessageIsSurvived) {
  const std::string line = request_line(1, "echo", {{"text", "abc"}});
  for (std::size_t length = 0; length < line.size(); length += 7) {
    test::ScriptedService service;
    test::Wire wire(service);
    wire.initialize();
    wire.send_bytes(line.substr(0, length));
    wire.close_input();
    EXPECT_EQ(wire.status(), 0) << length;
  }
}

}  // namespace
}  // namespace ridge::worker
