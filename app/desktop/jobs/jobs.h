// SPDX-License-Identifier: GPL-3.0-or-later
// What the window asks of workers: compile what was typed (newest wins), run, stop. Everything comes back by
// signal.
#pragma once

#include <QObject>
#include <QThread>
#include <atomic>
#include <memory>
#include <stop_token>

#include "jobs/workers.h"

namespace ridge::desktop {

class Jobs : public QObject {
  Q_OBJECT

 public:
  /// `launch` says how to start workers (program, target, replay); role and device are set as needed.
  explicit Jobs(worker::Launch launch, QObject* parent = nullptr);
  ~Jobs() override;

  quint64 compileLive(std::string bytes, std::string file, std::string arch);
  void disassemble(std::string cubin);
  void probe(const QString& device, const QString& model);
  /// Refused (0) while a run is going on.
  quint64 run(RunRequest request);
  /// Returns at once; ended() follows.
  void stop();
  bool running() const { return running_; }
  bool compiling() const { return compileTag_ != compiledTag_; }
  long deviceProcess() const { return device_->processId(); }

 signals:
  /// Of the newest text only.
  void diagnosed(ridge::desktop::LiveResultPtr result);  ///< diagnostics of the newest text; its code follows
  void compiled(ridge::desktop::LiveResultPtr result);
  void disassembled(const QString& sass, const ridge::Sentence& whyNot);
  void capabilitiesKnown(ridge::desktop::CapabilitiesPtr capabilities);
  void progressed(const QString& stage, const QString& workload, int step, int steps);
  void runFinished(ridge::desktop::RunPtr run);
  void ended(ridge::desktop::RunEndPtr end);
  void workerDied(const ridge::Error& why);
  void logged(const QString& line);
  void busyChanged();

 private:
  void finish(const RunEndPtr& end);

  std::stop_source closing_;
  std::stop_source stop_;                     ///< of the newest run
  std::shared_ptr<std::atomic<bool>> taken_;  ///< the newest run: by the device's thread, or back by stop()
  std::unique_ptr<CompileWorker> compiler_;
  std::unique_ptr<DeviceWorker> device_;
  QThread compileThread_, deviceThread_;
  quint64 compileTag_ = 0, compiledTag_ = 0, sassTag_ = 0, runTag_ = 0;
  bool running_ = false;
};

}  // namespace ridge::desktop
