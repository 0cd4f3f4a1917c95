// SPDX-License-Identifier: GPL-3.0-or-later
// The state of an execution: launch, worker (a host thread), block, warp and the splits of a diverged warp.
// Handlers see these structs only through plain members, so that code compiled for a newer CPU never
// instantiates a shared template.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/emulator/exec/program.h"
#include "device/emulator/memory/pattern.h"

namespace ridge::device::emulator {

struct Allocation;
struct AsyncState;
struct Block;
struct Cluster;
struct Launch;
struct Worker;

inline constexpr std::uint32_t kAllLanes = 0xffffffffu;
inline constexpr std::uint32_t kNoFrontier = 0xffffffffu;
inline constexpr int kWarpLanes = 32;
inline constexpr int kMaxWarps = 32;
inline constexpr int kMaxBarriers = 16;
/// After so many faults a warp is stopped: its values are meaningless and it might go on for ever.
inline constexpr std::uint32_t kFaultsPerWarp = 64;

// Generic addresses: device memory lies far below these windows, which no allocation can reach.
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << 60;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{2} << 60;
inline constexpr std::uint64_t kParameterWindow = std::uint64_t{3} << 60;
inline constexpr std::uint64_t kFunctionWindow = std::uint64_t{4} << 60;  ///< addresses of functions
inline constexpr std::uint64_t kWindowMask = std::uint64_t{0xf} << 60;
/// Distance between the shared memories of the blocks of a cluster inside the shared window: a block knows
/// its own by plain offsets, and all know that of rank r behind (r + 1) strides.
inline constexpr std::uint64_t kClusterStride = std::uint64_t{1} << 24;

/// One call of a function by some lanes of a warp.
struct Activation {
  std::uint8_t* frame = nullptr;
  const Instruction* back = nullptr;  ///< where its lanes go on in the caller
  Activation* caller = nullptr;
  const Call* call = nullptr;
  int function = 0;
  std::uint32_t depth = 0;
  std::uint32_t lanes = 0;                        ///< that have not returned yet
  std::uint32_t local_offset = 0;                 ///< of its local variables
  std::array<std::uint32_t, kWarpLanes> stack{};  ///< what alloca had taken when it was called
  std::unique_ptr<std::uint8_t[]> storage;        ///< of the frame; the kernel's own frame is the block's
  std::size_t capacity = 0;
};

enum class SplitState : std::uint8_t { ready, at_sync, at_barrier, at_cluster };

/// Lanes of a warp that go the same way.
struct Split {
  const Instruction* at = nullptr;
  Activation* in = nullptr;
  std::uint32_t lanes = 0;
  std::uint32_t members = 0;  ///< whom it waits for at a *.sync
  std::uint64_t stamp = 0;    ///< when it last ran
  SplitState state = SplitState::ready;
  std::uint8_t barrier = 0;
};

/// What the lanes of a warp know of each other after *.sync operations of some of them: by lane, the step up
/// to which the accesses of each other lane are ordered before its own.
struct LaneOrder {
  using Steps = std::array<std::uint32_t, kWarpLanes>;
  std::array<Steps, kWarpLanes> known{};
};

struct Warp {
  // hot
  std::uint8_t* frame = nullptr;
  std::uint32_t mask = 0;                ///< active lanes
  std::uint32_t frontier = kNoFrontier;  ///< lowest rank at which another split waits
  std::int64_t fuel = 0;                 ///< instructions until the slice ends
  std::uint64_t* block_warps = nullptr;  ///< counts by basic block
  std::uint64_t* block_lanes = nullptr;
  Worker* worker = nullptr;
  Block* block = nullptr;
  const Instruction* code = nullptr;
  Activation* activation = nullptr;

  std::uint32_t live = 0;     ///< lanes that have not exited
  std::uint32_t started = 0;  ///< lanes that the block has here
  std::uint32_t id = 0;
  std::int64_t executed = 0;  ///< at the last end of a slice
  std::int64_t slice = 0;     ///< length of the running slice
  std::uint32_t faults = 0;
  bool rotate = false;                        ///< splits starve each other: take turns
  bool sleeping = false;                      ///< by nanosleep
  std::uint32_t starving = 0, patience = 16;  ///< slices in which another split waited; how many are borne
  int split_count = 0;                        ///< waiting splits
  std::array<Split, kWarpLanes> splits;
  std::uint64_t stamp = 0;
  std::uint32_t known_step = 0;  ///< own accesses up to here are ordered for all lanes (shared races)
  std::array<std::uint32_t, kMaxWarps> known{};          ///< the same of other warps
  std::unique_ptr<LaneOrder> lane_order;                 ///< beyond known_step; null: nothing
  std::uint32_t fenced_step = 0;                         ///< of the last fence; 0: none yet
  std::array<std::uint32_t, kWarpLanes> stack{};         ///< bytes that alloca has taken, by lane
  Activation root;                                       ///< of the kernel itself
  WarpgroupState warpgroup;                              ///< of wgmma
  std::vector<std::unique_ptr<Activation>> activations;  ///< all others that were ever made
  std::vector<Activation*> free_activations;
  std::uint32_t cluster_arrived = 0;          ///< lanes that have arrived at the cluster's running phase
  std::uint32_t cluster_owing = 0;            ///< lanes that have arrived and not waited yet
  std::uint64_t awaited = ~std::uint64_t{0};  ///< the mbarrier whose phase it waits for; all bits: none
  std::int64_t slept = 0;                     ///< what it has paid for that wait
  std::array<std::uint64_t, 16> seen{};       ///< hashes of its last states…
  std::uint32_t looks = 0;                    ///< …how many were taken…
  std::int64_t looked_at = 0;                 ///< …after so many instructions the last one…
  bool circling = false;                      ///< …which was known already: it waits for others in a loop
};

/// What a barrier of a block knows.
struct Barrier {
  std::uint32_t arrived = 0;                                       ///< threads counted by bar.arrive
  std::array<std::uint32_t, kMaxWarps> ordered{};                  ///< the steps that they order, by warp
  std::int64_t expected = 0;                                       ///< threads; 0: all of the block
  std::array<std::uint32_t, kMaxWarps> lanes{};                    ///< lanes that wait, by warp
  std::uint32_t population = 0, conjunction = 1, disjunction = 0;  ///< of the running phase
  std::uint32_t result_population = 0, result_conjunction = 1, result_disjunction = 0;
};

// Marks of the units of shared memory: who wrote and who read them last. Layout: step << 13 | atomic << 12 |
// many warps << 11 | many lanes << 10 | warp << 5 | lane; 0: nobody.
inline constexpr int kStepShift = 13;
inline constexpr std::uint32_t kAtomicMark = 1u << 12, kManyWarps = 1u << 11;
inline constexpr std::uint32_t kLastStep = (1u << (32 - kStepShift)) - 2;
inline constexpr std::uint32_t kAsyncStep = kLastStep + 1;  ///< of a copy that is under way

struct Block {
  std::uint8_t* shared = nullptr;  ///< host
  std::uint64_t shared_bytes = 0;
  std::uint8_t* local = nullptr;     ///< host; lane-major
  std::uint64_t local_bytes = 0;     ///< of one lane
  std::uint32_t* writers = nullptr;  ///< marks of shared memory, by unit
  std::uint32_t* readers = nullptr;
  /// By row of 32 units: the step in which several warps have read all of it, and nothing was wrong.
  std::uint32_t* read_rows = nullptr;
  std::uint32_t step = 1;        ///< counts synchronisations, for the marks
  std::uint32_t first_step = 1;  ///< marks at or below are of earlier blocks
  std::uint32_t floor = 0;       ///< steps up to here are ordered for everyone
  bool partial_order = false;    ///< some barrier, mbarrier or flag did not order all warps
  /// By unit of shared memory that serves as a flag or a lock: the steps that it releases, by warp.
  std::unordered_map<std::uint32_t, std::array<std::uint32_t, kMaxWarps>> released;
  bool race_checks = true;

  std::uint64_t index = 0;  ///< linear, x fastest
  std::uint64_t turn = 0;   ///< place in the order of execution
  std::array<std::uint32_t, 3> position{};
  std::uint32_t mark = 0;      ///< of this block in the global marks
  std::uint64_t acquired = 0;  ///< when it last saw what other blocks had released
  std::uint32_t faults = 0;
  std::int64_t budget = 0;    ///< instructions that its warps may still execute
  std::int64_t used = 0;      ///< that they have executed
  std::int64_t circled = 0;   ///< of these, while all that could run went round in circles…
  std::int64_t waited = 0;    ///< …and has done so up to now
  std::int64_t patience = 0;  ///< what successful waits may still give back to the budget
  std::int64_t vain = 0;      ///< stopped: all blocks wait, and have together executed so many instructions
  bool passed = false;        ///< it has got something that it had waited for
  bool aborted = false;       ///< it was ended before all its threads had
  std::array<Barrier, kMaxBarriers> barriers{};
  std::uint32_t used_barriers = 0;  ///< a bit for each that somebody has come to…
  std::uint32_t busy_barriers = 0;  ///< …and that somebody waits at
  std::vector<Warp> warps;
  Cluster* cluster = nullptr;
  std::uint32_t cluster_floor = 0;    ///< steps up to here are ordered for the whole cluster
  std::shared_ptr<AsyncState> async;  ///< made when something asynchronous first happens

  std::unique_ptr<std::uint8_t[]> storage;  ///< frames, shared and local memory
  std::vector<std::uint32_t> mark_storage;
  std::vector<std::uint64_t> sector_runs;  ///< what it touched, see counters/traffic
};

/// Counts of one memory site.
struct SiteCount {
  std::uint64_t requests = 0, lanes = 0, sectors = 0, wavefronts = 0, ideal_wavefronts = 0, contention = 0;
};

struct Worker {
  // hot
  Pattern* patterns = nullptr;  ///< by site; a second set for the shared half of generic accesses
  const Allocation** allocations = nullptr;  ///< by site: the one it hit last
  SiteCount* site_counts = nullptr;
  std::uint64_t global_bias = 0;                                 ///< host address minus device address
  std::uint64_t *block_warps = nullptr, *block_lanes = nullptr;  ///< by basic block
  std::uint64_t* divergent = nullptr;                            ///< by instruction
  std::uint64_t* skipped = nullptr;  ///< lanes that a guard kept from running, by instruction
  std::int64_t* parted = nullptr;    ///< splits that go on by themselves from an instruction on, less those
                                     ///< that join others there
  const MemorySite* sites = nullptr;
  bool counting = false, checking = false, traffic = false;
  bool observing = false;  ///< accesses are counted or checked against shadows
  int shared_shift = 2, global_shift = 2;
  bool block_races = false;  ///< see Launch
  bool watching = false;     ///< stores are looked at lane by lane: who is the last?
  std::uint32_t first_mark = 1, many_readers = 1;
  std::uint8_t* parameters = nullptr;  ///< the kernel's parameter block
  std::int64_t parameter_bytes = 0;
  Launch* launch = nullptr;
};

}  // namespace ridge::device::emulator
