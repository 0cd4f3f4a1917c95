// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_cuda/stream.h"

#include <thread>

namespace fake_cuda {

std::shared_ptr<Stream> Stream::start() {
  auto stream = std::make_shared<Stream>();
  std::thread(work, stream).detach();
  return stream;
}

void Stream::push(std::function<void()> operation) {
  const std::scoped_lock lock(mutex_);
  operations_.push_back(std::move(operation));
  changed_.notify_all();
}

void Stream::wait_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return operations_.empty() && !busy_; });
}

void Stream::finish() {
  const std::scoped_lock lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

void Stream::work(std::shared_ptr<Stream> stream) {
  std::unique_lock lock(stream->mutex_);
  while (true) {
    stream->changed_.wait(lock, [&] { return !stream->operations_.empty() || stream->finished_; });
    if (stream->operations_.empty()) return;
    const std::function<void()> operation = std::move(stream->operations_.front());
    stream->operations_.pop_front();
    stream->busy_ = true;
    lock.unlock();
    operation();
    lock.lock();
    stream->busy_ = false;
    stream->changed_.notify_all();
  }
}

}  // namespace fake_cuda
