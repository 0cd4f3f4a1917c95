// SPDX-License-Identifier: GPL-3.0-or-later
// The two threads that talk to worker processes. Each owns one client; a client that died is started anew by
// the next request. Results leave by signals, which reach the window queued.
#pragma once

#include <QObject>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "bench/bench.h"
#include "sessions/run_book.h"
#include "worker/worker.h"

namespace ridge::desktop {

/// One place for a client: starts it when it is needed, lets other threads stop or kill it.
class ClientSlot {
 public:
  using OnLog = worker::Client::OnLog;
  explicit ClientSlot(OnLog log) : log_(std::move(log)) {}

  /// The client for this launch; a dead one or one for another device is replaced.
  Result<std::shared_ptr<worker::Client>> get(const worker::Launch& launch);
  void drop();
  void stop();  ///< politely, then kill; returns at once for the caller's purposes
  void kill();
  long processId() const;

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
  explicit CompileWorker(worker::Launch launch);

  void submit(LiveRequest request);  ///< any thread; replaces a request that has not begun
  void requestSass(quint64 tag, std::string cubin);
  /// For the device thread: waits its turn.
  Result<compile::CompiledKernel> compile(const compile::CompileRequest& request);
  ClientSlot& slot() { return slot_; }
  /// Since when the running compilation runs; empty: none.
  std::optional<std::chrono::steady_clock::time_point> busySince() const;

 signals:
  /// What the front end says, when it finds nothing that keeps the code from following by compiled().
  void diagnosed(ridge::desktop::LiveResultPtr result);
  void compiled(ridge::desktop::LiveResultPtr result);
  void disassembled(quint64 tag, const QString& sass, const QString& whyNot);
  void died(const QString& what);
  void logged(const QString& line);

 private:
  void takeNewest();
  bool superseded() const;
  /// Gives the prepared source to the compiler and adds what it says. False: it says errors, or nothing at
  /// all.
  bool compileInto(LiveResult& result, const std::string& arch, bool diagnose);

  worker::Launch launch_;
  ClientSlot slot_;
  std::mutex turn_;  ///< a client serves one request at a time
  mutable std::mutex mutex_;
  std::optional<LiveRequest> waiting_;
  std::optional<std::chrono::steady_clock::time_point> since_;
};

struct RunRequest {
  quint64 tag = 0;
  bench::Request request;
  bench::ExecuteOptions options;
  std::string device;             ///< "auto", "emulator", "cuda:0"
  std::string model;              ///< of the emulator
  std::vector<RunPtr> baselines;  ///< starred runs: T_base of the SOL score
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
  DeviceWorker(worker::Launch launch, CompileWorker& compiler);

  void probe(const std::string& device, const std::string& model);  ///< of the thread
  void run(const RunRequestPtr& request);                           ///< of the thread
  void stop();                                                      ///< any thread
  ClientSlot& slot() { return slot_; }

 signals:
  void capabilitiesKnown(ridge::desktop::CapabilitiesPtr capabilities);
  void progressed(quint64 tag, const QString& stage, const QString& workload, int step, int steps);
  void runFinished(quint64 tag, ridge::desktop::RunPtr run);
  void ended(ridge::desktop::RunEndPtr end);
  void died(const QString& what);
  void logged(const QString& line);

 private:
  Result<std::shared_ptr<worker::Client>> client(const std::string& device, const std::string& model);
  void execute(const RunRequest& request, RunEnd& end);

  worker::Launch launch_;
  CompileWorker& compiler_;
  ClientSlot slot_;
  std::atomic<bool> stop_{false};
};

}  // namespace ridge::desktop
