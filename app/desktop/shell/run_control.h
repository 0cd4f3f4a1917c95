// SPDX-License-Identifier: GPL-3.0-or-later
// The main job: what is in the editor is compiled as one types, run on request, stopped on request; results
// go to the run book. Owns the workers.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>

#include "editor/source_file.h"
#include "jobs/jobs.h"
#include "problem/launch_form.h"
#include "problem/run_setup.h"
#include "sessions/run_book.h"
#include "shell/language.h"

namespace ridge::desktop {

class RunControl : public QObject {
  Q_OBJECT

 public:
  struct Parts {
    CodeEditor* editor;
    SourceFile* file;
    RunSetup* setup;
    LaunchForm* form;
    RunBook* book;
    BannerArea* banners;
  };
  RunControl(Parts parts, worker::Launch launch, QObject* parent);

  void run();
  void runAllKernels();
  void stop();
  void compileNow();
  void setLive(bool live);
  bool live() const { return live_; }
  /// How long after the last key a compilation begins, and whether one is about to.
  std::chrono::milliseconds debounce() const { return debounce_.intervalAsDuration(); }
  bool debouncing() const { return debounce_.isActive(); }
  /// Whether the emulator models L2 and device memory too.
  void setMemoryModel(bool on) { memoryModel_ = on; }
  Jobs& jobs() { return jobs_; }
  bool busy() const { return jobs_.running() || !queue_.isEmpty(); }
  const LiveResultPtr& lastCompiled() const { return lastCompiled_; }
  /// Of the last compilation, the problem file and the last run, for the panes.
  Diagnostics diagnostics() const;
  const std::vector<source::Question>& questions() const { return questions_; }

 signals:
  /// The newest compilation of the text in the editor.
  void diagnosed(ridge::desktop::LiveResultPtr result);  ///< with what is known now; compiled() may follow
  void compiled(ridge::desktop::LiveResultPtr result);
  void textChanged();  ///< what is shown of the former text is stale now
  void started();
  void runArrived(ridge::desktop::RunPtr run);
  void finished();  ///< nothing is running or queued any more
  void diagnosticsChanged();

 private:
  void edited();
  void takeDiagnosed(const LiveResultPtr& result);
  void takeCompiled(const LiveResultPtr& result);
  void takeEnd(const RunEndPtr& end);
  bool submit(const std::string& bytes, const QString& file);
  void next();
  void complain(Saying what);  ///< of the run
  void keepFindings(const session::Run& run);
  std::string textToCompile() const;

  Parts p_;
  Jobs jobs_;
  QTimer debounce_;
  bool live_ = true, memoryModel_ = false;
  LiveResultPtr lastCompiled_, lastDiagnosed_;
  Diagnostics runDiagnostics_;
  std::vector<source::Question> questions_;
  QStringList queue_;     ///< kernel files still to run
  QByteArray textOfRun_;  ///< in the editor when the run began
};

}  // namespace ridge::desktop
