// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: what a worker does for its role, apart from pipes and threads.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "worker/worker.h"

namespace ridge::worker {

/// How a service reaches the outside while it answers one request.
struct Call {
  std::function<void(const std::string& method, const Json& parameters)> notify;
  std::function<std::string()> take_output;  ///< what was printed to standard output since the request began
  const std::atomic<bool>* stop = nullptr;   ///< becomes true when the client says stop
};

/// Answers the requests of one role, one at a time.
class Service {
 public:
  virtual ~Service() = default;
  /// Answers `initialize`; the parameters' protocol version has been checked.
  virtual Result<Json> initialize(const Json& parameters, const Call& call) = 0;
  /// Any other method. Error code unknown_method: the role has no such method.
  virtual Result<Json> answer(const std::string& method, const Json& parameters, const Call& call) = 0;
  /// True when this process can no longer do its work; it ends after the answer.
  virtual bool lost() const { return false; }
  /// How long what was asked may go on once the input has ended and nobody can say stop any more.
  virtual std::chrono::milliseconds patience() const { return std::chrono::seconds(2); }
};

Error unknown_method(const std::string& method, Role role);

std::unique_ptr<Service> make_compile_service();
std::unique_ptr<Service> make_device_service(const std::string& device, const std::string& model);
/// Answers from a transcript.
Result<std::unique_ptr<Service>> make_replay_service(const std::filesystem::path& transcript);

/// Serves on the descriptors until the input ends or this process loses its parent, `shutdown`, or the
/// service is lost. Returns an exit status; a request that cannot be stopped then ends with the process.
int serve(Service& service, int input, int output);

}  // namespace ridge::worker
