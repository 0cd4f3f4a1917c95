// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/memory/pattern.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>

namespace ridge::device::emulator {

namespace {

/// Numbers that mostly come in ascending order already; each is kept once.
template <class T, std::size_t kMost>
class Distinct {
 public:
  void add(T value) {
    if (count_ > 0 && values_[count_ - 1] == value) return;
    ascending_ = ascending_ && (count_ == 0 || values_[count_ - 1] < value);
    values_[count_++] = value;
  }
  std::span<const T> sorted() {
    const auto begin = values_.begin(), end = begin + static_cast<std::ptrdiff_t>(count_);
    if (!ascending_) {
      std::sort(begin, end);
      count_ = static_cast<std::size_t>(std::unique(begin, end) - begin);
      ascending_ = true;
    }
    return {values_.data(), count_};
  }

 private:
  std::array<T, kMost> values_;
  std::size_t count_ = 0;
  bool ascending_ = true;
};

Run run_of(const std::int64_t* relative, int bytes) {
  bool contiguous = true, uniform = true;
  for (int lane = 0; lane < 16; ++lane) {
    const std::int64_t distance = relative[lane] - relative[0];
    contiguous = contiguous && distance == std::int64_t{lane} * bytes;
    uniform = uniform && distance == 0;
  }
  return uniform ? Run::uniform : contiguous ? Run::contiguous : Run::scattered;
}

/// What the lanes [first, end) need at once: 32 banks of 4 bytes give one word each in a wavefront.
int wavefronts_of(const Pattern& pattern, std::int64_t offset, int bytes, int first, int end) {
  Distinct<std::int64_t, 32 * 4> words;
  for (int lane = first; lane < end; ++lane) {
    if (!(pattern.mask >> lane & 1)) continue;
    const std::int64_t low = (offset + pattern.relative[lane]) >> 2;
    const std::int64_t high = (offset + pattern.relative[lane] + bytes - 1) >> 2;
    for (std::int64_t word = low; word <= high; ++word) words.add(word);
  }
  std::array<int, 32> banks{};
  int most = 0;
  for (const std::int64_t word : words.sorted())
    most = std::max(most, ++banks[static_cast<std::size_t>(word & 31)]);
  return most;
}

/// Whether each lane reads the same address as its neighbour at distance 1, or each as that at distance 2.
bool reads_in_pairs(const Pattern& pattern, int first, int end) {
  for (const int distance : {1, 2}) {
    bool all = true;
    for (int lane = first; lane < end; ++lane) {
      const int other = lane ^ distance;
      const bool both = (pattern.mask >> lane & 1) != 0 && (pattern.mask >> other & 1) != 0;
      all = all && (!both || pattern.relative[lane] == pattern.relative[other]);
    }
    if (all) return true;
  }
  return false;
}

/// Accesses of 8 bytes go in two halves of the warp, of 16 bytes in four quarters; two neighbouring parts of
/// a load go together when its lanes read in pairs. Agrees with an H200 on 318 patterns (loads and stores of
/// 4, 8 and 16 bytes; resources/help/emulator.md).
void count_wavefronts(Pattern& pattern, std::int64_t offset, int bytes, bool load) {
  const int lanes_at_once = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  int wavefronts = 0, ideal = 0;
  const auto add = [&](int first, int end) {
    const int needed = wavefronts_of(pattern, offset, bytes, first, end);
    wavefronts += needed;
    ideal += needed > 0 ? 1 : 0;
  };
  for (int first = 0; first < 32; first += 2 * lanes_at_once) {
    const int end = std::min(first + 2 * lanes_at_once, 32);
    if (lanes_at_once == 32 || (load && reads_in_pairs(pattern, first, end))) {
      add(first, end);
    } else {
      add(first, first + lanes_at_once);
      add(first + lanes_at_once, end);
    }
  }
  pattern.wavefronts = static_cast<std::uint16_t>(wavefronts);
  pattern.ideal_wavefronts = static_cast<std::uint16_t>(ideal);
}

}  // namespace

void analyse(Pattern& pattern, const std::int64_t* relative, std::uint32_t mask, int bytes) {
  pattern.mask = mask;
  pattern.wide = false;
  std::int64_t low = std::numeric_limits<std::int64_t>::max(),
               high = std::numeric_limits<std::int64_t>::min();
  std::uint64_t alignment = 0;
  for (int lane = 0; lane < 32; ++lane) {
    pattern.relative[lane] = static_cast<std::int32_t>(relative[lane]);
    if (pattern.relative[lane] != relative[lane]) pattern.wide = true;
    if (!(mask >> lane & 1)) continue;
    low = std::min(low, relative[lane]);
    high = std::max(high, relative[lane]);
    alignment |= static_cast<std::uint64_t>(relative[lane]);
  }
  if (pattern.wide) pattern.mask = 0;  // never matches again
  pattern.low = static_cast<std::int32_t>(low);
  pattern.high = static_cast<std::int32_t>(high);
  pattern.alignment = static_cast<std::uint32_t>(alignment);
  pattern.half[0] = pattern.half[1] = Run::scattered;
  if (mask == 0xffffffffu) {
    const Run first = run_of(relative, bytes), second = run_of(relative + 16, bytes);
    if (first != Run::scattered && second != Run::scattered) {
      pattern.half[0] = first;
      pattern.half[1] = second;
    }
  }
  pattern.quads = pattern.repeats = false;
  if (mask == 0xffffffffu) {
    pattern.quads = true;
    for (int lane = 0; lane < 32; ++lane)
      pattern.quads = pattern.quads && relative[lane] == relative[lane & ~3] + std::int64_t{lane & 3} * bytes;
    pattern.repeats = std::equal(relative, relative + 16, relative + 16);
  }
  pattern.sectors_known = 0;
  pattern.shared_known = false;
  pattern.distinct = 0;
}

int count_sectors(Pattern& pattern, std::uint64_t base, int bytes) {
  const auto offset = static_cast<std::int64_t>(base % 32);
  Distinct<std::int64_t, 32 * 4> sectors;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(pattern.mask >> lane & 1)) continue;
    const std::int64_t first = (offset + pattern.relative[lane]) >> 5;
    const std::int64_t last = (offset + pattern.relative[lane] + bytes - 1) >> 5;
    for (std::int64_t sector = first; sector <= last; ++sector) sectors.add(sector);
  }
  const auto result = static_cast<int>(sectors.sorted().size());
  pattern.sectors[offset] = static_cast<std::uint8_t>(result);
  pattern.sectors_known |= 1u << offset;
  return result;
}

int count_distinct(Pattern& pattern) {
  Distinct<std::int32_t, 32> addresses;
  for (int lane = 0; lane < 32; ++lane)
    if (pattern.mask >> lane & 1) addresses.add(pattern.relative[lane]);
  pattern.distinct = static_cast<std::uint8_t>(addresses.sorted().size());
  return pattern.distinct;
}

void analyse_shared(Pattern& pattern, std::uint64_t base, int bytes, int shift, bool load) {
  count_wavefronts(pattern, static_cast<std::int64_t>(base & 127), bytes, load);

  const std::int64_t in_unit = static_cast<std::int64_t>(base) & ((std::int64_t{1} << shift) - 1);
  std::array<std::int64_t, Pattern::kMaxUnits> touches;  // unit * 32 + lane
  std::size_t count = 0;
  bool ascending = true;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(pattern.mask >> lane & 1)) continue;
    const std::int64_t begin = (in_unit + pattern.relative[lane]) >> shift;
    const std::int64_t end = (in_unit + pattern.relative[lane] + bytes - 1) >> shift;
    for (std::int64_t unit = begin; unit <= end && count < touches.size(); ++unit) {
      const std::int64_t touch = unit * 32 + lane;
      ascending = ascending && (count == 0 || touches[count - 1] < touch);
      touches[count++] = touch;
    }
  }
  if (!ascending) std::sort(touches.begin(), touches.begin() + static_cast<std::ptrdiff_t>(count));
  pattern.unit_count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto unit = static_cast<std::int32_t>(touches[i] >> 5);
    if (pattern.unit_count > 0 && pattern.units[pattern.unit_count - 1] == unit) {
      pattern.unit_marks[pattern.unit_count - 1] |= kManyLanes;
    } else {
      pattern.units[pattern.unit_count] = unit;
      pattern.unit_marks[pattern.unit_count++] = static_cast<std::uint32_t>(touches[i] & 31);
    }
  }
  pattern.units_base = static_cast<std::uint8_t>(base & 3);
  pattern.dense = pattern.unit_count > 0 && pattern.units[pattern.unit_count - 1] - pattern.units[0] ==
                                                static_cast<std::int32_t>(pattern.unit_count) - 1;
  pattern.shared_known = true;
}

}  // namespace ridge::device::emulator
