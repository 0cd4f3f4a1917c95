// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/advice.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/text.h"
#include "compile/ptx.h"

namespace ridge::compile {

namespace {

constexpr std::int64_t kStaticShared = 49152;  // bytes; more takes the opt-in of dynamic shared memory

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}
bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// What stands between the quotes that follow `before`.
std::string quoted_after(const std::string& text, std::string_view before, char quote) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return {};
  const std::size_t open = text.find(quote, at + before.size());
  const std::size_t close = open == std::string::npos ? open : text.find(quote, open + 1);
  return close == std::string::npos ? std::string() : text.substr(open + 1, close - open - 1);
}

Sentence list_of(const std::vector<std::string>& items, std::size_t most = 8) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < most; ++i) text += (i ? ", " : "") + items[i];
  return items.size() > most ? say("{} and {} more", text, items.size() - most) : Sentence(text);
}

/// Text whose presence in a message settles cause and remedy.
struct Rule {
  std::string_view part, code;      // an empty code stays as it was
  std::optional<Phrase<>> message;  // none: stays as it was
  Phrase<> hint;
};

constexpr std::array<Rule, 20> kRules{{
    {"texture is not a template", "removed_feature",
     phrase("texture references (texture<...>) were removed in CUDA 12"),
     phrase("Use a texture object (cudaTextureObject_t) as a kernel parameter; the installation is not at "
            "fault")},
    {"surface is not a template", "removed_feature",
     phrase("surface references (surface<...>) were removed in CUDA 12"),
     phrase("Use a surface object (cudaSurfaceObject_t) as a kernel parameter; the installation is not at "
            "fault")},
    {"\"__shfl", "removed_feature", std::nullopt,
     phrase("The shuffles without mask were removed: __shfl_down_sync(0xffffffff, value, offset) and its kin "
            "replace them")},
    {"\"__ballot\"", "removed_feature", std::nullopt, phrase("Write __ballot_sync(0xffffffff, predicate)")},
    {"\"__any\"", "removed_feature", std::nullopt, phrase("Write __any_sync(0xffffffff, predicate)")},
    {"\"__all\"", "removed_feature", std::nullopt, phrase("Write __all_sync(0xffffffff, predicate)")},
    {"device-side kernel launch could not be processed", "dynamic_parallelism", std::nullopt,
     phrase("A kernel cannot launch kernels here: launch each one by a //@ kernel: line of its own")},
    {"__host__ function is not allowed in JIT mode", "host_code", std::nullopt,
     phrase("Only device code is compiled at run time: remove the host function, or mark it __device__")},
    {"host variables are not allowed in JIT mode", "host_code", std::nullopt,
     phrase("Only device code is compiled at run time: write __device__ or __constant__ in front of the "
            "variable")},
    {"\"NV_IS_DEVICE\" is undefined", "toolkit_headers", std::nullopt,
     phrase("The CUDA headers come from more than one toolkit: keep include and include/cccl of one and the "
            "same")},
    {"identifier \"half\" is undefined", "", std::nullopt, phrase("Add #include <cuda_fp16.h>")},
    {"identifier \"__half", "", std::nullopt, phrase("Add #include <cuda_fp16.h>")},
    {"identifier \"half2\" is undefined", "", std::nullopt, phrase("Add #include <cuda_fp16.h>")},
    {"identifier \"__nv_bfloat16", "", std::nullopt, phrase("Add #include <cuda_bf16.h>")},
    {"identifier \"__nv_fp8", "", std::nullopt, phrase("Add #include <cuda_fp8.h>")},
    {"name must be a namespace name", "", std::nullopt,
     phrase("Include the header that declares the namespace: <mma.h> for nvcuda, <cooperative_groups.h> for "
            "cooperative_groups")},
    {"namespace \"std\" has no member", "", std::nullopt,
     phrase("NVRTC has no C++ standard library: use cuda::std with its header <cuda/std/...>")},
    {"Unresolved extern function", "unresolved", std::nullopt,
     phrase(
         "The function is declared but its body is in no file that was compiled: put it into this file or an "
         "included one")},
    {"is ambiguous", "", std::nullopt,
     phrase("Qualify the name, or remove the using directive that brings in the second one")},
    {"Error limit reached", "", std::nullopt,
     phrase("Mend the first errors; the others often follow from them")},
}};

/// Who provides a header that was not found.
struct Provider {
  std::string_view prefix;
  Phrase<1> message;      // of the header
  std::string_view hint;  // a component of the toolkit, or "host" or "cutlass"
};

constexpr std::array<Provider, 27> kProviders{{
    {"cuda/std/", phrase<1>("{} belongs to the CUDA toolkit's C++ core libraries"), "cccl"},
    {"cuda/", phrase<1>("{} belongs to the CUDA toolkit's C++ core libraries"), "cccl"},
    {"cub/", phrase<1>("{} belongs to the CUDA toolkit's C++ core libraries"), "cccl"},
    {"thrust/", phrase<1>("{} belongs to the CUDA toolkit's C++ core libraries"), "cccl"},
    {"nv/target", phrase<1>("{} belongs to the CUDA toolkit's C++ core libraries"), "cccl"},
    {"cooperative_groups", phrase<1>("{} belongs to the CUDA toolkit's runtime headers"), "runtime"},
    {"cuda_fp", phrase<1>("{} belongs to the CUDA toolkit's runtime headers"), "runtime"},
    {"cuda_bf16", phrase<1>("{} belongs to the CUDA toolkit's runtime headers"), "runtime"},
    {"cuda_runtime", phrase<1>("{} belongs to the CUDA toolkit's runtime headers"), "runtime"},
    {"cuda_pipeline", phrase<1>("{} belongs to the CUDA toolkit's runtime headers"), "runtime"},
    {"mma.h", phrase<1>("{} belongs to the CUDA toolkit's runtime headers"), "runtime"},
    {"crt/", phrase<1>("{} belongs to the CUDA toolkit's compiler headers"), "crt"},
    {"curand", phrase<1>("{} belongs to cuRAND"), "curand"},
    {"cute/", phrase<1>("{} belongs to CUTLASS, which is not on the include path"), "cutlass"},
    {"cutlass/", phrase<1>("{} belongs to CUTLASS, which is not on the include path"), "cutlass"},
    {"torch/", phrase<1>("{} belongs to PyTorch's host side"), "host"},
    {"ATen/", phrase<1>("{} belongs to PyTorch's host side"), "host"},
    {"c10/", phrase<1>("{} belongs to PyTorch's host side"), "host"},
    {"pybind11/", phrase<1>("{} belongs to Python bindings on the host"), "host"},
    {"cublas", phrase<1>("{} belongs to a library of the host"), "host"},
    {"cudnn", phrase<1>("{} belongs to a library of the host"), "host"},
    {"cusparse", phrase<1>("{} belongs to a library of the host"), "host"},
    {"cufft", phrase<1>("{} belongs to a library of the host"), "host"},
    {"nccl", phrase<1>("{} belongs to a library of the host"), "host"},
    {"helper_", phrase<1>("{} belongs to the host side of NVIDIA's samples"), "host"},
    {"cuda.h", phrase<1>("{} is the host's driver interface"), "host"},
    {"mpi.h", phrase<1>("{} belongs to a library of the host"), "host"},
}};

constexpr std::array<std::string_view, 48> kStandard{"algorithm",  "array",
                                                     "assert.h",   "atomic",
                                                     "bit",        "cassert",
                                                     "cfloat",     "chrono",
                                                     "climits",    "cmath",
                                                     "complex",    "cstddef",
                                                     "cstdint",    "cstdio",
                                                     "cstdlib",    "cstring",
                                                     "ctime",      "exception",
                                                     "float.h",    "fstream",
                                                     "functional", "initializer_list",
                                                     "iomanip",    "iostream",
                                                     "limits",     "limits.h",
                                                     "map",        "math.h",
                                                     "memory",     "numeric",
                                                     "random",     "sstream",
                                                     "stddef.h",   "stdexcept",
                                                     "stdint.h",   "stdio.h",
                                                     "stdlib.h",   "string",
                                                     "string.h",   "sys/time.h",
                                                     "thread",     "time.h",
                                                     "tuple",      "type_traits",
                                                     "unistd.h",   "utility",
                                                     "vector",     "cinttypes"};

Sentence toolkit_hint(std::string_view component, const Toolkit& toolkit) {
  std::string folders;
  for (const std::filesystem::path& folder : toolkit.include_folders)
    folders += (folders.empty() ? "" : ", ") + folder.string();
  const Sentence where = folders.empty()
                             ? say("NVRTC {} was found without it", toolkit.version)
                             : say("NVRTC {} was found without it in {}", toolkit.version, folders);
  const std::string dashed = [&] {
    std::string text = toolkit.version;
    std::replace(text.begin(), text.end(), '.', '-');
    return text;
  }();
  if (component == "cccl")
    return say("{}: install cuda-cccl-{} (wheel nvidia-cuda-cccl) of the same toolkit", where, dashed);
  if (component == "curand") return say("{}: install libcurand-dev-{} (wheel nvidia-curand)", where, dashed);
  if (component == "crt") return say("{}: install cuda-crt-{} (wheel nvidia-cuda-crt)", where, dashed);
  return say("{}: install cuda-cudart-dev-{} (wheel nvidia-cuda-runtime) of the same toolkit", where, dashed);
}

void advise_header(Diagnostic& diagnostic, const std::string& header, const Toolkit& toolkit) {
  diagnostic.code = "missing_header";
  if (std::find(kStandard.begin(), kStandard.end(), header) != kStandard.end()) {
    diagnostic.message = say("<{}> is a header of the host's compiler, which NVRTC does not have", header);
    diagnostic.hint =
        say("Remove the line: printf, assert and the math functions need none; for types and templates take "
            "<cuda/std/...>");
    return;
  }
  for (const Provider& provider : kProviders) {
    if (!starts_with(header, provider.prefix)) continue;
    diagnostic.message = Sentence(provider.message, {header});
    if (provider.hint == "host")
      diagnostic.hint = say("Only device code is compiled at run time: remove the line and what needs it");
    else if (provider.hint == "cutlass")
      diagnostic.hint =
          say("Name CUTLASS's folder: //@ options: -I/path/to/cutlass/include; the kernel itself is not at "
              "fault");
    else
      diagnostic.hint = toolkit_hint(provider.hint, toolkit);
    return;
  }
  diagnostic.message =
      say("{} is neither beside the file nor on the include path: the kernel needs its project", header);
  diagnostic.hint = say("Name the folder it lies in: //@ options: -I/path/to/folder");
}

/// "sm_90" of "… not supported on .target 'sm_90'".
void advise_target(Diagnostic& diagnostic, const CompileRequest& request) {
  const std::string target = quoted_after(diagnostic.message.english(), ".target", '\'');
  const std::string& arch = target.empty() ? request.arch : target;
  diagnostic.code = "needs_arch";
  if (contains(diagnostic.message.english(), "Unsupported .target")) {
    diagnostic.hint =
        say("No assembler here knows it. Write one that it knows, such as .target {}", request.arch);
    return;
  }
  const std::size_t digits = arch.find_first_of("0123456789");
  if (digits == std::string::npos) return;
  const bool plain = std::isdigit(static_cast<unsigned char>(arch.back())) != 0;
  if (plain && std::stoi(arch.substr(digits, 4)) >= 90)
    diagnostic.hint = say("Compile for {} (//@ arch: {}): features of one architecture need its 'a' variant",
                          arch + "a", arch + "a");
  else
    diagnostic.hint =
        say("The instruction belongs to another architecture than {}: use a device that has it", arch);
}

void advise_option(Diagnostic& diagnostic) {
  diagnostic.code = "bad_option";
  constexpr std::array<std::string_view, 12> kNvccOnly{
      "-O3",      "-O2", "-O1", "-O0",    "-Xptxas", "-Xcompiler",
      "-gencode", "-o",  "-c",  "-ccbin", "--expt-", "-extended-lambda"};
  for (const std::string_view option : kNvccOnly)
    if (contains(diagnostic.message.english(), "option " + std::string(option))) {
      diagnostic.hint = say(
          "That is an option of nvcc which NVRTC does not have: remove it (for ptxas: --ptxas-options=...)");
      return;
    }
  diagnostic.hint = say(
      "Correct the //@ options: line; NVRTC's own options are in its documentation, such as --use_fast_math");
}

/// "block_radix_sort" of "BlockRadixSort".
std::string snake(std::string_view camel) {
  std::string result;
  for (std::size_t i = 0; i < camel.size(); ++i) {
    const auto c = static_cast<unsigned char>(camel[i]);
    if (i > 0 && std::isupper(c)) result += '_';
    result += static_cast<char>(std::tolower(c));
  }
  return result;
}

/// The single headers of the cub primitives that a text uses.
std::vector<std::string> cub_headers(const std::string& text, const Toolkit& toolkit) {
  std::vector<std::string> headers;
  for (std::size_t at = text.find("cub::"); at != std::string::npos; at = text.find("cub::", at + 5)) {
    std::size_t end = at + 5;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
    const std::string name = snake(std::string_view(text).substr(at + 5, end - at - 5));
    const std::string folder = name.substr(0, name.find('_'));
    const std::string header = "cub/" + folder + "/" + name + ".cuh";
    if (std::find(headers.begin(), headers.end(), header) != headers.end()) continue;
    for (const std::filesystem::path& include : toolkit.include_folders) {
      std::error_code ignored;
      if (!std::filesystem::exists(include / header, ignored)) continue;
      headers.push_back(header);
      break;
    }
  }
  return headers;
}

std::string as_written(const source::Signature& signature) {
  if (signature.template_parameters.empty()) return signature.name;
  return signature.name + "<" + list_of(signature.template_parameters).english() + ">";
}

/// "(void (*)(int *))m" selects one overload.
std::string cast_of(const source::Signature& signature) {
  std::string types;
  for (const source::Parameter& parameter : signature.parameters) {
    std::string type = parameter.type;
    for (const char* word : {"__restrict__", "__restrict", "__grid_constant__"})
      for (std::size_t at = type.find(word); at != std::string::npos; at = type.find(word))
        type.erase(at, std::string_view(word).size());
    types += (types.empty() ? "" : ", ") + std::string(trim(type));
  }
  return "(void (*)(" + types + "))" + signature.name;
}

}  // namespace

void advise(Diagnostic& diagnostic, const CompileRequest& request, const Toolkit& toolkit) {
  const std::string message = diagnostic.message.english();
  for (const char* failed : {"cannot open source file", "could not open source file"})
    if (const std::string header = quoted_after(message, failed, '"'); !header.empty())
      return advise_header(diagnostic, header, toolkit);
  if (diagnostic.code == "ptxas" && contains(message, ".target")) return advise_target(diagnostic, request);
  if (starts_with(message, "unrecognized option") || starts_with(message, "invalid value for"))
    return advise_option(diagnostic);
  for (const Rule& rule : kRules) {
    if (!contains(message, rule.part)) continue;
    if (!rule.code.empty()) diagnostic.code = rule.code;
    if (rule.message) diagnostic.message = *rule.message;
    diagnostic.hint = rule.hint;
    return;
  }
}

Diagnostic unknown_kernel(const std::string& expression, const std::string& said,
                          const source::PreparedSource& source, const std::vector<Entry>& entries) {
  Diagnostic diagnostic;
  diagnostic.file = source.file;
  diagnostic.code = "unknown_kernel";
  const std::string_view wanted = base_name(expression);
  std::vector<std::string> all, names, casts;
  const source::Signature* same = nullptr;
  for (const source::Signature& signature : source.kernels) {
    all.push_back(as_written(signature));
    names.emplace_back(base_name(signature.name));
    if (names.back() != wanted) continue;
    same = &signature;
    casts.push_back(cast_of(signature));
  }
  if (source.kernels.empty())
    for (const Entry& entry : entries) {
      all.push_back(entry.name);
      names.emplace_back(base_name(entry.name));
    }
  if (casts.size() > 1 && contains(said, "overloaded")) {
    diagnostic.code = "ambiguous_kernel";
    diagnostic.message = say("'{}' is the name of {} kernels", expression, casts.size());
    diagnostic.hint = say("Select one by its parameters: //@ kernel: {}", list_of(casts));
  } else if (same && !same->template_parameters.empty()) {
    diagnostic.message =
        say("'{}' names no instance of the template {}: {}", expression, as_written(*same), said);
    diagnostic.hint = say("Give a value for each of {}: //@ kernel: {}<...>",
                          list_of(same->template_parameters), same->name);
  } else {
    diagnostic.message = say("There is no kernel '{}': {}", expression, said);
    const std::string near = nearest(std::string(wanted), names);
    const Sentence known =
        all.empty() ? say("The file holds no __global__ function") : say("The file has {}", list_of(all));
    diagnostic.hint = near.empty() || near == wanted ? known : say("Did you mean '{}'? {}", near, known);
  }
  return diagnostic;
}

Diagnostic no_kernel(const source::PreparedSource& source) {
  Diagnostic diagnostic;
  diagnostic.file = source.file;
  diagnostic.code = "no_kernel";
  const auto is_template = [](const source::Signature& s) { return !s.template_parameters.empty(); };
  const auto found = std::find_if(source.kernels.begin(), source.kernels.end(), is_template);
  if (found != source.kernels.end()) {
    diagnostic.line = found->line;
    diagnostic.message =
        say("Compiled, but the module holds no kernel: {} is a template at line {} that nothing "
            "instantiates",
            found->name, found->line);
    diagnostic.hint = say("Name an instance, with a value for each of {}: //@ kernel: {}<...>",
                          list_of(found->template_parameters), found->name);
  } else if (!source.kernels.empty()) {
    diagnostic.line = source.kernels.front().line;
    diagnostic.message =
        say("Compiled, but the module holds no kernel: {} is left out by the preprocessor, or static and not "
            "asked for",
            source.kernels.front().name);
    diagnostic.hint = say("Name it: //@ kernel: {}", source.kernels.front().name);
  } else {
    diagnostic.message = say("The file holds no __global__ function: there is nothing to run");
    diagnostic.hint = say("Write a kernel: __global__ void name(...) { ... }");
  }
  return diagnostic;
}

Diagnostic too_much_shared(const std::string& kernel, std::int64_t bytes, const std::string& largest,
                           const source::PreparedSource& source) {
  Diagnostic diagnostic;
  diagnostic.file = source.file;
  diagnostic.code = "static_shared";
  Sentence uses = say("{} uses {} bytes of static shared memory", kernel, bytes);
  if (!largest.empty()) {
    // The variable's declaration: its name as a whole word in a line with __shared__.
    int number = 0;
    for (const std::string_view line : split_lines(source.text)) {
      ++number;
      const std::size_t at = line.find("__shared__");
      const std::size_t name = at == std::string_view::npos ? at : line.find(largest, at);
      if (name == std::string_view::npos) continue;
      diagnostic.line = number;
      uses = say("{} ({}, line {})", uses, largest, number);
      break;
    }
  }
  for (const source::Signature& signature : source.kernels)
    if (!diagnostic.line && base_name(signature.name) == base_name(kernel)) diagnostic.line = signature.line;
  diagnostic.message = say("{}, the limit is {}", uses, kStaticShared);
  diagnostic.hint = say("Declare it extern __shared__ and give the size at launch (//@ shared: {})", bytes);
  return diagnostic;
}

Diagnostic header_not_for_nvrtc(const std::string& header, int line, const Diagnostic& first, int count,
                                const CompileRequest& request, const Toolkit& toolkit) {
  Diagnostic diagnostic;
  diagnostic.file = request.source.file;
  diagnostic.line = line;
  diagnostic.code = "header_not_for_nvrtc";
  diagnostic.message =
      count > 1
          ? say("{} cannot be compiled at run time ({}:{}: {}; {} more errors inside the toolkit's headers)",
                header, first.file, first.line, first.message, count - 1)
          : say("{} cannot be compiled at run time ({}:{}: {})", header, first.file, first.line,
                first.message);
  diagnostic.hint =
      say("It is made for nvcc and host code: include the headers of the single primitives instead");
  if (starts_with(header, "cub/")) {
    const std::vector<std::string> headers = cub_headers(request.source.text, toolkit);
    if (headers.empty())
      diagnostic.hint =
          say("Include the block and warp headers instead, such as <cub/block/block_reduce.cuh>");
    else
      diagnostic.hint = say("Replace the line by #include <{}>", list_of(headers));
  } else if (starts_with(header, "thrust/")) {
    diagnostic.hint =
        say("thrust is made for host code; in a kernel use cub's block and warp primitives or plain loops");
  }
  return diagnostic;
}

}  // namespace ridge::compile
