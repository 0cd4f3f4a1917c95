// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/worker/wire.h"

namespace ridge::worker {
namespace {

class ServerTest : public testing::Test {
 protected:
  void wait_for_start() {
    while (!service.started) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  test::ScriptedService service;
  test::Wire wire{service};
};

TEST_F(ServerTest, AnswersInOrder) {
  wire.initialize();
  wire.send(1, "echo", {{"x", 1}});
  wire.send(2, "echo", {{"x", 2}});
  for (int id = 1; id <= 2; ++id) {
    const Json answer = wire.receive();
    EXPECT_EQ(answer["jsonrpc"], "2.0");
    EXPECT_EQ(answer["id"], id);
    EXPECT_EQ(answer["result"]["x"], id);
  }
}

TEST_F(ServerTest, FirstMessageMustBeInitialize) {
  wire.send(1, "echo");
  const Json answer = wire.receive();
  EXPECT_EQ(answer["error"]["code"], -32002);
  EXPECT_EQ(answer["error"]["data"]["code"], "not_initialized");
  wire.initialize();
  wire.send(2, "echo");
  EXPECT_TRUE(wire.receive().contains("result"));
}

TEST_F(ServerTest, OtherProtocolVersionIsRefusedNamingBothAndMayBeCorrected) {
  wire.send(1, "initialize", {{"protocol", 7}});
  const Json answer = wire.receive();
  EXPECT_EQ(answer["error"]["data"]["code"], "wrong_protocol");
  EXPECT_THAT(answer["error"]["message"].get<std::string>(), testing::HasSubstr("version 7"));
  wire.send(2, "initialize", {{"protocol", 1}});
  EXPECT_TRUE(wire.receive().contains("result"));
}

TEST_F(ServerTest, SecondInitializeIsRefused) {
  wire.initialize();
  wire.send(1, "initialize", {{"protocol", 1}});
  EXPECT_EQ(wire.receive_error_code(), "invalid_message");
}

TEST_F(ServerTest, GarbageIsAnsweredAndForgotten) {
  wire.initialize();
  const std::vector<std::pair<std::string, std::string>> lines{
      {"nonsense", "parse_error"},
      {"{\"jsonrpc\": \"2.0\", \"id\": 1", "parse_error"},
      {std::string("\0\xff\xfe", 3), "parse_error"},
      {std::string(5000, '['), "parse_error"},
      {"[]", "invalid_message"},
      {"{}", "invalid_message"},
      {"{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"echo\"}", "invalid_message"},
      {"{\"jsonrpc\": \"2.0\", \"id\": \"a\", \"method\": \"echo\"}", "invalid_message"},
      {"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"echo\", \"params\": [1]}", "invalid_message"},
      {"{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": 1}", "invalid_message"},
  };
  for (const auto& [line, code] : lines) {
    wire.send_bytes(line + "\n");
    const Json answer = wire.receive();
    EXPECT_EQ(answer["error"]["data"]["code"], code) << line;
    EXPECT_TRUE(answer["id"].is_null());
  }
  wire.send_bytes("\n\r\n");  // empty lines mean nothing
  wire.send(9, "echo");
  EXPECT_EQ(wire.receive()["id"], 9);
}

TEST_F(ServerTest, OversizedMessageIsDroppedWhole) {
  wire.initialize();
  std::thread writer([this] {
    const std::string part(1 << 20, 'x');
    for (std::size_t sent = 0; sent <= kMessageLimit; sent += part.size()) wire.send_bytes(part);
    wire.send_bytes("\n");
    wire.send(3, "echo");
  });
  EXPECT_EQ(wire.receive_error_code(), "message_too_large");
  EXPECT_EQ(wire.receive()["id"], 3);
  writer.join();
}

TEST_F(ServerTest, MessageCutByTheEndIsSaid) {
  wire.initialize();
  wire.send_bytes("{\"jsonrpc\": \"2.0\", \"id\":");
  wire.close_input();
  EXPECT_EQ(wire.receive_error_code(), "truncated");
  EXPECT_EQ(wire.status(), 0);
}

TEST(CapabilitiesJson, WordsOfANewerReleaseAreRefusedByName) {
  Capabilities capabilities;
  capabilities.role = Role::device;
  capabilities.devices.emplace_back();
  const Json sound = to_json(capabilities);
  const auto back = capabilities_from_json(sound);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->role, Role::device);
  for (const char* place : {"/role", "/devices/0/kind"}) {
    Json newer = sound;
    newer[Json::json_pointer(place)] = "splendid";
    const auto read = capabilities_from_json(newer);
    ASSERT_FALSE(read) << place;
    EXPECT_THAT(read.error().message.english(), testing::HasSubstr("'splendid'"));
  }
}

TEST_F(ServerTest, UnknownMethodIsNamed) {
  wire.initialize();
  wire.send(1, "unknown");
  const Json answer = wire.receive();
  EXPECT_EQ(answer["error"]["code"], -32601);
  EXPECT_THAT(answer["error"]["message"].get<std::string>(), testing::HasSubstr("'unknown'"));
}

TEST_F(ServerTest, ExceptionOfAServiceIsAnError) {
  wire.initialize();
  wire.send(1, "throw");
  const Json answer = wire.receive();
  EXPECT_EQ(answer["error"]["data"]["kind"], "internal");
  EXPECT_THAT(answer["error"]["message"].get<std::string>(), testing::HasSubstr("out of ideas"));
  wire.send(2, "echo");
  EXPECT_EQ(wire.receive()["id"], 2);
}

TEST_F(ServerTest, NotificationsCarryTheRequestsId) {
  wire.initialize();
  wire.send(4, "notify");
  const Json progress = wire.receive();
  EXPECT_EQ(progress["method"], "progress");
  EXPECT_EQ(progress["params"]["id"], 4);
  EXPECT_EQ(progress["params"]["stage"], "verify");
  EXPECT_FALSE(progress.contains("id"));
  EXPECT_EQ(wire.receive()["id"], 4);
}

TEST_F(ServerTest, StopEndsWhatIsRunning) {
  wire.initialize();
  wire.send(1, "wait");
  wait_for_start();
  wire.send(2, "stop");
  EXPECT_EQ(wire.receive()["id"], 2);
  EXPECT_EQ(wire.receive_error_code(), "cancelled");
  wire.send(3, "echo");  // and leaves the next one alone
  EXPECT_EQ(wire.receive()["id"], 3);
}

TEST_F(ServerTest, StopOfAnotherRequestLeavesThisOne) {
  wire.initialize();
  wire.send(1, "wait");
  wire.send(2, "echo");
  wait_for_start();
  wire.send_bytes(notification_line("stop", {{"id", 2}}));
  const Json cancelled = wire.receive();
  EXPECT_EQ(cancelled["id"], 2);
  EXPECT_EQ(cancelled["error"]["data"]["code"], "cancelled");
  service.release = true;
  EXPECT_EQ(wire.receive()["result"]["did"], "wait");
}

TEST_F(ServerTest, NewestOfATagWins) {
  wire.initialize();
  wire.send(1, "wait");
  wait_for_start();
  wire.send(2, "echo", {{"tag", "editor"}});
  wire.send(3, "echo", {{"tag", "reference"}});
  wire.send(4, "echo", {{"tag", "editor"}});
  const Json cancelled = wire.receive();
  EXPECT_EQ(cancelled["id"], 2);
  EXPECT_EQ(cancelled["error"]["data"]["code"], "cancelled");
  service.release = true;
  for (const int id : {1, 3, 4}) EXPECT_EQ(wire.receive()["id"], id);
}

TEST_F(ServerTest, QueueIsBounded) {
  wire.initialize();
  wire.send(1, "wait");
  wait_for_start();
  for (std::size_t i = 0; i <= kQueueLimit; ++i) wire.send(static_cast<std::int64_t>(i) + 2, "echo");
  EXPECT_EQ(wire.receive_error_code(), "busy");
  service.release = true;
}

TEST_F(ServerTest, ShutdownAnswersAndEnds) {
  wire.initialize();
  wire.send(1, "wait");
  wire.send(2, "echo");
  wait_for_start();
  wire.send(3, "shutdown");
  std::map<int, Json> answers;
  for (int i = 0; i < 3; ++i) {
    Json answer = wire.receive();
    answers[answer["id"]] = answer;
  }
  EXPECT_TRUE(answers[3].contains("result"));
  EXPECT_EQ(answers[1]["error"]["data"]["code"], "cancelled");
  EXPECT_EQ(answers[2]["error"]["data"]["code"], "cancelled");
  EXPECT_EQ(wire.status(), 0);
}

TEST_F(ServerTest, EndOfInputStillAnswersAReader) {
  wire.initialize();
  wire.send(1, "wait");
  wire.send(2, "echo");
  wire.close_input();
  wait_for_start();
  service.release = true;
  EXPECT_EQ(wire.receive()["id"], 1);
  EXPECT_EQ(wire.receive()["id"], 2);
  EXPECT_EQ(wire.status(), 0);
}

TEST_F(ServerTest, ClientThatIsGoneStopsTheRun) {
  wire.initialize();
  wire.send(1, "wait");
  wait_for_start();
  wire.close_input();
  wire.close_output();
  EXPECT_EQ(wire.status(), 0);
}

TEST_F(ServerTest, EndOfInputStopsWhatNobodyElseCanStop) {
  service.patience_ = std::chrono::milliseconds(50);
  wire.initialize();
  wire.send(1, "wait");
  wire.send(2, "echo");
  wait_for_start();
  wire.close_input();  // whoever holds the output open still reads
  for (const int id : {1, 2}) {
    const Json answer = wire.receive();
    EXPECT_EQ(answer["id"], id);
    EXPECT_EQ(answer["error"]["data"]["code"], "cancelled");
  }
  EXPECT_EQ(wire.status(), 0);
}

TEST_F(ServerTest, WhatCannotBeStoppedGoesDownWithTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const bool reader_stays : {true, false}) {
    const auto abandon = [&] {
      service.patience_ = std::chrono::milliseconds(50);
      wire.initialize();
      wire.send(1, "stuck");
      wait_for_start();
      wire.close_input();
      if (!reader_stays) wire.close_output();
      std::this_thread::sleep_for(std::chrono::seconds(5));
      std::_Exit(1);
    };
    EXPECT_EXIT(abandon(), testing::ExitedWithCode(kExitAbandoned), "");
  }
}

TEST_F(ServerTest, LostDeviceIsAnsweredThenTheWorkerEnds) {
  wire.initialize();
  wire.send(1, "lose");
  EXPECT_EQ(wire.receive()["result"]["did"], "lose");
  EXPECT_EQ(wire.status(), kExitDeviceLost);
}

}  // namespace
}  // namespace ridge::worker
