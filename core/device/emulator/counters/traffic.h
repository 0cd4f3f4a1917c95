// SPDX-License-Identifier: GPL-3.0-or-later
// What the global accesses of a launch sequence would move through L2 and to device memory. Blocks keep the
// sectors that they touch; a model of the cache replays them in the order of the blocks, so that the result
// is the same for any number of host threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace ridge::device::emulator {

struct Block;

/// Counted in sectors of 32 bytes.
struct TrafficCounts {
  std::uint64_t lookups = 0, hits = 0, memory_reads = 0, memory_writes = 0;
};

/// A set-associative L2 with lines of four sectors, least recently used first out, written back. It starts
/// empty, a read that misses fetches its sector, a write needs nothing fetched and counts as a hit, as GPUs
/// count it.
class L2Model {
 public:
  explicit L2Model(std::int64_t bytes);
  void read(std::uint64_t sector);
  void write(std::uint64_t sector);
  /// With what is still to be written back.
  TrafficCounts counts() const;

 private:
  static constexpr std::size_t kWays = 16;
  struct Line {
    std::uint64_t tag = ~std::uint64_t{0};
    std::uint64_t used = 0;  ///< when
    std::uint8_t valid = 0, dirty = 0;
  };
  Line& line_of(std::uint64_t sector);

  std::vector<Line> lines_;
  std::uint64_t sets_ = 1, clock_ = 0;
  TrafficCounts counts_;
};

class Traffic {
 public:
  explicit Traffic(std::int64_t l2_bytes) : l2_(l2_bytes) {}
  /// `serial`: blocks run one after another on one thread, and their order of execution counts.
  void start_launch(bool serial);
  /// The block has ended.
  void finish(Block& block);
  /// The block's list is long: replays it when the block's turn has come, else waits for that. Lists of
  /// clusters grow on.
  void relieve(Block& block);
  TrafficCounts counts() const { return l2_.counts(); }

  /// Length of a block's list at which it must be relieved.
  static constexpr std::size_t kLong = std::size_t{1} << 20;

 private:
  void replay(std::vector<std::uint64_t>& runs);

  std::mutex mutex_;
  std::condition_variable turn_changed_;
  bool serial_ = true;
  std::uint64_t next_turn_ = 0;
  std::map<std::uint64_t, std::vector<std::uint64_t>> waiting_;  ///< of blocks that ended before their turn
  L2Model l2_;
};

}  // namespace ridge::device::emulator
