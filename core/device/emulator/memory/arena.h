// SPDX-License-Identifier: GPL-3.0-or-later
// Device memory: a reserved range of host memory under addresses of its own, so that the same program sees
// the same addresses in every run. Each allocation has guard zones around it and shadows that say what was
// written and by which block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace ridge::device::emulator {

/// Zeroed memory whose pages cost nothing before they are touched.
struct FreeMemory {
  void operator()(void* memory) const;
};
template <class T>
using Zeroed = std::unique_ptr<T[], FreeMemory>;

/// Bytes that have one mark together for as long as all of them were accessed together.
inline constexpr int kChunkShift = 6;
inline constexpr std::uint32_t kMixedChunk = 0xffffffffu;  ///< look at the marks of the units

struct Allocation {
  std::uint64_t low = 0, high = 0;  ///< device addresses [low, high)
  std::string name;
  bool constant = false;                      ///< of the module's .const variables
  const void* heap = nullptr;                 ///< the module whose kernel's malloc made it
  bool input = false;                         ///< kernels must not write here
  bool concealed = false;                     ///< find() and nearest() pass it over
  std::uint64_t zone_low = 0, zone_high = 0;  ///< with the guard zones
  Zeroed<std::uint8_t> initialised;           ///< a byte each: 1 once it was written
  std::uint64_t known = 0;                    ///< bytes from the start that are surely initialised
  bool complete = false;                      ///< all of them are
  /// Marks of the blocks that wrote and read last (see Launch::first_mark), by chunk and, where a chunk is
  /// mixed, by unit of 1 << shift bytes. Both count from `origin`, the start of the first chunk.
  Zeroed<std::uint32_t> writer, reader, chunk_writer, chunk_reader;
  std::uint64_t origin = 0;
  bool stored = false;  ///< the running launch may write here; only then are the marks kept
  int shift = 0;
};

class Arena {
 public:
  /// `capacity`: bytes of the device that is modelled; what the host can give may be less.
  explicit Arena(std::int64_t capacity);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  Result<Allocation*> allocate(std::uint64_t bytes, const std::string& name, std::uint64_t alignment,
                               std::uint64_t offset = 0);
  void release(std::uint64_t address);
  /// During a launch: other threads of the host may still look at what they know of the allocation.
  void retire(std::uint64_t address);
  /// Whether the address lies in what was retired in this launch.
  bool was_freed(std::uint64_t address) const;
  /// After it.
  void forget_retired();
  void conceal(std::uint64_t address, bool concealed);
  /// The allocation that holds [address, address + bytes), or null.
  Allocation* find(std::uint64_t address, std::uint64_t bytes) const;
  /// The nearest allocation, for messages.
  const Allocation* nearest(std::uint64_t address) const;
  std::uint8_t* host(std::uint64_t address) const { return base_ + (address - kBase); }
  /// Host address minus device address.
  std::uint64_t bias() const { return reinterpret_cast<std::uint64_t>(base_) - kBase; }
  std::int64_t free_bytes() const;
  std::vector<Sentence> damaged_guards() const;
  /// Makes the race shadows ready for units of 1 << shift bytes: those of all allocations (`everywhere`) or
  /// of those that the addresses lie in.
  void prepare_marks(int shift, bool everywhere, std::span<const std::uint64_t> addresses);
  void forget_marks();
  /// Notes that bytes were written by the host (`value` 1) or hold nothing any more (0).
  static void set_initialised(Allocation& allocation, std::uint64_t at, std::uint64_t bytes,
                              std::uint8_t value);
  /// What kernels of this module got from malloc and did not free.
  void release_heap(const void* module);

  static constexpr std::uint64_t kBase = std::uint64_t{0x7f} << 32;  ///< first device address
  static constexpr std::uint64_t kGuard = 512;  ///< bytes before and after each allocation
  static constexpr std::uint8_t kGuardByte = 0xd9;

 private:
  void fill_guards(const Allocation& allocation);

  mutable std::mutex mutex_;  ///< kernels may call malloc
  std::uint8_t* base_ = nullptr;
  std::uint64_t reserved_ = 0, capacity_ = 0, used_ = 0;
  using Allocations = std::map<std::uint64_t, std::unique_ptr<Allocation>>;  ///< by zone_low
  Allocations::iterator starting_at(std::uint64_t address);
  std::unique_ptr<Allocation> remove(Allocations::iterator at);
  Allocations allocations_;
  std::vector<std::unique_ptr<Allocation>> retired_;
};

}  // namespace ridge::device::emulator
