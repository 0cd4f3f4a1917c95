// SPDX-License-Identifier: GPL-3.0-or-later
// Content hashes: XXH3, 128 bits, as 32 lower-case hexadecimal digits. They name content; they are no
// signature.
#pragma once

#include <string>
#include <string_view>

namespace ridge {

std::string content_hash(std::string_view bytes);

}  // namespace ridge
