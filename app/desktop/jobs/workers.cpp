// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/workers.h"

#include <QMetaObject>
#include <algorithm>

#include "shell/language.h"

namespace ridge::desktop {
namespace {

using Clock = std::chrono::steady_clock;

bool lostWorker(const Error& error) {
  return error.code == "worker_died" || error.code == "worker_protocol" || error.code == "worker_timeout";
}

std::optional<double> baselineFor(const std::vector<RunPtr>& baselines, const problem::BoundProblem& problem,
                                  const std::string& device) {
  for (const RunPtr& run : baselines)
    if (run->problem == problem.problem && run->workload == problem.workload && run->device.name == device &&
        run->timing && run->timing->cold)
      return run->timing->cold->median_us;
  return {};
}

bool sameService(const worker::Launch& a, const worker::Launch& b) {
  return a.device == b.device && a.model == b.model && a.target == b.target && a.replay == b.replay;
}

LiveResult readSource(const LiveRequest& request) {
  LiveResult result;
  result.tag = request.tag;
  result.file = request.file;
  auto source = source::parse_source(request.bytes, request.file);
  if (!source) {
    result.diagnostics.push_back(to_diagnostic(source.error(), request.file));
    return result;
  }
  result.source = std::move(*source);
  result.prepared = source::prepare(result.source);
  result.diagnostics = result.source.diagnostics;
  result.diagnostics.insert(result.diagnostics.end(), result.prepared.diagnostics.begin(),
                            result.prepared.diagnostics.end());
  return result;
}

}  // namespace

Result<std::shared_ptr<worker::Client>> ClientSlot::get(const worker::Launch& launch) {
  {
    const std::lock_guard lock(mutex_);
    if (client_ && client_->alive() && sameService(launch_, launch)) return client_;
    client_.reset();
  }
  auto started = worker::Client::start(launch, log_);  // takes a while: others may look at the slot meanwhile
  if (!started) return started.error();
  const std::lock_guard lock(mutex_);
  client_ = std::move(*started);
  launch_ = launch;
  return client_;
}

void ClientSlot::drop() {
  const std::lock_guard lock(mutex_);
  client_.reset();
}

void ClientSlot::stop() {
  std::shared_ptr<worker::Client> client;
  {
    const std::lock_guard lock(mutex_);
    client = client_;
  }
  if (client) client->stop();
}

void ClientSlot::kill() {
  std::shared_ptr<worker::Client> client;
  {
    const std::lock_guard lock(mutex_);
    client = client_;
  }
  if (client) client->kill();
}

long ClientSlot::processId() const {
  const std::lock_guard lock(mutex_);
  return client_ ? client_->process_id() : 0;
}

CompileWorker::CompileWorker(worker::Launch launch)
    : launch_(std::move(launch)),
      slot_([this](const std::string& line) { emit logged(QString::fromStdString(line)); }) {
  launch_.role = worker::Role::compile;
}

void CompileWorker::submit(LiveRequest request) {
  {
    const std::lock_guard lock(mutex_);
    const bool queued = waiting_.has_value();
    waiting_ = std::move(request);
    if (queued) return;  // the call that is on its way takes the newer text
  }
  QMetaObject::invokeMethod(
      this, [this] { takeNewest(); }, Qt::QueuedConnection);
}

/// The front end's diagnostics come first: code takes several times as long, and newer text makes it
/// worthless.
void CompileWorker::takeNewest() {
  std::optional<LiveRequest> request;
  {
    const std::lock_guard lock(mutex_);
    request.swap(waiting_);
  }
  if (!request) return;
  const auto begin = Clock::now();
  LiveResult result = readSource(*request);
  const auto publish = [&](auto signal) {
    result.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    emit(this->*signal)(std::make_shared<const LiveResult>(result));
  };
  const bool readable = !result.source.text.empty() || !has_errors(result.diagnostics);
  if (readable && result.source.language == source::Language::cuda) {
    LiveResult soon = result;
    if (!compileInto(soon, request->arch, true)) {
      result = std::move(soon);
      return publish(&CompileWorker::compiled);
    }
    std::swap(result, soon);
    publish(&CompileWorker::diagnosed);
    std::swap(result, soon);
    if (superseded()) return;
  }
  if (readable) compileInto(result, request->arch, false);
  publish(&CompileWorker::compiled);
}

bool CompileWorker::superseded() const {
  const std::lock_guard lock(mutex_);
  return waiting_.has_value();
}

std::optional<Clock::time_point> CompileWorker::busySince() const {
  const std::lock_guard lock(mutex_);
  return since_;
}

Result<compile::CompiledKernel> CompileWorker::compile(const compile::CompileRequest& request) {
  const std::lock_guard turn(turn_);
  auto client = slot_.get(launch_);
  if (!client) return client.error();
  {
    const std::lock_guard lock(mutex_);
    since_ = Clock::now();
  }
  auto kernel = (*client)->compile(request);
  {
    const std::lock_guard lock(mutex_);
    since_.reset();
  }
  if (!kernel && lostWorker(kernel.error())) {
    slot_.drop();
    emit died(words(kernel.error()));
  }
  return kernel;
}

bool CompileWorker::compileInto(LiveResult& result, const std::string& arch, bool diagnose) {
  compile::CompileRequest request = compile::request_for(result.source, result.prepared, arch);
  request.diagnose = diagnose;
  auto kernel = compile(request);
  if (auto client = slot_.get(launch_)) {
    result.disassembler = (*client)->capabilities().disassembler;
    for (const Sentence& note : (*client)->capabilities().notes)
      if (note.english().find("nvdisasm") != std::string::npos) result.whyNoDisassembler = note;
  }
  if (!kernel) {
    result.failure = kernel.error();
    return false;
  }
  result.diagnostics.insert(result.diagnostics.end(), kernel->diagnostics.begin(), kernel->diagnostics.end());
  result.kernel = std::move(*kernel);
  return result.kernel->ok;
}

void CompileWorker::requestSass(quint64 tag, std::string cubin) {
  QMetaObject::invokeMethod(
      this,
      [this, tag, code = std::move(cubin)] {
        const std::lock_guard turn(turn_);
        auto client = slot_.get(launch_);
        const auto sass = client ? (*client)->disassemble(code) : Result<std::string>(client.error());
        emit disassembled(tag, sass ? QString::fromStdString(*sass) : QString(),
                          sass ? QString() : words(sass.error()));
      },
      Qt::QueuedConnection);
}

DeviceWorker::DeviceWorker(worker::Launch launch, CompileWorker& compiler)
    : launch_(std::move(launch)),
      compiler_(compiler),
      slot_([this](const std::string& line) { emit logged(QString::fromStdString(line)); }) {
  launch_.role = worker::Role::device;
}

Result<std::shared_ptr<worker::Client>> DeviceWorker::client(const std::string& device,
                                                             const std::string& model) {
  worker::Launch launch = launch_;
  launch.device = device.empty() ? "auto" : device;
  launch.model = model;
  auto client = slot_.get(launch);
  if (client) emit capabilitiesKnown(std::make_shared<const worker::Capabilities>((*client)->capabilities()));
  return client;
}

void DeviceWorker::probe(const std::string& device, const std::string& model) {
  if (const auto started = client(device, model); !started) emit died(words(started.error()));
}

void DeviceWorker::stop() {
  stop_ = true;
  slot_.stop();
  if (compiler_.busySince()) compiler_.slot().kill();  // NVRTC's own cancel comes too late
}

void DeviceWorker::run(const RunRequestPtr& request) {
  stop_ = false;
  RunEnd end;
  end.tag = request->tag;
  execute(*request, end);
  end.stopped = stop_;
  if (end.failure && lostWorker(*end.failure)) {
    slot_.drop();
    if (!end.stopped) emit died(words(*end.failure));
  }
  emit ended(std::make_shared<const RunEnd>(std::move(end)));
}

void DeviceWorker::execute(const RunRequest& request, RunEnd& end) {
  const auto progress = [&](const bench::Progress& p) {
    emit progressed(request.tag, QString::fromStdString(p.stage), QString::fromStdString(p.workload), p.step,
                    p.steps);
  };
  auto device = client(request.device, request.model);
  if (!device) {
    end.failure = device.error();
    return;
  }
  const worker::Capabilities& capabilities = (*device)->capabilities();
  const auto served = std::find_if(capabilities.devices.begin(), capabilities.devices.end(),
                                   [&](const device::DeviceInfo& d) { return d.id == capabilities.device; });
  if (served == capabilities.devices.end()) {
    end.failure = Error{ErrorKind::component,     "no_device", say("The worker serves no device."),
                        "Choose another device.", {},          0};
    return;
  }
  const device::DeviceInfo info = *served;  // the client may be replaced below
  auto prepared = bench::prepare(
      request.request, request.options, info,
      [this](const compile::CompileRequest& r) { return compiler_.compile(r); }, progress);
  if (!prepared) {
    end.failure = prepared.error();
    return;
  }
  end.questions = prepared->questions;
  end.diagnostics = prepared->diagnostics;
  const auto deliver = [&](session::Run run) {
    ++end.finished;
    emit runFinished(request.tag, std::make_shared<const session::Run>(std::move(run)));
  };
  for (session::Run& run : prepared->finished) deliver(std::move(run));
  for (bench::Job& job : prepared->jobs) {
    if (stop_) return;
    job.options.baseline_us = baselineFor(request.baselines, job.problem, info.name);
    auto run = (*device)->run(job, progress);
    if (!run) {
      end.failure = run.error();
      return;
    }
    const bool lost = run->verdict.status == hardware::Status::device_lost;
    deliver(std::move(*run));
    if (!lost) continue;
    // The process can no longer use the device: the rest runs in a fresh one.
    slot_.drop();
    device = client(request.device, request.model);
    if (!device) {
      end.failure = device.error();
      return;
    }
  }
}

}  // namespace ridge::desktop
