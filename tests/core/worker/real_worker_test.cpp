// SPDX-License-Identifier: GPL-3.0-or-later
// Real workers: NVRTC behind the compile role, the emulator behind the device role, and their recorded
// conversations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "core/session/sample_run.h"
#include "worker/lines.h"
#include "worker/process.h"
#include "worker/protocol.h"
#include "worker/worker.h"

namespace ridge::worker {
namespace {

using session::test::TemporaryFolder;
using testing::HasSubstr;

Launch real(Role role, const std::string& device = "emulator") {
  Launch launch;
  launch.role = role;
  launch.device = device;
  launch.program = REAL_WORKER;
  return launch;
}

Result<std::unique_ptr<Client>> compile_worker() {
  return Client::start(real(Role::compile));
}

constexpr const char* kAddOne = R"cuda(//@ grid: ceil_div(n, 64)
//@ block: 64
__global__ void add_one(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1.0f;
}
)cuda";

/// A problem of one axis that add_one solves, with its reference.
problem::Problem add_one_problem(const TemporaryFolder& parent) {
  const std::filesystem::path folder = parent / "add_one";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "problem.toml") << R"toml([problem]
name = "add_one"
[axes]
n = { kind = "var" }
[[inputs]]
name = "x"
dtype = "float32"
shape = ["n"]
[[outputs]]
name = "y"
dtype = "float32"
shape = ["n"]
[model]
flops = "n"
unit = "fp32"
[reference]
kind = "cuda"
file = "reference.cu"
[[workloads]]
name = "ragged"
axes = { n = 1000 }
)toml";
  std::ofstream(folder / "reference.cu") << R"cuda(//@ grid: n
//@ block: 1
__global__ void reference(const float* x, double* y) { y[blockIdx.x] = double(x[blockIdx.x]) + 1.0; }
)cuda";
  auto loaded = problem::load_problem(folder);
  for (const Diagnostic& diagnostic : loaded.diagnostics) ADD_FAILURE() << format(diagnostic);
  return loaded.problem.value_or(problem::Problem{});
}

/// The one job of add_one with the given text, compiled by a compile worker.
Result<bench::Job> job_of(const TemporaryFolder& folder, const std::string& text,
                          const device::DeviceInfo& device) {
  auto source = source::parse_source(text, (folder / "add_one.cu").string());
  if (!source) return source.error();
  auto compiler = compile_worker();
  if (!compiler) return compiler.error();
  bench::Request request;
  request.source = *source;
  request.problem = add_one_problem(folder);
  const auto prepared = bench::prepare(request, {}, device, [&](const compile::CompileRequest& wanted) {
    return (*compiler)->compile(wanted);
  });
  if (!prepared) return prepared.error();
  for (const Diagnostic& diagnostic : prepared->diagnostics) ADD_FAILURE() << format(diagnostic);
  if (prepared->jobs.size() != 1)
    return Error{ErrorKind::internal, "no_job", "One job was expected.", {}, {}, 0};
  return prepared->jobs.front();
}

bool has_nvrtc() {
  const auto compiler = compile_worker();
  return compiler && !(*compiler)->capabilities().toolkit.empty();
}

TEST(CompileWorker, SaysWhatItHas) {
  const auto client = compile_worker();
  ASSERT_TRUE(client) << client.error().message;
  const Capabilities& capabilities = (*client)->capabilities();
  EXPECT_EQ(capabilities.role, Role::compile);
  if (capabilities.toolkit.empty())
    EXPECT_FALSE(capabilities.notes.empty());
  else
    EXPECT_THAT(capabilities.architectures, testing::Contains("sm_90a"));
}

TEST(CompileWorker, CompilesAndDisassembles) {
  if (!has_nvrtc()) GTEST_SKIP() << "NVRTC is not installed";
  const auto client = compile_worker();
  ASSERT_TRUE(client);
  const auto source = source::parse_source(kAddOne, "add_one.cu");
  ASSERT_TRUE(source);
  auto request = compile::request_for(*source, source::prepare(*source), "sm_90");
  const auto kernel = (*client)->compile(request);
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_TRUE(kernel->ok);
  EXPECT_THAT(kernel->ptx, HasSubstr(".entry"));
  EXPECT_NE(kernel->entry("add_one"), nullptr);
  if ((*client)->capabilities().disassembler) {
    const auto text = (*client)->disassemble(kernel->cubin);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_THAT(*text, HasSubstr("add_one"));
  }
}

TEST(CompileWorker, FaultOfTheSourceIsADiagnosticNotAnError) {
  if (!has_nvrtc()) GTEST_SKIP() << "NVRTC is not installed";
  const auto client = compile_worker();
  const auto source = source::parse_source("__global__ void k() {\n  int x = ;\n}\n", "k.cu");
  ASSERT_TRUE(client && source);
  const auto kernel = (*client)->compile(compile::request_for(*source, source::prepare(*source), "sm_90"));
  ASSERT_TRUE(kernel);
  EXPECT_FALSE(kernel->ok);
  ASSERT_FALSE(kernel->diagnostics.empty());
  EXPECT_EQ(kernel->diagnostics[0].line, 2);
}

TEST(CompileWorker, WhatIsNoCubinIsAnError) {
  const auto client = compile_worker();
  ASSERT_TRUE(client);
  EXPECT_FALSE((*client)->disassemble(""));
  EXPECT_FALSE((*client)->disassemble("not a cubin"));
  EXPECT_TRUE((*client)->alive());
}

TEST(DeviceWorker, EmulatorIsServedWithoutAGpu) {
  const auto client = Client::start(real(Role::device));
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_EQ((*client)->capabilities().device, "emulator");
  const auto devices = (*client)->call("devices", Json::object());
  ASSERT_TRUE(devices);
  EXPECT_FALSE((*devices)["devices"].empty());
}

TEST(DeviceWorker, DevicesThatAreNotThereAreNamed) {
  for (const auto& [device, code] :
       {std::pair("cuda:99", "no_such_gpu"), std::pair("banana", "unknown_device"),
        std::pair("cuda:", "unknown_device"), std::pair("cuda:1x", "unknown_device")}) {
    const auto client = Client::start(real(Role::device, device));
    ASSERT_FALSE(client) << device;
    EXPECT_EQ(client.error().code, code) << client.error().message;
  }
  Launch launch = real(Role::device);
  launch.model = "NoSuchModel";
  EXPECT_FALSE(Client::start(launch));
}

TEST(DeviceWorker, RefusesWhatIsNoJobAndOtherRolesMethods) {
  const auto client = Client::start(real(Role::device));
  ASSERT_TRUE(client);
  for (const Json& parameters : {Json::object(), Json{{"job", 3}}, Json{{"job", {{"problem", {1}}}}}})
    EXPECT_FALSE((*client)->call("run", parameters));
  EXPECT_EQ((*client)->call("compile", Json::object()).error().code, "unknown_method");
  EXPECT_TRUE((*client)->alive());
}

TEST(DeviceWorker, RunsAJobThenAnother) {
  if (!has_nvrtc()) GTEST_SKIP() << "NVRTC is not installed";
  const TemporaryFolder folder;
  const auto client = Client::start(real(Role::device));
  ASSERT_TRUE(client);
  const auto job = job_of(folder, kAddOne, (*client)->capabilities().devices.back());
  ASSERT_TRUE(job) << job.error().message;
  std::vector<std::string> stages;
  for (int round = 0; round < 2; ++round) {
    const auto run =
        (*client)->run(*job, [&](const bench::Progress& progress) { stages.push_back(progress.stage); });
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->verdict.status, verify::Status::pass) << run->verdict.message;
    EXPECT_FALSE(run->timing.has_value());
    EXPECT_EQ(run->problem, "add_one");
    EXPECT_EQ(run->device.kind, device::Kind::emulator);
  }
  EXPECT_THAT(stages, testing::Contains("verify"));
}

constexpr const char* kSpin = R"cuda(//@ grid: 1
//@ block: 32
__global__ void add_one(const float* x, float* y, int n) {
  volatile float* v = y;
  while (v[0] == v[0] || n > 0) v[0] = x[0];
}
)cuda";

TEST(DeviceWorker, StopEndsAnEndlessKernelAndTheNextRunWorks) {
  if (!has_nvrtc()) GTEST_SKIP() << "NVRTC is not installed";
  const TemporaryFolder folder;
  auto client = Client::start(real(Role::device));
  ASSERT_TRUE(client);
  const device::DeviceInfo device = (*client)->capabilities().devices.back();
  auto job = job_of(folder, kSpin, device);
  ASSERT_TRUE(job) << job.error().message;
  job->options.budget = std::int64_t{1} << 40;
  std::atomic<bool> verifying{false};
  std::thread stopper([&] {
    while (!verifying) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    (*client)->stop(std::chrono::milliseconds(30000));
  });
  const auto stopped = (*client)->run(*job, [&](const bench::Progress& progress) {
    if (progress.stage == "verify") verifying = true;
  });
  verifying = true;  // also if it ended too early
  stopper.join();
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
  if (!(*client)->alive()) client = Client::start(real(Role::device));
  const auto sound = job_of(folder, kAddOne, device);
  ASSERT_TRUE(client && sound);
  const auto run = (*client)->run(*sound);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->verdict.status, verify::Status::pass);
}

/// Waits until the process has ended; false when it lives on.
bool ends(Process& process) {
  return process.wait(std::chrono::seconds(8));
}

TEST(DeviceWorker, EndlessRunEndsSoonAfterTheInput) {
  if (!has_nvrtc()) GTEST_SKIP() << "NVRTC is not installed";
  const TemporaryFolder folder;
  device::DeviceInfo device;
  {
    const auto client = Client::start(real(Role::device));
    ASSERT_TRUE(client);
    device = (*client)->capabilities().devices.back();
  }
  auto job = job_of(folder, kSpin, device);
  ASSERT_TRUE(job) << job.error().message;
  job->options.budget = std::int64_t{1} << 40;
  const auto worker = Process::start({REAL_WORKER, "worker", "--role", "device", "--device", "emulator"});
  ASSERT_TRUE(worker) << worker.error().message;
  ASSERT_TRUE(write_all((*worker)->input(), request_line(1, "initialize", {{"protocol", 1}}) +
                                                request_line(2, "run", {{"job", bench::to_json(*job)}})));
  std::string said;
  while (said.find("\"verify\"") == std::string::npos) {  // until the run is on its way
    std::array<char, 65536> bytes;
    const ssize_t count = ::read((*worker)->output(), bytes.data(), bytes.size());
    ASSERT_GT(count, 0) << said;
    said.append(bytes.data(), static_cast<std::size_t>(count));
  }
  EXPECT_FALSE((*worker)->wait(std::chrono::milliseconds(300)));
  (*worker)->close_input();  // the output stays open, as launchers keep it
  EXPECT_TRUE(ends(**worker));
}

TEST(AnyWorker, EndsWhenItsParentDies) {
  for (const char* role : {"compile", "device"}) {
    // A shell starts the worker on pipes that this test holds open, tells its id and is killed.
    const std::string command = std::string("exec 3<&0; ") + REAL_WORKER + " worker --role " + role +
                                " --device emulator <&3 & echo $! >&2; wait";
    const auto shell = Process::start({"sh", "-c", command});
    ASSERT_TRUE(shell) << shell.error().message;
    std::array<char, 32> said{};
    ASSERT_GT(::read((*shell)->errors(), said.data(), said.size() - 1), 0);
    const pid_t worker = std::stoi(said.data());
    ASSERT_TRUE(write_all((*shell)->input(), request_line(1, "initialize", {{"protocol", 1}})));
    ASSERT_GT(::read((*shell)->output(), said.data(), said.size() - 1), 0);  // it serves
    ASSERT_EQ(::kill((*shell)->id(), SIGKILL), 0);
    // The output ends when the last process that holds it has ended.
    std::array<char, 65536> rest;
    pollfd readable{(*shell)->output(), POLLIN, 0};
    constexpr int kMilliseconds = 8000;
    ssize_t count = 1;
    while (count > 0 && ::poll(&readable, 1, kMilliseconds) > 0)
      count = ::read((*shell)->output(), rest.data(), rest.size());
    EXPECT_EQ(count, 0) << role << " worker lives on";
    if (count != 0) ::kill(worker, SIGKILL);
  }
}

TEST(WorkerTranscript, RecordedRunReplaysElsewhere) {
  if (!has_nvrtc()) GTEST_SKIP() << "NVRTC is not installed";
  const TemporaryFolder here, there;
  Launch launch = real(Role::device);
  launch.record = here / "run.jsonl";
  session::Run recorded;
  device::DeviceInfo device;
  {
    const auto client = Client::start(launch);
    ASSERT_TRUE(client) << client.error().message;
    device = (*client)->capabilities().devices.back();
    const auto job = job_of(here, kAddOne, device);
    ASSERT_TRUE(job) << job.error().message;
    const auto run = (*client)->run(*job);
    ASSERT_TRUE(run) << run.error().message;
    recorded = *run;
  }
  Launch again = real(Role::device);
  again.replay = launch.record;
  const auto client = Client::start(again);
  ASSERT_TRUE(client) << client.error().message;
  const auto same = job_of(there, kAddOne, device);
  ASSERT_TRUE(same);
  const auto run = (*client)->run(*same);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(session::dump(session::to_json(*run, true)), session::dump(session::to_json(recorded, true)));
  const auto other = job_of(there, std::string(kAddOne) + "// another text\n", device);
  ASSERT_TRUE(other);
  const auto missing = (*client)->run(*other);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "not_in_transcript");
}

TEST(WorkerTranscript, MissingFileEndsTheWorkerWithItsReason) {
  Launch launch = real(Role::device);
  launch.replay = "/nonexistent/t.jsonl";
  const auto client = Client::start(launch);
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, "worker_died");
  EXPECT_THAT(client.error().message.english(), HasSubstr("/nonexistent/t.jsonl"));
}

}  // namespace
}  // namespace ridge::worker
