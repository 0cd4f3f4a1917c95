// SPDX-License-Identifier: GPL-3.0-or-later
// The client against workers that misbehave, one scripted fake for each kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>

#include "worker/worker.h"

namespace ridge::worker {
namespace {

using namespace std::chrono_literals;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;

class Log {
 public:
  Client::OnLog sink() {
    return [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(line);
    };
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

Launch fake(const std::string& scenario) {
  Launch launch;
  launch.role = Role::device;
  launch.target = {FAKE_WORKER, scenario};
  return launch;
}

std::unique_ptr<Client> started(const std::string& scenario, Client::OnLog log = {}) {
  auto client = Client::start(fake(scenario), std::move(log));
  EXPECT_TRUE(client) << (client ? "" : client.error().message);
  return client ? *std::move(client) : nullptr;
}

/// The error of one call to a worker of that kind.
Error call_error(Client& client) {
  const auto answer = client.call("run", Json::object());
  EXPECT_FALSE(answer);
  return answer ? Error{} : answer.error();
}

template <class Condition>
bool eventually(const Condition& condition) {
  for (int i = 0; i < 6000; ++i, std::this_thread::sleep_for(5ms))
    if (condition()) return true;
  return false;
}

/// What a call answers that another thread stops, however late the machine lets either begin.
template <class Call>
Result<Json> stopped(Client& client, std::chrono::milliseconds grace, const Call& call) {
  std::atomic<bool> ended{false};
  std::thread stopper([&] {
    for (; !ended; std::this_thread::sleep_for(1ms)) client.stop(grace);
  });
  auto answer = call();
  ended = true;
  stopper.join();
  return answer;
}

TEST(WorkerClient, TalksToASoundWorker) {
  const auto client = started("sound");
  ASSERT_TRUE(client);
  EXPECT_EQ(client->capabilities().version, "fake");
  EXPECT_EQ(client->capabilities().protocol, 1);
  EXPECT_GT(client->process_id(), 0);
  for (const std::string method : {"run", "devices"}) {
    const auto answer = client->call(method, Json{{"x", 1}});
    ASSERT_TRUE(answer);
    EXPECT_EQ((*answer)["echo"], method);
  }
  EXPECT_TRUE(client->alive());
}

TEST(WorkerClient, MissingProgramIsWorkerMissing) {
  Launch launch;
  launch.program = "/nonexistent/ridge";
  const auto client = Client::start(launch);
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, "worker_missing");
  EXPECT_EQ(client.error().kind, ErrorKind::component);
  EXPECT_THAT(client.error().message.english(), HasSubstr("/nonexistent/ridge"));
}

TEST(WorkerClient, LogsAndSkipsBanners) {
  Log log;
  const auto client = started("banner", log.sink());
  ASSERT_TRUE(client);
  EXPECT_THAT(log.lines(), Contains("Welcome to gpu01"));
  EXPECT_TRUE(client->call("run", Json::object()));
}

TEST(WorkerClient, FindsTheMessageBehindABannerWithoutLineEnd) {
  Log log;
  const auto client = started("glued_banner", log.sink());
  ASSERT_TRUE(client);
  EXPECT_THAT(log.lines(), Contains("no line end: "));
}

TEST(WorkerClient, EndlessBannerIsRefused) {
  const auto client = Client::start(fake("endless_banner"));
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, "worker_protocol");
  EXPECT_THAT(client.error().message.english(), HasSubstr("64 KiB"));
}

TEST(WorkerClient, EarlyEndGivesStatusLastWordsAndTheCommandToTry) {
  const auto client = Client::start(fake("leaves_at_once"));
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, "worker_died");
  EXPECT_THAT(client.error().message.english(), HasSubstr("status 3"));
  EXPECT_THAT(client.error().message.english(), HasSubstr("libcuda is not here"));
  EXPECT_THAT(client.error().hint.english(), HasSubstr("leaves_at_once ridge worker --role device"));
}

TEST(WorkerClient, SilentWorkerTimesOut) {
  Launch launch = fake("silent");
  launch.start_limit = 200ms;
  const auto client = Client::start(launch);
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, "worker_timeout");
}

TEST(WorkerClient, AStopWhileItStartsKillsIt) {
  std::stop_source stop;
  std::thread stopper([&] {
    std::this_thread::sleep_for(50ms);
    stop.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto client = Client::start(fake("silent"), {}, stop.get_token());
  stopper.join();
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, "cancelled");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s) << "it would have been waited for a minute";
  const auto late = Client::start(fake("sound"), {}, stop.get_token());
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, "cancelled") << "a stop that came before";
}

TEST(WorkerClient, AKilledOneIsNotAliveAndAnswersNothingMore) {
  const auto client = started("sound");
  ASSERT_TRUE(client);
  client->kill();
  EXPECT_FALSE(client->alive());
  EXPECT_EQ(call_error(*client).code, "cancelled");
}

TEST(WorkerClient, KnowsWhichErrorsMeanThatItIsLost) {
  for (const char* code : {"worker_died", "worker_protocol", "worker_timeout"})
    EXPECT_TRUE(lost_worker({ErrorKind::component, code, "", {}, {}, 0})) << code;
  for (const char* code : {"cancelled", "worker_missing", "not_in_transcript"})
    EXPECT_FALSE(lost_worker({ErrorKind::component, code, "", {}, {}, 0})) << code;
}

TEST(WorkerClient, OtherProtocolVersionIsRefusedNamingBoth) {
  const auto client = Client::start(fake("wrong_version"));
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, "wrong_protocol");
  EXPECT_THAT(client.error().message.english(), HasSubstr("version 99"));
  EXPECT_THAT(client.error().message.english(), HasSubstr("version 1"));
}

TEST(WorkerClient, DeathInARunNamesTheSignalAndTheLastWords) {
  const auto client = started("crashes");
  ASSERT_TRUE(client);
  const Error error = call_error(*client);
  EXPECT_EQ(error.code, "worker_died");
  EXPECT_THAT(error.message.english(), HasSubstr("signal 9 (Killed)"));
  EXPECT_THAT(error.message.english(), HasSubstr("about to crash"));
  EXPECT_FALSE(client->alive());
  EXPECT_EQ(call_error(*client).code, "worker_died");
}

TEST(WorkerClient, KilledFromOutsideIsNoticedAndANewOneStarts) {
  auto client = started("sound");
  ASSERT_TRUE(client);
  ASSERT_EQ(::kill(static_cast<pid_t>(client->process_id()), SIGKILL), 0);
  EXPECT_TRUE(eventually([&] { return !client->alive(); }));
  EXPECT_EQ(call_error(*client).code, "worker_died");
  client = started("sound");
  ASSERT_TRUE(client);
  EXPECT_TRUE(client->call("run", Json::object()));
}

TEST(WorkerClient, HangingWorkerIsKilledAfterTheGrace) {
  const auto client = started("hangs");
  ASSERT_TRUE(client);
  const auto answer = stopped(*client, 100ms, [&] { return client->call("run", Json::object()); });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "cancelled");
  EXPECT_EQ(answer.error().kind, ErrorKind::cancelled);
  EXPECT_FALSE(client->alive());
}

TEST(WorkerClient, PoliteStopKeepsTheWorker) {
  const auto client = started("polite");
  ASSERT_TRUE(client);
  const auto answer = stopped(*client, 60s, [&] { return client->call("run", Json::object()); });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "cancelled");
  EXPECT_TRUE(client->alive());
  EXPECT_TRUE(client->call("run", Json::object()));
}

TEST(WorkerClient, StopWithoutARequestDoesNothing) {
  const auto client = started("hangs");
  ASSERT_TRUE(client);
  client->stop(0ms);
  EXPECT_TRUE(client->alive());
}

TEST(WorkerClient, WorkerThatReadsNothingCanBeStopped) {
  const auto client = started("deaf");
  ASSERT_TRUE(client);
  const auto answer = stopped(*client, 100ms, [&] {
    return client->call("run", Json{{"bulk", std::string(4 << 20, 'x')}});
  });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "cancelled");
}

TEST(WorkerClient, KillEndsAWaitingCall) {
  const auto client = started("hangs");
  ASSERT_TRUE(client);
  std::atomic<bool> at_work{false};
  std::thread killer([&] {
    while (!at_work) std::this_thread::sleep_for(1ms);
    client->kill();
  });
  const auto answer = client->call("run", Json::object(), [&](const Json&) { at_work = true; });
  at_work = true;  // also if it ended too early
  killer.join();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "cancelled");
}

TEST(WorkerClient, CompileThatSpinsIsKilledAtItsLimit) {
  Launch launch = fake("hangs");
  launch.compile_limit = 150ms;
  const auto client = Client::start(launch);
  ASSERT_TRUE(client);
  const auto kernel = (*client)->compile({});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code, "worker_timeout");
  EXPECT_FALSE((*client)->alive());
}

TEST(WorkerClient, SlowBytesMakeAMessage) {
  const auto client = started("slow");
  ASSERT_TRUE(client);
  EXPECT_TRUE(client->call("run", Json::object()));
}

class Breach : public testing::TestWithParam<const char*> {};

TEST_P(Breach, EndsInATypedErrorAndTheWorkersEnd) {
  const auto client = started(GetParam());
  ASSERT_TRUE(client);
  const Error error = call_error(*client);
  EXPECT_EQ(error.code, "worker_protocol") << error.message;
  EXPECT_EQ(error.kind, ErrorKind::protocol);
  EXPECT_FALSE(client->alive());
}

INSTANTIATE_TEST_SUITE_P(Kinds, Breach,
                         testing::Values("garbage", "array", "oversized", "wrong_id", "null_id", "asks_back"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(WorkerClient, TruncatedAnswerIsADeath) {
  const auto client = started("truncated");
  ASSERT_TRUE(client);
  EXPECT_EQ(call_error(*client).code, "worker_died");
}

TEST(WorkerClient, ClosedOutputIsADeathEvenIfTheProcessStays) {
  const auto client = started("closes_output");
  ASSERT_TRUE(client);
  EXPECT_EQ(call_error(*client).code, "worker_died");
}

TEST(WorkerClient, ProgressAndLogReachTheCaller) {
  Log log;
  const auto client = started("notifying", log.sink());
  ASSERT_TRUE(client);
  std::vector<int> steps;
  const auto run = client->run({}, [&](const bench::Progress& progress) {
    EXPECT_EQ(progress.stage, "verify");
    steps.push_back(progress.step);
  });
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(steps, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(run->problem, "p");
  EXPECT_THAT(log.lines(), Contains("from the worker"));
}

TEST(WorkerClient, RunThatLosesTheDeviceArrivesAndTheWorkerIsGone) {
  const auto client = started("losing");
  ASSERT_TRUE(client);
  const auto run = client->run({});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->verdict.status, verify::Status::out_of_bounds);
  EXPECT_FALSE(client->alive());
  EXPECT_EQ(call_error(*client).code, "worker_died");
}

TEST(WorkerClient, NoProcessIsLeftBehind) {
  long id = 0;
  {
    const auto client = started("hangs");
    ASSERT_TRUE(client);
    id = client->process_id();
  }
  EXPECT_NE(::kill(static_cast<pid_t>(id), 0), 0);
}

}  // namespace
}  // namespace ridge::worker
