// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/captured_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

#include "worker/protocol.h"

namespace ridge::worker {

CapturedOutput::CapturedOutput(int descriptor) : protocol_(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) {
  if (descriptor != STDOUT_FILENO) return;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  std::fflush(stdout);
  ::dup2(ends[1], STDOUT_FILENO);
  ::close(ends[1]);
  pipe_ = ends[0];
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

CapturedOutput::~CapturedOutput() {
  if (pipe_ >= 0) {
    std::fflush(stdout);
    ended_ = true;
    if (reader_.joinable()) reader_.join();
    ::dup2(protocol_, STDOUT_FILENO);
    ::close(pipe_);
  }
  ::close(protocol_);
}

void CapturedOutput::start(OnLine on_line) {
  on_line_ = std::move(on_line);
  if (pipe_ >= 0) reader_ = std::thread([this] { read_all(); });
}

void CapturedOutput::begin() {
  wait_until_read();
  const std::lock_guard lock(mutex_);
  kept_.clear();
  dropped_ = 0;
}

std::string CapturedOutput::take() {
  wait_until_read();
  const std::lock_guard lock(mutex_);
  std::string text = std::exchange(kept_, {});
  if (const std::size_t dropped = std::exchange(dropped_, 0))
    text += "\n(" + std::to_string(dropped) + " more bytes were printed; 1 MiB a run is kept)\n";
  return text;
}

/// What this process has printed so far is in the pipe or beyond it; waits until nothing is in the pipe.
void CapturedOutput::wait_until_read() {
  if (pipe_ < 0) return;
  std::fflush(stdout);
  constexpr int kTries = 500;
  for (int i = 0, waiting = 0; i < kTries && ::ioctl(pipe_, FIONREAD, &waiting) == 0 && waiting > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Keeps what fits and returns it.
std::string_view CapturedOutput::keep(std::string_view bytes) {
  const std::string_view fits = bytes.substr(0, kOutputLimit - std::min(kOutputLimit, kept_.size()));
  kept_ += fits;
  dropped_ += bytes.size() - fits.size();
  return fits;
}

void CapturedOutput::read_all() {
  LineSplitter lines(kOutputLimit);
  std::array<char, 65536> buffer;
  pollfd readable{pipe_, POLLIN, 0};
  for (;;) {
    constexpr int kMilliseconds = 50;
    if (::poll(&readable, 1, kMilliseconds) <= 0) {
      if (ended_) break;
      continue;
    }
    std::string_view fits;
    {
      const std::lock_guard lock(mutex_);
      const ssize_t count = ::read(pipe_, buffer.data(), buffer.size());
      if (count <= 0) break;
      fits = keep({buffer.data(), static_cast<std::size_t>(count)});
    }
    lines.push(fits, [this](const std::string& line, bool) { on_line_(line); });
  }
  if (!lines.rest().empty()) on_line_(lines.rest());
}

}  // namespace ridge::worker
