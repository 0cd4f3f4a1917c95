// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/lines.h"

#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace ridge::worker {
namespace {

/// Keeps a SIGPIPE that a write of this thread raises from the process, whose handlers are not ours to set.
class PipeSignalBlocked {
 public:
  PipeSignalBlocked() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  PipeSignalBlocked(const PipeSignalBlocked&) = delete;
  PipeSignalBlocked& operator=(const PipeSignalBlocked&) = delete;
  ~PipeSignalBlocked() {
    constexpr timespec kAtOnce{0, 0};
    if (!was_pending_)
      while (sigtimedwait(&pipe_, nullptr, &kAtOnce) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

/// Waits until the descriptor takes bytes again; false at the deadline.
bool wait_writable(int descriptor, const Deadline& deadline) {
  int milliseconds = -1;
  if (deadline) {
    const auto left = *deadline - std::chrono::steady_clock::now();
    if (left <= left.zero()) return false;
    milliseconds = static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count());
  }
  pollfd writable{descriptor, POLLOUT, 0};
  return ::poll(&writable, 1, milliseconds) != 0;
}

}  // namespace

void LineSplitter::append(std::string_view part) {
  if (oversized_) return;
  if (line_.size() + part.size() > limit_) {
    oversized_ = true;
    line_ = std::string();
    return;
  }
  line_ += part;
}

void LineSplitter::push(std::string_view bytes, const OnLine& on_line) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    append(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    on_line(std::exchange(line_, {}), std::exchange(oversized_, false));
  }
}

bool write_all(int descriptor, std::string_view bytes, const Deadline& deadline) {
  const PipeSignalBlocked blocked;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {
      if (!wait_writable(descriptor, deadline)) return false;
    } else if (written < 0 && errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace ridge::worker
