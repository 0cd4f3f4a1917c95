// SPDX-License-Identifier: GPL-3.0-or-later
// All runs that the window knows: those of this session and of the session files that are open beside it.
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "session/run.h"

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
  /// Runs that no file holds, nor will once all is written.
  int unsaved() const;

  /// Adds to this session. When it has a file, the run is written to it at once, by a thread of its own: a
  /// disk may be slow, and another program may hold the file for seconds. notKept() tells of a failure.
  void add(RunPtr run);
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
  Result<void> setBaseline(int sessionId, const RunPtr& run, bool starred);
  Result<void> setNotes(int sessionId, const RunPtr& run, const QString& notes);

  /// The starred runs of all open sessions, this session's first.
  std::vector<session::Run> baselines() const;

 signals:
  void changed();
  void notKept(const ridge::Error& why);  ///< a run is here, but the session's file could not take it

 private:
  /// What became of a run that was to be written.
  struct Written {
    RunPtr run;
    Result<std::string> id;
  };
  OpenSession* find(int id);
  void write(RunPtr run);
  void takeWritten();
  /// The run once all is written: it may have got its identity meanwhile. Nothing when it is not there.
  RunPtr settled(const OpenSession& session, const RunPtr& run);
  static void replace(OpenSession& session, const RunPtr& old, session::Run changed);

  std::vector<OpenSession> sessions_;
  int nextId_ = 1;
  std::vector<RunPtr> writing_;  ///< runs on their way to the file
  std::mutex mutex_;
  std::vector<Written> written_;  ///< by the writer, not yet taken note of
  QThreadPool writer_;            ///< one thread: runs are written in their order
};

}  // namespace ridge::desktop
