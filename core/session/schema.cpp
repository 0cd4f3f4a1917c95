// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/schema.h"

#include <array>
#include <string>

#include "base/version.h"
#include "session/store.h"

namespace ridge::session {
namespace {

// What is searched for has a column of its own; the whole run is the JSON of `document`, less what other
// columns and tables hold (texts, samples, star, notes), so that members of a newer release survive every
// change made here.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
CREATE TABLE sources (               -- kernel sources and their PTX
  hash TEXT PRIMARY KEY,             -- of the text
  text BLOB NOT NULL
);
CREATE TABLE runs (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  time        TEXT NOT NULL,         -- ISO 8601, UTC
  problem     TEXT NOT NULL,
  workload    TEXT NOT NULL,
  axes        TEXT NOT NULL,         -- JSON, names sorted
  device      TEXT NOT NULL,
  kernel      TEXT NOT NULL,
  status      TEXT NOT NULL,
  baseline    INTEGER NOT NULL DEFAULT 0,
  notes       TEXT NOT NULL DEFAULT '',
  source_hash TEXT REFERENCES sources(hash),
  ptx_hash    TEXT REFERENCES sources(hash),
  document    TEXT NOT NULL          -- JSON
);
CREATE INDEX runs_by_place ON runs(problem, workload, device, axes);
CREATE INDEX runs_by_kernel ON runs(kernel);
CREATE INDEX runs_by_time ON runs(time);
CREATE INDEX runs_by_status ON runs(status);
CREATE TABLE samples (
  run_id   INTEGER NOT NULL REFERENCES runs(id),
  series   TEXT NOT NULL,            -- cold, warm, launch_inclusive
  quantity TEXT NOT NULL,            -- us, sm_mhz
  data     BLOB NOT NULL,            -- IEEE doubles, little-endian
  PRIMARY KEY (run_id, series, quantity)
);
)sql";

/// kSteps[v] leads from version v to v + 1.
constexpr std::array<const char*, kSessionVersion> kSteps{kVersion1};

constexpr std::array<std::string_view, 4> kTables{"meta", "sources", "runs", "samples"};

}  // namespace

std::span<const std::string_view> tables() {
  return kTables;
}

void migrate(SQLite::Database& database, int from) {
  for (std::size_t version = static_cast<std::size_t>(from); version < kSteps.size(); ++version)
    database.exec(kSteps[version]);
  database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.exec("PRAGMA user_version = " + std::to_string(kSessionVersion));
}

}  // namespace ridge::session
