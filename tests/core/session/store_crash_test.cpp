// SPDX-License-Identifier: GPL-3.0-or-later
// What was committed survives kill -9, a full disk and a second writer. Each test lets a child process do the
// harm.
#include <gtest/gtest.h>

#include <csignal>
#include <functional>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "core/session/sample_run.h"
#include "session/store.h"

namespace ridge::session {
namespace {

namespace fs = std::filesystem;

pid_t in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  return child;
}

int status_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::size_t count_of(const fs::path& file) {
  const auto store = Store::open(file);
  EXPECT_TRUE(store) << (store ? "" : store.error().message);
  if (!store) return 0;
  const auto runs = (*store)->runs();
  EXPECT_TRUE(runs) << (runs ? "" : runs.error().message);
  return runs ? runs->size() : 0;
}

/// Adds a run, trying again where a busy machine keeps the other process at the file for too long.
bool added(Store& store) {
  for (int i = 0; i < 10; ++i) {
    const auto done = store.add(test::gpu_run());
    if (done) return true;
    if (done.error().code != "session_busy") return false;
  }
  return false;
}

/// A run too large for SQLite's page cache to hold back.
session::Run large_run() {
  session::Run run = test::gpu_run();
  run.timing->cold->samples_us.assign(1 << 19, 12.5);
  return run;
}

TEST(SessionCrash, CommittedRunsSurviveKill) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = in_child([&] {
    auto store = Store::open_for_writing(file);
    for (;;) {
      if (!store || !(*store)->add(test::gpu_run())) return 1;
      if (::write(ready[1], "+", 1) != 1) return 1;
    }
  });
  ::close(ready[1]);
  std::size_t committed = 0;
  for (char byte = 0; committed < 12 && ::read(ready[0], &byte, 1) == 1;) ++committed;
  ::kill(child, SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(status_of(child)));
  for (char byte = 0; ::read(ready[0], &byte, 1) == 1;) ++committed;
  ::close(ready[0]);
  const std::size_t found = count_of(file);
  EXPECT_GE(found, committed);
  EXPECT_LE(found, committed + 1);
}

/// Leaves a half-written transaction and its journal behind.
void die_in_a_transaction(const fs::path& file) {
  const pid_t child = in_child([&] {
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    database.exec("PRAGMA cache_size = 1");
    database.exec("BEGIN IMMEDIATE");
    database.exec("UPDATE runs SET document = 'half'");
    database.exec(
        "CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) "
        "SELECT randomblob(1000) FROM n");
    ::raise(SIGKILL);
    return 0;
  });
  ASSERT_TRUE(WIFSIGNALED(status_of(child)));
  ASSERT_TRUE(fs::exists(file.string() + "-journal"));
}

TEST(SessionCrash, HalfATransactionIsReadFromARecoveredCopy) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  ASSERT_TRUE((*Store::open_for_writing(file))->add(test::gpu_run()));
  die_in_a_transaction(file);
  const std::string before = *read_file(file);
  EXPECT_EQ(count_of(file), 1u);
  EXPECT_EQ(*read_file(file), before);
  EXPECT_TRUE(fs::exists(file.string() + "-journal"));
}

TEST(SessionCrash, NextWriterRollsHalfATransactionBack) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  ASSERT_TRUE((*Store::open_for_writing(file))->add(test::gpu_run()));
  die_in_a_transaction(file);
  auto store = Store::open_for_writing(file);
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE((*store)->add(test::gpu_run()));
  EXPECT_EQ(count_of(file), 2u);
  EXPECT_FALSE(fs::exists(file.string() + "-journal"));
}

TEST(SessionCrash, FullDiskFailsOneSaveAndLosesNothing) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  ASSERT_TRUE((*Store::open_for_writing(file))->add(test::gpu_run()));
  const pid_t child = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    auto store = Store::open_for_writing(file);
    const rlim_t limit = fs::file_size(file) + 65536;
    const rlimit full{limit, RLIM_INFINITY};
    if (!store || ::setrlimit(RLIMIT_FSIZE, &full) != 0) return 1;
    const auto refused = (*store)->add(large_run());
    if (refused || (refused.error().code != "disk_full" && refused.error().code != "session_io")) return 2;
    if ((*store)->runs()->size() != 1) return 3;
    return (*store)->add(test::gpu_run()) ? 0 : 4;  // what fits is still saved
  });
  const int status = status_of(child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(count_of(file), 2u);
}

TEST(SessionCrash, FullDiskAtTheFirstSaveLeavesNoFile) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  const pid_t child = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit full{100, RLIM_INFINITY};
    if (::setrlimit(RLIMIT_FSIZE, &full) != 0) return 1;
    return Store::open_for_writing(file) ? 2 : 0;
  });
  const int status = status_of(child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_FALSE(fs::exists(file));
}

TEST(SessionCrash, TwoProcessesWriteAtOnce) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  constexpr int kEach = 20;
  const auto body = [&] {
    auto store = Store::open_for_writing(file);
    if (!store) return 1;
    for (int i = 0; i < kEach; ++i)
      if (!added(**store)) return 2;
    return 0;
  };
  const pid_t first = in_child(body), second = in_child(body);
  EXPECT_EQ(status_of(first), 0);
  EXPECT_EQ(status_of(second), 0);
  EXPECT_EQ(count_of(file), 2u * kEach);
}

TEST(SessionCrash, ReaderSeesWholeRunsWhileAnotherWrites) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  ASSERT_TRUE((*Store::open_for_writing(file))->add(test::gpu_run()));
  const pid_t child = in_child([&] {
    auto store = Store::open_for_writing(file);
    for (int i = 0; i < 20; ++i)
      if (!store || !added(**store)) return 1;
    return 0;
  });
  std::size_t last = 0;
  for (int i = 0; i < 10; ++i) {
    const auto store = Store::open(file);
    const auto runs = store ? (*store)->runs() : Result<std::vector<session::Run>>(store.error());
    if (!runs && runs.error().code == "session_busy") continue;  // a busy machine: the writer held it for 5 s
    ASSERT_TRUE(runs) << runs.error().message;
    EXPECT_GE(runs->size(), last);
    last = runs->size();
  }
  EXPECT_EQ(status_of(child), 0);
  EXPECT_EQ(count_of(file), 21u);
}

}  // namespace
}  // namespace ridge::session
