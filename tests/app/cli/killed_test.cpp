// SPDX-License-Identifier: GPL-3.0-or-later
// A client that is killed leaves no worker behind, whatever that is doing.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
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

}  // namespace
