// SPDX-License-Identifier: GPL-3.0-or-later
// One thread reads messages, so that `stop` works during a run; the calling thread answers requests one at a
// time.
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "base/version.h"
#include "worker/captured_output.h"
#include "worker/protocol.h"
#include "worker/service.h"

namespace ridge::worker {
namespace {

const Error kCancelled{ErrorKind::cancelled, "cancelled", say("The request was cancelled."), {}, {}, 0};

RpcCode rpc_code(const Error& error) {
  if (error.code == "unknown_method") return RpcCode::method_not_found;
  if (error.code == "not_initialized") return RpcCode::not_initialized;
  if (error.code == "parse_error") return RpcCode::parse;
  return error.kind == ErrorKind::protocol ? RpcCode::invalid_request : RpcCode::failed;
}

class Server {
 public:
  Server(Service& service, int input, int output)
      : service_(service),
        input_(input),
        captured_(output),
        wake_(::eventfd(0, EFD_CLOEXEC)),
        parent_(::getppid()) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { ::close(wake_); }

  int run();

 private:
  void read_input();
  void read_until_the_end();
  void see_the_rest_out();
  bool client_is_gone() const;
  void on_line(const std::string& line, bool oversized);
  void on_message(Message message);
  void enqueue(Message message);
  void stop(std::optional<std::int64_t> id);
  std::optional<Message> next();
  void answer(const Message& request);
  Result<Json> result_of(const Message& request);
  void send(const std::string& line);

  Service& service_;
  int input_;
  CapturedOutput captured_;
  int wake_;
  const pid_t parent_;  ///< at the start; another one later means that it has died
  std::mutex sending_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> queue_;
  std::optional<std::int64_t> current_;  ///< id of the request in work
  bool input_ended_ = false;             ///< no more requests will come: what is queued is still answered
  bool shut_down_ = false;
  bool finished_ = false;  ///< the answering thread has ended
  std::atomic<bool> stop_ = false;
  bool initialized_ = false;  ///< of the answering thread
};

void Server::send(const std::string& line) {
  const std::lock_guard lock(sending_);
  write_all(captured_.protocol_descriptor(), line);
}

int Server::run() {
  captured_.start([this](const std::string& line) { send(notification_line("log", {{"line", line}})); });
  std::thread reader([this] { read_input(); });
  while (auto request = next()) {
    answer(*request);
    if (service_.lost()) break;
  }
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    for (const Message& waiting : queue_) send(error_line(waiting.id, RpcCode::failed, kCancelled));
    queue_.clear();
  }
  changed_.notify_all();
  constexpr std::uint64_t kOne = 1;
  write_all(wake_, {reinterpret_cast<const char*>(&kOne), sizeof kOne});
  reader.join();
  return service_.lost() ? kExitDeviceLost : 0;
}

std::optional<Message> Server::next() {
  std::unique_lock lock(mutex_);
  current_.reset();
  changed_.wait(lock, [this] { return !queue_.empty() || input_ended_ || shut_down_; });
  if (shut_down_ || queue_.empty()) return std::nullopt;
  Message request = std::move(queue_.front());
  queue_.pop_front();
  current_ = request.id;
  stop_ = false;
  return request;
}

Result<Json> Server::result_of(const Message& request) {
  const Call call{[this, &request](const std::string& method, const Json& parameters) {
                    Json with_id = parameters;
                    with_id["id"] = *request.id;
                    send(notification_line(method, with_id));
                  },
                  [this] { return captured_.take(); }, &stop_};
  try {
    if (request.method != "initialize") {
      if (initialized_) return service_.answer(request.method, request.parameters, call);
      return protocol_error("not_initialized",
                            say("The first message must be initialize, not '{}'.", request.method));
    }
    if (initialized_) return protocol_error("invalid_message", say("The worker is initialized already."));
    const std::int64_t protocol = read_integer(request.parameters, "protocol", 0);
    if (protocol != kWorkerProtocol)
      return protocol_error(
          "wrong_protocol",
          say("The client speaks protocol version {}, this worker (Ridgepoint {}) version {}.", protocol,
              kVersion, kWorkerProtocol));
    Result<Json> capabilities = service_.initialize(request.parameters, call);
    initialized_ = capabilities.ok();
    return capabilities;
  } catch (const std::exception& exception) {
    return Error{ErrorKind::internal,
                 "internal",
                 say("The worker failed in '{}': {}", request.method, exception.what()),
                 {},
                 {},
                 0};
  }
}

void Server::answer(const Message& request) {
  captured_.begin();
  const Result<Json> result = result_of(request);
  if (result)
    send(result_line(*request.id, *result));
  else
    send(error_line(request.id, rpc_code(result.error()), result.error()));
}

void Server::read_input() {
  read_until_the_end();
  see_the_rest_out();
}

void Server::read_until_the_end() {
  LineSplitter lines(kMessageLimit);
  std::array<char, 65536> buffer;
  for (;;) {
    std::array<pollfd, 2> readable{pollfd{input_, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
    constexpr int kLookMilliseconds = 500;
    if (::poll(readable.data(), readable.size(), kLookMilliseconds) < 0 && errno != EINTR) break;
    if (readable[1].revents != 0) return;
    // Whoever else holds the other end of the input, the client that wrote to it is no more.
    if (::getppid() != parent_) break;
    if (readable[0].revents == 0) continue;
    const ssize_t count = ::read(input_, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) break;
    lines.push({buffer.data(), static_cast<std::size_t>(count)},
               [this](const std::string& line, bool oversized) { on_line(line, oversized); });
  }
  if (!lines.rest().empty())
    send(error_line({}, RpcCode::parse,
                    protocol_error("truncated", say("The input ends in the middle of a message."))));
  const std::lock_guard lock(mutex_);
  input_ended_ = true;
  changed_.notify_all();
}

/// Nobody reads the answers any more, or whoever started this process has died.
bool Server::client_is_gone() const {
  if (::getppid() != parent_) return true;
  pollfd writable{captured_.protocol_descriptor(), POLLOUT, 0};
  return ::poll(&writable, 1, 0) > 0 && (writable.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

/// The input has ended: all that is known of a client behind a launcher that holds the output open (docker,
/// srun). What was asked gets a moment to be answered; for a client that is surely gone nothing is worth
/// finishing. What cannot be stopped goes down with the process.
void Server::see_the_rest_out() {
  constexpr std::chrono::milliseconds kLook{100}, kGrace{1000};
  const auto patience = std::chrono::steady_clock::now() + service_.patience();
  std::unique_lock lock(mutex_);
  while (!finished_) {
    const bool gone = shut_down_ || client_is_gone();
    if (gone || std::chrono::steady_clock::now() >= patience) {
      stop_ = shut_down_ = true;
      if (gone) queue_.clear();
      changed_.notify_all();
      if (!changed_.wait_for(lock, kGrace, [this] { return finished_; })) ::_exit(kExitAbandoned);
      return;
    }
    changed_.wait_for(lock, kLook);
  }
}

void Server::on_line(const std::string& line, bool oversized) {
  if (oversized) {
    send(error_line(
        {}, RpcCode::invalid_request,
        protocol_error("message_too_large", say("The message is larger than {} MiB.", kMessageLimit >> 20))));
    return;
  }
  if (line.empty()) return;
  Result<Message> message = parse_message(line);
  if (message)
    on_message(*std::move(message));
  else
    send(error_line({}, rpc_code(message.error()), message.error()));
}

void Server::on_message(Message message) {
  if (message.kind == Message::Kind::response) {
    send(error_line(
        {}, RpcCode::invalid_request,
        protocol_error("invalid_message", say("The worker asked nothing, so it takes no responses."))));
    return;
  }
  if (message.method == "stop" || message.method == "shutdown") {
    if (message.id) send(result_line(*message.id, Json::object()));
    const Json& id = member(message.parameters, "id");
    stop(id.is_number_integer() ? std::optional(id.get<std::int64_t>()) : std::nullopt);
    if (message.method == "stop") return;
    const std::lock_guard lock(mutex_);
    shut_down_ = true;
    changed_.notify_all();
    return;
  }
  if (message.id) enqueue(std::move(message));
}

/// The request of that id, be it in work or waiting; without an id every request.
void Server::stop(std::optional<std::int64_t> id) {
  const std::lock_guard lock(mutex_);
  if (current_ && (!id || id == current_)) stop_ = true;
  std::erase_if(queue_, [&](const Message& waiting) {
    if (id && id != waiting.id) return false;
    send(error_line(waiting.id, RpcCode::failed, kCancelled));
    return true;
  });
}

void Server::enqueue(Message message) {
  const std::lock_guard lock(mutex_);
  // While someone types, only the newest text is worth compiling.
  const std::string tag = read_string(message.parameters, "tag");
  if (!tag.empty())
    std::erase_if(queue_, [&](const Message& waiting) {
      const bool older = waiting.method == message.method && read_string(waiting.parameters, "tag") == tag;
      if (older) send(error_line(waiting.id, RpcCode::failed, kCancelled));
      return older;
    });
  if (queue_.size() >= kQueueLimit) {
    send(error_line(message.id, RpcCode::failed,
                    Error{ErrorKind::component,
                          "busy",
                          say("{} requests wait already.", kQueueLimit),
                          say("Wait for answers first."),
                          {},
                          0}));
    return;
  }
  queue_.push_back(std::move(message));
  changed_.notify_all();
}

}  // namespace

int serve(Service& service, int input, int output) {
  return Server(service, input, output).run();
}

int serve(const Launch& launch, int input, int output) {
  std::unique_ptr<Service> service;
  if (!launch.replay.empty()) {
    auto replay = make_replay_service(launch.replay);
    if (!replay) {
      write_all(STDERR_FILENO, replay.error().message.english() + "\n");
      return 2;
    }
    service = *std::move(replay);
  } else if (launch.role == Role::compile) {
    service = make_compile_service();
  } else {
    service = make_device_service(launch.device, launch.model);
  }
  const int status = serve(*service, input, output);
  // A lost device may still execute: whoever waited for it (exit handlers of the driver do) would hang.
  if (status == kExitDeviceLost) ::_exit(status);
  return status;
}

}  // namespace ridge::worker
