// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/disassemble.h"

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
#include <string_view>

#include "base/text.h"

namespace ridge::compile {

namespace {

constexpr std::size_t kLongest = 256u << 20;  // bytes of text
constexpr std::chrono::seconds kTimeLimit{60};

Error failed(Sentence message, Sentence hint = {}) {
  return {ErrorKind::component, "nvdisasm_failed", std::move(message), std::move(hint)};
}

/// A file that is gone when its owner is.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder && *folder ? folder : "/tmp") + "/ridge-cubin-XXXXXX";
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
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  bool whole() const { return whole_; }

 private:
  std::string path_;
  bool whole_ = false;
};

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

Result<std::string> run_nvdisasm(const std::filesystem::path& program, const std::string& cubin) {
  if (program.empty())
    return Error{ErrorKind::component, "nvdisasm_missing",
                 say("There is no nvdisasm in the toolkit or on the path: no SASS can be shown."),
                 say("Install cuda-nvdisasm of the toolkit (wheel nvidia-cuda-nvdisasm)")};
  if (cubin.empty())
    return failed(say("There is no binary to disassemble."), say("Compile for sm_XX, not compute_XX"));
  const TemporaryFile file(cubin);
  if (!file.whole())
    return failed(say("The binary could not be written to a temporary file."), say("Free some disk space"));

  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed(say("nvdisasm could not be started: no pipe."));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  std::string name = program.string(), lines = "--print-line-info", plain = "--no-dataflow",
              path = file.path();
  std::array<char*, 5> arguments{name.data(), lines.data(), plain.data(), path.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  const bool whole = error == 0 && read_all(ends[0], text);
  ::close(ends[0]);
  if (error != 0)
    return failed(say("{} could not be started.", program.string()), say("Check that it may be executed"));
  if (!whole) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!whole) return failed(say("nvdisasm took longer than a minute or wrote too much."));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return failed(say("nvdisasm failed: {}", trim(text.substr(0, 500))));
  return text;
}

}  // namespace ridge::compile
