// SPDX-License-Identifier: GPL-3.0-or-later
// A stream: a thread that executes operations in the order in which they were queued.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace fake_cuda {

class Stream {
 public:
  static std::shared_ptr<Stream> start();
  void push(std::function<void()> operation);
  void wait_idle();
  /// The thread ends after what is queued; one that hangs stays until the process ends.
  void finish();

 private:
  static void work(std::shared_ptr<Stream> stream);
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> operations_;
  bool busy_ = false, finished_ = false;
};

}  // namespace fake_cuda
