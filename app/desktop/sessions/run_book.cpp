// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessions/run_book.h"

#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "session/store.h"

namespace ridge::desktop {
namespace {

std::filesystem::path pathOf(const QString& file) {
  return file.toStdString();
}

bool sameBinding(const session::Run& a, const session::Run& b) {
  return a.device.kind == b.device.kind && a.device.name == b.device.name && a.problem == b.problem &&
         a.workload == b.workload && a.axes == b.axes;
}

}  // namespace

RunBook::RunBook(QObject* parent) : QObject(parent) {
  sessions_.emplace_back();
  writer_.setMaxThreadCount(1);
}

RunBook::~RunBook() {
  writer_.waitForDone();
}

const OpenSession* RunBook::session(int id) const {
  for (const OpenSession& session : sessions_)
    if (session.id == id) return &session;
  return nullptr;
}

OpenSession* RunBook::find(int id) {
  return const_cast<OpenSession*>(session(id));
}

QString RunBook::label(const OpenSession& session) const {
  if (!session.title.isEmpty()) return session.title;
  if (!session.file.isEmpty()) return QFileInfo(session.file).completeBaseName();
  return tr("This session");
}

int RunBook::unsaved() const {
  return static_cast<int>(
      std::count_if(current().runs.begin(), current().runs.end(), [this](const RunPtr& run) {
        return run->id.empty() && std::find(writing_.begin(), writing_.end(), run) == writing_.end();
      }));
}

void RunBook::add(RunPtr run) {
  OpenSession& session = sessions_.front();
  session.runs.push_back(run);
  if (!session.file.isEmpty()) write(std::move(run));
  emit changed();
}

void RunBook::write(RunPtr run) {
  writing_.push_back(run);
  writer_.start([this, run = std::move(run), file = pathOf(current().file)] {
    auto store = session::Store::open_for_writing(file);
    Result<std::string> id = store ? (*store)->add(*run) : Result<std::string>(store.error());
    {
      const std::lock_guard lock(mutex_);
      written_.push_back({run, std::move(id)});
    }
    QMetaObject::invokeMethod(
        this, [this] { takeWritten(); }, Qt::QueuedConnection);
  });
}

void RunBook::takeWritten() {
  std::vector<Written> written;
  {
    const std::lock_guard lock(mutex_);
    written.swap(written_);
  }
  if (written.empty()) return;
  for (const auto& [run, id] : written) {
    std::erase(writing_, run);
    if (!id) {
      emit notKept(id.error());
      continue;
    }
    session::Run kept = *run;
    kept.id = *id;
    replace(sessions_.front(), run, std::move(kept));
  }
  emit changed();
}

void RunBook::settle() {
  writer_.waitForDone();
  takeWritten();
}

Result<int> RunBook::open(const QString& file, Diagnostics* leftOut) {
  settle();
  auto store = session::Store::open(pathOf(file));
  if (!store) return store.error();
  auto runs = (*store)->runs(leftOut);
  if (!runs) return runs.error();
  const auto title = (*store)->title();
  std::vector<RunPtr> pointers;
  pointers.reserve(runs->size());
  for (session::Run& run : *runs) pointers.push_back(std::make_shared<const session::Run>(std::move(run)));
  return adopt(title ? QString::fromStdString(*title) : QString(), file, std::move(pointers));
}

int RunBook::adopt(const QString& title, const QString& file, std::vector<RunPtr> runs) {
  const auto same = std::find_if(sessions_.begin(), sessions_.end(), [&](const OpenSession& session) {
    return !file.isEmpty() && !session.file.isEmpty() && QFileInfo(session.file) == QFileInfo(file);
  });
  const bool known = same != sessions_.end();
  OpenSession& session = known ? *same : sessions_.emplace_back();
  if (!known) session.id = nextId_++;
  const int id = session.id;
  if (id == current().id)  // its file may not have been able to take all of its runs
    std::copy_if(session.runs.begin(), session.runs.end(), std::back_inserter(runs),
                 [](const RunPtr& run) { return run->id.empty(); });
  session.title = title;
  session.file = file;
  session.visible = true;
  session.runs = std::move(runs);
  emit changed();
  return id;
}

void RunBook::close(int id) {
  if (id == 0) return;  // this session stays open for as long as the window
  std::erase_if(sessions_, [id](const OpenSession& session) { return session.id == id; });
  emit changed();
}

void RunBook::setVisible(int id, bool visible) {
  OpenSession* session = find(id);
  if (!session || session->visible == visible) return;
  session->visible = visible;
  emit changed();
}

Result<void> RunBook::save(const QString& file, const Json& windowState) {
  settle();
  OpenSession& session = sessions_.front();
  auto store = session::Store::open_for_writing(pathOf(file));
  if (!store) return store.error();
  // A new place gets all runs, with identities of its own; the old place only those it lacks.
  const bool everything = file != session.file;
  for (RunPtr& run : session.runs) {
    if (!everything && !run->id.empty()) continue;
    auto stored = std::make_shared<session::Run>(*run);
    stored->id.clear();
    auto id = (*store)->add(*stored);
    if (!id) return id.error();
    stored->id = *id;
    run = std::move(stored);
  }
  if (auto state = (*store)->set_window_state(windowState); !state) return state.error();
  session.file = file;
  emit changed();
  return {};
}

void RunBook::replace(OpenSession& session, const RunPtr& old, session::Run changedRun) {
  const auto place = std::find(session.runs.begin(), session.runs.end(), old);
  if (place != session.runs.end()) *place = std::make_shared<const session::Run>(std::move(changedRun));
}

RunPtr RunBook::settled(const OpenSession& session, const RunPtr& run) {
  const auto place = static_cast<std::size_t>(std::find(session.runs.begin(), session.runs.end(), run) -
                                              session.runs.begin());
  settle();
  return place < session.runs.size() ? session.runs[place] : RunPtr();
}

Result<void> RunBook::setBaseline(int sessionId, const RunPtr& asShown, bool starred) {
  OpenSession* session = find(sessionId);
  if (!session) return {};
  const RunPtr run = settled(*session, asShown);
  if (!run) return {};
  if (!session->file.isEmpty() && !run->id.empty()) {
    auto store = session::Store::open_for_writing(pathOf(session->file));
    if (!store) return store.error();
    if (auto set = (*store)->set_baseline(run->id, starred); !set) return set;
  }
  const auto copy = session->runs;
  for (const RunPtr& other : copy) {
    const bool star = other == run ? starred : other->baseline && !(starred && sameBinding(*other, *run));
    if (star == other->baseline) continue;
    session::Run altered = *other;
    altered.baseline = star;
    replace(*session, other, std::move(altered));
  }
  emit changed();
  return {};
}

Result<void> RunBook::setNotes(int sessionId, const RunPtr& asShown, const QString& notes) {
  OpenSession* session = find(sessionId);
  if (!session) return {};
  const RunPtr run = settled(*session, asShown);
  if (!run) return {};
  if (!session->file.isEmpty() && !run->id.empty()) {
    auto store = session::Store::open_for_writing(pathOf(session->file));
    if (!store) return store.error();
    if (auto set = (*store)->set_notes(run->id, notes.toStdString()); !set) return set;
  }
  session::Run altered = *run;
  altered.notes = notes.toStdString();
  replace(*session, run, std::move(altered));
  emit changed();
  return {};
}

std::vector<session::Run> RunBook::baselines() const {
  std::vector<session::Run> starred;
  for (const OpenSession& session : sessions_)
    for (const RunPtr& run : session.runs)
      if (run->baseline) starred.push_back(*run);
  return starred;
}

}  // namespace ridge::desktop
