// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/reading.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.h"
#include "compile/advice.h"
#include "compile/assemble.h"
#include "compile/log.h"
#include "compile/ptx.h"

namespace ridge::compile {

namespace {
namespace fs = std::filesystem;

constexpr std::int64_t kStaticShared = 49152;  // bytes a block may have without opting in
constexpr int kNeverReferenced = 177;          // said of static kernels, which only a launch refers to
constexpr int kPrecompiledMismatch = 629;      // "options do not match those of the precompiled header"

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty() || from == to) return;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// `file` below one of the toolkit's folders: its name from there. Empty: it is elsewhere.
std::string inside_toolkit(const std::string& file, const Toolkit& toolkit) {
  std::string best;
  for (const fs::path& folder : toolkit.include_folders) {
    const std::string prefix = folder.string() + "/";
    if (file.compare(0, prefix.size(), prefix) != 0) continue;
    const std::string rest = file.substr(prefix.size());
    if (best.empty() || rest.size() < best.size()) best = rest;
  }
  return best;
}

/// The #include of the source that leads into `header` of the toolkit.
const Included* include_of(const std::string& header, const Closure& closure) {
  const Included* found = nullptr;
  const std::string folder = header.substr(0, header.find('/') + 1);
  for (const Included& file : closure.files) {
    if (!file.toolkit) continue;
    if (file.name == header) return &file;
    const bool umbrella = file.name == "cub/cub.cuh" || file.name.rfind("thrust/", 0) == 0;
    const bool same_folder = !folder.empty() && file.name.rfind(folder, 0) == 0;
    if (!found || umbrella || same_folder) found = &file;
  }
  return found;
}

/// "… at line 3 of k.cu": the line of the source that an error in a header comes from.
int line_in_source(const std::string& message) {
  const std::size_t at = message.rfind(" at line ");
  if (at == std::string::npos) return 0;
  int line = 0;
  std::from_chars(message.data() + at + 9, message.data() + message.size(), line);
  return line;
}

class Reader {
 public:
  Reader(const Compilation& compilation, const Reading& reading, CompiledKernel& kernel)
      : compilation_(compilation), reading_(reading), kernel_(kernel) {}

  void read() {
    kernel_.log = compilation_.log;
    replace_all(kernel_.log, reading_.program.name, reading_.request.source.file);
    kernel_.cubin = compilation_.cubin;
    kernel_.lowered = compilation_.lowered;
    const Log log = parse_log(compilation_.log);
    for (const LogMessage& message : log.messages) read_message(message);
    if (wall_.count > 0)
      diagnostics_.insert(diagnostics_.begin(),
                          header_not_for_nvrtc(wall_.header, wall_.line, wall_.first, wall_.count,
                                               reading_.request, reading_.toolkit));
    if (compilation_.ok && !reading_.request.diagnose)
      read_module(log);
    else if (!compilation_.ok && !has_errors(diagnostics_))
      add(Severity::error, "nvrtc", say("NVRTC failed without saying why: {}", compilation_.result));
    kernel_.diagnostics = fold(std::move(diagnostics_));
  }

 private:
  struct Wall {
    std::string header;
    int line = 0, count = 0;
    Diagnostic first;
  };

  void add(Severity severity, const char* code, Sentence message, Sentence hint = {}) {
    diagnostics_.push_back(
        {severity, reading_.request.source.file, 0, 0, code, std::move(message), std::move(hint)});
  }

  void read_message(const LogMessage& message) {
    Diagnostic diagnostic = message.diagnostic;
    if (message.number == kPrecompiledMismatch || diagnostic.file == "__nv_name_map") return;
    if (message.number == kNeverReferenced && names_a_kernel(diagnostic.message.english())) return;
    if (diagnostic.code == "ptxas") return read_ptxas(message);
    if (diagnostic.file.empty()) {  // an option
      diagnostic.file = reading_.request.source.file;
    } else if (diagnostic.file == reading_.program.name) {
      diagnostic.file = reading_.request.source.file;
      place_column(message, diagnostic);
    } else if (!of_the_users(diagnostic)) {
      return;
    }
    advise(diagnostic, reading_.request, reading_.toolkit);
    diagnostics_.push_back(std::move(diagnostic));
  }

  /// `function "hidden" was declared but never referenced`.
  bool names_a_kernel(const std::string& message) const {
    const std::vector<source::Signature>& kernels = reading_.request.source.kernels;
    return std::any_of(kernels.begin(), kernels.end(), [&](const source::Signature& kernel) {
      const std::string name(base_name(kernel.name));
      return message.find("\"" + name + "\"") != std::string::npos ||
             message.find("::" + name + "\"") != std::string::npos ||
             message.find("\"" + name + "(") != std::string::npos;
    });
  }

  /// False when the message is about headers of the toolkit and has become part of the wall, or is of no use.
  bool of_the_users(Diagnostic& diagnostic) {
    const std::string header = inside_toolkit(diagnostic.file, reading_.toolkit);
    const bool builtin = diagnostic.file.rfind("__nv_nvrtc", 0) == 0;
    if (header.empty() && !builtin) return true;
    if (diagnostic.severity != Severity::error) return false;
    if (const int line = line_in_source(diagnostic.message.english()); line > 0) {
      // Wrong use of the header, not a header that cannot be had.
      diagnostic.message =
          say("{} ({}:{})", diagnostic.message, header.empty() ? diagnostic.file : header, diagnostic.line);
      diagnostic.file = reading_.request.source.file;
      diagnostic.line = line;
      diagnostic.column = 0;
      return true;
    }
    if (wall_.count++ > 0) return false;
    wall_.first = diagnostic;
    wall_.first.file = header.empty() ? diagnostic.file : header;
    const Included* include = include_of(header, reading_.closure);
    wall_.header = include ? include->name : wall_.first.file;
    wall_.line = include ? include->root_line : 0;
    return false;
  }

  /// The echo of a long line may be cut at its start; the column counts in the whole line.
  void place_column(const LogMessage& message, Diagnostic& diagnostic) const {
    if (diagnostic.column == 0 || message.echo.empty()) return;
    const std::vector<std::string_view> lines = split_lines(reading_.request.source.text);
    if (diagnostic.line < 1 || static_cast<std::size_t>(diagnostic.line) > lines.size()) return;
    const std::size_t at = lines[static_cast<std::size_t>(diagnostic.line) - 1].find(message.echo);
    if (at != std::string_view::npos) diagnostic.column += static_cast<int>(at);
  }

  void read_ptxas(const LogMessage& message) {
    Diagnostic diagnostic = message.diagnostic;
    diagnostic.file = reading_.request.source.file;
    if (diagnostic.message.english().find("aborted due to errors") != std::string::npos &&
        has_errors(diagnostics_))
      return;
    if (diagnostic.message.english().find("uses too much shared data") != std::string::npos)
      return read_too_much_shared(diagnostic);
    advise(diagnostic, reading_.request, reading_.toolkit);
    if (message.ptx_line > 0) {
      // ptxas counts the lines of the PTX; those know where they come from.
      if (const std::optional<SourcePlace> place = place_of(refused_ptx(), message.ptx_line)) {
        diagnostic.line = place->line;
        if (fs::path(place->file).filename() != fs::path(reading_.program.name).filename())
          diagnostic.file = place->file;
      } else {
        diagnostic.message = say("{} (line {} of the PTX)", diagnostic.message, message.ptx_line);
      }
    }
    diagnostics_.push_back(std::move(diagnostic));
  }

  void read_too_much_shared(const Diagnostic& diagnostic) {
    const std::string& said = diagnostic.message.english();
    const std::size_t open = said.find('\''), close = said.find('\'', open + 1);
    const std::size_t hex = said.find("(0x");
    if (close == std::string::npos || hex == std::string::npos) {
      diagnostics_.push_back(diagnostic);
      return;
    }
    std::int64_t bytes = 0;
    std::from_chars(said.data() + hex + 3, said.data() + said.size(), bytes, 16);
    report_shared(said.substr(open + 1, close - open - 1), bytes, parse_ptx(refused_ptx()));
  }

  void report_shared(const std::string& symbol, std::int64_t bytes, const PtxModule& module) {
    const PtxShared* largest = nullptr;
    for (const PtxShared& shared : module.shared)
      if (shared.function == symbol && (!largest || shared.bytes > largest->bytes)) largest = &shared;
    const std::string variable =
        largest ? std::string(base_name(name_for_people(largest->symbol))) : std::string();
    diagnostics_.push_back(
        too_much_shared(name_for_people(symbol), bytes, variable, reading_.request.source));
  }

  const std::string& refused_ptx() {
    if (refused_ptx_.empty()) refused_ptx_ = reading_.ptx();
    return refused_ptx_;
  }

  void read_module(const Log& log) {
    if (compilation_.ptx.empty() && compilation_.cubin.empty()) {
      add(Severity::error, "bad_option", say("These options give neither PTX nor a binary that could be run"),
          say("Remove -dlto and the like from //@ options:"));
      return;
    }
    kernel_.ptx = compilation_.ptx;
    std::error_code ignored;
    // A quote in the name would end it there.
    if (reading_.request.source.file.find_first_of("\"\\\n") == std::string::npos)
      replace_all(kernel_.ptx, "\"" + fs::absolute(reading_.program.name, ignored).string() + "\"",
                  "\"" + reading_.request.source.file + "\"");
    PtxModule module = parse_ptx(kernel_.ptx);
    for (Entry& entry : module.entries) {
      const int max_threads = entry.resources ? entry.resources->max_threads : 0;
      const auto said = log.resources.find(entry.symbol);
      entry.resources.reset();
      if (said != log.resources.end()) {
        entry.resources = said->second;
        entry.resources->max_threads = max_threads;
        if (said->second.shared_bytes > kStaticShared)
          report_shared(entry.symbol, said->second.shared_bytes, module);
      }
      if (const int line = line_of(entry)) entry.line = line;
    }
    tell_overloads_apart(module.entries);
    std::stable_sort(module.entries.begin(), module.entries.end(),
                     [](const Entry& a, const Entry& b) { return a.line < b.line; });
    kernel_.entries = std::move(module.entries);
    kernel_.globals = std::move(module.globals);
    if (kernel_.entries.empty()) diagnostics_.push_back(no_kernel(reading_.request.source));
  }

  int line_of(const Entry& entry) const {
    int line = 0;
    for (const source::Signature& signature : reading_.request.source.kernels) {
      if (base_name(signature.name) != base_name(entry.name)) continue;
      if (line > 0) return 0;  // overloads: the line table knows better
      line = signature.line;
    }
    return line;
  }

  static void tell_overloads_apart(std::vector<Entry>& entries) {
    std::set<std::string> seen, twice;
    for (const Entry& entry : entries)
      if (!seen.insert(entry.name).second) twice.insert(entry.name);
    for (Entry& entry : entries)
      if (twice.count(entry.name)) entry.name = name_for_people(entry.symbol, true);
  }

  const Compilation& compilation_;
  const Reading& reading_;
  CompiledKernel& kernel_;
  Diagnostics diagnostics_;
  Wall wall_;
  std::string refused_ptx_;
};

/// "9.0" as 900; PTX counts its versions like that.
int version_number(const std::string& version) {
  int major = 0, minor = 0;
  const char* end = version.data() + version.size();
  const auto [dot, error] = std::from_chars(version.data(), end, major);
  if (error == std::errc() && dot != end) std::from_chars(dot + 1, end, minor);
  return major * 100 + minor;
}

/// PTX for a newer or more special architecture: the fault of its `.target`.
void blame_target(const CompileRequest& request, Diagnostic& diagnostic) {
  int line = 0;
  for (const std::string_view text : split_lines(request.source.text)) {
    ++line;
    if (!starts_with(trim(text), ".target")) continue;
    diagnostic.line = line;
    break;
  }
  diagnostic.code = "ptx_target";
  diagnostic.message =
      say("The PTX is for {}, and {} does not run that", parse_ptx(request.source.text).target, request.arch);
  diagnostic.hint =
      say("Choose an architecture by --arch (for the emulator also a device by --model) that runs it, or "
          "write the PTX for an older one");
}

}  // namespace

void read_compilation(const Compilation& compilation, const Reading& reading, CompiledKernel& kernel) {
  Reader(compilation, reading, kernel).read();
}

void read_ptx_source(const source::PreparedSource& source, const std::string& newest,
                     const std::string& toolkit, CompiledKernel& kernel) {
  const auto add = [&](int line, const char* code, Sentence message, Sentence hint) {
    kernel.diagnostics.push_back(
        {Severity::error, source.file, line, 0, code, std::move(message), std::move(hint)});
  };
  PtxModule module = parse_ptx(source.text);
  if (module.version.empty()) {
    int line = 0;
    for (const std::string_view text : split_lines(source.text)) {
      ++line;
      if (text.find("__global__") == std::string_view::npos) continue;
      add(line, "not_ptx",
          say("The file ends in .ptx but holds CUDA C++: no .version directive, __global__ in line {}", line),
          say("Rename it to end in .cu"));
      return;
    }
    add(1, "not_ptx", say("This is no PTX: it has no .version directive"),
        say("PTX starts with .version, .target and .address_size, as nvcc --ptx writes it"));
    return;
  }
  if (!newest.empty() && version_number(module.version) > version_number(newest))
    add(module.version_line, "ptx_too_new",
        say("PTX ISA {} is newer than {}, the newest that this toolkit ({}) knows", module.version, newest,
            toolkit),
        say("Install a newer toolkit and driver, or write the PTX for an older version"));
  if (module.truncated) {
    add(std::max(module.lines, 1), "truncated",
        module.open_function.empty() ? say("The file ends: it is truncated")
                                     : say("The file ends inside the body of {}: it is truncated",
                                           name_for_people(module.open_function)),
        say("Take the whole file"));
    return;
  }
  if (module.entries.empty())
    add(0, "no_kernel", say("The PTX holds no .entry: there is nothing to run"),
        say("Compile it from a file with a __global__ function"));
  for (Entry& entry : module.entries) entry.resources.reset();  // ptxas has not seen them
  kernel.entries = std::move(module.entries);
  kernel.globals = std::move(module.globals);
}

void read_assembly(const std::string& text, bool ok, const CompileRequest& request, const Toolkit& toolkit,
                   CompiledKernel& kernel) {
  kernel.log += text;
  const Log log = parse_log(text);
  Diagnostics diagnostics;
  for (const LogMessage& message : log.messages) {
    Diagnostic diagnostic = message.diagnostic;
    if (diagnostic.message.english().find("aborted due to errors") != std::string::npos &&
        has_errors(diagnostics))
      continue;
    diagnostic.file = request.source.file;
    diagnostic.line = message.ptx_line;
    advise(diagnostic, request, toolkit);
    for (const char* words : {"cannot be compiled for architecture", "SM version specified by .target"})
      if (diagnostic.message.english().find(words) != std::string::npos) blame_target(request, diagnostic);
    diagnostics.push_back(std::move(diagnostic));
  }
  if (!ok && !has_errors(diagnostics))
    diagnostics.push_back({Severity::error,
                           request.source.file,
                           0,
                           0,
                           "ptxas",
                           say("The PTX could not be assembled: {}", trim(text.substr(0, 300))),
                           {}});
  for (Diagnostic& diagnostic : fold(std::move(diagnostics)))
    kernel.diagnostics.push_back(std::move(diagnostic));
  const PtxModule module = parse_ptx(request.source.text);
  for (Entry& entry : kernel.entries) {
    const auto said = log.resources.find(entry.symbol);
    if (said == log.resources.end()) continue;
    entry.resources = said->second;
    for (const Entry& declared : module.entries)
      if (declared.symbol == entry.symbol && declared.resources)
        entry.resources->max_threads = declared.resources->max_threads;
  }
}

CompiledKernel read_ptx(const CompileRequest& request) {
  CompiledKernel kernel;
  kernel.arch = request.arch;
  kernel.ptx = request.source.text;
  kernel.from_ptx = true;
  read_ptx_source(request.source, {}, {}, kernel);
  kernel.ok = !has_errors(kernel.diagnostics);
  for (const Diagnostic& diagnostic : kernel.diagnostics) kernel.log += format(diagnostic) + "\n";
  return kernel;
}

}  // namespace ridge::compile
