// SPDX-License-Identifier: GPL-3.0-or-later
#include "source/directives.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/dtype.h"
#include "base/text.h"
#include "problem/expression.h"

namespace ridge::source {
namespace {

bool is_identifier(std::string_view text) {
  return !text.empty() && word_at(text, 0).size() == text.size();
}

/// Joins words for a message: "a, b".
std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// "NAME = VALUE" in two.
struct Pair {
  std::string name, value;
  bool has_value = false;
};
Pair split_pair(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {std::string(trim(text)), "", false};
  return {std::string(trim(std::string_view(text).substr(0, equals))),
          std::string(trim(std::string_view(text).substr(equals + 1))), true};
}

class Reader {
 public:
  Reader(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {
    directives_.launches.emplace_back();
  }

  Directives run(const std::vector<DirectiveLine>& lines) {
    for (const DirectiveLine& line : lines) read(line);
    return std::move(directives_);
  }

 private:
  const std::string& file_;
  Diagnostics& diagnostics_;
  Directives directives_;
  std::map<std::string, int> names_;  ///< of macros, scratch tensors and symbols -> line

  void report(Severity severity, const DirectiveLine& line, const std::string& code, const Sentence& message,
              const Sentence& hint) {
    diagnostics_.push_back({severity, file_, line.line, 0, code, message, hint});
  }
  void error(const DirectiveLine& line, const std::string& code, const Sentence& message,
             const Sentence& hint) {
    report(Severity::error, line, code, message, hint);
  }

  void read(const DirectiveLine& line) {
    if (!line.colon) {
      error(line, "directive_colon", say("the directive {} lacks its colon", line.key),
            say("write {}", "//@ " + line.key + ": " + line.value));
      return;
    }
    const std::vector<std::string>& known = directive_keys();
    if (std::find(known.begin(), known.end(), line.key) == known.end()) {
      const std::string near = nearest(line.key, known);
      error(line, "unknown_directive",
            near.empty() ? say("there is no directive {}", line.key)
                         : say("there is no directive {}; {} is meant?", line.key, near),
            say("directives: {}", joined(known)));
      return;
    }
    while (directives_.launches.size() <= line.launch) directives_.launches.emplace_back();
    if (line.value.empty()) {
      // A kernel without parameters takes an empty list; everything else needs a value.
      if (line.key != "args")
        error(line, "directive_value", say("the directive {} has no value", line.key), {});
      if (line.key != "args") return;
    }
    if (Value* value = single(line)) {
      if (value->given()) {
        error(line, "repeated_directive", say("{} is given twice (first in line {})", line.key, value->line),
              belongs_to_launch(line.key) ? say("keep one, or begin the next launch with //@ kernel:")
                                          : say("keep one"));
        return;
      }
      *value = {line.value, line.line};
      check_single(line);
    } else {
      read_repeatable(line);
    }
  }

  Value* single(const DirectiveLine& line) {
    LaunchDirectives& launch = directives_.launches[line.launch];
    const std::map<std::string_view, Value*> places = {{"problem", &directives_.problem},
                                                       {"arch", &directives_.arch},
                                                       {"options", &directives_.options},
                                                       {"kernel", &launch.kernel},
                                                       {"grid", &launch.grid},
                                                       {"block", &launch.block},
                                                       {"shared", &launch.shared},
                                                       {"cluster", &launch.cluster},
                                                       {"cooperative", &launch.cooperative},
                                                       {"args", &launch.args}};
    const auto found = places.find(line.key);
    return found == places.end() ? nullptr : found->second;
  }

  void check_single(const DirectiveLine& line) {
    if (line.key == "grid" || line.key == "block" || line.key == "cluster") {
      check_extents(line);
    } else if (line.key == "shared") {
      check_expression(line, line.value);
    } else if (line.key == "cooperative") {
      if (line.value != "true" && line.value != "false")
        error(line, "directive_value", say("cooperative is \"{}\"", line.value), say("write true or false"));
    } else if (line.key == "args") {
      check_args(line);
    } else if (line.key == "arch") {
      check_arch(line);
    }
  }

  bool check_expression(const DirectiveLine& line, const std::string& expression) {
    const auto names = problem::names_in_whole(expression);
    if (!names)
      error(line, names.error().code, say("{}: {}", line.key, names.error().message), names.error().hint);
    return names.ok();
  }

  void check_extents(const DirectiveLine& line) {
    const std::vector<std::string> parts = split_list(line.value);
    if (parts.size() > 3) {
      error(line, "directive_value", say("{} has {} parts", line.key, parts.size()),
            say("write {}", "x, y, z"));
      return;
    }
    bool plain = true;
    for (const std::string& part : parts) {
      if (!check_expression(line, part)) return;
      plain = plain && problem::names_in_whole(part)->empty();
    }
    if (!plain) return;
    const auto extents = problem::evaluate_extents(line.value, {});
    if (!extents) {
      error(line, extents.error().code, say("{}: {}", line.key, extents.error().message),
            extents.error().hint);
      return;
    }
    constexpr double kMostThreads = 1024;  // of a block, on every device there is
    const double threads = static_cast<double>((*extents)[0]) * static_cast<double>((*extents)[1]) *
                           static_cast<double>((*extents)[2]);
    if (line.key == "block" && threads > kMostThreads) {
      report(Severity::warning, line, "block_too_large",
             say("a block of {} has more than 1024 threads, which no device launches", line.value),
             say("use at most 1024 threads and a larger grid"));
    }
  }

  void check_args(const DirectiveLine& line) {
    if (line.value.empty()) return;
    for (const std::string& argument : split_list(line.value))
      if (argument.empty())
        error(line, "directive_value", say("args has an empty place"), say("write {}", "x, y, rows"));
  }

  void check_arch(const DirectiveLine& line) {
    const std::string& arch = line.value;
    const bool real = arch.starts_with("sm_"), virtual_arch = arch.starts_with("compute_");
    std::string_view number = std::string_view(arch).substr(real ? 3 : virtual_arch ? 8 : arch.size());
    const std::string_view variant = number.empty() ? "" : number.substr(number.size() - 1);
    if (variant == "a" || variant == "f") number.remove_suffix(1);
    const bool digits =
        number.size() >= 2 && number.size() <= 3 &&
        std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) {
      error(line, "directive_value", say("arch is \"{}\"", arch), say("write sm_90, sm_90a or compute_90"));
    } else if (number.size() == 2 && number < "75") {
      report(Severity::warning, line, "old_arch",
             say("{} is older than sm_75, the oldest that NVRTC of CUDA 13 compiles for", arch),
             say("leave arch out: the device's own is taken"));
    }
  }

  /// Whether a name is an identifier and new. `kind` tells macros, tensors and symbols apart.
  bool claim(const DirectiveLine& line, const std::string& kind, const std::string& name) {
    if (!is_identifier(name)) {
      error(line, "directive_value", say("{}: \"{}\" is no name", line.key, name),
            say("a name is letters, digits and _"));
      return false;
    }
    const auto [entry, fresh] = names_.emplace(kind + " " + name, line.line);
    if (!fresh) {
      error(line, "repeated_directive",
            say("{} {} is given twice (first in line {})", line.key, name, entry->second), say("keep one"));
    }
    return fresh;
  }

  void read_repeatable(const DirectiveLine& line) {
    if (line.key == "define") {
      const Pair pair = split_pair(line.value);
      if (claim(line, "macro", pair.name))
        directives_.defines.push_back({pair.name, pair.has_value ? pair.value : "1", line.line});
    } else if (line.key == "symbol") {
      const Pair pair = split_pair(line.value);
      if (!pair.has_value || !is_identifier(pair.value)) {
        error(line, "directive_value", say("symbol: \"{}\" names no tensor", line.value),
              say("write {}", "//@ symbol: table = x"));
      } else if (names_.emplace("symbol " + pair.name, line.line).second) {
        directives_.symbols.push_back({pair.name, pair.value, line.line});
      } else {
        error(line, "repeated_directive", say("symbol {} is given twice", pair.name), say("keep one"));
      }
    } else if (line.key == "zero") {
      read_zero(line);
    } else if (line.key == "scratch") {
      read_scratch(line);
    } else if (line.key == "tune") {
      read_tune(line);
    } else if (line.key == "tensor_map") {
      read_handle(line, parse_tensor_map(line.value), directives_.tensor_maps);
    } else if (line.key == "texture") {
      read_handle(line, parse_texture(line.value), directives_.textures);
    }
  }

  /// A tensor map or a texture: both are handles that parameters take by name.
  template <class T>
  void read_handle(const DirectiveLine& line, Result<T> parsed, std::vector<T>& into) {
    if (!parsed) {
      error(line, "directive_value", say("{}: {}", line.key, parsed.error().message), parsed.error().hint);
      return;
    }
    parsed->line = line.line;
    if (claim(line, "handle", parsed->name)) into.push_back(*std::move(parsed));
  }

  void read_zero(const DirectiveLine& line) {
    for (const std::string& name : split_list(line.value))
      if (claim(line, "zero", name)) directives_.zero.push_back(name);
  }

  void read_scratch(const DirectiveLine& line) {
    const Sentence form = say("write {}", "//@ scratch: partial float32 [groups]");
    const std::size_t open = line.value.find('['), close = line.value.rfind(']');
    const std::string_view head =
        trim(std::string_view(line.value).substr(0, std::min(open, line.value.size())));
    const std::size_t blank = head.find_first_of(" \t");
    if (blank == std::string_view::npos || open == std::string::npos || close != line.value.size() - 1) {
      error(line, "directive_value", say("scratch: \"{}\" is no name, dtype and [shape]", line.value), form);
      return;
    }
    Scratch scratch;
    scratch.line = line.line;
    scratch.name = head.substr(0, blank);
    scratch.dtype = trim(head.substr(blank));
    const std::string shape = line.value.substr(open + 1, close - open - 1);
    if (!trim(shape).empty()) scratch.shape = split_list(shape);
    bool sound = claim(line, "tensor", scratch.name);
    if (!dtype_named(scratch.dtype)) {
      const std::string near = nearest(scratch.dtype, dtype_names());
      error(line, "unknown_dtype",
            near.empty()
                ? say("scratch {}: there is no dtype {}", scratch.name, scratch.dtype)
                : say("scratch {}: there is no dtype {}; {} is meant?", scratch.name, scratch.dtype, near),
            say("known: {}", joined(dtype_names())));
      sound = false;
    }
    for (const std::string& extent : scratch.shape) sound = check_expression(line, extent) && sound;
    if (sound) directives_.scratch.push_back(std::move(scratch));
  }

  void read_tune(const DirectiveLine& line) {
    const Pair pair = split_pair(line.value);
    const std::vector<std::string> values =
        pair.value.empty() ? std::vector<std::string>{} : split_list(pair.value);
    const bool empty = values.empty() || std::find(values.begin(), values.end(), "") != values.end();
    if (!pair.has_value || empty) {
      error(line, "directive_value", say("tune: \"{}\" is no list of values", line.value),
            say("write {}", "//@ tune: BLOCK = 128, 256, 512"));
      return;
    }
    if (claim(line, "macro", pair.name)) directives_.tune.push_back({pair.name, values, line.line});
  }
};

/// Doxygen's group marks //@{ and //@} are comments, and so is //@ without a word.
std::optional<DirectiveLine> directive_at(std::string_view text, std::size_t comment) {
  if (text.substr(comment, 3) != "//@") return std::nullopt;
  DirectiveLine line;
  const std::size_t newline = text.find('\n', comment);
  std::size_t stop = newline == std::string_view::npos ? text.size() : newline;
  line.end = newline == std::string_view::npos ? text.size() : newline + 1;
  const std::size_t previous = text.rfind('\n', comment);
  line.begin = previous == std::string_view::npos ? 0 : previous + 1;
  if (stop > comment && text[stop - 1] == '\r') --stop;

  std::size_t at = comment + 3;
  const bool spaced = at < stop && (text[at] == ' ' || text[at] == '\t');
  while (at < stop && (text[at] == ' ' || text[at] == '\t')) ++at;
  const std::string_view key = word_at(text.substr(0, stop), at);
  if (key.empty()) return std::nullopt;
  line.key = key;
  at += key.size();
  while (at < stop && (text[at] == ' ' || text[at] == '\t')) ++at;
  line.colon = at < stop && text[at] == ':';
  // Other tools write //@word too: without a colon only a known word is taken for a directive.
  const std::vector<std::string>& known = directive_keys();
  if (!line.colon && std::find(known.begin(), known.end(), line.key) == known.end() && !spaced)
    return std::nullopt;
  if (line.colon) ++at;
  // The blank before the value counts: "//@ args: # none" is an empty value with a remark.
  const std::size_t remark = text.substr(0, stop).find(" # ", at > 0 && text[at - 1] == ' ' ? at - 1 : at);
  std::size_t end = remark == std::string_view::npos ? stop : remark;
  if (remark == std::string_view::npos && text.substr(at, stop - at).ends_with(" #")) end = stop - 2;
  while (at < end && (text[at] == ' ' || text[at] == '\t')) ++at;
  while (end > at && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
  line.value_begin = at;
  line.value_end = std::max(at, end);
  line.value = text.substr(line.value_begin, line.value_end - line.value_begin);
  return line;
}

}  // namespace

const std::vector<std::string>& directive_keys() {
  static const std::vector<std::string> keys = {
      "problem", "kernel", "grid",   "block", "shared",  "cluster", "cooperative", "args",   "arch",
      "options", "define", "symbol", "zero",  "scratch", "tune",    "tensor_map",  "texture"};
  return keys;
}

bool belongs_to_launch(const std::string& key) {
  static const std::set<std::string> keys = {"kernel",  "grid",        "block", "shared",
                                             "cluster", "cooperative", "args"};
  return keys.contains(key);
}

bool may_repeat(const std::string& key) {
  static const std::set<std::string> keys = {"define", "symbol",     "zero",   "scratch",
                                             "tune",   "tensor_map", "texture"};
  return keys.contains(key);
}

std::vector<DirectiveLine> directive_lines(std::string_view text, const Mask& masked) {
  std::vector<DirectiveLine> lines;
  const LineIndex index(text);
  std::size_t launch = 0;
  bool kernel_seen = false;
  for (const std::size_t comment : masked.line_comments) {
    std::optional<DirectiveLine> line = directive_at(text, comment);
    if (!line) continue;
    line->line = index.line_of(comment);
    if (line->key == "kernel" && line->colon) {
      launch += kernel_seen ? 1 : 0;
      kernel_seen = true;
    }
    line->launch = launch;
    lines.push_back(std::move(*line));
  }
  return lines;
}

Directives read_directives(const std::vector<DirectiveLine>& lines, const std::string& file,
                           Diagnostics& diagnostics) {
  return Reader(file, diagnostics).run(lines);
}

std::string with_directive(std::string_view text, std::size_t launch, const std::string& key,
                           const std::string& value) {
  const std::vector<DirectiveLine> lines = directive_lines(text, mask(text));
  const auto same = [&](const DirectiveLine& line) {
    return line.key == key && line.colon && (!belongs_to_launch(key) || line.launch == launch) &&
           (!may_repeat(key) || split_pair(line.value).name == split_pair(value).name);
  };
  const auto found = std::find_if(lines.begin(), lines.end(), same);
  std::string result(text);
  const bool remove = value.empty() || (may_repeat(key) && value.ends_with('='));
  if (found != lines.end()) {
    if (remove) return result.erase(found->begin, found->end - found->begin);
    return result.replace(found->value_begin, found->value_end - found->value_begin,
                          (found->value_begin > 0 && text[found->value_begin - 1] == ':' ? " " : "") + value);
  }
  if (remove) return result;

  // A new line goes behind the last one it belongs to, else to the top, behind a BOM.
  std::size_t place = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (const DirectiveLine& line : lines)
    if (!belongs_to_launch(key) || key == "kernel" || line.launch <= launch) place = line.end;
  const std::size_t newline = text.find('\n');
  const bool crlf = newline != std::string_view::npos && newline > 0 && text[newline - 1] == '\r';
  const std::string line_end = crlf ? "\r\n" : "\n";
  std::string added = "//@ " + key + ": " + value + line_end;
  if (place > 0 && place == text.size() && text[place - 1] != '\n') added = line_end + added;
  return result.insert(place, added);
}

}  // namespace ridge::source
