// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/transcript.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>

#include "base/files.h"
#include "base/hashing.h"
#include "base/system_message.h"
#include "base/text.h"
#include "base/version.h"
#include "worker/protocol.h"

namespace ridge::worker {
namespace {

/// Members that differ between machines and moments although the same is asked.
constexpr std::array<std::string_view, 21> kIncidental{
    // ids and paths
    "id", "tag", "file", "folder", "path", "include_folders",
    // times
    "time", "time_limit_seconds", "compile_ms", "baseline_us",
    // made from the source, the architecture and the options that stay
    "kernel", "reference_kernel", "prepared", "reference_prepared", "ptx", "cubin", "log", "key",
    "diagnostics",
    // how fast, not what
    "threads", "use_cache"};

bool incidental(std::string_view key) {
  return std::find(kIncidental.begin(), kIncidental.end(), key) != kIncidental.end();
}

Json sorted(const Json& json) {
  if (json.is_array()) {
    Json result = Json::array();
    for (const Json& element : json) result.push_back(sorted(element));
    return result;
  }
  if (!json.is_object()) return json;
  std::map<std::string, Json> members;
  for (const auto& [key, value] : json.items())
    if (!incidental(key)) members.emplace(key, sorted(value));
  Json result = Json::object();
  for (auto& [key, value] : members) result[key] = std::move(value);
  return result;
}

Error transcript_error(const std::filesystem::path& file, int line, const Sentence& what) {
  return {ErrorKind::definition,
          "bad_transcript",
          say("The transcript {} {}", file.string(), what),
          {},
          file.string(),
          line};
}

}  // namespace

Json canonical(const Json& parameters) {
  return sorted(parameters);
}

std::string request_key(const std::string& method, const Json& parameters) {
  return content_hash(method + "\n" + session::dump(canonical(parameters)));
}

Result<std::unique_ptr<Recorder>> Recorder::create(const std::filesystem::path& file, Role role,
                                                   bool append) {
  std::FILE* opened = std::fopen(file.c_str(), append ? "ae" : "we");
  if (!opened)
    return Error{ErrorKind::component,
                 "transcript_not_written",
                 say("The transcript {} cannot be written.", file.string()),
                 say("Check that its folder exists and that you may write there."),
                 file.string(),
                 0};
  std::error_code ignored;
  const std::uintmax_t size = append ? std::filesystem::file_size(file, ignored) : 0;
  std::unique_ptr<Recorder> recorder(new Recorder(file, opened, ignored ? 0 : size));
  recorder->write(
      {{"transcript", 1}, {"protocol", kWorkerProtocol}, {"role", name_of(role)}, {"version", kVersion}});
  return recorder;
}

Recorder::~Recorder() {
  std::fclose(file_);
}

void Recorder::give_up(Sentence why, Sentence hint) {
  complete_ = Error{ErrorKind::component,
                    "transcript_incomplete",
                    say("The transcript {} is not complete: {}.", name_.string(), why),
                    std::move(hint),
                    name_.string(),
                    0};
}

void Recorder::write(const Json& entry) {
  if (!complete_) return;
  const std::string line = session::dump(entry) + "\n";
  if (written_ + line.size() >= kTranscriptLimit)
    return give_up(say("it has reached {} MiB", kTranscriptLimit >> 20), say("Record fewer runs at a time."));
  written_ += line.size();
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0)
    give_up(system_message(errno), say("Free some space, or record to another file."));
}

void Recorder::request(std::int64_t id, const std::string& method, const Json& parameters) {
  write({{"to", "worker"}, {"message", {{"id", id}, {"method", method}, {"params", canonical(parameters)}}}});
}

void Recorder::received(std::string_view line) {
  Result<Json> message = parse_json(line);
  if (message && message->is_object()) write({{"to", "client"}, {"message", *std::move(message)}});
}

Result<Transcript> read_transcript(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file, kTranscriptLimit);
  if (!text) return text.error();
  Transcript transcript;
  std::map<std::int64_t, std::size_t> open;  // id of a request -> its exchange
  int number = 0;
  for (const std::string_view line : split_lines(*text)) {
    ++number;
    if (trim(line).empty()) continue;
    const Result<Json> entry = parse_json(line);
    if (!entry || !entry->is_object())
      return transcript_error(file, number, say("holds a line that is no JSON object."));
    if (number == 1) {
      transcript.protocol = static_cast<int>(read_integer(*entry, "protocol", 0));
      const auto role = read_named(*entry, "role", phrase("The role of the transcript"), role_named,
                                   std::optional(Role::device));
      if (!role)
        return transcript_error(file, 1, say("has a header of another release: {}.", role.error().message));
      transcript.role = *role;
      if (!entry->contains("transcript") || transcript.protocol == 0)
        return transcript_error(file, 1, say("has no header, a line with \"transcript\" and \"protocol\"."));
      continue;
    }
    const Json& message = member(*entry, "message");
    const std::string method = read_string(message, "method");
    const Json& parameters = member(message, "params");
    if (read_string(*entry, "to") == "worker") {
      open[read_integer(message, "id", -1)] = transcript.exchanges.size();
      transcript.exchanges.push_back({request_key(method, parameters), {}, {}});
      continue;
    }
    const bool notification = !method.empty();
    const auto found = open.find(read_integer(notification ? parameters : message, "id", -1));
    if (found == open.end()) continue;  // a log line belongs to no request
    Exchange& exchange = transcript.exchanges[found->second];
    if (notification)
      exchange.notifications.push_back(message);
    else
      exchange.response = message;
  }
  // A conversation that broke off has requests without an answer; they cannot be replayed.
  std::erase_if(transcript.exchanges, [](const Exchange& exchange) { return exchange.response.is_null(); });
  if (transcript.protocol == 0) return transcript_error(file, 1, say("is empty."));
  return transcript;
}

}  // namespace ridge::worker
