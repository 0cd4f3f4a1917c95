// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/compare.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "verify/parallel.h"

namespace ridge::verify {
namespace {

constexpr std::size_t kPiece =
    64 * 1024;  ///< elements; fixed, so that sums do not depend on the number of threads
constexpr std::size_t kBlock = 1024;  ///< elements converted to double at a time
constexpr std::size_t kLanes = 8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
void widen(const std::byte* data, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, data + i * sizeof(T), sizeof(T));
    out[i] = static_cast<double>(value);
  }
}

/// Elements [begin, begin + count) as doubles.
void to_doubles(const Elements& elements, std::size_t begin, std::size_t count, double* out) {
  const std::byte* data = elements.data.data() + begin * size_of(elements.dtype);
  switch (elements.dtype) {
    case DType::float64:
      return widen<double>(data, count, out);
    case DType::float32:
      return widen<float>(data, count, out);
    case DType::int64:
      return widen<std::int64_t>(data, count, out);
    case DType::int32:
      return widen<std::int32_t>(data, count, out);
    case DType::uint64:
      return widen<std::uint64_t>(data, count, out);
    case DType::uint32:
      return widen<std::uint32_t>(data, count, out);
    default:
      for (std::size_t i = 0; i < count; ++i)
        out[i] = load_as_double(elements.dtype, elements.data, begin + i);
  }
}

bool wide_integer(DType dtype) {
  return dtype == DType::int64 || dtype == DType::uint64;
}

long double exact_integer(const Elements& elements, std::size_t index) {
  const std::int64_t value = load_integer(elements.dtype, elements.data, index);
  return elements.dtype == DType::uint64 ? static_cast<long double>(static_cast<std::uint64_t>(value))
                                         : static_cast<long double>(value);
}

/// The distance of neighbouring values of a type around `value`.
class UnitInLastPlace {
 public:
  explicit UnitInLastPlace(DType dtype) : integer_(!is_floating(dtype)) {
    if (integer_) return;
    step_ = std::ldexp(1.0, 1 - significand_bits(dtype));
    smallest_normal_ = dtype == DType::float64         ? std::ldexp(1.0, -1022)
                       : dtype == DType::float16       ? std::ldexp(1.0, -14)
                       : dtype == DType::float8_e4m3fn ? std::ldexp(1.0, -6)
                       : dtype == DType::float8_e5m2   ? std::ldexp(1.0, -14)
                                                       : std::ldexp(1.0, -126);
  }
  double at(double value) const {
    if (integer_) return 1;
    const auto exponent = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & 0x7FF0000000000000u);
    return std::max(exponent, smallest_normal_) * step_;
  }

 private:
  bool integer_;
  double step_ = 1, smallest_normal_ = 0;
};

enum class Class { finite, nan, plus_infinity, minus_infinity };
Class class_of(double value) {
  if (std::isnan(value)) return Class::nan;
  if (std::isinf(value)) return value > 0 ? Class::plus_infinity : Class::minus_infinity;
  return Class::finite;
}

double ratio(double error, double allowed) {
  if (error == 0) return 0;
  return allowed > 0 ? error / allowed : kInfinity;
}

/// One piece of a chunk.
class PieceComparison {
 public:
  /// `wrong`: bits of the whole tensor, or null.
  PieceComparison(const Tolerance& tolerance, const std::vector<std::int64_t>& extents, const Elements& got,
                  const Elements& expected, std::int64_t first, std::uint64_t* wrong)
      : tolerance_(tolerance),
        extents_(extents),
        got_(got),
        expected_(expected),
        first_(first),
        wrong_(wrong),
        ulp_(got.dtype) {}

  Difference run(std::size_t begin, std::size_t end) {
    std::array<double, kBlock> got{}, expected{};
    for (std::size_t at = begin; at < end; at += kBlock) {
      const std::size_t count = std::min(kBlock, end - at);
      to_doubles(got_, at, count, got.data());
      to_doubles(expected_, at, count, expected.data());
      if (at == begin) {
        first_got_ = got[0];
        first_expected_ = expected[0];
      }
      uniform(got.data(), count, first_got_, found_.got_all_equal);
      uniform(expected.data(), count, first_expected_, found_.expected_all_equal);
      const bool exact_path = wide_integer(got_.dtype) && wide_integer(expected_.dtype);
      if (exact_path || !fast(got.data(), expected.data(), count))
        careful(got.data(), expected.data(), at, count);
      found_.elements += static_cast<std::int64_t>(count);
    }
    return std::move(found_);
  }

 private:
  static void uniform(const double* values, std::size_t count, double first, bool& all_equal) {
    if (!all_equal) return;
    const auto bits = std::bit_cast<std::uint64_t>(first);
    for (std::size_t i = 0; i < count && all_equal; ++i)
      all_equal = std::bit_cast<std::uint64_t>(values[i]) == bits;
  }

  /// A block in which every element is finite and within its tolerance; false (and nothing counted) when it
  /// is not so.
  bool fast(const double* got, const double* expected, std::size_t count) {
    std::array<double, kLanes> squares{}, max_abs{}, max_rel{}, max_ulp{}, margin{};
    bool good = true;
    const auto one = [&](std::size_t i, std::size_t lane) {
      const double size = std::fabs(expected[i]);
      const double error = std::fabs(got[i] - expected[i]);
      const double allowed = tolerance_.atol + tolerance_.rtol * size;
      good &= (error <= allowed) & (error < kInfinity);  // an infinite reference allows an infinite error
      squares[lane] += error * error;
      const double relative = size > 0 ? error / size : 0;
      const double ulps = error / ulp_.at(size);
      const double used = error > 0 ? error / allowed : 0;
      max_abs[lane] = error > max_abs[lane] ? error : max_abs[lane];
      max_rel[lane] = relative > max_rel[lane] ? relative : max_rel[lane];
      max_ulp[lane] = ulps > max_ulp[lane] ? ulps : max_ulp[lane];
      margin[lane] = used > margin[lane] ? used : margin[lane];
    };
    const std::size_t whole = count / kLanes * kLanes;
    for (std::size_t i = 0; i < whole; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) one(i + lane, lane);
    }
    for (std::size_t i = whole; i < count; ++i) one(i, 0);
    if (!good) return false;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      found_.squares += squares[lane];
      found_.max_abs = std::max(found_.max_abs, max_abs[lane]);
      found_.max_rel = std::max(found_.max_rel, max_rel[lane]);
      found_.max_ulp = std::max(found_.max_ulp, max_ulp[lane]);
      found_.margin = std::max(found_.margin, margin[lane]);
    }
    return true;
  }

  /// Element by element: classes first, then the distance.
  void careful(const double* got, const double* expected, std::size_t at, std::size_t count) {
    const bool exact = wide_integer(got_.dtype) && wide_integer(expected_.dtype);
    for (std::size_t i = 0; i < count; ++i) {
      const Class got_class = class_of(got[i]), expected_class = class_of(expected[i]);
      if (got_class != expected_class) {
        ++(got_class == Class::nan ? found_.nans : found_.infinities);
        found_.squares += got_class == Class::nan || expected_class == Class::nan
                              ? std::numeric_limits<double>::quiet_NaN()
                              : kInfinity;
        found_.margin = kInfinity;
        mismatch(at + i, expected[i], got[i]);
        continue;
      }
      if (got_class != Class::finite) continue;
      const double size = std::fabs(expected[i]);
      const double error =
          exact
              ? static_cast<double>(std::fabs(exact_integer(got_, at + i) - exact_integer(expected_, at + i)))
              : std::fabs(got[i] - expected[i]);
      const double allowed = tolerance_.atol + tolerance_.rtol * size;
      found_.squares += error * error;
      found_.max_abs = std::max(found_.max_abs, error);
      if (size > 0) found_.max_rel = std::max(found_.max_rel, error / size);
      found_.max_ulp = std::max(found_.max_ulp, error / ulp_.at(size));
      found_.margin = std::max(found_.margin, ratio(error, allowed));
      if (!(error <= allowed)) mismatch(at + i, expected[i], got[i]);
    }
  }

  void mismatch(std::size_t at, double expected, double got) {
    ++found_.mismatches;
    const std::int64_t index = first_ + static_cast<std::int64_t>(at);
    if (found_.first.size() < kFirstMismatches)
      found_.first.push_back({tolerance_.tensor, coordinates(index, extents_), expected, got});
    if (wrong_ != nullptr) wrong_[index / 64] |= std::uint64_t{1} << (index % 64);
    if (!found_.map) {
      std::int64_t rows = 1;
      for (std::size_t i = 0; i + 1 < extents_.size(); ++i) rows *= extents_[i];
      found_.map =
          empty_map(tolerance_.tensor, MapKind::tensor, rows, extents_.empty() ? 1 : extents_.back());
    }
    count_wrong(*found_.map, index / found_.map->columns, index % found_.map->columns);
  }

  const Tolerance& tolerance_;
  const std::vector<std::int64_t>& extents_;
  const Elements& got_;
  const Elements& expected_;
  std::int64_t first_;
  std::uint64_t* wrong_;
  UnitInLastPlace ulp_;
  Difference found_;
  double first_got_ = 0, first_expected_ = 0;
};

std::uint64_t bits_of(const Elements& elements, std::size_t index) {
  double value = 0;
  to_doubles(elements, index, 1, &value);
  return std::bit_cast<std::uint64_t>(value);
}

}  // namespace

ErrorMap empty_map(std::string tensor, MapKind kind, std::int64_t rows, std::int64_t columns) {
  ErrorMap map;
  map.tensor = std::move(tensor);
  map.kind = kind;
  map.rows = rows;
  map.columns = columns;
  map.grid_rows = static_cast<int>(std::min<std::int64_t>(rows, kErrorMapSide));
  map.grid_columns = static_cast<int>(std::min<std::int64_t>(columns, kErrorMapSide));
  map.wrong.assign(static_cast<std::size_t>(map.grid_rows) * static_cast<std::size_t>(map.grid_columns), 0);
  return map;
}

void count_wrong(ErrorMap& map, std::int64_t row, std::int64_t column) {
  const std::int64_t cell =
      row * map.grid_rows / map.rows * map.grid_columns + column * map.grid_columns / map.columns;
  ++map.wrong[static_cast<std::size_t>(cell)];
}

std::vector<std::int64_t> coordinates(std::int64_t index, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> place(extents.size());
  for (std::size_t i = extents.size(); i-- > 0;) {
    place[i] = index % extents[i];
    index /= extents[i];
  }
  return place;
}

void Survey::add(const Elements& expected, unsigned threads) {
  const std::size_t count = expected.data.size() / size_of(expected.dtype);
  if (count == 0) return;
  struct Part {
    double max_abs = 0, squares = 0;
    std::int64_t finite = 0;
  };
  std::vector<Part> parts((count + kPiece - 1) / kPiece);
  for_each_piece(parts.size(), threads, [&](std::size_t piece) {
    std::array<double, kBlock> values{};
    Part& part = parts[piece];
    const std::size_t end = std::min(count, (piece + 1) * kPiece);
    for (std::size_t at = piece * kPiece; at < end; at += kBlock) {
      const std::size_t size = std::min(kBlock, end - at);
      to_doubles(expected, at, size, values.data());
      for (std::size_t i = 0; i < size; ++i) {
        if (!std::isfinite(values[i])) continue;
        ++part.finite;
        part.max_abs = std::max(part.max_abs, std::fabs(values[i]));
        part.squares += values[i] * values[i];
      }
    }
  });
  for (const Part& part : parts) {
    max_abs_ = std::max(max_abs_, part.max_abs);
    squares_ += part.squares;
    finite_ += part.finite;
  }
}

Magnitude Survey::result() const {
  return {max_abs_, finite_ > 0 ? std::sqrt(squares_ / static_cast<double>(finite_)) : 0, finite_};
}

bool Difference::passes(const Tolerance& tolerance) const {
  if (mismatches > 0) return false;
  if (tolerance.mse && !(mse() <= *tolerance.mse)) return false;
  return !(elements > 1 && got_all_equal && !expected_all_equal);
}

Comparison::Comparison(const Tolerance& tolerance, std::vector<std::int64_t> extents, bool keep_wrong)
    : tolerance_(tolerance), extents_(std::move(extents)) {
  if (!keep_wrong) return;
  std::int64_t elements = 1;
  for (const std::int64_t extent : extents_) elements *= extent;
  total_.wrong.assign(static_cast<std::size_t>((elements + 63) / 64), 0);
}

void Comparison::add(const Elements& got, const Elements& expected, std::int64_t first, unsigned threads) {
  const std::size_t count =
      std::min(got.data.size() / size_of(got.dtype), expected.data.size() / size_of(expected.dtype));
  if (count == 0) return;
  std::vector<Difference> parts((count + kPiece - 1) / kPiece);
  static_assert(kPiece % 64 == 0, "threads own whole words of bits");
  for_each_piece(parts.size(), threads, [&](std::size_t piece) {
    PieceComparison comparison(tolerance_, extents_, got, expected, first,
                               total_.wrong.empty() ? nullptr : total_.wrong.data());
    parts[piece] = comparison.run(piece * kPiece, std::min(count, (piece + 1) * kPiece));
  });
  for (std::size_t piece = 0; piece < parts.size(); ++piece) {
    merge(std::move(parts[piece]), bits_of(got, piece * kPiece), bits_of(expected, piece * kPiece));
  }
}

void Comparison::merge(Difference part, std::uint64_t first_got, std::uint64_t first_expected) {
  if (!first_got_) first_got_ = first_got;
  if (!first_expected_) first_expected_ = first_expected;
  total_.got_all_equal = total_.got_all_equal && part.got_all_equal && first_got == *first_got_;
  total_.expected_all_equal =
      total_.expected_all_equal && part.expected_all_equal && first_expected == *first_expected_;
  total_.elements += part.elements;
  total_.mismatches += part.mismatches;
  total_.nans += part.nans;
  total_.infinities += part.infinities;
  total_.squares += part.squares;
  total_.max_abs = std::max(total_.max_abs, part.max_abs);
  total_.max_rel = std::max(total_.max_rel, part.max_rel);
  total_.max_ulp = std::max(total_.max_ulp, part.max_ulp);
  total_.margin = std::max(total_.margin, part.margin);
  for (Mismatch& mismatch : part.first) {
    if (total_.first.size() < kFirstMismatches) total_.first.push_back(std::move(mismatch));
  }
  if (!part.map) return;
  if (!total_.map) {
    total_.map = std::move(part.map);
    return;
  }
  for (std::size_t i = 0; i < part.map->wrong.size(); ++i) total_.map->wrong[i] += part.map->wrong[i];
}

PoisonMap::PoisonMap(std::int64_t elements)
    : bits_(static_cast<std::size_t>((elements + 63) / 64), ~std::uint64_t{0}) {
  if (elements % 64 != 0) bits_.back() = (std::uint64_t{1} << (elements % 64)) - 1;
}

void PoisonMap::keep(const Elements& got, std::int64_t first, std::uint32_t pattern, unsigned threads) {
  const std::size_t size = size_of(got.dtype);
  const std::size_t count = got.data.size() / size;
  std::array<std::byte, 8> poison{};
  std::memcpy(poison.data(), &pattern, 4);
  std::memcpy(poison.data() + 4, &pattern, 4);
  const auto start = static_cast<std::size_t>(first);
  static_assert(kPiece % 64 == 0, "threads own whole words of bits");
  for_each_piece((count + kPiece - 1) / kPiece, threads, [&](std::size_t piece) {
    const std::size_t end = std::min(count, (piece + 1) * kPiece);
    for (std::size_t i = piece * kPiece; i < end; ++i) {
      std::uint64_t& word = bits_[(start + i) / 64];
      const std::uint64_t bit = std::uint64_t{1} << ((start + i) % 64);
      if ((word & bit) == 0) continue;
      const std::size_t offset = (start + i) * size % 4;
      if (std::memcmp(got.data.data() + i * size, poison.data() + offset, size) != 0) word &= ~bit;
    }
  });
}

std::int64_t PoisonMap::count() const {
  std::int64_t count = 0;
  for (const std::uint64_t word : bits_) count += std::popcount(word);
  return count;
}

std::optional<std::int64_t> PoisonMap::first() const {
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    if (bits_[i] != 0) return static_cast<std::int64_t>(i) * 64 + std::countr_zero(bits_[i]);
  }
  return std::nullopt;
}

}  // namespace ridge::verify
