// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on a candidate's answers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "hardware/finding.h"

namespace ridge::verify {

using hardware::Finding;
using hardware::Status;

/// The thread that stored an element last. The emulator knows it; a GPU does not tell.
struct Writer {
  int launch = 0;  ///< of the candidate's launches, from 0
  std::array<std::int64_t, 3> block{}, thread{};
  int warp = 0, lane = 0;  ///< of the thread in its block
};

/// One element that is not as expected.
struct Mismatch {
  std::string tensor;
  std::vector<std::int64_t> index;
  double expected = 0, got = 0;
  std::optional<Writer> writer{};
};

/// What the rows and columns of an error map are.
enum class MapKind {
  tensor,   ///< leading extents x last extent of the tensor
  blocks,   ///< grid y and z x grid x, of the blocks that stored the wrong elements last
  threads,  ///< warps x lanes, of the threads in these blocks
};
std::string_view name_of(MapKind kind);
std::optional<MapKind> map_kind_named(std::string_view name);

/// Where an output is wrong: counts on a coarse grid.
struct ErrorMap {
  std::string tensor;
  std::int64_t rows = 0, columns = 0;   ///< of what is mapped
  int grid_rows = 0, grid_columns = 0;  ///< of the map
  std::vector<std::int64_t> wrong;      ///< grid_rows x grid_columns
  MapKind kind = MapKind::tensor;
  int launch = 0;            ///< whose blocks and threads
  std::int64_t unknown = 0;  ///< wrong elements of the tensor that no single known thread stored last
};

struct Tolerance {
  std::string tensor;
  double atol = 0, rtol = 0;
  std::optional<double> mse;
  bool derived = false;
  Sentence explanation;
  std::optional<double> margin;  ///< worst |error| / allowed; above 1 is a failure
};

struct Verdict {
  Status status = Status::no_reference;
  Sentence message;
  int line = 0;
  std::vector<Finding> findings;
  std::optional<bool> deterministic;
  std::optional<double> mse, max_abs, max_rel, max_ulp;
  std::optional<std::int64_t> mismatches, elements;
  std::vector<Mismatch> first;
  std::vector<ErrorMap> error_maps;
  std::vector<Tolerance> tolerances;
  std::vector<Sentence> warnings;  ///< what makes a pass worth less; never a reason to fail
  int launches = 0;                ///< judged ones
};

Json to_json(const Verdict& verdict);
/// Error code unknown_word: a status or kind of another release, which must not pass for one of ours.
Result<Verdict> verdict_from_json(const Json& json);

}  // namespace ridge::verify
