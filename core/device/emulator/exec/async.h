// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous copies and mbarriers. A copy is checked when it is issued and takes place as late as the
// program allows: when a thread waits for it. A wait that is missing shows as old data, and under checks as a
// race with a copy that is under way. The functions are handlers of instructions.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/emulator/exec/access.h"
#include "device/emulator/exec/state.h"
#include "device/emulator/memory/tensor_map.h"
#include "hardware/finding.h"

namespace ridge::device::emulator {

/// One cp.async of a warp.
struct LaneCopies {
  const Instruction* at = nullptr;
  std::uint32_t lanes = 0;  ///< whose copy is not done
  std::uint32_t loose = 0;  ///< that are in no group yet
  std::uint32_t bytes = 0;  ///< written by each lane
  bool whole = false;       ///< and read
  alignas(64) std::uint64_t from[kWarpLanes];
  std::uint32_t to[kWarpLanes], group[kWarpLanes];
  std::uint8_t read[kWarpLanes];  ///< bytes of the source; the others become 0. Only if not whole
};

/// The copies of a warp in the order in which they were issued. Memory is used again: kernels copy in their
/// innermost loops.
class CopyQueue {
 public:
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  LaneCopies* begin() { return begin_; }
  LaneCopies* end() { return end_; }
  /// A new last one, without lanes; the values of lanes are arbitrary.
  LaneCopies& push(const Instruction* at, std::uint32_t bytes);
  void pop() { --end_; }
  /// Forgets those in front that are done. Returns how many.
  std::size_t drop_done();
  void clear() { begin_ = end_ = nullptr; }

 private:
  std::vector<LaneCopies> all_;
  LaneCopies *begin_ = nullptr, *end_ = nullptr;
};

/// One bulk copy of a thread. Shared memory is a block and an offset, device memory an address.
struct BulkCopy {
  const Instruction* at = nullptr;
  Warp* warp = nullptr;
  int lane = 0;
  Block *from_block = nullptr, *to_block = nullptr;  ///< null: device memory
  std::uint64_t from = 0, to = 0, bytes = 0;
  std::shared_ptr<const TensorTile> tile;  ///< the device side, when it is a tile of a tensor
  Instruction::Move reduce = nullptr;      ///< an atomic's mover
  std::uint32_t element_bytes = 1;         ///< of a reduction
  std::uint32_t byte_mask = 0xffff;        ///< of 16 bytes, those that are written
  std::uint64_t mbarrier = 0;              ///< of to_block, that hears of the bytes
  bool loose = true;                       ///< in no bulk group yet
  std::uint32_t group = 0;
  bool is_read = false;            ///< `data` holds the source
  std::vector<std::uint8_t> data;  ///< in the order of shared memory
};

/// An mbarrier's 64 bits as numbers.
struct MbarrierState {
  std::uint32_t expected = 0, pending = 0, phase = 0;
  std::int32_t bytes = 0;  ///< transactions that the phase still waits for

  std::uint64_t pack() const;
  static MbarrierState unpack(std::uint64_t bits);
};
/// What is known of an mbarrier beside its bits.
struct Mbarrier {
  std::array<std::uint32_t, kMaxWarps>
      arriving{};  ///< steps of warps that are ordered before the next phase…
  std::array<std::uint32_t, kMaxWarps> arrived{};  ///< …and before the end of the last one
};

/// cp.async.mbarrier.arrive: takes place when the copies before it are done.
struct LateArrival {
  const Instruction* at = nullptr;
  Warp* warp = nullptr;
  int lane = 0;
  std::uint64_t mbarrier = 0;
  std::uint64_t copies = 0;  ///< how many its warp had issued
};

struct WarpCopies {
  CopyQueue copies;
  std::uint64_t dropped = 0;                          ///< copies that were done and are gone
  alignas(64) std::uint32_t groups[kWarpLanes] = {};  ///< that each lane has committed
  std::vector<BulkCopy> stores;                       ///< bulk copies that complete by bulk groups
  std::array<std::uint32_t, kWarpLanes> bulk_groups{};

  void reset();
};

struct AsyncState {
  std::vector<WarpCopies> warps;
  std::vector<BulkCopy> loads;  ///< bulk copies whose mbarrier lies in this block
  std::vector<LateArrival> arrivals;
  std::map<std::uint64_t, Mbarrier> mbarriers;  ///< by offset
  std::uint32_t proxy_step = 0;                 ///< writes up to here are visible to bulk copies
};

// Instruction::flags of the handlers below.
inline constexpr std::uint32_t kGenericAddress = 1;  ///< of shared memory
inline constexpr std::uint32_t kHasState = 2, kParity = 4, kTrying = 8;
inline constexpr std::uint32_t kDrop = 16, kExpects = 32, kNoComplete = 64, kNoIncrement = 128;
inline constexpr std::uint32_t kWaitRead = 1, kWaitAll = 2;
inline constexpr std::uint32_t kIgnoreNegated = 2;

// Operand lists: an address is a slot (lowest bit set: 32-bit values) and an offset.
std::uint64_t address_at(const Warp& warp, const std::uint32_t* address, int lane);
std::uint32_t value_at(const Warp& warp, std::uint32_t slot, int lane);
std::uint64_t wide_value_at(const Warp& warp, std::uint32_t slot, int lane);

/// A place in the shared memory of a block of the cluster; block null: no such block.
struct SharedPlace {
  Block* block = nullptr;
  std::uint64_t offset = 0;
};
SharedPlace shared_place(Warp& warp, std::uint64_t address, bool generic);
/// True when [offset, offset + bytes) is in the block's shared memory and aligned; else reported.
bool admit_place(Warp& warp, const Instruction* at, int lane, const SharedPlace& place, std::uint64_t bytes,
                 std::uint64_t alignment, Phrase<> what);

// Marks of shared memory for copies (no-ops without checks).
/// Looks for races of an access to a range by one lane, and marks it.
void touch_shared(Warp& warp, const Instruction* at, int lane, Block& block, std::uint64_t offset,
                  std::uint64_t bytes, AccessKind kind);
void mark_under_way(Block& block, std::uint64_t offset, std::uint64_t bytes, AccessKind kind);
/// The copy is done as if `warp`'s lane had made it now; `bulk`: through the asynchronous proxy.
void mark_done(Block& block, std::uint64_t offset, std::uint64_t bytes, bool written, const Warp& warp,
               int lane, bool bulk);

AsyncState& async_of(Block& block);
WarpCopies& copies_of(Warp& warp);
/// A block begins anew: nothing is left of the last one.
void reset_async(Block& block);
/// A block has ended: its stores are completed.
void finish_async(Block& block);

// cp.async: list = to (address), from (address); slot e: the size of the source, slot c: whether it is
// ignored. The handlers are in lanes/async; here is what they need for unusual copies.
/// Sets up the copy of each lane for itself and reports what is wrong. Returns the lanes that copy whole
/// elements.
std::uint32_t set_up_lanes(Warp& warp, const Instruction* at, LaneCopies& copies);
/// Lanes, of those that copy parts of elements, that may read them.
std::uint32_t open_parts(Warp& warp, const Instruction* at, const LaneCopies& copies, std::uint32_t lanes);
/// Copies of lanes that are not done take place.
void perform_copies(Warp& warp, LaneCopies& copies, std::uint32_t lanes);
const Instruction* arrive_after_copies(Warp& warp, const Instruction* at);
/// Does those of the first `count` copies of a warp that belong to `lane`.
void finish_lane_copies(Warp& warp, int lane, std::uint64_t count);

// mbarrier: list = mbarrier (address), count, bytes or state slot.
const Instruction* init_mbarrier(Warp& warp, const Instruction* at);
const Instruction* invalidate_mbarrier(Warp& warp, const Instruction* at);
const Instruction* arrive_mbarrier(Warp& warp, const Instruction* at);
const Instruction* expect_bytes(Warp& warp, const Instruction* at);
const Instruction* complete_bytes(Warp& warp, const Instruction* at);
const Instruction* test_mbarrier(Warp& warp, const Instruction* at);
const Instruction* pending_count(Warp& warp, const Instruction* at);
/// A copy has brought its bytes to its mbarrier.
void bring_bytes(const BulkCopy& copy);
/// True when the mbarrier was initialised; else reported.
bool admit_mbarrier(Warp& warp, const Instruction* at, int lane, const SharedPlace& place);
/// What a phase that does not complete lacks, for messages.
Sentence lack_of(Block& block, std::uint64_t mbarrier);

// Bulk copies. Slot b of a reduction: bytes of an element, or 0: type by the tensor map, operation in
// `immediate`. Operand list: to, from (addresses; of a tile: of its tensor map), size, mbarrier (address),
// mask of blocks, mask of bytes, rank, coordinates; what is missing has no slot.
inline constexpr std::uint32_t kBulkFromDevice = 1, kBulkToDevice = 2, kBulkTile = 4;
enum BulkOperand : std::uint32_t {
  kBulkTo = 0,
  kBulkFrom = 2,
  kBulkSize = 4,
  kBulkMbarrier = 5,
  kBulkBlocks = 7,
  kBulkByteMask = 8,
  kBulkRank = 9,
  kBulkCoordinates = 10
};
const Instruction* copy_bulk(Warp& warp, const Instruction* at);
/// st.async, red.async: list = to, mbarrier (addresses), values; flags: bytes of a lane and
/// kGenericStore, `immediate`: bytes of an element, slot b: the same for a reduction.
inline constexpr std::uint32_t kGenericStore = 0x100;
const Instruction* store_async(Warp& warp, const Instruction* at);
const Instruction* commit_bulk(Warp& warp, const Instruction* at);
const Instruction* wait_bulk(Warp& warp, const Instruction* at);
/// Ordinary stores to shared memory are not seen by bulk copies and wgmma until a proxy fence. False:
/// reported.
bool check_proxy(Warp& warp, const Instruction* at, int lane, std::uint64_t offset, std::uint64_t bytes,
                 Phrase<> reader);
/// fence.proxy.async: bulk copies see what ordinary stores wrote before.
const Instruction* fence_proxy(Warp& warp, const Instruction* at);
/// Copies whose mbarrier this is take place.
void deliver(Block& block, std::uint64_t mbarrier);
/// Reads the source of a copy, and completes it.
void read_bulk(BulkCopy& copy);
void finish_bulk(BulkCopy& copy);

}  // namespace ridge::device::emulator
