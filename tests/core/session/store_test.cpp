// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/store.h"

#include <gtest/gtest.h>

#include <SQLiteCpp/SQLiteCpp.h>

#include "base/files.h"
#include "core/session/sample_run.h"

namespace ridge::session {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Store> writer(const fs::path& file) {
  auto store = Store::open_for_writing(file);
  EXPECT_TRUE(store) << (store ? "" : store.error().message);
  return store ? *std::move(store) : nullptr;
}

std::vector<session::Run> runs_of(const fs::path& file) {
  auto store = Store::open(file);
  EXPECT_TRUE(store) << (store ? "" : store.error().message);
  if (!store) return {};
  auto runs = (*store)->runs();
  EXPECT_TRUE(runs) << (runs ? "" : runs.error().message);
  return runs ? *std::move(runs) : std::vector<session::Run>();
}

TEST(Store, GivesBackWhatWasAdded) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  std::string id;
  {
    auto store = writer(file);
    const auto added = store->add(test::gpu_run());
    ASSERT_TRUE(added);
    id = *added;
    ASSERT_TRUE(store->add(test::emulator_run()));
  }
  const std::vector<session::Run> runs = runs_of(file);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].id, id);
  session::Run expected = test::gpu_run();
  expected.id = id;
  EXPECT_EQ(dump(to_json(runs[0], true)), dump(to_json(expected, true)));
  EXPECT_NE(runs[1].id, id);
  EXPECT_FALSE(runs[1].timing.has_value());
}

TEST(Store, HeaderIsOfTheContract) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  ASSERT_TRUE(writer(file)->add(test::gpu_run()));
  SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(database.execAndGet("PRAGMA application_id").getInt(), 0x52444745);
  EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), 1);
  EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "delete");
  EXPECT_EQ(database.execAndGet("SELECT status FROM runs").getString(), "pass");
  EXPECT_EQ(database.execAndGet("SELECT count(*) FROM sources").getInt(), 2);
  EXPECT_EQ(database.execAndGet("SELECT length(data) FROM samples WHERE quantity = 'us'").getInt(), 24);
}

TEST(Store, EqualSourcesAreStoredOnceAndGoWithTheirLastRun) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  auto store = writer(file);
  const auto first = store->add(test::gpu_run());
  const auto second = store->add(test::gpu_run());
  ASSERT_TRUE(first && second);
  const auto sources = [&] {
    SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
    return database.execAndGet("SELECT count(*) FROM sources").getInt();
  };
  EXPECT_EQ(sources(), 2);  // the kernel and its PTX
  ASSERT_TRUE(store->remove(*first));
  EXPECT_EQ(sources(), 2);
  EXPECT_EQ(runs_of(file).at(0).source.text, test::gpu_run().source.text);
  ASSERT_TRUE(store->remove(*second));
  EXPECT_EQ(sources(), 0);
  EXPECT_TRUE(runs_of(file).empty());
}

TEST(Store, IdsAreNeverUsedAgain) {
  const test::TemporaryFolder folder;
  auto store = writer(folder / "a.ridge");
  const auto first = store->add(test::gpu_run());
  ASSERT_TRUE(first && store->remove(*first));
  const auto second = store->add(test::gpu_run());
  ASSERT_TRUE(second);
  EXPECT_NE(*first, *second);
}

TEST(Store, OneStarForEachPlace) {
  const test::TemporaryFolder folder;
  auto store = writer(folder / "a.ridge");
  session::Run elsewhere = test::gpu_run();
  elsewhere.workload = "square";
  elsewhere.baseline = true;
  const auto a = store->add(test::gpu_run("a", 10)), b = store->add(test::gpu_run("b", 20)),
             c = store->add(elsewhere);
  ASSERT_TRUE(a && b && c);
  ASSERT_TRUE(store->set_baseline(*a, true));
  ASSERT_TRUE(store->set_baseline(*b, true));
  auto runs = store->runs();
  ASSERT_TRUE(runs);
  EXPECT_FALSE((*runs)[0].baseline);
  EXPECT_TRUE((*runs)[1].baseline);
  EXPECT_TRUE((*runs)[2].baseline);
  EXPECT_EQ(baseline_us(*runs, (*runs)[0]), 20);
  ASSERT_TRUE(store->set_baseline(*b, false));
  runs = store->runs();
  ASSERT_TRUE(runs);
  EXPECT_EQ(baseline_us(*runs, (*runs)[0]), std::nullopt);
}

TEST(Store, AddingAStarredRunTakesTheStar) {
  const test::TemporaryFolder folder;
  auto store = writer(folder / "a.ridge");
  session::Run starred = test::gpu_run();
  starred.baseline = true;
  ASSERT_TRUE(store->add(starred) && store->add(starred));
  const auto runs = store->runs();
  ASSERT_TRUE(runs);
  EXPECT_FALSE((*runs)[0].baseline);
  EXPECT_TRUE((*runs)[1].baseline);
}

TEST(Store, BaselineIsOfTheSameDeviceProblemWorkloadAndAxes) {
  session::Run star = test::gpu_run("star", 7);
  star.baseline = true;
  EXPECT_EQ(baseline_us({star}, test::gpu_run()), 7);
  session::Run run = test::gpu_run();
  run.axes["rows"] = 128;
  EXPECT_EQ(baseline_us({star}, run), std::nullopt);
  run = test::gpu_run();
  run.problem = "layernorm";
  EXPECT_EQ(baseline_us({star}, run), std::nullopt);
  run = test::gpu_run();
  run.device.name = "NVIDIA A100";
  EXPECT_EQ(baseline_us({star}, run), std::nullopt);
  star.timing.reset();
  EXPECT_EQ(baseline_us({star}, test::gpu_run()), std::nullopt);
}

TEST(Store, BaselineOfARunThatIsStillToCome) {
  session::Run star = test::gpu_run("star", 7);
  star.baseline = true;
  problem::BoundProblem problem;
  problem.problem = star.problem;
  problem.workload = star.workload;
  problem.axes = star.axes;
  EXPECT_EQ(baseline_us({star}, problem, star.device), 7);
  device::DeviceInfo other = star.device;
  other.name = "NVIDIA A100";
  EXPECT_EQ(baseline_us({star}, problem, other), std::nullopt);
  problem.axes["rows"] = 128;
  EXPECT_EQ(baseline_us({star}, problem, star.device), std::nullopt);
}

TEST(Store, NotesTitleAndWindowStateAreKept) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  {
    auto store = writer(file);
    const auto id = store->add(test::gpu_run());
    ASSERT_TRUE(id);
    ASSERT_TRUE(store->set_notes(*id, "two\nlines \xe5\xa5\xbd"));
    ASSERT_TRUE(store->set_title("First"));
    ASSERT_TRUE(store->set_title("Second"));
    ASSERT_TRUE(store->set_window_state(Json{{"splitter", {1, 2}}}));
  }
  const auto store = Store::open(file);
  ASSERT_TRUE(store);
  EXPECT_EQ((*store)->runs()->at(0).notes, "two\nlines \xe5\xa5\xbd");
  EXPECT_EQ(*(*store)->title(), "Second");
  EXPECT_EQ(*(*store)->window_state(), (Json{{"splitter", {1, 2}}}));
  EXPECT_EQ((*store)->file(), file);
}

TEST(Store, FreshSessionHasEmptyTitleAndWindowState) {
  const test::TemporaryFolder folder;
  auto store = writer(folder / "a.ridge");
  EXPECT_EQ(*store->title(), "");
  EXPECT_EQ(*store->window_state(), Json::object());
  EXPECT_TRUE(store->runs()->empty());
}

TEST(Store, RunsThatAreNotThereAreNamed) {
  const test::TemporaryFolder folder;
  auto store = writer(folder / "a.ridge");
  for (const std::string id : {"1", "", "x", "-1", "99999999999999999999", "1 OR 1=1"}) {
    for (const auto& result : {store->remove(id), store->set_notes(id, "n"), store->set_baseline(id, true)}) {
      ASSERT_FALSE(result) << id;
      EXPECT_EQ(result.error().code, "unknown_run");
      EXPECT_NE(result.error().message.english().find("'" + id + "'"), std::string::npos);
    }
  }
}

TEST(Store, ReaderCannotWrite) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  ASSERT_TRUE(writer(file)->add(test::gpu_run()));
  const std::string before = *read_file(file);
  const auto store = Store::open(file);
  ASSERT_TRUE(store);
  const auto added = (*store)->add(test::gpu_run());
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, "session_read_only");
  EXPECT_EQ(*read_file(file), before);
}

TEST(Store, OpeningChangesNothing) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  ASSERT_TRUE(writer(file)->add(test::gpu_run()));
  const std::string before = *read_file(file);
  const auto time = fs::last_write_time(file);
  EXPECT_EQ(runs_of(file).size(), 1u);
  EXPECT_EQ(*read_file(file), before);
  EXPECT_EQ(fs::last_write_time(file), time);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(Store, MembersOfANewerReleaseSurviveStarsAndNotes) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a.ridge";
  session::Run run = test::gpu_run();
  run.unknown["energy"] = 3.5;
  auto store = writer(file);
  const auto id = store->add(run);
  ASSERT_TRUE(id);
  {
    SQLite::Database newer(file.string(), SQLite::OPEN_READWRITE);
    newer.exec("ALTER TABLE runs ADD COLUMN energy REAL");
    newer.exec("UPDATE runs SET energy = 3.5");
    newer.exec("UPDATE runs SET document = json_set(document, '$.verdict.energy', 7)");
  }
  ASSERT_TRUE(store->set_notes(*id, "n"));
  ASSERT_TRUE(store->set_baseline(*id, true));
  ASSERT_TRUE(store->add(test::gpu_run()));
  SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(database.execAndGet("SELECT energy FROM runs WHERE id = 1").getDouble(), 3.5);
  EXPECT_EQ(database.execAndGet("SELECT json_extract(document, '$.verdict.energy') FROM runs WHERE id = 1")
                .getInt(),
            7);
  EXPECT_EQ(runs_of(file).at(0).unknown["energy"], 3.5);
}

TEST(Store, NamesWithEveryCharacterWork) {
  const test::TemporaryFolder folder;
  for (const std::string name : {"a b.ridge", "100%25.ridge", "q?mode=rwc.ridge", "h#x.ridge",
                                 "\xe4\xbd\xa0.ridge", "a&b'c\".ridge"}) {
    ASSERT_TRUE(writer(folder / name)->add(test::gpu_run())) << name;
    EXPECT_TRUE(fs::exists(folder / name)) << name;
    EXPECT_EQ(runs_of(folder / name).size(), 1u) << name;
  }
}

}  // namespace
}  // namespace ridge::session
