// SPDX-License-Identifier: GPL-3.0-or-later
// What the window asks of workers: compile what was typed (newest wins), run, stop. Everything comes back by
// signal.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QThread>
#include <QTimer>

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
  void stop();
  bool running() const { return running_; }
  bool compiling() const { return compileTag_ != compiledTag_; }
  long deviceProcess() const { return device_->slot().processId(); }

 signals:
  /// Of the newest text only.
  void diagnosed(ridge::desktop::LiveResultPtr result);  ///< diagnostics of the newest text; its code follows
  void compiled(ridge::desktop::LiveResultPtr result);
  void disassembled(const QString& sass, const QString& whyNot);
  void capabilitiesKnown(ridge::desktop::CapabilitiesPtr capabilities);
  void progressed(const QString& stage, const QString& workload, int step, int steps);
  void runFinished(ridge::desktop::RunPtr run);
  void ended(ridge::desktop::RunEndPtr end);
  void workerDied(const QString& what);
  void logged(const QString& line);
  void busyChanged();

 private:
  void watch();

  std::unique_ptr<CompileWorker> compiler_;
  std::unique_ptr<DeviceWorker> device_;
  QThread compileThread_, deviceThread_;
  QTimer watchdog_;
  quint64 compileTag_ = 0, compiledTag_ = 0, sassTag_ = 0, runTag_ = 0;
  bool running_ = false;
};

}  // namespace ridge::desktop
