// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters: blocks that run together, reach each other's shared memory and meet at a barrier of their own.
// Every block is in one; most clusters have one block.
#pragma once

#include <cstdint>
#include <vector>

#include "device/emulator/exec/access.h"
#include "device/emulator/exec/state.h"

namespace ridge::device::emulator {

struct Cluster {
  std::vector<Block*> blocks;  ///< by rank
  bool awaited = false;        ///< somebody has arrived in the running phase…
  bool relaxed = false;        ///< …without a release
  /// Blocks order their accesses to each other's shared memory by other means than the barrier too.
  bool signalled = false;
};

// Instruction::flags of barrier.cluster and of the address operations.
inline constexpr std::uint32_t kClusterRelaxed = 1;
inline constexpr std::uint32_t kNarrow = 2;  ///< 32-bit addresses

const Instruction* arrive_at_cluster(Warp& warp, const Instruction* at);
const Instruction* wait_for_cluster(Warp& warp, const Instruction* at);
/// Lanes of the block have exited: the barrier may be complete now.
void recheck_cluster(Block& block);
/// Nothing can run in the block because its lanes wait for other blocks of the cluster.
bool waits_for_cluster(const Block& block);

/// Blocks of the cluster order their accesses by mbarriers from now on. Whether what they wrote into each
/// other's shared memory before was meant so is not known: it counts as ordered.
void note_signal(Cluster& cluster, int shift);

/// mapa: d = address a in the shared memory of rank b.
const Instruction* map_shared(Warp& warp, const Instruction* at);
/// getctarank: d = rank of the block whose shared memory address a is in.
const Instruction* shared_rank(Warp& warp, const Instruction* at);

/// The handler of loads, stores or atomics of shared::cluster memory.
Handler cluster_access(AccessKind kind, bool narrow);
/// The same for the active lanes of a generic access, which all lie in the shared window.
void access_cluster(Warp& warp, const Instruction* at, AccessKind kind);

}  // namespace ridge::device::emulator
