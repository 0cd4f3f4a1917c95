// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: connections to session files that are known to be sound, ours and of this version.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"

namespace ridge::session {

using Connection = std::unique_ptr<SQLite::Database>;

/// Reads only; the file and its folder stay as they are. An older session, or one whose last writer was
/// killed in the middle of a transaction, is read from a copy.
Result<Connection> connect_for_reading(const std::filesystem::path& file);
/// Makes the file when it is not there; migrates an older one on a copy that replaces it.
Result<Connection> connect_for_writing(const std::filesystem::path& file);

/// What SQLite's exception means for the one who saves or opens `file`.
Error explain(const SQLite::Exception& exception, const std::filesystem::path& file);

}  // namespace ridge::session
