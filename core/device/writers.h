// SPDX-License-Identifier: GPL-3.0-or-later
// Which thread stored each element of some device memory last. Only the emulator can know; it records on
// request.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace ridge::device {

/// Elements of which the last writers are asked for.
struct Watch {
  std::uint64_t at = 0;  ///< address of the first
  std::int64_t elements = 0, element_bytes = 4;
};

/// The last writers of one watch. Threads of a block follow each other; what several blocks of a launch store
/// (atomics) has no last writer. A later launch of the sequence takes over from earlier ones.
class Writers {
 public:
  struct Thread {
    int launch = 0;          ///< of the sequence
    std::int64_t block = 0;  ///< linear, x fastest
    int thread = 0;          ///< linear in its block
  };

  explicit Writers(std::int64_t elements) : words_(static_cast<std::size_t>(elements), kNobody) {}
  std::int64_t elements() const { return static_cast<std::int64_t>(words_.size()); }

  /// Several host threads may call it at once.
  void note(std::int64_t element, const Thread& by) {
    const std::uint64_t own = pack(by);
    const std::atomic_ref word(words_[static_cast<std::size_t>(element)]);
    std::uint64_t old = word.load(std::memory_order_relaxed);
    std::uint64_t next = own;
    do {
      const bool rival = old != kNobody && launch_of(old) == by.launch && block_of(old) != by.block;
      next = rival ? pack({by.launch, kSeveral, 0}) : own;
    } while (!word.compare_exchange_weak(old, next, std::memory_order_relaxed));
  }
  /// Null: nobody, or several blocks.
  std::optional<Thread> at(std::int64_t element) const {
    if (element < 0 || element >= elements()) return std::nullopt;
    const std::uint64_t word = words_[static_cast<std::size_t>(element)];
    if (word == kNobody || block_of(word) == kSeveral) return std::nullopt;
    return Thread{launch_of(word), block_of(word), static_cast<int>(word & kThreadMask)};
  }

 private:
  // launch << 56 | block << 10 | thread; the largest block number stands for several.
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0}, kThreadMask = 1023;
  static constexpr std::int64_t kSeveral = (std::int64_t{1} << 46) - 1;
  static std::uint64_t pack(const Thread& by) {
    return static_cast<std::uint64_t>(by.launch & 127) << 56 | static_cast<std::uint64_t>(by.block) << 10 |
           static_cast<std::uint64_t>(by.thread);
  }
  static int launch_of(std::uint64_t word) { return static_cast<int>(word >> 56); }
  static std::int64_t block_of(std::uint64_t word) {
    return static_cast<std::int64_t>(word >> 10 & static_cast<std::uint64_t>(kSeveral));
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace ridge::device
