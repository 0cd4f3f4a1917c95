// SPDX-License-Identifier: GPL-3.0-or-later
// Reads members of located JSON and turns every fault into a diagnostic; private to this room.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "interchange/located_json.h"

namespace ridge::interchange {

class Reader {
 public:
  /// `first_line` is the line of the file on which `json` begins (JSON lines files hold one value a line).
  Reader(const LocatedJson& json, std::string file, Diagnostics& diagnostics, int first_line = 1)
      : json_(json), file_(std::move(file)), diagnostics_(diagnostics), first_line_(first_line) {}

  const Json& root() const { return json_.value; }
  void fault(const std::string& pointer, const Sentence& message, const Sentence& hint = {}) {
    diagnostics_.push_back({Severity::error, file_, line_of(pointer), 0, "definition", message, hint});
  }
  int line_of(const std::string& pointer) const { return json_.line_of(pointer) + first_line_ - 1; }

  /// The value at `pointer`, or null.
  const Json& at(const std::string& pointer) const;
  /// A string that must be there and not be empty.
  std::optional<std::string> text(const std::string& pointer, const Sentence& what);
  /// An object that must be there.
  const Json* object(const std::string& pointer, const Sentence& what);

 private:
  const LocatedJson& json_;
  std::string file_;
  Diagnostics& diagnostics_;
  int first_line_;
};

}  // namespace ridge::interchange
