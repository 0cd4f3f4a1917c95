// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing an output with its reference, chunk by chunk, so that memory stays bounded however large the
// tensor is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "verify/tolerance.h"
#include "verify/verdict.h"

namespace ridge::verify {

inline constexpr std::size_t kFirstMismatches = 16;
inline constexpr int kErrorMapSide = 64;  ///< cells of an error map in each direction, at most

/// Raw elements of one chunk.
struct Elements {
  DType dtype = DType::float32;
  std::span<const std::byte> data;
};

/// Walks over a reference before anything is compared with it: its magnitude sets the derived tolerance.
class Survey {
 public:
  void add(const Elements& expected, unsigned threads);
  Magnitude result() const;

 private:
  double max_abs_ = 0, squares_ = 0;
  std::int64_t finite_ = 0;
};

/// What one comparison of one output has found so far.
struct Difference {
  std::int64_t elements = 0, mismatches = 0;
  std::int64_t nans = 0;        ///< NaN where the reference has none
  std::int64_t infinities = 0;  ///< other class mismatches
  double squares = 0;           ///< sum of squared errors
  double max_abs = 0, max_rel = 0, max_ulp = 0;
  double margin = 0;  ///< worst |error| / allowed
  bool got_all_equal = true, expected_all_equal = true;
  std::vector<Mismatch> first;       ///< in order, at most kFirstMismatches
  std::optional<ErrorMap> map;       ///< where there are mismatches
  std::vector<std::uint64_t> wrong;  ///< one bit per element, where asked for

  double mse() const { return elements > 0 ? squares / static_cast<double>(elements) : 0; }
  /// Every gate holds.
  bool passes(const Tolerance& tolerance) const;
};

/// Compares one output with its reference. Chunks come in order; each is split over threads, with the same
/// result for any number of them.
class Comparison {
 public:
  /// `keep_wrong`: remember every wrong element, not only how many there are in each cell.
  Comparison(const Tolerance& tolerance, std::vector<std::int64_t> extents, bool keep_wrong = false);

  /// `first`: index of the chunk's first element in the whole tensor.
  void add(const Elements& got, const Elements& expected, std::int64_t first, unsigned threads);
  const Difference& result() const { return total_; }

 private:
  void merge(Difference part, std::uint64_t first_got, std::uint64_t first_expected);

  Tolerance tolerance_;
  std::vector<std::int64_t> extents_;
  Difference total_;
  std::optional<std::uint64_t> first_got_, first_expected_;
};

/// What outputs hold before a launch: patterns that differ in every byte. The first is NaN in every floating
/// type, the others are large finite numbers.
inline constexpr std::array<std::uint32_t, 4> kPoison{0xFFC1FFC1u, 0x5B3C4D2Eu, 0x7AA46B97u, 0x4D5B3A71u};

/// One bit per element of a tensor: does it still hold the poison of every launch so far?
class PoisonMap {
 public:
  explicit PoisonMap(std::int64_t elements = 0);
  /// Clears the bits of elements in this chunk that no longer hold `pattern` (repeated over the whole
  /// tensor).
  void keep(const Elements& got, std::int64_t first, std::uint32_t pattern, unsigned threads);
  std::int64_t count() const;
  std::optional<std::int64_t> first() const;

 private:
  std::vector<std::uint64_t> bits_;
};

/// An error map without errors, with at most kErrorMapSide cells in each direction.
ErrorMap empty_map(std::string tensor, MapKind kind, std::int64_t rows, std::int64_t columns);
/// Counts one wrong element at a place of what is mapped.
void count_wrong(ErrorMap& map, std::int64_t row, std::int64_t column);

/// Row-major index -> coordinates.
std::vector<std::int64_t> coordinates(std::int64_t index, const std::vector<std::int64_t>& extents);

}  // namespace ridge::verify
