// SPDX-License-Identifier: GPL-3.0-or-later
// Which source line a line of PTX or SASS comes from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::desktop {

struct LineMap {
  std::vector<int> sourceOf;  ///< per generated line: 1-based source line, 0 for none
  std::vector<int> generatedFor(int sourceLine) const;  ///< 0-based
};

/// By `.loc`; code inlined from a header belongs to the line that it was inlined at. `file` is the source's
/// name.
LineMap lineMapOfPtx(std::string_view ptx, std::string_view file);
/// By the `//## File "…", line N` comments of nvdisasm.
LineMap lineMapOfSass(std::string_view sass, std::string_view file);

}  // namespace ridge::desktop
