// SPDX-License-Identifier: GPL-3.0-or-later
// The slow side of memory accesses: what cannot be let through at a glance is looked at lane by lane and
// reported.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "device/emulator/exec/state.h"
#include "hardware/finding.h"

namespace ridge::device::emulator {

enum class AccessKind : std::uint8_t { load, store, atomic };

/// Addresses of one warp access: lane l is at base + pattern.relative[l].
struct Access {
  const Instruction* instruction;
  Pattern* pattern;
  std::uint64_t base;
  std::uint32_t lanes;
  std::uint32_t bytes;
  AccessKind kind;
};

template <class F>
void for_each_lane(std::uint32_t lanes, F&& f) {
  for (; lanes != 0; lanes &= lanes - 1) f(std::countr_zero(lanes));
}

/// Reports a fault of one lane.
void report_fault(Warp& warp, const Instruction* at, hardware::Status status, int lane, Sentence message);

/// Lanes that may go ahead; the others are reported (out of bounds, misaligned). `single` becomes the
/// allocation that all lanes hit, or null when they hit several.
std::uint32_t admit_global(Warp& warp, const Access& access, const Allocation*& single);
std::uint32_t admit_shared(Warp& warp, const Access& access, std::int64_t low, std::int64_t high);
/// `relative` holds addresses in local memory here, `base` is 0.
std::uint32_t admit_local(Warp& warp, const Access& access, const std::int64_t* addresses, std::int64_t low,
                          std::int64_t high);

std::uint32_t admit_parameter(Warp& warp, const Access& access, std::int64_t size);

/// Adds the sectors of one access to what the block moves through L2.
void note_traffic(Warp& warp, const Access& access);
/// The same for sectors of 32 bytes that follow each other.
void note_sectors(Warp& warp, std::uint64_t first, std::uint64_t count, AccessKind kind);
/// An atomic or ordered access synchronises this block with others.
void note_synchronisation(Warp& warp, const MemorySite& site);
/// Uninitialised reads and races with other blocks, lane by lane; `allocation` null: look it up for each.
void check_global(Warp& warp, const Access& access, const Allocation* allocation);
/// The lanes divide integers by zero.
void note_division_by_zero(Warp& warp, const Instruction* at, std::uint32_t lanes);
/// Looks closely at the marks of shared memory that looked suspicious, and reports.
void report_shared(Warp& warp, const Access& access, bool ordered);

}  // namespace ridge::device::emulator
