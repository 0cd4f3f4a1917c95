// SPDX-License-Identifier: GPL-3.0-or-later
// Inside this room: recorded conversations with a worker. A transcript is a text file: a header line, then
// one message a line with its direction. Requests keep what identifies them; compiled code, paths and times
// would differ on another machine and are left out.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "worker/worker.h"

namespace ridge::worker {

inline constexpr std::size_t kTranscriptLimit = std::size_t{8} << 20;  ///< bytes

/// The parameters without ids, paths, times and what was compiled from the source that is in them.
Json canonical(const Json& parameters);
/// What requests are matched by.
std::string request_key(const std::string& method, const Json& parameters);

/// Writes a transcript while a client talks to its worker. What cannot be written costs the transcript, not
/// the conversation.
class Recorder {
 public:
  /// `append`: to what an earlier worker of the same client said.
  static Result<std::unique_ptr<Recorder>> create(const std::filesystem::path& file, Role role, bool append);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  void request(std::int64_t id, const std::string& method, const Json& parameters);
  /// A line that the worker sent.
  void received(std::string_view line);
  /// Is all that was said in the file? Error code: transcript_incomplete.
  const Result<void>& complete() const { return complete_; }

 private:
  Recorder(std::filesystem::path name, std::FILE* file, std::size_t written)
      : name_(std::move(name)), file_(file), written_(written) {}
  void write(const Json& entry);
  void give_up(Sentence why, Sentence hint);

  const std::filesystem::path name_;
  std::FILE* file_;
  std::size_t written_;  ///< bytes in the file
  Result<void> complete_;
};

/// A request of a transcript with all that came back for it.
struct Exchange {
  std::string key;
  std::vector<Json> notifications;
  Json response;  ///< the whole message
};
struct Transcript {
  int protocol = 0;
  Role role = Role::device;
  std::vector<Exchange> exchanges;
};
Result<Transcript> read_transcript(const std::filesystem::path& file);

}  // namespace ridge::worker
