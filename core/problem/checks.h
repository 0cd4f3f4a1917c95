// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of reading a problem that have files of their own. Private to this room.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "problem/problem.h"
#include "problem/toml_reader.h"

namespace ridge::problem {

/// Lower-case words of the file for the enums.
std::string_view name_of(InitKind kind);
std::optional<InitKind> init_kind_named(std::string_view name);
std::string_view name_of(ReferenceKind kind);
std::optional<ReferenceKind> reference_kind_named(std::string_view name);

/// What an input without `init` gets: normal values, small whole numbers in integers, 0 and 1 in bool.
Init default_init(DType dtype);
/// An `init` table for an input of this dtype.
std::optional<Init> read_init(TableReader reader, DType dtype, Faults& faults);

/// Checks that a file of the problem lies inside its folder and is there; reports at `line`. An empty folder:
/// only the form of the path is checked.
bool check_file(const std::filesystem::path& folder, const std::string& file, const Sentence& what, int line,
                Faults& faults);

/// Binds `workload`, leaving out every expression that uses a name of `unsound` (its fault has been
/// reported).
Bound bind_sound(const Problem& problem, const Workload& workload,
                 const std::map<std::string, std::int64_t>& axes, std::optional<std::uint64_t> seed,
                 const std::set<std::string>& unsound);

}  // namespace ridge::problem
