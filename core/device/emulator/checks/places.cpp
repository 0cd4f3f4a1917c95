// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/checks/places.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace ridge::device::emulator {

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? text.get() : name;
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
    place.calls.push_back({demangled(frames[i]->function), frames[i + 1]->line});
  return place;
}

Sentence with_calls(Sentence what, const Place& place) {
  bool first = true;
  for (const Place::Call& call : place.calls) {
    const Sentence function = call.function.empty() ? say("an inlined function") : Sentence(call.function);
    what = first ? say("{} in {}, called at line {}", what, function, call.line)
                 : say("{}, {}, called at line {}", what, function, call.line);
    first = false;
  }
  return what;
}

}  // namespace ridge::device::emulator
