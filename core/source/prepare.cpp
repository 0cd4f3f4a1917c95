// SPDX-License-Identifier: GPL-3.0-or-later
// A source as ordinary CUDA programmers paste it becomes text that NVRTC takes: what only a host compiler
// knows is blanked in place, so that every line and column of what is left stays.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/files.h"
#include "base/text.h"
#include "source/outline.h"
#include "source/prelude.h"
#include "source/source.h"

namespace ridge::source {
namespace fs = std::filesystem;
namespace {

/// An #include line.
struct Include {
  std::string header;
  bool quoted = false;
  std::size_t begin = 0, end = 0;  ///< of the line, without its end
};

/// Words that only host code has; types and calls of libraries that NVRTC has no header for.
bool is_host_word(std::string_view word) {
  return word == "std" || word == "printf" || word == "FILE" || word == "torch" || word == "at" ||
         word == "thrust" || word == "virtual" || word == "cudaStream_t" || word == "cudaEvent_t" ||
         word == "malloc";
}

class Preparer {
 public:
  /// `including` holds the headers on the way here; empty for the file itself.
  Preparer(const KernelSource& source, std::set<std::string> including)
      : source_(source),
        including_(std::move(including)),
        code_(mask(source.text).code),
        macros_(macros_in(code_)),
        branches_(structure_of(code_)),
        structure_(branches_.code),
        lines_(source.text) {
    result_.file = source.file;
    result_.language = source.language;
    result_.text = source.text;
    const fs::path folder = fs::path(source.file).parent_path();
    result_.include_folders.push_back(folder.empty() ? "." : folder.string());
  }

  PreparedSource run() {
    if (source_.language == Language::ptx) {
      prepare_ptx();
      return std::move(result_);
    }
    items_ = outline(structure_, source_.text, macros_);
    find_kernels();
    blank_includes();
    decide();
    blank_items();
    result_.prelude = prelude_for(code_);
    if (needs_default_device_) result_.options.push_back("-default-device");
    if (including_.empty()) ask_for_kernel();
    tell_about_removed_features();
    std::stable_sort(result_.ignored.begin(), result_.ignored.end(),
                     [](const Ignored& a, const Ignored& b) { return a.first < b.first; });
    return std::move(result_);
  }

 private:
  const KernelSource& source_;
  std::set<std::string> including_;
  std::string code_;
  Macros macros_;
  Structure branches_;
  const std::string& structure_;  ///< its code
  LineIndex lines_;
  std::vector<Item> items_;
  std::vector<std::string> reasons_;  ///< per item: why it is blanked; "": it stays
  std::vector<std::string> choices_;  ///< per kernel of the result: how a directive names it
  bool local_headers_ = false;
  bool needs_default_device_ = false;
  PreparedSource result_;

  std::string_view structure(const Item& item) const {
    return std::string_view(structure_).substr(item.begin, item.end - item.begin);
  }
  std::string_view head(const Item& item) const {
    return std::string_view(structure_).substr(item.begin, item.head_end - item.begin);
  }
  /// What decides about a variable is its whole text: a device lambda says __device__ behind the =.
  Spaces spaces(const Item& item) const {
    return spaces_of(item.kind == ItemKind::variable ? structure(item) : head(item), macros_);
  }
  void diagnose(Severity severity, int line, const std::string& code, const Sentence& message,
                const Sentence& hint) {
    result_.diagnostics.push_back({severity, source_.file, line, 0, code, message, hint});
  }

  void prepare_ptx() {
    result_.kernels = ptx_entries(code_);
    for (const Signature& entry : result_.kernels) choices_.push_back(entry.name);
    if (code_.find(".version") == std::string::npos && words_in(code_).contains("__global__")) {
      diagnose(Severity::error, lines_.line_of(code_.find("__global__")), "not_ptx",
               say("the file ends in .ptx but holds CUDA C++ (no .version directive)"),
               say("rename it to .cu"));
    } else if (result_.kernels.empty()) {
      diagnose(Severity::error, 1, "no_kernel", say("the file holds no .entry: there is nothing to run"), {});
    }
    ask_for_kernel();
  }

  void find_kernels() {
    std::map<std::string, std::vector<std::string>> instantiated;  // by reachable name
    for (const Item& item : items_) {
      if (item.kind == ItemKind::type) find_member_kernels(item);
      if (item.kind != ItemKind::function || !spaces(item).global) continue;
      Signature signature = signature_of(item, structure_, lines_);
      if (signature.name.empty()) continue;
      const std::string plain = signature.name.substr(item.scope.empty() ? 0 : item.scope.size() + 2);
      const std::string reachable = (item.reachable_scope.empty() ? "" : item.reachable_scope + "::") + plain;
      if (item.has_body) {
        if (!signature.template_parameters.empty())
          signature.instances = launched_instances(code_, plain, reachable);
        result_.kernels.push_back(std::move(signature));
        choices_.push_back(reachable);
      } else if (const std::size_t angle = reachable.find('<'); angle != std::string::npos) {
        instantiated[reachable.substr(0, angle)].push_back(reachable);
      }
    }
    for (std::size_t i = 0; i < result_.kernels.size(); ++i) {
      Signature& kernel = result_.kernels[i];
      std::vector<std::string>& known = kernel.instances;
      const std::vector<std::string>& explicitly = instantiated[choices_[i]];
      known.insert(known.begin(), explicitly.begin(), explicitly.end());
      if (!kernel.template_parameters.empty() && all_have_defaults(kernel))
        if (const std::string all = choices_[i] + "<>";
            std::find(known.begin(), known.end(), all) == known.end())
          known.insert(known.begin(), all);
      if (!explicitly.empty()) choices_[i] = explicitly.front();
    }
    tell_overloads_apart();
  }

  /// Kernels of one name are chosen by the types of their parameters.
  void tell_overloads_apart() {
    const std::vector<std::string> names = choices_;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      if (std::count(names.begin(), names.end(), names[i]) < 2) continue;
      std::string types;
      for (const Parameter& parameter : result_.kernels[i].parameters)
        types += (types.empty() ? "" : ", ") + parameter.type;
      choices_[i] += "(" + types + ")";
    }
  }

  void find_member_kernels(const Item& item) {
    const std::string_view text = structure(item);
    for (std::size_t at = text.find("__global__"); at != std::string_view::npos;
         at = text.find("__global__", at + 1)) {
      // `friend __global__ void …` is a free function.
      if (trim(text.substr(0, at)).ends_with("friend")) continue;
      diagnose(Severity::error, lines_.line_of(item.begin + at), "member_kernel",
               say("a kernel cannot be a member function"),
               say("make it a free function, or a static __device__ member that a kernel calls"));
    }
  }

  std::vector<Include> includes() const {
    std::vector<Include> found;
    for (int line = 1; line <= lines_.lines(); ++line) {
      if (branches_.dead_lines.contains(line)) continue;
      Include include;
      include.begin = lines_.start_of(line);
      include.end = std::min(source_.text.find('\n', include.begin), source_.text.size());
      std::string_view words =
          trim(std::string_view(code_).substr(include.begin, include.end - include.begin));
      if (!words.starts_with('#') || word_at(trim(words.substr(1)), 0) != "include") continue;
      const std::string_view text =
          std::string_view(source_.text).substr(include.begin, include.end - include.begin);
      const std::size_t open = text.find_first_of("<\"");
      if (open == std::string_view::npos) continue;
      include.quoted = text[open] == '"';
      const std::size_t close = text.find(include.quoted ? '"' : '>', open + 1);
      if (close == std::string_view::npos) continue;
      include.header = text.substr(open + 1, close - open - 1);
      found.push_back(std::move(include));
    }
    return found;
  }

  void ignore(std::size_t begin, std::size_t end, const std::string& reason) {
    blank(result_.text, begin, end);
    result_.ignored.push_back({lines_.line_of(begin), lines_.line_of(end > begin ? end - 1 : begin), reason});
  }

  void blank_includes() {
    for (const Include& include : includes()) {
      const int line = lines_.line_of(include.begin);
      std::error_code error;
      const fs::path beside = fs::path(result_.include_folders.front()) / include.header;
      if (include.quoted && fs::is_regular_file(beside, error)) {
        if (!holds_host_code_only(beside)) {
          local_headers_ = true;
          take_local_header(include.header, beside);
          continue;
        }
        ignore(include.begin, include.end, "local header that holds host code only");
        continue;
      }
      if (include.header == "cub/cub.cuh") {
        diagnose(Severity::warning, line, "host_header",
                 say("cub/cub.cuh cannot be compiled at run time: it is host code"),
                 say("include the block primitive's own header, such as <cub/block/block_reduce.cuh>"));
        continue;
      }
      const std::string reason = host_header_reason(include.header);
      if (!reason.empty()) {
        ignore(include.begin, include.end, reason);
      } else if (!is_known_device_header(include.header) || begins_library(include.header)) {
        ask_for_header(include, line);
      }
    }
  }

  /// Prepares a local header like the file itself. Circles and very long chains end where they are.
  void take_local_header(const std::string& name, const fs::path& path) {
    constexpr std::size_t kLongestChain = 32;
    std::error_code error;
    const std::string real = fs::weakly_canonical(path, error).string();
    if (including_.size() >= kLongestChain || including_.contains(real)) return;
    const Result<KernelSource> header = read_source(path);
    if (!header) return;  // NVRTC says what is wrong with it
    std::set<std::string> chain = including_;
    chain.insert(real);
    PreparedSource prepared = Preparer(*header, std::move(chain)).run();
    const auto known = [&](const std::string& other) {
      return std::any_of(result_.headers.begin(), result_.headers.end(),
                         [&](const auto& own) { return own.first == other; });
    };
    if (prepared.text != header->text && !known(name))
      result_.headers.emplace_back(name, std::move(prepared.text));
    for (auto& inner : prepared.headers)
      if (!known(inner.first)) result_.headers.push_back(std::move(inner));
    for (Question& question : prepared.questions) result_.questions.push_back(std::move(question));
    needs_default_device_ = needs_default_device_ || !prepared.options.empty();
  }

  static bool begins_library(const std::string& header) {
    return header.starts_with("cute/") || header.starts_with("cutlass/");
  }

  void ask_for_header(const Include& include, int line) {
    const bool library = begins_library(include.header);
    local_headers_ = true;
    result_.questions.push_back(
        {"include",
         library ? say("{} belongs to CUTLASS: where is its include folder?", include.header)
                 : say("{} is not beside the file: in which folder is it?", include.header),
         {include.header},
         "//@ options: -I FOLDER",
         source_.file,
         line});
  }

  /// A header that names no execution space and defines nothing but functions has nothing for a device.
  static bool holds_host_code_only(const fs::path& path) {
    const Result<std::string> text = read_file(path, 1u << 20);
    if (!text) return false;
    const std::string code = mask(*text).code;
    const Macros macros = macros_in(code);
    bool functions = false;
    for (const Item& item : outline(structure_of(code).code, *text, macros)) {
      const Spaces spaces =
          spaces_of(std::string_view(code).substr(item.begin, item.end - item.begin), macros);
      if (spaces.device || spaces.global || item.kind != ItemKind::function) return false;
      functions = true;
    }
    for (const auto& [name, body] : macros)
      if (!body.empty()) return false;
    return functions;
  }

  std::string reason_for(const Item& item) {
    const Spaces where = spaces(item);
    if (where.global || where.device) return {};
    const std::set<std::string> words = words_in(structure(item));
    const bool is_template = word_at(head(item), 0) == "template";
    switch (item.kind) {
      case ItemKind::function:
        return reason_for_function(item, is_template);
      case ItemKind::variable:
        return reason_for_variable(item, words);
      case ItemKind::alias:
        return reason_for_alias(words);
      case ItemKind::macro_call:
        return reason_for_macro(item);
      case ItemKind::type:
      case ItemKind::other:
        return {};
    }
    return {};
  }

  std::string reason_for_function(const Item& item, bool is_template) {
    if (words_in(head(item)).contains("constexpr")) {
      needs_default_device_ = true;
      return {};
    }
    const Signature signature = signature_of(item, structure_, lines_);
    if (signature.name == "main") return "main and its launches";
    if (is_template && !item.has_body && signature.template_parameters.empty())
      return "explicit instantiation of a host template";
    const std::string_view first = word_at(head(item), 0);
    const std::size_t open = head(item).find('(');
    if (item.has_body && trim(head(item).substr(0, open)) == first) return "host function made by a macro";
    return is_template ? "host function template" : "host function";
  }

  /// Constants of plain types stay: kernels and launch bounds use them, and NVRTC takes them.
  std::string reason_for_variable(const Item& item, const std::set<std::string>& words) const {
    if (words.contains("texture") || words.contains("surface")) return {};
    const std::set<std::string> declaration = words_in(head(item));
    if (words.contains("std")) return "host global";
    if (declaration.contains("constexpr")) return {};
    static const std::set<std::string> plain = {
        "const",   "static",  "inline",   "unsigned", "signed",   "int",    "long",    "short",
        "char",    "float",   "double",   "bool",     "size_t",   "int8_t", "int16_t", "int32_t",
        "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint",   "auto"};
    std::size_t others = 0;
    for (const std::string& word : declaration)
      others += plain.contains(word) || macros_.contains(word) ? 0 : 1;
    const bool table = structure(item).find('{') != std::string_view::npos;
    const bool pointer = head(item).find('*') != std::string_view::npos;
    if (declaration.contains("const") && others == 1 && !pointer) return {};
    return table ? "host global table" : "host global";
  }

  static std::string reason_for_alias(const std::set<std::string>& words) {
    static const std::set<std::string> host_namespaces = {"std", "torch", "at",    "c10",   "thrust",
                                                          "cv",  "boost", "Eigen", "chrono"};
    static const std::set<std::string> given = {"size_t",  "ptrdiff_t", "int8_t",   "int16_t",  "int32_t",
                                                "int64_t", "uint8_t",   "uint16_t", "uint32_t", "uint64_t"};
    const bool names_host =
        std::any_of(words.begin(), words.end(), [&](const auto& w) { return host_namespaces.contains(w); });
    if (!names_host) return {};
    const bool whole = words.contains("namespace");
    const bool known =
        std::any_of(words.begin(), words.end(), [&](const auto& w) { return given.contains(w); });
    if (!whole && known) return {};
    return whole ? "using-directive of a host namespace" : "alias of a host type";
  }

  std::string reason_for_macro(const Item& item) const {
    const std::string name(word_at(structure(item), 0));
    if (!macros_.contains(name))
      return local_headers_ || name == "static_assert" || name == "asm" ? "" : "host code made by a macro";
    // A macro that launches or calls the host is for the host; one that only declares may be anything.
    return {};
  }

  void decide() {
    for (const Item& item : items_) reasons_.push_back(reason_for(item));
    // Who includes a header may use any of its types.
    if (including_.empty()) blank_unused_host_types();
  }

  /// Types of which no kept declaration speaks, and which hold something that NVRTC refuses.
  void blank_unused_host_types() {
    for (std::size_t i = items_.size(); i-- > 0;) {
      if (items_[i].kind != ItemKind::type || !reasons_[i].empty() || !holds_host_members(items_[i]))
        continue;
      const std::string name = type_name(items_[i]);
      bool used = name.empty();
      for (std::size_t k = 0; k < items_.size() && !used; ++k)
        used = k != i && reasons_[k].empty() && words_in(structure(items_[k])).contains(name);
      if (used) {
        needs_default_device_ = true;
      } else {
        reasons_[i] = "host struct, only used by host code";
      }
    }
  }

  std::string type_name(const Item& item) const {
    const std::string_view declaration = head(item);
    std::string name;
    for (std::size_t at = 0; at < declaration.size();) {
      const std::string_view word = word_at(declaration, at);
      if (declaration[at] == ':') break;
      if (!word.empty()) name = word;
      at += std::max<std::size_t>(word.size(), 1);
    }
    return name;
  }

  /// Members without an execution space, or types of the host.
  bool holds_host_members(const Item& item) const {
    const std::string_view text = structure(item);
    const std::set<std::string> words = words_in(text);
    if (words.contains("enum") || words.contains("__global__")) return false;
    if (std::any_of(words.begin(), words.end(), [](const std::string& word) { return is_host_word(word); }))
      return true;
    if (text.find("<<<") != std::string_view::npos) return true;
    const Spaces where = spaces_of(text, macros_);
    return !where.device && text.find('(') != std::string_view::npos;
  }

  void blank_items() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (reasons_[i].empty()) continue;
      const Item& item = items_[i];
      // Preprocessor lines inside of it stay: an #if that opens there may close elsewhere.
      for (int line = lines_.line_of(item.begin); line <= lines_.line_of(item.end - 1); ++line) {
        const std::size_t start = lines_.start_of(line);
        const std::size_t end = line < lines_.lines() ? lines_.start_of(line + 1) : source_.text.size();
        const std::string_view words = trim(std::string_view(code_).substr(start, end - start));
        if (!words.starts_with('#'))
          blank(result_.text, std::max(start, item.begin), std::min(end, item.end));
      }
      result_.ignored.push_back({lines_.line_of(item.begin), lines_.line_of(item.end - 1), reasons_[i]});
    }
  }

  void ask_for_kernel() {
    const Value& named = source_.directives.launches.front().kernel;
    if (result_.kernels.empty()) {
      const bool may_come = local_headers_ || words_in(code_).contains("__global__");
      if (source_.language == Language::cuda && !may_come) {
        diagnose(Severity::error, 1, "no_kernel",
                 trim(source_.text).empty()
                     ? say("the file is empty: there is no kernel")
                     : say("the file holds no __global__ function: there is nothing to run"),
                 {});
      }
      return;
    }
    if (named.given()) return;
    if (result_.kernels.size() > 1) {
      result_.questions.push_back({"kernel", say("the file holds several kernels: which one is to run?"),
                                   choices_, "//@ kernel: NAME", source_.file, result_.kernels.front().line});
      return;
    }
    const Signature& kernel = result_.kernels.front();
    if (kernel.template_parameters.empty() || !kernel.instances.empty()) return;
    std::string list;
    for (const std::string& parameter : kernel.template_parameters)
      list += (list.empty() ? "" : ", ") + parameter;
    result_.questions.push_back({"template",
                                 say("{} is a template and needs arguments for {}", choices_.front(), list),
                                 {},
                                 "//@ kernel: " + choices_.front() + "<…>",
                                 source_.file,
                                 kernel.line});
  }

  static bool all_have_defaults(const Signature& kernel) {
    return std::all_of(kernel.template_parameters.begin(), kernel.template_parameters.end(),
                       [](const std::string& parameter) { return parameter.find('=') != std::string::npos; });
  }

  void tell_about_removed_features() {
    for (const Item& item : items_) {
      if (item.kind != ItemKind::variable || !words_in(head(item)).contains("texture")) continue;
      if (head(item).find('<') == std::string_view::npos) continue;
      diagnose(Severity::error, lines_.line_of(item.begin), "texture_reference",
               say("texture references (texture<…>) were removed in CUDA 12"),
               say("use a texture object (cudaTextureObject_t) as a kernel parameter"));
    }
  }
};

}  // namespace

PreparedSource prepare(const KernelSource& source) {
  return Preparer(source, {}).run();
}

}  // namespace ridge::source
