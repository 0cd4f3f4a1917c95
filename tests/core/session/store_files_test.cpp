// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are no sessions, sessions of other versions, and files that other people made.
#include <gtest/gtest.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/files.h"
#include "core/session/sample_run.h"
#include "session/store.h"

namespace ridge::session {
namespace {

namespace fs = std::filesystem;

const fs::path kInputs = fs::path(RIDGE_SOURCE_DIR) / "tests/inputs/definitions/sessions";

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

void make_session(const fs::path& file) {
  auto store = Store::open_for_writing(file);
  ASSERT_TRUE(store);
  ASSERT_TRUE((*store)->add(test::gpu_run()));
}

/// Neither way of opening accepts the file, and both leave it and its folder as they are.
void expect_refused(const fs::path& file, const std::string& code, const std::vector<std::string>& words) {
  const std::string before = *read_file(file);
  const std::size_t neighbours = entries(file.parent_path());
  for (const auto& store : {Store::open(file), Store::open_for_writing(file)}) {
    ASSERT_FALSE(store) << file;
    EXPECT_EQ(store.error().code, code) << store.error().message;
    EXPECT_EQ(store.error().kind, ErrorKind::definition);
    EXPECT_EQ(store.error().file, file.string());
    for (const std::string& word : words)
      EXPECT_NE(store.error().message.english().find(word), std::string::npos) << store.error().message;
  }
  EXPECT_EQ(*read_file(file), before);
  EXPECT_EQ(entries(file.parent_path()), neighbours);
}

struct OddFile {
  const char* file;
  const char* code;
  std::vector<std::string> words;
};

class ForeignFile : public testing::TestWithParam<OddFile> {};

TEST_P(ForeignFile, IsRefusedAndStaysAsItIs) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / GetParam().file;
  fs::copy_file(kInputs / GetParam().file, file);
  fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
  expect_refused(file, GetParam().code, GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(
    Inputs, ForeignFile,
    testing::Values(OddFile{"not_a_session.ridge", "not_a_session", {"SQLite"}},
                    OddFile{"other_application.ridge", "other_application", {"another program"}},
                    OddFile{"cut_short.ridge", "damaged", {"1500", "9216"}}),
    [](const auto& instance) { return std::string(instance.param.code); });

TEST(SessionFile, NewerVersionIsRefusedNamingBoth) {
  if (std::system("python3 -c 'import sqlite3' 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  const test::TemporaryFolder folder;
  const fs::path session = folder / "session.ridge", newer = folder / "newer.ridge";
  make_session(session);
  const std::string script = (kInputs / "make_newer_session.py").string();
  ASSERT_EQ(
      std::system(("python3 '" + script + "' '" + session.string() + "' '" + newer.string() + "'").c_str()),
      0);
  expect_refused(newer, "newer_version", {"version 2", "version 1"});
}

TEST(SessionFile, AdditionsOfTheSameVersionAreReadAndKept) {
  if (std::system("python3 -c 'import sqlite3' 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  const test::TemporaryFolder folder;
  const fs::path session = folder / "session.ridge", added = folder / "added.ridge";
  make_session(session);
  const std::string script = (kInputs / "make_newer_session.py").string();
  ASSERT_EQ(
      std::system(("python3 '" + script + "' '" + session.string() + "' '" + added.string() + "' 1").c_str()),
      0);
  make_session(added);
  EXPECT_EQ((*Store::open(added))->runs()->size(), 2u);
  SQLite::Database database(added.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(database.execAndGet("SELECT hex(value) FROM of_a_later_release").getString(), "00FF10");
}

TEST(SessionFile, MissingFileIsNamed) {
  const test::TemporaryFolder folder;
  const auto store = Store::open(folder / "none.ridge");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, "session_missing");
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(SessionFile, MissingFolderIsNamedAndLeavesNothing) {
  const test::TemporaryFolder folder;
  const auto store = Store::open_for_writing(folder / "no/such/folder.ridge");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, "session_cannot_open");
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(SessionFile, FoldersAndDevicesAreNoSessions) {
  const test::TemporaryFolder folder;
  for (const fs::path& file : {folder.path(), fs::path("/dev/null")})
    for (const auto& store : {Store::open(file), Store::open_for_writing(file)}) {
      ASSERT_FALSE(store) << file;
      EXPECT_EQ(store.error().code, "not_a_session");
    }
}

TEST(SessionFile, EmptyFileIsNoSessionToReadAndAFreshOneToWrite) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "empty.ridge";
  std::ofstream(file).close();
  const auto reader = Store::open(file);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, "not_a_session");
  make_session(file);
  EXPECT_EQ((*Store::open(file))->runs()->size(), 1u);
}

TEST(SessionFile, CutAnywhereIsRefusedOrReadButNeverACrash) {
  const test::TemporaryFolder folder;
  const fs::path whole = folder / "whole.ridge";
  make_session(whole);
  const std::string bytes = *read_file(whole);
  for (std::size_t length = 1; length < bytes.size(); length += bytes.size() / 37 + 1) {
    const fs::path cut = folder / "cut.ridge";
    ASSERT_TRUE(write_file(cut, bytes.substr(0, length)));
    const auto store = Store::open(cut);
    ASSERT_FALSE(store) << length;
    EXPECT_TRUE(store.error().code == "damaged" || store.error().code == "not_a_session")
        << store.error().code;
    EXPECT_EQ(read_file(cut)->size(), length);
  }
}

TEST(SessionFile, FlippedBytesNeverCrash) {
  const test::TemporaryFolder folder;
  const fs::path whole = folder / "whole.ridge";
  make_session(whole);
  const std::string bytes = *read_file(whole);
  std::uint32_t random = 7;
  int refused = 0;
  for (int round = 0; round < 60; ++round) {
    std::string changed = bytes;
    for (int i = 0; i < 40; ++i) {
      random = random * 1664525 + 1013904223;
      changed[random % changed.size()] = static_cast<char>(random >> 24);
    }
    const fs::path file = folder / "changed.ridge";
    ASSERT_TRUE(write_file(file, changed));
    const auto store = Store::open(file);
    if (!store || !(*store)->runs()) ++refused;
    EXPECT_EQ(*read_file(file), changed);
  }
  EXPECT_GT(refused, 30);
}

TEST(SessionFile, RunThatCannotBeReadIsNamed) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  make_session(file);
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("UPDATE runs SET document = '{'");
  const auto store = Store::open(file);
  ASSERT_TRUE(store);
  const auto runs = (*store)->runs();
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().code, "damaged");
  EXPECT_NE(runs.error().message.english().find("run 1"), std::string::npos) << runs.error().message;
}

TEST(SessionFile, RunThatCannotBeReadDoesNotHideTheOthers) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  make_session(file);
  const auto whole = Store::open(file);
  ASSERT_TRUE(whole);
  const std::size_t count = (*whole)->runs()->size();
  {
    auto store = Store::open_for_writing(file);
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->add((*whole)->runs()->front()));
  }
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
      .exec("UPDATE runs SET document = 'null' WHERE id = 1");
  const auto store = Store::open(file);
  ASSERT_TRUE(store);
  Diagnostics damaged;
  const auto runs = (*store)->runs(&damaged);
  ASSERT_TRUE(runs) << runs.error().message;
  EXPECT_EQ(runs->size(), count);
  ASSERT_EQ(damaged.size(), 1u);
  EXPECT_EQ(damaged[0].severity, Severity::warning);
  EXPECT_NE(damaged[0].message.english().find("run 1"), std::string::npos) << damaged[0].message;
}

TEST(SessionFile, AVerdictOfANewerReleaseStaysInTheFileAndIsNoneOfOurs) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  make_session(file);
  const auto whole = Store::open(file);
  ASSERT_TRUE(whole);
  const std::size_t count = (*whole)->runs()->size();
  const auto change = [&](const std::string& statement) {
    return SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec(statement);
  };
  ASSERT_TRUE((*Store::open_for_writing(file))->add(test::emulator_run()));
  ASSERT_EQ(
      change("UPDATE runs SET document = json_set(document, '$.verdict.status', 'splendid') WHERE id = 1"),
      1);
  {
    // Whatever this release writes beside it, its words stay.
    auto store = Store::open_for_writing(file);
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->set_notes("1", "from tomorrow"));
    ASSERT_TRUE((*store)->set_baseline("2", true));
    ASSERT_TRUE((*store)->add(test::gpu_run()));
    Diagnostics left_out;
    const auto runs = (*store)->runs(&left_out);
    ASSERT_TRUE(runs);
    EXPECT_EQ(runs->size(), count + 1);
    ASSERT_EQ(left_out.size(), 1u);
    EXPECT_EQ(left_out[0].code, "unknown_word");
    for (const char* word : {"Run 1", "'splendid'"})
      EXPECT_NE(left_out[0].message.english().find(word), std::string::npos) << left_out[0].message;
    EXPECT_EQ(left_out[0].message.english().find("damaged"), std::string::npos) << left_out[0].message;
  }
  SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(database.execAndGet("SELECT json_extract(document, '$.verdict.status') FROM runs WHERE id = 1")
                .getString(),
            "splendid");
}

TEST(SessionFile, LackingTableIsDamage) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  make_session(file);
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("DROP TABLE samples");
  expect_refused(file, "damaged", {"samples"});
}

TEST(SessionFile, TriggersOfTheFileDoNotRun) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  make_session(file);
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
      .exec("CREATE TRIGGER evil AFTER INSERT ON runs BEGIN DELETE FROM runs; END");
  make_session(file);
  EXPECT_EQ((*Store::open(file))->runs()->size(), 2u);
}

TEST(SessionFile, ViewInPlaceOfATableIsDamage) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  make_session(file);
  {
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    database.exec("DROP TABLE samples");
    database.exec(
        "CREATE VIEW samples AS SELECT 1 AS run_id, 'cold' AS series, 'us' AS quantity, x'00' AS data");
  }
  expect_refused(file, "damaged", {"samples"});
}

/// A session of version 0: ours by its mark, without our tables, with one of its own.
void make_old_session(const fs::path& file) {
  SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec("CREATE TABLE own (value TEXT)");
  database.exec("INSERT INTO own VALUES ('kept')");
  database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
}

TEST(SessionMigration, ReadingAnOlderSessionLeavesItAsItIs) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "old.ridge";
  make_old_session(file);
  const std::string before = *read_file(file);
  const auto store = Store::open(file);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE((*store)->runs()->empty());
  EXPECT_EQ(*read_file(file), before);
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(SessionMigration, WritingMigratesAndKeepsWhatWasThere) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "old.ridge";
  make_old_session(file);
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  make_session(file);
  EXPECT_EQ((*Store::open(file))->runs()->size(), 1u);
  EXPECT_EQ(entries(folder.path()), 1u);
  EXPECT_EQ(fs::status(file).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), 1);
  EXPECT_EQ(database.execAndGet("SELECT value FROM own").getString(), "kept");
}

TEST(SessionMigration, FailureLeavesTheOldSession) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "old.ridge";
  make_old_session(file);
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("CREATE TABLE meta (other INTEGER)");
  const std::string before = *read_file(file);
  const auto store = Store::open_for_writing(file);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, "damaged");
  EXPECT_EQ(*read_file(file), before);
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(SessionFile, ReplacedBehindTheStoreIsSaid) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  make_session(file);
  auto store = Store::open_for_writing(file);
  ASSERT_TRUE(store);
  fs::rename(file, folder / "moved.ridge");
  const auto added = (*store)->add(test::gpu_run());
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, "session_moved");
}

/// What the demo opens beside its own runs: measured, passed, and named as a recording.
TEST(SessionFile, TheRecordedSessionOfTheDemo) {
  auto store = Store::open(fs::path(RIDGE_SOURCE_DIR) / "resources" / "demo" / "h200.ridge");
  ASSERT_TRUE(store) << store.error().message;
  auto title = (*store)->title();
  ASSERT_TRUE(title);
  EXPECT_EQ(*title, "Recorded on an H200");
  Diagnostics damaged;
  auto runs = (*store)->runs(&damaged);
  ASSERT_TRUE(runs) << runs.error().message;
  EXPECT_TRUE(damaged.empty());
  EXPECT_GE(runs->size(), 200u);
  for (const session::Run& run : *runs) {
    EXPECT_EQ(run.verdict.status, hardware::Status::pass) << run.kernel << " " << run.workload;
    EXPECT_EQ(run.device.name, "NVIDIA H200");
    EXPECT_TRUE(run.timing) << run.kernel << " " << run.workload;
  }
}

}  // namespace
}  // namespace ridge::session
