// SPDX-License-Identifier: GPL-3.0-or-later
// All runs that the window knows: those of this session and of the session files that are open beside it.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
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

  const std::vector<OpenSession>& sessions() const { return sessions_; }
  const OpenSession* session(int id) const;
  const OpenSession& current() const { return sessions_.front(); }
  /// What a legend calls it: its title, else its file's name, else "This session".
  QString label(const OpenSession& session) const;
  /// Runs that no file holds yet.
  int unsaved() const;

  /// Adds to this session. When it has a file, the run is committed to it at once.
  Result<void> add(RunPtr run);
  /// Opens a session file beside this session, read-only. Opening the same file again shows it anew. Runs
  /// that cannot be read are named in `leftOut`.
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
  std::vector<RunPtr> baselines() const;

 signals:
  void changed();

 private:
  OpenSession* find(int id);
  Result<void> replace(OpenSession& session, const RunPtr& old, session::Run changed);

  std::vector<OpenSession> sessions_;
  int nextId_ = 1;
};

}  // namespace ridge::desktop
