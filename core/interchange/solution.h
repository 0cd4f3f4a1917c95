// SPDX-License-Identifier: GPL-3.0-or-later
// Solutions of a definition; private to this room.
#pragma once

#include <filesystem>

#include "interchange/definition.h"

namespace ridge::interchange {

/// Adds the solution in `file`, or its faults. All paths are checked before anything could be written
/// anywhere.
void read_solution(const std::filesystem::path& file, const std::string& definition, Import& import);

/// True for a relative path that stays inside the folder it is joined to.
bool stays_inside(const std::string& path);

}  // namespace ridge::interchange
