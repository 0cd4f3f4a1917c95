// SPDX-License-Identifier: GPL-3.0-or-later
// A transcript that serves as a worker: what a GPU once answered, without the GPU.
#include <map>

#include "base/version.h"
#include "worker/protocol.h"
#include "worker/service.h"
#include "worker/transcript.h"

namespace ridge::worker {
namespace {

class ReplayService final : public Service {
 public:
  explicit ReplayService(Transcript transcript) : transcript_(std::move(transcript)) {}

  Result<Json> initialize(const Json& parameters, const Call& call) override;
  Result<Json> answer(const std::string& method, const Json& parameters, const Call& call) override;

 private:
  /// The next exchange of that key; when a request comes more often than recorded, the last one again.
  const Exchange* find(const std::string& key);

  Transcript transcript_;
  std::map<std::string, std::size_t> next_;  ///< key -> where to look from
};

const Exchange* ReplayService::find(const std::string& key) {
  const std::vector<Exchange>& exchanges = transcript_.exchanges;
  const Exchange* last = nullptr;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    if (exchanges[i].key != key) continue;
    last = &exchanges[i];
    if (i < next_[key]) continue;
    next_[key] = i + 1;
    break;
  }
  return last;
}

Result<Json> ReplayService::initialize(const Json& parameters, const Call& call) {
  if (transcript_.protocol != kWorkerProtocol)
    return protocol_error("wrong_protocol", say("The transcript was recorded with protocol version {}, this "
                                                "program speaks version {}. Record it again.",
                                                transcript_.protocol, kWorkerProtocol));
  return answer("initialize", parameters, call);
}

Result<Json> ReplayService::answer(const std::string& method, const Json& parameters, const Call& call) {
  const Exchange* exchange = find(request_key(method, parameters));
  if (!exchange)
    return Error{ErrorKind::component,
                 "not_in_transcript",
                 say("The transcript holds no '{}' with these parameters.", method),
                 say("Record it again, or use a device."),
                 {},
                 0};
  for (const Json& notification : exchange->notifications) {
    if (*call.stop)
      return Error{ErrorKind::cancelled, "cancelled", say("The request was cancelled."), {}, {}, 0};
    call.notify(read_string(notification, "method"), member(notification, "params"));
  }
  if (const Json& error = member(exchange->response, "error"); error.is_object())
    return error_from_json(member(error, "data"));
  return member(exchange->response, "result");
}

}  // namespace

Result<std::unique_ptr<Service>> make_replay_service(const std::filesystem::path& transcript) {
  Result<Transcript> read = read_transcript(transcript);
  if (!read) return read.error();
  return std::unique_ptr<Service>(std::make_unique<ReplayService>(*std::move(read)));
}

}  // namespace ridge::worker
