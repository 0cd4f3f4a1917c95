// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/transcript.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "core/session/sample_run.h"
#include "core/worker/wire.h"

namespace ridge::worker {
namespace {

using session::test::TemporaryFolder;
using testing::HasSubstr;

Json run_parameters(const std::string& folder, const std::string& text) {
  return {{"job",
           {{"source", {{"file", folder + "/k.cu"}, {"text", text}}},
            {"problem", {{"problem", "softmax"}, {"seed", 1}, {"folder", folder}}},
            {"kernel", {{"ptx", ".file 1 \"" + folder + "\""}, {"cubin", "AAAA"}, {"compile_ms", 3.5}}},
            {"options", {{"threads", 4}, {"budget", 268435456}, {"time_limit_seconds", 10}}}}}};
}

TEST(TranscriptKey, IgnoresIdsPathsTimesAndCompiledCode) {
  Json other = run_parameters("/home/b/kernels", "__global__ void k() {}");
  other["job"]["kernel"]["compile_ms"] = 8;
  other["job"]["kernel"]["cubin"] = "BBBB";
  other["job"]["options"]["threads"] = 64;
  other["id"] = 9;
  EXPECT_EQ(request_key("run", run_parameters("/home/a", "__global__ void k() {}")),
            request_key("run", other));
}

TEST(TranscriptKey, IgnoresTheOrderOfMembers) {
  EXPECT_EQ(request_key("run", {{"a", 1}, {"b", {{"c", 2}, {"d", 3}}}}),
            request_key("run", {{"b", {{"d", 3}, {"c", 2}}}, {"a", 1}}));
}

TEST(TranscriptKey, SeesWhatIsAsked) {
  const Json base = run_parameters("/a", "__global__ void k() {}");
  EXPECT_NE(request_key("run", base), request_key("compile", base));
  EXPECT_NE(request_key("run", base), request_key("run", run_parameters("/a", "__global__ void k() { }")));
  Json seeded = base;
  seeded["job"]["problem"]["seed"] = 2;
  EXPECT_NE(request_key("run", base), request_key("run", seeded));
}

/// A transcript of one run with a progress notification, made the way the client makes it.
std::filesystem::path recorded(const TemporaryFolder& folder) {
  const std::filesystem::path file = folder / "t.jsonl";
  auto recorder = Recorder::create(file, Role::device, false);
  EXPECT_TRUE(recorder);
  (*recorder)->request(1, "initialize", {{"protocol", 1}});
  (*recorder)->received(result_line(1, {{"protocol", 1}, {"version", "recorded"}}));
  (*recorder)->received(notification_line("log", {{"line", "belongs to no request"}}));
  (*recorder)->request(2, "run", run_parameters("/there", "k"));
  (*recorder)->received(notification_line("progress", {{"stage", "verify"}, {"id", 2}}));
  (*recorder)->received(result_line(2, {{"run", 1}}));
  (*recorder)->request(3, "run", run_parameters("/there", "k"));
  (*recorder)->received(result_line(3, {{"run", 2}}));
  (*recorder)->request(4, "disassemble", {{"x", 1}});
  (*recorder)->received(
      error_line(4, RpcCode::failed, {ErrorKind::component, "no_disassembler", "None.", {}, {}, 0}));
  (*recorder)->request(5, "run", run_parameters("/there", "never answered"));
  return file;
}

class Replay : public testing::Test {
 protected:
  void SetUp() override {
    auto made = make_replay_service(recorded(folder));
    ASSERT_TRUE(made) << made.error().message;
    service = *std::move(made);
    wire.emplace(*service);
    wire->send(0, "initialize", {{"protocol", 1}});
    EXPECT_EQ(wire->receive()["result"]["version"], "recorded");
  }
  TemporaryFolder folder;
  std::unique_ptr<Service> service;
  std::optional<test::Wire> wire;
};

TEST_F(Replay, AnswersInTheRecordedOrderThenTheLastAgain) {
  wire->send(11, "run", run_parameters("/here", "k"));
  const Json progress = wire->receive();
  EXPECT_EQ(progress["method"], "progress");
  EXPECT_EQ(progress["params"]["id"], 11);
  EXPECT_EQ(wire->receive()["result"]["run"], 1);
  for (int id = 12; id < 15; ++id) {
    wire->send(id, "run", run_parameters("/here", "k"));
    const Json answer = wire->receive();
    EXPECT_EQ(answer["id"], id);
    EXPECT_EQ(answer["result"]["run"], 2);
  }
}

TEST_F(Replay, GivesRecordedErrors) {
  wire->send(1, "disassemble", {{"x", 1}});
  EXPECT_EQ(wire->receive_error_code(), "no_disassembler");
}

TEST_F(Replay, WhatWasNotRecordedIsSaid) {
  wire->send(1, "run", run_parameters("/here", "another kernel"));
  EXPECT_EQ(wire->receive_error_code(), "not_in_transcript");
  wire->send(2, "run", run_parameters("/here", "never answered"));
  EXPECT_EQ(wire->receive_error_code(), "not_in_transcript");
}

TEST(Transcript, RequestsHoldNoPathsAndNoCompiledCode) {
  const TemporaryFolder folder;
  const std::string text = *read_file(recorded(folder));
  EXPECT_EQ(text.find("/there"), std::string::npos);
  EXPECT_EQ(text.find("cubin"), std::string::npos);
  EXPECT_EQ(text.substr(0, text.find(',')), "{\"transcript\":1");
}

TEST(Transcript, StaysUnderTheLimitAndSaysSo) {
  const TemporaryFolder folder;
  const std::string line = result_line(1, {{"bulk", std::string(1 << 20, 'x')}});
  for (const bool append : {false, true}) {
    auto recorder = Recorder::create(folder / "t.jsonl", Role::device, append);
    ASSERT_TRUE(recorder);
    EXPECT_TRUE((*recorder)->complete());
    for (int i = 0; i < 12; ++i) (*recorder)->received(line);
    ASSERT_FALSE((*recorder)->complete());
    EXPECT_THAT((*recorder)->complete().error().message.english(), HasSubstr("8 MiB"));
  }
  EXPECT_LT(std::filesystem::file_size(folder / "t.jsonl"), kTranscriptLimit);
  EXPECT_TRUE(read_transcript(folder / "t.jsonl"));
}

TEST(Transcript, GoesOnWhereAnEarlierWorkerEnded) {
  const TemporaryFolder folder;
  const std::filesystem::path file = recorded(folder);
  const std::size_t before = read_transcript(file)->exchanges.size();
  auto recorder = Recorder::create(file, Role::device, true);
  ASSERT_TRUE(recorder);
  (*recorder)->request(1, "run", run_parameters("/there", "of the second worker"));
  (*recorder)->received(result_line(1, {{"run", 3}}));
  const auto transcript = read_transcript(file);
  ASSERT_TRUE(transcript);
  ASSERT_EQ(transcript->exchanges.size(), before + 1);
  EXPECT_EQ(transcript->exchanges.back().response["result"]["run"], 3);
}

TEST(Transcript, AFullDiskIsTold) {
  auto recorder = Recorder::create("/dev/full", Role::device, false);
  ASSERT_TRUE(recorder);
  const Result<void>& complete = (*recorder)->complete();
  ASSERT_FALSE(complete);
  EXPECT_EQ(complete.error().code, "transcript_incomplete");
  EXPECT_THAT(complete.error().message.english(), HasSubstr("/dev/full"));
  EXPECT_THAT(complete.error().message.english(), HasSubstr("space"));
}

TEST(Transcript, FolderThatIsNotThereIsNamed) {
  const auto recorder = Recorder::create("/nonexistent/t.jsonl", Role::device, false);
  ASSERT_FALSE(recorder);
  EXPECT_THAT(recorder.error().message.english(), HasSubstr("/nonexistent/t.jsonl"));
}

TEST(Transcript, FaultsAreNamedWithTheirLine) {
  const TemporaryFolder folder;
  const std::string header = "{\"transcript\":1,\"protocol\":1,\"role\":\"device\"}\n";
  const std::vector<std::pair<std::string, int>> faults{
      {"", 1},
      {"{\"transcript\":1,\"protocol\":1,\"role\":\"cook\"}\n", 1},
      {"{}\n", 1},
      {"nonsense\n", 1},
      {header + "{\"to\":", 2},
      {header + "[1]\n", 2}};
  for (const auto& [text, line] : faults) {
    ASSERT_TRUE(write_file(folder / "t.jsonl", text));
    const auto transcript = read_transcript(folder / "t.jsonl");
    ASSERT_FALSE(transcript) << text;
    EXPECT_EQ(transcript.error().code, "bad_transcript");
    EXPECT_EQ(transcript.error().line, line) << text;
  }
}

TEST(Transcript, OfAnotherProtocolVersionIsRefusedNamingBoth) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "t.jsonl", "{\"transcript\":1,\"protocol\":44,\"role\":\"device\"}\n"));
  auto service = make_replay_service(folder / "t.jsonl");
  ASSERT_TRUE(service);
  test::Wire wire(**service);
  wire.send(1, "initialize", {{"protocol", 1}});
  const Json answer = wire.receive();
  EXPECT_EQ(answer["error"]["data"]["code"], "wrong_protocol");
  EXPECT_THAT(answer["error"]["message"].get<std::string>(), HasSubstr("version 44"));
}

}  // namespace
}  // namespace ridge::worker
