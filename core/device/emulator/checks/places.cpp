// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/checks/places.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace ridge::device::emulator {

namespace {

/// Inline namespaces of versions, and the one that stands for internal linkage.
bool is_internal(std::string_view scope) {
  if (scope.starts_with("_INTERNAL_") || scope == "(anonymous namespace)") return true;
  if (!scope.starts_with("__")) return false;
  const std::string_view version = scope.substr(scope.starts_with("__v") ? 3 : 2);
  return !version.empty() && version.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // f is a variable, not float
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

std::string function_for_people(const std::string& name) {
  const std::string whole = demangled(name);
  if (whole == name || whole.find("operator") != std::string::npos || whole.find('{') != std::string::npos)
    return whole;
  std::string result, scope;
  int depth = 0;  // of template arguments
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::string_view rest = std::string_view(whole).substr(i);
    if (constexpr std::string_view kNone = "(anonymous namespace)"; rest.starts_with(kNone)) {
      scope += kNone;
      i += kNone.size() - 1;
      continue;
    }
    const char c = whole[i];
    if (c == '<') ++depth;
    if (depth == 0 && c == '(') break;  // parameters
    if (depth == 0 && c == ' ') {       // what came was a return type
      result.clear();
      scope.clear();
    } else if (depth == 0 && rest.starts_with("::")) {
      if (!is_internal(scope)) result += scope + "::";
      scope.clear();
      ++i;
    } else if (depth == 0) {
      scope += c;
    }
    if (c == '>') --depth;
  }
  return result + scope;
}

Place place_of(const ptx::Module& module, int location) {
  std::vector<const ptx::Location*> frames;  // innermost first
  for (int i = location; i >= 0 && frames.size() < 64;
       i = module.locations[static_cast<std::size_t>(i)].caller)
    frames.push_back(&module.locations[static_cast<std::size_t>(i)]);
  if (frames.empty()) return {};
  const int own_file = frames.back()->file;  // the kernel stands in the file of the outermost frame
  std::size_t chosen = 0;
  while (chosen + 1 < frames.size() && (frames[chosen]->file != own_file || frames[chosen]->line == 0))
    ++chosen;
  Place place;
  const auto file = module.files.find(frames[chosen]->file);
  if (file != module.files.end()) place.file = file->second;
  place.line = frames[chosen]->line;
  for (std::size_t i = chosen > 0 ? chosen - 1 : 0; i + 1 < frames.size(); ++i)
    place.calls.push_back({function_for_people(frames[i]->function), frames[i + 1]->line});
  return place;
}

void set_place(Error& error, const ptx::Module& module, int location, int ptx_line, const Sentence& what) {
  if (module.origin == ptx::Origin::written) {
    error.line = ptx_line;
    error.message = say("{}.", what);
    return;
  }
  const Place place = place_of(module, location);
  if (place.line > 0) {
    error.file = place.file;
    error.line = place.line;
  }
  const Sentence whole = with_calls(what, place);
  error.message = ptx_line > 0 ? say("{} (line {} of the PTX).", whole, ptx_line) : say("{}.", whole);
}

Sentence with_calls(Sentence what, const Place& place) {
  std::optional<Sentence> calls;
  for (const Place::Call& call : place.calls) {
    const Sentence function = call.function.empty() ? say("an inlined function") : Sentence(call.function);
    calls = calls ? say("{}, in {}, called at line {}", *calls, function, call.line)
                  : say("{}, called at line {}", function, call.line);
  }
  return calls ? say("In {}: {}", *calls, what) : what;
}

}  // namespace ridge::device::emulator
