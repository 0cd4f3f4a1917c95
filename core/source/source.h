// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel sources: bytes of a file become text with directives (KernelSource), then text that NVRTC takes with
// what was ignored and what only the user can answer (PreparedSource).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/json.h"
#include "base/result.h"

namespace ridge::source {

enum class Language { cuda, ptx };
std::string_view name_of(Language language);
std::optional<Language> language_named(std::string_view name);

/// A directive's value and the line it stands on (1-based; 0: not given).
struct Value {
  std::string text;
  int line = 0;
  bool given() const { return line != 0; }
};

/// One launch of a candidate: what belongs to a `//@ kernel:` line.
struct LaunchDirectives {
  Value kernel, grid, block, shared, cluster, cooperative, args;
};

struct Define {
  std::string name, value;
  int line = 0;
};
struct Symbol {
  std::string symbol, tensor;
  int line = 0;
};
struct Scratch {
  std::string name, dtype;
  std::vector<std::string> shape;
  int line = 0;
};
struct Tune {
  std::string name;
  std::vector<std::string> values;
  int line = 0;
};  ///< the first value is the default

/// `a_map = a box 64x64 swizzle 128B`: a CUtensorMap parameter. Extents are expressions, outermost first.
struct TensorMap {
  std::string name, tensor;
  std::vector<std::string> box, view;  ///< view: another shape of the tensor; empty: its own
  std::string swizzle = "none";        ///< none, 32B, 64B, 128B
  std::string l2 = "none";             ///< promotion: none, 64B, 128B, 256B
  std::string fill = "zero";           ///< of what lies outside: zero, nan
  int line = 0;
};
/// `tex = x filter linear`: a cudaTextureObject_t parameter.
struct Texture {
  std::string name, tensor;
  std::string filter = "point";        ///< point, linear
  std::string address = "clamp";       ///< clamp, border, wrap, mirror
  std::string coordinates = "texels";  ///< texels, normalized
  std::string read = "element";        ///< element, normalized
  int line = 0;
};

struct Directives {
  Value problem, arch, options;
  std::vector<LaunchDirectives> launches;  ///< at least one
  std::vector<Define> defines;
  std::vector<Symbol> symbols;
  std::vector<std::string> zero;
  std::vector<Scratch> scratch;
  std::vector<Tune> tune;
  std::vector<TensorMap> tensor_maps;
  std::vector<Texture> textures;
};

/// How the bytes of the file are laid out; saving keeps it.
struct Encoding {
  bool bom = false;
  enum class LineEnds { lf, crlf, mixed } line_ends = LineEnds::lf;
  bool final_newline = true;
  bool valid_utf8 = true;
};

struct KernelSource {
  std::string file;  ///< as the user named it
  Language language = Language::cuda;
  std::string text;  ///< UTF-8 without BOM, LF; invalid bytes are kept
  Encoding encoding;
  Directives directives;
  Diagnostics diagnostics;  ///< of the directives and the encoding
};

/// Reads a .cu, .cuh or .ptx file. Refused with the reason: UTF-16/32, NUL bytes, more than 16 MiB, no
/// regular file.
Result<KernelSource> read_source(const std::filesystem::path& file);
/// The same from bytes; the language follows the name (".ptx") or the first line of text.
Result<KernelSource> parse_source(std::string_view bytes, const std::string& file);

/// Directive keys, for completion and messages.
const std::vector<std::string>& directive_keys();

/// `text` with the directive `key` of launch `launch` set to `value` (removed when empty): exactly that line
/// changes, or one line is added next to the other directives. Line ends and all other bytes stay. Repeatable
/// keys: see the launch form.
std::string with_directive(std::string_view text, std::size_t launch, const std::string& key,
                           const std::string& value);

struct Parameter {
  std::string type;  ///< as written, macros not expanded
  std::string name;
  bool pointer = false;
  bool constant = false;  ///< pointer to const
};
/// A __global__ function seen in the text.
struct Signature {
  std::string name;  ///< with namespaces: "ns::kernel"
  int line = 0;      ///< of its name
  std::vector<Parameter> parameters;
  std::vector<std::string> template_parameters;  ///< "int BLOCK", "typename T"
  bool extern_c = false;
  /// Of a template: name expressions with which the file itself instantiates or launches it, constants
  /// evaluated
  /// ("transpose<32, 8>"); "name<>" where every parameter has a default.
  std::vector<std::string> instances = {};
};

/// Lines that were blanked because only a host compiler takes them.
struct Ignored {
  int first = 0, last = 0;
  std::string reason;
};

/// Something only the user can tell; answered by a directive or an option.
struct Question {
  std::string kind;  ///< kernel, template, macro, geometry, argument, symbol, problem, include
  Sentence text;
  std::vector<std::string> choices;
  Sentence answer_with;  ///< "//@ kernel: NAME<…>", "--define TILE=16"
  std::string file;
  int line = 0;
};
Json to_json(const Question& question);

struct PreparedSource {
  std::string file;
  Language language = Language::cuda;
  std::string text;     ///< for NVRTC: same lines and columns as the file
  std::string prelude;  ///< goes in front by --pre-include: integer typedefs and such, written by hand
  std::vector<std::string> include_folders;  ///< folder of the file first
  std::vector<std::string> options;          ///< that the text needs: "-default-device"
  /// Local headers in which something was blanked, by the name of their #include: NVRTC gets them as named
  /// headers.
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<Signature> kernels;
  std::vector<Ignored> ignored;
  std::vector<Question> questions;
  Diagnostics diagnostics;
};

/// Makes a source ready for NVRTC.
PreparedSource prepare(const KernelSource& source);

}  // namespace ridge::source
