// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of the addresses of one warp access relative to its first active lane. Most instructions repeat
// their shape for ever, so what follows from it (extent, sectors, bank conflicts, distinct words) is worked
// out once and remembered.
#pragma once

#include <cstdint>

namespace ridge::device::emulator {

inline constexpr std::uint32_t kManyLanes = 1u
                                            << 10;  ///< in marks of units: beside the lane there are others

enum class Run : std::uint8_t { scattered, contiguous, uniform };

struct alignas(64) Pattern {
  std::int32_t relative[32];                       ///< inactive lanes: 0
  std::uint32_t mask = 0;                          ///< lanes; 0: nothing remembered yet
  Run half[2] = {Run::scattered, Run::scattered};  ///< shape of each half warp, when the mask is full
  bool wide = false;                               ///< offsets do not fit: nothing below holds
  std::int32_t low = 0, high = 0;                  ///< least and greatest offset
  std::uint8_t distinct = 0;                       ///< different addresses; 0: not counted yet
  std::uint32_t alignment = 0;                     ///< all offsets or-ed
  // sectors, by the base's offset in its sector
  std::uint32_t sectors_known = 0;
  std::uint8_t sectors[32];
  // shared memory
  bool shared_known = false;
  std::uint16_t wavefronts = 0, ideal_wavefronts = 0;
  std::uint16_t unit_count = 0;  ///< distinct units that are touched
  std::uint8_t units_base = 0;   ///< the base's offset in its word, when they were listed
  bool dense = false;            ///< the units follow each other
  bool repeats = false;          ///< the second half warp goes where the first one goes
  bool quads = false;            ///< full mask; each four lanes from 4 k on follow each other
  static constexpr int kMaxUnits = 512;
  std::int32_t* units = nullptr;  ///< [kMaxUnits] offsets in units
  std::uint64_t last = 0;         ///< where the first lane went the last time
  std::uint32_t* unit_marks =
      nullptr;  ///< [kMaxUnits] the first lane that touches it; kManyLanes: several do
};

/// Fills a pattern from 32 offsets. `bytes`: of one lane's access.
void analyse(Pattern& pattern, const std::int64_t* relative, std::uint32_t mask, int bytes);
/// Sectors of 32 bytes that the access touches when its first lane is at `base`.
int count_sectors(Pattern& pattern, std::uint64_t base, int bytes);
/// Counts the different addresses.
int count_distinct(Pattern& pattern);
/// Lists wavefronts and distinct units (of 1 << shift bytes) of an access to shared memory.
void analyse_shared(Pattern& pattern, std::uint64_t base, int bytes, int shift, bool load);

}  // namespace ridge::device::emulator
