// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/workers.h"

#include <QMetaObject>
#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "session/store.h"

namespace ridge::desktop {
namespace {

using Clock = std::chrono::steady_clock;

const Error kStopped{ErrorKind::cancelled, "cancelled", say("The run was stopped."), {}, {}, 0};

/// While it lives, its client can be stopped in what it does. Asking takes as long as the worker is given to
/// obey, so a thread of its own asks: whoever requests the stop goes on at once.
class Stoppable {
 public:
  Stoppable(worker::Client& client, std::stop_token stop, std::stop_token closing)
      : client_(client),
        thread_([this] { ask(); }),
        asking_(std::move(stop), [this] { tell(asked_); }),
        killing_(std::move(closing), [this] { client_.kill(); }) {}
  ~Stoppable() {
    tell(over_);
    thread_.join();
  }
  Stoppable(const Stoppable&) = delete;
  Stoppable& operator=(const Stoppable&) = delete;

 private:
  using OnStop = std::stop_callback<std::function<void()>>;

  void tell(bool& what) {
    {
      const std::lock_guard lock(mutex_);
      what = true;
    }
    news_.notify_one();
  }
  /// Nobody hears what is asked before the call has begun, so it is asked until the call is over.
  void ask() {
    constexpr std::chrono::milliseconds kPause{5};
    std::unique_lock lock(mutex_);
    news_.wait(lock, [this] { return asked_ || over_; });
    while (!over_) {
      lock.unlock();
      client_.stop();
      lock.lock();
      news_.wait_for(lock, kPause, [this] { return over_; });
    }
  }

  worker::Client& client_;
  std::mutex mutex_;
  std::condition_variable news_;
  bool asked_ = false, over_ = false;
  std::thread thread_;
  OnStop asking_, killing_;
};

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

Result<std::shared_ptr<worker::Client>> ClientSlot::get(const worker::Launch& launch, std::stop_token stop) {
  {
    const std::lock_guard lock(mutex_);
    if (client_ && client_->alive() && sameService(launch_, launch)) return client_;
    client_.reset();
  }
  // Takes a while: others may look at the slot meanwhile.
  auto started = worker::Client::start(launch, log_, std::move(stop));
  if (!started) return started.error();
  const std::lock_guard lock(mutex_);
  client_ = std::move(*started);
  launch_ = launch;
  return client_;
}

long ClientSlot::processId() const {
  const std::lock_guard lock(mutex_);
  return client_ && client_->alive() ? client_->process_id() : 0;
}

CompileWorker::CompileWorker(worker::Launch launch, std::stop_token closing)
    : launch_(std::move(launch)),
      closing_(std::move(closing)),
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

template <class Call>
std::invoke_result_t<Call, worker::Client&> CompileWorker::serve(const std::stop_token& stop,
                                                                 const Call& call) {
  {
    std::unique_lock lock(mutex_);
    if (!idle_.wait(lock, stop, [this] { return !serving_; })) return kStopped;
    serving_ = true;
  }
  auto answer = [&]() -> std::invoke_result_t<Call, worker::Client&> {
    const auto client = slot_.get(launch_, stop);
    if (!client) return client.error();
    // NVRTC's own cancel comes too late.
    const std::stop_callback killing(stop, [&] { (*client)->kill(); });
    return call(**client);
  }();
  {
    const std::lock_guard lock(mutex_);
    serving_ = false;
  }
  idle_.notify_one();
  return answer;
}

Result<compile::CompiledKernel> CompileWorker::compile(const compile::CompileRequest& request,
                                                       std::stop_token stop) {
  return serve(stop, [&](worker::Client& client) { return client.compile(request); });
}

bool CompileWorker::compileInto(LiveResult& result, const std::string& arch, bool diagnose) {
  compile::CompileRequest request = compile::request_for(result.source, result.prepared, arch);
  request.diagnose = diagnose;
  auto kernel = serve(closing_, [&](worker::Client& client) {
    result.disassembler = client.capabilities().disassembler;
    for (const Sentence& note : client.capabilities().notes)
      if (note.english().find("nvdisasm") != std::string::npos) result.whyNoDisassembler = note;
    return client.compile(request);
  });
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
        const auto sass = serve(closing_, [&](worker::Client& client) { return client.disassemble(code); });
        emit disassembled(tag, sass ? QString::fromStdString(*sass) : QString(),
                          sass ? Sentence() : join(sass.error().message, sass.error().hint));
      },
      Qt::QueuedConnection);
}

DeviceWorker::DeviceWorker(worker::Launch launch, CompileWorker& compiler, std::stop_token closing)
    : launch_(std::move(launch)),
      compiler_(compiler),
      closing_(std::move(closing)),
      slot_([this](const std::string& line) { emit logged(QString::fromStdString(line)); }) {
  launch_.role = worker::Role::device;
}

Result<std::shared_ptr<worker::Client>> DeviceWorker::client(const std::string& device,
                                                             const std::string& model,
                                                             const std::stop_token& stop) {
  worker::Launch launch = launch_;
  launch.device = device.empty() ? "auto" : device;
  launch.model = model;
  auto client = slot_.get(launch, stop);
  if (client) emit capabilitiesKnown(std::make_shared<const worker::Capabilities>((*client)->capabilities()));
  return client;
}

void DeviceWorker::probe(const std::string& device, const std::string& model) {
  if (const auto started = client(device, model, closing_); !started) emit died(started.error());
}

void DeviceWorker::run(const RunRequestPtr& request) {
  RunEnd end;
  end.tag = request->tag;
  execute(*request, end);
  end.stopped = request->stop.stop_requested();
  if (end.failure && !end.stopped && worker::lost_worker(*end.failure)) emit died(*end.failure);
  emit ended(std::make_shared<const RunEnd>(std::move(end)));
}

void DeviceWorker::execute(const RunRequest& request, RunEnd& end) {
  const auto progress = [&](const bench::Progress& p) {
    emit progressed(request.tag, QString::fromStdString(p.stage), QString::fromStdString(p.workload), p.step,
                    p.steps);
  };
  auto device = client(request.device, request.model, request.stop);
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
      [&](const compile::CompileRequest& r) { return compiler_.compile(r, request.stop); }, progress);
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
    if (request.stop.stop_requested()) return;
    job.options.baseline_us = session::baseline_us(request.baselines, job.problem, info);
    auto run = [&] {
      const Stoppable meanwhile(**device, request.stop, closing_);
      return (*device)->run(job, progress);
    }();
    if (!run) {
      end.failure = run.error();
      return;
    }
    const bool lost = run->verdict.status == hardware::Status::device_lost;
    deliver(std::move(*run));
    if (!lost) continue;
    // The process can no longer use the device: the rest runs in a fresh one.
    device = client(request.device, request.model, request.stop);
    if (!device) {
      end.failure = device.error();
      return;
    }
  }
}

}  // namespace ridge::desktop
