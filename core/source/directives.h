// SPDX-License-Identifier: GPL-3.0-or-later
// Directive lines of a source. Private to this room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "source/mask.h"
#include "source/source.h"

namespace ridge::source {

/// One `//@ key: value` line as it stands in the text.
struct DirectiveLine {
  std::string key, value;
  int line = 0;
  std::size_t begin = 0;        ///< of the line
  std::size_t end = 0;          ///< after its line end
  std::size_t value_begin = 0;  ///< of the value, without the remark
  std::size_t value_end = 0;
  bool colon = true;       ///< false: the colon is missing
  std::size_t launch = 0;  ///< which launch it belongs to, for keys of launches
};

std::vector<DirectiveLine> directive_lines(std::string_view text, const Mask& masked);
bool belongs_to_launch(const std::string& key);
bool may_repeat(const std::string& key);

/// The value of a tensor_map or texture directive; the error says what is wrong and what to write.
Result<TensorMap> parse_tensor_map(const std::string& value);
Result<Texture> parse_texture(const std::string& value);

Directives read_directives(const std::vector<DirectiveLine>& lines, const std::string& file,
                           Diagnostics& diagnostics);

}  // namespace ridge::source
