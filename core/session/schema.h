// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: the tables of a session file and the steps from each version of them to the next.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <span>
#include <string_view>

namespace ridge::session {

/// The tables that every session of this version holds.
std::span<const std::string_view> tables();

/// Brings the tables from version `from` to kSessionVersion and marks the file as ours. Call it inside a
/// transaction; tables and columns that it does not know stay. Throws SQLite::Exception.
void migrate(SQLite::Database& database, int from);

}  // namespace ridge::session
