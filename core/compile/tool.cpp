// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/tool.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

namespace ridge::compile {

namespace {

constexpr std::size_t kLongest = 256u << 20;  // bytes of output
constexpr std::chrono::seconds kTimeLimit{60};

Error failed(Sentence message, Sentence hint = {}) {
  return {ErrorKind::component, "tool_failed", std::move(message), std::move(hint)};
}

/// Reads until the other side closes, the time is up or it is too much.
bool read_all(int from, std::string& text) {
  const auto end = std::chrono::steady_clock::now() + kTimeLimit;
  std::array<char, 65536> buffer{};
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd wait{from, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&wait, 1, static_cast<int>(left.count())) <= 0) return false;
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    if (text.size() + static_cast<std::size_t>(got) > kLongest) return false;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

TemporaryFile::TemporaryFile(std::string_view bytes) {
  const char* folder = std::getenv("TMPDIR");
  path_ = std::string(folder && *folder ? folder : "/tmp") + "/ridge-compile-XXXXXX";
  const int file = ::mkstemp(path_.data());
  if (file < 0) {
    path_.clear();
    return;
  }
  while (!bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  whole_ = bytes.empty();
  ::close(file);
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

Result<ToolOutcome> run_tool(const std::filesystem::path& program, std::vector<std::string> arguments) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return failed(say("{} could not be started: no pipe.", program.filename().string()));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  std::string name = program.string();
  std::vector<char*> words{name.data()};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, program.c_str(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  ToolOutcome outcome;
  const bool whole = error == 0 && read_all(ends[0], outcome.text);
  ::close(ends[0]);
  if (error != 0) return failed(say("{} could not be started.", name), say("Check that it may be executed"));
  if (!whole) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!whole)
    return failed(say("{} took longer than a minute or wrote too much.", program.filename().string()));
  outcome.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return outcome;
}

}  // namespace ridge::compile
