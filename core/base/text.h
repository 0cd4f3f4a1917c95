// SPDX-License-Identifier: GPL-3.0-or-later
// Small text helpers that the standard library lacks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge {

std::string_view trim(std::string_view text);  ///< without blanks, tabs, CR and LF at both ends
/// Parts at `separator` outside of (), [], {}, <> and quotes, trimmed.
std::vector<std::string> split_list(std::string_view text, char separator = ',');
std::vector<std::string_view> split_lines(std::string_view text);  ///< without LF or CRLF
/// "1.95 TB", "16 KB" (decimal), for people.
std::string human_bytes(double bytes);

}  // namespace ridge
