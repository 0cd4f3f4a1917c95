// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on a candidate's answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "hardware/finding.h"

namespace ridge::verify {

using hardware::Finding;
using hardware::Status;

/// One element that is not as expected.
struct Mismatch {
  std::string tensor;
  std::vector<std::int64_t> index;
  double expected = 0, got = 0;
};

/// Where an output is wrong: counts on a coarse grid over the tensor seen as a matrix (leading extents x last
/// extent).
struct ErrorMap {
  std::string tensor;
  std::int64_t rows = 0, columns = 0;   ///< of the tensor
  int grid_rows = 0, grid_columns = 0;  ///< of the map
  std::vector<std::int64_t> wrong;      ///< grid_rows x grid_columns
};

struct Tolerance {
  std::string tensor;
  double atol = 0, rtol = 0;
  std::optional<double> mse;
  bool derived = false;
  std::string explanation;
  std::optional<double> margin;  ///< worst |error| / allowed; above 1 is a failure
};

struct Verdict {
  Status status = Status::no_reference;
  std::string message;
  int line = 0;
  std::vector<Finding> findings;
  std::optional<bool> deterministic;
  std::optional<double> mse, max_abs, max_rel, max_ulp;
  std::optional<std::int64_t> mismatches, elements;
  std::vector<Mismatch> first;
  std::vector<ErrorMap> error_maps;
  std::vector<Tolerance> tolerances;
  int launches = 0;  ///< judged ones
};

Json to_json(const Verdict& verdict);
Verdict verdict_from_json(const Json& json);

}  // namespace ridge::verify
