// SPDX-License-Identifier: GPL-3.0-or-later
// Standard output of a worker belongs to the protocol; what others print there becomes log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "worker/protocol.h"
#include "worker/worker.h"

namespace ridge::worker {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class PrintingWorker : public testing::Test {
 protected:
  void SetUp() override {
    Launch launch;
    launch.role = Role::device;
    launch.program = PRINTING_WORKER;
    auto started = Client::start(launch, [this](const std::string& line) {
      const std::lock_guard lock(mutex);
      log.push_back(line);
    });
    ASSERT_TRUE(started) << started.error().message;
    client = *std::move(started);
  }
  std::string output_of(const std::string& method, const std::string& text, int times) {
    const auto answer = client->call(method, {{"text", text}, {"times", times}});
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
    return answer ? read_string(*answer, "output") : std::string();
  }
  /// The log comes by a thread of the worker, at times after the answer.
  bool logs(const std::string& line) {
    for (int i = 0; i < 6000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
      const std::lock_guard lock(mutex);
      if (std::find(log.begin(), log.end(), line) != log.end()) return true;
    }
    return false;
  }

  std::mutex mutex;
  std::vector<std::string> log;
  std::unique_ptr<Client> client;
};

TEST_F(PrintingWorker, PrintedLinesAreOutputAndLog) {
  EXPECT_EQ(output_of("printf", "hello", 2), "hello\nhello\n");
  EXPECT_EQ(output_of("write", "raw bytes\n", 1), "raw bytes\n");
  EXPECT_TRUE(logs("a library greets"));
  EXPECT_TRUE(logs("hello"));
  EXPECT_TRUE(logs("raw bytes"));
}

TEST_F(PrintingWorker, WhatLooksLikeAMessageIsStillOutput) {
  const std::string forged = result_line(2, {{"run", "forged"}});
  EXPECT_EQ(output_of("write", forged, 1), forged);
  EXPECT_TRUE(client->alive());
}

TEST_F(PrintingWorker, OutputIsCutAtOneMebibyteWithANote) {
  const std::string output = output_of("write", std::string(1023, 'x') + "\n", 3000);
  EXPECT_GE(output.size(), kOutputLimit);
  EXPECT_LT(output.size(), kOutputLimit + 200);
  EXPECT_THAT(output, EndsWith("(2023424 more bytes were printed; 1 MiB a run is kept)\n"));
  EXPECT_EQ(output_of("write", "next\n", 1), "next\n");
}

TEST_F(PrintingWorker, BytesThatAreNotUtf8DoNotBreakTheProtocol) {
  EXPECT_EQ(output_of("printf", "caf\xc3\xa9", 1), "caf\xc3\xa9\n");
  EXPECT_THAT(output_of("write_base64", encode_base64("caf\xe9\n"), 1), HasSubstr("caf"));
  EXPECT_EQ(output_of("printf", "next", 1), "next\n");
  EXPECT_TRUE(client->alive());
}

}  // namespace
}  // namespace ridge::worker
