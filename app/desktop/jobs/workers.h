// SPDX-License-Identifier: GPL-3.0-or-later
// The two threads that talk to worker processes. Each owns one client; a client that died is started anew by
// the next request. Results leave by signals, which reach the window queued.
#pragma once

#include <QObject>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

#include "bench/bench.h"
#include "sessions/run_book.h"
#include "worker/worker.h"

namespace ridge::desktop {

/// One place for a client, which is started when it is needed.
class ClientSlot {
 public:
  using OnLog = worker::Client::OnLog;
  explicit ClientSlot(OnLog log) : log_(std::move(log)) {}

  /// The client for this launch; a dead one or one for another device is replaced. Starting one may take
  /// long, and ends when `stop` is requested.
  Result<std::shared_ptr<worker::Client>> get(const worker::Launch& launch, std::stop_token stop);
  long processId() const;  ///< 0: none is alive

 private:
  mutable std::mutex mutex_;
  OnLog log_;
  worker::Launch launch_;
  std::shared_ptr<worker::Client> client_;
};

/// A text to compile because it changed.
struct LiveRequest {
  quint64 tag = 0;
  std::string bytes;  ///< of the file, as they would be saved
  std::string file;
  std::string arch;  ///< of the device chosen; the source's directive wins
};

struct LiveResult {
  quint64 tag = 0;
  std::string file;
  source::KernelSource source;
  source::PreparedSource prepared;
  std::optional<compile::CompiledKernel> kernel;  ///< absent: the source was not given to the compiler
  Diagnostics diagnostics;                        ///< of directives, preparation and compiler together
  std::optional<Error> failure;                   ///< of the worker, not of the source
  double milliseconds = 0;                        ///< from taking the request to the result
  bool disassembler = false;
  Sentence whyNoDisassembler;
};
using LiveResultPtr = std::shared_ptr<const LiveResult>;

class CompileWorker : public QObject {
  Q_OBJECT

 public:
  /// `closing` ends whatever is going on.
  CompileWorker(worker::Launch launch, std::stop_token closing);

  void submit(LiveRequest request);  ///< any thread; replaces a request that has not begun
  void requestSass(quint64 tag, std::string cubin);
  /// For the device thread: waits its turn. `stop` ends this compilation or the wait for it, and no other.
  Result<compile::CompiledKernel> compile(const compile::CompileRequest& request, std::stop_token stop);

 signals:
  /// What the front end says, when it finds nothing that keeps the code from following by compiled().
  void diagnosed(ridge::desktop::LiveResultPtr result);
  void compiled(ridge::desktop::LiveResultPtr result);
  void disassembled(quint64 tag, const QString& sass, const ridge::Sentence& whyNot);
  void logged(const QString& line);

 private:
  /// What the client answers to `call`, once nobody else uses it.
  template <class Call>
  std::invoke_result_t<Call, worker::Client&> serve(const std::stop_token& stop, const Call& call);
  void takeNewest();
  bool superseded() const;
  /// Gives the prepared source to the compiler and adds what it says. False: it says errors, or nothing at
  /// all.
  bool compileInto(LiveResult& result, const std::string& arch, bool diagnose);

  worker::Launch launch_;
  const std::stop_token closing_;
  ClientSlot slot_;
  mutable std::mutex mutex_;
  std::condition_variable_any idle_;
  bool serving_ = false;  ///< a client serves one request at a time
  std::optional<LiveRequest> waiting_;
};

struct RunRequest {
  quint64 tag = 0;
  bench::Request request;
  bench::ExecuteOptions options;
  std::string device;                   ///< "auto", "emulator", "cuda:0"
  std::string model;                    ///< of the emulator
  std::vector<session::Run> baselines;  ///< starred runs: T_base of the SOL score
  std::stop_token stop;
};
using RunRequestPtr = std::shared_ptr<const RunRequest>;

/// How a request ended.
struct RunEnd {
  quint64 tag = 0;
  int finished = 0;  ///< runs that came
  bool stopped = false;
  std::optional<Error> failure;
  std::vector<source::Question> questions;
  Diagnostics diagnostics;
};
using RunEndPtr = std::shared_ptr<const RunEnd>;
using CapabilitiesPtr = std::shared_ptr<const worker::Capabilities>;

class DeviceWorker : public QObject {
  Q_OBJECT

 public:
  /// `closing` kills the worker, whatever it is doing.
  DeviceWorker(worker::Launch launch, CompileWorker& compiler, std::stop_token closing);

  // Both of the thread.
  void probe(const std::string& device, const std::string& model);
  void run(const RunRequestPtr& request);
  long processId() const { return slot_.processId(); }

 signals:
  void capabilitiesKnown(ridge::desktop::CapabilitiesPtr capabilities);
  void progressed(quint64 tag, const QString& stage, const QString& workload, int step, int steps);
  void runFinished(quint64 tag, ridge::desktop::RunPtr run);
  void ended(ridge::desktop::RunEndPtr end);
  void died(const ridge::Error& why);
  void logged(const QString& line);

 private:
  Result<std::shared_ptr<worker::Client>> client(const std::string& device, const std::string& model,
                                                 const std::stop_token& stop);
  void execute(const RunRequest& request, RunEnd& end);

  worker::Launch launch_;
  CompileWorker& compiler_;
  const std::stop_token closing_;
  ClientSlot slot_;
};

}  // namespace ridge::desktop
