// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/jobs.h"

#include <algorithm>
#include <chrono>

namespace ridge::desktop {
namespace {

/// Some sources keep NVRTC busy for ever, and somebody sits before the window.
constexpr std::chrono::milliseconds kCompileLimit{60000};

}  // namespace

Jobs::Jobs(worker::Launch launch, QObject* parent) : QObject(parent) {
  launch.compile_limit = std::min(launch.compile_limit, kCompileLimit);
  compiler_ = std::make_unique<CompileWorker>(launch, closing_.get_token());
  device_ = std::make_unique<DeviceWorker>(std::move(launch), *compiler_, closing_.get_token());
  compileThread_.setObjectName(QStringLiteral("compile"));
  deviceThread_.setObjectName(QStringLiteral("device"));
  compiler_->moveToThread(&compileThread_);
  device_->moveToThread(&deviceThread_);

  connect(compiler_.get(), &CompileWorker::diagnosed, this, [this](const LiveResultPtr& result) {
    if (result->tag == compileTag_) emit diagnosed(result);
  });
  connect(compiler_.get(), &CompileWorker::compiled, this, [this](const LiveResultPtr& result) {
    if (result->tag != compileTag_) return;  // the text has changed since
    compiledTag_ = result->tag;
    emit compiled(result);
    emit busyChanged();
  });
  connect(compiler_.get(), &CompileWorker::disassembled, this,
          [this](quint64 tag, const QString& sass, const Sentence& why) {
            if (tag == sassTag_) emit disassembled(sass, why);
          });
  connect(compiler_.get(), &CompileWorker::logged, this, &Jobs::logged);
  connect(device_.get(), &DeviceWorker::capabilitiesKnown, this, &Jobs::capabilitiesKnown);
  connect(device_.get(), &DeviceWorker::died, this, &Jobs::workerDied);
  connect(device_.get(), &DeviceWorker::logged, this, &Jobs::logged);
  connect(device_.get(), &DeviceWorker::progressed, this,
          [this](quint64, const QString& stage, const QString& workload, int step, int steps) {
            emit progressed(stage, workload, step, steps);
          });
  connect(device_.get(), &DeviceWorker::runFinished, this,
          [this](quint64, const RunPtr& run) { emit runFinished(run); });
  connect(device_.get(), &DeviceWorker::ended, this, &Jobs::finish);
  compileThread_.start();
  deviceThread_.start();
}

Jobs::~Jobs() {
  stop_.request_stop();
  closing_.request_stop();
  for (QThread* thread : {&deviceThread_, &compileThread_}) {
    thread->quit();
    thread->wait();
  }
}

quint64 Jobs::compileLive(std::string bytes, std::string file, std::string arch) {
  compiler_->submit({++compileTag_, std::move(bytes), std::move(file), std::move(arch)});
  emit busyChanged();
  return compileTag_;
}

void Jobs::disassemble(std::string cubin) {
  compiler_->requestSass(++sassTag_, std::move(cubin));
}

void Jobs::probe(const QString& device, const QString& model) {
  QMetaObject::invokeMethod(
      device_.get(), [this, d = device.toStdString(), m = model.toStdString()] { device_->probe(d, m); },
      Qt::QueuedConnection);
}

quint64 Jobs::run(RunRequest request) {
  if (running_) return 0;
  running_ = true;
  stop_ = std::stop_source();
  taken_ = std::make_shared<std::atomic<bool>>(false);
  request.tag = ++runTag_;
  request.stop = stop_.get_token();
  auto shared = std::make_shared<const RunRequest>(std::move(request));
  QMetaObject::invokeMethod(
      device_.get(),
      [this, shared, taken = taken_] {
        if (!taken->exchange(true)) device_->run(shared);
      },
      Qt::QueuedConnection);
  emit busyChanged();
  return runTag_;
}

void Jobs::stop() {
  if (!running_) return;
  stop_.request_stop();
  if (taken_->exchange(true)) return;  // the device's thread has it and tells its end
  RunEnd end;
  end.tag = runTag_;
  end.stopped = true;
  finish(std::make_shared<const RunEnd>(std::move(end)));
}

void Jobs::finish(const RunEndPtr& end) {
  running_ = false;
  emit ended(end);
  emit busyChanged();
}

}  // namespace ridge::desktop
