// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/database.h"

#include <SQLiteCpp/Backup.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <optional>
#include <system_error>

#include "base/files.h"
#include "base/version.h"
#include "session/schema.h"
#include "session/store.h"

namespace ridge::session {
namespace {

namespace fs = std::filesystem;

constexpr int kBusyMilliseconds = 5000;

Error session_error(ErrorKind kind, const char* code, const fs::path& file, const Sentence& what,
                    Sentence hint = {}) {
  return {kind, code, say("The session {} {}", file.string(), what), std::move(hint), file.string(), 0};
}

Error damaged(const fs::path& file, const Sentence& how) {
  return session_error(ErrorKind::definition, "damaged", file,
                       say("is damaged: {}. Nothing was changed in it.", how),
                       say("Restore the file from a copy."));
}

Error not_a_session(const fs::path& file, const Sentence& why) {
  return {ErrorKind::definition,
          "not_a_session",
          say("{} is not a session: {}.", file.string(), why),
          say("Sessions are .ridge files that the window or `ridge run --session` saved."),
          file.string(),
          0};
}

/// The code without what extended codes add to it.
int primary_code(const SQLite::Exception& exception) {
  return exception.getErrorCode() & 0xff;
}

/// "file:…?mode=…" with everything that a URI gives a meaning escaped.
std::string uri_of(const fs::path& file, const char* mode) {
  constexpr const char* kHex = "0123456789ABCDEF";
  std::error_code ignored;
  fs::path absolute = fs::absolute(file, ignored);
  std::string uri = "file:";
  for (const char c : absolute.string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                       (byte >= 'A' && byte <= 'Z') || std::strchr("/-._~", c) != nullptr;
    if (plain && c != '\0')
      uri += c;
    else
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return uri + "?mode=" + mode;
}

/// A connection on which nothing that a file brings along can act: no triggers, no views, no functions in its
/// schema.
void make_inert(SQLite::Database& database) {
  sqlite3* handle = database.getHandle();
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  database.exec("PRAGMA cell_size_check = ON");
}

Connection connect(const fs::path& file, const char* mode, int flags) {
  auto database =
      std::make_unique<SQLite::Database>(uri_of(file, mode), flags | SQLITE_OPEN_URI, kBusyMilliseconds);
  make_inert(*database);
  return database;
}

std::uint32_t big_endian(const unsigned char* bytes) {
  return (std::uint32_t{bytes[0]} << 24) | (std::uint32_t{bytes[1]} << 16) | (std::uint32_t{bytes[2]} << 8) |
         bytes[3];
}

/// How a file is shorter than its own header says, or nothing. Read through SQLite's descriptor: closing
/// another one on the same file would drop this process's locks.
std::optional<Sentence> cut_short(SQLite::Database& database) {
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      !file || !file->pMethods)
    return std::nullopt;
  sqlite3_int64 size = 0;
  std::array<unsigned char, 100> header{};  // a short read fills the rest with zeros
  if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) return std::nullopt;
  file->pMethods->xRead(file, header.data(), static_cast<int>(header.size()), 0);
  if (std::memcmp(header.data(), "SQLite format 3", 16) != 0) return std::nullopt;
  if (size < static_cast<sqlite3_int64>(header.size()))
    return say("it is {} bytes long, which is less than a header", size);
  // The page count holds only when the writer that set it also made the last change (fields at 24 and 92).
  if (big_endian(&header[24]) != big_endian(&header[92])) return std::nullopt;
  const std::int64_t page = header[16] == 0 && header[17] == 1 ? 65536 : header[16] * 256 + header[17];
  const std::int64_t promised = page * std::int64_t{big_endian(&header[28])};
  if (size >= promised) return std::nullopt;
  return say("it is {} bytes long, but its header says {}", size, promised);
}

int pragma(SQLite::Database& database, const char* name) {
  return database.execAndGet(std::string("PRAGMA ") + name).getInt();
}

bool is_empty(SQLite::Database& database) {
  return pragma(database, "application_id") == 0 && pragma(database, "user_version") == 0 &&
         database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt64() == 0;
}

/// Is it sound, ours, and of a version that this program reads?
Result<int> identify(SQLite::Database& database, const fs::path& file) {
  if (const auto how = cut_short(database)) return damaged(file, *how);
  if (is_empty(database)) return not_a_session(file, say("it holds nothing"));
  if (static_cast<std::uint32_t>(pragma(database, "application_id")) != kApplicationId)
    return session_error(ErrorKind::definition, "other_application", file,
                         say("is a database of another program. Nothing was changed in it."),
                         say("Sessions are .ridge files that the window or `ridge run --session` saved."));
  const int version = pragma(database, "user_version");
  if (version > kSessionVersion)
    return session_error(
        ErrorKind::definition, "newer_version", file,
        say("has format version {}, and this release reads up to version {}. Nothing was changed in it.",
            version, kSessionVersion),
        say("Open it with a newer release, or export it there as JSON."));
  if (version < 0) return damaged(file, say("its format version is negative"));
  const std::string check = database.execAndGet("PRAGMA quick_check(1)").getString();
  if (check != "ok") return damaged(file, check);
  if (version == kSessionVersion)
    for (const std::string_view table : tables()) {
      SQLite::Statement query(database,
                              "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?");
      query.bind(1, std::string(table));
      if (!query.executeStep() || query.getColumn(0).getInt() != 1)
        return damaged(file, say("its table '{}' is missing", table));
    }
  return version;
}

/// A folder that lives as long as this value.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "ridge-session-XXXXXX").string();
    if (const char* made = ::mkdtemp(pattern.data())) path_ = made;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Connection copy_in_memory(SQLite::Database& source) {
  auto memory = std::make_unique<SQLite::Database>(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  SQLite::Backup(*memory, source).executeStep();
  make_inert(*memory);
  return memory;
}

/// A writer was killed in the middle of a transaction: SQLite must roll it back before anything can be read.
/// That happens on a copy, because opening never changes a session.
Connection recovered_copy(const fs::path& file) {
  const TemporaryFolder folder;
  const fs::path copy = folder.path() / "session";
  fs::copy_file(file, copy);
  fs::copy_file(file.string() + "-journal", copy.string() + "-journal");
  Connection recovered = connect(copy, "rw", SQLite::OPEN_READWRITE);
  return copy_in_memory(*recovered);
}

bool has_journal(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file.string() + "-journal", ignored);
}

Result<Connection> begin_reading(const fs::path& file) {
  Connection database = connect(file, "ro", SQLite::OPEN_READONLY);
  try {
    pragma(*database, "schema_version");
    return database;
  } catch (const SQLite::Exception& exception) {
    const int code = primary_code(exception);
    if ((code == SQLITE_READONLY || code == SQLITE_CANTOPEN) && has_journal(file))
      return recovered_copy(file);
    if (code == SQLITE_CORRUPT)
      if (const auto how = cut_short(*database)) return damaged(file, *how);
    throw;
  }
}

/// The regular file behind the name, or why there is none.
Result<void> regular_file(const fs::path& file) {
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (status.type() == fs::file_type::not_found)
    return session_error(ErrorKind::usage, "session_missing", file, say("does not exist."),
                         say("Check the path."));
  if (status.type() == fs::file_type::none)
    return session_error(ErrorKind::component, "session_cannot_open", file,
                         say("cannot be read: {}", problem.message()));
  if (status.type() != fs::file_type::regular) return not_a_session(file, say("it is no regular file"));
  return {};
}

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

void prepare_for_writing(SQLite::Database& database) {
  database.exec("PRAGMA journal_mode = DELETE");
  database.exec("PRAGMA synchronous = FULL");
}

/// The bytes of the file as SQLite sees them; a backup would be refused while this connection holds the write
/// lock.
std::string content_of(SQLite::Database& database) {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes(
      sqlite3_serialize(database.getHandle(), "main", &size, 0), sqlite3_free);
  if (!bytes) throw SQLite::Exception(database.getHandle(), SQLITE_NOMEM);
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

/// Migrates a copy beside the file and lets it take the file's place. `database` holds the write lock
/// meanwhile.
Result<void> migrate_on_copy(SQLite::Database& database, const fs::path& file, int version) {
  const fs::path copy = file.string() + ".migrating-" + std::to_string(::getpid());
  std::error_code problem;
  fs::remove(copy, problem);
  try {
    if (const auto written = write_file(copy, content_of(database)); !written) return written.error();
    {
      const Connection migrated = connect(copy, "rw", SQLite::OPEN_READWRITE);
      prepare_for_writing(*migrated);
      SQLite::Transaction transaction(*migrated);
      migrate(*migrated, version);
      transaction.commit();
    }
    fs::permissions(copy, fs::status(file).permissions());
    fs::rename(copy, file);
  } catch (...) {
    fs::remove(copy, problem);
    throw;
  }
  sync_folder(file.parent_path());
  return {};
}

Result<Connection> writer(const fs::path& file, bool retry) {
  Connection database = connect(file, "rwc", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  if (sqlite3_db_readonly(database->getHandle(), "main") == 1)
    return session_error(ErrorKind::component, "session_read_only", file,
                         say("cannot be written: it is read-only."),
                         say("Change its permissions or save under another name."));
  prepare_for_writing(*database);
  SQLite::Transaction transaction(*database, SQLite::TransactionBehavior::IMMEDIATE);
  if (is_empty(*database)) {
    migrate(*database, 0);
    transaction.commit();
    return database;
  }
  const Result<int> version = identify(*database, file);
  if (!version) return version.error();
  if (*version == kSessionVersion) return database;
  if (!retry)
    return session_error(ErrorKind::internal, "migration_failed", file, say("could not be migrated."));
  if (const auto migrated = migrate_on_copy(*database, file, *version); !migrated) return migrated.error();
  return writer(file, false);
}

}  // namespace

Error explain(const SQLite::Exception& exception, const fs::path& file) {
  const int code = primary_code(exception);
  const std::string detail = exception.what();
  switch (code) {
    case SQLITE_NOTADB:
      return not_a_session(file, say("it is no SQLite database"));
    case SQLITE_CORRUPT:
      return damaged(file, detail);
    case SQLITE_ERROR:  // "no such column": what the file lacks
      return damaged(file, detail);
    case SQLITE_FULL:
      return session_error(ErrorKind::component, "disk_full", file,
                           say("could not be saved: the disk is full. What was saved before is intact."),
                           say("Free some space and save again."));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return session_error(ErrorKind::component, "session_busy", file,
                           say("is being written by another process, which did not finish within 5 s."),
                           say("Try again."));
    case SQLITE_READONLY:
      if (exception.getExtendedErrorCode() == SQLITE_READONLY_DBMOVED)
        return session_error(ErrorKind::component, "session_moved", file,
                             say("was moved, replaced or deleted after it was opened; nothing was saved."),
                             say("Save under a new name."));
      return session_error(ErrorKind::component, "session_read_only", file,
                           say("cannot be written: it or its folder is read-only."),
                           say("Save under another name."));
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return session_error(ErrorKind::component, "session_cannot_open", file,
                           say("cannot be opened: {}.", detail),
                           say("Check that its folder exists and that you may write there."));
    case SQLITE_IOERR:
      return session_error(ErrorKind::component, "session_io", file,
                           say("could not be read or written: {}. What was saved before is intact.", detail),
                           say("Check the disk, its quota and its free space."));
    default:
      return session_error(ErrorKind::component, "session_failed", file, say("failed: {}.", detail));
  }
}

Result<Connection> connect_for_reading(const fs::path& file) {
  if (const auto regular = regular_file(file); !regular) return regular.error();
  try {
    std::error_code ignored;
    if (fs::file_size(file, ignored) == 0) return not_a_session(file, say("it is empty"));
    Result<Connection> database = begin_reading(file);
    if (!database) return database.error();
    const SQLite::Transaction reading(**database);  // size and header belong together
    pragma(**database, "schema_version");
    const Result<int> version = identify(**database, file);
    if (!version) return version.error();
    if (*version == kSessionVersion) return *std::move(database);
    Connection migrated = copy_in_memory(**database);
    SQLite::Transaction transaction(*migrated);
    migrate(*migrated, *version);
    transaction.commit();
    return migrated;
  } catch (const SQLite::Exception& exception) {
    return explain(exception, file);
  } catch (const fs::filesystem_error& failure) {
    return session_error(
        ErrorKind::component, "session_cannot_open", file,
        say("was left in the middle of a change, and a copy to recover it could not be made: {}.",
            failure.code().message()),
        say("Free some space for temporary files, or open it once for writing."));
  }
}

Result<Connection> connect_for_writing(const fs::path& file) {
  std::error_code ignored;
  const bool existed = fs::exists(file, ignored);
  try {
    // Whose file it is gets settled read-only, so that nothing of another program is ever touched.
    if (existed && fs::file_size(file, ignored) != 0)
      if (const auto readable = connect_for_reading(file); !readable) return readable.error();
    if (existed)
      if (const auto regular = regular_file(file); !regular) return regular.error();
    return writer(file, true);
  } catch (const SQLite::Exception& exception) {
    if (!existed && fs::exists(file, ignored) && fs::file_size(file, ignored) == 0) fs::remove(file, ignored);
    return explain(exception, file);
  } catch (const fs::filesystem_error& failure) {
    return session_error(
        ErrorKind::component, "session_io", file,
        say("is of an older version and could not be migrated: {}.", failure.code().message()));
  }
}

}  // namespace ridge::session
