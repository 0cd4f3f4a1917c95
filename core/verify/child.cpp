// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "base/system_message.h"

namespace ridge::verify {
namespace {

/// Between fork and exec of a process with threads: only calls that are safe there.
[[noreturn]] void become(char* const* arguments, const char* log, pid_t parent) {
  setpgid(0, 0);
  // Whoever kills this process kills what works for it; what was killed before this line left another parent.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC),
            output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execvp(arguments[0], arguments);
  _exit(127);
}

/// True once the process has ended; it is not reaped yet, so that its id stays its own.
bool has_ended(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == child;
}

}  // namespace

Result<ChildEnd> run_child(const std::vector<std::string>& command, const std::filesystem::path& log,
                           double time_limit_seconds, const std::atomic<bool>* stop) {
  using Clock = std::chrono::steady_clock;
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(arguments.data(), log.c_str(), parent);
  if (child < 0)
    return Error{ErrorKind::component,
                 "not_started",
                 say("{} cannot be started: {}", command.front(), system_message(errno)),
                 {},
                 {},
                 0};
  setpgid(child, child);  // here too: whichever comes first

  const auto end = Clock::now() + std::chrono::duration<double>(time_limit_seconds);
  constexpr std::chrono::milliseconds kLook{5};
  ChildEnd result;
  while (!has_ended(child)) {
    if (stop != nullptr && stop->load())
      result.how = ChildEnd::How::stopped;
    else if (Clock::now() >= end)
      result.how = ChildEnd::How::timed_out;
    if (result.how != ChildEnd::How::exited) break;
    std::this_thread::sleep_for(kLook);
  }
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace ridge::verify
