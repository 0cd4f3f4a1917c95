// SPDX-License-Identifier: GPL-3.0-or-later
// Splitting a range of pieces over threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace ridge::verify {

/// Calls work(piece) for 0 <= piece < pieces from up to `threads` threads (0: all cores), each piece once.
template <class Work>
void for_each_piece(std::size_t pieces, unsigned threads, const Work& work) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t workers = std::min<std::size_t>(threads, pieces);
  if (workers <= 1) {
    for (std::size_t piece = 0; piece < pieces; ++piece) work(piece);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> pool;
  pool.reserve(workers);
  for (std::size_t i = 0; i < workers; ++i) {
    pool.emplace_back([&] {
      for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
    });
  }
}

}  // namespace ridge::verify
