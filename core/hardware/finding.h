// SPDX-License-Identifier: GPL-3.0-or-later
// What a device or the judge found: a status, a sentence and a place.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace ridge::hardware {

/// In order, cause before symptom: of several findings the first in this order is the verdict.
enum class Status {
  compile_error,
  unsupported,
  launch_failed,
  device_lost,
  out_of_memory,
  timeout,
  trapped,
  out_of_bounds,
  misaligned,
  barrier_divergence,
  race,
  uninitialised,
  input_modified,
  unwritten,
  nan,
  wrong_values,
  nondeterministic,
  suspect,
  pass,
  no_reference,
  skipped
};
std::string_view name_of(Status status);
std::optional<Status> status_named(std::string_view name);

struct Finding {
  Status status = Status::pass;
  Sentence message;
  std::string file;  ///< kernel source, as the user named it; empty: unknown
  int line = 0;
  std::optional<std::array<std::int64_t, 3>> block;   ///< blockIdx
  std::optional<std::array<std::int64_t, 3>> thread;  ///< threadIdx
  std::uint64_t count = 1;                            ///< how often it was seen at this line
};

Json to_json(const Finding& finding);
Result<Finding> finding_from_json(const Json& json);  ///< error: unknown_word
Json to_json(const std::vector<Finding>& findings);
Result<std::vector<Finding>> findings_from_json(const Json& json);

}  // namespace ridge::hardware
