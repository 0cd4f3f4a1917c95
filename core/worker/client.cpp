// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "base/files.h"
#include "base/version.h"
#include "worker/lines.h"
#include "worker/process.h"
#include "worker/protocol.h"
#include "worker/transcript.h"

namespace ridge::worker {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLastWords = 6;              ///< lines of standard error that explain a death
constexpr std::size_t kErrorLineLimit = 64 << 10;  ///< bytes of a line of standard error
constexpr std::string_view kMessageStart = "{\"jsonrpc\"";

/// An argument as the shell at the other end of ssh must see it to hand it on unchanged.
std::string shell_quoted(const std::string& argument) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::vector<std::string> command_of(const Launch& launch) {
  std::string program = launch.program.string();
  if (program.empty())
    program = launch.target.empty() ? (program_path().parent_path() / "ridge").string() : "ridge";
  std::vector<std::string> arguments{program, "worker", "--role", std::string(name_of(launch.role))};
  if (launch.role == Role::device) {
    arguments.insert(arguments.end(), {"--device", launch.device});
    if (!launch.model.empty()) arguments.insert(arguments.end(), {"--model", launch.model});
  }
  if (!launch.replay.empty()) arguments.insert(arguments.end(), {"--replay", launch.replay.string()});
  const bool remote_shell =
      !launch.target.empty() && std::filesystem::path(launch.target[0]).filename() == "ssh";
  std::vector<std::string> command = launch.target;
  for (const std::string& argument : arguments)
    command.push_back(remote_shell ? shell_quoted(argument) : argument);
  return command;
}

class PipeClient final : public Client {
 public:
  PipeClient(const Launch& launch, OnLog log, std::unique_ptr<Process> process,
             std::unique_ptr<Recorder> recorder);
  ~PipeClient() override;

  Result<void> initialize();

  const Capabilities& capabilities() const override { return capabilities_; }
  long process_id() const override { return process_->id(); }
  bool alive() const override;
  Result<compile::CompiledKernel> compile(const compile::CompileRequest& request) override;
  Result<std::string> disassemble(const std::string& cubin) override;
  Result<session::Run> run(const bench::Job& job, const bench::OnProgress& progress) override;
  Result<Json> call(const std::string& method, const Json& parameters,
                    const std::function<void(const Json&)>& notification) override;
  void stop(std::chrono::milliseconds grace) override;
  void kill() override;
  Result<void> recorded() const override;

 private:
  using OnNotification = std::function<void(const Json&)>;

  Result<Json> call_until(const std::string& method, const Json& parameters,
                          const OnNotification& notification, const Deadline& deadline);
  Result<Json> await(std::int64_t id, const std::string& method, const OnNotification& notification,
                     const Deadline& deadline);
  Error death(const std::string& method) const;
  Error violated(const Error& error);
  void log(const std::string& line) const;

  // The watcher's thread.
  void watch();
  bool read_stream(int descriptor, LineSplitter& lines, const LineSplitter::OnLine& on_line);
  void settle_end();
  void on_output_line(std::string line, bool oversized);
  void on_foreign_line(const std::string& line);
  void on_error_line(const std::string& line);
  void on_message(Message message);

  const Launch launch_;
  const OnLog log_;
  const std::unique_ptr<Process> process_;
  const std::unique_ptr<Recorder> recorder_;
  Capabilities capabilities_;
  std::int64_t last_id_ = 0;

  std::timed_mutex writing_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> inbox_;
  std::optional<Error> violation_;      ///< what the worker sent and must not
  std::deque<std::string> last_words_;  ///< of standard error
  Sentence end_;                        ///< how the process ended; empty: it lives
  std::int64_t busy_ = 0;               ///< id of the request in work; 0: none
  bool initialized_ = false;
  bool lost_ = false;  ///< the worker announced its end
  bool stop_asked_ = false;
  bool killed_ = false;  ///< by the client's owner
  std::size_t foreign_bytes_ = 0;
  std::thread watcher_;
};

PipeClient::PipeClient(const Launch& launch, OnLog log, std::unique_ptr<Process> process,
                       std::unique_ptr<Recorder> recorder)
    : launch_(launch), log_(std::move(log)), process_(std::move(process)), recorder_(std::move(recorder)) {
  // A worker that does not read must not be able to block this side for ever.
  ::fcntl(process_->input(), F_SETFL, O_NONBLOCK);
  watcher_ = std::thread([this] { watch(); });
}

PipeClient::~PipeClient() {
  constexpr std::chrono::milliseconds kFarewell{1000};
  process_->close_input();
  if (!process_->wait(kFarewell)) process_->kill();
  watcher_.join();
}

void PipeClient::log(const std::string& line) const {
  if (log_) log_(line);
}

bool PipeClient::alive() const {
  const std::lock_guard lock(mutex_);
  return end_.empty() && !lost_ && !violation_ && !killed_;
}

Result<void> PipeClient::initialize() {
  const auto answer =
      call_until("initialize", {{"protocol", kWorkerProtocol}}, {}, Clock::now() + launch_.start_limit);
  if (!answer) return answer.error();
  // The version comes first: words of another one need not be known here.
  capabilities_.protocol = static_cast<int>(read_integer(*answer, "protocol", 0));
  if (capabilities_.protocol != kWorkerProtocol)
    return protocol_error("wrong_protocol", say("The worker speaks protocol version {}, this program version "
                                                "{}. Install the same release on both sides.",
                                                capabilities_.protocol, kWorkerProtocol));
  auto capabilities = capabilities_from_json(*answer);
  if (!capabilities) return capabilities.error();
  capabilities_ = *std::move(capabilities);
  return {};
}

Result<compile::CompiledKernel> PipeClient::compile(const compile::CompileRequest& request) {
  const auto answer = call_until("compile", {{"request", compile::to_json(request)}}, {},
                                 Clock::now() + launch_.compile_limit);
  if (!answer) return answer.error();
  return compile::compiled_kernel_from_json(member(*answer, "kernel"));
}

Result<std::string> PipeClient::disassemble(const std::string& cubin) {
  const auto answer =
      call_until("disassemble", {{"cubin", encode_base64(cubin)}}, {}, Clock::now() + launch_.compile_limit);
  if (!answer) return answer.error();
  return read_string(*answer, "text");
}

Result<session::Run> PipeClient::run(const bench::Job& job, const bench::OnProgress& progress) {
  const auto answer = call("run", {{"job", bench::to_json(job)}}, [&](const Json& parameters) {
    if (progress)
      progress({read_string(parameters, "stage"), read_string(parameters, "workload"),
                static_cast<int>(read_integer(parameters, "step", 0)),
                static_cast<int>(read_integer(parameters, "steps", 0))});
  });
  if (!answer) return answer.error();
  if (read_bool(*answer, "lost", false)) {
    const std::lock_guard lock(mutex_);
    lost_ = true;
  }
  return session::run_from_json(member(*answer, "run"));
}

Result<Json> PipeClient::call(const std::string& method, const Json& parameters,
                              const OnNotification& notification) {
  return call_until(method, parameters, notification, {});
}

Result<Json> PipeClient::call_until(const std::string& method, const Json& parameters,
                                    const OnNotification& notification, const Deadline& deadline) {
  const std::int64_t id = ++last_id_;
  {
    const std::lock_guard lock(mutex_);
    stop_asked_ = false;
    if (!end_.empty() || lost_ || violation_ || killed_) return death(method);
    busy_ = id;
    if (recorder_) recorder_->request(id, method, parameters);
  }
  {
    const std::lock_guard lock(writing_);
    // Where writing fails the worker is ending, or reads nothing until the deadline; await() tells which.
    write_all(process_->input(), request_line(id, method, parameters), deadline);
  }
  Result<Json> answer = await(id, method, notification, deadline);
  {
    const std::lock_guard lock(mutex_);
    busy_ = 0;
  }
  changed_.notify_all();
  return answer;
}

Result<Json> PipeClient::await(std::int64_t id, const std::string& method, const OnNotification& notification,
                               const Deadline& deadline) {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto news = [this] { return !inbox_.empty() || violation_ || !end_.empty(); };
    if (!deadline)
      changed_.wait(lock, news);
    else if (!changed_.wait_until(lock, *deadline, news)) {
      process_->kill();
      lost_ = true;
      return Error{
          ErrorKind::component,
          "worker_timeout",
          say("The {} worker did not answer '{}' in time and was killed.", name_of(launch_.role), method),
          say("Start it again; if it happens again, look at the log."),
          {},
          0};
    }
    if (inbox_.empty()) return violation_ ? *violation_ : death(method);
    Message message = std::move(inbox_.front());
    inbox_.pop_front();
    if (message.kind == Message::Kind::notification) {
      if (!notification) continue;
      lock.unlock();
      notification(message.parameters);
      lock.lock();
      continue;
    }
    if (!message.id && message.error) return violated(*message.error);
    if (message.id != id)
      return violated(
          protocol_error("worker_protocol", say("The worker answered a request that was not asked.")));
    if (method == "initialize") initialized_ = true;
    if (message.error) return *message.error;
    return std::move(message.result);
  }
}

/// After a breach of the protocol nothing that the worker says can be trusted. The caller holds the lock.
Error PipeClient::violated(const Error& error) {
  if (!violation_)
    violation_ = protocol_error("worker_protocol", say("The {} worker broke the protocol and was killed: {}",
                                                       name_of(launch_.role), error.message));
  process_->kill();
  return *violation_;
}

/// The caller holds the lock.
Error PipeClient::death(const std::string& method) const {
  if (stop_asked_ || killed_)
    return {ErrorKind::cancelled,
            "cancelled",
            say("'{}' was stopped; its worker was killed.", method),
            {},
            {},
            0};
  Sentence message = say("The {} worker (process {}) {} at '{}'.", name_of(launch_.role), process_->id(),
                         end_.empty() ? say("has ended") : end_, method);
  std::string words;
  for (const std::string& line : last_words_) words += "\n" + line;
  if (!words.empty()) message = say("{} Its last words:{}", message, words);
  Sentence hint = say("Start it again: nothing but this request is lost.");
  if (!initialized_ && !launch_.target.empty()) {
    std::string command;
    for (const std::string& word : command_of(launch_)) command += " " + word;
    hint = say("Check that this command works in a terminal:{}", command);
  }
  return {ErrorKind::component, "worker_died", std::move(message), std::move(hint), {}, 0};
}

void PipeClient::stop(std::chrono::milliseconds grace) {
  const auto end = Clock::now() + grace;
  std::unique_lock lock(mutex_);
  const std::int64_t asked = busy_;
  if (asked == 0) return;
  stop_asked_ = true;
  lock.unlock();
  if (std::unique_lock writing(writing_, end); writing.owns_lock())
    write_all(process_->input(), notification_line("stop", {{"id", asked}}), end);
  lock.lock();
  if (changed_.wait_until(lock, end, [&] { return busy_ != asked; })) return;
  lock.unlock();
  process_->kill();
}

void PipeClient::kill() {
  {
    const std::lock_guard lock(mutex_);
    killed_ = true;
  }
  process_->kill();
}

Result<void> PipeClient::recorded() const {
  const std::lock_guard lock(mutex_);
  return recorder_ ? recorder_->complete() : Result<void>();
}

void PipeClient::watch() {
  LineSplitter output(kMessageLimit), errors(kErrorLineLimit);
  bool output_open = true, errors_open = true;
  while (output_open) {
    std::array<pollfd, 2> readable{pollfd{process_->output(), POLLIN, 0},
                                   pollfd{errors_open ? process_->errors() : -1, POLLIN, 0}};
    constexpr int kLookMilliseconds = 200;
    const int ready = ::poll(readable.data(), readable.size(), kLookMilliseconds);
    // A grandchild may hold the pipes of a process that is gone.
    if (ready == 0 && process_->ended()) break;
    if (readable[1].revents != 0)
      errors_open = read_stream(process_->errors(), errors,
                                [this](const std::string& line, bool) { on_error_line(line); });
    if (readable[0].revents != 0)
      output_open = read_stream(process_->output(), output, [this](std::string line, bool oversized) {
        on_output_line(std::move(line), oversized);
      });
  }
  pollfd rest{process_->errors(), POLLIN, 0};
  constexpr int kRestMilliseconds = 100;
  while (errors_open && ::poll(&rest, 1, kRestMilliseconds) > 0)
    errors_open = read_stream(process_->errors(), errors,
                              [this](const std::string& line, bool) { on_error_line(line); });
  if (!errors.rest().empty()) on_error_line(errors.rest());
  settle_end();
}

/// False at the end of the stream.
bool PipeClient::read_stream(int descriptor, LineSplitter& lines, const LineSplitter::OnLine& on_line) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  lines.push({buffer.data(), static_cast<std::size_t>(count)}, on_line);
  return count > 0;
}

/// The worker closed its output: it ends, or is made to.
void PipeClient::settle_end() {
  constexpr std::chrono::milliseconds kGrace{1000}, kAfterKill{5000};
  Sentence end = say("closed its output and was killed");
  if (process_->wait(kGrace)) {
    end = describe_end(*process_->ended());
  } else {
    process_->kill();
    process_->wait(kAfterKill);
  }
  {
    const std::lock_guard lock(mutex_);
    end_ = end;
  }
  changed_.notify_all();
}

void PipeClient::on_error_line(const std::string& line) {
  {
    const std::lock_guard lock(mutex_);
    last_words_.push_back(line);
    if (last_words_.size() > kLastWords) last_words_.pop_front();
  }
  log(line);
}

void PipeClient::on_output_line(std::string line, bool oversized) {
  if (line.empty() && !oversized) return;
  std::unique_lock lock(mutex_);
  const bool expects_foreign = !initialized_;
  if (recorder_ && !oversized) recorder_->received(line);
  lock.unlock();
  // A banner without a line end stands in front of the first message.
  if (const std::size_t start = line.find(kMessageStart);
      expects_foreign && start != std::string::npos && start != 0) {
    on_foreign_line(line.substr(0, start));
    line.erase(0, start);
  }
  Result<Message> message =
      oversized ? Result<Message>(protocol_error("message_too_large", say("A message is too large.")))
                : parse_message(line);
  if (message && message->kind != Message::Kind::request) {
    on_message(*std::move(message));
  } else if (message || !expects_foreign) {
    lock.lock();
    violated(message ? protocol_error("invalid_message", say("It sent a request.")) : message.error());
    lock.unlock();
    changed_.notify_all();
  } else {
    on_foreign_line(line);
  }
}

void PipeClient::on_foreign_line(const std::string& line) {
  log(line);
  {
    const std::lock_guard lock(mutex_);
    foreign_bytes_ += line.size() + 1;
    if (foreign_bytes_ <= kForeignLimit) return;
    violated(protocol_error("worker_protocol",
                            say("More than 64 KiB of other text came before its first answer.")));
  }
  changed_.notify_all();
}

void PipeClient::on_message(Message message) {
  if (message.kind == Message::Kind::notification && message.method == "log") {
    log(read_string(message.parameters, "line"));
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(message));
  }
  changed_.notify_all();
}

}  // namespace

bool lost_worker(const Error& error) {
  return error.code == "worker_died" || error.code == "worker_protocol" || error.code == "worker_timeout";
}

Result<std::unique_ptr<Client>> Client::start(const Launch& launch, OnLog log, std::stop_token stop) {
  std::unique_ptr<Recorder> recorder;
  if (!launch.record.empty()) {
    auto created = Recorder::create(launch.record, launch.role, launch.record_on);
    if (!created) return created.error();
    recorder = *std::move(created);
  }
  auto process = Process::start(command_of(launch));
  if (!process) return process.error();
  auto client =
      std::make_unique<PipeClient>(launch, std::move(log), *std::move(process), std::move(recorder));
  const std::stop_callback killing(std::move(stop), [started = client.get()] { started->kill(); });
  if (const auto initialized = client->initialize(); !initialized) return initialized.error();
  return std::unique_ptr<Client>(std::move(client));
}

}  // namespace ridge::worker
