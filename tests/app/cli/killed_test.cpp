// SPDX-License-Identifier: GPL-3.0-or-later
// A client that is killed leaves no worker behind, whatever that is doing.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <thread>

#include "command.h"

using namespace ridge;
using namespace ridge::test;
namespace fs = std::filesystem;

namespace {

using Processes = std::set<pid_t>;

/// The children of a process and theirs.
Processes descendants(pid_t process) {
  Processes all;
  std::error_code ignored;
  for (const auto& thread : fs::directory_iterator("/proc/" + std::to_string(process) + "/task", ignored)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) {
      all.insert(child);
      all.merge(descendants(child));
    }
  }
  return all;
}

std::string command_line(pid_t process) {
  return text_of("/proc/" + std::to_string(process) + "/cmdline");
}

bool waits_for(const std::function<bool()>& condition, std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

/// Runs until `busy` holds for its descendants, kills the client alone, and sees all others go.
void expect_nothing_left(const std::vector<std::string>& arguments,
                         const std::function<bool(const Processes&)>& busy) {
  const TemporaryFolder folder;
  const pid_t client = start_ridge(arguments, folder.path());
  Processes others;
  const bool started = waits_for(
      [&] {
        others = descendants(client);
        return busy(others);
      },
      std::chrono::seconds(60));
  kill(client, SIGKILL);
  waitpid(client, nullptr, 0);
  ASSERT_TRUE(started) << text_of(folder.path() / "err");
  EXPECT_TRUE(waits_for(
      [&] {
        std::erase_if(others,
                      [](pid_t process) { return kill(process, 0) != 0 || command_line(process).empty(); });
        return others.empty();
      },
      std::chrono::seconds(6)))
      << "still there: " << command_line(others.empty() ? 0 : *others.begin());
  for (const pid_t process : others) kill(process, SIGKILL);
}

/// Seconds of processor time that a process has used.
double processor_seconds(pid_t process) {
  const std::string line = text_of("/proc/" + std::to_string(process) + "/stat");
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

TEST(KilledClient, TakesItsWorkersAlongFromAnEndlessKernel) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("spin.cu",
                                     "//@ grid: 1\n//@ block: 32\n"
                                     "__global__ void saxpy(const float* x, float* z, int n) {\n"
                                     "  volatile float* v = z;\n"
                                     "  while (v[0] == v[0] || n > 0) v[0] = x[0];\n}\n");
  expect_nothing_left(
      {"run", file.string(), "--problem", "saxpy", "--device", "emulator", "--budget",
       std::to_string(std::int64_t{1} << 50)},
      [](const Processes& workers) {
        for (const pid_t worker : workers)
          if (command_line(worker).find("device") != std::string::npos && processor_seconds(worker) > 1)
            return true;
        return false;
      });
}

/// A problem whose Python reference never answers; its kernel.
std::string endless_python(const TemporaryFolder& folder) {
  folder.write("problem.toml",
               "[problem]\nname = \"endless\"\n[axes]\nn = { kind = \"var\" }\n"
               "[[inputs]]\nname = \"x\"\ndtype = \"float32\"\nshape = [\"n\"]\n"
               "[[outputs]]\nname = \"y\"\ndtype = \"float32\"\nshape = [\"n\"]\n"
               "[model]\nflops = \"n\"\nunit = \"fp32\"\n[reference]\nkind = \"python\"\n"
               "[[workloads]]\nname = \"one\"\naxes = { n = 64 }\n");
  folder.write("reference.py", "def run(x):\n    while True:\n        pass\n");
  return folder
      .write("copy.cu",
             "//@ grid: 1\n//@ block: 64\n"
             "__global__ void copy(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; }\n")
      .string();
}

bool has_numpy() {
  return std::system("python3 -c 'import numpy' 2>/dev/null") == 0;
}

TEST(KilledClient, TakesAPythonReferenceAlong) {
  if (!has_numpy()) GTEST_SKIP() << "python3 has no numpy here";
  const TemporaryFolder folder;
  expect_nothing_left(
      {"run", endless_python(folder), "--device", "emulator", "--allow-python", "--time-limit", "600"},
      [](const Processes& others) {
        for (const pid_t process : others)
          if (command_line(process).starts_with("python3")) return true;
        return false;
      });
}

TEST(TimeLimit, HoldsForPythonReferences) {
  if (!has_numpy()) GTEST_SKIP() << "python3 has no numpy here";
  const TemporaryFolder folder;
  const Outcome outcome = run_ridge({"run", endless_python(folder), "--device", "emulator", "--allow-python",
                                     "--time-limit", "1.5", "--json", "-"});
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_TRUE(outcome.document()["runs"].empty());
  for (const char* word : {"reference.py: error: ", "time limit of 1.5 s", "--time-limit"})
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
}

}  // namespace
