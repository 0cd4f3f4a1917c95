// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessions/run_book.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "charts/series.h"
#include "sample_runs.h"

namespace ridge::desktop {
namespace {

class Book : public testing::Test {
 protected:
  Book() {
    QObject::connect(&book, &RunBook::notKept, [this](const Error&) { ++notKept; });
  }
  void keep(const std::vector<RunPtr>& runs) {
    for (const RunPtr& run : runs) book.add(run);
    ASSERT_TRUE(book.save(file, Json::object()).ok());
  }
  /// The file cannot be written to, as long as this lives.
  class Away {
   public:
    explicit Away(const QString& file) : file_(file) {
      EXPECT_TRUE(QFile::rename(file_, file_ + QStringLiteral(".away")));
      EXPECT_TRUE(QDir().mkdir(file_));
    }
    ~Away() {
      EXPECT_TRUE(QDir().rmdir(file_));
      EXPECT_TRUE(QFile::rename(file_ + QStringLiteral(".away"), file_));
    }

   private:
    QString file_;
  };
  RunPtr first() const { return book.current().runs.front(); }
  /// What another program finds in the file.
  std::vector<RunPtr> read() const {
    RunBook other;
    const auto id = other.open(file);
    EXPECT_TRUE(id.ok()) << (id ? "" : id.error().message.english());
    return id ? other.session(*id)->runs : std::vector<RunPtr>();
  }

  QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("s.ridge"));
  RunBook book;
  int notKept = 0;
};

TEST_F(Book, RunsAreWrittenInTheirOrderBesideWhatElseIsStored) {
  keep({});
  const auto runs = samples::measured();
  for (const RunPtr& run : runs) book.add(run);
  // What was added is not written yet; a star and notes given to it now reach the file all the same.
  book.setBaseline(0, runs[1], true);
  book.setNotes(0, book.current().runs[2], QStringLiteral("odd"));
  EXPECT_EQ(book.unsaved(), 0) << "they are on their way";
  book.settle();
  EXPECT_EQ(book.unsaved(), 0);
  for (const RunPtr& run : book.current().runs) EXPECT_FALSE(run->id.empty());
  EXPECT_TRUE(book.current().runs[1]->baseline);
  EXPECT_EQ(book.current().runs[2]->notes, "odd");
  const auto stored = read();
  ASSERT_EQ(stored.size(), runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(kernelLabel(*stored[i]), kernelLabel(*runs[i])) << i;
    EXPECT_EQ(stored[i]->workload, runs[i]->workload) << i;
    EXPECT_EQ(stored[i]->baseline, i == 1) << i;
    EXPECT_EQ(stored[i]->notes, i == 2 ? "odd" : "") << i;
  }
  EXPECT_EQ(notKept, 0);
}

TEST_F(Book, NobodyWaitsForTheFileOfAStarOrANote) {
  keep(samples::measured());
  {
    SQLite::Database held(file.toStdString(), SQLite::OPEN_READWRITE);
    held.exec("BEGIN EXCLUSIVE");  // by another program
    book.setBaseline(0, first(), true);
    book.setNotes(0, first(), QStringLiteral("draft"));
    book.setNotes(0, first(), QStringLiteral("twice as fast"));
    EXPECT_TRUE(first()->baseline);
    EXPECT_EQ(first()->notes, "twice as fast");
    EXPECT_EQ(held.execAndGet("SELECT sum(baseline) FROM runs").getInt(), 0);
    held.exec("COMMIT");
  }
  book.settle();
  EXPECT_EQ(notKept, 0);
  const auto stored = read();
  EXPECT_TRUE(stored.front()->baseline);
  EXPECT_EQ(stored.front()->notes, "twice as fast");
}

TEST_F(Book, WhatTheFileDoesNotTakeIsToldAndSavedLater) {
  const QString elsewhere = folder.filePath(QStringLiteral("elsewhere"));
  keep({samples::measured().front()});
  ASSERT_TRUE(QFile::rename(file, elsewhere));
  ASSERT_TRUE(QDir().mkdir(file));
  book.setBaseline(0, first(), true);
  book.setNotes(0, first(), QStringLiteral("odd"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return notKept == 2; }, 20000));
  EXPECT_TRUE(first()->baseline) << "it is here all the same";
  EXPECT_EQ(first()->notes, "odd");
  EXPECT_EQ(book.unsaved(), 1);
  ASSERT_TRUE(QDir().rmdir(file));
  ASSERT_TRUE(QFile::rename(elsewhere, file));
  ASSERT_TRUE(book.open(file).ok());
  EXPECT_EQ(first()->notes, "odd") << "reading the file again takes nothing away";
  EXPECT_EQ(book.unsaved(), 1);
  ASSERT_TRUE(book.save(file, Json::object()).ok());
  EXPECT_EQ(book.unsaved(), 0);
  const auto stored = read();
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_TRUE(stored.front()->baseline);
  EXPECT_EQ(stored.front()->notes, "odd");
}

TEST_F(Book, AStarOfARunThatTheFileDidNotTakeComesWithTheRun) {
  const QString elsewhere = folder.filePath(QStringLiteral("elsewhere"));
  keep({});
  ASSERT_TRUE(QFile::rename(file, elsewhere));
  ASSERT_TRUE(QDir().mkdir(file));
  book.add(samples::measured().front());
  book.setBaseline(0, first(), true);
  book.settle();
  EXPECT_GE(notKept, 1);
  EXPECT_EQ(book.unsaved(), 1);
  ASSERT_TRUE(QDir().rmdir(file));
  ASSERT_TRUE(QFile::rename(elsewhere, file));
  ASSERT_TRUE(book.save(file, Json::object()).ok());
  const auto stored = read();
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_TRUE(stored.front()->baseline);
}

TEST_F(Book, OtherSessionsShowWhatTheirFilesHold) {
  keep({samples::measured().front()});
  RunBook window;
  const auto id = window.open(file);
  ASSERT_TRUE(id.ok());
  const auto shown = [&] { return window.session(*id)->runs.front(); };
  {
    const Away away(file);
    window.setBaseline(*id, shown(), true);
    EXPECT_TRUE(shown()->baseline) << "until the file has refused it";
    window.settle();
    EXPECT_FALSE(shown()->baseline);
    EXPECT_TRUE(window.baselines().empty());
  }
  window.setBaseline(*id, shown(), true);
  window.settle();
  EXPECT_TRUE(shown()->baseline);
  EXPECT_TRUE(read().front()->baseline);
}

TEST_F(Book, WhatTheFileTakesLaterIsSaved) {
  keep({samples::measured().front()});
  {
    const Away away(file);
    book.setNotes(0, first(), QStringLiteral("odd"));
    book.settle();
    EXPECT_EQ(book.unsaved(), 1);
  }
  book.setNotes(0, first(), QStringLiteral("very odd"));
  book.settle();
  EXPECT_EQ(book.unsaved(), 0);
  EXPECT_EQ(read().front()->notes, "very odd");
}

TEST_F(Book, RunsThatLoseTheirStarAreSavedToo) {
  keep({samples::measured().front(),
        samples::shared(samples::run("softmax", "other", "tiny", 1e6, 2e6, 5.0))});
  const auto second = [&] { return book.current().runs[1]; };
  book.setBaseline(0, first(), true);
  book.settle();
  {
    const Away away(file);
    book.setBaseline(0, second(), true);
    book.settle();
  }
  book.setBaseline(0, second(), false);
  book.settle();
  ASSERT_TRUE(book.save(file, Json::object()).ok());
  EXPECT_TRUE(book.baselines().empty());
  for (const RunPtr& run : read()) EXPECT_FALSE(run->baseline);
}

TEST_F(Book, StarsOneBaselinePerWorkload) {
  const RunPtr one = samples::measured().front(),
               two = samples::shared(samples::run("softmax", "other", "tiny", 1e6, 2e6, 5.0));
  book.add(one);
  book.add(two);
  book.setBaseline(0, one, true);
  book.setBaseline(0, two, true);
  ASSERT_EQ(book.baselines().size(), 1u);
  EXPECT_EQ(kernelLabel(book.baselines().front()), QStringLiteral("other"));
}

}  // namespace
}  // namespace ridge::desktop
