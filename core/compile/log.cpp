// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace ridge::compile {

namespace {

constexpr std::size_t kEchoIndent = 2;       // of the source line in an EDG message
constexpr std::size_t kDetailIndent = 8;     // of lines that continue a message
constexpr std::size_t kLongestDetail = 600;  // bytes of "detected during" that help anybody

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// The number in front of `unit`: 400 of "…, 400 bytes cumulative stack size".
std::int64_t number_before(std::string_view line, std::string_view unit) {
  const std::size_t at = line.find(unit);
  if (at == std::string_view::npos) return 0;
  std::size_t begin = at;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::int64_t value = 0;
  std::from_chars(line.data() + begin, line.data() + at, value);
  return value;
}

std::string quoted(std::string_view line) {
  const std::size_t open = line.find('\''), close = line.find('\'', open + 1);
  return close == std::string_view::npos ? std::string()
                                         : std::string(line.substr(open + 1, close - open - 1));
}

struct Kind {
  std::string_view word;
  Severity severity;
};
constexpr std::array<Kind, 5> kKinds{{{"catastrophic error", Severity::error},
                                      {"error", Severity::error},
                                      {"warning", Severity::warning},
                                      {"note", Severity::note},
                                      {"remark", Severity::note}}};

/// "k.cu(7): error: …", "k.cu(8): warning #177-D: …".
std::optional<LogMessage> parse_edg(std::string_view line) {
  for (std::size_t at = line.find("): "); at != std::string_view::npos; at = line.find("): ", at + 1)) {
    const std::size_t open = line.rfind('(', at);
    if (open == std::string_view::npos || open == 0) continue;
    LogMessage message;
    const auto [end, error] =
        std::from_chars(line.data() + open + 1, line.data() + at, message.diagnostic.line);
    if (error != std::errc() || end != line.data() + at) continue;
    const std::string_view rest = line.substr(at + 3);
    for (const Kind& kind : kKinds) {
      if (!starts_with(rest, kind.word)) continue;
      std::string_view text = rest.substr(kind.word.size());
      if (starts_with(text, " #")) {
        std::from_chars(text.data() + 2, text.data() + text.size(), message.number);
        text.remove_prefix(std::min(text.find(':'), text.size()));
      }
      if (!starts_with(text, ": ")) continue;
      message.diagnostic.severity = kind.severity;
      message.diagnostic.file = line.substr(0, open);
      message.diagnostic.code = "nvrtc";
      message.diagnostic.message = std::string(text.substr(2));
      return message;
    }
  }
  return std::nullopt;
}

/// "ptxas error   : …", "ptxas application ptx input, line 28; error   : …", "nvrtc: error: …".
std::optional<LogMessage> parse_tool(std::string_view line) {
  LogMessage message;
  if (starts_with(line, "nvrtc: error: ")) {
    message.diagnostic.code = "nvrtc";
    message.diagnostic.message = std::string(line.substr(14));
    return message;
  }
  if (starts_with(line, "nvrtc: warning: ")) {
    message.diagnostic.severity = Severity::warning;
    message.diagnostic.code = "nvrtc";
    message.diagnostic.message = std::string(line.substr(16));
    return message;
  }
  if (!starts_with(line, "ptxas ")) return std::nullopt;
  message.diagnostic.code = "ptxas";
  std::string_view rest = line.substr(6);
  // "application ptx input, line 28; error …", or the name of a file instead.
  constexpr std::string_view kLine = ", line ";
  const std::size_t semicolon = rest.find(';');
  const std::size_t place = rest.substr(0, semicolon).find(kLine);
  if (semicolon != std::string_view::npos && place != std::string_view::npos) {
    std::from_chars(rest.data() + place + kLine.size(), rest.data() + semicolon, message.ptx_line);
    rest = trim(rest.substr(semicolon + 1));
  }
  const std::size_t colon = rest.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view kind = trim(rest.substr(0, colon));
  if (kind == "error" || kind == "fatal")
    message.diagnostic.severity = Severity::error;
  else if (kind == "warning")
    message.diagnostic.severity = Severity::warning;
  else
    return std::nullopt;
  message.diagnostic.message = std::string(trim(rest.substr(colon + 2)));
  return message;
}

/// Reads "-v" lines; they follow the line that names their entry.
class ResourceReader {
 public:
  explicit ResourceReader(std::map<std::string, Resources>& resources) : resources_(resources) {}

  void read(std::string_view line) {
    if (starts_with(line, "info ")) return read_linked(line);
    // ptxas as a program indents this line; inside of NVRTC it puts its name before it.
    const bool frame = line.find("bytes stack frame") != std::string_view::npos;
    if (!starts_with(line, "ptxas ") && !(frame && starts_with(line, "    "))) return;
    if (line.find("Compiling entry function") != std::string_view::npos) {
      entry_ = quoted(line);
      resources_[entry_];
    } else if (const std::size_t at = line.find("Function properties for "); at != std::string_view::npos) {
      // Device functions that were not inlined have properties of their own.
      function_ = trim(line.substr(at + 24));
    } else if (frame) {
      if (entry_.empty() || function_ != entry_) return;
      Resources& resources = resources_[entry_];
      resources.stack_bytes = number_before(line, " bytes stack frame");
      resources.spill_store_bytes = number_before(line, " bytes spill stores");
      resources.spill_load_bytes = number_before(line, " bytes spill loads");
    } else if (line.find(" registers") != std::string_view::npos &&
               line.find("Used ") != std::string_view::npos) {
      if (entry_.empty()) return;
      Resources& resources = resources_[entry_];
      resources.registers = static_cast<int>(number_before(line, " registers"));
      resources.barriers = static_cast<int>(number_before(line, " barriers"));
      resources.shared_bytes = number_before(line, " bytes smem");
      resources.constant_bytes = number_before(line, " bytes cmem");
      if (const std::int64_t stack = number_before(line, " bytes cumulative stack size"))
        resources.stack_bytes = stack;
    }
  }

 private:
  /// The linker in nvJitLink speaks for itself where it takes code that was assembled before: "info    :
  /// Function properties for 'k':", "info    : used 10 registers, used 0 barriers, 0 stack, 0 bytes smem, …".
  void read_linked(std::string_view line) {
    if (line.find("Function properties for '") != std::string_view::npos) {
      function_ = quoted(line);
    } else if (line.find(" registers") != std::string_view::npos && !function_.empty() &&
               !resources_.contains(function_)) {
      Resources& resources = resources_[function_];
      resources.registers = static_cast<int>(number_before(line, " registers"));
      resources.barriers = static_cast<int>(number_before(line, " barriers"));
      resources.stack_bytes = number_before(line, " stack");
      resources.shared_bytes = number_before(line, " bytes smem");
      resources.constant_bytes = number_before(line, " bytes cmem");
    }
  }

  std::map<std::string, Resources>& resources_;
  std::string entry_, function_;
};

/// Of several errors on a line the one that the others follow from.
bool is_cause(const Diagnostic& diagnostic) {
  return diagnostic.code == "removed_feature" ||
         diagnostic.message.english().find(" is undefined") != std::string::npos;
}

bool only_caret(std::string_view line) {
  return trim(line) == "^";
}

}  // namespace

Log parse_log(std::string_view text) {
  Log log;
  ResourceReader resources(log.resources);
  const std::vector<std::string_view> lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    resources.read(lines[i]);
    if (std::optional<LogMessage> tool = parse_tool(lines[i])) {
      log.messages.push_back(std::move(*tool));
      continue;
    }
    std::optional<LogMessage> message = parse_edg(lines[i]);
    if (!message) continue;
    std::string detail;
    for (; i + 1 < lines.size() && !trim(lines[i + 1]).empty() && !parse_edg(lines[i + 1]); ++i) {
      const std::string_view line = lines[i + 1];
      if (only_caret(line)) {
        const std::size_t caret = line.find('^');
        if (caret >= kEchoIndent) message->diagnostic.column = static_cast<int>(caret - kEchoIndent) + 1;
      } else if (i + 2 < lines.size() && only_caret(lines[i + 2])) {
        message->echo = line.substr(std::min(kEchoIndent, line.size()));
      } else if (line.find_first_not_of(' ') >= kDetailIndent && detail.size() < kLongestDetail) {
        detail += " " + std::string(trim(line));
      }
    }
    if (!detail.empty()) message->diagnostic.message = message->diagnostic.message.english() + ";" + detail;
    log.messages.push_back(std::move(*message));
  }
  return log;
}

Diagnostics fold(Diagnostics diagnostics) {
  const auto error_on_line_of = [](const Diagnostic& a, const Diagnostic& b) {
    return b.severity == Severity::error && b.line > 0 && a.file == b.file && a.line == b.line;
  };
  Diagnostics folded;
  std::vector<int> repeated, consequences;
  for (Diagnostic& diagnostic : diagnostics) {
    const auto place = [&](const auto& matches) {
      const auto found = std::find_if(folded.begin(), folded.end(), matches);
      return found == folded.end() ? std::optional<std::size_t>()
                                   : static_cast<std::size_t>(found - folded.begin());
    };
    const auto same = place([&](const Diagnostic& other) {
      return other.severity == diagnostic.severity && other.message == diagnostic.message &&
             other.file == diagnostic.file;
    });
    if (same) {
      ++repeated[*same];
      continue;
    }
    // One unknown name makes a parser stumble several times over the same line, before and behind it.
    const auto line = place([&](const Diagnostic& other) { return error_on_line_of(diagnostic, other); });
    if (line && diagnostic.severity == Severity::error) {
      ++consequences[*line];
      if (is_cause(diagnostic) && !is_cause(folded[*line])) folded[*line] = std::move(diagnostic);
      continue;
    }
    folded.push_back(std::move(diagnostic));
    repeated.push_back(0);
    consequences.push_back(0);
  }
  for (std::size_t i = 0; i < folded.size(); ++i) {
    if (repeated[i] > 0) folded[i].message = say("{} ({} more of the same)", folded[i].message, repeated[i]);
    if (consequences[i] > 0)
      folded[i].message = say("{} ({} more on this line)", folded[i].message, consequences[i]);
  }
  return folded;
}

}  // namespace ridge::compile
