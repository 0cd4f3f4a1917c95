// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/files.h"
#include "base/hashing.h"
#include "base/text.h"
#include "compile/advice.h"
#include "compile/assemble.h"
#include "compile/cache.h"
#include "compile/closure.h"
#include "compile/compile.h"
#include "compile/disassemble.h"
#include "compile/log.h"
#include "compile/nvrtc.h"
#include "compile/ptx.h"
#include "compile/reading.h"

namespace ridge::compile {

namespace {
namespace fs = std::filesystem;

constexpr const char* kPrelude = "ridgepoint_prelude.h";
constexpr const char* kVerbose = "--ptxas-options=-v";
constexpr const char* kKeyVersion = "2";                  // counts up when what is stored changes its meaning
constexpr std::uintmax_t kPrecompiledLimit = 512u << 20;  // bytes

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// Precompiled headers are of use to the process that made them only; a killed one leaves its folder behind.
class PrecompiledFolder {
 public:
  explicit PrecompiledFolder(const fs::path& cache) {
    std::error_code error;
    for (fs::directory_iterator it(cache / "pch", error), end; !error && it != end; it.increment(error)) {
      const long owner = std::strtol(it->path().filename().c_str(), nullptr, 10);
      std::error_code ignored;
      if (owner > 0 && ::kill(static_cast<pid_t>(owner), 0) != 0 && errno == ESRCH)
        fs::remove_all(it->path(), ignored);
    }
    path_ = cache / "pch" / std::to_string(::getpid());
    fs::create_directories(path_, error);
    if (error) path_.clear();
  }
  ~PrecompiledFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  PrecompiledFolder(const PrecompiledFolder&) = delete;
  PrecompiledFolder& operator=(const PrecompiledFolder&) = delete;

  /// Empty: none can be made. Starts afresh when a sweep over many options has filled it.
  const fs::path& path() const {
    std::uintmax_t total = 0;
    std::error_code error;
    for (fs::directory_iterator it(path_, error), end; !error && it != end; it.increment(error)) {
      std::error_code ignored;
      const std::uintmax_t size = it->file_size(ignored);
      if (!ignored) total += size;
    }
    if (total > kPrecompiledLimit)
      for (const fs::directory_entry& entry : fs::directory_iterator(path_, error))
        fs::remove(entry.path(), error);
    return path_;
  }

 private:
  fs::path path_;
};

/// Headers that take NVRTC long enough for a precompiled one to pay off.
bool heavy(std::string_view header) {
  for (const std::string_view prefix : {"cuda/", "cub/", "thrust/", "cooperative_groups", "curand_kernel"})
    if (starts_with(header, prefix)) return true;
  return false;
}

class KeyText {
 public:
  void add(std::string_view part) { text_ += std::to_string(part.size()) + ":" + std::string(part) + "\n"; }
  template <class Parts>
  void add_all(const Parts& parts) {
    add(std::to_string(parts.size()));
    for (const auto& part : parts) add(part);
  }
  std::string hash() const { return content_hash(text_); }

 private:
  std::string text_;
};

/// Options as the request has them, made one word each, with the folders that they name.
struct UserOptions {
  std::vector<std::string> words;
  std::vector<fs::path> folders;
  std::vector<std::string> forced_includes;
  Diagnostics diagnostics;
  bool standard = false, debug = false;
};

UserOptions read_options(const std::vector<std::string>& options, const fs::path& folder,
                         const std::string& file) {
  UserOptions result;
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::string word = options[i];
    if ((word == "-I" || word == "-D" || word == "-include") && i + 1 < options.size())
      word = (word == "-include" ? "--pre-include=" : word) + options[++i];
    for (const char* prefix : {"--include-path=", "-I"})
      if (starts_with(word, prefix)) {
        const fs::path named = word.substr(std::strlen(prefix));
        const fs::path resolved = named.is_absolute() ? named : folder / named;
        result.folders.push_back(resolved);
        word = "-I" + resolved.string();
        break;
      }
    if (starts_with(word, "--pre-include=")) result.forced_includes.push_back(word.substr(14));
    if (starts_with(word, "--std=") || starts_with(word, "-std=")) result.standard = true;
    if (word == "-G" || word == "--device-debug") result.debug = true;
    if (starts_with(word, "-arch") || starts_with(word, "--gpu-architecture")) {
      Diagnostic diagnostic;
      diagnostic.file = file;
      diagnostic.code = "bad_option";
      diagnostic.message = say("'{}' does not belong to the options", word);
      diagnostic.hint = say("Write //@ arch: sm_90a on a line of its own");
      result.diagnostics.push_back(diagnostic);
      continue;
    }
    result.words.push_back(std::move(word));
  }
  return result;
}

std::string version_text(const Nvrtc& nvrtc) {
  return fmt::format("NVRTC {}.{}", nvrtc.major(), nvrtc.minor());
}

class NvrtcCompiler final : public Compiler {
 public:
  NvrtcCompiler(Toolkit toolkit, std::unique_ptr<Nvrtc> nvrtc)
      : toolkit_(std::move(toolkit)),
        nvrtc_(std::move(nvrtc)),
        cache_(cache_folder() / "compile"),
        precompiled_(cache_folder()) {
    toolkit_.version = fmt::format("{}.{}", nvrtc_->major(), nvrtc_->minor());
  }

  const Toolkit& toolkit() const override { return toolkit_; }

  std::vector<std::string> architectures() const override {
    std::vector<std::string> names;
    for (const int number : nvrtc_->architectures()) {
      names.push_back(fmt::format("sm_{}", number));
      if (number >= 90) names.push_back(fmt::format("sm_{}a", number));
    }
    return names;
  }

  Result<CompiledKernel> compile(const CompileRequest& request) override {
    const auto start = std::chrono::steady_clock::now();
    CompiledKernel kernel =
        request.source.language == source::Language::ptx ? compile_ptx(request) : compile_cuda(request);
    kernel.arch = request.arch;
    if (request.source.language == source::Language::cuda) kernel.compiler = version_text(*nvrtc_);
    kernel.compile_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return kernel;
  }

  Result<std::string> disassemble(const std::string& cubin) override {
    return run_nvdisasm(toolkit_.nvdisasm, cubin);
  }

 private:
  CompiledKernel compile_cuda(const CompileRequest& request) {
    CompiledKernel kernel;
    if (const auto known = architectures(); !knows_architecture(request.arch, known)) {
      kernel.diagnostics.push_back(unknown_architecture(request.arch, known, version_text(*nvrtc_)));
      kernel.log = kernel.diagnostics.back().message.english() + "\n";
      return kernel;
    }
    const fs::path folder = request.source.include_folders.empty()
                                ? fs::path(request.source.file).parent_path()
                                : fs::path(request.source.include_folders.front());
    const UserOptions user = read_options(request.options, folder, request.source.file);
    if (has_errors(user.diagnostics)) {
      kernel.diagnostics = user.diagnostics;
      kernel.log = format(user.diagnostics.front()) + "\n";
      return kernel;
    }

    std::string scanned = request.source.text + "\n";
    for (const std::string& name : user.forced_includes) scanned += "#include \"" + name + "\"\n";
    std::vector<fs::path> folders(request.source.include_folders.begin(),
                                  request.source.include_folders.end());
    folders.insert(folders.end(), user.folders.begin(), user.folders.end());
    const Closure closure = include_closure(scanned, folder, folders, toolkit_.include_folders);

    Program program = program_for(request, user, closure, folder);
    const std::string key = key_of(request, program, closure);
    const bool caching = request.use_cache && closure.complete && !request.diagnose;
    if (caching)
      if (std::optional<CompiledKernel> stored = cache_.load(key)) {
        stored->cached = true;
        return *std::move(stored);
      }

    if (std::any_of(closure.files.begin(), closure.files.end(),
                    [](const Included& file) { return file.toolkit && heavy(file.name); }) &&
        !closure.local_files && closure.complete && !precompiled_.path().empty())
      for (const std::string& option : {std::string("--pch"), "--pch-dir=" + precompiled_.path().string()})
        program.options.push_back(option);

    Diagnostics unknown_names;
    Compilation compilation = compile_names(request, program, unknown_names);
    add_what_verbosity_hid(program, compilation);
    const Reading reading{request, program, closure, toolkit_, [&] { return ptx_only(program); }};
    read_compilation(compilation, reading, kernel);
    kernel.diagnostics.insert(kernel.diagnostics.begin(), unknown_names.begin(), unknown_names.end());
    kernel.ok = compilation.ok && !has_errors(kernel.diagnostics);
    kernel.key = key;
    if (caching && kernel.ok) cache_.store(key, kernel);
    return kernel;
  }

  /// The option that names the architecture, for code that ptxas does not see; other options stay.
  static std::string virtual_arch(const std::string& option) {
    constexpr std::string_view kArch = "--gpu-architecture=sm_";
    return starts_with(option, kArch) ? "--gpu-architecture=compute_" + option.substr(kArch.size()) : option;
  }

  /// NVRTC writes the name into the PTX, between quotes and without a thought for those inside of it.
  static std::string nameable(std::string name) {
    for (char& c : name)
      if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
    return name;
  }

  Program program_for(const CompileRequest& request, const UserOptions& user, const Closure& closure,
                      const fs::path& folder) const {
    Program program;
    program.text = request.source.text;
    const fs::path name =
        request.source.file.empty() ? fs::path("kernel.cu") : fs::path(request.source.file).filename();
    // The whole path: quoted includes are then looked for beside the file, wherever this process stands.
    program.name = nameable(folder.empty() ? name.string() : (folder / name).string());
    std::vector<std::string>& options = program.options;
    if (request.diagnose) {
      options.push_back(virtual_arch("--gpu-architecture=" + request.arch));
      options.push_back("--fdevice-syntax-only");
    } else {
      program.name_expressions = request.name_expressions;
      options.push_back("--gpu-architecture=" + request.arch);
      if (request.line_info && !user.debug) options.push_back("-lineinfo");
      if (!starts_with(request.arch, "compute_")) options.push_back(kVerbose);
    }
    if (!user.standard) options.push_back("--std=c++17");
    if (!request.source.prelude.empty()) {
      program.headers.emplace_back(kPrelude, request.source.prelude);
      options.push_back(std::string("--pre-include=") + kPrelude);
    }
    program.headers.insert(program.headers.end(), request.source.headers.begin(),
                           request.source.headers.end());
    options.insert(options.end(), request.source.options.begin(), request.source.options.end());
    for (const std::string& include : request.source.include_folders) options.push_back("-I" + include);
    for (const auto& [macro, value] : request.defines)
      options.push_back(value.empty() ? "-D" + macro : "-D" + macro + "=" + value);
    options.insert(options.end(), user.words.begin(), user.words.end());
    // Without any #include no folder is searched, and the key needs to know of none.
    if (!closure.files.empty() || !closure.complete)
      for (const fs::path& include : toolkit_.include_folders) options.push_back("-I" + include.string());
    return program;
  }

  std::string key_of(const CompileRequest& request, const Program& program, const Closure& closure) const {
    KeyText key;
    key.add(kKeyVersion);
    key.add(version_text(*nvrtc_));
    key.add(toolkit_.version);
    key.add(request.source.file);
    key.add(program.name);
    key.add(program.text);
    for (const auto& [name, text] : program.headers) {
      key.add(name);
      key.add(text);
    }
    key.add_all(program.options);
    key.add_all(program.name_expressions);
    for (const Included& file : closure.files) {
      key.add(file.name);
      key.add(file.file.string());  // empty: absent, until somebody puts it there
      key.add(file.toolkit ? "toolkit" : file.hash);
    }
    return key.hash();
  }

  /// Compiles with all name expressions; when one of them is at fault, finds out which, and keeps the others.
  Compilation compile_names(const CompileRequest& request, Program program, Diagnostics& faults) const {
    Compilation whole = nvrtc_->compile(program);
    const auto name_fault = [](const Compilation& compilation) -> std::string {
      for (const LogMessage& message : parse_log(compilation.log).messages)
        if (message.diagnostic.file == "__nv_name_map" && message.diagnostic.severity == Severity::error)
          return message.diagnostic.message.english();
      return {};
    };
    if (whole.ok || name_fault(whole).empty()) return whole;
    const std::vector<std::string> names = std::exchange(program.name_expressions, {});
    Compilation bare = nvrtc_->compile(program);
    if (!bare.ok) return bare;
    std::vector<std::string> good;
    Compilation first_failure;
    for (const std::string& name : names) {
      program.name_expressions = {name};
      Compilation single = names.size() == 1 ? whole : nvrtc_->compile(program);
      const std::string fault = single.ok ? std::string() : name_fault(single);
      if (single.ok)
        good.push_back(name);
      else if (!fault.empty())
        faults.push_back(unknown_kernel(name, fault, request.source, parse_ptx(bare.ptx).entries));
      else
        return single;  // the name is right, its instance does not compile
    }
    if (good.empty()) return bare;
    program.name_expressions = good;
    return nvrtc_->compile(program);
  }

  /// With -v some errors of ptxas never reach the log (too much shared memory); without it they do.
  void add_what_verbosity_hid(const Program& program, Compilation& compilation) const {
    if (compilation.ok) return;
    for (const LogMessage& message : parse_log(compilation.log).messages)
      if (message.diagnostic.severity == Severity::error) return;
    Program quiet = program;
    std::erase(quiet.options, kVerbose);
    compilation.log += nvrtc_->compile(quiet).log;
  }

  /// The PTX of a program that ptxas refuses.
  std::string ptx_only(const Program& program) const {
    Program plain = program;
    std::vector<std::string> options;
    for (const std::string& option : program.options) {
      if (starts_with(option, "--ptxas-options") || starts_with(option, "--pch")) continue;
      options.push_back(virtual_arch(option));
    }
    plain.options = options;
    return nvrtc_->compile(plain).ptx;
  }

  CompiledKernel compile_ptx(const CompileRequest& request) {
    CompiledKernel kernel;
    kernel.ptx = request.source.text;
    kernel.from_ptx = true;
    if (ptx_version_.empty()) {
      Program program;
      program.text = "extern \"C\" __global__ void k() {}\n";
      program.name = "version.cu";
      program.options = {fmt::format("--gpu-architecture=compute_{}",
                                     nvrtc_->architectures().empty() ? 75 : nvrtc_->architectures().front())};
      ptx_version_ = parse_ptx(nvrtc_->compile(program).ptx).version;
    }
    read_ptx_source(request.source, ptx_version_, toolkit_.version, kernel);
    kernel.ok = !has_errors(kernel.diagnostics);
    for (const Diagnostic& diagnostic : kernel.diagnostics) kernel.log += format(diagnostic) + "\n";
    // A driver can be newer than the toolkit and take what no assembler here knows.
    const Assembler assembler = assembler_of(toolkit_);
    if (kernel.ok && !assembler.name.empty() && starts_with(request.arch, "sm_") &&
        knows_architecture(request.arch, architectures()))
      return assemble_ptx(request, assembler, std::move(kernel));
    return kernel;
  }

  CompiledKernel assemble_ptx(const CompileRequest& request, const Assembler& assembler,
                              CompiledKernel kernel) {
    const std::vector<std::string> options = options_of_ptxas(request, kernel.diagnostics);
    KeyText text;
    for (const std::string& part :
         {std::string(kKeyVersion), assembler.name, request.arch, request.source.file, request.source.text,
          std::string(request.line_info ? "lines" : "")})
      text.add(part);
    text.add_all(options);
    const std::string key = text.hash();
    if (request.use_cache)
      if (std::optional<CompiledKernel> stored = cache_.load(key)) {
        stored->cached = true;
        return *std::move(stored);
      }
    auto assembly = assemble(assembler, request.arch, kernel.ptx, options, request.line_info);
    if (!assembly) {  // the PTX is as good as before; the note says why there is no machine code
      Diagnostic note = to_diagnostic(assembly.error());
      note.severity = Severity::warning;
      kernel.diagnostics.push_back(std::move(note));
      return kernel;
    }
    kernel.compiler = assembler.name;
    kernel.cubin = std::move(assembly->cubin);
    read_assembly(assembly->log, assembly->ok, request, toolkit_, kernel);
    kernel.ok = assembly->ok && !has_errors(kernel.diagnostics);
    kernel.key = key;
    if (request.use_cache && kernel.ok) cache_.store(key, kernel);
    return kernel;
  }

  /// Options of a PTX source that mean ptxas; others are for CUDA C++, and that is said.
  static std::vector<std::string> options_of_ptxas(const CompileRequest& request, Diagnostics& diagnostics) {
    std::vector<std::string> options;
    for (const std::string& option : request.options) {
      constexpr std::string_view kPtxas = "--ptxas-options=";
      if (starts_with(option, kPtxas)) {
        options.push_back(option.substr(kPtxas.size()));
      } else if (starts_with(option, "--maxrregcount=") || starts_with(option, "-maxrregcount=")) {
        options.push_back(option);
      } else {
        Diagnostic diagnostic;
        diagnostic.severity = Severity::warning;
        diagnostic.file = request.source.file;
        diagnostic.code = "bad_option";
        diagnostic.message = say("'{}' is for CUDA C++; the PTX is assembled without it", option);
        diagnostic.hint = say("Options of the assembler are --ptxas-options=… and --maxrregcount=…");
        diagnostics.push_back(std::move(diagnostic));
      }
    }
    return options;
  }

  Toolkit toolkit_;
  std::unique_ptr<Nvrtc> nvrtc_;
  Cache cache_;
  PrecompiledFolder precompiled_;
  std::string ptx_version_;  // that this NVRTC writes: the newest it knows
};

}  // namespace

const Entry* CompiledKernel::entry(const std::string& name_or_symbol) const {
  for (const Entry& entry : entries)
    if (entry.symbol == name_or_symbol) return &entry;
  for (const auto& [expression, symbol] : lowered)
    if (expression == name_or_symbol)
      for (const Entry& entry : entries)
        if (entry.symbol == symbol) return &entry;
  const Entry* found = nullptr;
  for (const Entry& entry : entries) {
    if (!same_kernel(name_or_symbol, entry.name)) continue;
    if (found) return nullptr;  // ambiguous
    found = &entry;
  }
  return found;
}

Result<std::unique_ptr<Compiler>> Compiler::open() {
  Result<Toolkit> toolkit = find_toolkit();
  if (!toolkit) return toolkit.error();
  Result<std::unique_ptr<Nvrtc>> nvrtc = Nvrtc::load(toolkit->nvrtc);
  if (!nvrtc) return nvrtc.error();
  return std::unique_ptr<Compiler>(std::make_unique<NvrtcCompiler>(*std::move(toolkit), *std::move(nvrtc)));
}

}  // namespace ridge::compile
