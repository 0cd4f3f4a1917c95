// SPDX-License-Identifier: GPL-3.0-or-later
// JSON that remembers the line each of its values stands on, so that a fault in a file can be named where it
// is.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace ridge::interchange {

struct LocatedJson {
  Json value;
  std::map<std::string, int> lines;      ///< by JSON pointer ("/axes/hidden/type"); 1-based
  std::map<std::string, int> key_lines;  ///< line of the key of an object's member
  std::map<std::string, int>
      duplicates;  ///< members whose key stood in the object before, with the line of the repeat

  /// Line of the value at `pointer`, or of the nearest enclosing value that exists.
  int line_of(std::string pointer) const;
};

/// The pointer of a member: "/a/b" and "c" make "/a/b/c", with "~" and "/" of the key as RFC 6901 writes
/// them.
std::string below(const std::string& pointer, const std::string& key);

/// Parses a whole file. The error names the line and, for the commonest slip (a comma before a closing
/// bracket), the comma.
Result<LocatedJson> parse_located(std::string_view text, const std::string& file);

}  // namespace ridge::interchange
