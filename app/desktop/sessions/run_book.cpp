// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessions/run_book.h"

#include <QFileInfo>
#include <algorithm>
#include <filesystem>

namespace ridge::desktop {
namespace {

std::filesystem::path pathOf(const QString& file) {
  return file.toStdString();
}

bool sameBinding(const session::Run& a, const session::Run& b) {
  return a.device.kind == b.device.kind && a.device.name == b.device.name && a.problem == b.problem &&
         a.workload == b.workload && a.axes == b.axes;
}

bool holds(const OpenSession& session, const RunPtr& run) {
  return std::find(session.runs.begin(), session.runs.end(), run) != session.runs.end();
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
        const auto onItsWay = [&](const Writing& writing) { return writing.run == run; };
        return run->id.empty() ? std::none_of(writing_.begin(), writing_.end(), onItsWay)
                               : altered_.contains(run->id);
      }));
}

void RunBook::add(RunPtr run) {
  OpenSession& session = sessions_.front();
  session.runs.push_back(run);
  if (!session.file.isEmpty()) write(std::move(run));
  emit changed();
}

void RunBook::write(RunPtr run) {
  const auto id = std::make_shared<std::string>();
  writing_.push_back({run, id});
  const auto put = [run = std::move(run), id](session::Store& store) -> Result<void> {
    auto added = store.add(*run);
    if (!added) return added.error();
    *id = *std::move(added);
    return {};
  };
  write(current().file, put, [this, id](const Result<void>& done) {
    const auto written = std::find_if(writing_.begin(), writing_.end(),
                                      [&](const Writing& writing) { return writing.id == id; });
    const RunPtr now = written->run;
    writing_.erase(written);
    if (!done) {
      emit notKept(done.error());
      return;
    }
    session::Run kept = *now;
    kept.id = *id;
    replace(sessions_.front(), now, std::make_shared<const session::Run>(std::move(kept)));
  });
}

void RunBook::write(const QString& file, Change change, Done done) {
  writer_.start([this, file = pathOf(file), change = std::move(change), done = std::move(done)] {
    auto store = session::Store::open_for_writing(file);
    Result<void> result = store ? change(**store) : Result<void>(store.error());
    {
      const std::lock_guard lock(mutex_);
      written_.emplace_back(done, std::move(result));
    }
    QMetaObject::invokeMethod(
        this, [this] { takeWritten(); }, Qt::QueuedConnection);
  });
}

RunBook::Alteration RunBook::alter(OpenSession& session, const RunPtr& run, session::Run altered) {
  const auto writing =
      std::find_if(writing_.begin(), writing_.end(), [&](const Writing& one) { return one.run == run; });
  Alteration alteration{nullptr, run, std::make_shared<const session::Run>(std::move(altered))};
  if (writing != writing_.end())
    alteration.id = writing->id;
  else if (!run->id.empty())
    alteration.id = std::make_shared<std::string>(run->id);
  replace(session, run, alteration.now);
  return alteration;
}

void RunBook::keep(const OpenSession& session, std::vector<Alteration> alterations) {
  std::erase_if(alterations, [](const Alteration& one) { return one.id == nullptr; });
  if (session.file.isEmpty() || alterations.empty()) return;
  const auto put = [alterations](session::Store& store) -> Result<void> {
    for (const auto& [id, before, now] : alterations) {
      if (id->empty()) continue;  // the file could not take the run
      if (auto set = store.set_baseline(*id, now->baseline); !set) return set;
      if (auto set = store.set_notes(*id, now->notes); !set) return set;
    }
    return {};
  };
  write(session.file, put, [this, alterations, session = session.id](const Result<void>& done) {
    OpenSession* const where = find(session);
    for (const auto& [id, before, now] : alterations) {
      if (session != current().id) {
        if (!done && where != nullptr) replace(*where, now, before);
      } else if (!id->empty()) {
        if (done)
          altered_.erase(*id);
        else
          altered_.insert(*id);
      }
    }
    if (!done) emit notKept(done.error());
  });
}

void RunBook::takeWritten() {
  std::vector<std::pair<Done, Result<void>>> written;
  {
    const std::lock_guard lock(mutex_);
    written.swap(written_);
  }
  if (written.empty()) return;
  for (const auto& [done, result] : written) done(result);
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
  if (id == current().id)  // its file may not have been able to take all that is here
    for (const RunPtr& old : session.runs) {
      if (old->id.empty()) runs.push_back(old);
      if (!altered_.contains(old->id)) continue;
      for (RunPtr& run : runs)
        if (run->id == old->id) run = old;
    }
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
  for (const RunPtr& run : session.runs) {
    if (everything || !altered_.contains(run->id)) continue;
    if (auto set = (*store)->set_baseline(run->id, run->baseline); !set) return set;
    if (auto set = (*store)->set_notes(run->id, run->notes); !set) return set;
  }
  altered_.clear();
  if (auto state = (*store)->set_window_state(windowState); !state) return state.error();
  session.file = file;
  emit changed();
  return {};
}

void RunBook::replace(OpenSession& session, const RunPtr& old, const RunPtr& now) {
  const auto place = std::find(session.runs.begin(), session.runs.end(), old);
  if (place == session.runs.end()) return;
  *place = now;
  for (Writing& writing : writing_)
    if (writing.run == old) writing.run = now;
}

/// By value: what is asked for may be an element of the list that changes.
void RunBook::setBaseline(int sessionId, const RunPtr run, bool starred) {
  OpenSession* session = find(sessionId);
  if (!session || !holds(*session, run)) return;
  std::vector<Alteration> alterations;
  const auto copy = session->runs;
  for (const RunPtr& other : copy) {
    const bool star = other == run ? starred : other->baseline && !(starred && sameBinding(*other, *run));
    if (star == other->baseline) continue;
    session::Run altered = *other;
    altered.baseline = star;
    alterations.push_back(alter(*session, other, std::move(altered)));
  }
  keep(*session, std::move(alterations));
  emit changed();
}

void RunBook::setNotes(int sessionId, const RunPtr run, const QString& notes) {
  OpenSession* session = find(sessionId);
  if (!session || !holds(*session, run)) return;
  session::Run altered = *run;
  altered.notes = notes.toStdString();
  keep(*session, {alter(*session, run, std::move(altered))});
  emit changed();
}

std::vector<session::Run> RunBook::baselines() const {
  std::vector<session::Run> starred;
  for (const OpenSession& session : sessions_)
    for (const RunPtr& run : session.runs)
      if (run->baseline) starred.push_back(*run);
  return starred;
}

}  // namespace ridge::desktop
