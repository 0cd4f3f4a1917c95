// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <thread>
#include <utility>

#include "base/system_message.h"

extern char** environ;  // NOLINT: declared by POSIX

namespace ridge::worker {
namespace {

Error not_started(const std::string& program, int problem) {
  return {ErrorKind::component,
          "worker_missing",
          say("The worker could not be started: {}: {}.", program, system_message(problem)),
          say("Check that the program exists and may be executed."),
          {},
          0};
}

void close_all(const std::array<std::array<int, 2>, 3>& pipes) {
  for (const auto& ends : pipes)
    for (const int end : ends)
      if (end >= 0) ::close(end);
}

int spawn(const std::vector<std::string>& command, const std::array<int, 3>& streams, pid_t* child) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int stream = 0; stream < 3; ++stream)
    posix_spawn_file_actions_adddup2(&actions, streams[static_cast<std::size_t>(stream)], stream);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own: Ctrl-C in a terminal goes to the client, which stops the worker politely.
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  const int problem = ::posix_spawnp(child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return problem;
}

}  // namespace

Result<std::unique_ptr<Process>> Process::start(const std::vector<std::string>& command) {
  std::array<std::array<int, 2>, 3> pipes{{{-1, -1}, {-1, -1}, {-1, -1}}};
  for (auto& ends : pipes)
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      const int problem = errno;
      close_all(pipes);
      return not_started(command.front(), problem);
    }
  std::unique_ptr<Process> process(new Process);
  const int problem = spawn(command, {pipes[0][0], pipes[1][1], pipes[2][1]}, &process->id_);
  if (problem != 0) {
    process->id_ = -1;
    close_all(pipes);
    return not_started(command.front(), problem);
  }
  ::close(pipes[0][0]);
  ::close(pipes[1][1]);
  ::close(pipes[2][1]);
  process->input_ = pipes[0][1];
  process->output_ = pipes[1][0];
  process->errors_ = pipes[2][0];
  return process;
}

Process::~Process() {
  close_input();
  if (id_ > 0 && !ended()) {
    kill();
    constexpr std::chrono::seconds kLong{5};
    wait(kLong);
  }
  if (output_ >= 0) ::close(output_);
  if (errors_ >= 0) ::close(errors_);
}

void Process::close_input() {
  if (const int input = std::exchange(input_, -1); input >= 0) ::close(input);
}

void Process::kill() {
  const std::lock_guard lock(mutex_);
  if (id_ > 0 && !status_) ::kill(-id_, SIGKILL);
}

std::optional<int> Process::ended() {
  const std::lock_guard lock(mutex_);
  int status = 0;
  if (!status_ && ::waitpid(id_, &status, WNOHANG) == id_) status_ = status;
  return status_;
}

bool Process::wait(std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  constexpr std::chrono::milliseconds kPause{2};
  while (!ended()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

Sentence describe_end(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    const char* name = ::sigdescr_np(signal);
    return name ? say("was killed by signal {} ({})", signal, name) : say("was killed by signal {}", signal);
  }
  return say("ended with status {}", WEXITSTATUS(wait_status));
}

}  // namespace ridge::worker
