// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer: any bytes as PTX. What the emulator takes it runs; nothing may crash or go on for ever.
#include <cstddef>
#include <cstdint>

#include "support/any_ptx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ridge::test::AnyPtx ptx;
  (void)ptx.run(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
