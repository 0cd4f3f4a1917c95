// SPDX-License-Identifier: GPL-3.0-or-later
// All runs that the window knows: those of this session and of the session files that are open beside it.
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/run.h"
#include "session/store.h"

namespace ridge::desktop {

using RunPtr = std::shared_ptr<const session::Run>;

struct OpenSession {
  int id = 0;           ///< 0 is this session
  QString title;        ///< as the user named it; empty for this session until it is saved
  QString file;         ///< empty: never saved
  bool visible = true;  ///< drawn in the charts
  std::vector<RunPtr> runs;
};

class RunBook : public QObject {
  Q_OBJECT

 public:
  explicit RunBook(QObject* parent = nullptr);
  ~RunBook() override;  ///< what is to be written is

  const std::vector<OpenSession>& sessions() const { return sessions_; }
  const OpenSession* session(int id) const;
  const OpenSession& current() const { return sessions_.front(); }
  /// What a legend calls it: its title, else its file's name, else "This session".
  QString label(const OpenSession& session) const;
  /// Runs of this session that no file holds, or not as they are here, nor will once all is written.
  int unsaved() const;

  /// Runs, stars and notes are here at once. Where the session has a file they are written to it in their
  /// order, by a thread of its own: a disk may be slow, and another program may hold the file for seconds.
  /// notKept() tells of a failure; save() tries again for this session, others show what their file holds.
  void add(RunPtr run);  ///< to this session
  void setBaseline(int sessionId, RunPtr run, bool starred);
  void setNotes(int sessionId, RunPtr run, const QString& notes);
  /// Waits for what is being written. Whatever else touches files does so first, and writes itself.
  void settle();
  /// Opens a session file beside this session, read-only. Opening the same file again shows it anew, also
  /// that of this session. Runs that cannot be read are named in `leftOut`.
  Result<int> open(const QString& file, Diagnostics* leftOut = nullptr);
  /// Puts runs beside this session that were read elsewhere.
  int adopt(const QString& title, const QString& file, std::vector<RunPtr> runs);
  void close(int id);
  void setVisible(int id, bool visible);
  /// Writes this session to `file` and keeps it there: runs that follow are appended.
  Result<void> save(const QString& file, const Json& windowState);

  /// The starred runs of all open sessions, this session's first.
  std::vector<session::Run> baselines() const;

 signals:
  void changed();
  void notKept(const ridge::Error& why);  ///< what is here could not be written to the session's file

 private:
  using Change = std::function<Result<void>(session::Store&)>;
  using Done = std::function<void(const Result<void>&)>;
  /// Of a run in its file. The writer gives it, so that it is read by the writer, or when the writer is done.
  using Identity = std::shared_ptr<std::string>;
  struct Writing {
    RunPtr run;  ///< as it is now
    Identity id;
  };
  OpenSession* find(int id);
  void write(RunPtr run);
  /// The writer makes the change; `done` hears of it in this thread.
  void write(const QString& file, Change change, Done done);
  /// A run whose star or notes were changed here.
  struct Alteration {
    Identity id;  ///< null: no file holds the run, nor will
    RunPtr before, now;
  };
  Alteration alter(OpenSession& session, const RunPtr& run, session::Run altered);
  /// Writes stars and notes of runs that the file holds, or will.
  void keep(const OpenSession& session, std::vector<Alteration> alterations);
  void takeWritten();
  void replace(OpenSession& session, const RunPtr& old, const RunPtr& now);

  std::vector<OpenSession> sessions_;
  int nextId_ = 1;
  std::vector<Writing> writing_;   ///< runs on their way to the file
  std::set<std::string> altered_;  ///< runs of this session whose stars or notes its file could not take
  std::mutex mutex_;
  std::vector<std::pair<Done, Result<void>>> written_;  ///< by the writer, not yet taken note of
  QThreadPool writer_;                                  ///< one thread keeps the order
};

}  // namespace ridge::desktop
