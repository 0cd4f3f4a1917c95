// SPDX-License-Identifier: GPL-3.0-or-later
// Architectures that may be asked for, and whose fault it is when one may not.
#include <algorithm>
#include <charconv>

#include "compile/compile.h"

namespace ridge::compile {
namespace {

constexpr const char* kUnknown = "unknown_arch";

/// The XX of sm_XX and compute_XX with its variant; empty for any other text.
std::string_view number_of(std::string_view arch) {
  for (const std::string_view prefix : {"sm_", "compute_"})
    if (arch.starts_with(prefix)) return arch.substr(prefix.size());
  return {};
}

int value_of(std::string_view number) {
  int value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  return value;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

}  // namespace

bool knows_architecture(const std::string& arch, const std::vector<std::string>& architectures) {
  std::string wanted(number_of(arch));
  if (wanted.empty()) return false;
  // Variants of a family ("sm_100f") are not listed; the first family is Blackwell's.
  constexpr int kFirstFamily = 100;
  if (wanted.back() == 'f' && value_of(wanted) >= kFirstFamily) wanted.back() = 'a';
  return std::find(architectures.begin(), architectures.end(), "sm_" + wanted) != architectures.end();
}

Diagnostic unknown_architecture(const std::string& arch, const std::vector<std::string>& architectures,
                                const std::string& compiler) {
  Diagnostic diagnostic;
  diagnostic.code = kUnknown;
  diagnostic.message = say("'{}' is no architecture that {} compiles for", arch, compiler);
  const int number = value_of(number_of(arch));
  constexpr int kFirstOfCuda13 = 75;
  if (number > 0 && number < kFirstOfCuda13 && compiler.starts_with("NVRTC 13"))
    diagnostic.message = say("{}: CUDA 13 removed everything before sm_75 (Turing)", diagnostic.message);
  diagnostic.hint = say("Use one of {}", list_of(architectures));
  return diagnostic;
}

std::optional<Error> architecture_fault(const CompiledKernel& kernel, const source::KernelSource& source,
                                        const std::string& option) {
  const auto found = std::find_if(kernel.diagnostics.begin(), kernel.diagnostics.end(),
                                  [](const Diagnostic& diagnostic) { return diagnostic.code == kUnknown; });
  if (found == kernel.diagnostics.end()) return std::nullopt;
  Error error{ErrorKind::component, found->code, found->message, found->hint, {}, 0};
  const source::Value& directive = source.directives.arch;
  if (!option.empty()) {
    error.kind = ErrorKind::usage;
  } else if (directive.given()) {
    error.kind = ErrorKind::definition;
    error.file = source.file;
    error.line = directive.line;
  } else {
    error.message = say("{}; it is the device's own", error.message);
    error.hint =
        say("Install a newer CUDA Toolkit, or choose another architecture by --arch. {}", error.hint);
  }
  return error;
}

}  // namespace ridge::compile
