// SPDX-License-Identifier: GPL-3.0-or-later
// One launch: its geometry, its blocks in their order, and the host threads that execute them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/emulator/checks/report.h"
#include "device/emulator/counters/tally.h"
#include "device/emulator/exec/program.h"
#include "device/emulator/exec/state.h"
#include "device/emulator/memory/arena.h"
#include "device/emulator/memory/texture.h"

namespace ridge::device::emulator {

class Traffic;

/// Text of device printf, cut at 1 MiB with a note.
class Output {
 public:
  void append(std::string_view text);
  bool is_full() const { return full_.load(std::memory_order_relaxed); }
  std::string take();

 private:
  static constexpr std::size_t kLimit = std::size_t{1} << 20;
  std::mutex mutex_;
  std::string text_;
  std::atomic<bool> full_{false};
};

class Tracer;

/// Marks that the blocks of a launch may have beyond the first.
inline constexpr std::uint64_t kMostLaterMarks = 1 << 22;

struct Launch {
  const ptx::Module* module = nullptr;
  const Program* program = nullptr;
  const FunctionCode* entry = nullptr;
  Arena* arena = nullptr;
  std::array<std::int64_t, 3> grid_extent{1, 1, 1}, block_extent{1, 1, 1}, cluster_extent{1, 1, 1};
  std::int64_t shared_bytes = 0;  ///< static and dynamic
  std::int64_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;  ///< the parameter block
  LaunchOptions options;
  bool cooperative = false;
  bool serial = false;                             ///< one cluster of blocks after the other
  std::uint64_t envreg = 0;                        ///< address of the workspace of grid.sync
  const std::vector<Texture>* textures = nullptr;  ///< of the device
  int sm_count = 1;
  std::uint64_t id = 0;

  std::uint64_t blocks = 1;
  std::uint32_t first_mark = 1;    ///< global marks of this launch begin here; block turn t has first + t
  std::uint32_t many_readers = 1;  ///< the mark of several blocks
  bool block_races = false;        ///< look for races between blocks
  std::atomic<std::uint64_t> next_turn{0};
  std::atomic<bool> cancelled{false};   ///< by a trap, a flood of findings or the user
  std::atomic<bool> stopped{false};     ///< by the user
  std::atomic<bool> given_up{false};    ///< a warp or the launch, after too many faults
  std::atomic<bool> exhausted{false};   ///< the host has no memory for another block
  std::atomic<std::uint64_t> clock{0};  ///< moments of synchronisation between blocks
  /// When what was done under a mark was released; only for kernels that synchronise blocks.
  std::vector<std::uint64_t> released;
  std::vector<std::uint64_t> later_turns;   ///< of the marks behind `many_readers`
  int number = 0;                           ///< in its sequence
  std::vector<Writers>* writers = nullptr;  ///< one per watch of the options; null: none
  Traffic* traffic = nullptr;               ///< of the sequence, when it is modelled
  Report report;
  Output output;
  Tracer* tracer = nullptr;  ///< follows a thread, when one is to be followed

  /// By a trap, a timeout, a flood of findings, or by the user just now.
  bool is_cancelled();
  std::uint64_t cluster_blocks() const;
  /// What the block has done under its mark is seen by whoever acquires later.
  void release(const Block& block);
  /// What the block does from here on is not yet released.
  void renew_mark(Block& block);
  std::uint64_t turn_of(std::uint32_t mark) const;
  std::uint64_t block_of_turn(std::uint64_t turn) const;  ///< linear index of the block that runs at a turn
};

/// Runs all blocks and adds their counts to the tally. Returns the number of host threads that did it.
unsigned run(Launch& launch, Tally& tally);

// Blocks (exec/block.cpp).
std::unique_ptr<Block> make_block(Worker& worker);
void start_block(Block& block, Worker& worker, std::uint64_t turn);
/// yielded: its fuel is used up; circling: all that runs in it waits for other blocks, in loops; waiting: all
/// its lanes wait for other blocks at a barrier of the cluster.
enum class BlockState { finished, yielded, circling, waiting };
/// Runs the block until it ends or has used up about `fuel` instructions.
BlockState run_block(Block& block, std::int64_t fuel);
/// A wait was successful: what it has spent does not count against the block's budget.
void give_back(Block& block, std::int64_t& spent);

}  // namespace ridge::device::emulator
