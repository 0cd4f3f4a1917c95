// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/hashing.h"

#include <xxhash.h>

#include <cstdint>

namespace ridge {

std::string content_hash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(32);
  for (const std::uint64_t half :
       {static_cast<std::uint64_t>(hash.high64), static_cast<std::uint64_t>(hash.low64)})
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(half >> shift) & 15];
  return text;
}

}  // namespace ridge
