// SPDX-License-Identifier: GPL-3.0-or-later
// Workers: `ridge worker` processes that own NVRTC (role compile) or a device (role device), spoken to in
// JSON-RPC 2.0, one message a line. The server side answers on a pipe; the client side starts, watches, stops
// and kills.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "bench/bench.h"
#include "compile/compile.h"
#include "device/device.h"
#include "session/run.h"

namespace ridge::worker {

enum class Role { compile, device };

/// How to start a worker. `target` is a launcher prefix: {} here, {"ssh", "gpu01"}, {"srun", "--gpus=1"} …
struct Launch {
  Role role = Role::compile;
  std::string device = "auto";  ///< role device: auto, emulator, cuda:N
  std::string model;            ///< emulator: catalogue entry
  std::vector<std::string> target;
  std::filesystem::path program;  ///< `ridge`; empty: beside the running program
  std::filesystem::path record;   ///< the client writes a transcript of all messages here; empty: none
  bool record_on = false;         ///< after what the transcript holds already
  std::filesystem::path replay;   ///< serve from this transcript instead
  /// How long `initialize` may take; a target that queues jobs needs hours.
  std::chrono::milliseconds start_limit{60000};
  /// How long a compile may take before the worker is killed: NVRTC can spin for ever, and its own cancel
  /// comes too late.
  std::chrono::milliseconds compile_limit{120000};
};

/// What `initialize` answers.
struct Capabilities {
  int protocol = 0;
  std::string version;
  Role role = Role::compile;
  std::string toolkit;  ///< "13.0" or empty
  std::vector<std::string> architectures;
  bool disassembler = false;
  std::vector<device::DeviceInfo> devices;  ///< all that the worker sees
  std::string device;                       ///< id of the one it serves
  std::vector<Sentence> notes;              ///< what is missing and why
};

/// Typed errors: code in Error::code is one of worker_missing (could not start), worker_died,
/// worker_protocol, worker_timeout, cancelled, not_in_transcript, or what the worker itself answered.
///
/// A client is used by one thread; stop() and kill() may be called from any other. A worker that ended stays
/// ended: start another client. It ends by itself after a run that lost the device (a sticky CUDA error): the
/// run's result arrives first, then alive() is false.
class Client {
 public:
  /// Called from a thread of the client: lines of the worker's standard error, of foreign standard output,
  /// and notices.
  using OnLog = std::function<void(const std::string& line)>;

  /// May take `start_limit`. A stop that is requested meanwhile, from any thread, kills what was started:
  /// `cancelled`.
  static Result<std::unique_ptr<Client>> start(const Launch& launch, OnLog log = {},
                                               std::stop_token stop = {});
  virtual ~Client() = default;
  virtual const Capabilities& capabilities() const = 0;
  virtual long process_id() const = 0;
  virtual bool alive() const = 0;

  virtual Result<compile::CompiledKernel> compile(const compile::CompileRequest& request) = 0;
  virtual Result<std::string> disassemble(const std::string& cubin) = 0;
  virtual Result<session::Run> run(const bench::Job& job, const bench::OnProgress& progress = {}) = 0;
  /// Any method of the protocol.
  virtual Result<Json> call(const std::string& method, const Json& parameters,
                            const std::function<void(const Json&)>& notification = {}) = 0;

  /// Asks politely to stop what is running; after `grace` the process is killed.
  virtual void stop(std::chrono::milliseconds grace = std::chrono::milliseconds(2000)) = 0;
  /// At once, and for good: what is asked now or later ends as `cancelled`.
  virtual void kill() = 0;

  /// Is all that was said until now in the transcript, if one is written? Error code: transcript_incomplete.
  virtual Result<void> recorded() const = 0;
};

/// Whether the error means that the worker is gone, or no longer to be trusted, without anybody's having
/// asked for its end.
bool lost_worker(const Error& error);

/// Serves one role on the given descriptors until the input ends or the parent dies; the body of `ridge
/// worker`. A run that is still going on then is stopped within seconds. Returns an exit status.
int serve(const Launch& launch, int input, int output);

}  // namespace ridge::worker
